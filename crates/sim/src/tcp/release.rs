//! Release of segments that the windows allow: at a rate, or in bursts. A sender has one of both,
//! or neither.

use super::bursts::Bursts;
use super::pacer::Pacer;
use crate::units::Time;

/// Release of the segments of one sender.
#[derive(Clone, Debug)]
pub(super) enum Release {
    /// Segments wait for their instants.
    Paced(Pacer),
    /// Segments wait for ACKs that let larger bursts out.
    InBursts(Bursts),
}

impl Release {
    /// Makes the release of a sender that paces, or whose log of the flight tells it when to defer.
    pub(super) fn new(paces: bool, defers: bool) -> Option<Box<Self>> {
        match (paces, defers) {
            (true, _) => Some(Box::new(Self::Paced(Pacer::default()))),
            (false, true) => Some(Box::new(Self::InBursts(Bursts::default()))),
            (false, false) => None,
        }
    }

    /// The instant for which a segment waits; [`Time::MAX`] for none.
    pub(super) fn next(&self) -> Time {
        match self {
            Self::Paced(pacer) => pacer.next(),
            Self::InBursts(_) => Time::MAX,
        }
    }

    /// Ends the wait for an instant that has come.
    pub(super) fn wake(&mut self, now: Time) {
        if let Self::Paced(pacer) = self {
            pacer.wake(now);
        }
    }
}

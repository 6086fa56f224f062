//! Release of segments that the windows allow: at a rate, in bursts at a rate, or in bursts that
//! wait for ACKs. A sender has one of these, or none.

use super::bursts::Bursts;
use super::congestion::LawNeeds;
use super::paced_bursts::PacedBursts;
use super::pacer::Pacer;
use crate::units::Time;

/// Release of the segments of one sender.
#[derive(Clone, Debug)]
pub(super) enum Release {
    /// Segments wait for their instants.
    Paced(Pacer),
    /// Bursts wait for their instants.
    PacedInBursts(PacedBursts),
    /// Segments wait for ACKs that let larger bursts out.
    InBursts(Bursts),
}

impl Release {
    /// Makes the release of a sender that paces, by itself or for its law, or whose log of the
    /// flight tells it when to defer.
    pub(super) fn new(paces: bool, needs: LawNeeds, defers: bool, mss: u64) -> Option<Box<Self>> {
        let release = if needs.bursts {
            Self::PacedInBursts(PacedBursts::new(mss))
        } else if paces || needs.pacing {
            Self::Paced(Pacer::default())
        } else if defers {
            Self::InBursts(Bursts::default())
        } else {
            return None;
        };
        Some(Box::new(release))
    }

    /// The instant for which a segment waits; [`Time::MAX`] for none.
    pub(super) fn next(&self) -> Time {
        match self {
            Self::Paced(pacer) => pacer.next(),
            Self::PacedInBursts(bursts) => bursts.next(),
            Self::InBursts(_) => Time::MAX,
        }
    }

    /// Ends the wait for an instant that has come.
    pub(super) fn wake(&mut self, now: Time) {
        match self {
            Self::Paced(pacer) => pacer.wake(now),
            Self::PacedInBursts(bursts) => bursts.wake(now),
            Self::InBursts(_) => {}
        }
    }
}

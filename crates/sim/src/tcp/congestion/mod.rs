//! The axis of congestion control: one verb per event, one file per rule.
//!
//! The sender keeps sequence numbers, timers and the count of duplicate ACKs; a rule sees each event with the
//! [`Window`] it governs and a [`Flight`] of what else it may need, and answers which [`Repair`] the sender makes.
//! The defaults are TCP without fast retransmit, so a rule states only what it adds: a partial ACK is an `on_ack`
//! that answers a repair.

mod reno;
mod tahoe;
mod vanilla;
mod window;

pub(super) use window::Window;

use super::config::Recovery;
use reno::Reno;
use tahoe::Tahoe;
use vanilla::Vanilla;

/// RFC 5681 §3.2: the third duplicate ACK is taken as a loss.
const DUP_ACK_THRESHOLD: u32 = 3;

/// What a rule may know of the sender besides its window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    /// Window the receiver advertises, bytes.
    pub(super) snd_wnd: u64,
    /// Duplicate ACKs in a row, the present one included.
    pub(super) dup_acks: u32,
}

/// What the sender does about a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// Goes on.
    Nothing,
    /// Sends the first unacknowledged segment once more; `snd_nxt` stays.
    ResendFirst,
    /// Sends everything from `snd_una` again as the window allows.
    GoBack,
}

pub(super) trait Congestion {
    /// New data are acknowledged.
    fn on_ack(&mut self, window: &mut Window, _flight: &Flight) -> Repair {
        window.grow();
        Repair::Nothing
    }

    /// A duplicate ACK has come.
    fn on_dup_ack(&mut self, _window: &mut Window, _flight: &Flight) -> Repair {
        Repair::Nothing
    }

    /// The retransmission timer has expired; the sender goes back to `snd_una` in any case.
    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        window.halve_ssthresh(flight);
        window.collapse();
    }
}

/// The rules to choose from.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    Vanilla(Vanilla),
    Tahoe(Tahoe),
    Reno(Reno),
}

impl Rule {
    pub(super) fn new(recovery: Recovery) -> Self {
        match recovery {
            Recovery::Vanilla => Self::Vanilla(Vanilla),
            Recovery::Tahoe => Self::Tahoe(Tahoe),
            Recovery::Reno => Self::Reno(Reno::default()),
        }
    }
}

impl Congestion for Rule {
    fn on_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        match self {
            Self::Vanilla(rule) => rule.on_ack(window, flight),
            Self::Tahoe(rule) => rule.on_ack(window, flight),
            Self::Reno(rule) => rule.on_ack(window, flight),
        }
    }

    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        match self {
            Self::Vanilla(rule) => rule.on_dup_ack(window, flight),
            Self::Tahoe(rule) => rule.on_dup_ack(window, flight),
            Self::Reno(rule) => rule.on_dup_ack(window, flight),
        }
    }

    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        match self {
            Self::Vanilla(rule) => rule.on_timeout(window, flight),
            Self::Tahoe(rule) => rule.on_timeout(window, flight),
            Self::Reno(rule) => rule.on_timeout(window, flight),
        }
    }
}

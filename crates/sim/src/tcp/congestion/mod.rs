//! The axis of congestion control: one verb per event, one file per rule.
//!
//! The sender keeps sequence numbers, timers and what ACKs have reported; a rule sees each event with the [`Window`] it
//! governs and the [`Flight`], and answers which [`Repair`] the sender makes. A rule that counts what is in the network
//! also says whose [`Turn`] it is. The defaults are TCP without fast retransmit, so a rule states only what it adds.

mod guard;
mod hoe;
mod new_reno;
mod reno;
mod sack;
mod sack_pipe;
mod tahoe;
mod vanilla;
mod window;

pub(super) use window::Window;

use super::config::{Config, Recovery};
use super::flight::Flight;
use super::scoreboard::Hole;
use hoe::Hoe;
use new_reno::NewReno;
use reno::Reno;
use sack::Sack;
use sack_pipe::SackPipe;
use tahoe::Tahoe;
use vanilla::Vanilla;

/// RFC 5681 §3.2: the third duplicate ACK is taken as a loss. RFC 6675 calls it `DupThresh`.
pub(super) const DUP_ACK_THRESHOLD: u32 = 3;

/// What the sender does about a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// Goes on.
    Nothing,
    /// A fast retransmit: sends the first unacknowledged segment once more; `snd_nxt` stays.
    ResendFirst,
    /// Sends everything from `snd_una` again as the window allows.
    GoBack,
    /// A fast retransmit goes on: the first unacknowledged segment is the next one lost, and the timer counts anew.
    ResendNext,
    /// The same, but the timer runs on.
    ResendNextAgainstTheClock,
}

/// What leaves next when no repair is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// What follows `snd_nxt`, as far as cwnd allows.
    AsTheWindowAllows,
    /// The first segment of a hole.
    Resend(Hole),
    /// New data if there are any and the receiver has room, else the first segment of a hole if there is one. The rule
    /// has seen to cwnd.
    NewOr(Option<Hole>),
    /// Nobody's.
    Nobody,
}

pub(super) trait Congestion {
    /// New data are acknowledged, `acked` bytes of them; the flight is that after it.
    fn on_ack(&mut self, window: &mut Window, _flight: &Flight, _acked: u64) -> Repair {
        window.grow();
        Repair::Nothing
    }

    /// A duplicate ACK has come.
    fn on_dup_ack(&mut self, _window: &mut Window, _flight: &Flight) -> Repair {
        Repair::Nothing
    }

    /// Whether a loss is being repaired under a window of the rule's own making: no limited transmit then.
    fn is_recovering(&self) -> bool {
        false
    }

    /// The retransmission timer has expired; the sender goes back to `snd_una` in any case.
    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        window.halve_ssthresh(flight);
        window.collapse();
    }

    /// Whose turn it is.
    fn turn(&self, _window: &Window, _flight: &Flight) -> Turn {
        Turn::AsTheWindowAllows
    }

    /// A segment from `start` to `end` leaves; the flight is that before it.
    fn on_sent(&mut self, _flight: &Flight, _start: u64, _end: u64) {}
}

/// The rules to choose from.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    Vanilla(Vanilla),
    Tahoe(Tahoe),
    Reno(Reno),
    NewReno(NewReno),
    Hoe(Hoe),
    SackPipe(SackPipe),
    Sack(Sack),
}

impl Rule {
    pub(super) fn new(config: &Config) -> Self {
        match config.recovery {
            Recovery::Vanilla => Self::Vanilla(Vanilla),
            Recovery::Tahoe => Self::Tahoe(Tahoe::new(config.fast_retransmit_guard)),
            Recovery::Reno => Self::Reno(Reno::new(config.fast_retransmit_guard)),
            Recovery::NewReno => Self::NewReno(NewReno::impatient()),
            Recovery::NewRenoSteady => Self::NewReno(NewReno::steady()),
            Recovery::Hoe => Self::Hoe(Hoe::default()),
            Recovery::SackPipe => Self::SackPipe(SackPipe::default()),
            Recovery::Sack => Self::Sack(Sack::default()),
        }
    }
}

/// One expression for whichever rule it is.
macro_rules! of_rule {
    ($self:ident, $rule:ident => $verb:expr) => {
        match $self {
            Self::Vanilla($rule) => $verb,
            Self::Tahoe($rule) => $verb,
            Self::Reno($rule) => $verb,
            Self::NewReno($rule) => $verb,
            Self::Hoe($rule) => $verb,
            Self::SackPipe($rule) => $verb,
            Self::Sack($rule) => $verb,
        }
    };
}

impl Congestion for Rule {
    fn on_ack(&mut self, window: &mut Window, flight: &Flight, acked: u64) -> Repair {
        of_rule!(self, rule => rule.on_ack(window, flight, acked))
    }

    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        of_rule!(self, rule => rule.on_dup_ack(window, flight))
    }

    fn is_recovering(&self) -> bool {
        of_rule!(self, rule => rule.is_recovering())
    }

    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        of_rule!(self, rule => rule.on_timeout(window, flight));
    }

    fn turn(&self, window: &Window, flight: &Flight) -> Turn {
        of_rule!(self, rule => rule.turn(window, flight))
    }

    fn on_sent(&mut self, flight: &Flight, start: u64, end: u64) {
        of_rule!(self, rule => rule.on_sent(flight, start, end));
    }
}

//! The flight, as the sender and the rules of congestion control see it.

use super::outstanding::{Log, Scoreboard};

/// Sequence numbers of RFC 9293 §3.3.1, the peer's window, and the ranges that ACKs have reported.
#[derive(Clone, Debug, Default)]
pub struct Flight {
    /// First unacknowledged sequence number.
    pub snd_una: u64,
    /// Next sequence number to be sent in order.
    pub snd_nxt: u64,
    /// Sequence number after the highest ever sent.
    pub snd_max: u64,
    /// Window the receiver advertises, bytes.
    pub snd_wnd: u64,
    /// Consecutive duplicate ACKs, including the present one.
    pub dup_acks: u32,
    /// Bytes sent by limited transmit on these duplicates (RFC 3042).
    pub limited: u64,
    /// `snd_una` when the timer last expired.
    pub timed_out: Option<u64>,
    /// Sequence number after the highest sent when a congestion mark last reduced the window; 0 if
    /// none has.
    pub reduced: u64,
    /// Ranges reported beyond `snd_una`; empty unless the rule reads them.
    pub board: Scoreboard,
    /// Every segment in flight, if the rule, its law or `hystart` asks for it.
    pub log: Option<Box<Log>>,
}

impl Flight {
    /// The log of a rule that has asked for one.
    pub fn log(&self) -> &Log {
        self.log.as_ref().expect("the rule has asked for a log")
    }

    pub(super) fn log_mut(&mut self) -> &mut Log {
        self.log.as_mut().expect("the rule has asked for a log")
    }

    /// Bytes that the windows allow and that wait for a larger burst.
    pub fn deferred(&self) -> u64 {
        self.log.as_ref().map_or(0, |log| log.deferred)
    }

    /// Bytes in flight: `FlightSize` of RFC 5681 §2.
    pub fn size(&self) -> u64 {
        self.snd_max - self.snd_una
    }

    /// Bytes in flight without those sent by limited transmit (RFC 5681 §3.2 step 2).
    pub fn bytes_of_window(&self) -> u64 {
        self.size() - self.limited
    }

    /// True if a congestion mark has reduced the window that the first unacknowledged segment
    /// belongs to: a loss in it does not reduce it once more (RFC 3168 §6.1.2).
    pub fn is_reduced(&self) -> bool {
        self.snd_una < self.reduced
    }

    /// True if the timer has expired for the first unacknowledged segment before.
    pub fn has_timed_out(&self) -> bool {
        self.timed_out == Some(self.snd_una)
    }
}

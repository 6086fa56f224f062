//! What is in flight, as the sender and the rules of congestion control see it.

use super::scoreboard::Scoreboard;

/// Sequence numbers of RFC 9293 §3.3.1, the peer's window, and what ACKs have reported.
#[derive(Clone, Debug, Default)]
pub struct Flight {
    /// First unacknowledged sequence number.
    pub snd_una: u64,
    /// Next to be sent in turn.
    pub snd_nxt: u64,
    /// After the highest ever sent.
    pub snd_max: u64,
    /// Window the receiver advertises, bytes.
    pub snd_wnd: u64,
    /// Duplicate ACKs in a row, the present one included.
    pub dup_acks: u32,
    /// Bytes of limited transmit that these duplicates have let go (RFC 3042).
    pub limited: u64,
    /// `snd_una` when the timer last expired.
    pub timed_out: Option<u64>,
    /// After the highest ever sent when a congestion mark last reduced the window; 0: none has.
    pub reduced: u64,
    /// What has been reported beyond `snd_una`; empty unless the rule reads it.
    pub board: Scoreboard,
}

impl Flight {
    /// RFC 5681 §2: `FlightSize`.
    pub fn size(&self) -> u64 {
        self.snd_max - self.snd_una
    }

    /// Of what is in flight, what the window let go: without what limited transmit has sent (RFC
    /// 5681 §3.2 step 2).
    pub fn bytes_of_window(&self) -> u64 {
        self.size() - self.limited
    }

    /// Whether a congestion mark has reduced the window that the first unacknowledged segment
    /// belongs to: a loss in it does not reduce it once more (RFC 3168 §6.1.2).
    pub fn is_reduced(&self) -> bool {
        self.snd_una < self.reduced
    }

    /// Whether the timer has expired for the first unacknowledged segment before.
    pub fn has_timed_out(&self) -> bool {
        self.timed_out == Some(self.snd_una)
    }
}

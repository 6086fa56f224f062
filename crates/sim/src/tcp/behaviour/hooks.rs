//! The hooks of a behaviour, and the values that they take and return.

use crate::pdu::Segment;
use crate::tcp::counters::Counters;
use crate::tcp::flight::Flight;
use crate::tcp::piece::Piece;
use crate::tcp::timers::RetransmissionTimer;
use crate::units::{Span, Time};

/// A behaviour of an end. Each hook does nothing unless it is written.
pub(in crate::tcp) trait Behaviour {
    /// Adds the offer of an option to our SYN, or the answer to that of the peer; the segment is an
    /// answer if it has [`ACK`](crate::pdu::Flags::ACK).
    fn offer(&self, _syn: &mut Segment) {}

    /// Takes the SYN of the peer; `None` without a handshake, when both ends agree on all that they
    /// would offer.
    fn agree(&mut self, _syn: Option<&Segment>) {}

    /// True if a segment that has arrived is processed; `last_acked` is the number of our latest
    /// ACK. Otherwise it is discarded and acknowledged.
    fn accepts(&mut self, _segment: &Segment, _last_acked: u64) -> bool {
        true
    }

    /// Notes that a segment has arrived and is accepted.
    fn on_received(&mut self, _now: Time) {}

    /// Notes the facts of an ACK: of new data, or a duplicate.
    fn on_ack(&mut self, _arrival: &Arrival<'_>, _findings: &mut Findings) {}

    /// Notes that the window was reduced.
    fn on_reduced(&mut self, _cause: Cause, _flight: &Flight) {}

    /// Begins an output of `tcp_output`: after a write, an ACK, or when the latest output has
    /// ended.
    fn on_output(&mut self, _flight: &Flight) {}

    /// The window with which data are sent now, if the pause before them calls for one; asked while
    /// data wait and nothing is outstanding.
    fn restart(&self, _now: Time, _timer: &RetransmissionTimer, _cwnd: u64) -> Option<Restart> {
        None
    }

    /// True if the last data may leave from `seq` on in a segment that they do not fill.
    fn lets_end_short(&self, _seq: u64, _flight: &Flight) -> bool {
        true
    }

    /// True if a segment that is not full may leave from `seq` on up to the end of the receive
    /// window.
    fn fills_window(&self, _seq: u64, _flight: &Flight) -> bool {
        false
    }

    /// Notes that data or a FIN are sent.
    fn on_sent(&mut self, _now: Time, _piece: Piece) {}

    /// Completes a segment that is sent now, a SYN included; `piece` is `None` without data and
    /// FIN.
    fn stamp(&mut self, _now: Time, _piece: Option<Piece>, _segment: &mut Segment) {}

    /// Adds what it has counted.
    fn count(&self, _counters: &mut Counters) {}
}

/// An ACK that has arrived, before its effects.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Arrival<'a> {
    /// The instant of its arrival.
    pub(in crate::tcp) now: Time,
    pub(in crate::tcp) segment: &'a Segment,
    /// The first unacknowledged sequence number after it.
    pub(in crate::tcp) snd_una: u64,
    /// True if it is the first to acknowledge some data.
    pub(in crate::tcp) is_new: bool,
}

/// The window after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct Restart {
    /// The largest cwnd, bytes.
    pub(in crate::tcp) cwnd: u64,
    /// The smallest ssthresh, bytes.
    pub(in crate::tcp) ssthresh: u64,
}

/// Facts that behaviours find in an ACK, for the sender to act on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::tcp) struct Findings {
    /// The sample that the timeout follows.
    pub(in crate::tcp) sample: Sample,
    /// True if a congestion mark calls for a reduction of the window.
    pub(in crate::tcp) is_congested: bool,
    /// Marks that it reports.
    pub(in crate::tcp) marks: Marks,
    /// Grant of routers that it returns, if the connection has a congestion header.
    pub(in crate::tcp) grant: Option<f32>,
}

/// Congestion marks that an ACK reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) enum Marks {
    /// None.
    #[default]
    None,
    /// Marks of all data that it delivers.
    All,
    /// Marks of so many segments.
    Segments(u32),
}

impl Marks {
    /// True if there are any.
    pub(in crate::tcp) fn are_there(self) -> bool {
        self != Self::None
    }

    /// Marked bytes of those that the ACK delivers, in segments of `mss` bytes.
    pub(in crate::tcp) fn of(self, delivered: u64, mss: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::All => delivered,
            Self::Segments(count) => delivered.min(u64::from(count) * mss),
        }
    }
}

/// The sample of a round trip that the timeout follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) enum Sample {
    /// The one segment that the sender times.
    #[default]
    Timed,
    /// The age of an echoed timestamp.
    Echo(Span),
    /// None.
    Missing,
}

/// The cause of a reduced window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Cause {
    /// Duplicate ACKs, or an expiry of the timer.
    Loss,
    /// The echo of a congestion mark.
    Mark,
}

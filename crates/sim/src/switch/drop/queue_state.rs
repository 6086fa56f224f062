//! What a drop policy asks of its queue, and what it may know of it, of what leaves it, and of what
//! has left.

use crate::switch::accounts::Accounts;
use crate::units::{Span, Time};

/// What a policy, or a rule of frames, asks of its queue: without that it costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "any of them goes with any other")]
pub struct Needs {
    /// It reads [`QueueState::accounts`].
    pub accounts: bool,
    /// Each departure is reported to it; to a rule of frames each admission, too.
    pub departures: bool,
    /// It is asked about each cell that is taken out; a rule, about each frame. Such a queue is
    /// served: a port that knows a departure when the cell arrives has promised it.
    pub dequeues: bool,
    /// It may mark cells: its marks are counted and reported.
    pub marks: bool,
}

/// What a policy may know of the queue, in cells (or packets), before the arriving one is admitted.
#[derive(Clone, Copy, Debug)]
pub struct QueueState<'q> {
    /// The instant of the arrival; departures up to it are done.
    pub now: Time,
    /// X: in the buffer of this cell: that of its VC, of its port, or of the whole switch.
    pub occupancy: u64,
    /// K: the size of that buffer.
    pub size: u64,
    /// The VC's own place.
    pub slot: u32,
    /// `N_a`: how many VCs have something in that buffer; of a VC's own buffer, in its port's.
    /// Counted where accounts are kept.
    pub active: u64,
    /// When the line is, or was, free of everything that came before; where the queue is served, of
    /// everything that was begun.
    pub line_free_at: Time,
    /// Bytes that wait for the line, if the policy [judges](Needs::dequeues) what leaves: of packets
    /// IP bytes, of cells their payload.
    pub backlog: u64,
    /// Whose cells the queue holds, if the policy [asks for it](Needs::accounts).
    pub accounts: &'q Accounts,
}

impl QueueState<'_> {
    /// Whether one more fits.
    #[inline]
    pub fn has_space(&self) -> bool {
        self.occupancy < self.size
    }
}

/// A cell that is taken out of the buffer to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Dequeue {
    /// When.
    pub now: Time,
    /// How long it was in the buffer.
    pub sojourn: Span,
    /// How many the queue holds, this one included.
    pub occupancy: u64,
    /// Bytes that wait behind it: of packets IP bytes, of cells their payload. In the same queue,
    /// if the scheduler has several.
    pub backlog: u64,
    /// The place of its VC.
    pub slot: u32,
}

/// A cell that has left the buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Departure {
    /// When.
    pub at: Time,
    /// The place of its VC.
    pub slot: u32,
    /// Whether it is the last of its frame.
    pub ends_frame: bool,
}

//! Needs of a drop policy from its queue, and the data that it gets about the queue, about a cell
//! that is taken out, and about one that has left.

use crate::pdu::RateHeader;
use crate::switch::accounts::Accounts;
use crate::units::{Span, Time};

/// Needs of a policy, or of a frame rule, from its queue. The queue does only what is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "any of them goes with any other")]
pub struct Needs {
    /// True if it reads [`QueueState::accounts`].
    pub accounts: bool,
    /// True if each departure is reported to it; to a frame rule each admission, too.
    pub departures: bool,
    /// True if it is asked about each cell that is taken out; a rule, about each frame. Such a
    /// queue is served cell by cell: its departures cannot be fixed as the cells arrive.
    pub dequeues: bool,
    /// True if it is told of the queue that an arriving packet would join, where a policy has
    /// several.
    pub own_queue: bool,
    /// True if it may mark cells: its marks are counted and reported.
    pub marks: bool,
    /// True if it reads and writes congestion headers of packets.
    pub headers: bool,
    /// True if a mark of its is a brake: ECT(1) becomes ECT(0), and not CE.
    pub brakes: bool,
    /// Time over which it is told the mean rate of the line at each dequeue, if it needs it.
    pub line_over: Option<Span>,
}

/// State of the queue, in cells (or packets), before the arriving one is admitted.
#[derive(Clone, Copy, Debug)]
pub struct QueueState<'q> {
    /// The instant of the arrival; departures up to it are done.
    pub now: Time,
    /// X: occupancy of the buffer of this cell: that of its VC, of its port, or of the whole
    /// switch.
    pub occupancy: u64,
    /// K: the size of that buffer.
    pub size: u64,
    /// Slot of the VC.
    pub slot: u32,
    /// `N_a`: number of VCs with cells in that buffer; if each VC has its own, in all buffers of
    /// the port. Counted where accounts are kept.
    pub active: u64,
    /// Instant at which the line is, or was, free of everything that came before; where the queue
    /// is served, of everything that was begun.
    pub line_free_at: Time,
    /// Bytes that wait for the line, if the policy [judges dequeues](Needs::dequeues): of packets
    /// IP bytes, of cells their payload.
    pub backlog: u64,
    /// Cells of each VC in the queue, if the policy [needs them](Needs::accounts).
    pub accounts: &'q Accounts,
}

impl QueueState<'_> {
    /// True if one more fits.
    #[inline]
    pub fn has_space(&self) -> bool {
        self.occupancy < self.size
    }
}

/// A cell that is taken out of the buffer to be sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dequeue {
    /// Instant at which it is taken out.
    pub now: Time,
    /// Time that it was in the buffer.
    pub sojourn: Span,
    /// Number of cells in the queue, this one included.
    pub occupancy: u64,
    /// Bytes that wait behind it: of packets IP bytes, of cells their payload. In the same queue,
    /// if the scheduler has several.
    pub backlog: u64,
    /// Slot of its VC.
    pub slot: u32,
    /// Number of its queue, if the policy has several, else zero.
    pub queue: u32,
    /// Bits of the unit on the wire; zero unless the policy [needs the line](Needs::line_over).
    pub bits: u64,
    /// Mean rate of the line over that time, bit/s on the wire; zero unless needed.
    pub line_rate: f64,
}

/// A packet at a port whose policy [reads congestion headers](Needs::headers).
#[derive(Clone, Copy, Debug)]
pub struct RatePacket {
    /// Bits on the wire.
    pub bits: u64,
    /// Bytes of data of its segment.
    pub data: u16,
    /// Its header, if it has one.
    pub header: Option<RateHeader>,
}

/// A cell that has left the buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Departure {
    /// Instant at which it has left.
    pub at: Time,
    /// Slot of its VC.
    pub slot: u32,
    /// True if it is the last of its frame.
    pub ends_frame: bool,
}

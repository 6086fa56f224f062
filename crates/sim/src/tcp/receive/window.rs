//! The window that a receiver advertises (RFC 9293 §3.8.6), and its window updates: silly-window
//! avoidance of RFC 1122 §4.2.3.3 by the rules of `tcp_output` (Stevens, TCP/IP Illustrated, volume
//! 2, section 26.7).
//!
//! Data that wait for their reader take space of the receive buffer; data beyond a gap do not, as
//! in BSD, where the reassembly queue is not the socket buffer. The right edge is one buffer beyond
//! the data that have been read, and never moves back. A window below a segment and below a quarter
//! of the buffer is advertised as zero, unless more was promised. Under a rule of RFCs every ACK
//! moves the right edge by at least a segment or half of the largest window, or not at all (RFC
//! 9293 §3.8.6.2.2). A window update is sent after a read when the window can grow by two segments
//! or by half of the largest.
//!
//! A scaled window is rounded down, so that no more is promised than there is; the sender keeps the
//! edge that it knew before (RFC 7323 §2.4).
//!
//! An application that reads at once leaves the buffer empty: the window is constant.

use crate::tcp::config::Config;
use crate::tcp::scaling::{MAX_UNSCALED_WINDOW, scaling_shift};

#[derive(Clone, Debug)]
pub(super) struct ReceiveWindow {
    buffer: u64,
    /// The scaling that both ends use once they have agreed on it.
    shift: u32,
    /// Growth that is worth a window update.
    update: u64,
    mss: u64,
    /// Smallest advance of the right edge; zero if there is no minimum (Net/3).
    step: u64,
    /// State of a late reader; `None` if the application reads at once.
    late: Option<Box<Late>>,
}

/// Sequence numbers of an application that reads late.
#[derive(Clone, Copy, Debug)]
struct Late {
    /// Sequence number after the last byte that was read.
    read: u64,
    /// The right edge that has been advertised.
    edge: u64,
}

impl ReceiveWindow {
    pub(super) fn new(config: &Config, follows_rfcs: bool) -> Self {
        let (buffer, mss) = (config.window.0, config.full_segment());
        let half = config.largest_advertised().div_ceil(2);
        Self {
            buffer,
            shift: scaling_shift(buffer),
            update: mss.saturating_mul(2).min(half),
            mss,
            step: if follows_rfcs { mss.min(half) } else { 0 },
            late: config.reads_late().then(|| Box::new(Late { read: 1, edge: 1 })),
        }
    }

    /// Lets the application read when it wants to, from the beginning on.
    pub(super) fn read_late(&mut self) {
        self.late.get_or_insert_with(|| Box::new(Late { read: 1, edge: 1 }));
    }

    /// Sequence number up to which data find room.
    #[inline]
    pub(super) fn limit(&self) -> u64 {
        self.late.as_ref().map_or(u64::MAX, |late| late.read + self.buffer)
    }

    /// In-order bytes that end the wait of a delayed ACK: two full segments. If the application
    /// reads at once, half of the buffer also does, since its read is a window update.
    pub(super) fn due(&self) -> u64 {
        if self.late.is_some() { 2 * self.mss } else { self.update }
    }

    /// The window to advertise in bytes: a multiple of the unit of the agreed scaling.
    #[inline]
    pub(super) fn size(&self, rcv_nxt: u64, scaled: bool) -> u32 {
        let shift = if scaled { self.shift } else { 0 };
        let space = self.late.as_ref().map_or(self.buffer, |late| self.space(late, rcv_nxt, shift));
        let field = (space >> shift).min(MAX_UNSCALED_WINDOW);
        (field << shift) as u32
    }

    /// Notes that a segment with a window of this size is sent.
    #[inline]
    pub(super) fn note_advertised(&mut self, rcv_nxt: u64, size: u32) {
        if let Some(late) = &mut self.late {
            late.edge = late.edge.max(rcv_nxt + u64::from(size));
        }
    }

    /// Bytes that wait when all before `end` has arrived.
    pub(super) fn unread(&self, end: u64) -> u64 {
        self.late.as_ref().map_or(0, |late| end - late.read)
    }

    /// Notes that the application has read `bytes`; true if a window update is due.
    pub(super) fn read(&mut self, bytes: u64, rcv_nxt: u64, scaled: bool) -> bool {
        let (buffer, update) = (self.buffer, self.update);
        let largest = MAX_UNSCALED_WINDOW << if scaled { self.shift } else { 0 };
        let Some(late) = &mut self.late else { return false };
        late.read += bytes;
        let edge = (late.read + buffer).min(rcv_nxt + largest);
        edge.saturating_sub(late.edge) >= update
    }

    fn space(&self, late: &Late, rcv_nxt: u64, shift: u32) -> u64 {
        let space = (late.read + self.buffer).saturating_sub(rcv_nxt);
        let promised = late.edge.saturating_sub(rcv_nxt);
        let is_silly = if self.step == 0 {
            space < self.mss && space < self.buffer / 4
        } else {
            (space >> shift).min(MAX_UNSCALED_WINDOW) << shift < promised + self.step
        };
        if is_silly { promised } else { space.max(promised) }
    }
}

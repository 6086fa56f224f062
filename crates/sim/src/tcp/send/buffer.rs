//! The send buffer, `so_snd` of 4.3BSD: it holds written data from the first unacknowledged byte
//! on, up to its size. The rest waits outside, and the write that it belongs to has not returned.
//!
//! Default: unlimited, which equals every buffer that is never full.
//!
//! Departures from `sosend` (Stevens, TCP/IP Illustrated, volume 2, section 16.7): a write fills
//! all free room, without a low-water mark and not by clusters of 2048 bytes, and data written at
//! one instant are in the buffer before any of them are sent.

use super::{ENDLESS, Sender};
use crate::tcp::congestion::Congestion;

impl<R: Congestion> Sender<R> {
    /// Sequence number after the last byte in the buffer.
    #[inline]
    pub(super) fn buffered(&self) -> u64 {
        self.written.min(self.flight.snd_una.max(1) + self.send_buffer)
    }

    /// Bytes taken from an endless offer: all that a finite buffer holds; with an unlimited one,
    /// those that have been sent.
    pub(in crate::tcp) fn taken(&self) -> u64 {
        let end = if self.send_buffer == ENDLESS { self.flight.snd_max } else { self.buffered() };
        self.bytes_before(end)
    }

    /// Bytes written.
    pub(in crate::tcp) fn written_bytes(&self) -> u64 {
        self.written - 1
    }

    /// Bytes for which the buffer still has room.
    pub(in crate::tcp) fn free(&self) -> u64 {
        (self.flight.snd_una.max(1) + self.send_buffer).saturating_sub(self.written)
    }

    /// Bytes written for which there is no room yet.
    pub(in crate::tcp) fn unbuffered(&self) -> u64 {
        self.written - self.buffered()
    }
}

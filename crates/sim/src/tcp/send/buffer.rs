//! Which of the written data are in the send buffer, the `so_snd` of 4.3BSD: from the first that is
//! not acknowledged on, as many as it holds. The rest waits outside, and the write that it belongs
//! to has not returned.
//!
//! Default: unlimited, and equal to every buffer that is never full.
//!
//! Departures from `sosend` (Stevens, TCP/IP Illustrated, volume 2, section 16.7): a write fills
//! whatever room there is, without a low-water mark and not by clusters of 2048 bytes, and what is
//! written at one instant is in the buffer before anything of it leaves.

use super::{ENDLESS, Sender};
use crate::tcp::congestion::Congestion;

impl<R: Congestion> Sender<R> {
    /// Sequence number after the last byte in the buffer.
    #[inline]
    pub(super) fn buffered(&self) -> u64 {
        self.written.min(self.flight.snd_una.max(1) + self.send_buffer)
    }

    /// Bytes that it has taken from an endless offer: a finite buffer all that it holds, an
    /// unlimited one what has been sent.
    pub(in crate::tcp) fn taken(&self) -> u64 {
        let end = if self.send_buffer == ENDLESS { self.flight.snd_max } else { self.buffered() };
        self.bytes_before(end)
    }

    /// Bytes written.
    pub(in crate::tcp) fn written_bytes(&self) -> u64 {
        self.written - 1
    }

    /// Bytes that it still holds beside those written.
    pub(in crate::tcp) fn free(&self) -> u64 {
        (self.flight.snd_una.max(1) + self.send_buffer).saturating_sub(self.written)
    }

    /// Bytes written for which there is no room yet.
    pub(in crate::tcp) fn unbuffered(&self) -> u64 {
        self.written - self.buffered()
    }
}

//! The first end of a VC.

use super::nic::Nic;
use super::tap::Tap;
use crate::engine::Io;
use crate::pdu::{Frame, Packet};
use crate::result::Ledger;
use crate::units::Time;

/// The origin of a VC, which numbers its frames and counts its cells.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub(super) vc: u32,
    frames: u32,
    cells: u64,
}

impl Origin {
    /// Makes an origin that has sent nothing.
    pub fn new(vc: u32) -> Self {
        Self { vc, frames: 0, cells: 0 }
    }

    /// Counts a frame of `cells` and returns its number.
    #[inline]
    pub fn next_number(&mut self, cells: u32) -> u32 {
        self.cells += u64::from(cells);
        self.frames = self.frames.wrapping_add(1);
        self.frames
    }

    /// Sends a packet by its interface; `direction` is that of its frame.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub(super) fn send(
        &mut self,
        now: Time,
        direction: u32,
        packet: Packet,
        nic: &mut Nic,
        tap: Option<&Tap>,
        io: &mut Io,
    ) {
        let Packet { ip_bytes: bytes, segment } = packet;
        let cells = nic.cells_of(bytes);
        let number = self.next_number(cells);
        let frame = Frame { direction, number, cells, bytes, sent_at: now, segment };
        if let Some(tap) = tap {
            tap.note(now, frame, true, io);
        }
        nic.send_frame(now, self.vc, frame, io);
    }

    /// Reports the counter.
    pub fn report(&self, ledger: &mut Ledger) {
        ledger.vcs[self.vc as usize].sent = self.cells;
    }
}

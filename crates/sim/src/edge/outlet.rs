//! Where the packets of a flow go on from an edge.

use crate::engine::Io;
use crate::pdu::{Cell, CellHead, Frame};
use crate::result::Ledger;
use crate::units::Time;

/// The way on for one way of one flow.
#[derive(Clone, Copy, Debug)]
pub struct Outlet {
    /// Onto which link.
    pub exit: Exit,
    /// The VC that it goes on in.
    pub vc: u32,
    /// The place of that VC among those that begin here; `None`: its packets have only passed.
    pub beginning: Option<usize>,
}

/// What leads to the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// An interface that cuts packets into cells.
    Cells {
        /// Its place among the interfaces.
        nic: usize,
    },
    /// An output with a queue of packets.
    Packets {
        /// Its place among the outputs.
        port: usize,
        /// The VC's own place in that output's per-VC state.
        slot: u32,
    },
}

/// The first end of a VC.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    vc: u32,
    frames: u32,
    cells: u64,
}

impl Outlet {
    /// A packet as the frame that it is from here on.
    #[inline]
    pub(super) fn frame(&self, frame: Frame, cells: u32, beginnings: &mut [Beginning]) -> Frame {
        let begun = self.beginning.map(|place| beginnings[place].next_number(cells));
        Frame { number: begun.unwrap_or(frame.number), cells, ..frame }
    }

    /// A packet that stands before its output.
    #[inline]
    pub(super) fn packet(&self, at: Time, frame: Frame, io: &mut Io) -> Cell {
        Cell { at, head: CellHead::end_of_frame(self.vc, io.frames.insert(frame).0) }
    }
}

impl Beginning {
    /// Nothing sent yet.
    pub fn new(vc: u32) -> Self {
        Self { vc, frames: 0, cells: 0 }
    }

    fn next_number(&mut self, cells: u32) -> u32 {
        self.cells += u64::from(cells);
        self.frames = self.frames.wrapping_add(1);
        self.frames
    }

    pub(super) fn settle(&self, ledger: &mut Ledger) {
        ledger.vcs[self.vc as usize].sent = self.cells;
    }
}

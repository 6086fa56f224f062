//! The first end of a VC.

use crate::result::Ledger;

/// Where the frames of a VC are numbered and its cells counted.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    vc: u32,
    frames: u32,
    cells: u64,
}

impl Origin {
    /// Nothing sent yet.
    pub fn new(vc: u32) -> Self {
        Self { vc, frames: 0, cells: 0 }
    }

    /// Its VC.
    #[inline]
    pub fn vc(&self) -> u32 {
        self.vc
    }

    /// Counts a frame of `cells` and gives its number.
    #[inline]
    pub fn next_number(&mut self, cells: u32) -> u32 {
        self.cells += u64::from(cells);
        self.frames = self.frames.wrapping_add(1);
        self.frames
    }

    /// Reports the counter.
    pub fn report(&self, ledger: &mut Ledger) {
        ledger.vcs[self.vc as usize].sent = self.cells;
    }
}

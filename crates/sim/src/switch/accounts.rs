//! How many cells of each VC a queue holds. Kept only where something asks: every cell pays for it.

/// Occupancies by slot.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// Empty where none are kept.
    cells: Vec<u64>,
    active: u64,
}

impl Accounts {
    /// Of `vcs` virtual circuits.
    pub fn kept(vcs: usize) -> Self {
        Self { cells: vec![0; vcs], active: 0 }
    }

    /// Whether they are kept.
    #[inline]
    pub fn are_kept(&self) -> bool {
        !self.cells.is_empty()
    }

    /// Cells of the VC at `slot`.
    #[inline]
    pub fn of(&self, slot: u32) -> u64 {
        self.cells[slot as usize]
    }

    /// VCs with at least one cell.
    #[inline]
    pub fn active(&self) -> u64 {
        self.active
    }

    /// A cell of the VC at `slot` joins the queue.
    #[inline]
    pub fn admit(&mut self, slot: u32) {
        let cells = &mut self.cells[slot as usize];
        self.active += u64::from(*cells == 0);
        *cells += 1;
    }

    /// A cell of the VC at `slot` leaves it.
    #[inline]
    pub fn release(&mut self, slot: u32) {
        let cells = &mut self.cells[slot as usize];
        *cells -= 1;
        self.active -= u64::from(*cells == 0);
    }
}

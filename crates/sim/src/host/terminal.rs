//! Where a VC ends: its cells are counted, its frames put together, and its RM cells handed to the
//! other direction.

use crate::atm::{Reassembled, Reassembly};
use crate::pdu::{CellHead, Frame};
use crate::result::Ledger;

/// The end of a VC that comes in.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// The VC, by its number in the scenario.
    pub vc: u32,
    /// The connection that its segments go to; `None`: a sink of raw cells, or an edge, which
    /// passes them on.
    pub endpoint: Option<u32>,
    /// Of an ABR VC: where its other direction begins, interface and place there.
    other_way: Option<(u32, u32)>,
    reassembly: Reassembly,
    /// The EFCI of the last data cell (TM 4.0 destination rule 1).
    has_efci: bool,
    cells: u64,
    /// RM cells among them.
    rm_cells: u64,
    whole: u64,
    broken: u64,
}

impl Terminal {
    /// Nothing received yet.
    pub fn new(vc: u32, endpoint: Option<u32>, other_way: Option<(u32, u32)>) -> Self {
        Self {
            vc,
            endpoint,
            other_way,
            reassembly: Reassembly::default(),
            has_efci: false,
            cells: 0,
            rm_cells: 0,
            whole: 0,
            broken: 0,
        }
    }

    /// A cell that is not the last of its frame, or belongs to none.
    #[inline]
    pub fn on_body(&mut self, head: CellHead) {
        self.cells += 1;
        self.has_efci = head.has_efci();
        if !head.is_raw() {
            self.reassembly.on_body(head);
        }
    }

    /// The last cell of a frame, or a packet.
    #[inline]
    pub fn on_end(&mut self, head: CellHead, frame: &Frame) -> Reassembled {
        self.cells += 1;
        self.has_efci = head.has_efci();
        let reassembled = self.reassembly.on_end(head, frame);
        match reassembled {
            Reassembled::Whole => self.whole += 1,
            Reassembled::Broken => self.broken += 1,
        }
        reassembled
    }

    /// An RM cell; where the VC's other direction begins, and whether a congested switch was on the
    /// way of a forward one.
    #[inline]
    pub fn on_rm(&mut self, head: CellHead) -> (Option<(usize, usize)>, bool) {
        self.cells += 1;
        self.rm_cells += 1;
        (
            self.other_way.map(|(nic, place)| (nic as usize, place as usize)),
            !head.is_backward_rm() && std::mem::take(&mut self.has_efci),
        )
    }

    /// Reports the counters.
    pub fn settle(&self, ledger: &mut Ledger) {
        let vc = &mut ledger.vcs[self.vc as usize];
        vc.delivered = self.cells;
        vc.rm_delivered = self.rm_cells;
        vc.frames_delivered = self.whole;
        vc.frames_broken = self.broken;
    }
}

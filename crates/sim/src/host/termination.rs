//! Termination of a VC: its cells are counted, its frames reassembled, and its RM cells handed to
//! the other direction.

use std::sync::Arc;

use crate::atm::{Reassembled, Reassembly};
use crate::pdu::{Cell, CellHead, Frame};
use crate::result::Ledger;

/// The last end of a VC.
#[derive(Debug, Default)]
pub struct Termination {
    /// The VC, by its number in the scenario.
    pub vc: u32,
    /// The connection that its segments are for, or the sink of its datagrams; `None` for an
    /// external end, a sink of raw cells, or an edge, which forwards them.
    pub endpoint: Option<u32>,
    reassembly: Reassembly,
    /// State of an ABR VC; other VCs have none.
    abr: Option<Box<AbrEnd>>,
    cells: u64,
    whole: u64,
    broken: u64,
}

/// State of the last end of an ABR VC.
#[derive(Clone, Copy, Debug, Default)]
struct AbrEnd {
    /// Origin of the other direction: interface and place there.
    other_direction: (u32, u32),
    /// The EFCI of the last data cell (TM 4.0 destination rule 1).
    has_efci: bool,
    /// RM cells that have arrived.
    rm_cells: u64,
}

impl Termination {
    /// Makes a termination that has received nothing.
    pub fn new(vc: u32, endpoint: Option<u32>, other_direction: Option<(u32, u32)>) -> Self {
        let of_abr = |other_direction| AbrEnd { other_direction, ..AbrEnd::default() };
        let abr = other_direction.map(|there| Box::new(of_abr(there)));
        Self { vc, endpoint, abr, ..Self::default() }
    }

    /// Takes so many cells alike that are not the last of their frame, or belong to none.
    #[inline]
    pub fn on_body(&mut self, head: CellHead, count: u32) {
        self.cells += u64::from(count);
        self.note_efci(head);
        if !head.is_raw() {
            self.reassembly.on_body(head, count);
        }
    }

    /// Takes the last cell of a frame, or a packet.
    #[expect(clippy::inline_always, reason = "every frame")]
    #[inline(always)]
    pub fn on_end(&mut self, head: CellHead, frame: &mut Frame) -> Reassembled {
        self.cells += 1;
        self.note_efci(head);
        let reassembled = self.reassembly.on_end(head, frame);
        match reassembled {
            Reassembled::Whole => self.whole += 1,
            Reassembled::Broken => self.broken += 1,
        }
        reassembled
    }

    #[inline]
    fn note_efci(&mut self, head: CellHead) {
        if let Some(abr) = &mut self.abr {
            abr.has_efci = head.has_efci();
        }
    }

    /// Takes an RM cell; returns the origin of the VC's other direction, and true if a switch on
    /// the path of a forward one was congested.
    #[inline]
    pub fn on_rm(&mut self, head: CellHead) -> (Option<(usize, usize)>, bool) {
        self.cells += 1;
        let Some(abr) = &mut self.abr else { return (None, false) };
        abr.rm_cells += 1;
        let (nic, place) = abr.other_direction;
        let is_congested = !head.is_backward_rm() && std::mem::take(&mut abr.has_efci);
        (Some((nic as usize, place as usize)), is_congested)
    }

    /// Reports the counters.
    pub fn report(&self, ledger: &mut Ledger) {
        let vc = &mut ledger.vcs[self.vc as usize];
        vc.delivered = self.cells;
        vc.rm_delivered = self.abr.as_ref().map_or(0, |abr| abr.rm_cells);
        vc.frames_delivered = self.whole;
        vc.frames_broken = self.broken;
    }
}

/// All VCs that terminate at a node.
#[derive(Debug)]
pub struct Terminations {
    /// Index in `all` of the node where each VC terminates; shared by all nodes, since a VC
    /// terminates once.
    place_of_vc: Arc<[u32]>,
    all: Box<[Termination]>,
}

impl Terminations {
    /// Makes terminations that have received nothing.
    pub fn new(place_of_vc: Arc<[u32]>, all: Vec<Termination>) -> Self {
        Self { place_of_vc, all: all.into() }
    }

    /// The termination of a cell's VC, at a node where every arriving VC terminates.
    #[inline]
    pub fn of(&mut self, cell: Cell) -> &mut Termination {
        &mut self.all[self.place_of_vc[cell.head.vc() as usize] as usize]
    }

    /// The termination of a cell's VC, if there is one at this node.
    #[inline]
    pub fn find(&mut self, cell: Cell) -> Option<&mut Termination> {
        let vc = cell.head.vc();
        let place = self.place_of_vc[vc as usize] as usize;
        self.all.get_mut(place).filter(|termination| termination.vc == vc)
    }

    /// Reports the counters.
    pub fn report(&self, ledger: &mut Ledger) {
        self.all.iter().for_each(|termination| termination.report(ledger));
    }
}

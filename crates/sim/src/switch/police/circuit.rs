//! One direction of a GFR VC at the first switch.
//!
//! A cell conforms (TM 4.1) if it passes GCRA(1/PCR, CDVT), has the CLP of the first cell of its frame and is not beyond MFS. What becomes
//! of it, becomes of its frame: a frame is tagged at its first cell or not at all, and is discarded at its first cell whole, or from a later
//! one on but for its last cell, which keeps it apart from the next. F-GCRA sees a frame after that: one tagged here comes to it with CLP = 1,
//! one that is discarded does not come to it.

use crate::atm::gfr::{FrameGcra, Gcra, Marker};
use crate::engine::{Cell, CellHead};
use crate::result::{Cause, GfrCounters};

/// What happens to cells that do not conform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonConforming {
    /// They are counted.
    Pass,
    /// A frame that begins with one gets CLP = 1.
    Tag,
    /// They go, and the frame with them.
    Discard,
}

/// What a direction is tested for.
#[derive(Clone, Debug)]
pub struct CircuitPlan {
    /// Of PCR.
    pub peak: Gcra,
    /// Cells of the longest frame.
    pub mfs: u64,
    /// What becomes of cells that do not conform.
    pub non_conforming: NonConforming,
    /// Of MCR.
    pub guarantee: FrameGcra,
    /// Whether frames that are not eligible get CLP = 1.
    pub tags_excess: bool,
    /// Sets the CLP of every frame, if there is one.
    pub marker: Option<Marker>,
}

#[derive(Debug)]
pub(super) struct Circuit {
    plan: CircuitPlan,
    /// Of the present frame that have come; 0: the next cell is a first one.
    cells: u64,
    /// Of the first cell as it came.
    is_low_priority: bool,
    is_tagged: bool,
    fate: Fate,
    counters: GfrCounters,
}

/// What becomes of the present frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Passes,
    /// All of it goes.
    Refused,
    /// The rest goes but for the last cell.
    Spoilt,
}

/// What becomes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It goes on with this head.
    Pass(CellHead),
    /// It is gone.
    Discard,
}

impl Circuit {
    pub(super) fn new(plan: CircuitPlan) -> Self {
        let (fate, counters) = (Fate::Passes, GfrCounters::default());
        Self { plan, cells: 0, is_low_priority: false, is_tagged: false, fate, counters }
    }

    pub(super) fn on_cell(&mut self, cell: Cell) -> Verdict {
        if let Some(marker) = &mut self.plan.marker {
            marker.on_cell(cell.at);
        }
        let is_first = self.cells == 0;
        if is_first {
            self.is_low_priority = cell.head.is_low_priority();
        }
        self.cells += 1;
        let conforms = self.conforms(cell);
        self.counters.non_conforming_cells += u64::from(!conforms);
        if is_first {
            self.judge(cell, conforms);
        } else if !conforms
            && self.plan.non_conforming == NonConforming::Discard
            && self.fate != Fate::Refused
        {
            self.fate = Fate::Spoilt;
        }
        let is_last = cell.head.is_end_of_frame();
        if is_last {
            self.cells = 0;
        }
        self.verdict(cell, is_first, is_last)
    }

    fn conforms(&mut self, cell: Cell) -> bool {
        let is_slow_enough = self.plan.peak.on_cell(cell.at);
        is_slow_enough && cell.head.is_low_priority() == self.is_low_priority && self.cells <= self.plan.mfs
    }

    /// The first cell of a frame decides on all.
    fn judge(&mut self, first: Cell, conforms: bool) {
        self.counters.frames += 1;
        if !conforms && self.plan.non_conforming == NonConforming::Discard {
            self.fate = Fate::Refused;
            return;
        }
        let is_low = self.is_low_priority || (!conforms && self.plan.non_conforming == NonConforming::Tag);
        let is_eligible = self.plan.guarantee.on_first(first.at, is_low);
        let is_excess = match &mut self.plan.marker {
            Some(marker) => !marker.marks(),
            None => self.plan.tags_excess && !is_eligible,
        };
        self.is_tagged = (is_low || is_excess) && !self.is_low_priority;
        self.counters.eligible_frames += u64::from(is_eligible);
        self.counters.tagged_frames += u64::from(self.is_tagged);
        self.fate = Fate::Passes;
    }

    fn verdict(&mut self, cell: Cell, is_first: bool, is_last: bool) -> Verdict {
        let cause = match self.fate {
            Fate::Refused => Cause::EarlyFrame,
            Fate::Spoilt if !is_last => Cause::PartialFrame,
            Fate::Passes | Fate::Spoilt => {
                if !is_first {
                    self.plan.guarantee.on_later(cell.at);
                }
                return Verdict::Pass(if self.is_tagged { cell.head.with_low_priority() } else { cell.head });
            }
        };
        self.counters.drops.count(cause);
        Verdict::Discard
    }

    pub(super) fn counters(&self) -> GfrCounters {
        let probability = self.plan.marker.as_ref().map(Marker::probability);
        GfrCounters { mark_probability: probability, ..self.counters }
    }
}

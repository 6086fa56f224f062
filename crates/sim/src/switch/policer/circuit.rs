//! One direction of a GFR VC at the first switch.
//!
//! A cell conforms (TM 4.1) if it passes GCRA(1/PCR, CDVT), has the CLP of the first cell of its
//! frame, and either is the last cell of the frame or has fewer than MFS - 1 cells of it before: a
//! frame is known to be too long at its cell MFS. Frames are treated as a whole: a frame is tagged
//! at its first cell or not at all. It is discarded whole at its first cell, or from a later one on
//! except its last cell, which separates it from the next. F-GCRA sees a frame after that: one that
//! is tagged here has CLP = 1 there, one that is discarded does not reach it.

use crate::atm::gfr::{FrameGcra, Gcra, Marker};
use crate::language::part::prelude::*;
use crate::pdu::{Cell, CellHead, Train};
use crate::result::{Cause, GfrCounters};

variants! {
    /// Action on cells that do not conform.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NonConforming {
        /// Cells are counted and pass.
        Pass = "pass",
        /// A frame whose first cell does not conform gets CLP = 1 in all cells.
        Tag = "tag",
        /// A frame whose first cell does not conform is discarded whole; from a later such cell on,
        /// all but the last.
        Discard = "discard",
    }
}

/// Tests of one direction, and their actions.
#[derive(Clone, Debug)]
pub struct CircuitPlan {
    /// Test of PCR.
    pub peak: Gcra,
    /// Cells of the longest frame.
    pub mfs: u64,
    /// Action on cells that do not conform.
    pub non_conforming: NonConforming,
    /// Test of MCR.
    pub guarantee: FrameGcra,
    /// True if frames that are not eligible get CLP = 1.
    pub tags_excess: bool,
    /// Sets the CLP of every frame, if there is one.
    pub marker: Option<Marker>,
}

#[derive(Debug)]
pub(super) struct Circuit {
    plan: CircuitPlan,
    /// Cells of the present frame that have arrived; 0: the next cell is a first one.
    cells: u64,
    /// CLP of the first cell as it arrived.
    is_low_priority: bool,
    is_tagged: bool,
    fate: Fate,
    counters: GfrCounters,
}

/// Fate of the present frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Passes,
    /// All of it is discarded.
    Refused,
    /// The rest is discarded except the last cell.
    Spoilt,
}

impl Circuit {
    pub(super) fn new(plan: CircuitPlan) -> Self {
        let (fate, counters) = (Fate::Passes, GfrCounters::default());
        Self { plan, cells: 0, is_low_priority: false, is_tagged: false, fate, counters }
    }

    /// Head with which a cell is accepted; `None` if it is discarded.
    pub(super) fn on_cell(&mut self, cell: Cell) -> Option<CellHead> {
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
        self.accepted(cell, is_first, is_last)
    }

    /// Number of cells, from the first one of the train on, that are inside a frame and pass
    /// without a test of each: the first conforms, and no later one comes sooner after it.
    #[inline]
    pub(super) fn alike(&self, train: &Train) -> u32 {
        let head = train.first.head;
        let is_inside = self.cells > 0
            && self.fate == Fate::Passes
            && head.is_body()
            && head.is_low_priority() == self.is_low_priority;
        let peak = &self.plan.peak;
        if !is_inside
            || self.plan.marker.is_some()
            || !peak.drains_within(train.gap)
            || !peak.conforms(train.first.at)
        {
            return 0;
        }
        let room = self.plan.mfs.saturating_sub(self.cells + 1);
        u64::from(train.count - u32::from(train.end().is_some())).min(room) as u32
    }

    /// Head with which cells are accepted that are all [alike](Self::alike).
    #[inline]
    pub(super) fn on_alike(&mut self, train: &Train) -> CellHead {
        let (first, gap, count) = (train.first.at, train.gap, train.count);
        self.cells += u64::from(count);
        self.plan.peak.take_all(first, gap, count);
        self.plan.guarantee.on_later_ones(first, gap, count);
        self.passed(train.first.head)
    }

    /// Head of a cell that passes.
    fn passed(&self, head: CellHead) -> CellHead {
        if self.is_tagged { head.with_low_priority() } else { head }
    }

    fn conforms(&mut self, cell: Cell) -> bool {
        let is_slow_enough = self.plan.peak.on_cell(cell.at);
        let fits = cell.head.is_end_of_frame() || self.cells < self.plan.mfs;
        is_slow_enough && cell.head.is_low_priority() == self.is_low_priority && fits
    }

    /// Judges a frame by its first cell.
    fn judge(&mut self, first: Cell, conforms: bool) {
        self.counters.frames += 1;
        if !conforms && self.plan.non_conforming == NonConforming::Discard {
            self.fate = Fate::Refused;
            return;
        }
        let is_low =
            self.is_low_priority || (!conforms && self.plan.non_conforming == NonConforming::Tag);
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

    fn accepted(&mut self, cell: Cell, is_first: bool, is_last: bool) -> Option<CellHead> {
        let cause = match self.fate {
            Fate::Refused => Cause::EarlyFrame,
            Fate::Spoilt if !is_last => Cause::PartialFrame,
            Fate::Passes | Fate::Spoilt => {
                if !is_first {
                    self.plan.guarantee.on_later(cell.at);
                }
                return Some(self.passed(cell.head));
            }
        };
        self.counters.drops.count(cause);
        None
    }

    pub(super) fn counters(&self) -> GfrCounters {
        let probability = self.plan.marker.as_ref().map(Marker::probability);
        GfrCounters { mark_probability: probability, ..self.counters }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;
    use crate::pdu::ContentId;
    use crate::units::{Rate, Span, Time};
    use proptest::prelude::*;

    /// PCR: a cell every 10 us. MCR is half of it, and a burst of two frames of at most four cells
    /// is within it.
    fn plan(non_conforming: NonConforming, tags_excess: bool) -> CircuitPlan {
        let [mcr, pcr] = [21_200_000, 42_400_000].map(Rate::from_bits_per_second);
        CircuitPlan {
            peak: Gcra::new(pcr, Span::ZERO),
            mfs: 4,
            non_conforming,
            guarantee: FrameGcra::new(mcr, pcr, 8, Span::ZERO),
            tags_excess,
            marker: None,
        }
    }

    /// Fates of frames of these lengths, one cell every `spacing_us`: a digit is the CLP of an
    /// accepted cell, `-` a discarded one.
    fn fates(circuit: &mut Circuit, spacing_us: i64, frames: &[usize]) -> Vec<String> {
        let mut cells = 0;
        let mut fate = |is_last: bool| {
            let head = if is_last { CellHead::end_of_frame(0, 0) } else { CellHead::body(0, 0) };
            let at = Time::ZERO + Span::from_microseconds(spacing_us * cells);
            cells += 1;
            match circuit.on_cell(Cell { at, head }) {
                Some(head) => {
                    if head.is_low_priority() {
                        '1'
                    } else {
                        '0'
                    }
                }
                None => '-',
            }
        };
        frames
            .iter()
            .map(|&length| (1..=length).map(|cell| fate(cell == length)).collect())
            .collect()
    }

    /// At PCR: two frames are the burst. The third finds 8(20 - 10) us in a bucket of 7(20 - 10)
    /// us, the fourth 40 us less.
    #[test]
    fn frames_beyond_the_guarantee_are_tagged_whole() {
        let mut circuit = Circuit::new(plan(NonConforming::Pass, true));
        assert_eq!(
            fates(&mut circuit, 10, &[4; 6]),
            ["0000", "0000", "1111", "0000", "1111", "0000"]
        );
        let counters = circuit.counters();
        assert_eq!((counters.frames, counters.eligible_frames, counters.tagged_frames), (6, 4, 2));
        assert_eq!((counters.non_conforming_cells, counters.drops.total()), (0, 0));
    }

    #[test]
    fn without_tagging_the_same_frames_are_only_counted() {
        let mut circuit = Circuit::new(plan(NonConforming::Pass, false));
        assert_eq!(fates(&mut circuit, 10, &[4; 6]), ["0000"; 6]);
        assert_eq!((circuit.counters().eligible_frames, circuit.counters().tagged_frames), (4, 0));
    }

    /// MFS is known to be exceeded at the fourth cell if it is not the last: the rest of the frame
    /// is discarded except its last cell, which ends it and conforms.
    #[test]
    fn of_a_frame_that_is_too_long_the_rest_goes_but_the_last_cell() {
        let mut circuit = Circuit::new(plan(NonConforming::Discard, false));
        assert_eq!(fates(&mut circuit, 40, &[7, 4, 5]), ["000---0", "0000", "000-0"]);
        let counters = circuit.counters();
        assert_eq!((counters.non_conforming_cells, counters.drops.partial_frame), (4, 4));
    }

    /// At twice PCR every second cell conforms: the frame is cut from its second cell on, and one
    /// whose first cell does not conform is discarded whole.
    #[test]
    fn above_the_peak_rate_frames_go_whole_or_from_there_on() {
        let mut circuit = Circuit::new(plan(NonConforming::Discard, false));
        assert_eq!(fates(&mut circuit, 5, &[4, 3, 3]), ["0--0", "0-0", "---"]);
        assert_eq!(
            (circuit.counters().drops.early_frame, circuit.counters().drops.partial_frame),
            (3, 3)
        );
    }

    #[test]
    fn a_frame_that_begins_above_the_peak_rate_is_tagged_whole() {
        let mut circuit = Circuit::new(plan(NonConforming::Tag, false));
        assert_eq!(fates(&mut circuit, 5, &[4, 3, 3]), ["0000", "000", "111"]);
        let counters = circuit.counters();
        // The tagged frame is not eligible, whatever its bucket holds.
        assert_eq!(
            (counters.eligible_frames, counters.tagged_frames, counters.non_conforming_cells),
            (2, 1, 5)
        );
    }

    /// The circuit takes trains whose cells are alike at once, as it takes them one by one.
    fn compare(mut circuit: CircuitPlan, pieces: &[(i64, i64, u32, bool, bool)]) -> u32 {
        circuit.peak =
            Gcra::new(Rate::from_bits_per_second(42_400_000), Span::from_microseconds(4));
        let [mut one, mut other] = [circuit.clone(), circuit].map(Circuit::new);
        let (mut at, mut at_once) = (Time::ZERO, 0);
        for &(after, gap, count, is_ended, is_low) in pieces {
            at += Span::from_microseconds(after);
            let body = CellHead::body(0, 0);
            let body = if is_low { body.with_low_priority() } else { body };
            let mut train = if is_ended {
                Train::frame(at, body, count, body.ending(ContentId(0)))
            } else {
                Train::new(Cell { at, head: body }, Span::ZERO, count)
            };
            train.gap = Span::from_microseconds(gap);
            let expected: Vec<_> = train.cells().map(|cell| one.on_cell(cell)).collect();
            let mut heads = Vec::new();
            at = train.last();
            while train.count > 0 {
                let alike = other.alike(&train);
                let next = train.split(alike.max(1));
                if alike == 0 {
                    heads.push(other.on_cell(next.first));
                    continue;
                }
                at_once += alike;
                let head = other.on_alike(&next);
                heads.extend((0..alike).map(|_| Some(head)));
            }
            assert_eq!(heads, expected);
            assert_eq!(one.counters(), other.counters());
        }
        at_once
    }

    proptest! {
        #[test]
        fn a_train_fares_as_its_cells(
            pieces in prop::collection::vec(
                (1_i64..60, 8_i64..14, 1_u32..9, any::<bool>(), prop::bool::weighted(0.1)), 1..30
            ),
            (action, tags_excess, mfs) in (0_usize..3, any::<bool>(), 1_u64..12),
        ) {
            let actions = [NonConforming::Pass, NonConforming::Tag, NonConforming::Discard];
            compare(CircuitPlan { mfs, ..plan(actions[action], tags_excess) }, &pieces);
        }
    }

    /// The first and the last cell of a frame of 8 at PCR are tested alone.
    #[test]
    fn cells_inside_a_frame_pass_at_once() {
        let circuit = CircuitPlan { mfs: 8, ..plan(NonConforming::Discard, true) };
        assert_eq!(compare(circuit, &[(100, 10, 8, true, false); 3]), 3 * 6);
    }

    /// A cell whose CLP differs from that of the first one does not conform (TM 4.1).
    #[test]
    fn the_loss_priority_is_the_same_in_all_cells_of_a_frame() {
        let mut circuit = Circuit::new(plan(NonConforming::Pass, false));
        let at = |us| Time::ZERO + Span::from_microseconds(us);
        circuit.on_cell(Cell { at: at(0), head: CellHead::body(0, 0).with_low_priority() });
        circuit.on_cell(Cell { at: at(10), head: CellHead::body(0, 0) });
        circuit
            .on_cell(Cell { at: at(20), head: CellHead::end_of_frame(0, 0).with_low_priority() });
        assert_eq!(
            (circuit.counters().non_conforming_cells, circuit.counters().eligible_frames),
            (1, 0)
        );
    }

    /// A marker that has seen no interval marks nothing, whatever the F-GCRA says, and one at p = 1
    /// everything.
    #[test]
    fn a_marker_sets_the_priority_of_whole_frames_by_itself() {
        let marker = |interval_us| {
            let target = Rate::from_bits_per_second(42_400_000);
            Marker::new(target, Span::from_microseconds(interval_us), 1.0, Stream::new(1, "marker"))
        };
        let marked_by = |marker| {
            Circuit::new(CircuitPlan { marker: Some(marker), ..plan(NonConforming::Pass, true) })
        };
        assert_eq!(fates(&mut marked_by(marker(1_000_000)), 10, &[4; 3]), ["1111"; 3]);
        // Intervals of 10 us: two without a cell before the second one comes, each a step of 1.
        let late = fates(&mut marked_by(marker(10)), 30, &[1, 4, 4]);
        assert_eq!(late, ["1", "0000", "0000"]);
    }
}

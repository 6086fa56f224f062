//! Places where packets of observed flows are lost.
//!
//! A packet is lost where the earliest of its cells is. Nodes take turns, so a later loss may be
//! reported before an earlier one. Only the last cell of a frame tells the flow: the place of
//! another cell is kept until the last one is lost too, or arrives at the end of the VC.

use std::collections::{BTreeMap, BTreeSet};

use super::{Frames, LinkId};
use crate::pdu::{Cell, ContentId, Frame};
use crate::units::Time;

/// Component that loses a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The buffer of an output port, by index among all.
    Port(u32),
    /// The policer of a first switch.
    Policer,
    /// An impairment of a link.
    Link(LinkId),
    /// The end of a VC: it arrived with bit errors, mixed with another, or without cells that its
    /// source had no room for.
    Reassembly,
}

/// A packet that does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Time of the loss.
    pub at: Time,
    /// Place of the loss.
    pub place: Place,
    /// Direction of the flow, as [`Frame::direction`].
    pub direction: u32,
    /// Sequence number of the first byte.
    pub seq: u64,
}

/// The losses of some directions of flows.
#[derive(Debug)]
pub struct Losses {
    directions: BTreeSet<u32>,
    vcs: BTreeSet<u32>,
    window: (Time, Time),
    limit: usize,
    /// Earliest loss of each frame whose last cell is on its way, by VC and number of the frame.
    unresolved: BTreeMap<(u32, u32), (Time, Place)>,
    /// Index in `found` of frames of several cells, by the same key.
    resolved: BTreeMap<(u32, u32), usize>,
    found: Vec<Loss>,
}

impl Losses {
    /// Observes these directions, which travel in these VCs, from the first instant of `window` to
    /// before the second. Records at most `limit` losses.
    pub fn new(
        directions: BTreeSet<u32>,
        vcs: BTreeSet<u32>,
        window: (Time, Time),
        limit: usize,
    ) -> Self {
        let (unresolved, resolved) = (BTreeMap::new(), BTreeMap::new());
        Self { directions, vcs, window, limit, unresolved, resolved, found: Vec::new() }
    }

    /// A cell or packet is lost.
    pub(super) fn on_lost(&mut self, cell: Cell, place: Place, frames: &Frames) {
        let (vc, head) = (cell.head.vc(), cell.head);
        if head.is_raw() || !self.vcs.contains(&vc) {
            return;
        }
        if head.is_end_of_frame() {
            let frame = *frames.look(ContentId(head.tag()));
            self.resolve(vc, &frame, (cell.at, place));
        } else {
            self.note_body((vc, head.tag()), (cell.at, place));
        }
    }

    fn note_body(&mut self, of: (u32, u32), lost: (Time, Place)) {
        if let Some(&index) = self.resolved.get(&of) {
            let found = &mut self.found[index];
            (found.at, found.place) = lost.min((found.at, found.place));
        } else if self.unresolved.len() < self.limit {
            let first = self.unresolved.entry(of).or_insert(lost);
            *first = lost.min(*first);
        }
    }

    /// The last cell of a frame has arrived at the end of its VC, and the frame is broken.
    pub(super) fn on_broken(&mut self, cell: Cell, frame: &Frame) {
        if self.vcs.contains(&cell.head.vc()) {
            self.resolve(cell.head.vc(), frame, (cell.at, Place::Reassembly));
        }
    }

    fn resolve(&mut self, vc: u32, frame: &Frame, here: (Time, Place)) {
        let of = (vc, frame.number);
        let earlier = self.unresolved.remove(&of);
        let (at, place) = earlier.map_or(here, |earlier| earlier.min(here));
        let is_observed = self.directions.contains(&frame.direction) && frame.segment.len > 0;
        if is_observed && at >= self.window.0 && self.found.len() < self.limit {
            let Frame { direction, segment, .. } = *frame;
            if frame.cells > 1 {
                self.resolved.insert(of, self.found.len());
            }
            self.found.push(Loss { at, place, direction, seq: segment.seq });
        }
    }

    /// Losses that were found, in order of time.
    pub fn finish(mut self) -> Vec<Loss> {
        let (from, until) = self.window;
        self.found.retain(|loss| from <= loss.at && loss.at < until);
        self.found.sort_by_key(|loss| (loss.at, loss.direction, loss.seq));
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{CellHead, Segment};

    const VC: u32 = 4;

    fn at(picoseconds: i64) -> Time {
        Time::from_picoseconds(picoseconds)
    }

    fn frame(number: u32) -> Frame {
        let segment = Segment { seq: 100 * u64::from(number), len: 100, ..Segment::default() };
        Frame { direction: 2, number, cells: 3, bytes: 140, sent_at: at(0), segment }
    }

    fn losses() -> Losses {
        Losses::new(BTreeSet::from([2]), BTreeSet::from([VC]), (at(0), at(1000)), 16)
    }

    fn body(instant: i64, number: u32) -> Cell {
        Cell { at: at(instant), head: CellHead::body(VC, number) }
    }

    /// The first cell of frame 1 is lost at a port, the last one on a link; of frame 2 one in the
    /// middle alone; of frame 3 none, but it is mixed with another.
    #[test]
    fn a_packet_is_lost_where_its_first_cell_is() {
        let (mut losses, mut frames) = (losses(), Frames::default());
        let end = |frames: &mut Frames, number| frames.insert(frame(number)).0;
        losses.on_lost(body(10, 1), Place::Port(7), &frames);
        losses.on_lost(body(11, 2), Place::Port(8), &frames);
        let last = CellHead::end_of_frame(VC, end(&mut frames, 1));
        losses.on_lost(Cell { at: at(20), head: last }, Place::Link(LinkId(3)), &frames);
        for number in [2, 3] {
            let last = CellHead::end_of_frame(VC, end(&mut frames, number));
            losses.on_broken(Cell { at: at(30), head: last }, &frame(number));
        }
        let found: Vec<(i64, u64, Place)> = losses
            .finish()
            .iter()
            .map(|loss| (loss.at.picoseconds(), loss.seq, loss.place))
            .collect();
        let expected =
            [(10, 100, Place::Port(7)), (11, 200, Place::Port(8)), (30, 300, Place::Reassembly)];
        assert_eq!(found, expected);
    }

    /// The switch that loses the last cell has its turn before the next one loses an earlier cell.
    #[test]
    fn the_first_loss_counts_whenever_it_is_heard_of() {
        let (mut losses, mut frames) = (losses(), Frames::default());
        let last = CellHead::end_of_frame(VC, frames.insert(frame(1)).0);
        losses.on_lost(body(18, 1), Place::Port(7), &frames);
        losses.on_lost(Cell { at: at(20), head: last }, Place::Port(7), &frames);
        losses.on_lost(body(12, 1), Place::Port(9), &frames);
        losses.on_lost(body(15, 1), Place::Port(9), &frames);
        let found = losses.finish();
        assert_eq!((found.len(), found[0].at, found[0].place), (1, at(12), Place::Port(9)));
    }

    #[test]
    fn other_circuits_and_directions_do_not_count() {
        let (mut losses, mut frames) = (losses(), Frames::default());
        let other = Frame { direction: 3, ..frame(1) };
        let last = CellHead::end_of_frame(VC, frames.insert(other).0);
        losses.on_lost(Cell { at: at(5), head: last }, Place::Policer, &frames);
        let last = CellHead::end_of_frame(VC + 1, frames.insert(frame(1)).0);
        losses.on_lost(Cell { at: at(5), head: last }, Place::Policer, &frames);
        assert!(losses.finish().is_empty());
    }
}

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
    /// The input queue of a host.
    Input,
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
#[derive(Debug, Default)]
pub struct Losses {
    directions: BTreeSet<u32>,
    vcs: BTreeSet<u32>,
    window: (Time, Time),
    limit: usize,
    /// True if packets without data count.
    counts_all: bool,
    /// Earliest loss of each frame whose last cell is on its way.
    unresolved: BTreeMap<FrameKey, (Time, Place)>,
    /// Place in `found` of frames of several cells; `None` once it is taken.
    resolved: BTreeMap<FrameKey, Option<u64>>,
    /// Losses that are not taken, by order of discovery.
    found: BTreeMap<u64, (FrameKey, Loss)>,
    /// Losses discovered so far.
    discovered: u64,
}

/// A VC, and the number of a frame in it.
type FrameKey = (u32, u32);

impl Losses {
    /// Observes these directions, which travel in these VCs, from the first instant of `window` to
    /// before the second. Records at most `limit` losses.
    pub fn new(
        directions: BTreeSet<u32>,
        vcs: BTreeSet<u32>,
        window: (Time, Time),
        limit: usize,
    ) -> Self {
        Self { directions, vcs, window, limit, ..Self::default() }
    }

    /// Observes packets without data, too.
    #[must_use]
    pub fn of_all_packets(self) -> Self {
        Self { counts_all: true, ..self }
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
        if let Some(place) = self.resolved.get(&of) {
            let found = place.and_then(|place| self.found.get_mut(&place));
            if let Some((_, found)) = found {
                (found.at, found.place) = lost.min((found.at, found.place));
            }
        } else if self.unresolved.len() < self.limit {
            let first = self.unresolved.entry(of).or_insert(lost);
            *first = lost.min(*first);
        }
    }

    /// The last cell of a frame has arrived at the end of its VC, where the frame is lost.
    pub(super) fn on_end(&mut self, cell: Cell, frame: &Frame, place: Place) {
        if self.vcs.contains(&cell.head.vc()) {
            self.resolve(cell.head.vc(), frame, (cell.at, place));
        }
    }

    fn resolve(&mut self, vc: u32, frame: &Frame, here: (Time, Place)) {
        let of = (vc, frame.number);
        let earlier = self.unresolved.remove(&of);
        let (at, place) = earlier.map_or(here, |earlier| earlier.min(here));
        let counts = self.counts_all || frame.segment.len > 0;
        let is_observed = self.directions.contains(&frame.direction) && counts;
        if is_observed && at >= self.window.0 && self.found.len() < self.limit {
            let Frame { direction, segment, .. } = *frame;
            if frame.cells > 1 {
                self.resolved.insert(of, Some(self.discovered));
            }
            let loss = Loss { at, place, direction, seq: segment.seq };
            self.found.insert(self.discovered, (of, loss));
            self.discovered += 1;
        }
    }

    /// A frame has arrived at the end of its VC: nothing more can be heard of earlier ones.
    pub(super) fn on_arrived(&mut self, vc: u32, number: u32) {
        let earlier = (vc, 0)..(vc, number);
        while let Some((&key, _)) = self.resolved.range(earlier.clone()).next() {
            self.resolved.remove(&key);
        }
        while let Some((&key, _)) = self.unresolved.range(earlier.clone()).next() {
            self.unresolved.remove(&key);
        }
    }

    /// Takes the losses before `until`, in order of time. Everything before it must be done.
    pub fn take(&mut self, until: Time) -> Vec<Loss> {
        let is_due = |(_, (_, loss)): &(&u64, &(FrameKey, Loss))| loss.at < until;
        let due: Vec<u64> = self.found.iter().filter(is_due).map(|(place, _)| *place).collect();
        let taken = due.iter().filter_map(|place| self.found.remove(place));
        let mut losses = Vec::with_capacity(due.len());
        for (key, loss) in taken {
            if let Some(place) = self.resolved.get_mut(&key) {
                *place = None;
            }
            losses.push(loss);
        }
        losses.sort_by_key(|loss| (loss.at, loss.direction, loss.seq));
        losses
    }

    /// Losses that were found, in order of time.
    pub fn finish(mut self) -> Vec<Loss> {
        let (from, until) = self.window;
        let mut found = self.take(until);
        found.retain(|loss| from <= loss.at);
        found
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
            losses.on_end(Cell { at: at(30), head: last }, &frame(number), Place::Reassembly);
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

    /// A driver takes the loss of frame 1 before an earlier cell of it is lost further on. What is
    /// kept of a frame is forgotten when a later one arrives.
    #[test]
    fn a_loss_is_taken_once_and_then_forgotten() {
        let (mut losses, mut frames) = (losses(), Frames::default());
        let last = CellHead::end_of_frame(VC, frames.insert(frame(1)).0);
        losses.on_lost(Cell { at: at(20), head: last }, Place::Port(7), &frames);
        assert_eq!(losses.take(at(20)), []);
        assert_eq!(losses.take(at(21)).len(), 1);
        losses.on_lost(body(25, 1), Place::Port(9), &frames);
        losses.on_lost(body(26, 2), Place::Port(9), &frames);
        assert_eq!((losses.take(at(30)), losses.unresolved.len()), (Vec::new(), 1));
        losses.on_arrived(VC, 2);
        assert_eq!((losses.unresolved.len(), losses.resolved.len()), (1, 0));
        losses.on_arrived(VC, 3);
        assert_eq!(losses.unresolved.len(), 0);
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

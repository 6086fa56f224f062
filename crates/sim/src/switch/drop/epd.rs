//! Early packet discard (Romanow, Floyd: "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995).
//!
//! A frame whose first cell finds more than `threshold` cells in the buffer goes whole, last cell included; a frame once
//! admitted is kept, and if the buffer overflows all the same the rest of it goes as in [`Ppd`](super::Ppd).
//! Parameter: `threshold`, cells, compared with what is in the buffer that the frame would go to: its VC's, its port's or
//! the switch's. Equal case: occupancy = threshold admits the frame.

use super::{DropPolicy, QueueState, Verdict};
use crate::engine::CellHead;
use crate::result::Cause;

/// Early packet discard.
#[derive(Clone, Debug)]
pub struct Epd {
    threshold: u64,
    /// By slot.
    frames: Vec<FrameState>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameState {
    /// The next cell is the first of a frame.
    Between,
    Admitted,
    Refused,
    Spoilt,
}

impl Epd {
    /// For `vcs` virtual circuits; no new frame is admitted above `threshold` cells.
    pub fn new(threshold: u64, vcs: usize) -> Self {
        Self { threshold, frames: vec![FrameState::Between; vcs] }
    }
}

impl DropPolicy for Epd {
    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState) -> Verdict {
        let state = &mut self.frames[queue.slot as usize];
        if *state == FrameState::Between {
            let is_early = queue.occupancy > self.threshold;
            *state = if is_early { FrameState::Refused } else { FrameState::Admitted };
        }
        let now = *state;
        if head.is_end_of_frame() {
            *state = FrameState::Between;
        } else if now == FrameState::Admitted && !queue.has_room {
            *state = FrameState::Spoilt;
        }
        match now {
            FrameState::Refused => Verdict::Discard(Cause::EarlyFrame),
            FrameState::Spoilt if !head.is_end_of_frame() => Verdict::Discard(Cause::PartialFrame),
            _ if queue.has_room => Verdict::Accept,
            _ => Verdict::Discard(Cause::Overflow),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(cells: &[(&str, u64, bool)]) -> String {
        let mut policy = Epd::new(10, 1);
        let answer = |&(kind, occupancy, has_room): &(&str, u64, bool)| {
            let head = if kind == "last" { CellHead::end_of_frame(0, 0) } else { CellHead::body(0, 0) };
            match policy.on_arrival(head, &QueueState { occupancy, has_room, slot: 0 }) {
                Verdict::Accept => 'a',
                Verdict::Discard(Cause::Overflow) => 'o',
                Verdict::Discard(Cause::PartialFrame) => 'p',
                Verdict::Discard(Cause::EarlyFrame) => 'e',
            }
        };
        cells.iter().map(answer).collect()
    }

    #[test]
    fn a_frame_is_judged_at_its_first_cell() {
        let admitted = [("body", 10, true), ("body", 11, true), ("last", 12, true)];
        let refused = [("body", 11, true), ("body", 3, true), ("last", 3, true), ("body", 3, true)];
        assert_eq!(verdicts(&admitted), "aaa");
        assert_eq!(verdicts(&refused), "eeea");
    }

    #[test]
    fn overflow_inside_an_admitted_frame_spoils_the_rest() {
        let frame = [("body", 9, true), ("body", 20, false), ("body", 9, true), ("last", 9, true)];
        assert_eq!(verdicts(&frame), "aopa");
    }

    #[test]
    fn a_frame_of_one_cell_is_judged_too() {
        assert_eq!(verdicts(&[("last", 11, true), ("last", 10, true)]), "ea");
    }
}

//! Whole frames: the answer that a rule gives for the first cell of a frame holds for all of them.
//!
//! A frame that is refused at its first cell is discarded whole, last cell included, so nothing of
//! it is left to be glued to the next. A frame once admitted is kept; if the buffer overflows all
//! the same, the rest of it is discarded except the last cell, as in [`Ppd`](super::Ppd). Raw cells
//! belong to no frame and are lost exactly when the buffer is full.
//!
//! A rule that judges frames as they leave decides by the first cell, too. What it refuses there
//! was in the buffer, and what follows in its frame is still admitted by the rule for arrivals.

use super::{Departure, Dequeue, DropPolicy, Needs, QueueState, Rule, Tail, Verdict};
use crate::pdu::CellHead;
use crate::result::Cause;

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It is accepted.
    Admit,
    /// It is accepted, and all its cells are [marked](Verdict::Mark).
    Mark,
    /// It is discarded whole.
    Refuse,
}

impl Admission {
    /// Admitted or refused.
    #[inline]
    pub fn when(is_admitted: bool) -> Self {
        if is_admitted { Self::Admit } else { Self::Refuse }
    }
}

/// A rule that judges frames by their first cells.
pub trait FrameRule: std::fmt::Debug {
    /// What it asks of its queue.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Frames that find no more than this in the buffer are all admitted, and the rule reads
    /// nothing else of the queue. Zero of one that is not so simple.
    fn admits_up_to(&self) -> u64 {
        0
    }

    /// The first cell of a frame arrives.
    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission;

    /// A cell of the VC at `slot` joins the buffer.
    fn on_admission(&mut self, _head: CellHead, _slot: u32) {}

    /// A cell has left the buffer, whatever became of it.
    fn on_departure(&mut self, _departure: Departure) {}

    /// The first cell of a frame is taken out of the buffer to be sent.
    fn judge_dequeue(&mut self, _first: CellHead, _dequeue: &Dequeue) -> Admission {
        Admission::Admit
    }
}

/// The state machine around a rule.
#[derive(Clone, Debug)]
pub struct Framewise<R = Rule> {
    /// Asked once a frame, and so not in the port itself: a port of any policy fits fewer cache
    /// lines without it.
    judge: Box<Judge<R>>,
    /// Those of the rule.
    needs: Needs,
    /// By slot: of the frame that arrives.
    frames: Vec<FrameState>,
}

#[derive(Clone, Debug)]
struct Judge<R> {
    rule: R,
    /// By slot: of the frame that leaves; empty unless the rule judges it.
    leaving: Vec<FrameState>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameState {
    /// The next cell is the first of a frame.
    Between,
    Admitted,
    Marked,
    Refused,
    Spoilt,
}

impl From<Admission> for FrameState {
    #[inline]
    fn from(admission: Admission) -> Self {
        match admission {
            Admission::Admit => Self::Admitted,
            Admission::Mark => Self::Marked,
            Admission::Refuse => Self::Refused,
        }
    }
}

impl Framewise {
    /// Around a rule of the list, for `vcs` virtual circuits.
    pub fn new(rule: impl Into<Rule>, vcs: usize) -> Self {
        Self::with_rule(rule.into(), vcs)
    }
}

impl<R: FrameRule> Framewise<R> {
    /// Around a rule that need not be one of the list, for `vcs` virtual circuits.
    pub fn with_rule(rule: R, vcs: usize) -> Self {
        let needs = rule.needs();
        let leaving = vec![FrameState::Between; if needs.dequeues { vcs } else { 0 }];
        let judge = Box::new(Judge { rule, leaving });
        Self { judge, needs, frames: vec![FrameState::Between; vcs] }
    }

    /// Whether a cell is inside a frame that is being admitted, so that a buffer with room accepts
    /// it and nothing changes.
    #[inline]
    pub fn is_admitting(&self, head: CellHead, slot: u32) -> bool {
        head.is_body()
            && self.frames[slot as usize] == FrameState::Admitted
            && !self.needs.departures
    }

    /// Whether a cell would be the first of a frame; asked of rules that count no cells.
    #[inline]
    pub fn awaits_first(&self, head: CellHead, slot: u32) -> bool {
        head.is_body() && self.frames[slot as usize] == FrameState::Between
    }

    /// Cells of a frame were admitted without a question, up to its end or not.
    #[inline]
    pub fn note_admitted(&mut self, is_ended: bool, slot: u32) {
        let now = if is_ended { FrameState::Between } else { FrameState::Admitted };
        self.frames[slot as usize] = now;
    }

    #[inline]
    fn on_frame_cell(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        let mut now = self.frames[queue.slot as usize];
        if now == FrameState::Between {
            now = self.judge.rule.judge(head, queue).into();
        }
        let has_space = queue.has_space();
        self.frames[queue.slot as usize] = match now {
            _ if head.is_end_of_frame() => FrameState::Between,
            FrameState::Admitted | FrameState::Marked if !has_space => FrameState::Spoilt,
            state => state,
        };
        match now {
            FrameState::Refused => Verdict::Discard(Cause::EarlyFrame),
            FrameState::Spoilt if !head.is_end_of_frame() => Verdict::Discard(Cause::PartialFrame),
            FrameState::Marked if has_space => Verdict::Mark,
            _ if has_space => Verdict::Accept,
            _ => Verdict::Discard(Cause::Overflow),
        }
    }
}

impl<R: FrameRule> DropPolicy for Framewise<R> {
    fn needs(&self) -> Needs {
        self.needs
    }

    fn admits_up_to(&self) -> u64 {
        self.judge.rule.admits_up_to()
    }

    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        let verdict = if head.is_raw() {
            Tail.on_arrival(head, queue)
        } else {
            self.on_frame_cell(head, queue)
        };
        if self.needs.departures && !matches!(verdict, Verdict::Discard(_)) {
            self.judge.rule.on_admission(head, queue.slot);
        }
        verdict
    }

    #[inline]
    fn on_departure(&mut self, departure: Departure) {
        self.judge.rule.on_departure(departure);
    }

    fn on_dequeue(&mut self, head: CellHead, dequeue: &Dequeue) -> Verdict {
        if head.is_raw() {
            return Verdict::Accept;
        }
        let slot = dequeue.slot as usize;
        let mut now = self.judge.leaving[slot];
        if now == FrameState::Between {
            now = self.judge.rule.judge_dequeue(head, dequeue).into();
        }
        self.judge.leaving[slot] = if head.is_end_of_frame() { FrameState::Between } else { now };
        match now {
            FrameState::Refused => Verdict::Discard(Cause::EarlyFrame),
            FrameState::Marked => Verdict::Mark,
            _ => Verdict::Accept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switch::Epd;
    use crate::switch::accounts::Accounts;
    use crate::units::Time;

    fn verdicts(cells: &[(&str, u64, u64)]) -> String {
        let mut policy = Framewise::new(Epd::new(10), 1);
        let accounts = Accounts::default();
        let answer = |&(kind, occupancy, size): &(&str, u64, u64)| {
            let head =
                if kind == "last" { CellHead::end_of_frame(0, 0) } else { CellHead::body(0, 0) };
            let (now, line_free_at) = (Time::ZERO, Time::ZERO);
            let queue = QueueState {
                now,
                occupancy,
                size,
                slot: 0,
                backlog: 0,
                active: 0,
                accounts: &accounts,
                line_free_at,
            };
            match policy.on_arrival(head, &queue) {
                Verdict::Accept => 'a',
                Verdict::Mark => 'm',
                Verdict::Discard(Cause::Overflow) => 'o',
                Verdict::Discard(Cause::PartialFrame) => 'p',
                Verdict::Discard(Cause::EarlyFrame) => 'e',
            }
        };
        cells.iter().map(answer).collect()
    }

    #[test]
    fn a_frame_is_judged_at_its_first_cell() {
        let admitted = [("body", 10, 20), ("body", 11, 20), ("last", 12, 20)];
        let refused = [("body", 11, 20), ("body", 3, 20), ("last", 3, 20), ("body", 3, 20)];
        assert_eq!(verdicts(&admitted), "aaa");
        assert_eq!(verdicts(&refused), "eeea");
    }

    #[test]
    fn overflow_inside_an_admitted_frame_spoils_the_rest() {
        let frame = [("body", 9, 20), ("body", 20, 20), ("body", 9, 20), ("last", 9, 20)];
        assert_eq!(verdicts(&frame), "aopa");
    }

    #[test]
    fn a_frame_of_one_cell_is_judged_too() {
        assert_eq!(verdicts(&[("last", 11, 20), ("last", 10, 20)]), "ea");
    }
}

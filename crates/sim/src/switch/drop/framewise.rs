//! Whole frames: the answer that a rule gives for the first cell of a frame holds for all of them.
//!
//! A frame that is refused at its first cell goes whole, last cell included, so nothing of it is left to be glued to the
//! next. A frame once admitted is kept; if the buffer overflows all the same, the rest of it goes except the last cell, as
//! in [`Ppd`](super::Ppd). Raw cells belong to no frame and are lost exactly when there is no room.

use super::classification::Classification;
use super::{
    Dfba, DropPolicy, Epd, Ered, Fba, Fred, PriorityDrop, QueueState, Red, SelectiveDrop, Verdict,
    VirtualQueuing, VqDynamicEpd, VqMcr,
};
use crate::pdu::CellHead;
use crate::result::Cause;
use crate::units::Time;

/// A rule that judges frames.
pub trait FrameRule {
    /// Its row of the table.
    const CLASSIFICATION: Classification;

    /// Whether it reads [`QueueState::accounts`].
    const NEEDS_ACCOUNTS: bool = false;

    /// Whether it must be told of admissions and departures.
    const COUNTS_CELLS: bool = false;

    /// The first cell of a frame arrives: whether the frame may come in.
    fn admits(&mut self, first: CellHead, queue: &QueueState<'_>) -> bool;

    /// A cell of the VC at `slot` joins the buffer.
    fn on_admission(&mut self, _head: CellHead, _slot: u32) {}

    /// A cell has left the buffer.
    fn on_departure(&mut self, _departure: Departure) {}
}

/// A cell that has left the buffer.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// When.
    pub at: Time,
    /// The place of its VC.
    pub slot: u32,
    /// Whether it is the last of its frame.
    pub ends_frame: bool,
}

/// One line for each rule: the enum, and what is the same for all of them.
macro_rules! rules {
    ($($name:ident),+ $(,)?) => {
        /// The rules, dispatched statically, once a frame.
        #[derive(Clone, Debug)]
        pub enum Rule {
            $(#[doc = concat!("[`", stringify!($name), "`].")] $name($name),)+
        }

        impl Rule {
            /// Its row of the table.
            pub fn classification(&self) -> Classification {
                match self { $(Self::$name(_) => <$name as FrameRule>::CLASSIFICATION,)+ }
            }

            /// Whether it reads the occupancies of single VCs.
            pub fn needs_accounts(&self) -> bool {
                match self { $(Self::$name(_) => <$name as FrameRule>::NEEDS_ACCOUNTS,)+ }
            }

            /// Whether it must be told of departures.
            pub fn watches_departures(&self) -> bool {
                match self { $(Self::$name(_) => <$name as FrameRule>::COUNTS_CELLS,)+ }
            }

            #[inline(never)]
            fn admits(&mut self, first: CellHead, queue: &QueueState<'_>) -> bool {
                match self { $(Self::$name(rule) => rule.admits(first, queue),)+ }
            }

            fn on_admission(&mut self, head: CellHead, slot: u32) {
                match self { $(Self::$name(rule) => rule.on_admission(head, slot),)+ }
            }

            fn on_departure(&mut self, departure: Departure) {
                match self { $(Self::$name(rule) => rule.on_departure(departure),)+ }
            }
        }

        $(impl From<$name> for Rule {
            fn from(rule: $name) -> Self {
                Self::$name(rule)
            }
        })+
    };
}

rules!(Epd, SelectiveDrop, Fba, Red, Fred, VirtualQueuing, VqDynamicEpd, VqMcr, Ered, PriorityDrop, Dfba,);

/// The state machine around a rule.
#[derive(Clone, Debug)]
pub struct Framewise {
    /// Asked once a frame, and so not in the port itself: a port of any policy fits fewer cache lines without it.
    rule: Box<Rule>,
    /// Whether the rule is told of admissions.
    counts_cells: bool,
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

impl Framewise {
    /// For `vcs` virtual circuits.
    pub fn new(rule: impl Into<Rule>, vcs: usize) -> Self {
        let rule = rule.into();
        Self {
            counts_cells: rule.watches_departures(),
            rule: Box::new(rule),
            frames: vec![FrameState::Between; vcs],
        }
    }

    /// What answers for first cells.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    #[inline]
    pub(super) fn on_departure(&mut self, departure: Departure) {
        self.rule.on_departure(departure);
    }

    #[inline]
    fn on_frame_cell(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        let mut now = self.frames[queue.slot as usize];
        if now == FrameState::Between {
            let is_admitted = self.rule.admits(head, queue);
            now = if is_admitted { FrameState::Admitted } else { FrameState::Refused };
        }
        let has_room = queue.has_room();
        self.frames[queue.slot as usize] = match now {
            _ if head.is_end_of_frame() => FrameState::Between,
            FrameState::Admitted if !has_room => FrameState::Spoilt,
            state => state,
        };
        match now {
            FrameState::Refused => Verdict::Discard(Cause::EarlyFrame),
            FrameState::Spoilt if !head.is_end_of_frame() => Verdict::Discard(Cause::PartialFrame),
            _ if has_room => Verdict::Accept,
            _ => Verdict::Discard(Cause::Overflow),
        }
    }
}

impl DropPolicy for Framewise {
    #[inline]
    fn on_arrival(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        let verdict = match head.is_raw() {
            false => self.on_frame_cell(head, queue),
            true if queue.has_room() => Verdict::Accept,
            true => Verdict::Discard(Cause::Overflow),
        };
        if self.counts_cells && verdict == Verdict::Accept {
            self.rule.on_admission(head, queue.slot);
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switch::accounts::Accounts;

    fn verdicts(cells: &[(&str, u64, u64)]) -> String {
        let mut policy = Framewise::new(Epd::new(10), 1);
        let accounts = Accounts::default();
        let answer = |&(kind, occupancy, room): &(&str, u64, u64)| {
            let head = if kind == "last" { CellHead::end_of_frame(0, 0) } else { CellHead::body(0, 0) };
            let (now, line_free_at) = (Time::ZERO, Time::ZERO);
            let queue =
                QueueState { now, occupancy, room, slot: 0, active: 0, accounts: &accounts, line_free_at };
            match policy.on_arrival(head, &queue) {
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

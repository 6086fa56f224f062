//! Whole frames: the answer that a rule gives for the first cell of a frame holds for all of them.
//!
//! A frame that is refused at its first cell is discarded whole, last cell included, so no part of
//! it can merge with the next frame. A frame once admitted is kept; if the buffer overflows all the
//! same, the rest of it is discarded except the last cell, as in [`Ppd`](super::Ppd). Raw cells
//! belong to no frame and are lost exactly when the buffer is full.
//!
//! A rule that judges frames as they leave decides by the first cell, too. A frame that it refuses
//! there was in the buffer, and its later cells are still admitted by the rule for arrivals.

use super::{
    Departure, Dequeue, DropPolicy, Needs, OwnQueue, QueueState, RatePacket, Rule, Tail, Verdict,
};
use crate::pdu::CellHead;
use crate::result::Cause;
use crate::units::Time;

/// Decision on a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The frame is accepted.
    Admit,
    /// The frame is accepted, and all its cells are [marked](Verdict::Mark).
    Mark,
    /// The frame is discarded whole.
    Refuse,
}

impl Admission {
    /// Admits or refuses.
    #[inline]
    pub fn when(is_admitted: bool) -> Self {
        if is_admitted { Self::Admit } else { Self::Refuse }
    }
}

/// A rule that judges frames by their first cells.
pub trait FrameRule: std::fmt::Debug {
    /// Needs of the rule from its queue.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Occupancy up to which the rule admits all frames and reads nothing else of the queue. Zero
    /// for a rule that is not so simple.
    fn admits_up_to(&self) -> u64 {
        0
    }

    /// A packet arrives that would join this queue, if the rule [needs it](Needs::own_queue).
    fn on_own_queue(&mut self, _own: OwnQueue) {}

    /// The first cell of a frame arrives. A rule that judges frames as they leave admits all.
    fn judge(&mut self, _first: CellHead, _queue: &QueueState<'_>) -> Admission {
        Admission::Admit
    }

    /// A cell of the VC at `slot` joins the buffer.
    fn on_admission(&mut self, _head: CellHead, _slot: u32) {}

    /// A cell has left the buffer, whatever became of it.
    fn on_departure(&mut self, _departure: Departure) {}

    /// An admitted frame loses the first of its cells to a full buffer, at most once a frame.
    fn on_spoilt(&mut self, _now: Time) {}

    /// Packets of a queue are discarded because the buffer overflows.
    fn on_overflow(&mut self, _now: Time, _queue: u32) {}

    /// The packet with so many others before it in a queue is removed: a later one replaces it.
    fn on_removal(&mut self, _queue: u32, _before: usize) {}

    /// The first cell of a frame is taken out of the buffer to be sent.
    fn judge_dequeue(&mut self, _first: CellHead, _dequeue: &Dequeue) -> Admission {
        Admission::Admit
    }

    /// A packet arrives and is judged next, if the rule [reads congestion headers](Needs::headers).
    fn on_packet(&mut self, _packet: &RatePacket) {}

    /// Grant for the header of a packet that is sent, see [`DropPolicy::grant`].
    fn grant(&mut self, packet: &RatePacket) -> f32 {
        packet.header.map_or(f32::INFINITY, |header| header.grant)
    }
}

/// The state machine around a rule.
#[derive(Clone, Debug)]
pub struct Framewise<R = Rule> {
    /// Rule, which is asked once a frame. It is boxed so that a port of any policy takes fewer
    /// cache lines.
    judge: Box<Judge<R>>,
    /// Needs of the rule.
    needs: Needs,
    /// State of the frame that arrives, by slot.
    frames: Vec<FrameState>,
}

#[derive(Clone, Debug)]
struct Judge<R> {
    rule: R,
    /// State of the frame that leaves, by slot; empty unless the rule judges it.
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
    /// Makes a policy of a rule of the list, for `vcs` virtual circuits.
    pub fn new(rule: impl Into<Rule>, vcs: usize) -> Self {
        Self::with_rule(rule.into(), vcs)
    }
}

impl<R: FrameRule> Framewise<R> {
    /// Makes a policy of a rule that need not be one of the list, for `vcs` virtual circuits.
    pub fn with_rule(rule: R, vcs: usize) -> Self {
        let needs = rule.needs();
        let leaving = vec![FrameState::Between; if needs.dequeues { vcs } else { 0 }];
        let judge = Box::new(Judge { rule, leaving });
        Self { judge, needs, frames: vec![FrameState::Between; vcs] }
    }

    /// Rule that judges the frames.
    pub fn rule(&self) -> &R {
        &self.judge.rule
    }

    /// True if the cell is inside a frame that is being admitted: a buffer with room accepts it,
    /// and no state changes.
    #[inline]
    pub fn is_admitting(&self, head: CellHead, slot: u32) -> bool {
        head.is_body()
            && self.frames[slot as usize] == FrameState::Admitted
            && !self.needs.departures
    }

    /// True if the cell would be the first of a frame. Asked of rules that count no cells.
    #[inline]
    pub fn awaits_first(&self, head: CellHead, slot: u32) -> bool {
        head.is_body() && self.frames[slot as usize] == FrameState::Between
    }

    /// Notes that cells of a frame were admitted without asking; `is_ended` if the last cell was
    /// among them.
    #[inline]
    pub fn note_admitted(&mut self, is_ended: bool, slot: u32) {
        let now = if is_ended { FrameState::Between } else { FrameState::Admitted };
        self.frames[slot as usize] = now;
    }

    /// Tells the rule of a frame that is admitted no longer: its cell finds the buffer full.
    #[cold]
    fn note_full(&mut self, frame: FrameState, at: Time) {
        if matches!(frame, FrameState::Admitted | FrameState::Marked) {
            self.judge.rule.on_spoilt(at);
        }
    }

    #[inline]
    fn on_frame_cell(&mut self, head: CellHead, queue: &QueueState<'_>) -> Verdict {
        let mut now = self.frames[queue.slot as usize];
        if now == FrameState::Between {
            now = self.judge.rule.judge(head, queue).into();
        }
        let has_space = queue.has_space();
        if !has_space {
            self.note_full(now, queue.now);
        }
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

    fn on_own_queue(&mut self, own: OwnQueue) {
        self.judge.rule.on_own_queue(own);
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

    fn on_overflow(&mut self, now: Time, queue: u32) {
        self.judge.rule.on_overflow(now, queue);
    }

    fn on_removal(&mut self, queue: u32, before: usize) {
        self.judge.rule.on_removal(queue, before);
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

    fn on_packet(&mut self, packet: &RatePacket) {
        self.judge.rule.on_packet(packet);
    }

    fn grant(&mut self, packet: &RatePacket) -> f32 {
        self.judge.rule.grant(packet)
    }
}

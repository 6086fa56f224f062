//! Fair queueing over a rule: a queue for each flow, and in each a state of the rule of its own
//! (Hoeiland-Joergensen, McKenney, Taht, Gettys, Dumazet: RFC 8290, 2018).
//!
//! Packets wait in queues by flow, which are served by a deficit round robin that prefers new ones
//! ([`FlowQueues`]). A rule sees the queue of its flow alone: packets and bytes of that queue, in a
//! buffer without a limit. A packet that arrives at a full buffer is accepted, unless the rule
//! refuses it, and packets are discarded from the head of the queue with the most bytes.
//! Parameters, beside those of the rule: `quantum` 1500 B, which is the 1514 B of Linux without its
//! Ethernet header, as sizes here are of IP packets; `queues` 1024, or `"per_flow"`; `drop_batch`
//! 64. The limit of the RFC, 10240 packets, is `buffer`.
//!
//! Such a scheme is a word of `drop` and not of `scheduler`, although it is both: users choose
//! between it and the others here, and a study has one factor for all. It is a file with its plan,
//! which has the parameters of its rule and a [`FairPlan`], and its line in the list of policies.
//! Rules that need single departures or counters of VCs have none here: RED, and those that compare
//! VCs. Departure: a packet that arrives at a full buffer is not marked.

use super::{Admission, Dequeue, FlowQueuing, FrameRule, Needs, PolicyFacts, QueueState, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::switch::scheduler::{FlowQueues, Scheduler};
use crate::units::{Bytes, Time};

part! {
    /// Parameters of queues by flow.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FairPlan {
        /// Bytes that a queue may send in its turn.
        quantum: Bytes = default("1500 B", "\"300 B\"") as Kind::Size { min: 1, max: MAX_PACKET },
        /// Number of queues into which flows are hashed.
        queues: FlowQueuing = default("{ hashed = 1024 }", "\"per_flow\""),
        /// Most packets that an overflow discards at once, if that is less than half of the bytes
        /// of the longest queue.
        drop_batch: u32 = default("64", "1") as Kind::Integer { min: 1, max: 100_000 },
    }
}

impl FairPlan {
    /// Facts about the policy, with those about the rule of each queue.
    pub(super) fn facts(rule: PolicyFacts) -> PolicyFacts {
        PolicyFacts {
            needs_common_buffer: Some("discards from the longest of all queues"),
            is_random: true,
            queues_flows: true,
            ..rule
        }
    }

    /// Makes the queues, without packets.
    pub(super) fn order(&self, site: &Site) -> Scheduler {
        let (hash, slots) = (self.queues.hash(site), site.vcs.len() as u32);
        FlowQueues::new(hash, slots, self.quantum.0, self.drop_batch).into()
    }
}

/// A rule that may stand in each queue of a flow.
pub trait RuleOfFlow: FrameRule + Clone {
    /// True if it judges packets as they arrive.
    const JUDGES_ARRIVALS: bool;

    /// A state of a queue that has had no packets, apart from those of other queues.
    #[must_use]
    fn of_queue(&self, _queue: u32) -> Self {
        self.clone()
    }
}

/// Data of the queue of an arriving packet, before it joins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnQueue {
    /// Number of the queue.
    pub queue: u32,
    /// Packets in it.
    pub packets: u64,
    /// Their IP bytes.
    pub bytes: u64,
}

/// A rule in each queue of a flow.
#[derive(Clone, Debug)]
pub struct Fair<R> {
    /// State of a queue that has had no packets.
    fresh: R,
    /// State of each queue.
    rules: Vec<R>,
    /// Queue of the packet that arrives.
    own: OwnQueue,
}

impl<R: RuleOfFlow> Fair<R> {
    /// Makes a policy for queues numbered from zero, each with a state as `fresh`.
    pub fn new(fresh: R) -> Self {
        Self { fresh, rules: Vec::new(), own: OwnQueue::default() }
    }

    /// State of a queue.
    fn of(&mut self, queue: u32) -> &mut R {
        let index = queue as usize;
        while self.rules.len() <= index {
            self.rules.push(self.fresh.of_queue(self.rules.len() as u32));
        }
        &mut self.rules[index]
    }
}

impl<R: RuleOfFlow> FrameRule for Fair<R> {
    fn needs(&self) -> Needs {
        let marks = self.fresh.needs().marks;
        Needs { dequeues: true, own_queue: R::JUDGES_ARRIVALS, marks, ..Needs::default() }
    }

    fn on_own_queue(&mut self, own: OwnQueue) {
        self.own = own;
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        if !R::JUDGES_ARRIVALS {
            return Admission::Admit;
        }
        let OwnQueue { queue: number, packets, bytes } = self.own;
        let queue = QueueState { occupancy: packets, size: u64::MAX, backlog: bytes, ..*queue };
        self.of(number).judge(first, &queue)
    }

    fn on_overflow(&mut self, now: Time, queue: u32) {
        self.of(queue).on_overflow(now, queue);
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        self.of(dequeue.queue).judge_dequeue(first, dequeue)
    }
}

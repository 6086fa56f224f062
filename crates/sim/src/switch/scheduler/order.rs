//! The order in which the cells of one class are served.
//!
//! First in, first out needs no scheduler. A scheduler is a file here with its parameters in the
//! scenario language and a type with the methods of [`Wfq`](wfq::Wfq), its `mod` line, and its line
//! in the list `schedulers!` below. That of a drop policy is a name at its end.

use super::cake_queues::CakeQueues;
use super::flow_queues::FlowQueues;
use super::l4s_queues::L4sQueues;
use super::{Waiting, drr, wfq};
use crate::engine::{Fifo, delegate};
use crate::language::part::prelude::*;

/// Data of a port for its scheduler.
#[derive(Clone, Debug)]
pub struct SchedulerSite {
    /// Cell rate of the line, bit/s; zero if it carries packets.
    pub rate: u64,
    /// Minimum cell rate by slot, bit/s; zero where none is guaranteed.
    pub minimum_rates: Vec<u64>,
    /// Number of VCs of the class, at least one.
    pub vcs_of_class: u64,
}

/// Lists the schedulers, one line each, `Variant(Plan) "word" => file::Type`, and those of drop
/// policies. Makes the choice of the scenario language, the scheduler of each plan, and their
/// dispatch.
macro_rules! schedulers {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident($Plan:ident) $word:literal => $file:ident::$Type:ident;
    )+ of_policies: $($OfPolicy:ident),+) => {
        $(pub use $file::*;)+

        variants! {
            /// `switch.scheduler` and `edge.scheduler`.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum SchedulerPlan {
                /// First in, first out.
                Fifo = "fifo",
                $($(#[doc = $doc])+ $name($Plan) = $word,)+
            }
        }

        impl SchedulerPlan {
            /// Makes the scheduler for this place; `None` for first in, first out.
            pub fn build(self, site: &SchedulerSite) -> Option<Scheduler> {
                match self {
                    Self::Fifo => None,
                    $(Self::$name(plan) => {
                        let scheduler = Box::new($file::$Type::build(plan, site));
                        Some(Scheduler(AnyScheduler::$name(scheduler)))
                    })+
                }
            }
        }

        #[derive(Debug)]
        pub(super) enum AnyScheduler {
            $($name(Box<$file::$Type>),)+
            $($OfPolicy(Box<$OfPolicy>),)+
        }

        impl AnyScheduler {
            delegate! { [$($name,)+ $($OfPolicy),+]
                fn is_empty(&self) -> bool;
                fn push(&mut self, waiting: Waiting) -> usize;
                fn first(&mut self) -> Option<Waiting>;
                fn pop(&mut self) -> Option<Waiting>;
                fn discard_first(&mut self);
                fn pass(&mut self, waiting: Waiting);
                fn waiting(&self) -> Vec<Waiting>;
            }
        }

        $(impl From<$OfPolicy> for Scheduler {
            fn from(queues: $OfPolicy) -> Self {
                Self(AnyScheduler::$OfPolicy(Box::new(queues)))
            }
        })+
    };
}

schedulers! {
    /// Weighted fair queueing: a queue for each VC, served by its minimum cell rate.
    Wfq(WfqPlan) "wfq" => wfq::Wfq;
    /// Deficit round robin: a queue for each VC, or flow of packets, served by bytes in turn.
    Drr(DrrPlan) "drr" => drr::Drr;
    of_policies: FlowQueues, L4sQueues, CakeQueues
}

/// A scheduler of the list, or that of a drop policy.
#[derive(Debug)]
pub struct Scheduler(AnyScheduler);

/// A queue, dispatched statically: most are first in, first out, and one comparison tells that.
#[derive(Debug)]
pub(super) enum Order {
    /// First in, first out.
    Fifo(Fifo<Waiting>),
    /// In the order of a scheduler.
    Scheduled(AnyScheduler),
}

impl Order {
    /// Makes an empty queue.
    pub(super) fn new(scheduler: Option<Scheduler>) -> Self {
        scheduler.map_or_else(|| Self::Fifo(Fifo::default()), |of| Self::Scheduled(of.0))
    }

    delegate! { [Fifo, Scheduled]
        #[inline]
        pub(super) fn is_empty(&self) -> bool;

        /// Appends a unit. Returns the bytes of memory that were added.
        #[inline]
        pub(super) fn push(&mut self, waiting: Waiting) -> usize;

        /// Unit that is sent next.
        pub(super) fn first(&mut self) -> Option<Waiting>;

        /// Removes the unit that is sent next.
        #[inline]
        pub(super) fn pop(&mut self) -> Option<Waiting>;

        /// Removes the next unit, which is not sent: it does not count as served.
        pub(super) fn discard_first(&mut self);

        /// Takes note of a unit that is sent without waiting.
        #[inline]
        pub(super) fn pass(&mut self, waiting: Waiting);

        /// Units that wait, by slot unless first in, first out.
        pub(super) fn waiting(&self) -> Vec<Waiting>;
    }

    /// Number of the queue of a packet whose driver has given it a key, for [`Waiting::keyed`];
    /// zero where packets are not queued by flow.
    #[inline(never)]
    pub(super) fn number_of_key(&mut self, slot: u32, key: u32) -> u16 {
        match self {
            Self::Scheduled(AnyScheduler::FlowQueues(queues)) => queues.number_of_key(slot, key),
            Self::Scheduled(AnyScheduler::CakeQueues(queues)) => queues.number_of_key(slot, key),
            Self::Scheduled(AnyScheduler::Drr(drr)) => drr.number_of_key(slot, key),
            Self::Fifo(_) | Self::Scheduled(AnyScheduler::Wfq(_) | AnyScheduler::L4sQueues(_)) => 0,
        }
    }

    /// True if the scheduler reads [`Waiting::bytes`].
    pub(super) fn counts_bytes(&self) -> bool {
        !matches!(self, Self::Fifo(_) | Self::Scheduled(AnyScheduler::Wfq(_)))
    }

    /// Index of the queue of a unit, in which it is first or which it joins, and the bytes behind
    /// it there, if the scheduler has queues for which the policy answers one by one.
    pub(super) fn queue_and_backlog(&self, waiting: &Waiting) -> Option<(u32, u64)> {
        match self {
            Self::Scheduled(AnyScheduler::FlowQueues(queues)) => {
                Some(queues.queue_and_backlog(waiting))
            }
            Self::Scheduled(AnyScheduler::CakeQueues(queues)) => {
                Some(queues.queue_and_backlog(waiting))
            }
            Self::Scheduled(AnyScheduler::L4sQueues(queues)) => {
                Some(queues.queue_and_backlog(waiting))
            }
            Self::Fifo(_) | Self::Scheduled(AnyScheduler::Wfq(_) | AnyScheduler::Drr(_)) => None,
        }
    }

    /// The queues of flows, if the policy is told of them.
    pub(super) fn flow_queues(&self) -> Option<&FlowQueues> {
        match self {
            Self::Scheduled(AnyScheduler::FlowQueues(queues)) => Some(queues),
            Self::Fifo(_) | Self::Scheduled(_) => None,
        }
    }

    /// The queues of a scheduler that goes by the clock.
    #[inline]
    pub(super) fn clocked(&mut self) -> Option<&mut CakeQueues> {
        match self {
            Self::Scheduled(AnyScheduler::CakeQueues(queues)) => Some(queues),
            Self::Fifo(_) | Self::Scheduled(_) => None,
        }
    }

    /// True if packets wait in queues of flows, from the longest of which an overflow discards.
    pub(super) fn has_longest(&self) -> bool {
        match self {
            Self::Scheduled(AnyScheduler::FlowQueues(queues)) => !queues.is_empty(),
            Self::Scheduled(AnyScheduler::CakeQueues(queues)) => !queues.is_empty(),
            Self::Fifo(_) | Self::Scheduled(_) => false,
        }
    }

    /// Packets that wait in the queue of a packet; none where VCs have queues of cells.
    pub(super) fn beside(&self, waiting: &Waiting) -> Option<&Fifo<Waiting>> {
        match self {
            Self::Fifo(queue) => Some(queue),
            Self::Scheduled(AnyScheduler::Drr(drr)) => Some(drr.beside(waiting)),
            Self::Scheduled(AnyScheduler::FlowQueues(queues)) => Some(queues.beside(waiting)),
            Self::Scheduled(AnyScheduler::L4sQueues(queues)) => Some(queues.beside(waiting)),
            Self::Scheduled(AnyScheduler::CakeQueues(queues)) => Some(queues.beside(waiting)),
            Self::Scheduled(AnyScheduler::Wfq(_)) => None,
        }
    }

    /// Removes the packet with so many others before it in the queue of `waiting`, which is not its
    /// last one.
    pub(super) fn remove_beside(&mut self, waiting: &Waiting, before: usize) -> Option<Waiting> {
        match self {
            Self::Fifo(queue) => queue.remove(before),
            Self::Scheduled(AnyScheduler::Drr(drr)) => drr.remove_beside(waiting, before),
            Self::Scheduled(AnyScheduler::FlowQueues(queues)) => {
                queues.remove_beside(waiting, before)
            }
            Self::Scheduled(AnyScheduler::L4sQueues(queues)) => {
                queues.remove_beside(waiting, before)
            }
            Self::Scheduled(AnyScheduler::CakeQueues(queues)) => {
                queues.remove_beside(waiting, before)
            }
            Self::Scheduled(AnyScheduler::Wfq(_)) => None,
        }
    }

    /// Removes the packets that an overflow discards, in order.
    pub(super) fn drop_from_longest(&mut self) -> Vec<Waiting> {
        match self {
            Self::Scheduled(AnyScheduler::FlowQueues(queues)) => queues.drop_from_longest(),
            Self::Scheduled(AnyScheduler::CakeQueues(queues)) => queues.drop_from_longest(),
            Self::Fifo(_) | Self::Scheduled(_) => Vec::new(),
        }
    }
}

/// Methods of a scheduler beside those of a queue.
impl Fifo<Waiting> {
    fn first(&self) -> Option<Waiting> {
        self.front().copied()
    }

    fn discard_first(&mut self) {
        self.skip();
    }

    #[expect(clippy::unused_self, reason = "schedulers have the same methods")]
    fn pass(&mut self, _waiting: Waiting) {}

    fn waiting(&self) -> Vec<Waiting> {
        self.iter().copied().collect()
    }
}

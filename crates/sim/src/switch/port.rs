//! Output ports: what every one has, whichever order it serves its cells in.

use super::accounts::Accounts;
use super::drop::{DropPolicy, Policy};
use super::ports::Pool;
use super::scheduler::{FifoPort, PriorityPort, RinglessPort, Scheduler};
use crate::atm::Class;
use crate::engine::{Io, delegate};
use crate::language::part::prelude::*;
use crate::link::Transmitter;
use crate::pdu::Cell;
use crate::result::{Ledger, QueueRecorder, Recorder, Series};
use crate::units::{Span, Time};

/// The size of the buffer of a queue.
#[derive(Clone, Copy, Debug)]
pub enum BufferSize {
    /// No limit.
    Infinite,
    /// So many in this queue.
    PerPort(u64),
    /// So many of each VC.
    PerVc(u64),
    /// What the switch's [`Pool`] has left.
    Shared,
}

variants! {
    /// Whether the unit on the line still occupies the buffer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum InService {
        /// A cell leaves the buffer when its last bit has been sent.
        Counted = "counted",
        /// A cell leaves the buffer when its first bit is sent.
        NotCounted = "not_counted",
    }
}

impl InService {
    /// From the instant at which a unit that takes `on_line` leaves the buffer to that at which it
    /// has left the line.
    pub(super) fn after_buffer(self, on_line: Span) -> Span {
        match self {
            Self::Counted => Span::ZERO,
            Self::NotCounted => on_line,
        }
    }
}

/// Everything a port is made from.
#[derive(Debug)]
pub struct PortPlan {
    /// Index among all ports of the scenario.
    pub index: usize,
    /// The sending end of the link that it feeds.
    pub transmitter: Transmitter,
    /// Whether the unit on the line still occupies the buffer.
    pub in_service: InService,
    /// VCs that pass, by slot.
    pub vcs: Vec<u32>,
    /// One queue for each class that passes, first served first.
    pub queues: Vec<QueuePlan>,
    /// Of all queues together, if there are several and it is wanted.
    pub recorder: Option<Box<QueueRecorder>>,
}

/// One queue of a port.
#[derive(Debug)]
pub struct QueuePlan {
    /// Whose cells it holds.
    pub class: Class,
    /// Buffer size.
    pub buffer: BufferSize,
    /// Drop policy.
    pub policy: Policy,
    /// `None`: first in, first out.
    pub scheduler: Option<Scheduler>,
    /// Of this queue, if it is wanted.
    pub recorder: Option<Box<QueueRecorder>>,
    /// Whether a guaranteed VC passes the port: the counters of its VCs are reported in any case.
    pub has_guaranteed: bool,
    /// By slot: series of the cells of single VCs; empty if they are not wanted.
    pub vc_recorders: Vec<Option<Recorder>>,
}

impl QueuePlan {
    /// The counters of single VCs, if anything reads them.
    pub(super) fn take_accounts(&mut self, vcs: usize) -> Accounts {
        let is_buffer_per_vc = matches!(self.buffer, BufferSize::PerVc(_));
        let are_told = is_buffer_per_vc || self.has_guaranteed || self.policy.needs().accounts;
        Accounts::of_queue(vcs, are_told, std::mem::take(&mut self.vc_recorders))
    }
}

/// An output port, dispatched statically. Those of one class lie in the list itself: a pointer to
/// follow costs every cell.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "the large ones are the frequent ones")]
pub enum Port {
    /// One class of equal cells, and nothing follows single ones: first in, first out.
    Ringless(RinglessPort),
    /// One class: first in, first out.
    Fifo(FifoPort),
    /// Several classes, in strict priority, a queue for each VC, or a policy that judges what
    /// leaves.
    Priority(Box<PriorityPort>),
}

impl Port {
    /// An empty port.
    pub fn new(mut plan: PortPlan, classes: &[Class]) -> Self {
        let is_served =
            |queue: &QueuePlan| queue.scheduler.is_some() || queue.policy.needs().dequeues;
        if plan.queues.len() > 1 || plan.queues.iter().any(is_served) {
            return Self::Priority(Box::new(PriorityPort::new(plan, classes)));
        }
        let queue = plan.queues.pop().expect("the builder gives every port a queue");
        match RinglessPort::measures(&plan, &queue) {
            Some(measures) => Self::Ringless(RinglessPort::new(plan, measures, queue)),
            None => Self::Fifo(FifoPort::new(plan, queue)),
        }
    }

    /// Whether trains may come, which it may take apart: its units are cells.
    pub fn takes_trains(&self) -> bool {
        !matches!(self, Self::Priority(_)) && self.transmitter().transmission().is_of_cells()
    }

    /// What sends.
    pub fn transmitter(&self) -> &Transmitter {
        &self.plan().transmitter
    }

    /// Shared memory with no more than this in it admits whatever arrives, however much it is.
    pub fn admits_up_to(&self) -> u64 {
        match self {
            Self::Ringless(port) => port.admits_up_to(),
            Self::Fifo(port) => port.admits_up_to(),
            Self::Priority(_) => 0,
        }
    }

    /// Does everything that is due by `at`; how many cells of the class then wait.
    #[inline]
    pub fn bring_to(&mut self, at: Time, class: Class, io: &mut Io) -> u64 {
        match self {
            Self::Ringless(port) => port.release_until(at),
            Self::Fifo(port) => port.release_until(at),
            Self::Priority(port) => {
                port.serve(at, io);
                port.waiting_of(class)
            }
        }
    }

    /// When the port next has to choose a cell; [`Time::MAX`] for one that knows on arrival.
    #[inline]
    pub fn next_service(&self) -> Time {
        match self {
            Self::Ringless(_) | Self::Fifo(_) => Time::MAX,
            Self::Priority(port) => port.next_service(),
        }
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time, io: &mut Io) {
        while self.next_sample() <= at {
            let due = self.next_sample();
            self.bring_to(due, Class::default(), io);
            self.sample(due);
        }
    }

    /// Cells that have not been put on the link.
    pub fn held(&self) -> Vec<Cell> {
        match self {
            Self::Ringless(_) | Self::Fifo(_) => Vec::new(),
            Self::Priority(port) => port.held(),
        }
    }

    delegate! { [Ringless, Fifo, Priority]
        pub(super) fn plan(&self) -> &PortPlan;

        /// A cell or packet of the VC at `slot` arrives at the queue at `cell.at`. The port without
        /// a ring is part of the loop over cells; the others, which need many registers, are called.
        #[inline(always)]
        pub fn on_arrival(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io);

        /// What is in the memory that ports share, as of the last release or admission: how many
        /// cells or packets and, if accounts are kept, of how many VCs. A class with a buffer of
        /// its own has nothing there.
        #[inline]
        pub fn shared(&self) -> (u64, u64);

        /// When the next one leaves the buffer.
        pub fn next_release(&self) -> Time;

        /// When the next grid sample is due.
        pub fn next_sample(&self) -> Time;

        /// Takes the grid samples that are due at `due`, to which everything is done.
        fn sample(&mut self, due: Time);

        /// Reports the counters at `at`.
        pub fn report(&mut self, at: Time, ledger: &mut Ledger);

        /// Forgets the extremes seen so far.
        pub fn begin_measurement(&mut self, at: Time);

        /// The queue series that were recorded.
        pub fn take_series(&mut self) -> Vec<Series>;
    }
}

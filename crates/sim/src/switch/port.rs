//! Output ports: the common part of all ports, whatever their order of service.

use super::accounts::Accounts;
use super::drop::{DropPolicy, Policy};
use super::ports::Pool;
use super::scheduler::{AckFilter, FifoPort, PriorityPort, RinglessPort, RunsPort, Scheduler};
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
    /// Limit of this queue.
    PerPort(u64),
    /// Limit of each VC.
    PerVc(u64),
    /// Space that is left in the switch's [`Pool`].
    Shared,
}

variants! {
    /// Occupation of the buffer by the unit on the line.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum InService {
        /// A cell leaves the buffer when its last bit has been sent.
        Counted = "counted",
        /// A cell leaves the buffer when its first bit is sent.
        NotCounted = "not_counted",
    }
}

impl InService {
    /// Time from leaving the buffer to having left the line, for a unit that takes `on_line`.
    pub(super) fn after_buffer(self, on_line: Span) -> Span {
        match self {
            Self::Counted => Span::ZERO,
            Self::NotCounted => on_line,
        }
    }
}

/// Parts of a port.
#[derive(Debug)]
pub struct PortPlan {
    /// Index among all ports of the scenario.
    pub index: usize,
    /// The sending end of the link that it feeds.
    pub transmitter: Transmitter,
    /// Occupation of the buffer by the unit on the line.
    pub in_service: InService,
    /// VCs that pass, by slot.
    pub vcs: Vec<u32>,
    /// One queue for each class that passes, first served first.
    pub queues: Vec<QueuePlan>,
    /// Recorder of all queues together, if there are several and it is wanted.
    pub recorder: Option<Box<QueueRecorder>>,
}

/// One queue of a port.
#[derive(Debug)]
pub struct QueuePlan {
    /// Class of its cells.
    pub class: Class,
    /// Buffer size.
    pub buffer: BufferSize,
    /// Drop policy.
    pub policy: Policy,
    /// Scheduler; `None` for first in, first out.
    pub scheduler: Option<Scheduler>,
    /// Filter of ACKs that wait.
    pub ack_filter: AckFilter,
    /// Recorder of this queue, if it is wanted.
    pub recorder: Option<Box<QueueRecorder>>,
    /// True if a guaranteed VC passes the port: the counters of its VCs are reported in any case.
    pub has_guaranteed: bool,
    /// Recorders of the cells of single VCs, by slot; empty if they are not wanted.
    pub vc_recorders: Vec<Option<Recorder>>,
}

impl QueuePlan {
    /// Makes the accounts of single VCs, if anything reads them.
    pub(super) fn take_accounts(&mut self, vcs: usize) -> Accounts {
        let is_buffer_per_vc = matches!(self.buffer, BufferSize::PerVc(_));
        let are_told = is_buffer_per_vc || self.has_guaranteed || self.policy.needs().accounts;
        Accounts::of_queue(vcs, are_told, std::mem::take(&mut self.vc_recorders))
    }
}

/// An output port, dispatched statically. Ports of one class are stored in the list itself:
/// following a pointer costs time for every cell.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "the large ones are the frequent ones")]
pub enum Port {
    /// One class of equal cells, first in, first out, where single cells are not followed.
    Ringless(RinglessPort),
    /// One class of packets, likewise.
    Runs(RunsPort),
    /// One class: first in, first out.
    Fifo(FifoPort),
    /// Several classes, in strict priority, a queue for each VC, a filter of ACKs, or a policy that
    /// judges dequeues.
    Priority(Box<PriorityPort>),
}

impl Port {
    /// Makes an empty port.
    pub fn new(mut plan: PortPlan, classes: &[Class]) -> Self {
        let is_served = |queue: &QueuePlan| {
            queue.scheduler.is_some()
                || queue.policy.needs().dequeues
                || queue.ack_filter != AckFilter::None
        };
        if plan.queues.len() > 1 || plan.queues.iter().any(is_served) {
            return Self::Priority(Box::new(PriorityPort::new(plan, classes)));
        }
        let queue = plan.queues.pop().expect("the builder gives every port a queue");
        if let Some(measures) = RinglessPort::measures(&plan, &queue) {
            Self::Ringless(RinglessPort::new(plan, measures, queue))
        } else if let Some(size) = RunsPort::size(&plan, &queue) {
            Self::Runs(RunsPort::new(plan, size, queue))
        } else {
            Self::Fifo(FifoPort::new(plan, queue))
        }
    }

    /// True if trains may arrive, which it may split: its units are cells.
    pub fn takes_trains(&self) -> bool {
        !matches!(self, Self::Priority(_)) && self.transmitter().transmission().is_of_cells()
    }

    /// Sending end of the link.
    pub fn transmitter(&self) -> &Transmitter {
        &self.plan().transmitter
    }

    /// Occupancy of shared memory up to which every arrival is admitted.
    pub fn admits_up_to(&self) -> u64 {
        match self {
            Self::Ringless(port) => port.admits_up_to(),
            Self::Fifo(port) => port.admits_up_to(),
            Self::Runs(_) => u64::MAX,
            Self::Priority(_) => 0,
        }
    }

    /// Does everything that is due by `at`. Returns the number of cells of the class that then
    /// wait.
    #[inline]
    pub fn advance_to(&mut self, at: Time, class: Class, io: &mut Io) -> u64 {
        match self {
            Self::Ringless(port) => port.release_until(at),
            Self::Runs(port) => port.release_until(at),
            Self::Fifo(port) => port.release_until(at),
            Self::Priority(port) => {
                port.serve(at, io);
                port.waiting_of(class)
            }
        }
    }

    /// Instant at which the port next chooses a cell; [`Time::MAX`] if departures are known on
    /// arrival.
    #[inline]
    pub fn next_service(&self) -> Time {
        match self {
            Self::Ringless(_) | Self::Runs(_) | Self::Fifo(_) => Time::MAX,
            Self::Priority(port) => port.next_service(),
        }
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time, io: &mut Io) {
        while self.next_sample() <= at {
            let due = self.next_sample();
            self.advance_to(due, Class::default(), io);
            self.sample(due);
        }
    }

    /// Cells that have not been put on the link.
    pub fn held(&self) -> Vec<Cell> {
        match self {
            Self::Ringless(_) | Self::Runs(_) | Self::Fifo(_) => Vec::new(),
            Self::Priority(port) => port.held(),
        }
    }

    /// Parts of the port.
    pub fn plan(&self) -> &PortPlan {
        match self {
            Self::Ringless(port) => &port.plan,
            Self::Runs(port) => &port.plan,
            Self::Fifo(port) => &port.plan,
            Self::Priority(port) => &port.plan,
        }
    }

    delegate! { [Ringless, Runs, Fifo, Priority]
        /// A cell or packet of the VC at `slot` arrives at the queue at `cell.at`. Ports without a
        /// ring of single ones are inlined in the loop over cells; the others need many registers
        /// and are called.
        #[inline(always)]
        pub fn on_arrival(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io);

        /// Number of its cells or packets in the memory that ports share and, if accounts are kept,
        /// of their VCs, as of the last release or admission. A class with a buffer of its own has
        /// none there.
        #[inline]
        pub fn shared(&self) -> (u64, u64);

        /// Instant at which the next one leaves the buffer.
        pub fn next_release(&self) -> Time;

        /// Instant at which the next grid sample is due.
        pub fn next_sample(&self) -> Time;

        /// Takes the grid samples that are due at `due`, when everything up to then is done.
        fn sample(&mut self, due: Time);

        /// Reports the counters at `at`.
        pub fn report(&mut self, at: Time, ledger: &mut Ledger);

        /// Forgets the extremes seen so far.
        pub fn begin_measurement(&mut self, at: Time);

        /// The queue series that were recorded.
        pub fn take_series(&mut self) -> Vec<Series>;
    }
}

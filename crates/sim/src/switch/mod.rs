//! A switch: input links merged in time order, a routing table, and output ports with queues,
//! buffers and allocators of rates.
//!
//! The fixed processing delay of a switch is part of the lookahead of its incoming links (the
//! builder adds it there): a cell that is handled here has passed the fabric and
//! arrives at its output queue.

mod accounts;
mod buffer;
mod drop;
mod merger;
mod merging;
mod policer;
mod port;
mod ports;
pub mod rate;
mod routes;
mod scheduler;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::atm::Class;
use crate::engine::{InPort, Io, LinkId, Node, Tournament};
use crate::pdu::{Cell, ContentId, Direction};
use crate::result::{Ledger, Series};
use crate::units::{Span, Time};
use merging::Mergers;
use rate::{Allocation, InRate, RateAllocator};

pub use accounts::Accounts;
pub(crate) use buffer::CLASS_BUFFER;
pub(crate) use buffer::Sent;
pub use buffer::{Buffer, Room};
pub use drop::*;
pub use policer::{CircuitPlan, NonConforming, Policer};
pub use port::{BufferSize, InService, Port, PortPlan, QueuePlan};
pub use ports::{Pool, Ports};
pub use routes::{Route, Routes};
pub use scheduler::{
    AckFilter, DrrPlan, DrrShare, Scheduler, SchedulerPlan, SchedulerSite, TwoQueuesPlan, WfqPlan,
};

/// Components of a switch, or of a part of one that does not touch the others.
#[derive(Debug)]
pub struct SwitchPlan {
    /// Incoming links.
    pub inputs: Vec<LinkId>,
    /// Routes of the VCs of the whole switch; ports are those of the VC's part. The two directions
    /// of a connection have an even number and the next.
    pub routes: Arc<Routes>,
    /// Output ports.
    pub ports: Ports,
    /// Allocator of ABR rates by port, if ABR VCs pass and the switch has one; empty if no port
    /// has.
    pub allocations: Vec<Option<Allocation>>,
    /// Policer of the GFR VCs whose first switch this is, if there are any.
    pub policer: Option<Box<Policer>>,
}

/// An ATM switch or a packet router, or a part of one: a node with all ports that depend on each
/// other.
#[derive(Debug)]
pub struct Switch {
    plan: SwitchPlan,
    heads: Tournament,
    /// Instant at which each port next chooses a cell.
    services: Tournament,
    /// End of the measuring interval of each port's allocator.
    intervals: Tournament,
    next_sample: Time,
    /// Instant before which no interval and no sample of the switch is due.
    next_due: Time,
    /// True if its cells meet nothing but ports that send them at once, each with a buffer of its
    /// own.
    is_plain: bool,
    /// Trains that arrive for the outputs; `None` if no incoming link carries trains.
    mergers: Option<Box<Mergers>>,
}

impl Switch {
    /// A switch at time zero.
    pub fn new(plan: SwitchPlan) -> Self {
        let is_plain = plan.policer.is_none()
            && plan.allocations.is_empty()
            && !plan.ports.share_memory()
            && plan.ports.all().iter().all(|port| !matches!(port, Port::Priority(_)));
        let mut switch = Self {
            is_plain,
            heads: Tournament::new(plan.inputs.len()),
            services: Tournament::new(plan.ports.all().len()),
            intervals: Tournament::new(plan.ports.all().len()),
            plan,
            mergers: None,
            next_sample: Time::MAX,
            next_due: Time::ZERO,
        };
        for index in 0..switch.plan.allocations.len() {
            switch.note_interval(index);
        }
        switch.next_sample = switch.find_next_sample();
        switch
    }

    /// Brings time averages exactly to `at`, with the samples due by then, and reports the
    /// counters.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io) {
        self.catch_up(at, io);
        let allocations = &self.plan.allocations;
        self.plan.ports.for_each(|index, port| {
            port.report(at, ledger);
            if let Some(Some(allocation)) = allocations.get(index) {
                ledger.ports[port.plan().index].allocation = allocation.counters();
            }
        });
        if let Some(policer) = &self.plan.policer {
            policer.report(ledger);
        }
    }

    /// Forgets the extremes seen so far, at the end of the warm-up.
    pub fn begin_measurement(&mut self, at: Time) {
        self.plan.ports.for_each(|_, port| port.begin_measurement(at));
    }

    /// The series recorded at the ports, each with the index of its port among all; those of
    /// allocators, which are in whole switches alone, come last.
    pub fn take_series(&mut self) -> Vec<(usize, Series)> {
        let mut series = Vec::new();
        let mut last = 0;
        self.plan.ports.for_each(|_, port| {
            last = port.plan().index;
            series.extend(port.take_series().into_iter().map(|one| (last, one)));
        });
        let allocations = self.plan.allocations.iter_mut().flatten();
        series.extend(allocations.flat_map(Allocation::take_series).map(|one| (last, one)));
        series
    }

    /// Cells that wait at ports and have not been put on a link.
    pub fn held(&self) -> impl Iterator<Item = Cell> {
        self.plan.ports.all().iter().flat_map(Port::held)
    }

    /// Forwards the cells that arrive before `until`, or fewer if they count as steps and the run
    /// should report. Returns the instant before which all are forwarded.
    #[inline(never)]
    fn forward_all<const COUNTS: bool, const IS_PLAIN: bool>(
        &mut self,
        mut until: Time,
        io: &mut Io,
    ) -> Time {
        let mut previous = usize::MAX;
        let mut steps = io.steps_left;
        loop {
            let (at, input) = self.heads.min();
            if at >= until {
                break;
            }
            if COUNTS && steps == 0 {
                until = at;
                break;
            }
            // An input that wins twice in a row has a burst, whose end is worth computing. Where
            // inputs alternate cell by cell, that would cost more than it saves.
            let is_burst = input == previous;
            let end = if is_burst { until.min(self.heads.wins_until(input)) } else { at };
            let link = self.plan.inputs[input];
            let before = if COUNTS && is_burst { io.incoming(link).taken_alone() } else { 0 };
            let next = self.forward::<IS_PLAIN>(input, end, io);
            if COUNTS {
                let taken = if is_burst { io.incoming(link).taken_alone() - before } else { 1 };
                steps = steps.saturating_sub(taken as u32);
            }
            self.heads.set(input, next);
            previous = input;
        }
        if COUNTS {
            io.steps_left = steps;
        }
        until
    }

    /// Forwards the cells that arrive at `input` before `until`, the first in any case. Returns the
    /// arrival of the next one there.
    #[expect(clippy::inline_always, reason = "the loop over cells")]
    #[inline(always)]
    fn forward<const IS_PLAIN: bool>(&mut self, input: usize, until: Time, io: &mut Io) -> Time {
        let incoming = self.plan.inputs[input];
        loop {
            let link = io.incoming(incoming);
            let Some(mut cell) = link.take_alone() else { return Time::MAX };
            let next = link.head_alone();
            if !IS_PLAIN
                && let Some(policer) = &mut self.plan.policer
                && !policer.admits(&mut cell, io)
            {
                if next >= until {
                    return next;
                }
                continue;
            }
            if cell.at >= self.next_due {
                self.catch_up(cell.at, io);
            }
            let route = self.plan.routes.at(cell.head.vc());
            let index = route.port as usize;
            if IS_PLAIN {
                self.plan.ports.on_arrival_alone(index, cell, route.slot, io);
            } else {
                if !self.plan.allocations.is_empty() {
                    self.allocate(&mut cell, route, io);
                }
                self.plan.ports.on_arrival(index, cell, route.slot, io);
                // A port that was served since keeps an earlier time, which `serve` corrects.
                if let Port::Priority(port) = &self.plan.ports.all()[index] {
                    self.services.lower(index, port.next_service());
                }
            }
            if next >= until {
                return next;
            }
        }
    }

    /// Applies the allocators to a cell: it is measured at its output, a backward RM cell takes the
    /// feedback of the output of its VC's other direction, and data may be marked.
    #[expect(clippy::inline_always, reason = "the loop over cells; it has two callers")]
    #[inline(always)]
    fn allocate(&mut self, cell: &mut Cell, route: Route, io: &mut Io) {
        let kind = if cell.head.is_rm() { self.on_rm(*cell, route, io) } else { InRate::Data };
        let index = route.port as usize;
        let Some(Allocation { allocator, .. }) = &mut self.plan.allocations[index] else { return };
        match route.class {
            Class::Vbr => allocator.on_higher_priority_cell(),
            Class::Abr if !cell.head.is_low_priority() => {
                if let rate::Allocator::Efci(efci) = allocator {
                    let queue = self.plan.ports.advance_to(index, cell.at, Class::Abr, io);
                    if !cell.head.is_rm() && efci.marks_data(queue) {
                        cell.head = cell.head.with_efci();
                    }
                } else if allocator.on_cell(route.slot, kind, cell.at) {
                    self.end_interval(index, cell.at, io);
                }
            }
            Class::Abr | Class::Ubr => {}
        }
    }

    fn on_rm(&mut self, cell: Cell, route: Route, io: &mut Io) -> InRate {
        let mut rm = *io.rm_cells.look(ContentId(cell.head.tag()));
        let (kind, measured) = match rm.direction {
            Direction::Forward => (InRate::ForwardRm, route),
            Direction::Backward => (InRate::BackwardRm, self.plan.routes.at(cell.head.vc() ^ 1)),
        };
        let index = measured.port as usize;
        let Some(allocation) = &mut self.plan.allocations[index] else { return kind };
        match rm.direction {
            Direction::Forward => allocation.allocator.on_forward_rm(measured.slot, &rm),
            Direction::Backward => {
                let queue = self.plan.ports.advance_to(index, cell.at, Class::Abr, io);
                allocation.allocator.on_backward_rm(measured.slot, queue, &mut rm);
                allocation.note_feedback(cell.at);
                *io.rm_cells.look_mut(ContentId(cell.head.tag())) = rm;
            }
        }
        kind
    }

    /// Serves every port whose line takes a waiting cell before `until`, after all arrivals before
    /// that.
    #[inline]
    fn serve(&mut self, until: Time, io: &mut Io) {
        let last = until - Span::from_picoseconds(1);
        if self.next_due <= last {
            self.catch_up(last, io);
        }
        loop {
            let (at, index) = self.services.min();
            if at >= until {
                return;
            }
            self.plan.ports.advance_to(index, last, Class::default(), io);
            self.services.set(index, self.plan.ports.all()[index].next_service());
        }
    }

    /// Ends the intervals and takes the samples that are due by `at`, in order, each with the
    /// queues of its instant: a port cannot tell its queue of an earlier instant. At one instant
    /// measuring intervals end first.
    #[cold]
    fn catch_up(&mut self, at: Time, io: &mut Io) {
        loop {
            let (end, index) = self.intervals.min();
            self.next_due = end.min(self.next_sample);
            if self.next_due > at {
                break;
            }
            if end <= self.next_sample {
                self.end_interval(index, end, io);
            } else {
                self.sample(self.next_sample, io);
            }
        }
    }

    #[cold]
    fn end_interval(&mut self, index: usize, end: Time, io: &mut Io) {
        let queue = self.plan.ports.advance_to(index, end, Class::Abr, io);
        self.services.lower(index, self.plan.ports.all()[index].next_service());
        if let Some(allocation) = &mut self.plan.allocations[index] {
            allocation.end_interval(end, queue);
        }
        self.note_interval(index);
    }

    fn note_interval(&mut self, index: usize) {
        let allocation = self.plan.allocations[index].as_ref();
        let end = allocation.map_or(Time::MAX, |allocation| allocation.allocator.interval_end());
        self.intervals.set(index, end);
    }

    /// Takes the grid samples that are due at `due`.
    fn sample(&mut self, due: Time, io: &mut Io) {
        self.plan.ports.for_each(|index, port| {
            port.sample_through(due, io);
            self.services.set(index, port.next_service());
        });
        for allocation in self.plan.allocations.iter_mut().flatten() {
            allocation.sample(due);
        }
        self.next_sample = self.find_next_sample();
    }

    fn find_next_sample(&self) -> Time {
        let ports = self.plan.ports.all().iter().map(Port::next_sample);
        let allocations = self.plan.allocations.iter().flatten().map(Allocation::next_sample);
        ports.chain(allocations).min().unwrap_or(Time::MAX)
    }
}

impl Node for Switch {
    fn next_event(&self) -> Time {
        let begun = self.mergers.as_ref().map_or(Time::MAX, |mergers| mergers.next());
        self.heads.min().0.min(self.services.min().0).min(begun)
    }

    fn next_end(&self) -> Time {
        let begun = self.mergers.as_ref().map_or(Time::MAX, |mergers| mergers.next_end());
        self.services.min().0.min(begun)
    }

    fn on_head(&mut self, port: InPort, at: Time) {
        self.heads.lower(port.0 as usize, at);
    }

    fn advance(&mut self, until: Time, io: &mut Io) -> Time {
        if self.mergers.is_some() {
            self.forward_trains(until, io);
            return self.next_event();
        }
        let until = match (io.counts_cells, self.is_plain) {
            (true, true) => self.forward_all::<true, true>(until, io),
            (true, false) => self.forward_all::<true, false>(until, io),
            (false, true) => self.forward_all::<false, true>(until, io),
            (false, false) => self.forward_all::<false, false>(until, io),
        };
        self.serve(until, io);
        self.next_event()
    }
}

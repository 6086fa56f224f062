//! A switch: input links merged in time order, a routing table, and output ports with buffers.
//!
//! The fixed processing delay of a switch is part of the lookahead of its incoming links (the builder adds it there):
//! a cell that is handled here has been through the fabric and stands before its output queue.

mod drop;
mod pool;
mod port;

use crate::engine::{InPort, Io, LinkId, Node, Tournament};
use crate::result::{Ledger, Series};
use crate::units::Time;

pub use drop::{DropPolicy, Epd, Policy, Ppd, QueueState, Tail, Verdict};
pub use pool::Pool;
pub use port::{InService, Port, PortPlan, PortRoom, Transmission};

/// Where the cells of a VC go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Route {
    /// Output port.
    pub port: u32,
    /// The VC's own place in that port's per-VC state.
    pub slot: u32,
}

/// An ATM switch or a packet router: one node with all its ports.
#[derive(Debug)]
pub struct Switch {
    inputs: Vec<LinkId>,
    heads: Tournament,
    /// By VC.
    routes: Vec<Route>,
    ports: Vec<Port>,
    pool: Option<Pool>,
    next_sample: Time,
}

impl Switch {
    /// `routes` is indexed by VC; `pool` is the shared memory, if the ports share one.
    pub fn new(inputs: Vec<LinkId>, routes: Vec<Route>, ports: Vec<Port>, pool: Option<Pool>) -> Self {
        let heads = Tournament::new(inputs.len());
        let next_sample = ports.iter().map(Port::next_sample).min().unwrap_or(Time::MAX);
        Self { inputs, heads, routes, ports, pool, next_sample }
    }

    /// Brings time averages and samples exactly to `at` and reports the counters.
    pub fn settle(&mut self, at: Time, ledger: &mut Ledger) {
        self.sample_through(at);
        for port in &mut self.ports {
            port.settle(at, ledger);
        }
        self.recount();
    }

    /// Forgets the extremes seen so far: the warm-up is over.
    pub fn begin_measurement(&mut self, at: Time) {
        for port in &mut self.ports {
            port.begin_measurement(at);
        }
        self.recount();
    }

    /// The series recorded at the ports.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.ports.iter_mut().filter_map(Port::take_series).collect()
    }

    /// Forwards the cells that come in at `input` before `until`, the first in any case; when the next one comes in there.
    #[inline]
    fn forward(&mut self, input: usize, until: Time, io: &mut Io<'_>) -> Time {
        let incoming = self.inputs[input];
        loop {
            let link = io.incoming(incoming);
            let Some(cell) = link.take() else { return Time::MAX };
            let next = link.head();
            if cell.at >= self.next_sample {
                self.sample_through(cell.at);
            }
            let route = self.routes[cell.head.vc() as usize];
            let index = route.port as usize;
            if let Some(pool) = &mut self.pool {
                pool.release_until(cell.at, &mut self.ports);
            }
            self.ports[index].on_arrival(cell, route.slot, self.pool.as_ref(), io);
            if let Some(pool) = &mut self.pool {
                pool.note(index, &self.ports[index]);
            }
            if next >= until {
                return next;
            }
        }
    }

    /// Takes every grid sample that is due by `at`.
    #[cold]
    fn sample_through(&mut self, at: Time) {
        for port in &mut self.ports {
            port.sample_through(at);
        }
        self.next_sample = self.ports.iter().map(Port::next_sample).min().unwrap_or(Time::MAX);
        self.recount();
    }

    /// Ports were brought up to date outside [`forward`](Self::forward): the shared memory follows.
    fn recount(&mut self) {
        if let Some(pool) = &mut self.pool {
            for (index, port) in self.ports.iter().enumerate() {
                pool.note(index, port);
            }
        }
    }
}

impl Node for Switch {
    fn next_event(&self) -> Time {
        self.heads.min().0
    }

    fn on_head(&mut self, port: InPort, at: Time) {
        self.heads.set(port.0 as usize, at);
    }

    fn advance(&mut self, until: Time, io: &mut Io<'_>) {
        let mut previous = usize::MAX;
        loop {
            let (at, input) = self.heads.min();
            if at >= until {
                return;
            }
            // An input that wins twice running has a burst: how long it goes on winning is worth finding out. Where
            // inputs alternate cell by cell, asking would cost more than it saves.
            let give_way = if input == previous { until.min(self.heads.reign(input)) } else { at };
            let next = self.forward(input, give_way, io);
            self.heads.set(input, next);
            previous = input;
        }
    }
}

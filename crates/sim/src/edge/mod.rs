//! An edge: a router between links of packets and links of cells, where virtual circuits originate
//! and terminate.
//!
//! A packet that leaves by a link of cells is put into an AAL5 frame and handed to the interface
//! there, whose shapers hold its circuit's cells. A frame that arrives complete becomes a packet
//! again. A circuit may carry the frames of many flows: a packet takes the route of its flow,
//! whatever circuit it arrived in. RM cells terminate here and are returned by the other direction
//! of their circuit, as at a host.
//!
//! At one instant cells leave the shapers first, then arrivals are processed, by input; packets
//! that wait at an output leave before either. The fixed processing delay is part of the incoming
//! links, as a switch's is.

mod route;

use crate::atm::{Class, Reassembled};
use crate::engine::{InPort, Io, LinkId, Node, Tournament};
use crate::host::{Attachment, Origin, Terminations};
use crate::pdu::{Cell, ContentId, Frame};
use crate::result::{Ledger, Series};
use crate::switch::{Port, Ports};
use crate::units::{Span, Time};

pub use route::{Output, Route};

/// Parts of an edge.
#[derive(Debug)]
pub struct EdgePlan {
    /// Incoming links, VCs that terminate here, also those of packets that become cells, and
    /// interfaces onto links of cells.
    pub attachment: Attachment,
    /// Routes of the flows that pass, in order of their directions.
    pub routes: Vec<(u32, Route)>,
    /// Origins of the VCs that originate here.
    pub origins: Vec<Origin>,
    /// Outputs onto links of packets.
    pub ports: Ports,
    /// Index of the first port of the edge among all ports.
    pub first_port: usize,
}

/// An edge, or a part of one: a node with all outputs that depend on each other.
#[derive(Debug)]
pub struct Edge {
    plan: EdgePlan,
    /// Instant at which each output for packets next chooses one.
    services: Tournament,
    next_sample: Time,
}

impl Edge {
    /// An edge at time zero.
    pub fn new(plan: EdgePlan) -> Self {
        let services = Tournament::new(plan.ports.all().len());
        Self { services, next_sample: next_sample(&plan), plan }
    }

    /// Takes due samples and reports the counters as they are at `at`.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io) {
        self.sample_through(at, io);
        // Before the interfaces, which alone know the RM cells that ABR sources send.
        self.plan.origins.iter().for_each(|origin| origin.report(ledger));
        self.plan.attachment.report(at, ledger, io);
        self.plan.ports.for_each(|_, port| port.report(at, ledger));
    }

    /// Links that it may send trains onto.
    pub fn sends_trains_onto(&self) -> impl Iterator<Item = LinkId> {
        self.plan.attachment.nics.sends_trains_onto()
    }

    /// Frames that an interface holds back.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.plan.attachment.nics.frames()
    }

    /// Forgets the extremes seen so far, at the end of the warm-up.
    pub fn begin_measurement(&mut self, at: Time) {
        self.plan.ports.for_each(|_, port| port.begin_measurement(at));
        self.plan.attachment.nics.begin_measurement();
    }

    /// The series recorded at the outputs, each with the index of its port among all, and last
    /// those at the sources of ABR VCs.
    pub fn take_series(&mut self) -> Vec<(usize, Series)> {
        let mut series = Vec::new();
        let mut last = self.plan.first_port;
        self.plan.ports.for_each(|_, port| {
            last = port.plan().index;
            series.extend(port.take_series().into_iter().map(|one| (last, one)));
        });
        series.extend(self.plan.attachment.nics.take_series().map(|one| (last, one)));
        series
    }

    /// Packets that wait at outputs and are not on a link yet.
    pub fn held(&self) -> impl Iterator<Item = Cell> {
        self.plan.ports.all().iter().flat_map(Port::held)
    }

    /// Sends cells that leave a shaper, up to the next arrival; at least those that leave at `at`.
    fn on_shaper(&mut self, at: Time, until: Time, io: &mut Io) {
        let waited = self.plan.attachment.serve(at, until, io);
        debug_assert!(waited.is_none(), "no connection waits at an edge");
    }

    /// Takes arrivals from one link, up to the next other event, the end of a frame or an RM cell.
    fn on_arrival(&mut self, until: Time, io: &mut Io) {
        if let Some(cell) = self.plan.attachment.receive(until, io, Terminations::find) {
            self.on_frame(cell, io);
        }
    }

    /// Takes a packet, or the last cell of a frame.
    fn on_frame(&mut self, cell: Cell, io: &mut Io) {
        let mut frame = io.frames.take(ContentId(cell.head.tag()));
        if let Some(termination) = self.plan.attachment.terminations.find(cell) {
            if termination.on_end(cell.head, &mut frame) == Reassembled::Broken {
                io.note_broken(cell, &frame);
                return;
            }
        } else if cell.head.is_marked() {
            frame.segment.take_marks(cell.head);
        }
        let place =
            self.plan.routes.binary_search_by_key(&frame.direction, |(direction, _)| *direction);
        let (_, route) = self.plan.routes[place.expect("every flow that passes has a route")];
        match route.output {
            Output::Cells { nic } => {
                let nic = &mut self.plan.attachment.nics.all[nic];
                let frame = route.frame(frame, nic.cells_of(frame.bytes), &mut self.plan.origins);
                nic.send_frame(cell.at, route.vc, frame, io);
            }
            Output::Packets { port, slot } => {
                let frame = route.frame(frame, 1, &mut self.plan.origins);
                self.plan.ports.on_arrival(port, route.packet(cell.at, frame, io), slot, io);
                if let Port::Priority(served) = &self.plan.ports.all()[port] {
                    self.services.set(port, served.next_service());
                }
            }
        }
    }

    /// Serves every output for packets whose line takes a waiting one before `until`, after all
    /// arrivals before that.
    #[cold]
    fn serve(&mut self, until: Time, io: &mut Io) {
        let last = until - Span::from_picoseconds(1);
        if self.next_sample <= last {
            self.sample_through(last, io);
        }
        loop {
            let (at, port) = self.services.min();
            if at >= until {
                return;
            }
            self.plan.ports.advance_to(port, last, Class::default(), io);
            self.services.set(port, self.plan.ports.all()[port].next_service());
        }
    }

    #[cold]
    fn sample_through(&mut self, at: Time, io: &mut Io) {
        self.plan.ports.for_each(|port, one| {
            one.sample_through(at, io);
            self.services.set(port, one.next_service());
        });
        self.plan.attachment.nics.sample_through(at);
        self.next_sample = next_sample(&self.plan);
    }
}

fn next_sample(plan: &EdgePlan) -> Time {
    let ports = plan.ports.all().iter().map(Port::next_sample).min().unwrap_or(Time::MAX);
    ports.min(plan.attachment.nics.next_sample())
}

impl Node for Edge {
    fn next_event(&self) -> Time {
        self.plan.attachment.inputs.next().min(self.next_end())
    }

    fn next_end(&self) -> Time {
        self.plan.attachment.nics.next_held().min(self.services.min().0)
    }

    fn on_head(&mut self, port: InPort, at: Time) {
        self.plan.attachment.inputs.on_head(port, at);
    }

    fn advance(&mut self, mut until: Time, io: &mut Io) -> Time {
        loop {
            let (arrival, shaped) =
                (self.plan.attachment.inputs.next(), self.plan.attachment.nics.next_held());
            let at = arrival.min(shaped);
            if at >= until {
                break;
            }
            if io.ends_turn() {
                until = at;
                break;
            }
            if at >= self.next_sample {
                self.sample_through(at, io);
            }
            // A burst ends where a sample is due: later cells are not in the sample.
            let until = until.min(self.next_sample);
            if shaped <= arrival {
                self.on_shaper(at, until, io);
            } else {
                self.on_arrival(until, io);
            }
        }
        if self.services.min().0 < until {
            self.serve(until, io);
        }
        self.next_event()
    }
}

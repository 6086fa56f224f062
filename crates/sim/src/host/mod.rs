//! A host: its flows' TCP connections, one CPU, segmentation and reassembly, and a network interface — one node.
//!
//! Data goes down: connection, CPU, SAR, interface; and up: link, reassembly, SAR, CPU, connection. The CPU serves one
//! segment after the other in the order in which work arrives, both ways together. At one instant: frames that leave
//! the CPU, then timers, then segments that the CPU has finished, then raw cell sources, then arriving cells.
//! Reordering these changes results.

mod cpu;
mod endpoint;
mod nic;
mod shaper;

use crate::atm::{Reassembled, Reassembly};
use crate::engine::{Fifo, Frame, FrameId, InPort, Io, LinkId, Node, Tournament};
use crate::result::{Ledger, Series};
use crate::tcp::Segment;
use crate::traffic::CellSource;
use crate::units::{Span, Time};

pub use cpu::{AckCost, Processing, Sar, Server};
pub use endpoint::{Application, Endpoint, Probes};
pub use nic::{FifoNic, Line, Nic, Pacer};
pub use shaper::ShapedNic;

/// The end of a VC that comes in.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// The VC, by its number in the scenario.
    pub vc: u32,
    /// The connection that its segments go to; `None`: a sink of raw cells.
    pub endpoint: Option<u32>,
    reassembly: Reassembly,
    cells: u64,
    whole: u64,
    broken: u64,
}

impl Terminal {
    /// Nothing received yet.
    pub fn new(vc: u32, endpoint: Option<u32>) -> Self {
        Self { vc, endpoint, reassembly: Reassembly::default(), cells: 0, whole: 0, broken: 0 }
    }
}

/// Everything a host is made from.
#[derive(Debug)]
pub struct HostPlan {
    /// Incoming links.
    pub inputs: Vec<LinkId>,
    /// Which of `terminals` a VC ends in, by VC; shared by all hosts, since a VC ends once.
    pub terminal_of_vc: std::sync::Arc<[u32]>,
    /// VCs that end here.
    pub terminals: Vec<Terminal>,
    /// TCP connections that live here.
    pub endpoints: Vec<Endpoint>,
    /// Sources of raw cells.
    pub sources: Vec<CellSource>,
    /// Interfaces, one per outgoing link.
    pub nics: Vec<Nic>,
    /// CPU and SAR times.
    pub processing: Processing,
}

/// A host.
#[derive(Debug)]
pub struct Host {
    plan: HostPlan,
    heads: Tournament,
    timers: Tournament,
    emissions: Tournament,
    cpu: Server,
    sar_in: Server,
    sar_out: Server,
    /// Received segments, in the order in which the CPU finishes them.
    finished: Fifo<Finished>,
    /// Segments to send, in the order in which they leave the CPU.
    created: Fifo<Created>,
    next_sample: Time,
}

#[derive(Clone, Copy, Debug, Default)]
struct Finished {
    at: Time,
    endpoint: u32,
    segment: Segment,
}

#[derive(Clone, Copy, Debug, Default)]
struct Created {
    at: Time,
    endpoint: u32,
    segment: Segment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Departure,
    Timer,
    Work,
    Emission,
    Shaper,
    Arrival,
}

impl Host {
    /// A host at time zero.
    pub fn new(plan: HostPlan) -> Self {
        let mut timers = Tournament::new(plan.endpoints.len());
        for (index, endpoint) in plan.endpoints.iter().enumerate() {
            timers.set(index, endpoint.deadline());
        }
        let mut emissions = Tournament::new(plan.sources.len());
        for (index, source) in plan.sources.iter().enumerate() {
            emissions.set(index, source.next());
        }
        let next_sample = next_sample(&plan.endpoints);
        Self {
            heads: Tournament::new(plan.inputs.len()),
            timers,
            emissions,
            cpu: Server::default(),
            sar_in: Server::default(),
            sar_out: Server::default(),
            finished: Fifo::default(),
            created: Fifo::default(),
            next_sample,
            plan,
        }
    }

    /// Takes due samples and reports the counters as they stand at `at`.
    pub fn settle(&mut self, at: Time, ledger: &mut Ledger) {
        self.sample_through(at);
        for endpoint in &self.plan.endpoints {
            endpoint.settle(ledger);
        }
        for source in &self.plan.sources {
            ledger.vcs[source.vc() as usize].sent = source.sent();
        }
        for nic in &self.plan.nics {
            nic.settle(ledger);
        }
        for terminal in &self.plan.terminals {
            let vc = &mut ledger.vcs[terminal.vc as usize];
            vc.delivered = terminal.cells;
            vc.frames_delivered = terminal.whole;
            vc.frames_broken = terminal.broken;
        }
    }

    /// The series recorded at the connections.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.plan.endpoints.iter_mut().flat_map(Endpoint::take_series).collect()
    }

    /// What happens next; the first of the list among equals.
    #[inline]
    fn next(&self) -> (Time, Event) {
        let candidates = [
            (self.created.front().map_or(Time::MAX, |created| created.at), Event::Departure),
            (self.timers.min().0, Event::Timer),
            (self.finished.front().map_or(Time::MAX, |finished| finished.at), Event::Work),
            (self.emissions.min().0, Event::Emission),
            (self.next_shaped(), Event::Shaper),
            (self.heads.min().0, Event::Arrival),
        ];
        let mut best = candidates[0];
        for candidate in &candidates[1..] {
            if candidate.0 < best.0 {
                best = *candidate;
            }
        }
        best
    }

    fn next_shaped(&self) -> Time {
        self.plan.nics.iter().map(Nic::next_event).min().unwrap_or(Time::MAX)
    }

    fn on_departure(&mut self, io: &mut Io<'_>) {
        if let Some(created) = self.created.pop() {
            self.hand_to_nic(created.at, created.endpoint, created.segment, io);
        }
    }

    fn on_timer(&mut self, io: &mut Io<'_>) {
        let (at, index) = self.timers.min();
        self.plan.endpoints[index].on_timer(at);
        self.drain(at, index as u32, io);
    }

    fn on_work(&mut self, io: &mut Io<'_>) {
        if let Some(work) = self.finished.pop() {
            self.plan.endpoints[work.endpoint as usize].connection.on_segment(work.at, &work.segment);
            self.drain(work.at, work.endpoint, io);
        }
    }

    /// Raw cells from one source, up to whatever comes first.
    fn on_emission(&mut self, until: Time, io: &mut Io<'_>) {
        let (_, index) = self.emissions.min();
        self.emissions.set(index, Time::MAX);
        let (others, _) = self.next();
        let source = &mut self.plan.sources[index];
        let nic = &mut self.plan.nics[source.nic()];
        let first = source.next();
        // At least one: another source due at the same instant has the next turn.
        while source.next() < until.min(others) || source.next() == first {
            nic.send_cell(source.emit(), source.vc(), io);
        }
        self.emissions.set(index, source.next());
    }

    /// Every cell that comes out of a shaper at `at`; one that is handed over later may still overtake the next.
    fn on_shaper(&mut self, at: Time, io: &mut Io<'_>) {
        for nic in &mut self.plan.nics {
            nic.serve(at + Span::from_picoseconds(1), io);
        }
    }

    /// Everything that a connection wants to send, and its next deadline.
    fn drain(&mut self, now: Time, endpoint: u32, io: &mut Io<'_>) {
        while let Some(segment) = self.plan.endpoints[endpoint as usize].poll_transmit(now) {
            let cost = self.plan.processing.of_sending(&segment);
            let at = if cost.is_zero() { now } else { self.cpu.serve(now, cost) };
            if at > now {
                self.created.push(Created { at, endpoint, segment });
            } else {
                self.hand_to_nic(now, endpoint, segment, io);
            }
        }
        let endpoint_state = &mut self.plan.endpoints[endpoint as usize];
        endpoint_state.note_change(now);
        self.timers.set(endpoint as usize, endpoint_state.deadline());
    }

    fn hand_to_nic(&mut self, at: Time, endpoint: u32, segment: Segment, io: &mut Io<'_>) {
        let endpoint = &mut self.plan.endpoints[endpoint as usize];
        let nic = &mut self.plan.nics[endpoint.nic];
        let bytes = segment.ip_bytes() as u32;
        let cells = nic.cells_of(bytes);
        let ready = self.sar_out.serve(at, self.plan.processing.of_sar(cells));
        let frame = Frame { number: endpoint.next_number(cells), cells, bytes, segment };
        nic.send_frame(ready, endpoint.vc, frame, io);
    }

    /// Cells from one link, up to whatever comes first or the end of a frame.
    fn on_arrival(&mut self, until: Time, io: &mut Io<'_>) {
        let (first, input) = self.heads.min();
        self.heads.set(input, Time::MAX);
        let (others, _) = self.next();
        let link = io.incoming(self.plan.inputs[input]);
        let mut ended = None;
        while link.head() < until.min(others) || link.head() == first {
            let Some(cell) = link.take() else { break };
            let index = self.plan.terminal_of_vc[cell.head.vc() as usize] as usize;
            let terminal = &mut self.plan.terminals[index];
            terminal.cells += 1;
            if cell.head.is_end_of_frame() {
                ended = Some((cell.at, index, FrameId(cell.head.tag())));
                break;
            }
            if terminal.endpoint.is_some() {
                terminal.reassembly.on_body(cell.head);
            }
        }
        self.heads.set(input, link.head());
        if let Some((at, terminal, frame)) = ended {
            let frame = io.frames.take(frame);
            self.on_frame(at, terminal, &frame);
        }
    }

    /// The last cell of a frame is in.
    fn on_frame(&mut self, at: Time, terminal: usize, frame: &Frame) {
        let terminal = &mut self.plan.terminals[terminal];
        let Some(endpoint) = terminal.endpoint else { return };
        if terminal.reassembly.on_end(frame) == Reassembled::Broken {
            terminal.broken += 1;
            return;
        }
        terminal.whole += 1;
        let reassembled = self.sar_in.serve(at, self.plan.processing.of_sar(frame.cells));
        let done = self.cpu.serve(reassembled, self.plan.processing.of_receiving());
        self.finished.push(Finished { at: done, endpoint, segment: frame.segment });
    }

    #[cold]
    fn sample_through(&mut self, at: Time) {
        for endpoint in &mut self.plan.endpoints {
            endpoint.sample_through(at);
        }
        self.next_sample = next_sample(&self.plan.endpoints);
    }
}

fn next_sample(endpoints: &[Endpoint]) -> Time {
    endpoints.iter().map(Endpoint::next_sample).min().unwrap_or(Time::MAX)
}

impl Node for Host {
    fn next_event(&self) -> Time {
        self.next().0
    }

    fn on_head(&mut self, port: InPort, at: Time) {
        self.heads.set(port.0 as usize, at);
    }

    fn advance(&mut self, until: Time, io: &mut Io<'_>) {
        loop {
            let (at, event) = self.next();
            if at >= until {
                return;
            }
            if at >= self.next_sample {
                self.sample_through(at);
            }
            match event {
                Event::Departure => self.on_departure(io),
                Event::Timer => self.on_timer(io),
                Event::Work => self.on_work(io),
                Event::Emission => self.on_emission(until, io),
                Event::Shaper => self.on_shaper(at, io),
                Event::Arrival => self.on_arrival(until, io),
            }
        }
    }
}

//! A host, which is one node: its flows' TCP connections, one CPU, segmentation and reassembly, and
//! a network interface.
//!
//! Data are sent by connection, CPU, SAR and interface, and received by link, SAR, CPU and
//! connection. The CPU serves one segment after the other, of both directions together, in the
//! order in which work arrives or with segments to be sent first ([`CpuOrder`]); SAR is a server of
//! its own in each direction. At one instant segments to be sent are moved first, beginning with
//! those nearest to the link. Then timers expire, and packets that a driver puts in are sent
//! ([`external`](ExternalEnd)). Then received segments are moved, those nearest to the connection
//! last. Then come raw cell sources, shapers, and arriving cells. Another order changes results.

mod abr_vc;
mod arrivals;
mod attachment;
mod coupled;
mod cpu;
mod datagrams;
mod endpoint;
mod external;
mod fellows;
mod inputs;
mod nic;
mod nics;
mod origin;
mod paced_vc;
mod path_windows;
mod probes;
mod raw_source;
mod receiving;
mod relays;
mod segmentation;
mod sending;
mod shaper;
mod stages;
mod tap;
mod termination;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{InPort, Io, LinkId, Node, Tournament};
use crate::pdu::{Cell, CellHead, FlowEnd, Frame, Packet, Train};
use crate::result::{Ledger, OnWay, Series};
use crate::units::{Span, Time};

pub use abr_vc::{AbrPlan, AbrVc};
pub use arrivals::{ArrivalProbe, Arrivals};
pub use attachment::Attachment;
pub use coupled::Coupled;
pub use cpu::{AckCost, CpuOrder, Processing, Sar};
pub use datagrams::{DatagramEnd, DatagramSink};
pub use endpoint::Endpoint;
pub use external::{External, ExternalEnd};
pub use fellows::Fellows;
pub use inputs::Inputs;
pub use nic::{Nic, Pacer};
pub use nics::Nics;
pub use origin::Origin;
pub use paced_vc::{Pace, PacedVc, PacingPlan};
pub use path_windows::{PathWindows, WindowSharing};
pub use probes::{Probe, Probes, ShaperProbe};
pub use raw_source::RawSource;
pub use relays::{RelayInput, RelayOutput, RelayTo, Relays};
pub use segmentation::SegmentationBuffer;
pub use shaper::{Shaper, Shapers};
use stages::{Stage, Staged, Stages};
pub use tap::Tap;
pub use termination::{Termination, Terminations};

/// Number of raw cells after which memory is checked.
const MAX_CELLS_AT_ONCE: u32 = 1 << 16;

/// Parts of a host.
#[derive(Debug)]
pub struct HostPlan {
    /// Links, and the VCs that terminate here.
    pub attachment: Attachment,
    /// TCP connections that end here.
    pub endpoints: Box<[Endpoint]>,
    /// Connections among these that depend on each other; `None` if there are none.
    pub coupled: Option<Box<Coupled>>,
    /// External ends; `None` if there are none.
    pub external: Option<Box<External>>,
    /// Sources of raw cells.
    pub sources: Box<[RawSource]>,
    /// Sources of datagrams.
    pub datagrams: Box<[DatagramEnd]>,
    /// Sinks of datagrams; terminations know them by numbers that follow those of `endpoints`.
    pub sinks: Box<[DatagramSink]>,
    /// CPU and SAR times; `None` if neither takes time.
    pub processing: Option<Box<Processing>>,
}

/// A host.
#[derive(Debug)]
pub struct Host {
    plan: HostPlan,
    timers: Tournament,
    emissions: Tournament,
    /// Stages of segments; `None` if neither CPU nor SAR takes time, so that segments pass them at
    /// once.
    stages: Option<Box<Stages>>,
    next_sample: Time,
    /// True if all its events are timers and arrivals: it is instant, and has neither sources nor
    /// shapers.
    has_timers_alone: bool,
    /// The tap; `None` if nothing is captured.
    tap: Option<Arc<Tap>>,
}

impl Host {
    /// Makes a host at time zero.
    pub fn new(mut plan: HostPlan) -> Self {
        // The timer after those of the connections is that of the external ends.
        let of_external = plan.external.as_ref().map(|_| Time::MAX);
        let timers = plan.endpoints.iter().map(Endpoint::deadline).chain(of_external);
        let cells = plan.sources.iter().map(|source| source.cells.next());
        let datagrams = plan.datagrams.iter().map(|end| end.source.next());
        let next_sample = next_sample(&plan);
        let stages = plan.processing.take().map(|processing| Box::new(Stages::new(*processing)));
        Self {
            timers: timers.collect(),
            emissions: cells.chain(datagrams).collect(),
            next_sample,
            has_timers_alone: stages.is_none()
                && plan.sources.is_empty()
                && plan.datagrams.is_empty()
                && !plan.attachment.nics.any_holds_back,
            tap: None,
            stages,
            plan,
        }
    }

    /// Captures its packets from now on.
    pub fn capture(&mut self, tap: &Arc<Tap>) {
        self.tap = Some(Arc::clone(tap));
        if tap.has_rm_cells {
            self.plan.attachment.nics.capture_rm_cells(tap);
        }
    }

    /// Adds a packet of an external end's driver for `at`.
    pub fn put_in(&mut self, at: Time, end: FlowEnd, packet: Packet) {
        let external = self.plan.external.as_mut();
        let external = external.expect("the simulation knows where an external flow ends");
        external.put(at, end, packet);
        self.timers.set(self.plan.endpoints.len(), external.next());
    }

    /// The instant at which the interface of an external end has sent all that was handed to it;
    /// `None` while a shaper holds cells back, or without such an end.
    pub fn interface_free(&self, end: FlowEnd) -> Option<Time> {
        let nic = self.plan.external.as_ref()?.nic_of(end)?;
        self.plan.attachment.nics.all[nic].free_at()
    }

    /// Packets of external ends that are to be sent: the end, and the index.
    pub fn packets_to_send(&self) -> impl Iterator<Item = (FlowEnd, u64)> + '_ {
        self.plan.external.iter().flat_map(|external| external.to_send())
    }

    /// Takes due samples and reports the counters as they are at `at`.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io) {
        self.sample_through(at);
        for endpoint in &self.plan.endpoints {
            endpoint.report(ledger);
        }
        if let Some(relays) = self.plan.coupled.as_ref().and_then(|all| all.relays.as_ref()) {
            relays.report(&self.plan.endpoints, ledger);
        }
        self.plan.external.iter().for_each(|external| external.report(ledger));
        self.plan.sources.iter().for_each(|source| source.report(ledger));
        self.plan.datagrams.iter().for_each(|end| end.report(ledger));
        self.plan.sinks.iter().for_each(|sink| sink.report(ledger));
        self.plan.attachment.report(at, ledger, io);
    }

    /// Counts the packets in transit that have not arrived.
    pub fn count_inside(&self, on_way: &OnWay, ledger: &mut Ledger) {
        self.plan.endpoints.iter().for_each(|endpoint| endpoint.count_inside(on_way, ledger));
        self.plan.sinks.iter().for_each(|sink| sink.count_inside(on_way, ledger));
        self.plan.external.iter().for_each(|external| external.count_inside(on_way, ledger));
    }

    /// Links that it may send trains onto.
    pub fn sends_trains_onto(&self) -> impl Iterator<Item = LinkId> {
        self.plan.attachment.nics.sends_trains_onto()
    }

    /// Frames that an interface holds back.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.plan.attachment.nics.frames()
    }

    /// Forgets the extremes so far, at the end of the warm-up.
    pub fn begin_measurement(&mut self) {
        self.plan.attachment.nics.begin_measurement();
        if let Some(relays) = self.plan.coupled.as_mut().and_then(|all| all.relays.as_mut()) {
            relays.begin_measurement(&self.plan.endpoints);
        }
    }

    /// Series recorded at the connections, at the sources of ABR VCs, and of packets that arrive.
    pub fn take_series(&mut self) -> Vec<Series> {
        let probes = self.plan.endpoints.iter_mut().filter_map(|one| one.probes.as_mut());
        let senders = probes.flat_map(|probes| probes.take_series());
        let mut series: Vec<Series> =
            senders.chain(self.plan.attachment.nics.take_series()).collect();
        let arrivals = self.plan.endpoints.iter_mut().filter_map(|one| one.arrivals.as_mut());
        let sinks = self.plan.sinks.iter_mut().filter_map(|sink| sink.arrivals.as_mut());
        series.extend(arrivals.chain(sinks).flat_map(|arrivals| arrivals.take_series()));
        series.extend(self.plan.external.iter_mut().flat_map(|all| all.take_series()));
        series
    }

    /// Runs the first event that is due at `at` and is not an arrival.
    #[inline(never)]
    fn on_event(&mut self, at: Time, until: Time, io: &mut Io) {
        let (staged_at, stage) = self.next_staged();
        let is_timer_due = self.timers.min().0 == at;
        if staged_at == at && (stage.is_downward() || !is_timer_due) {
            self.on_stage(stage, io);
        } else if is_timer_due {
            self.on_timer(io);
        } else if self.emissions.min().0 == at {
            self.on_emission(until, io);
        } else {
            debug_assert_eq!(self.plan.attachment.nics.next_held(), at, "nothing else is due");
            self.on_shaper(at, until, io);
        }
    }

    /// The next event that is neither a shaper's nor an arrival.
    #[inline]
    fn next_inside(&self) -> Time {
        self.next_staged().0.min(self.timers.min().0).min(self.emissions.min().0)
    }

    /// The next end of a stage, and that stage.
    #[inline]
    fn next_staged(&self) -> (Time, Stage) {
        match &self.stages {
            Some(stages) if !stages.are_empty() => stages.next(),
            _ => (Time::MAX, Stage::Processed),
        }
    }

    fn on_stage(&mut self, stage: Stage, io: &mut Io) {
        let Some(staged) = self.stages.as_mut().and_then(|stages| stages.pop(stage)) else {
            return;
        };
        self.finish(stage, &staged, io);
        // Only the CPU leaves segments for later, while it is busy.
        if let Some(stages) = &mut self.stages {
            stages.start_next_segment(staged.at);
        }
    }

    /// Begins a stage that takes so long for a segment.
    fn begin(&mut self, stage: Stage, staged: &Staged, cost: Span, io: &mut Io) {
        match &mut self.stages {
            Some(timed) if !cost.is_zero() => timed.serve(stage, *staged, cost),
            _ => self.finish(stage, staged, io),
        }
    }

    /// Ends a stage of a segment.
    fn finish(&mut self, stage: Stage, staged: &Staged, io: &mut Io) {
        match stage {
            Stage::Segmented => self.hand_to_nic(staged, io),
            Stage::Created => self.segment(staged, io),
            Stage::Reassembled => self.process(*staged),
            Stage::Processed => {
                let Staged { at, endpoint, ref segment } = *staged;
                self.plan.endpoints[endpoint as usize].on_segment(at, segment);
                self.settle(at, endpoint, io);
            }
        }
    }

    fn on_timer(&mut self, io: &mut Io) {
        let (at, index) = self.timers.min();
        let Some(endpoint) = self.plan.endpoints.get_mut(index) else {
            let Some(external) = &mut self.plan.external else { return };
            external.send(&mut self.plan.attachment.nics, self.tap.as_deref(), io);
            return self.timers.set(index, external.next());
        };
        endpoint.on_timer(at);
        self.settle(at, index as u32, io);
    }

    /// Sends raw cells from one source, up to the next event; the cells held back by an interface
    /// may be these cells themselves.
    fn on_emission(&mut self, until: Time, io: &mut Io) {
        let (_, index) = self.emissions.min();
        self.emissions.set(index, Time::MAX);
        let others = self.next_but_arrivals().min(self.plan.attachment.inputs.next());
        let Some(raw) = self.plan.sources.get_mut(index) else {
            return self.send_datagram(index, io);
        };
        let RawSource { vc, nic, sends_trains, cells: source } = raw;
        let nic = &mut self.plan.attachment.nics.all[*nic];
        let first = source.next();
        if *sends_trains
            && nic.transmitter.carries_trains(io)
            && let Some((at, gap, count)) =
                source.emit_constant(until.min(others), MAX_CELLS_AT_ONCE)
        {
            let first = Cell { at, head: CellHead::raw(*vc) };
            nic.send_cells(Train::new(first, gap, count), io);
            return self.emissions.set(index, source.next());
        }
        // At least one: another source due at the same instant has the next turn.
        for _ in 0..MAX_CELLS_AT_ONCE {
            if source.next() >= until.min(others).min(nic.next_event()) && source.next() != first {
                break;
            }
            nic.send_cell(source.emit(), *vc, io);
        }
        self.emissions.set(index, source.next());
    }

    /// Sends one datagram of the source with this number among the emissions.
    fn send_datagram(&mut self, index: usize, io: &mut Io) {
        let end = &mut self.plan.datagrams[index - self.plan.sources.len()];
        end.send(&mut self.plan.attachment.nics, self.tap.as_deref(), io);
        self.emissions.set(index, end.source.next());
    }

    /// Sends cells of a shaper, up to the next event; at least those that may be sent at `at`.
    fn on_shaper(&mut self, at: Time, until: Time, io: &mut Io) {
        let until = until.min(self.next_inside());
        if let Some((now, endpoint)) = self.plan.attachment.serve(at, until, io) {
            self.drain(now, endpoint, io);
        }
    }

    /// The next instant at which it has something to do if nothing arrives.
    #[inline]
    fn next_but_arrivals(&self) -> Time {
        if self.has_timers_alone {
            return self.timers.min().0;
        }
        self.next_inside().min(self.plan.attachment.nics.next_held())
    }

    #[cold]
    fn sample_through(&mut self, at: Time) {
        for endpoint in &mut self.plan.endpoints {
            if let Some(probes) = &mut endpoint.probes {
                probes.sample_through(at, &endpoint.connection);
            }
        }
        self.plan.attachment.nics.sample_through(at);
        self.next_sample = next_sample(&self.plan);
    }
}

fn next_sample(plan: &HostPlan) -> Time {
    let probes = plan.endpoints.iter().filter_map(|one| one.probes.as_ref());
    let samples = probes.map(|probes| probes.recorders.next_sample());
    samples.min().unwrap_or(Time::MAX).min(plan.attachment.nics.next_sample())
}

impl Node for Host {
    fn next_event(&self) -> Time {
        self.next_but_arrivals().min(self.plan.attachment.inputs.next())
    }

    fn next_end(&self) -> Time {
        self.next_but_arrivals()
    }

    fn on_head(&mut self, port: InPort, at: Time) {
        self.plan.attachment.inputs.on_head(port, at);
    }

    fn advance(&mut self, until: Time, io: &mut Io) -> Time {
        loop {
            let arrival = self.plan.attachment.inputs.next();
            let others = self.next_but_arrivals();
            let at = arrival.min(others);
            if at >= until || io.ends_turn() {
                return at;
            }
            if at >= self.next_sample {
                self.sample_through(at);
            }
            // A burst ends where a sample is due, so that the sample sees no later cells.
            let until = until.min(self.next_sample);
            if arrival < others {
                self.on_arrival(until.min(others), io);
            } else {
                self.on_event(at, until, io);
            }
        }
    }
}

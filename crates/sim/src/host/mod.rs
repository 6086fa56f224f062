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
mod attachment;
mod cpu;
mod datagrams;
mod endpoint;
mod external;
mod inputs;
mod nic;
mod nics;
mod origin;
mod paced_vc;
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

use std::sync::Arc;

use crate::engine::{Fifo, InPort, Io, LinkId, Node, Tournament};
use crate::pdu::{Cell, CellHead, FlowEnd, Frame, Packet, Train};
use crate::result::{Ledger, OnWay, Series};
use crate::units::{Span, Time};

pub use abr_vc::{AbrPlan, AbrVc};
pub use attachment::Attachment;
pub use cpu::{AckCost, CpuOrder, Processing, Sar};
pub use datagrams::{DatagramEnd, DatagramSink};
pub use endpoint::Endpoint;
pub use external::{External, ExternalEnd};
pub use inputs::Inputs;
pub use nic::{Nic, Pacer};
pub use nics::Nics;
pub use origin::Origin;
pub use paced_vc::{Pace, PacedVc, PacingPlan};
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
    pub endpoints: Vec<Endpoint>,
    /// Relays between some of these; `None` if there are none.
    pub relays: Option<Box<Relays>>,
    /// External ends.
    pub external: External,
    /// Sources of raw cells.
    pub sources: Vec<RawSource>,
    /// Sources of datagrams.
    pub datagrams: Vec<DatagramEnd>,
    /// Sinks of datagrams; terminations know them by numbers that follow those of `endpoints`.
    pub sinks: Vec<DatagramSink>,
    /// CPU and SAR times.
    pub processing: Processing,
}

/// A host.
#[derive(Debug)]
pub struct Host {
    plan: HostPlan,
    timers: Tournament,
    emissions: Tournament,
    stages: Stages,
    /// Received segments that the CPU leaves for later; with [`CpuOrder::OutputFirst`] only.
    left_for_later: Fifo<Staged>,
    next_sample: Time,
    /// True if neither CPU nor SAR takes time, so that segments pass their stages at once.
    is_instant: bool,
    /// True if all its events are timers and arrivals: it is instant, and has neither sources nor
    /// shapers.
    has_timers_alone: bool,
    /// The tap; `None` if nothing is captured.
    tap: Option<Arc<Tap>>,
}

impl Host {
    /// Makes a host at time zero.
    pub fn new(plan: HostPlan) -> Self {
        // The timer after those of the connections is that of the external ends.
        let of_external = plan.external.has_any().then_some(Time::MAX);
        let timers = plan.endpoints.iter().map(Endpoint::deadline).chain(of_external);
        let cells = plan.sources.iter().map(|source| source.cells.next());
        let datagrams = plan.datagrams.iter().map(|end| end.source.next());
        let next_sample = next_sample(&plan);
        Self {
            timers: timers.collect(),
            emissions: cells.chain(datagrams).collect(),
            stages: Stages::default(),
            left_for_later: Fifo::default(),
            next_sample,
            is_instant: plan.processing.is_instant(),
            has_timers_alone: plan.processing.is_instant()
                && plan.sources.is_empty()
                && plan.datagrams.is_empty()
                && !plan.attachment.nics.any_holds_back,
            tap: None,
            plan,
        }
    }

    /// Captures its packets from now on.
    pub fn capture(&mut self, tap: &Arc<Tap>) {
        self.tap = Some(Arc::clone(tap));
    }

    /// Adds a packet of an external end's driver for `at`.
    pub fn put_in(&mut self, at: Time, end: FlowEnd, packet: Packet) {
        self.plan.external.put(at, end, packet);
        self.timers.set(self.plan.endpoints.len(), self.plan.external.next());
    }

    /// The instant at which the interface of an external end has sent all that was handed to it;
    /// `None` while a shaper holds cells back, or without such an end.
    pub fn interface_free(&self, end: FlowEnd) -> Option<Time> {
        let nic = self.plan.external.nic_of(end)?;
        self.plan.attachment.nics.all[nic].free_at()
    }

    /// Packets of external ends that are to be sent: the end, and the index.
    pub fn packets_to_send(&self) -> impl Iterator<Item = (FlowEnd, u64)> + '_ {
        self.plan.external.to_send()
    }

    /// Takes due samples and reports the counters as they are at `at`.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io) {
        self.sample_through(at);
        for endpoint in &self.plan.endpoints {
            endpoint.report(ledger);
        }
        if let Some(relays) = &self.plan.relays {
            relays.report(&self.plan.endpoints, ledger);
        }
        self.plan.external.report(ledger);
        self.plan.sources.iter().for_each(|source| source.report(ledger));
        self.plan.datagrams.iter().for_each(|end| end.report(ledger));
        self.plan.sinks.iter().for_each(|sink| sink.report(ledger));
        self.plan.attachment.report(at, ledger, io);
    }

    /// Counts the packets in transit that have not arrived.
    pub fn count_inside(&self, on_way: &OnWay, ledger: &mut Ledger) {
        self.plan.endpoints.iter().for_each(|endpoint| endpoint.count_inside(on_way, ledger));
        self.plan.sinks.iter().for_each(|sink| sink.count_inside(on_way, ledger));
        self.plan.external.count_inside(on_way, ledger);
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
        if let Some(relays) = &mut self.plan.relays {
            relays.begin_measurement(&self.plan.endpoints);
        }
    }

    /// Series recorded at the connections and at the sources of ABR VCs.
    pub fn take_series(&mut self) -> Vec<Series> {
        let endpoints = self.plan.endpoints.iter_mut().flat_map(|one| one.probes.take_series());
        endpoints.chain(self.plan.attachment.nics.take_series()).collect()
    }

    /// Runs the first event that is due at `at` and is not an arrival.
    #[inline(never)]
    fn on_event(&mut self, at: Time, until: Time, io: &mut Io) {
        let (staged_at, stage) = self.stages.next();
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
        let staged = if self.stages.are_empty() { Time::MAX } else { self.stages.next().0 };
        staged.min(self.timers.min().0).min(self.emissions.min().0)
    }

    fn on_stage(&mut self, stage: Stage, io: &mut Io) {
        let Some(staged) = self.stages.pop(stage) else { return };
        self.finish(stage, &staged, io);
        // Only the CPU leaves segments for later, while it is busy.
        self.start_next_segment(staged.at);
    }

    /// Begins a stage that takes so long for a segment.
    fn begin(&mut self, stage: Stage, staged: &Staged, cost: Span, io: &mut Io) {
        if cost.is_zero() {
            self.finish(stage, staged, io);
        } else {
            self.stages.serve(stage, *staged, cost);
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
            self.plan.external.send(&mut self.plan.attachment.nics, self.tap.as_deref(), io);
            return self.timers.set(index, self.plan.external.next());
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
        let nic = self.plan.attachment.nics.get_mut(*nic);
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
            endpoint.probes.sample_through(at, &endpoint.connection);
        }
        self.plan.attachment.nics.sample_through(at);
        self.next_sample = next_sample(&self.plan);
    }
}

fn next_sample(plan: &HostPlan) -> Time {
    let endpoints = plan.endpoints.iter().map(|one| one.probes.recorders.next_sample());
    endpoints.min().unwrap_or(Time::MAX).min(plan.attachment.nics.next_sample())
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

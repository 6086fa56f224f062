//! A run that its caller advances, and whose external flows its caller drives.
//!
//! The caller owns clock and sockets: it names the instants at which the simulation pauses, sends
//! packets at instants that are not past, and takes packets that have arrived. The choice of these
//! instants changes no result.
//!
//! ```
//! use cellway_sim::pdu::Packet;
//! use cellway_sim::scenario::{Scenario, Source};
//! use cellway_sim::units::{Span, Time};
//! use cellway_sim::{Pause, Simulation};
//!
//! let text = r#"
//! [run]
//! duration = "1 s"
//! [host]
//! a = {}
//! b = {}
//! [link.wire]
//! between = ["a", "b"]
//! rate = "12 Mbit/s of line"
//! carries = "packets"
//! delay = "5 ms"
//! [flow.call]
//! from = "a"
//! to = "b"
//! tcp = {}
//! traffic = "greedy"
//! "#;
//! let scenario = Scenario::parse(Source { origin: "wire.toml", text }, &[])?;
//! let mut simulation = Simulation::with_external(&scenario, &["call"])?;
//! let [caller, _] = simulation.ends("call")?;
//! simulation.send(Time::ZERO, caller, Packet::opaque(1500, 7))?;
//! // 1 ms on the line and 5 ms under way.
//! let there = Time::ZERO + Span::from_milliseconds(6);
//! assert_eq!(simulation.run_until(simulation.end())?, Pause::Arrival(there));
//! let arrival = simulation.take_arrivals().next().unwrap();
//! assert_eq!((arrival.at, arrival.packet.index()), (there, 7));
//! // An answer leaves at the instant of the arrival.
//! simulation.send(there, arrival.end, Packet::opaque(40, 8))?;
//! let outcome = simulation.finish()?;
//! assert_eq!(outcome.summary.vcs["call back"].frames_delivered, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::vec::Drain;

use super::capacity;
use super::external::{ExternalFlows, NoFlow, SendError, lost_packet, name_of, numbers_of};
use super::lost::losses;
use super::report::{ledger_at, summarise};
use super::totals::totals;
use super::{Builder, Outcome, RunError, require_memory, seconds};
use crate::assemble::{AnyNode, Assembled, OwnRules, assemble, host_node};
use crate::capture::CapturePoints;
use crate::engine::{Halt, Place};
use crate::pdu::{Arrival, Captured, FlowEnd, LostPacket, Packet};
use crate::result::{FlowCounters, Ledger, Series};
use crate::scenario::Scenario;
use crate::units::Time;

/// Reason why a simulation has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Everything before the barrier is done, and nothing at it.
    AtBarrier,
    /// Packets have arrived at external ends at this instant, and everything before it is done.
    /// More may arrive at the same instant.
    Arrival(Time),
    /// Everything before this instant is done, which was much; the caller may want to report it.
    OnTheWay(Time),
}

/// A run in progress.
#[derive(Debug)]
pub struct Simulation<'s> {
    scenario: Cow<'s, Scenario>,
    assembled: Assembled,
    external: ExternalFlows,
    now: Time,
    /// The counters at the end of the warm-up; `None` before it.
    before: Option<Ledger>,
    /// Points at which packets are captured.
    points: Option<CapturePoints>,
}

impl<'s> Simulation<'s> {
    /// Makes the network of a scenario at time zero.
    pub fn new(scenario: &'s Scenario) -> Self {
        let assembled = assemble(scenario, &[], &OwnRules::default());
        Self::at_start(Cow::Borrowed(scenario), Vec::new(), assembled)
    }

    /// Like [`new`](Self::new), but the caller makes the traffic of these flows, at both ends. Of
    /// such a flow the scenario's path, service, circuit and MTU count. It is in the summary if its
    /// driver [gives its counters](Self::set_counters).
    pub fn with_external(scenario: &'s Scenario, flows: &[&str]) -> Result<Self, NoFlow> {
        let external = numbers_of(scenario, flows)?;
        let assembled = assemble(scenario, &external, &OwnRules::default());
        Ok(Self::at_start(Cow::Borrowed(scenario), external, assembled))
    }

    /// Makes a builder, for rules of one's own.
    pub fn builder(scenario: &'s Scenario) -> Builder<'s> {
        Builder::new(scenario)
    }

    pub(super) fn assembled(
        scenario: Cow<'s, Scenario>,
        external: Vec<usize>,
        own: &OwnRules<'_>,
    ) -> Result<Self, RunError> {
        require_memory(&scenario)?;
        if let Some(message) = own.unserved(&scenario) {
            return Err(RunError::UnknownName(message));
        }
        let assembled = assemble(&scenario, &external, own);
        match own.unused(&scenario, &assembled) {
            Some(message) => Err(RunError::UnknownName(message)),
            None => Ok(Self::at_start(scenario, external, assembled)),
        }
    }

    fn at_start(scenario: Cow<'s, Scenario>, external: Vec<usize>, assembled: Assembled) -> Self {
        let external = ExternalFlows::new(external);
        Self { scenario, assembled, external, now: Time::ZERO, before: None, points: None }
    }

    /// Captures the packets of connections at `points` from now on. They must be taken at every
    /// pause, and there are more pauses than otherwise.
    pub fn capture(&mut self, points: &CapturePoints) {
        for node in self.assembled.network.nodes_mut() {
            if let AnyNode::Host(host) = node {
                host.capture(&points.tap);
            }
        }
        self.points = Some(points.clone());
    }

    /// Takes the packets that were captured before [`now`](Self::now), in order of time.
    pub fn take_captured(&mut self) -> Drain<'_, Captured> {
        let points = &self.points;
        let host_of = |interface| points.as_ref().map_or(0, |points| points.host_of(interface));
        self.assembled.network.take_captured(self.now, host_of)
    }

    /// Instant of the simulation: everything before it is done, and packets can be sent at it.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The end of the warm-up.
    pub(super) fn warm_up(&self) -> Time {
        Time::ZERO + self.scenario.run.warm_up
    }

    /// The end of the run.
    pub fn end(&self) -> Time {
        Time::ZERO + self.scenario.run.duration
    }

    /// A lower bound of the instant of the next event, if no packet is sent. It is earlier than the
    /// event where a host expects the end of a frame of which more cells have been sent since.
    pub fn next_event(&self) -> Time {
        self.assembled.network.next_event()
    }

    /// A lower bound of the next arrival at an external end, if no packet is sent. A driver with a
    /// clock need not wake before it; [`Time::MAX`] if nothing can arrive.
    pub fn next_arrival(&self) -> Time {
        self.assembled.network.next_arrival()
    }

    /// The ends of an external flow: where it comes from, and where it leads to.
    pub fn ends(&self, flow: &str) -> Result<[FlowEnd; 2], NoFlow> {
        self.external.ends(&self.scenario, flow)
    }

    /// Sends a packet that its stack hands to the interface at `at`, which is not before
    /// [`now`](Self::now). Packets for one instant leave in the order of these calls.
    pub fn send(&mut self, at: Time, from: FlowEnd, packet: Packet) -> Result<(), SendError> {
        if at < self.now {
            return Err(SendError::Late { at, now: self.now });
        }
        let host = self.external.sender(&self.scenario, from, packet)?;
        self.assembled.network.change(host_node(host), |node| {
            if let AnyNode::Host(host) = node {
                host.put_in(at, from, packet);
            }
        });
        Ok(())
    }

    /// The instant at which the interface of an external end is free: it has then sent everything
    /// that was handed to it before [`now`](Self::now). `None` while a shaper holds cells back,
    /// which depends on what comes, or if `end` is not external.
    pub fn interface_free(&self, end: FlowEnd) -> Option<Time> {
        let host = self.external.host_of(&self.scenario, end)?;
        match self.assembled.network.nodes().get(host_node(host).0 as usize)? {
            AnyNode::Host(host) => Some(host.interface_free(end)?.max(self.now)),
            _ => None,
        }
    }

    /// Advances to `barrier`, at most to the end of the run, or to the first arrival at an external
    /// end before it.
    pub fn run_until(&mut self, barrier: Time) -> Result<Pause, RunError> {
        let barrier = barrier.min(self.end()).max(self.now);
        let warm_up = self.warm_up();
        loop {
            // The measurement begins at a barrier of its own.
            let stop = if self.before.is_none() { barrier.min(warm_up) } else { barrier };
            let network = &mut self.assembled.network;
            match network.run_until(stop) {
                Halt::AtBarrier => self.now = stop,
                Halt::Arrival(at) => {
                    self.now = at;
                    return Ok(Pause::Arrival(at));
                }
                Halt::OnTheWay(at) => {
                    self.now = at.min(stop);
                    return Ok(Pause::OnTheWay(self.now));
                }
                Halt::OutOfMemory => {
                    let memory = &network.io().memory;
                    let said = format!("before {} it takes {memory}", seconds(stop));
                    return Err(RunError::OutOfMemory(said));
                }
            }
            if stop == warm_up && self.before.is_none() {
                self.begin_measurement();
            }
            if stop == barrier {
                return Ok(Pause::AtBarrier);
            }
        }
    }

    /// Takes the packets that have arrived, in order of time.
    pub fn take_arrivals(&mut self) -> Drain<'_, Arrival> {
        self.assembled.network.take_arrivals()
    }

    /// Takes the packets of external flows that were lost before [`now`](Self::now), in order of
    /// time. Of the copies that a link makes each is a packet. Nothing more is noted once a million
    /// wait to be taken.
    pub fn take_losses(&mut self) -> Vec<LostPacket> {
        let losses = self.assembled.network.take_external_losses(self.now);
        losses.iter().map(lost_packet).collect()
    }

    /// Name of a place of losses, as in the names of series.
    pub fn name_of(&self, place: Place) -> String {
        name_of(&self.scenario, &self.assembled, place)
    }

    /// Packets of external flows that are to be sent, under way, or captured and not yet taken,
    /// each copy for itself: the end that sent it, and its index. A packet that is not among them
    /// will not arrive any more, so that its content may be forgotten. It takes time in proportion
    /// to all packets of the run.
    pub fn packets_inside(&self) -> impl Iterator<Item = (FlowEnd, u64)> + '_ {
        self.external.packets(&self.assembled, self.now)
    }

    /// Sets the counters of an external flow, as its driver knows them at the end of the warm-up
    /// and at the end. The flow is then in the summary like any other; its delays and losses are
    /// those of the network.
    pub fn set_counters(&mut self, flow: &str, counters: [FlowCounters; 2]) -> Result<(), NoFlow> {
        let [origin, _] = self.ends(flow)?;
        self.external.set_counters(origin.flow(), counters);
        Ok(())
    }

    /// Ends the run at [`now`](Self::now), as if it had that duration, and reports. The warm-up
    /// must be over.
    pub fn stop(mut self) -> Result<Outcome, RunError> {
        let (now, warm_up) = (self.now, self.warm_up());
        if now <= warm_up {
            return Err(RunError::StoppedEarly { now: seconds(now), warm_up: seconds(warm_up) });
        }
        self.scenario.to_mut().run.duration = now - Time::ZERO;
        self.finish()
    }

    /// Advances to the end of the run, discards all arrivals, and reports.
    pub fn finish(mut self) -> Result<Outcome, RunError> {
        let end = self.end();
        while self.run_until(end)? != Pause::AtBarrier {
            self.take_arrivals();
        }
        let mut after =
            ledger_at(&self.scenario, &mut self.assembled, self.external.uncounted(), end);
        let mut before = self.before.expect("the end of a run is not before that of its warm-up");
        self.external.count(&mut before, &mut after);
        let external = self.external.uncounted();
        let summary = summarise(&self.scenario, &self.assembled, external, (&before, &after));
        let losses = losses(&self.scenario, &mut self.assembled);
        let mut series: Vec<Series> = self.assembled.take_series().collect();
        series.extend(totals(&self.scenario, &series));
        series.extend(losses.into_iter().chain(capacity::series(&self.scenario)));
        Ok(Outcome { summary, series })
    }

    fn begin_measurement(&mut self) {
        let now = self.now;
        self.before =
            Some(ledger_at(&self.scenario, &mut self.assembled, self.external.uncounted(), now));
        self.assembled.network.visit(|node, _| node.begin_measurement(now));
    }
}

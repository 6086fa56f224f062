//! A greedy TCP over a link whose rate varies: the renewal model, and limits of EFFCAP.

use cellway_theory::rate::feedback::limits;
use cellway_theory::renewal::{
    CELL_PAYLOAD, Path, Rates, Sender, Throughput, WindowAtLoss, throughput,
};

use super::answer::{Assumption, Found, Predicted, Prediction, Refusal, refused};
use super::connection::{Connection, THROUGHPUT};
use super::general::general;
use crate::explain::CapacityFacts;
use crate::link::capacity::{CapacityPlan, TwoStatePlan};
use crate::link::feedback::PacingRate;
use crate::scenario::resolved::{AckRule, Carries, FlowPacing, Recovery, Timers};
use crate::units::Framing;

/// Size of a part of a packet that is neglected: the model counts whole packets per round trip.
const WHOLE: f64 = 0.01;
/// Largest difference from a round trip of a delay that counts as one.
const NEAR: f64 = 0.1;
/// Assumptions of the model that the scenario decides.
const SAID: [&str; 2] = ["slow_changes", "timeout"];
/// Assumptions of the model that its parameters decide.
const BY_NUMBERS: [&str; 3] = ["slow_start_lossless", "slow_start_fits", "back_to_back"];

/// A connection alone over one link of packets with two rates.
struct Varying<'a> {
    one: &'a Connection<'a>,
    plan: &'a TwoStatePlan,
    framing: Framing,
    capacity: &'a CapacityFacts,
    /// Packets of the buffer before the link.
    buffer: u64,
    pacing: Option<&'a FlowPacing>,
    /// Seconds of propagation, Δ.
    round_trip: f64,
    /// Bits of a segment on the line, without headers of cells.
    packet: f64,
}

/// Prediction for a flow over a varying link; `None` for other flows.
pub(super) fn predicted(one: &Connection<'_>) -> Option<Found> {
    let links = &one.ports.scenario.links;
    let varying = one.flow.path.iter().copied().filter(|&link| links[link].capacity.is_some());
    let varying: Vec<usize> = varying.collect();
    let varies = !varying.is_empty();
    let found = || match one.outside() {
        Some(reason) => refused(reason),
        None => Varying::of(one, &varying)?.predicted(),
    };
    varies.then(found)
}

impl<'a> Varying<'a> {
    /// Refuses paths to which the renewal model does not apply.
    fn of(one: &'a Connection<'a>, varying: &[usize]) -> Result<Self, Refusal> {
        let &[at] = varying else {
            return refused(format!("the rates of {} links vary; expected one", varying.len()));
        };
        let (link, facts) = (&one.ports.scenario.links[at], &one.ports.explained.links[at]);
        let (name, pacing) = (&link.name, one.flow.pace.as_deref());
        let capacity = facts.capacity.as_ref().expect("its rate varies");
        let Some(CapacityPlan::TwoStatePlan(plan)) = &link.capacity else {
            let law = capacity.key;
            let expected = "expected a constant one, or two_state";
            return refused(format!("the rate of {name} varies as {law}; {expected}"));
        };
        let Some(buffer) = one.ports.before(at).and_then(|port| port.buffer()) else {
            let expected = "expected a buffer of packets";
            return refused(format!("nothing limits what waits before {name}; {expected}"));
        };
        let Carries::Packets { framing, .. } = link.carries else {
            return refused(format!("{name} carries cells; the renewal model expects packets"));
        };
        if one.facts.loss.is_some() {
            return refused("lines lose packets; expected losses of the buffer alone");
        }
        if let Some(pacing) = pacing.filter(|pacing| pacing.link != at || pacing.sharers != 1) {
            let told = &one.ports.scenario.links[pacing.link].name;
            return refused(format!("it is told a part of {told}; expected all of {name}"));
        }
        let bytes = one.said.full_segment() + one.said.option_bytes() + one.said.ip.tcp_headers();
        let packet = 8.0 * (bytes + u64::from(framing.bytes)) as f64;
        let round_trip = one.facts.propagation_rtt_seconds.expect("it is acknowledged");
        Ok(Self { one, plan, framing, capacity, buffer, pacing, round_trip, packet })
    }

    fn predicted(&self) -> Found {
        let (sender, model) = match self.pacing.map(|pacing| pacing.rate) {
            None => (Sender::TcpAlone, "renewal model, TCP alone"),
            Some(PacingRate::EffCap(_)) => return self.limits(),
            Some(PacingRate::InstCap) => (Sender::TcpOverAbr, "renewal model, TCP over INSTCAP"),
            Some(PacingRate::Constant(constant)) => {
                let packets = whole(self.per_round_trip(constant.rate.bits_per_second() as f64));
                (Sender::TcpOverConstantRate(packets), "renewal model, TCP over a constant rate")
            }
        };
        let capacity = self.capacity;
        let exact = [capacity.max_bits_per_second, capacity.min_bits_per_second];
        let exact = exact.map(|rate| self.per_round_trip(rate));
        let [high, low] = exact.map(whole);
        let count = |packets| u32::try_from(packets).unwrap_or(u32::MAX);
        let path = Path {
            high,
            low,
            buffer: count(self.buffer),
            max_window: count(self.one.tcp.window_segments),
            high_lasts: self.plan.mean_high.seconds_f64() / self.round_trip,
            low_lasts: self.plan.mean_low.seconds_f64() / self.round_trip,
        };
        let headers = self.framing.cell_headers;
        let found = throughput(&path, sender, WindowAtLoss::Binomial, headers)?;
        Ok(Prediction {
            model,
            source: "Shakkottai, Kumar, Karnik and Anvekar 2001, section III",
            numbers: self.numbers(&found),
            assumptions: self.assumptions(&found, exact),
        })
    }

    /// Packets per Δ of a rate.
    fn per_round_trip(&self, bits_per_second: f64) -> f64 {
        bits_per_second * self.round_trip / self.packet
    }

    fn numbers(&self, found: &Throughput) -> Vec<Predicted> {
        let Rates { each_once, optimistic, .. } = found.efficiency;
        let data = |name: &str, part: f64| {
            let rate = found.mean_capacity * part * self.one.segment() / self.round_trip;
            Predicted::new(name, rate, "bit/s").at(THROUGHPUT)
        };
        let losses = found.losses_per_round_trip;
        vec![
            data("throughput, each packet counted once", each_once),
            data("throughput, optimistic", optimistic),
            Predicted::new("part of the mean capacity, each packet once", each_once, "1"),
            Predicted::new("round trips in which a loss begins", losses, "1"),
        ]
    }

    fn assumptions(&self, found: &Throughput, exact: [f64; 2]) -> Vec<Assumption> {
        let theirs = found.assumptions.iter().filter(|one| !SAID.contains(&one.name)).map(|one| {
            let holds = BY_NUMBERS.contains(&one.name).then_some(one.violated.is_none());
            Assumption::new(one.text, holds, one.violated.clone().unwrap_or_default())
        });
        self.of_path(exact).into_iter().chain(self.of_pacing()).chain(theirs).collect()
    }

    /// Assumptions on the rates of the link and on the transport.
    fn of_path(&self, exact: [f64; 2]) -> [Assumption; 5] {
        let is_whole =
            |packets: f64| (packets.round_ties_even() - packets).abs() <= WHOLE * packets;
        let (slot, tcp) = (self.plan.slot, self.one.said);
        let fits = |seconds: f64| (seconds / self.round_trip - 1.0).abs() < WHOLE;
        [
            Assumption::new(
                "whole packets per round trip",
                exact.into_iter().all(is_whole),
                exact.map(|packets| general(packets, 4)).join(" and "),
            ),
            Assumption::new(
                "the rate changes at multiples of the round trip",
                slot.is_some_and(|slot| fits(slot.seconds_f64())),
                slot.map_or_else(|| "at any time".to_owned(), |slot| format!("in slots of {slot}")),
            ),
            self.one.assumed_recovery(
                "a loss is repaired by a timeout and slow start",
                &[Recovery::Vanilla],
            ),
            Assumption::new(
                "the timeout ends in the second round trip after that of the loss",
                matches!(tcp.timers, Timers::Fixed(_)),
                format!("timers are {}", tcp.timers.word()),
            ),
            Assumption::new(
                "every segment is acknowledged",
                tcp.ack == AckRule::EverySegment,
                format!("ack is {}", tcp.ack.word()),
            ),
        ]
    }

    fn of_pacing(&self) -> Vec<Assumption> {
        let Some(pacing) = self.pacing else { return Vec::new() };
        let mut said = Vec::new();
        if pacing.rate == PacingRate::InstCap {
            let heard = pacing.delay.seconds_f64() / self.round_trip;
            let (trips, interval) = (general(heard, 3), pacing.interval);
            let why = format!("{trips} round trips and the interval of {interval}");
            let is_near = (heard - 1.0).abs() <= NEAR;
            said.push(Assumption::new("a rate is heard one round trip late", is_near, why));
        }
        if !self.framing.cell_headers {
            let why = "carries packets without cell_headers";
            said.push(Assumption::new("no headers of cells", true, why));
        }
        said
    }

    fn limits(&self) -> Found {
        let law = self.capacity.law.iter().map(|state| (state.bits_per_second, state.part));
        let (rates, parts): (Vec<f64>, Vec<f64>) = law.unzip();
        let carried = if self.framing.cell_headers { CELL_PAYLOAD } else { 1.0 };
        let found = limits(&rates, &parts, carried)?;
        let part = self.one.segment() / self.packet;
        let text = "the buffer loses nothing, and the window does not limit";
        Ok(Prediction {
            model: "limits of EFFCAP",
            source: "Shakkottai, Kumar, Karnik and Anvekar 2001, sections IV and V",
            numbers: vec![
                Predicted::new("throughput where changes are rare", found.mean * part, "bit/s"),
                Predicted::new(
                    "where the memory has the lowest rate",
                    found.minimum * part,
                    "bit/s",
                ),
            ],
            assumptions: vec![Assumption::new(text, None, "")],
        })
    }
}

/// The nearest number of packets.
fn whole(packets: f64) -> u32 {
    packets.round_ties_even() as u32
}

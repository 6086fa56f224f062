//! Equal greedy TCPs that meet at a port: their windows together, or utilisation of the line.
//!
//! W is the sum of all windows. While W is at most C R + B, which path and buffer contain, no
//! segment is lost, and the part above C R waits at the port. Beyond that windows are halved:
//! together, as one (Lakshman and Madhow 1997), or independently (Appenzeller, Keslassy and McKeown
//! 2004).

use cellway_theory::buffer::size::desynchronised_utilisation;
use cellway_theory::tcp::lakshman_madhow::{Rule, utilisation};
use cellway_theory::tcp::window;

use super::answer::{Assumption, Found, Predicted, Prediction, refused};
use super::connection::Connection;
use super::dfba;
use super::general::general;
use super::port::Port;
use crate::scenario::resolved::{CongestionLaw, Drop, Recovery};

/// Largest ratio of round trips that count as equal.
const NEAR: f64 = 1.1;
/// Fewest flows for which the normal distribution may hold.
const MANY: usize = 100;
/// Smallest window of a connection that losses do not empty, segments.
const LASTING: f64 = 10.0;
/// Refusal where another line limits the flows.
const NARROWER: &str =
    "the connections meet others at a line that is no faster; expected their bottleneck here";

/// TCPs at one port.
pub(super) struct Together<'a> {
    pub(super) port: &'a Port<'a>,
    /// At least two.
    pub(super) flows: Vec<Connection<'a>>,
}

/// Prediction for TCPs at a port; `None` where there are not several.
pub(super) fn predicted(port: &Port<'_>) -> Option<Found> {
    let passing = port.passing.iter();
    let flows: Vec<_> = passing.filter_map(|one| Connection::new(port.of, one.flow)).collect();
    let line = port.line();
    let rate = line.cell_bits_per_second.unwrap_or(line.line_bits_per_second);
    let is_elsewhere =
        |one: &Connection<'_>| one.facts.bottleneck.bits_per_second < rate * (1.0 - 1e-6);
    // Each flow over ABR has a share of its own.
    if flows.len() < 2
        || flows.iter().any(is_elsewhere)
        || flows.iter().all(|one| one.facts.abr.is_some())
    {
        return None;
    }
    let together = Together { port, flows };
    if let Some(reason) = port.of.varying(&[port.link]) {
        return Some(refused(reason));
    }
    Some(match port.rules.drop {
        Drop::Dfba(plan) if port.facts.queues.len() == 1 => {
            if together.is_narrowed() {
                refused(NARROWER)
            } else {
                dfba::predicted(&together, plan)
            }
        }
        _ => together.outside().map_or_else(|| together.by_windows(), refused),
    })
}

impl Together<'_> {
    /// Largest data rate, bit/s.
    fn ceiling(&self) -> f64 {
        self.flows[0].tcp.ceiling_bits_per_second
    }

    /// Mean round trip in seconds, with empty queues.
    pub(super) fn round_trip(&self) -> f64 {
        self.flows.iter().map(Connection::round_trip).sum::<f64>() / self.flows.len() as f64
    }

    fn utilisation(name: &str, value: f64) -> Predicted {
        Predicted::new(name, value, "1").at("utilisation")
    }

    /// Reason why no formula applies to the flows here; `None` if one does.
    fn outside(&self) -> Option<&'static str> {
        let (queues, flows) = (&self.port.facts.queues, &self.flows);
        let has_others = self.port.passing.len() != flows.len() || self.port.line().ack_flows > 0;
        let any = |differs: &dyn Fn(&Connection<'_>) -> bool| flows.iter().any(differs);
        let faults = [
            (has_others, "other traffic than data of TCP meets there; expected greedy TCPs alone"),
            (
                any(&|one| one.not_greedy().is_some()),
                "not all connections are greedy; expected greedy ones",
            ),
            (any(&|one| one.facts.abr.is_some()), "connections are paced by ABR; expected ubr"),
            (
                any(&|one| one.facts.loss.is_some()),
                "lines lose packets; expected losses of the buffer alone",
            ),
            (any(&|one| one.said != flows[0].said), "connections differ; expected equal ones"),
            (queues.len() != 1, "service classes wait in queues of their own; expected one class"),
            (self.is_narrowed(), NARROWER),
            (
                !["infinite", "per_port"].contains(&queues[0].buffer.kind),
                "VCs have buffers of their own; expected one of the port",
            ),
        ];
        faults.into_iter().find_map(|(is_so, reason)| is_so.then_some(reason))
    }

    /// True if a line before or behind the port leaves a connection less than this one may.
    fn is_narrowed(&self) -> bool {
        let line = self.port.line();
        let here = line.line_bits_per_second / line.flows as f64;
        self.flows.iter().any(|one| {
            one.flow.path.iter().map(|&link| &one.ports.explained.links[link]).any(|hop| {
                hop.flows > line.flows && hop.line_bits_per_second / (hop.flows as f64) < here
            })
        })
    }

    /// Prediction by windows: no loss while all windows fit; beyond that they are halved.
    fn by_windows(&self) -> Found {
        let all = self.flows.iter().map(Connection::window).sum();
        if all <= 0.0 {
            return refused("windows have no whole segment; expected one");
        }
        let found = window::paced(all, self.round_trip(), self.ceiling())?;
        let first = &self.flows[0];
        let waiting = found.queue / first.segment() * first.units_at(self.port);
        if waiting > 0.0 && !self.flows.iter().all(Connection::grows_on) {
            return refused("a window keeps its queue short; expected congestion reno or cubic");
        }
        match self.port.buffer() {
            Some(size) if waiting > size as f64 => self.halved(size),
            _ => Ok(self.contained(found.rate / self.ceiling(), waiting)),
        }
    }

    fn contained(&self, used: f64, waiting: f64) -> Prediction {
        let used = used.min(1.0);
        let in_service = if self.port.counts_in_service() { used } else { 0.0 };
        let queue = Predicted::new("mean queue", waiting + in_service, self.port.facts.unit);
        Prediction {
            model: "windows that the path and the buffer contain",
            source: "a window per round trip",
            numbers: vec![Self::utilisation("utilisation", used), queue.at("mean_queue")],
            assumptions: vec![self.equal_round_trips()],
        }
    }

    fn halved(&self, size: u64) -> Found {
        let (first, count) = (&self.flows[0], self.flows.len());
        if first.said.congestion != CongestionLaw::Reno {
            return refused("windows grow by another law; expected congestion reno");
        }
        let path = self.ceiling() * self.round_trip() / first.segment();
        let ratio = size as f64 / first.units_at(self.port) / path;
        let together = utilisation(Rule::Reno, path, ratio, first.segments_per_ack())?;
        let mut numbers = vec![Self::utilisation("utilisation, halved together", together)];
        if count >= MANY {
            let least = desynchronised_utilisation(ratio, count as f64)?;
            numbers.push(Self::utilisation("halved independently, at least", least));
        }
        numbers.push(Predicted::new("buffer over the path's window", ratio, "1"));
        let (each, rule) = (path * (1.0 + ratio) / count as f64, first.said.recovery);
        let repairs = matches!(
            rule,
            Recovery::NewReno | Recovery::NewRenoSteady | Recovery::Sack | Recovery::SackPipe
        );
        let drop = self.port.facts.drop;
        Ok(Prediction {
            model: "windows halved by a full buffer",
            source: "Lakshman and Madhow 1997; Appenzeller, Keslassy and McKeown 2004",
            numbers,
            assumptions: vec![
                self.equal_round_trips(),
                Assumption::new("only a full buffer discards", drop == "tail", drop),
                Assumption::new(
                    "losses are repaired without timeouts",
                    repairs && each >= LASTING,
                    format!("{}, windows of at most {} segments", rule.word(), general(each, 3)),
                ),
                Assumption::new(
                    "all windows are halved together",
                    None,
                    format!("of {count} connections some may be spared, which leaves more"),
                ),
            ],
        })
    }

    pub(super) fn equal_round_trips(&self) -> Assumption {
        let trips = || self.flows.iter().map(Connection::round_trip);
        let (least, most) = (trips().fold(f64::INFINITY, f64::min), trips().fold(0.0, f64::max));
        let [from, to] = [least, most].map(|trip| general(trip * 1e3, 4));
        Assumption::new("round trips are equal", most <= least * NEAR, format!("{from} to {to} ms"))
    }
}

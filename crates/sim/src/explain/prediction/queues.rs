//! Sources without TCP that meet at a port: M/D/1, N·D/D/1, on-off sources as a fluid.

use std::collections::BTreeSet;

use cellway_theory::queue::{fluid::Fluid, periodic::Periodic, poisson::Poisson};

use super::answer::{Assumption, Found, Predicted, Prediction, Refusal, refused};
use super::general::general;
use super::port::Port;
use crate::explain::{FlowFacts, LinkFacts};
use crate::scenario::resolved::{ExponentialOnOff, Flow, Phase, Size, Traffic};
use crate::units::Span;

/// Smallest loss that a run of ours could show.
const NEVER: f64 = 1e-6;
/// Ratio to the rate of the port from which an access line counts as fast.
const FAST: f64 = 10.0;

/// Equal sources at one port.
struct Meeting<'a> {
    port: &'a Port<'a>,
    /// Number of the sources.
    count: f64,
    /// Seconds for a cell or packet.
    service: f64,
    /// Cells or packets per second of a source, on average.
    each: f64,
    /// Part of the time in which the line is busy.
    load: f64,
}

/// Prediction for the queue; `None` where TCP passes, or where no queue can arise.
pub(super) fn predicted(port: &Port<'_>) -> Option<Found> {
    let (first, facts) = flows(port).next()?;
    let has_tcp = flows(port).any(|(_, facts)| facts.tcp.is_some());
    if has_tcp || port.line().ack_flows > 0 || !may_queue(port) {
        return None;
    }
    let reason = port.of.varying(&[port.link]).or_else(|| outside(port, first, facts));
    Some(reason.map_or_else(|| Meeting::new(port, facts).predicted(first), refused))
}

fn flows<'a>(port: &'a Port<'_>) -> impl Iterator<Item = (&'a Flow, &'a FlowFacts)> {
    let of = port.of;
    port.passing.iter().map(|one| (&of.scenario.flows[one.flow], &of.explained.flows[one.flow]))
}

/// Links by which the flows come, one for each flow.
fn lines<'a>(port: &'a Port<'_>) -> impl Iterator<Item = &'a LinkFacts> {
    port.passing.iter().map(|one| &port.of.explained.links[one.before])
}

/// Different links by which the flows come.
fn different(port: &Port<'_>) -> BTreeSet<usize> {
    port.passing.iter().map(|one| one.before).collect()
}

/// True if cells can arrive faster than they leave.
fn may_queue(port: &Port<'_>) -> bool {
    let links = different(port).into_iter().map(|link| &port.of.explained.links[link]);
    let all: f64 = links.map(|link| link.line_bits_per_second).sum();
    all > port.line().line_bits_per_second
}

/// Reason why no formula applies to these sources; `None` if one does.
fn outside(port: &Port<'_>, first: &Flow, facts: &FlowFacts) -> Option<String> {
    let (traffic, at) = (&first.traffic, &facts.bottleneck.at);
    let is_known =
        matches!(traffic, Traffic::Cbr(_) | Traffic::Poisson(_) | Traffic::ExponentialOnOff(_));
    let sends_datagrams = facts.raw.is_none();
    if flows(port).any(|(flow, _)| flow.traffic != *traffic) {
        let words: BTreeSet<_> = flows(port).map(|(flow, _)| flow.traffic.word()).collect();
        let words = words.into_iter().collect::<Vec<_>>().join(", ");
        Some(format!("sources of several kinds or rates meet ({words}); expected equal ones"))
    } else if !is_known {
        let word = traffic.word();
        Some(format!("sources are {word}; expected cbr, poisson, exponential_on_off"))
    } else if port.facts.queues.len() != 1 {
        Some("service classes wait in queues of their own; expected one class".to_owned())
    } else if sends_datagrams && !matches!(traffic.datagram(), Some(Size::Fixed(_))) {
        Some("datagrams differ in size; expected one size".to_owned())
    } else if sends_datagrams && *at != port.facts.link {
        Some(format!("{} has its bottleneck at {at}; expected it here", facts.name))
    } else {
        None
    }
}

impl<'a> Meeting<'a> {
    /// Sources that are those with `facts`.
    fn new(port: &'a Port<'a>, facts: &FlowFacts) -> Self {
        let count = port.passing.len() as f64;
        let (each, service) = match (&facts.raw, &facts.datagrams) {
            (Some(raw), _) => {
                let rate = port.line().cells_per_second.expect("raw cells pass links of cells");
                (raw.offered_cells_per_second, 1.0 / rate)
            }
            (None, Some(sent)) => (sent.per_second, sent.load / sent.per_second),
            (None, None) => unreachable!("a source without a transport sends cells or datagrams"),
        };
        Self { port, count, service, each, load: count * each * service }
    }

    fn predicted(&self, first: &Flow) -> Found {
        let found = match &first.traffic {
            Traffic::Cbr(_) => self.periodic(first),
            Traffic::ExponentialOnOff(plan) => self.fluid(plan),
            _ => self.poisson(),
        };
        let load = general(self.load, 4);
        found.map_err(|Refusal(reason)| Refusal(format!("{reason}; the load is {load}")))
    }

    /// Mean queue, from the mean number with the cell in service.
    fn queue(&self, number: f64) -> Predicted {
        let mean = if self.port.counts_in_service() { number } else { number - self.load };
        Predicted::new("mean queue", mean, self.port.facts.unit).at("mean_queue")
    }

    fn utilisation(&self) -> Predicted {
        Predicted::new("utilisation", self.load, "1").at("utilisation")
    }

    /// Mean delay with the transmission, from the mean wait in service times.
    fn mean_delay(&self, wait: f64) -> Predicted {
        let seconds = (wait + 1.0) * self.service;
        Predicted::new("mean delay at the port", seconds, "s").at("delay.mean")
    }

    /// Delay that 1 % of the units exceed, from their wait in service times.
    fn p99(&self, wait: f64) -> Predicted {
        Predicted::new("delay at the port, p99", (wait + 1.0) * self.service, "s")
    }

    /// M/D/1; behind access lines as fast as the port, waits at those lines are subtracted.
    ///
    /// In a tree of lines that take the same time for every cell, a cell waits as long in all as it
    /// would at the last line alone.
    fn poisson(&self) -> Found {
        let (port, queue) = (self.port, Poisson::new(self.load)?);
        // Places: the buffer and, if it is not counted there, the cell in service.
        let places = port.buffer().map(|size| size + u64::from(!port.counts_in_service()));
        let places = places.map(|places| u32::try_from(places).unwrap_or(u32::MAX));
        let loss = places.map(|places| queue.loss(places)).transpose()?;
        let out = port.line().line_bits_per_second;
        let is_tree = self.count > 1.0
            && lines(port).all(|line| line.line_bits_per_second.total_cmp(&out).is_eq());
        let before = if is_tree { Poisson::new(self.load / self.count)?.mean_wait() } else { 0.0 };
        let wait = queue.mean_wait() - before;
        let number = self.queue(self.load * (1.0 + wait));
        let mut numbers = vec![self.utilisation(), number, self.mean_delay(wait)];
        if !is_tree {
            numbers.push(self.p99(queue.wait_quantile(0.99)?).at("delay.p99"));
        }
        numbers.extend(loss.map(|loss| Predicted::new("loss", loss, "1")));
        let (model, arrivals) = if is_tree {
            let text = "access lines are as fast as the port, and share the waiting";
            ("M/D/1 behind access lines", Assumption::new(text, true, ""))
        } else {
            ("M/D/1", self.poisson_arrivals(out))
        };
        Ok(Prediction {
            model,
            source: "Pollaczek 1930, Khintchine 1932; Franx 2001 for the law; Keilson 1966 for \
                     the loss",
            numbers,
            assumptions: self.assumptions(vec![arrivals], loss),
        })
    }

    fn poisson_arrivals(&self, out: f64) -> Assumption {
        let speeds = lines(self.port).map(|line| line.line_bits_per_second);
        let slowest = speeds.fold(f64::INFINITY, f64::min);
        Assumption::new(
            format!("arrivals are a Poisson process: access lines at least {FAST} times as fast"),
            slowest >= FAST * out,
            format!("the slowest is {} times as fast", general(slowest / out, 3)),
        )
    }

    fn periodic(&self, first: &Flow) -> Found {
        let queue = Periodic::new(self.count as u32, self.count / self.load)?;
        let loss = self.port.buffer().map(|size| queue.work_above(size as f64));
        let is_together = flows(self.port).all(|(flow, _)| flow.start == first.start);
        let phase = self.port.of.scenario.run.phase;
        let why = format!("run.phase is {}", phase.word());
        let own = vec![
            Assumption::new(
                "phases are independent and uniform over a period",
                is_together && phase == Phase::Random,
                if is_together { &why } else { "starts differ" },
            ),
            Assumption::new(
                "many sets of phases: a run has one for all of its time",
                None,
                "means are over runs with different seeds",
            ),
        ];
        Ok(Prediction {
            model: "N·D/D/1",
            source: "Roberts and Virtamo 1991",
            numbers: vec![
                self.utilisation(),
                self.queue(queue.mean_number()),
                self.mean_delay(queue.mean_wait()),
                // The quantile of a run is that of its own phases, which is another number.
                self.p99(queue.wait_quantile(0.99)?),
            ],
            assumptions: self.assumptions(own, loss),
        })
    }

    fn fluid(&self, plan: &ExponentialOnOff) -> Found {
        let [on, off] = [plan.on, plan.off].map(Span::seconds_f64);
        // Rate of a source in a burst.
        let peak = self.each * (on + off) / on;
        let queue = Fluid::new(self.count as u32, on / off, 1.0 / self.service / peak)?;
        let burst = peak * on;
        let loss = self.port.buffer().map(|size| queue.above(size as f64 / burst));
        let (unit, mean) = (self.port.facts.unit, burst * queue.mean());
        let (cells, wait) = (general(burst, 3), general(mean, 3));
        let small = Assumption::new(
            "cells are small beside a burst, and their own queue beside that of bursts",
            burst >= FAST * FAST && mean >= 1.0,
            format!("{cells} {unit}s in a burst, {wait} wait on average"),
        );
        let p99 = Predicted::new("queue of the bursts, p99", burst * queue.quantile(0.99)?, unit);
        Ok(Prediction {
            model: "on-off sources as a fluid",
            source: "Anick, Mitra and Sondhi 1982",
            numbers: vec![
                self.utilisation(),
                Predicted::new("mean queue of the bursts", mean, unit).at("mean_queue"),
                p99.at("queue_distribution.p99"),
            ],
            assumptions: self.assumptions(vec![small], loss),
        })
    }

    /// Assumptions of a formula and those of all queues; `loss` is absent without a limit.
    fn assumptions(&self, own: Vec<Assumption>, loss: Option<f64>) -> Vec<Assumption> {
        let port = self.port;
        let direct = different(port).len() == port.passing.len()
            && port.passing.iter().all(|one| one.is_first);
        let impaired = lines(port).filter(|line| !line.impairments.is_empty());
        let impaired: Vec<_> = impaired.map(|line| line.name.as_str()).collect();
        let (scheduler, drop) = (port.rules.scheduler.word(), port.facts.drop);
        let common = [
            Assumption::new(
                "each source has an access line of its own, and no queue before this one",
                direct,
                if direct { "" } else { "sources share a line, or pass another port before" },
            ),
            Assumption::new("lines lose nothing", impaired.is_empty(), impaired.join(", ")),
            Assumption::new(
                "first in, first out, and only a full buffer discards",
                scheduler == "fifo" && drop == "tail",
                format!("{scheduler}, {drop}"),
            ),
            self.never_full(loss),
        ];
        own.into_iter().chain(common).collect()
    }

    fn never_full(&self, loss: Option<f64>) -> Assumption {
        let (text, unit) = ("the buffer is never full", self.port.facts.unit);
        match self.port.buffer().zip(loss) {
            None => Assumption::new(text, true, "it is infinite"),
            Some((size, loss)) => {
                let why = format!("{size} {unit}s; the model loses {} of them", general(loss, 2));
                Assumption::new(text, loss < NEVER, why)
            }
        }
    }
}

//! The instants of a measurement: starts of flows, looks at connections, the end of the warm-up and
//! of the run. Between them the path follows the clock.

use std::collections::BTreeMap;
use std::io;

use cellway_sim::pdu::FlowEnd;
use cellway_sim::result::FlowCounters;
use cellway_sim::units::{Span, Time};
use cellway_sim::{Continue, Pause, Progress, RunError};

use super::bulk::Bulk;
use super::ends::Ends;
use super::path::Path;
use super::probe::{LOOK, Probe};
use super::responses::Responses;
use super::writer::Writer;
use crate::record::MeasureError;

/// Longest time of the clock between two reports of progress.
const REPORT: Span = Span::from_milliseconds(50);

/// A flow of the measurement.
#[derive(Debug)]
pub(super) struct Measuring {
    pub(super) name: String,
    pub(super) origin: FlowEnd,
    pub(super) start: Time,
    pub(super) probe: Probe,
    /// Its application; `None` for traffic without end.
    pub(super) writer: Option<Writer>,
    /// Its responses, if there are any.
    pub(super) responses: Option<Responses>,
    /// Counters at the end of the warm-up and at the end.
    pub(super) counters: [FlowCounters; 2],
}

impl Measuring {
    /// Bytes that its application has written; traffic without end has no limit.
    fn written(&self) -> u64 {
        self.writer.as_ref().map_or(u64::MAX, Writer::taken)
    }

    /// Instant at which its application has to be asked.
    fn next(&self) -> Time {
        self.writer.as_ref().map_or(Time::MAX, Writer::next)
    }

    /// True if an end has written what its kernel had no room for.
    fn waits_for_room(&self, end: FlowEnd) -> bool {
        match end {
            FlowEnd::Origin(_) => self.writer.as_ref().is_some_and(Writer::waits_for_room),
            FlowEnd::Destination(_) => {
                self.responses.as_ref().is_some_and(Responses::waits_for_room)
            }
        }
    }

    /// Asks the application at an end.
    fn turn(&mut self, end: FlowEnd, now: Time, ends: &Ends) -> io::Result<()> {
        let written = self.written();
        match (end, &mut self.writer, &mut self.responses) {
            (FlowEnd::Origin(_), Some(writer), None) => {
                writer.turn(now, ends.outlet(), 0).map(drop)
            }
            (FlowEnd::Origin(_), Some(writer), Some(responses)) => {
                ends.limit_responses()?;
                let completed = writer.turn(now, ends.outlet(), responses.taken())?;
                responses.note(completed, now);
                Ok(())
            }
            (FlowEnd::Destination(_), _, Some(responses)) => responses.turn(now, ends, written),
            _ => Ok(()),
        }
    }

    /// Writes at an end what is written already.
    fn fill(&mut self, end: FlowEnd, ends: &Ends) -> io::Result<()> {
        match (end, &mut self.writer, &mut self.responses) {
            (FlowEnd::Origin(_), Some(writer), _) => writer.fill(ends.outlet()),
            (FlowEnd::Destination(_), _, Some(responses)) => responses.fill(ends),
            _ => Ok(()),
        }
    }
}

/// End of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The end of the run.
    AtEnd,
    /// An earlier instant, after the warm-up.
    Early,
}

/// A measurement under way.
#[derive(Debug)]
pub(super) struct Driver<'s> {
    pub(super) path: Path<'s>,
    pub(super) bulk: Bulk,
    /// Flows, in the order of the connections.
    pub(super) flows: Vec<Measuring>,
    schedule: Schedule,
    warm_up: Time,
    /// Flows with applications, by the ends at which they write.
    writer_at: BTreeMap<FlowEnd, usize>,
}

/// Instants at which something is done.
#[derive(Debug)]
struct Schedule {
    /// Flows that have not started, the next one last.
    starts: Vec<(Time, usize)>,
    /// End of the warm-up, until it is over.
    warm_up: Option<Time>,
    end: Time,
    look: Time,
    /// Interval of the series, and the next point.
    series: Option<(Span, Time)>,
    /// Instant at which an application has to be asked.
    ask: Time,
}

impl Schedule {
    fn next(&self) -> Time {
        let start = self.starts.last().map(|(start, _)| *start);
        let series = self.series.map(|(_, due)| due);
        let times = [start, self.warm_up, series, Some(self.look), Some(self.ask)];
        times.into_iter().flatten().fold(self.end, Time::min)
    }
}

impl<'s> Driver<'s> {
    pub(super) fn new(
        path: Path<'s>,
        bulk: Bulk,
        flows: Vec<Measuring>,
        warm_up: Time,
        interval: Option<Span>,
    ) -> Self {
        let mut starts: Vec<_> =
            flows.iter().enumerate().map(|(index, flow)| (flow.start, index)).collect();
        starts.sort_by(|one, other| other.cmp(one));
        let schedule = Schedule {
            starts,
            warm_up: Some(warm_up),
            end: path.simulation.end(),
            look: Time::ZERO,
            series: interval.map(|interval| (interval, Time::ZERO)),
            ask: Time::MAX,
        };
        let writers = flows.iter().enumerate().flat_map(|(index, flow)| {
            let origin = flow.writer.as_ref().map(|_| flow.origin);
            let destination = flow.responses.as_ref().map(|_| flow.origin.other());
            [origin, destination].into_iter().flatten().map(move |end| (end, index))
        });
        let writer_at = writers.collect();
        Self { path, bulk, flows, schedule, warm_up, writer_at }
    }

    /// Follows the clock to the end of the run; ends early where `tell` says so, which is an error
    /// before the end of the warm-up.
    pub(super) fn run(
        &mut self,
        tell: &mut dyn FnMut(Progress) -> Continue,
    ) -> Result<Ended, MeasureError> {
        let end = self.schedule.end;
        let mut report = Time::ZERO;
        loop {
            let clock = self.path.clock();
            if clock >= report {
                report = clock + REPORT;
                if self.report(tell) == Continue::No {
                    return self.cancelled();
                }
            }
            let next = self.schedule.next();
            match self.path.run_until(next.min(clock))? {
                Pause::Arrival(at) => {
                    self.path.deliver()?;
                    self.acknowledge(at)?;
                }
                Pause::OnTheWay(_) => {}
                Pause::AtBarrier if self.path.simulation.now() == next => {
                    self.act(next)?;
                    if next == end {
                        return Ok(Ended::AtEnd);
                    }
                }
                Pause::AtBarrier => {
                    self.wait(next.min(self.path.simulation.next_arrival()).min(report))?;
                }
            }
        }
    }

    /// Waits until `until`, a packet of a kernel, or room for what applications have written.
    fn wait(&mut self, until: Time) -> Result<(), MeasureError> {
        let waiting = self.writer_at.iter().map(|(&end, &flow)| (end, flow));
        let waiting = waiting.filter(|&(end, flow)| self.flows[flow].waits_for_room(end));
        let with_socket = waiting.filter_map(|(end, flow)| {
            let socket = self.bulk.flows()[flow].socket_at(end)?;
            Some(((end, flow), socket))
        });
        let (waiting, sockets): (Vec<_>, Vec<_>) = with_socket.unzip();
        for index in self.path.wait(until, &sockets)? {
            let (end, flow) = waiting[index];
            self.fill(end, flow)?;
        }
        Ok(())
    }

    /// Writes at an end what an application has written before, and puts it on the path.
    fn fill(&mut self, end: FlowEnd, flow: usize) -> Result<(), MeasureError> {
        let wrote = self.flows[flow].fill(end, &self.bulk.flows()[flow]);
        let name = &self.flows[flow].name;
        wrote.map_err(MeasureError::at(format!("writing on flow {name}")))?;
        self.path.drain_end(end, self.path.clock())
    }

    fn report(&self, tell: &mut dyn FnMut(Progress) -> Continue) -> Continue {
        let at = self.path.simulation.now();
        tell(Progress { at, duration: self.schedule.end - Time::ZERO })
    }

    fn cancelled(&self) -> Result<Ended, MeasureError> {
        if self.has_measured() {
            return Ok(Ended::Early);
        }
        let at = self.path.simulation.now().seconds_f64();
        Err(RunError::Cancelled(format!("{at} s")).into())
    }

    /// True if the warm-up was over before now.
    pub(super) fn has_measured(&self) -> bool {
        self.schedule.warm_up.is_none() && self.path.simulation.now() > self.warm_up
    }

    /// Ends the measurement before its end.
    pub(super) fn end_early(&mut self) -> Result<(), MeasureError> {
        self.count(1)
    }

    /// Does all that is due at `now`. The warm-up ends before anything else of that instant.
    fn act(&mut self, now: Time) -> Result<(), MeasureError> {
        if self.schedule.look <= now || self.schedule.series.is_some_and(|(_, due)| due <= now) {
            self.look(now).map_err(MeasureError::at("the state of a connection"))?;
        }
        if self.schedule.warm_up.is_some_and(|at| at <= now) {
            self.schedule.warm_up = None;
            self.count(0)?;
            self.flows.iter_mut().for_each(|flow| flow.probe.begin_measurement());
        }
        if now == self.schedule.end {
            self.count(1)?;
            return self.require_all_open();
        }
        while let Some((_, flow)) = self.schedule.starts.pop_if(|(start, _)| *start <= now) {
            self.start(flow, now)?;
        }
        if self.schedule.ask <= now {
            for flow in 0..self.flows.len() {
                if self.flows[flow].writer.as_ref().is_some_and(|writer| writer.next() <= now) {
                    self.ask(self.flows[flow].origin, flow, now)?;
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, flow: usize, now: Time) -> Result<(), MeasureError> {
        let starting = &mut self.flows[flow];
        let said = format!("connecting flow {}", starting.name);
        let started = self.bulk.start(flow, starting.writer.is_none());
        started.map_err(MeasureError::at(said))?;
        self.path.drain_end(starting.origin, now)?;
        let Some(writer) = &mut starting.writer else { return Ok(()) };
        let wrote = writer.start(now, self.bulk.flows()[flow].outlet());
        wrote.map_err(MeasureError::at("writing"))?;
        self.schedule.ask = self.schedule.ask.min(writer.next());
        Ok(())
    }

    /// Asks the applications to whose ends something was handed over.
    fn acknowledge(&mut self, at: Time) -> Result<(), MeasureError> {
        let reached = std::mem::take(&mut self.path.reached);
        for end in &reached {
            if let Some(&flow) = self.writer_at.get(end) {
                self.ask(*end, flow, at)?;
            }
        }
        self.path.reached = reached;
        Ok(())
    }

    /// Asks the application at an end, and puts on the path what it has written.
    fn ask(&mut self, end: FlowEnd, flow: usize, now: Time) -> Result<(), MeasureError> {
        let asked = &mut self.flows[flow];
        let before = asked.next();
        let wrote = asked.turn(end, now, &self.bulk.flows()[flow]);
        wrote.map_err(MeasureError::at(format!("writing on flow {}", asked.name)))?;
        if before != asked.next() {
            let next = self.flows.iter().map(Measuring::next).min();
            self.schedule.ask = next.unwrap_or(Time::MAX);
        }
        self.path.drain_end(end, now)
    }

    fn look(&mut self, now: Time) -> io::Result<()> {
        for (flow, ends) in self.flows.iter_mut().zip(self.bulk.flows()) {
            flow.probe.look(now, ends, flow.written())?;
        }
        if self.schedule.look <= now {
            self.schedule.look = now + LOOK;
        }
        if let Some((interval, due)) = &mut self.schedule.series {
            while *due <= now {
                *due += *interval;
            }
        }
        Ok(())
    }

    /// Takes the counters of all flows at the end of the warm-up, or at the end.
    fn count(&mut self, reading: usize) -> Result<(), MeasureError> {
        for (flow, ends) in self.flows.iter_mut().zip(self.bulk.flows()) {
            let marks = [flow.origin, flow.origin.other()].map(|end| self.path.marked(end));
            let counted = flow.probe.counters(ends, flow.written(), marks);
            let counted = counted.map_err(MeasureError::at("counters"))?;
            let transactions = flow.responses.as_ref().map(|responses| responses.counters(ends));
            let transactions = transactions.transpose().map_err(MeasureError::at("counters"))?;
            flow.counters[reading] = FlowCounters {
                finished_at: flow.writer.as_ref().and_then(Writer::finished_at),
                blocks: flow.writer.as_ref().and_then(Writer::blocks),
                transactions: transactions.map(Box::new),
                ..counted
            };
        }
        Ok(())
    }

    /// Fails if a connection was closed before the end, or a thread of the traffic ended.
    fn require_all_open(&self) -> Result<(), MeasureError> {
        self.bulk.require_threads().map_err(MeasureError::at("waiting for the traffic"))?;
        for (flow, ends) in self.flows.iter().zip(self.bulk.flows()) {
            let said = format!("the connection of flow {}", flow.name);
            ends.require_open().map_err(MeasureError::at(said))?;
        }
        Ok(())
    }
}

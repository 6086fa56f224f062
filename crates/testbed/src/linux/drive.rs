//! The instants of a measurement: starts of flows, looks at connections, the end of the warm-up and
//! of the run. Between them the path follows the clock.

use std::collections::BTreeMap;
use std::io;

use cellway_sim::pdu::FlowEnd;
use cellway_sim::result::FlowCounters;
use cellway_sim::units::{Span, Time};
use cellway_sim::{Continue, Pause, Progress, RunError};

use super::bulk::Bulk;
use super::path::Path;
use super::probe::{LOOK, Probe};
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
    /// Counters at the end of the warm-up and at the end.
    pub(super) counters: [FlowCounters; 2],
}

impl Measuring {
    /// Bytes that its application has written; traffic without end has no limit.
    fn written(&self) -> u64 {
        self.writer.as_ref().map_or(u64::MAX, Writer::taken)
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
    /// Flows with an application, by the end at which it writes.
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
        let writers = flows.iter().enumerate().filter(|(_, flow)| flow.writer.is_some());
        let writer_at = writers.map(|(index, flow)| (flow.origin, index)).collect();
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
        let waits = |flow: &Measuring| flow.writer.as_ref().is_some_and(Writer::waits_for_room);
        let waiting = self.flows.iter().enumerate().filter(|(_, flow)| waits(flow));
        let waiting: Vec<usize> = waiting.map(|(index, _)| index).collect();
        let sockets: Vec<_> =
            waiting.iter().map(|flow| self.bulk.flows()[*flow].sender()).collect();
        for index in self.path.wait(until, &sockets)? {
            self.fill(waiting[index])?;
        }
        Ok(())
    }

    /// Writes what an application has written before, and puts it on the path.
    fn fill(&mut self, flow: usize) -> Result<(), MeasureError> {
        let Measuring { name, origin, writer, .. } = &mut self.flows[flow];
        let Some(writer) = writer else { return Ok(()) };
        let wrote = writer.fill(&self.bulk.flows()[flow]);
        wrote.map_err(MeasureError::at(format!("writing on flow {name}")))?;
        self.path.drain_end(*origin, self.path.clock())
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
                    self.ask(flow, now)?;
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
        let wrote = writer.start(now, &self.bulk.flows()[flow]);
        wrote.map_err(MeasureError::at("writing"))?;
        self.schedule.ask = self.schedule.ask.min(writer.next());
        Ok(())
    }

    /// Asks the applications to whose ends something was handed over.
    fn acknowledge(&mut self, at: Time) -> Result<(), MeasureError> {
        let reached = std::mem::take(&mut self.path.reached);
        for end in &reached {
            if let Some(&flow) = self.writer_at.get(end) {
                self.ask(flow, at)?;
            }
        }
        self.path.reached = reached;
        Ok(())
    }

    /// Asks an application, and puts on the path what it has written.
    fn ask(&mut self, flow: usize, now: Time) -> Result<(), MeasureError> {
        let asked = &mut self.flows[flow];
        let Some(writer) = &mut asked.writer else { return Ok(()) };
        let before = writer.next();
        let wrote = writer.turn(now, &self.bulk.flows()[flow]);
        wrote.map_err(MeasureError::at(format!("writing on flow {}", asked.name)))?;
        if before != writer.next() {
            let writers = self.flows.iter().filter_map(|flow| flow.writer.as_ref());
            self.schedule.ask = writers.map(Writer::next).min().unwrap_or(Time::MAX);
        }
        self.path.drain_end(self.flows[flow].origin, now)
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
            flow.counters[reading] = match &flow.writer {
                None => counted,
                Some(writer) => FlowCounters {
                    finished_at: writer.finished_at(),
                    blocks: writer.blocks(),
                    ..counted
                },
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

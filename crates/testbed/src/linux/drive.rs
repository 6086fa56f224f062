//! The instants of a measurement: starts of flows, looks at connections, the end of the warm-up and
//! of the run. Between them the path follows the clock.

use std::io;

use cellway_sim::pdu::FlowEnd;
use cellway_sim::result::FlowCounters;
use cellway_sim::units::{Span, Time};
use cellway_sim::{Continue, Pause, Progress, RunError};

use super::bulk::Bulk;
use super::path::Path;
use super::probe::{LOOK, Probe};
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
    /// Counters at the end of the warm-up and at the end.
    pub(super) counters: [FlowCounters; 2],
}

/// A measurement under way.
#[derive(Debug)]
pub(super) struct Driver<'s> {
    pub(super) path: Path<'s>,
    pub(super) bulk: Bulk,
    /// Flows, in the order of the connections.
    pub(super) flows: Vec<Measuring>,
    schedule: Schedule,
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
}

impl Schedule {
    fn next(&self) -> Time {
        let start = self.starts.last().map(|(start, _)| *start);
        let series = self.series.map(|(_, due)| due);
        let times = [start, self.warm_up, series, Some(self.look)];
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
        };
        Self { path, bulk, flows, schedule }
    }

    /// Follows the clock to the end of the run.
    pub(super) fn run(
        &mut self,
        tell: &mut dyn FnMut(Progress) -> Continue,
    ) -> Result<(), MeasureError> {
        let end = self.schedule.end;
        let mut report = Time::ZERO;
        loop {
            let clock = self.path.clock();
            if clock >= report {
                report = clock + REPORT;
                self.report(tell)?;
            }
            let next = self.schedule.next();
            match self.path.simulation.run_until(next.min(clock))? {
                Pause::Arrival(_) => self.path.deliver()?,
                Pause::OnTheWay(_) => {}
                Pause::AtBarrier if self.path.simulation.now() == next => {
                    self.act(next)?;
                    if next == end {
                        return Ok(());
                    }
                }
                Pause::AtBarrier => {
                    let due = next.min(self.path.simulation.next_arrival()).min(report);
                    self.path.wait(due)?;
                }
            }
        }
    }

    fn report(&self, tell: &mut dyn FnMut(Progress) -> Continue) -> Result<(), MeasureError> {
        let at = self.path.simulation.now();
        match tell(Progress { at, duration: self.schedule.end - Time::ZERO }) {
            Continue::Yes => Ok(()),
            Continue::No => Err(RunError::Cancelled(format!("{} s", at.seconds_f64())).into()),
        }
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
            let said = format!("connecting flow {}", self.flows[flow].name);
            self.bulk.start(flow).map_err(MeasureError::at(said))?;
            self.path.drain_end(self.flows[flow].origin, now)?;
        }
        Ok(())
    }

    fn look(&mut self, now: Time) -> io::Result<()> {
        for (flow, ends) in self.flows.iter_mut().zip(self.bulk.flows()) {
            flow.probe.look(now, ends)?;
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
            let counted = flow.probe.counters(ends);
            flow.counters[reading] = counted.map_err(MeasureError::at("counters"))?;
        }
        Ok(())
    }

    /// Fails if a connection was closed before the end.
    fn require_all_open(&self) -> Result<(), MeasureError> {
        for (flow, ends) in self.flows.iter().zip(self.bulk.flows()) {
            if let Some(error) = ends.ended() {
                let said = format!("the connection of flow {}", flow.name);
                return Err(MeasureError::at(said)(error.into()));
            }
        }
        Ok(())
    }
}

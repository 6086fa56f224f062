//! Measurements on Linux.

mod bulk;
mod children;
mod doctor;
mod drive;
mod echo;
mod ends;
mod facts;
mod inlet;
mod outlet;
mod parts;
mod passage;
mod path;
mod place;
mod probe;
mod responses;
mod stage;
mod sys;
mod tcp_info;
mod writer;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;

use cellway_sim::pdu::FlowEnd;
use cellway_sim::result::Window;
use cellway_sim::scenario::{Flow, Scenario};
use cellway_sim::traffic::Asked;
use cellway_sim::units::Time;
use cellway_sim::{Continue, Progress, RunError, Simulation};
use cellway_stack::{Capture, Capturing};
use nix::sys::prctl;

use crate::clock::{Clock, date};
use crate::kernel::KernelPlan;
use crate::program::Programs;
use crate::record::{EndFacts, FlowFacts, MeasureError, Measured, MeasuredFacts};
use crate::writing::Writing;
use bulk::Bulk;
use children::Children;
use drive::{Driver, Ended, Measuring};
use ends::Ends;
use parts::{Parts, passages};
use passage::Passages;
use path::Path;
use place::Places;
use probe::Probe;
use responses::Responses;
use stage::Stage;
use writer::Writer;

pub use doctor::{examine, require_machine};
pub use parts::reached_from;

/// Part of the time in which another window may be offered: the kernel forgets its limit when it
/// learns how much memory a segment takes, until it is set again.
const OTHER_WINDOW: f64 = 0.01;

/// Sends the traffic of all flows with `tcp` through the path by the kernel's TCP, and measures
/// until the end of the run. `tell` is called about every 50 ms, and may end the measurement: then
/// the result is that of the time up to there, and marked.
///
/// The calling thread is the driver. It takes `run.duration` of real time, and needs root.
///
/// # Errors
///
/// `NotHere` if this machine lacks a need, `Refused` for keys that the kernel cannot follow,
/// `TooLate` if the driver does not keep up, `Run` if the path fails or `tell` ends it before its
/// warm-up is over, and `System` for calls of the system that fail and connections that die. After
/// the warm-up a call that fails ends the measurement, and marks its result.
pub fn measure(
    scenario: &Scenario,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Measured, MeasureError> {
    measure_with(scenario, &Programs::default(), None, tell)
}

/// Measures likewise, and captures packets at the hosts, those of kernels with their octets.
///
/// # Errors
///
/// As [`measure`], and `Run` if the capture cancels.
pub fn measure_captured<'a>(
    scenario: &'a Scenario,
    capture: Capture<'a>,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Measured, MeasureError> {
    measure_with(scenario, &Programs::default(), Some(capture), tell)
}

/// Like [`measure`], with programs at hosts of the scenario: flows that are left to them carry what
/// they send. The measurement ends with a program that has the terminal. With a `capture` packets
/// are captured as in [`measure_captured`].
///
/// # Errors
///
/// As [`measure_captured`].
pub fn measure_with<'a>(
    scenario: &'a Scenario,
    programs: &Programs,
    capture: Option<Capture<'a>>,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Measured, MeasureError> {
    let Parts { flows, plans, left } = Parts::of(scenario, programs)?;
    require_machine()?;
    children::require_there(&programs.programs).map_err(MeasureError::NotHere)?;
    let own = flows.iter().map(|flow| flow.name.as_str());
    let all: Vec<&str> = own.chain(left.iter().map(|left| left.flow.name.as_str())).collect();
    let mut simulation = Simulation::builder(scenario).external(&all).start()?;
    if let Some(capture) = &capture {
        simulation.capture(&capture.points);
    }
    let measuring = measuring(scenario, &flows, &plans, &simulation)?;
    let mut made = Made::of(scenario, &flows, &plans)?;
    let mut stage = Stage::of(&left, flows.len())?;
    let prepared = stage.prepare(scenario, &left, &programs.programs);
    let prepared = prepared.map_err(MeasureError::at("hosts of programs"))?;
    let bulk = Bulk::new(std::mem::take(&mut made.ends));
    let bulk = bulk.map_err(MeasureError::at("starting the traffic"))?;
    let mut devices = std::mem::take(&mut made.devices);
    devices.append(&mut stage.devices);
    let warm_up = Time::ZERO + scenario.run.warm_up;
    let observed = Observed::begin()?;
    let mut path = Path::new(simulation, observed.clock, devices);
    let numbers = left.iter().map(|left| left.index);
    path.passages = Passages::of(numbers, warm_up, path.simulation.end());
    path.capture(capture.map(|capture| Capturing::new(scenario, capture)));
    let mut driver = Driver::new(path, bulk, measuring, warm_up, probe::interval_of(scenario));
    let children = Children::start(prepared, observed.clock);
    let children = children.map_err(MeasureError::at("starting programs"))?;
    let (ended, early) = follow(&mut driver, &children, tell)?;
    driver.path.end_capture()?;
    let lost = || Ok(made.places.lost_in_devices()? + stage.lost_in_devices()?);
    let lost = lost().map_err(MeasureError::at("counters of devices"))?;
    let mut facts = observed.end(&driver.path, lost);
    facts.programs = children.end();
    (facts.left, facts.ended) = (passages(&mut driver.path, scenario, &left), early);
    finish(driver, ended, facts, &plans)
}

/// Follows the clock to the end, which may be early; a program that had the terminal ends it as
/// its caller wants.
fn follow(
    driver: &mut Driver<'_>,
    children: &Children,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<(Ended, Option<EndFacts>), MeasureError> {
    let mut tell = |at| if children.shell_has_ended() { Continue::No } else { tell(at) };
    let fault = match driver.run(&mut tell) {
        Ok(Ended::AtEnd) => return Ok((Ended::AtEnd, None)),
        Ok(Ended::Early) => None,
        Err(fault @ MeasureError::System { .. }) if driver.has_measured() => {
            Some(fault.to_string())
        }
        Err(fault) => return Err(fault),
    };
    driver.end_early()?;
    let simulation = &driver.path.simulation;
    let [at_s, of_s] = [simulation.now(), simulation.end()].map(Time::seconds_f64);
    let is_wanted = fault.is_none() && children.shell_has_ended();
    Ok((Ended::Early, (!is_wanted).then_some(EndFacts { at_s, of_s, fault })))
}

/// State of thread and machine at the start of a measurement.
#[derive(Debug)]
struct Observed {
    clock: Clock,
    started_at_s: f64,
    cpu_s: f64,
    stolen: Option<[u64; 2]>,
    /// Timer slack of the thread, which is the caller's.
    slack: Option<i32>,
}

impl Observed {
    /// Starts the clock. Waits of this thread then end when they are due, and not with others.
    fn begin() -> Result<Self, MeasureError> {
        let slack = prctl::get_timerslack().ok();
        prctl::set_timerslack(1).map_err(|error| MeasureError::at("timer slack")(error.into()))?;
        let (cpu_s, stolen) = (facts::thread_seconds(), facts::stolen_and_all());
        Ok(Self { clock: Clock::start(), started_at_s: date(), cpu_s, stolen, slack })
    }

    fn end(&self, path: &Path<'_>, lost_in_devices: u64) -> MeasuredFacts {
        let elapsed = self.clock.now() - Time::ZERO;
        let cpu_s = facts::thread_seconds() - self.cpu_s;
        MeasuredFacts {
            kernel: facts::kernel(),
            started_at_s: self.started_at_s,
            lateness: path.lateness.summary(),
            driver_cpu: cpu_s / elapsed.seconds_f64(),
            wake_ups_per_packet: path.tally.wake_ups as f64 / path.tally.packets.max(1) as f64,
            stolen: self.stolen.zip(facts::stolen_and_all()).map(facts::part_stolen),
            lost_in_devices,
            unwritten: path.tally.unwritten,
            foreign: path.tally.foreign,
            trace: path.trace(),
            flows: BTreeMap::new(),
            left: BTreeMap::new(),
            programs: Vec::new(),
            ended: None,
            marks: Vec::new(),
        }
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        if let Some(slack) = self.slack {
            // A failure only makes later waits of the thread more exact.
            let _ = prctl::set_timerslack(slack as _);
        }
    }
}

/// Namespaces, devices and sockets of a measurement.
#[derive(Debug)]
struct Made {
    places: Places,
    devices: Vec<(FlowEnd, File)>,
    ends: Vec<Ends>,
}

impl Made {
    fn of(
        scenario: &Scenario,
        flows: &[&Flow],
        plans: &[KernelPlan],
    ) -> Result<Self, MeasureError> {
        let mut made = Self { places: Places::default(), devices: Vec::new(), ends: Vec::new() };
        for (number, (flow, plan)) in flows.iter().zip(plans).enumerate() {
            let index = scenario.flows.iter().position(|other| other.name == flow.name);
            let added = made.add(number, index.expect("a flow of the scenario"), flow, plan);
            added.map_err(|error| match error.kind() {
                ErrorKind::Unsupported => {
                    MeasureError::NotHere(format!("`flow.{}`: {error}", flow.name))
                }
                _ => MeasureError::at(format!("the ends of flow {}", flow.name))(error),
            })?;
        }
        Ok(made)
    }

    /// Makes both ends of a flow.
    fn add(
        &mut self,
        number: usize,
        index: usize,
        flow: &Flow,
        plan: &KernelPlan,
    ) -> std::io::Result<()> {
        let [from, to] = place::addresses_of(number);
        let (origin, sending) = self.places.of(flow.source, &plan.sysctls)?.inside(|| {
            let device = place::make_device(number, [from, to], plan)?;
            Ok((device, ends::sending_socket(plan)?))
        })?;
        let (destination, listener) = self.places.of(flow.sink, &plan.sysctls)?.inside(|| {
            let device = place::make_device(number, [to, from], plan)?;
            Ok((device, ends::listening_socket(plan, to)?))
        })?;
        self.devices.push((FlowEnd::Origin(index), origin));
        self.devices.push((FlowEnd::Destination(index), destination));
        self.ends.push(Ends::new(sending, listener, to, plan));
        Ok(())
    }
}

/// Observations of all flows.
fn measuring(
    scenario: &Scenario,
    flows: &[&Flow],
    plans: &[KernelPlan],
    simulation: &Simulation<'_>,
) -> Result<Vec<Measuring>, MeasureError> {
    let run = &scenario.run;
    let window = Window { from: Time::ZERO + run.warm_up, until: Time::ZERO + run.duration };
    let of_flow = |(flow, plan): (&&Flow, &KernelPlan)| {
        let ends = simulation.ends(&flow.name);
        let [origin, _] = ends.map_err(|fault| RunError::UnknownName(fault.to_string()))?;
        let (start, stop) = scenario.times_of(flow);
        let asked = Asked::default();
        let writes = plan.writing != Writing::Endless;
        let application = writes.then(|| scenario.application_of(flow, &asked)).flatten();
        Ok(Measuring {
            name: flow.name.clone(),
            origin,
            start,
            writer: application.map(|application| Writer::new(application, stop)),
            responses: scenario
                .responder_of(flow, &asked)
                .map(|server| Responses::new(server, window)),
            probe: Probe::new(scenario, flow, plan.window),
            counters: Default::default(),
        })
    };
    flows.iter().zip(plans).map(of_flow).collect()
}

/// Ends the traffic and reports.
fn finish(
    driver: Driver<'_>,
    ended: Ended,
    mut facts: MeasuredFacts,
    plans: &[KernelPlan],
) -> Result<Measured, MeasureError> {
    let Driver { path, bulk, flows, .. } = driver;
    drop(bulk);
    if let Some(EndFacts { at_s, of_s, fault }) = &facts.ended {
        let why = fault.as_ref().map_or(String::new(), |fault| format!(": {fault}"));
        facts.marks.push(format!("ended at {at_s:.3} s of {of_s} s{why}"));
    }
    if path.lateness.is_over_limit() {
        facts.marks.push("a hundredth of the packets was more than 10 ms late".to_owned());
    }
    let outside = facts.lost_in_devices + facts.unwritten;
    if outside > 0 {
        facts.marks.push(format!("{outside} packets were lost outside the path"));
    }
    let mut simulation = path.simulation;
    let mut series = Vec::new();
    for (flow, plan) in flows.into_iter().zip(plans) {
        let offered = flow.probe.offered_window();
        let other = flow.probe.other_window();
        if other > OTHER_WINDOW {
            facts.marks.push(format!(
                "flow {}: {:.1} % of the time another window than {} B counted; the receiver \
                 offered at most {offered} B",
                flow.name,
                100.0 * other,
                plan.window
            ));
        }
        let sysctls = plan.sysctls.iter().map(|(name, value)| (name.to_owned(), value));
        let known = FlowFacts {
            congestion: plan.congestion.to_owned(),
            window_bytes: plan.window,
            offered_window_bytes: offered,
            other_window: other,
            sysctls: sysctls.collect(),
            differs: plan.differs.clone(),
        };
        facts.flows.insert(flow.name.clone(), known);
        let set = simulation.set_counters(&flow.name, flow.counters);
        set.map_err(|fault| RunError::UnknownName(fault.to_string()))?;
        series.extend(flow.probe.finish());
    }
    let mut outcome = match ended {
        Ended::AtEnd => simulation.finish(),
        Ended::Early => simulation.stop(),
    }?;
    outcome.series.extend(series);
    Ok(Measured { outcome, facts })
}

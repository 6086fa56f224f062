//! Measurements on Linux.

mod bulk;
mod doctor;
mod drive;
mod echo;
mod facts;
mod path;
mod place;
mod probe;
mod sys;
mod tcp_info;

use std::collections::BTreeMap;
use std::fs::File;

use cellway_sim::pdu::FlowEnd;
use cellway_sim::scenario::{Flow, Scenario};
use cellway_sim::units::Time;
use cellway_sim::{Continue, Progress, RunError, Simulation};
use nix::sys::prctl;

use crate::clock::{Clock, date};
use crate::kernel::{KernelPlan, plans_of};
use crate::record::{FlowFacts, MeasureError, Measured, MeasuredFacts};
use bulk::{Bulk, Ends};
use drive::{Driver, Measuring};
use path::Path;
use place::Places;
use probe::Probe;

pub use doctor::examine;

/// Sends the traffic of all flows with `tcp` through the path by the kernel's TCP, and measures
/// until the end of the run. `tell` is called about every 50 ms, and may cancel.
///
/// The calling thread is the driver.
pub fn measure(
    scenario: &Scenario,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Measured, MeasureError> {
    let (flows, plans): (Vec<&Flow>, Vec<KernelPlan>) = plans_of(scenario)?.into_iter().unzip();
    doctor::require()?;
    let names: Vec<&str> = flows.iter().map(|flow| flow.name.as_str()).collect();
    let simulation = Simulation::builder(scenario).external(&names).start()?;
    let mut made = Made::of(scenario, &flows, &plans)?;
    let bulk = Bulk::new(std::mem::take(&mut made.ends))
        .map_err(MeasureError::at("starting the traffic"))?;
    let measuring = measuring(scenario, &flows, &simulation)?;
    // Waits are to end when they are due, and not with others; the thread is the caller's.
    let slack = prctl::get_timerslack();
    prctl::set_timerslack(1).map_err(|error| MeasureError::at("timer slack")(error.into()))?;
    let (started_at_s, clock) = (date(), Clock::start());
    let path = Path::new(simulation, clock, std::mem::take(&mut made.devices));
    let warm_up = Time::ZERO + scenario.run.warm_up;
    let mut driver = Driver::new(path, bulk, measuring, warm_up, probe::interval_of(scenario));
    let (cpu, stolen) = (facts::thread_seconds(), facts::stolen_and_all());
    let ran = driver.run(tell);
    let cpu = facts::thread_seconds() - cpu;
    if let Ok(slack) = slack {
        // It only makes later waits less exact.
        let _ = prctl::set_timerslack(slack as _);
    }
    ran?;
    let stolen = stolen.zip(facts::stolen_and_all()).map(|(before, after)| {
        let [stolen, all] = [0, 1].map(|index| (after[index] - before[index]) as f64);
        stolen / all.max(1.0)
    });
    let lost = made.places.lost_in_devices().map_err(MeasureError::at("counters of devices"))?;
    let elapsed = (driver.path.clock() - Time::ZERO).seconds_f64();
    let tally = driver.path.tally;
    let facts = MeasuredFacts {
        kernel: facts::kernel(),
        started_at_s,
        lateness: driver.path.lateness.summary(),
        driver_cpu: cpu / elapsed,
        wake_ups_per_packet: tally.wake_ups as f64 / tally.packets.max(1) as f64,
        stolen,
        lost_in_devices: lost,
        unwritten: tally.unwritten,
        foreign: tally.foreign,
        flows: BTreeMap::new(),
        marks: Vec::new(),
    };
    finish(driver, facts, &plans)
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
            made.add(number, index.expect("a flow of the scenario"), flow, plan)
                .map_err(MeasureError::at(format!("the ends of flow {}", flow.name)))?;
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
            Ok((device, bulk::sending_socket(plan)?))
        })?;
        let (destination, listener) = self.places.of(flow.sink, &plan.sysctls)?.inside(|| {
            let device = place::make_device(number, [to, from], plan)?;
            Ok((device, bulk::listening_socket(plan, to)?))
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
    simulation: &Simulation<'_>,
) -> Result<Vec<Measuring>, MeasureError> {
    let of_flow = |flow: &&Flow| {
        let ends = simulation.ends(&flow.name);
        let [origin, _] = ends.map_err(|fault| RunError::UnknownName(fault.to_string()))?;
        Ok(Measuring {
            name: flow.name.clone(),
            origin,
            start: scenario.start_of(flow),
            probe: Probe::new(scenario, flow),
            counters: Default::default(),
        })
    };
    flows.iter().map(of_flow).collect()
}

/// Ends the traffic and reports.
fn finish(
    driver: Driver<'_>,
    mut facts: MeasuredFacts,
    plans: &[KernelPlan],
) -> Result<Measured, MeasureError> {
    let Driver { path, bulk, flows, .. } = driver;
    drop(bulk);
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
        if let Some(said) = window_fault(plan.window, offered, flow.probe.window_unit()) {
            facts.marks.push(format!("flow {}: {said}", flow.name));
        }
        let sysctls = plan.sysctls.iter().map(|(name, value)| (name.to_owned(), value));
        let known = FlowFacts {
            congestion: plan.congestion.to_owned(),
            window_bytes: plan.window,
            offered_window_bytes: offered,
            sysctls: sysctls.collect(),
            differs: plan.differs.clone(),
        };
        facts.flows.insert(flow.name.clone(), known);
        let set = simulation.set_counters(&flow.name, flow.counters);
        set.map_err(|fault| RunError::UnknownName(fault.to_string()))?;
        series.extend(flow.probe.finish());
    }
    let mut outcome = simulation.finish()?;
    outcome.series.extend(series);
    Ok(Measured { outcome, facts })
}

/// Fault of an offered window that is not the one asked for, but for less than its unit.
fn window_fault(wanted: u64, offered: u64, unit: u64) -> Option<String> {
    let is_right = offered.abs_diff(wanted) < unit.max(1);
    (!is_right).then(|| format!("the receiver offered {offered} B of a window of {wanted} B"))
}

//! Result of a measurement: that of a run, and the facts by which to judge it.

use std::collections::BTreeMap;

use cellway_sim::result::DelaySummary;
use cellway_sim::{Outcome, RunError};
use serde::Serialize;
use thiserror::Error;

use crate::lateness::LatenessSummary;

/// A finished measurement.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Counters and series, as of a simulated run.
    pub outcome: Outcome,
    /// Facts about kernel, machine and driver.
    pub facts: MeasuredFacts,
}

/// Facts about a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredFacts {
    /// Release of the kernel.
    pub kernel: String,
    /// Start, seconds since 1970.
    pub started_at_s: f64,
    /// Delay of packets after their computed instants.
    pub lateness: LatenessSummary,
    /// Processor time of the driver, as a part of one core.
    pub driver_cpu: f64,
    /// Waits of the driver that ended, per packet handed over.
    pub wake_ups_per_packet: f64,
    /// Part of the processors' time that the machine below took; `None` where it is not known.
    pub stolen: Option<f64>,
    /// Packets lost in devices, outside the path.
    pub lost_in_devices: u64,
    /// Packets that a device did not take.
    pub unwritten: u64,
    /// Packets other than those of IPv4, which stay outside the path.
    pub foreign: u64,
    /// Hash of every packet that the kernel sent, with its instant, where time is virtual: equal in
    /// equal runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Facts by flow.
    pub flows: BTreeMap<String, FlowFacts>,
    /// Packets of the flows that were left to programs.
    pub left: BTreeMap<String, LeftFacts>,
    /// Programs, in the order in which they started.
    pub programs: Vec<ProgramFacts>,
    /// End before that of the scenario.
    pub ended: Option<EndFacts>,
    /// Reasons not to trust the result.
    pub marks: Vec<String>,
}

/// Facts about a measured flow.
#[derive(Clone, Debug, Serialize)]
pub struct FlowFacts {
    /// Congestion control of the kernel.
    pub congestion: String,
    /// Window that the scenario asks for, bytes.
    pub window_bytes: u64,
    /// Largest window that the receiver offered, bytes.
    pub offered_window_bytes: u64,
    /// Part of the time in which more was offered, or less while that held the sender back.
    pub other_window: f64,
    /// Settings of the namespaces.
    pub sysctls: BTreeMap<String, u32>,
    /// Keys of the scenario that the kernel follows in part or not at all.
    pub differs: Vec<String>,
}

/// Packets of a flow that was left to programs, in either direction.
#[derive(Clone, Debug, Serialize)]
pub struct LeftFacts {
    /// From its source to its sink.
    pub there: PassageFacts,
    /// From its sink to its source.
    pub back: PassageFacts,
}

/// Packets of one direction since the end of the warm-up, as the path counts them.
#[derive(Clone, Debug, Serialize)]
pub struct PassageFacts {
    /// Host that sent them.
    pub from: String,
    /// Host at which they arrive.
    pub to: String,
    /// Packets that entered the path.
    pub sent: u64,
    /// Their bytes, with IP headers.
    pub sent_bytes: u64,
    /// Packets that arrived, copies among them.
    pub delivered: u64,
    /// Their bytes, with IP headers.
    pub delivered_bytes: u64,
    /// Bits of packets that arrived, per second of the measurement: headers and what was sent
    /// again are among them.
    pub packet_bits_per_second: f64,
    /// Packets that the path lost, by place.
    pub lost: BTreeMap<String, u64>,
    /// Delay of the packets that arrived.
    pub delay: DelaySummary,
}

/// A program that ran beside a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct ProgramFacts {
    /// Host at which it ran.
    pub host: String,
    /// The program and its arguments.
    pub command: String,
    /// Start, seconds of the run.
    pub started_s: f64,
    /// Its own end, seconds of the run; `None` if it was ended with the measurement.
    pub ended_s: Option<f64>,
    /// Exit code, 128 more than its number for a signal; `None` without an end of its own.
    pub code: Option<i32>,
    /// Last lines that it wrote on its standard error, unless that is a terminal.
    pub last_errors: Vec<String>,
}

/// End of a measurement before that of the scenario.
#[derive(Clone, Debug, Serialize)]
pub struct EndFacts {
    /// Instant of the end, seconds.
    pub at_s: f64,
    /// Duration of the scenario, seconds.
    pub of_s: f64,
    /// Fault that ended it; `None` if its caller did, or its program with the terminal.
    pub fault: Option<String>,
}

/// Reason why there is no measurement.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// This machine cannot measure.
    #[error("{0}")]
    NotHere(String),
    /// Keys of the scenario for which the kernel has nothing.
    #[error("{}", first_of(.0))]
    Refused(Vec<String>),
    /// The path failed, or the caller cancelled.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The driver was so late that the result would be of another experiment.
    #[error("a packet was {late_s:.3} s late: this machine does not carry the scenario")]
    TooLate {
        /// Lateness of the packet, seconds.
        late_s: f64,
    },
    /// A call of the system failed.
    #[error("{what}: {error}")]
    System {
        /// Purpose of the call.
        what: String,
        /// Reason of the system.
        error: std::io::Error,
    },
}

impl MeasureError {
    /// A function that adds the purpose to an error of the system.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "no calls elsewhere"))]
    pub(crate) fn at(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        |error| Self::System { what, error }
    }
}

/// The first of several faults, and the number of the others.
fn first_of(faults: &[String]) -> String {
    match faults {
        [fault] => fault.clone(),
        [fault, others @ ..] => format!("{fault} (and {} more)", others.len()),
        [] => String::new(),
    }
}

/// A need of measurements, and how this machine meets it.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The need.
    pub name: &'static str,
    /// Observation, or what to do about it.
    pub found: String,
    /// True if measurements are possible with it.
    pub is_enough: bool,
}

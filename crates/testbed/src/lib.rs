//! Measurements: traffic of the kernel's TCP over the path of a scenario, in real time.
//!
//! Every flow with `tcp` gets a network namespace at each of its hosts, and a TUN device there. A
//! driver thread takes packets from the devices, puts them into a `cellway_sim::Simulation` as
//! external flows, runs it up to the clock, and hands over what arrives. So ports, policies,
//! impairments and varying rates are those of the simulator: there is no second model of the path.
//! Flows without `tcp` are simulated beside.
//!
//! Instants of the path are computed, never observed: a driver that is late moves a packet and
//! changes no rate. Lateness, stolen time and packets lost outside the path are part of every
//! result.
//!
//! It needs Linux, root, `/dev/net/tun`, and `ip` of iproute2; [`examine`] says what is missing. On
//! other systems [`measure`] is one error. Nothing of the host's own network is touched, and
//! nothing outlives the process.
//!
//! Content of packets, their ECN field and key, and captures are those of `cellway-stack`.
//!
//! | file | concern |
//! |---|---|
//! | `kernel`, `sysctls` | keys of the scenario as settings of the kernel |
//! | `differences` | keys that the kernel follows in part or not at all |
//! | `stamps` | instants of packets |
//! | `program` | flows that are left to programs, names of hosts |
//! | `lateness`, `record` | facts of a measurement, its result |
//! | `clock` | clocks; read nowhere else |
//! | `linux/place`, `linux/sys` | namespaces, devices; system calls |
//! | `linux/path`, `linux/drive` | the packets of a run, its instants |
//! | `linux/stage`, `linux/children` | hosts of programs, their processes |
//! | `linux/parts`, `linux/passage` | flows of a measurement, packets of those left to programs |
//! | `linux/ends`, `linux/bulk` | sockets of connections, threads that write and read |
//! | `linux/tcp_info`, `linux/probe` | state of connections, their counters and series |

#[cfg(target_os = "linux")]
mod clock;
mod differences;
pub mod kernel;
#[cfg_attr(not(any(test, target_os = "linux")), expect(dead_code, reason = "no driver elsewhere"))]
mod lateness;
#[cfg(target_os = "linux")]
mod linux;
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "no driver elsewhere"))]
mod program;
mod record;
#[cfg(any(test, target_os = "linux"))]
mod stamps;
mod sysctls;
mod writing;

pub use cellway_stack::Capture;
pub use lateness::LatenessSummary;
pub use program::{Program, Programs, Reached, Role, differences_with};
pub use record::{
    EndFacts, Finding, FlowFacts, LeftFacts, MeasureError, Measured, MeasuredFacts, PassageFacts,
    ProgramFacts,
};
pub use sysctls::Sysctls;
pub use writing::Writing;

#[cfg(target_os = "linux")]
pub use linux::{examine, measure, measure_captured, measure_with, reached_from, require_machine};

/// Refuses: measurements need Linux.
#[cfg(not(target_os = "linux"))]
pub fn measure(
    _: &cellway_sim::scenario::Scenario,
    _: &mut dyn FnMut(cellway_sim::Progress) -> cellway_sim::Continue,
) -> Result<Measured, MeasureError> {
    Err(MeasureError::NotHere(NEEDS_LINUX.to_owned()))
}

/// Refuses: measurements need Linux.
#[cfg(not(target_os = "linux"))]
pub fn measure_with(
    _: &cellway_sim::scenario::Scenario,
    _: &Programs,
    _: Option<Capture<'_>>,
    _: &mut dyn FnMut(cellway_sim::Progress) -> cellway_sim::Continue,
) -> Result<Measured, MeasureError> {
    Err(MeasureError::NotHere(NEEDS_LINUX.to_owned()))
}

/// Refuses: measurements need Linux.
#[cfg(not(target_os = "linux"))]
pub fn reached_from(
    _: &cellway_sim::scenario::Scenario,
    _: &Programs,
    _: &str,
) -> Result<Vec<Reached>, MeasureError> {
    Err(MeasureError::NotHere(NEEDS_LINUX.to_owned()))
}

/// Refuses: measurements need Linux.
#[cfg(not(target_os = "linux"))]
pub fn measure_captured(
    scenario: &cellway_sim::scenario::Scenario,
    _: Capture<'_>,
    tell: &mut dyn FnMut(cellway_sim::Progress) -> cellway_sim::Continue,
) -> Result<Measured, MeasureError> {
    measure(scenario, tell)
}

/// Examines the machine: measurements need Linux.
#[cfg(not(target_os = "linux"))]
pub fn examine() -> Vec<Finding> {
    vec![Finding { name: "system", found: NEEDS_LINUX.to_owned(), is_enough: false }]
}

/// Fails with the first need that this machine does not meet.
#[cfg(not(target_os = "linux"))]
pub fn require_machine() -> Result<(), MeasureError> {
    Err(MeasureError::NotHere(NEEDS_LINUX.to_owned()))
}

/// Reason on all other systems.
#[cfg(not(target_os = "linux"))]
const NEEDS_LINUX: &str = "measurements need Linux";

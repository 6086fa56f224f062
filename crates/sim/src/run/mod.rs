//! One run, from a scenario to its outcome.

mod builder;
mod capacity;
mod captured;
mod external;
mod groups;
mod lost;
mod packets;
mod report;
mod simulation;
mod totals;
mod transfers;

use thiserror::Error;

use crate::assemble::lacking;
use crate::result::{Series, Summary};
use crate::scenario::Scenario;
use crate::units::{Span, Time};

pub use builder::Builder;
pub use captured::run_captured;
pub use external::{NoFlow, SendError};
pub use packets::packets;
pub use simulation::{Pause, Simulation};

/// Results of a finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Counters and averages.
    pub summary: Summary,
    /// Time series, in the order of the scenario's hosts and switches.
    pub series: Vec<Series>,
}

/// The progress of a run; reported at every barrier, and at intervals between them.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Simulated time.
    pub at: Time,
    /// The run's end.
    pub duration: Span,
}

/// The answer to [`Progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// Continues the run.
    Yes,
    /// Cancels the run.
    No,
}

/// Reason why a run did not finish.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    /// The caller said [`Continue::No`].
    #[error("cancelled at {0} of simulated time")]
    Cancelled(String),
    /// The run takes more memory than its scenario allows.
    #[error("{0}")]
    OutOfMemory(String),
    /// The run is stopped before its measurement.
    #[error("nothing is measured yet at {now}: the warm-up ends at {warm_up}")]
    StoppedEarly {
        /// Present instant of the simulation, with its unit.
        now: String,
        /// End of the warm-up, likewise.
        warm_up: String,
    },
    /// A rule from outside names a flow or port that does not exist.
    #[error("{0}")]
    UnknownName(String),
}

/// Runs a scenario to its end. `tell` is called at every barrier, at least once a second of
/// simulated time, and may cancel.
pub fn run(
    scenario: &Scenario,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Outcome, RunError> {
    require_memory(scenario)?;
    run_to_end(Simulation::new(scenario), tell, &mut |_, _| Continue::Yes)
}

/// Refuses a scenario whose known memory exceeds the limit before any part is made.
fn require_memory(scenario: &Scenario) -> Result<(), RunError> {
    match lacking(scenario) {
        Some(memory) => Err(RunError::OutOfMemory(format!("before 0 s it takes {memory}"))),
        None => Ok(()),
    }
}

/// Runs to the end. `take` gets the simulation at every pause, with true at the last one, the end.
fn run_to_end(
    mut simulation: Simulation<'_>,
    tell: &mut dyn FnMut(Progress) -> Continue,
    take: &mut dyn FnMut(&mut Simulation<'_>, bool) -> Continue,
) -> Result<Outcome, RunError> {
    let (warm_up, end) = (simulation.warm_up(), simulation.end());
    let mut barrier = Time::ZERO;
    loop {
        let pause = simulation.run_until(barrier)?;
        let is_last = pause == Pause::AtBarrier && barrier == end;
        if take(&mut simulation, is_last) == Continue::No {
            return Err(RunError::Cancelled(seconds(simulation.now())));
        }
        match pause {
            Pause::AtBarrier if is_last => return simulation.finish(),
            Pause::AtBarrier => {
                report_progress(tell, barrier, end)?;
                barrier = next_barrier(barrier, warm_up, end);
            }
            Pause::OnTheWay(at) | Pause::Arrival(at) => report_progress(tell, at, end)?,
        }
    }
}

/// Reports the progress of the run, and fails if the caller cancels it.
fn report_progress(
    tell: &mut dyn FnMut(Progress) -> Continue,
    at: Time,
    end: Time,
) -> Result<(), RunError> {
    match tell(Progress { at, duration: end - Time::ZERO }) {
        Continue::Yes => Ok(()),
        Continue::No => Err(RunError::Cancelled(seconds(at))),
    }
}

/// The next instant at which every node stops: a two-hundredth of the run or a second later,
/// whichever is sooner, the end of the warm-up, or the end. None of them changes a result.
fn next_barrier(after: Time, warm_up: Time, end: Time) -> Time {
    const LONGEST_STRIDE: Span = Span::from_seconds(1);
    let stride = ((end - Time::ZERO) / 200).min(LONGEST_STRIDE).max(Span::from_picoseconds(1));
    let next = after.saturating_add(stride).min(end);
    if after < warm_up { next.min(warm_up) } else { next }
}

fn seconds(at: Time) -> String {
    format!("{} s", at.seconds_f64())
}

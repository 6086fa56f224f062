//! One measurement, without the interpreter, and the examination of the machine.

use crate::error;
use crate::run::{Outcome, outcome};
use crate::run_interruptibly::{ReportSender, run_interruptibly, run_with_reports};
use crate::scenario::Scenario;
use cellway_fault::{Fault, guarded};
use cellway_sim::{Continue, Progress};
use cellway_testbed::{MeasureError, Measured, examine as findings, kernel};
use pyo3::prelude::*;
use std::sync::Arc;

type Finished = Result<Result<Measured, MeasureError>, Fault>;

/// Measures `scenario` with the kernel's TCP in real time, without holding the interpreter; returns
/// the outcome, and as JSON the facts of the measurement.
///
/// `progress(at_s, duration_s)` is called now and then; an exception that it raises, or a signal
/// handler raises, ends the measurement and is raised from here.
#[pyfunction]
#[pyo3(signature = (scenario, progress = None))]
pub(crate) fn measure(
    py: Python<'_>,
    scenario: &Scenario,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Outcome, String)> {
    let scenario = Arc::clone(&scenario.inner);
    let work = move |reports: &ReportSender<Progress, Finished>| {
        let mut tell = |at| if reports.offer(at) { Continue::Yes } else { Continue::No };
        guarded(|| cellway_testbed::measure(&scenario, &mut tell))
    };
    let follow = |at: Progress| match &progress {
        Some(progress) => Python::attach(|py| {
            let seconds = (at.at.seconds_f64(), at.duration.seconds_f64());
            progress.call1(py, seconds).map(drop)
        }),
        None => Ok(()),
    };
    let finished = run_with_reports(py, work, follow)?;
    let finished = finished.map_err(|broken| error::fault(&broken))?;
    let Measured { outcome: found, facts } = finished.map_err(|reason| error::measure(&reason))?;
    let facts = serde_json::to_string(&facts).map_err(|reason| error::unwritable(&reason))?;
    Ok((outcome(found)?, facts))
}

/// Keys of each measured flow that the kernel follows in part or not at all. Fails for flows that
/// cannot be measured.
#[pyfunction]
pub(crate) fn measured_differently(scenario: &Scenario) -> PyResult<Vec<(String, Vec<String>)>> {
    let plans = kernel::plans_of(&scenario.inner).map_err(|reason| error::measure(&reason))?;
    Ok(plans.into_iter().map(|(flow, plan)| (flow.name.clone(), plan.differs)).collect())
}

/// Needs of measurements: the need, the observation, and true if it is enough.
#[pyfunction]
pub(crate) fn examine(py: Python<'_>) -> PyResult<Vec<(&'static str, String, bool)>> {
    let found = run_interruptibly(py, || guarded(findings))?;
    let found = found.map_err(|broken| error::fault(&broken))?;
    Ok(found.into_iter().map(|one| (one.name, one.found, one.is_enough)).collect())
}

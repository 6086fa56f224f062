//! One measurement, without the interpreter, and the examination of the machine.

use crate::error;
use crate::run::{self, Captured, Outcome, Report, outcome};
use crate::run_interruptibly::{ReportSender, run_interruptibly, run_with_reports};
use crate::scenario::Scenario;
use cellway_fault::{Fault, guarded};
use cellway_sim::scenario as language;
use cellway_sim::{Continue, Progress};
use cellway_testbed::{
    self as testbed, MeasureError, Measured, examine as findings, kernel, measure_captured,
};
use pyo3::prelude::*;
use std::sync::Arc;

type Finished = Result<Result<Measured, MeasureError>, Fault>;

/// Measures `scenario` with the kernel's TCP in real time, without holding the interpreter; returns
/// the outcome, and as JSON the facts of the measurement.
///
/// With a `capture` its `write` is called with the pieces of a pcapng file, in order.
/// `progress(at_s, duration_s)` is called now and then; an exception that it raises, or a signal
/// handler raises, ends the measurement and is raised from here.
#[pyfunction]
#[pyo3(signature = (scenario, progress = None, capture = None))]
pub(crate) fn measure(
    py: Python<'_>,
    scenario: &Scenario,
    progress: Option<Py<PyAny>>,
    capture: Option<run::Capture>,
) -> PyResult<(Outcome, String)> {
    let scenario = Arc::clone(&scenario.inner);
    let captured = capture.map(|capture| run::request(&scenario, capture)).transpose()?;
    let (write, captured) = captured.unzip();
    let work = move |reports: &ReportSender<Report, Finished>| {
        guarded(|| measure_reporting(&scenario, captured.as_ref(), reports))
    };
    let follow = |report| run::follow(progress.as_ref(), write.as_ref(), report);
    let finished = run_with_reports(py, work, follow)?;
    let finished = finished.map_err(|broken| error::fault(&broken))?;
    let Measured { outcome: found, facts } = finished.map_err(|reason| error::measure(&reason))?;
    let facts = serde_json::to_string(&facts).map_err(|reason| error::unwritable(&reason))?;
    Ok((outcome(found)?, facts))
}

/// Measures, and reports its progress and the packets that are captured.
fn measure_reporting(
    scenario: &language::Scenario,
    captured: Option<&Captured>,
    reports: &ReportSender<Report, Finished>,
) -> Result<Measured, MeasureError> {
    let answer = |is_heard| if is_heard { Continue::Yes } else { Continue::No };
    let mut tell = |at: Progress| answer(reports.offer(Report::At(at)));
    let Some((points, kept)) = captured else { return testbed::measure(scenario, &mut tell) };
    let mut write = |piece: &[u8]| answer(reports.send(Report::Piece(piece.to_vec())));
    let capture = testbed::Capture { points: points.clone(), kept: *kept, write: &mut write };
    measure_captured(scenario, capture, &mut tell)
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

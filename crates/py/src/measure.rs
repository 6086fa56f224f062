//! One measurement, without the interpreter, and the examination of the machine.

use crate::error;
use crate::run::{self, Captured, Outcome, Report, outcome};
use crate::run_interruptibly::{ReportSender, run_interruptibly, run_with_reports};
use crate::scenario::Scenario;
use cellway_fault::{Fault, guarded};
use cellway_sim::scenario as language;
use cellway_sim::{Continue, Progress};
use cellway_testbed::{
    self as testbed, MeasureError, Measured, Program, Programs, Role, differences_with,
    examine as findings, measure_with, reached_from,
};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

type Finished = Result<Result<Measured, MeasureError>, Fault>;

/// A program: its host, its words, and true if it has the terminal.
type Given = (String, Vec<String>, bool);

fn programs_of(given: Vec<Given>, flows: Vec<String>) -> Programs {
    let program = |(host, words, has_terminal)| {
        let role = if has_terminal { Role::Shell } else { Role::Beside };
        Program { host, words, role }
    };
    Programs { programs: given.into_iter().map(program).collect(), flows }
}

/// Measures `scenario` with the kernel's TCP in real time, without holding the interpreter; returns
/// the outcome, and as JSON the facts of the measurement. Of the `programs` each is a host, words,
/// and true if it has the terminal; `flows` are left to them, or without any all at their hosts.
///
/// With a `capture` its `write` is called with the pieces of a pcapng file, in order.
/// `progress(at_s, duration_s)` is called now and then. If it returns `True` the measurement ends
/// then; an exception that it raises, or a signal handler raises, ends it and is raised from here.
#[pyfunction]
#[pyo3(signature = (
    scenario, progress = None, programs = Vec::new(), flows = Vec::new(), capture = None
))]
pub(crate) fn measure(
    py: Python<'_>,
    scenario: &Scenario,
    progress: Option<Py<PyAny>>,
    programs: Vec<Given>,
    flows: Vec<String>,
    capture: Option<run::Capture>,
) -> PyResult<(Outcome, String)> {
    let scenario = Arc::clone(&scenario.inner);
    let captured = capture.map(|capture| run::request(&scenario, capture)).transpose()?;
    let (write, captured) = captured.unzip();
    let asked = Asked { programs: programs_of(programs, flows), captured };
    let has_to_end = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&has_to_end);
    let work = move |reports: &ReportSender<Report, Finished>| {
        guarded(|| measure_reporting(&scenario, &asked, &ends, reports))
    };
    let follow = |report| {
        if run::follow(progress.as_ref(), write.as_ref(), report)? {
            has_to_end.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    let finished = run_with_reports(py, work, follow)?;
    let finished = finished.map_err(|broken| error::fault(&broken))?;
    let Measured { outcome: found, facts } = finished.map_err(|reason| error::measure(&reason))?;
    let facts = serde_json::to_string(&facts).map_err(|reason| error::unwritable(&reason))?;
    Ok((outcome(found)?, facts))
}

/// Programs and packets of a measurement.
struct Asked {
    programs: Programs,
    captured: Option<Captured>,
}

/// Measures, and reports its progress and the packets that are captured, until `ends` is true.
fn measure_reporting(
    scenario: &language::Scenario,
    asked: &Asked,
    ends: &AtomicBool,
    reports: &ReportSender<Report, Finished>,
) -> Result<Measured, MeasureError> {
    let answer = |goes_on| if goes_on { Continue::Yes } else { Continue::No };
    let mut tell =
        |at: Progress| answer(reports.offer(Report::At(at)) && !ends.load(Ordering::Relaxed));
    let mut write = |piece: &[u8]| answer(reports.send(Report::Piece(piece.to_vec())));
    let capture = asked.captured.as_ref().map(|(points, kept)| testbed::Capture {
        points: points.clone(),
        kept: *kept,
        write: &mut write,
    });
    measure_with(scenario, &asked.programs, capture, &mut tell)
}

/// Keys of each measured flow that the kernel follows in part or not at all. Fails for flows that
/// cannot be measured.
#[pyfunction]
#[pyo3(signature = (scenario, programs = Vec::new(), flows = Vec::new()))]
pub(crate) fn measured_differently(
    scenario: &Scenario,
    programs: Vec<Given>,
    flows: Vec<String>,
) -> PyResult<Vec<(String, Vec<String>)>> {
    let differences = differences_with(&scenario.inner, &programs_of(programs, flows));
    differences.map_err(|reason| error::measure(&reason))
}

/// Names under which programs at `host` reach others: address, names and flow.
#[pyfunction]
pub(crate) fn reached(
    scenario: &Scenario,
    programs: Vec<Given>,
    flows: Vec<String>,
    host: &str,
) -> PyResult<Vec<(String, Vec<String>, String)>> {
    let found = reached_from(&scenario.inner, &programs_of(programs, flows), host);
    let found = found.map_err(|reason| error::measure(&reason))?;
    Ok(found.into_iter().map(|one| (one.address.to_string(), one.names, one.flow)).collect())
}

/// Needs of measurements: the need, the observation, and true if it is enough.
#[pyfunction]
pub(crate) fn examine(py: Python<'_>) -> PyResult<Vec<(&'static str, String, bool)>> {
    let found = run_interruptibly(py, || guarded(findings))?;
    let found = found.map_err(|broken| error::fault(&broken))?;
    Ok(found.into_iter().map(|one| (one.name, one.found, one.is_enough)).collect())
}

/// Refuses a machine that cannot measure, without the second that `examine` takes.
#[pyfunction]
pub(crate) fn require_machine() -> PyResult<()> {
    testbed::require_machine().map_err(|reason| error::measure(&reason))
}

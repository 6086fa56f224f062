//! One run with stacks at the ends of flows, without the interpreter.

use crate::error;
use crate::run::{self, Captured, Outcome, Report, outcome};
use crate::run_interruptibly::{ReportSender, run_with_reports};
use crate::scenario::Scenario;
use cellway_fault::{Fault, guarded};
use cellway_sim::scenario as language;
use cellway_sim::{Continue, Progress};
use cellway_stack::{Capture, Choice, DriveError, Driven, Role, chosen, drive};
use pyo3::prelude::*;
use std::sync::Arc;

type Finished = Result<Result<Driven, DriveError>, Fault>;

/// A stack: its flow, true for the origin alone and false for the destination alone, and words.
type Given = (String, Option<bool>, Vec<String>);

/// Runs `scenario` with these stacks, without holding the interpreter; returns the outcome, and as
/// JSON the facts about the stacks. `capture` and `progress` are as of `run`.
#[pyfunction]
#[pyo3(signature = (scenario, stacks, progress = None, capture = None))]
pub(crate) fn run_with_stacks(
    py: Python<'_>,
    scenario: &Scenario,
    stacks: Vec<Given>,
    progress: Option<Py<PyAny>>,
    capture: Option<run::Capture>,
) -> PyResult<(Outcome, String)> {
    let scenario = Arc::clone(&scenario.inner);
    let choice = |(flow, is_origin, words): Given| {
        let role = |is_origin| if is_origin { Role::Origin } else { Role::Destination };
        Choice { flow, role: is_origin.map(role), words }
    };
    let choices: Vec<Choice> = stacks.into_iter().map(choice).collect();
    let captured = capture.map(|capture| run::request(&scenario, capture)).transpose()?;
    let (write, captured) = captured.unzip();
    let work = move |reports: &ReportSender<Report, Finished>| {
        guarded(|| run_reporting(&scenario, &choices, captured, reports))
    };
    let follow = |report| run::follow(progress.as_ref(), write.as_ref(), report).map(drop);
    let finished = run_with_reports(py, work, follow)?;
    let finished = finished.map_err(|broken| error::fault(&broken))?;
    let Driven { outcome: found, facts } = finished.map_err(|reason| error::drive(&reason))?;
    let facts = serde_json::to_string(&facts).map_err(|reason| error::unwritable(&reason))?;
    Ok((outcome(found)?, facts))
}

/// Runs, and reports progress and the packets that are captured.
fn run_reporting(
    scenario: &language::Scenario,
    choices: &[Choice],
    captured: Option<Captured>,
    reports: &ReportSender<Report, Finished>,
) -> Result<Driven, DriveError> {
    let answer = |goes_on| if goes_on { Continue::Yes } else { Continue::No };
    let mut tell = |at: Progress| answer(reports.offer(Report::At(at)));
    let mut write = |piece: &[u8]| answer(reports.send(Report::Piece(piece.to_vec())));
    let capture = captured.map(|(points, kept)| Capture { points, kept, write: &mut write });
    drive(scenario, chosen(scenario, choices)?, capture, &mut tell)
}

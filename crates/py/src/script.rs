//! One packet script against a stack, without the interpreter.

use crate::error;
use crate::run_interruptibly::{ReportSender, run_with_reports};
use cellway_fault::{Fault, guarded};
use cellway_stack::DriveError;
use cellway_stack::script::{Report, Script, run};
use pyo3::prelude::*;

type Finished = Result<Result<Report, DriveError>, Fault>;

/// Plays the script `text` of the file `origin` against the stack of these words, a program and its
/// arguments or `model`, without holding the interpreter; returns the report as JSON.
#[pyfunction]
pub(crate) fn run_script(
    py: Python<'_>,
    origin: &str,
    text: &str,
    words: Vec<String>,
) -> PyResult<String> {
    let script = Script::parse(origin, text).map_err(|fault| error::script(&fault))?;
    let work = move |_: &ReportSender<(), Finished>| guarded(|| run(&script, &words));
    let finished = run_with_reports(py, work, |()| Ok(()))?;
    let finished = finished.map_err(|broken| error::fault(&broken))?;
    let report = finished.map_err(|reason| error::drive(&reason))?;
    serde_json::to_string(&report).map_err(|reason| error::unwritable(&reason))
}

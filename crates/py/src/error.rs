//! Conversion of Rust errors to Python exceptions, in one place.
//!
//! The exception classes are Python's own (`cellway.errors`): a class with two bases cannot be
//! declared from here.

use cellway_fault::Fault;
use cellway_stack::DriveError;
use cellway_testbed::MeasureError;
use pyo3::prelude::*;

mod python {
    pyo3::import_exception!(cellway.errors, MeasurementError);
    pyo3::import_exception!(cellway.errors, RunError);
    pyo3::import_exception!(cellway.errors, ScenarioError);
    pyo3::import_exception!(cellway.errors, ScriptError);
    pyo3::import_exception!(cellway.errors, SimulationFault);
    pyo3::import_exception!(cellway.errors, StackError);
    pyo3::import_exception!(cellway.errors, StackFault);
    pyo3::import_exception!(cellway.errors, TheoryError);
}

/// Error of bad input: lines `file:line:col: message; hint`, and all faults with their places.
pub(crate) fn scenario(error: &cellway_sim::scenario::ScenarioError) -> PyErr {
    let faults = error.each().map(|fault| {
        let hint = fault.hint.iter().map(|hint| format!("; {hint}"));
        let message = std::iter::once(fault.message.clone()).chain(hint).collect::<String>();
        (fault.origin.clone(), fault.line, fault.column, message)
    });
    python::ScenarioError::new_err((error.to_string(), faults.collect::<Vec<_>>()))
}

/// Error of a packet script: its line `file:line:column: message`.
pub(crate) fn script(error: &cellway_stack::script::ScriptError) -> PyErr {
    let fault = (error.origin.clone(), error.line, error.column, error.message.clone());
    python::ScriptError::new_err((error.to_string(), vec![fault]))
}

/// Error of a capture without packets.
pub(crate) fn capture(error: &cellway_sim::capture::CaptureError) -> PyErr {
    python::ScenarioError::new_err(error.to_string())
}

/// Error of a list of rates that would fill the memory.
pub(crate) fn too_many_pieces(link: &str, most: usize) -> PyErr {
    python::ScenarioError::new_err(format!(
        "the rate of link {link} changes more than {most} times; expected a shorter \
         `run.duration`, or longer times between changes"
    ))
}

/// Error of a run that could not finish.
pub(crate) fn run(error: &cellway_sim::RunError) -> PyErr {
    python::RunError::new_err(error.to_string())
}

/// Error of a measurement that cannot begin, or could not finish.
pub(crate) fn measure(error: &MeasureError) -> PyErr {
    match error {
        MeasureError::NotHere(_) | MeasureError::Refused(_) => {
            python::MeasurementError::new_err(error.to_string())
        }
        MeasureError::Run(_) | MeasureError::TooLate { .. } | MeasureError::System { .. } => {
            python::RunError::new_err(error.to_string())
        }
    }
}

/// Error of a run with stacks that cannot begin, or could not finish.
pub(crate) fn drive(error: &DriveError) -> PyErr {
    match error {
        DriveError::Refused(_) => python::StackError::new_err(error.to_string()),
        DriveError::Stack { .. } => python::StackFault::new_err(error.to_string()),
        DriveError::Run(_) => python::RunError::new_err(error.to_string()),
    }
}

/// Error of a bug of ours: a description, and a request to report it.
pub(crate) fn fault(Fault(said): &Fault) -> PyErr {
    python::SimulationFault::new_err(format!(
        "a fault of cellway itself, not of the scenario: {said}; please report it with the \
         scenario and its seed"
    ))
}

/// Error of a formula with arguments outside its range.
pub(crate) fn theory(error: impl std::error::Error) -> PyErr {
    python::TheoryError::new_err(error.to_string())
}

/// Error of a result that cannot be written as JSON, which only a broken invariant can cause.
pub(crate) fn unwritable(error: &serde_json::Error) -> PyErr {
    python::RunError::new_err(format!("the result cannot be written as JSON: {error}"))
}

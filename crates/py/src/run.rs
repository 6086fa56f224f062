//! One simulation, run without the interpreter, and its results.

use crate::error;
use crate::scenario::Scenario;
use cellway_fault::guarded;
use cellway_sim::result::Series;
use cellway_sim::{Continue, Progress};
use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a run looks up: for Ctrl-C and to report progress.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Times in seconds, values and, of a thinned series on change, time means until the next point;
/// equally long.
type Arrays = (Py<PyArray1<f64>>, Py<PyArray1<f64>>, Option<Py<PyArray1<f64>>>);

/// A series as the simulator left it, or as the arrays that have taken over its memory.
enum Stored {
    Raw(Series),
    Arrays(Arrays),
}

/// What a finished run says; immutable.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct Outcome {
    /// The counters and averages as JSON.
    #[pyo3(get)]
    summary_json: String,
    /// Unit of each series by name.
    #[pyo3(get)]
    units: BTreeMap<String, String>,
    /// How many times each series was thinned, by name.
    #[pyo3(get)]
    thinned: BTreeMap<String, u32>,
    series: BTreeMap<String, Mutex<Stored>>,
}

#[pymethods]
impl Outcome {
    /// Times in seconds, values and perhaps time means of the series `name`, read-only; the same
    /// arrays on every call.
    fn series(&self, py: Python<'_>, name: &str) -> PyResult<Arrays> {
        let cell = self.series.get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let mut stored = cell.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        if let Stored::Raw(series) = &mut *stored {
            *stored = Stored::Arrays(arrays(py, series)?);
        }
        match &*stored {
            Stored::Arrays((time, value, means)) => Ok((
                time.clone_ref(py),
                value.clone_ref(py),
                means.as_ref().map(|means| means.clone_ref(py)),
            )),
            Stored::Raw(_) => unreachable!("converted above"),
        }
    }
}

/// Hands the values to `NumPy` without copying; picoseconds become seconds.
fn arrays(py: Python<'_>, series: &mut Series) -> PyResult<Arrays> {
    let seconds: Vec<f64> = series.times.iter().map(|time| time.seconds_f64()).collect();
    let values = std::mem::take(&mut series.values);
    let frozen = |numbers: Vec<f64>| -> PyResult<Py<PyArray1<f64>>> {
        let array = PyArray1::from_vec(py, numbers);
        let how = PyDict::new(py);
        how.set_item("write", false)?;
        array.call_method("setflags", (), Some(&how))?;
        Ok(array.unbind())
    };
    Ok((frozen(seconds)?, frozen(values)?, series.means.take().map(frozen).transpose()?))
}

/// Runs `scenario` to its end without holding the interpreter.
///
/// `progress(at_s, duration_s)` is called now and then; an exception it raises, or a signal handler
/// raises, stops the run and is raised from here. A panic of the simulator is an exception like
/// others.
#[pyfunction]
#[pyo3(signature = (scenario, progress = None))]
pub(crate) fn run(
    py: Python<'_>,
    scenario: &Scenario,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let mut raised: Option<PyErr> = None;
    let scenario = &scenario.inner;
    let finished = py.detach(|| {
        #[expect(
            clippy::disallowed_methods,
            reason = "a driver: the wall clock only decides when to look up"
        )]
        let mut last = Instant::now();
        guarded(|| {
            cellway_sim::run(scenario, &mut |at: Progress| {
                if last.elapsed() < LOOK_UP {
                    return Continue::Yes;
                }
                last += last.elapsed();
                match look_up(progress.as_ref(), &at) {
                    Ok(()) => Continue::Yes,
                    Err(reason) => {
                        raised = Some(reason);
                        Continue::No
                    }
                }
            })
        })
    });
    if let Some(reason) = raised {
        return Err(reason);
    }
    let finished = finished.map_err(|broken| error::fault(&broken))?;
    outcome(finished.map_err(|reason| error::run(&reason))?)
}

/// Takes the interpreter for a moment: signals first, then the caller's callback.
fn look_up(progress: Option<&Py<PyAny>>, at: &Progress) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        match progress {
            Some(call) => {
                call.call1(py, (at.at.seconds_f64(), at.duration.seconds_f64())).map(drop)
            }
            None => Ok(()),
        }
    })
}

fn outcome(finished: cellway_sim::Outcome) -> PyResult<Outcome> {
    let summary_json =
        serde_json::to_string(&finished.summary).map_err(|reason| error::unwritable(&reason))?;
    let units = finished
        .series
        .iter()
        .map(|series| (series.name.clone(), series.unit.to_owned()))
        .collect();
    let thinned =
        finished.series.iter().map(|series| (series.name.clone(), series.thinned)).collect();
    let series = finished
        .series
        .into_iter()
        .map(|series| (series.name.clone(), Mutex::new(Stored::Raw(series))))
        .collect();
    Ok(Outcome { summary_json, units, thinned, series })
}

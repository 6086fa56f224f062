//! One simulation, run without the interpreter, and its results.

use crate::error;
use crate::scenario::Scenario;
use cellway_fault::guarded;
use cellway_sim::capture::{CapturePoints, Kept};
use cellway_sim::result::Series;
use cellway_sim::{Continue, Progress, run_captured};
use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which a run checks for Ctrl-C and reports progress.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Times in seconds, values and, of a thinned series on change, time means until the next point;
/// equally long.
type Arrays = (Py<PyArray1<f64>>, Py<PyArray1<f64>>, Option<Py<PyArray1<f64>>>);

/// A series as the simulator left it, or as the arrays that have taken over its memory.
enum Stored {
    Raw(Series),
    Arrays(Arrays),
}

/// Results of a finished run; immutable.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct Outcome {
    /// The counters and averages as JSON.
    #[pyo3(get)]
    summary_json: String,
    /// Unit of each series by name.
    #[pyo3(get)]
    units: BTreeMap<String, String>,
    /// Number of times that each series was thinned, by name.
    #[pyo3(get)]
    thinned: BTreeMap<String, u32>,
    series: BTreeMap<String, Mutex<Stored>>,
}

#[pymethods]
impl Outcome {
    /// Times in seconds, values and, where there are any, time means of the series `name`,
    /// read-only; the same arrays on every call.
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

/// A capture of packets: `write(bytes)`, the hosts (none means the sending host of each flow), and
/// true if payloads are kept.
type Capture = (Py<PyAny>, Vec<String>, bool);

/// Runs `scenario` to its end without holding the interpreter.
///
/// With a `capture` its `write` is called with the pieces of a pcapng file, in order.
/// `progress(at_s, duration_s)` is called now and then; an exception it raises, or a signal handler
/// raises, stops the run and is raised from here. A panic of the simulator is an exception like
/// others.
#[pyfunction]
#[pyo3(signature = (scenario, progress = None, capture = None))]
pub(crate) fn run(
    py: Python<'_>,
    scenario: &Scenario,
    progress: Option<Py<PyAny>>,
    capture: Option<Capture>,
) -> PyResult<Outcome> {
    let raised = Mutex::new(None);
    let scenario = &*scenario.inner;
    let points = capture.as_ref().map(|(_, hosts, _)| points(scenario, hosts)).transpose()?;
    let go_on = |outcome: PyResult<()>| match outcome {
        Ok(()) => Continue::Yes,
        Err(reason) => {
            *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            Continue::No
        }
    };
    let finished = py.detach(|| {
        #[expect(
            clippy::disallowed_methods,
            reason = "a driver: the wall clock only decides when to look up"
        )]
        let mut last = Instant::now();
        let mut tell = |at: Progress| {
            if last.elapsed() < LOOK_UP {
                return Continue::Yes;
            }
            last += last.elapsed();
            go_on(look_up(progress.as_ref(), &at))
        };
        guarded(|| match (&capture, &points) {
            (Some((write, _, is_whole)), Some(points)) => {
                let kept = if *is_whole { Kept::Whole } else { Kept::Headers };
                let mut write = |piece: &[u8]| go_on(hand_over(write, piece));
                run_captured(scenario, points, kept, &mut write, &mut tell)
            }
            _ => cellway_sim::run(scenario, &mut tell),
        })
    });
    if let Some(reason) = raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(reason);
    }
    let finished = finished.map_err(|broken| error::fault(&broken))?;
    outcome(finished.map_err(|reason| error::run(&reason))?)
}

/// Takes the interpreter for a moment: first for signals, then for the caller's callback.
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

/// Capture points of every flow at its sending host, or of the packets that pass `hosts`.
fn points(scenario: &cellway_sim::scenario::Scenario, hosts: &[String]) -> PyResult<CapturePoints> {
    let points = if hosts.is_empty() {
        CapturePoints::at_senders(scenario)
    } else {
        CapturePoints::at_hosts(scenario, hosts)
    };
    points.map_err(|reason| error::capture(&reason))
}

/// Takes the interpreter for a moment to write a piece of a file.
fn hand_over(write: &Py<PyAny>, piece: &[u8]) -> PyResult<()> {
    Python::attach(|py| write.call1(py, (PyBytes::new(py, piece),)).map(drop))
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

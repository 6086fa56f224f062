//! One simulation, run without the interpreter, and its results.

use crate::error;
use crate::run_interruptibly::{LOOK_UP, ReportSender, run_with_reports};
use crate::scenario::Scenario;
use cellway_fault::{Fault, guarded};
use cellway_sim::capture::{CapturePoints, Kept, Layer};
use cellway_sim::result::Series;
use cellway_sim::scenario as language;
use cellway_sim::units::Time;
use cellway_sim::{Continue, Progress, RunError, run_captured};
use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

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

/// A capture of packets: `write(bytes)`, the hosts (none means the sending host of each flow), true
/// if payloads are kept, and the layer at which packets of links of cells are shown.
pub(crate) type Capture = (Py<PyAny>, Vec<String>, bool, String);

/// Report of a run that is under way.
pub(crate) enum Report {
    /// Simulated time so far.
    At(Progress),
    /// The next piece of the capture's file.
    Piece(Vec<u8>),
}

type Finished = Result<Result<cellway_sim::Outcome, RunError>, Fault>;

/// Runs `scenario` to its end without holding the interpreter.
///
/// With a `capture` its `write` is called with the pieces of a pcapng file, in order.
/// `progress(at_s, duration_s)` is called now and then; an exception it raises, or a signal handler
/// raises, stops the run and is raised from here. A panic of the simulator is an exception like
/// others.
///
/// The main thread, which alone hears signals, does so while another one runs: a single step of a
/// run has no bound, as the line may take any number of changes of rate to send one packet. What
/// is called is called in this thread.
#[pyfunction]
#[pyo3(signature = (scenario, progress = None, capture = None))]
pub(crate) fn run(
    py: Python<'_>,
    scenario: &Scenario,
    progress: Option<Py<PyAny>>,
    capture: Option<Capture>,
) -> PyResult<Outcome> {
    let scenario = Arc::clone(&scenario.inner);
    let (write, captured) = capture.map(|capture| request(&scenario, capture)).transpose()?.unzip();
    let follow = |report| follow(progress.as_ref(), write.as_ref(), report).map(drop);
    let work = move |send: &mut dyn FnMut(Report) -> Continue| {
        run_reporting(&scenario, captured.as_ref(), send)
    };
    let finished = run_anywhere(py, work, follow)?.map_err(|broken| error::fault(&broken))?;
    outcome(finished.map_err(|reason| error::run(&reason))?)
}

/// Columns of packets: name, unit, instants in seconds, and values.
type Columns = Vec<(String, &'static str, Py<PyArray1<f64>>, Py<PyArray1<f64>>)>;

/// Packets that hosts sent between two instants, in seconds, as series: see
/// [`packets`](cellway_sim::packets). `progress` as of [`run`].
#[pyfunction]
#[pyo3(signature = (scenario, window, progress = None))]
pub(crate) fn packets(
    py: Python<'_>,
    scenario: &Scenario,
    window: (f64, f64),
    progress: Option<Py<PyAny>>,
) -> PyResult<Columns> {
    let scenario = Arc::clone(&scenario.inner);
    let window = Time::from_seconds_f64(window.0)..=Time::from_seconds_f64(window.1);
    let follow = |report| follow(progress.as_ref(), None, report).map(drop);
    let work = move |send: &mut dyn FnMut(Report) -> Continue| {
        let mut tell = at_intervals(|at| send(Report::At(at)));
        guarded(|| cellway_sim::packets(&scenario, window, &mut tell))
    };
    let found = run_anywhere(py, work, follow)?.map_err(|broken| error::fault(&broken))?;
    let found = found.map_err(|reason| error::run(&reason))?;
    let columns = found.into_iter().map(|mut series| {
        let (times, values, _) = arrays(py, &mut series)?;
        Ok((series.name, series.unit, times, values))
    });
    columns.collect()
}

/// Does `work` without the interpreter: beside the main thread, which alone hears signals, or in
/// another thread itself. `follow` gets its reports.
fn run_anywhere<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut(Report) -> Continue) -> T + Send + 'static,
    follow: impl Fn(Report) -> PyResult<()> + Sync,
) -> PyResult<T> {
    if !is_main_thread(py)? {
        return run_here(py, work, follow);
    }
    let beside = move |reports: &ReportSender<Report, T>| {
        let mut send = |report| if reports.send(report) { Continue::Yes } else { Continue::No };
        work(&mut send)
    };
    run_with_reports(py, beside, follow)
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    Ok(threading.call_method0("current_thread")?.is(threading.call_method0("main_thread")?))
}

/// Runs in this thread, whose processor time it takes.
fn run_here<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut(Report) -> Continue) -> T + Send,
    follow: impl Fn(Report) -> PyResult<()> + Sync,
) -> PyResult<T> {
    let raised = Mutex::new(None);
    let finished = py.detach(|| {
        let mut send = |report| match follow(report) {
            Ok(()) => Continue::Yes,
            Err(reason) => {
                *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
                Continue::No
            }
        };
        work(&mut send)
    });
    match raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(reason) => Err(reason),
        None => Ok(finished),
    }
}

/// Capture points of packets, and the part of a packet that is kept.
pub(crate) type Captured = (CapturePoints, Kept);

/// The function that gets the pieces of the file, and what is captured.
pub(crate) fn request(
    scenario: &language::Scenario,
    (write, hosts, is_whole, layer): Capture,
) -> PyResult<(Py<PyAny>, Captured)> {
    let kept = if is_whole { Kept::Whole } else { Kept::Headers };
    let layer = match layer.as_str() {
        "sunatm" => Layer::Sunatm,
        "erf" => Layer::Erf,
        _ => Layer::Ip,
    };
    Ok((write, (points(scenario, &hosts)?.shown_at(layer), kept)))
}

/// Runs, and reports its progress at intervals.
fn run_reporting(
    scenario: &language::Scenario,
    captured: Option<&Captured>,
    send: &mut dyn FnMut(Report) -> Continue,
) -> Finished {
    let send = RefCell::new(send);
    let mut tell = at_intervals(|at| (send.borrow_mut())(Report::At(at)));
    guarded(|| match captured {
        Some((points, kept)) => {
            let mut write = |piece: &[u8]| (send.borrow_mut())(Report::Piece(piece.to_vec()));
            run_captured(scenario, points, *kept, &mut write, &mut tell)
        }
        None => cellway_sim::run(scenario, &mut tell),
    })
}

/// Calls `tell` at most once in each interval at which signals are checked.
fn at_intervals(mut tell: impl FnMut(Progress) -> Continue) -> impl FnMut(Progress) -> Continue {
    #[expect(
        clippy::disallowed_methods,
        reason = "a driver: the wall clock only decides when to look up"
    )]
    let mut last = Instant::now();
    move |at| {
        if last.elapsed() < LOOK_UP {
            return Continue::Yes;
        }
        last += last.elapsed();
        tell(at)
    }
}

/// Passes a report on to the caller's functions, for which it takes the interpreter.
/// Returns true if the function for progress answers `True`.
pub(crate) fn follow(
    progress: Option<&Py<PyAny>>,
    write: Option<&Py<PyAny>>,
    report: Report,
) -> PyResult<bool> {
    Python::attach(|py| match (report, progress, write) {
        (Report::At(at), Some(progress), _) => {
            let answer = progress.call1(py, (at.at.seconds_f64(), at.duration.seconds_f64()))?;
            Ok(answer.extract::<bool>(py).unwrap_or(false))
        }
        (Report::Piece(piece), _, Some(write)) => {
            write.call1(py, (PyBytes::new(py, &piece),)).map(|_| false)
        }
        _ => Ok(false),
    })
}

/// Capture points of every flow at its sending host, or of the packets that pass `hosts`.
fn points(scenario: &language::Scenario, hosts: &[String]) -> PyResult<CapturePoints> {
    let points = if hosts.is_empty() {
        CapturePoints::at_senders(scenario)
    } else {
        CapturePoints::at_hosts(scenario, hosts)
    };
    points.map_err(|reason| error::capture(&reason))
}

/// The results of a finished run, for Python.
pub(crate) fn outcome(finished: cellway_sim::Outcome) -> PyResult<Outcome> {
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

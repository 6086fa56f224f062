//! A scenario that has passed every check.

use crate::error;
use crate::run_interruptibly::run_interruptibly;
use cellway_fault::guarded;
use cellway_netspec::Workload;
use cellway_sim::explain::prediction::predict;
use cellway_sim::explain::{Explanation, alike_and_warnings, explain};
use cellway_sim::result::{Shaped, Summary, json_schema, numbers};
use cellway_sim::scenario as language;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Instants, rates, the end of the run, and the layer of the rates.
type CapacityPath = (Vec<i64>, Vec<u64>, i64, &'static str);

/// As many pieces of constant rate are listed: a gigabyte with their text.
const MOST_PIECES: usize = 4_000_000;

/// A scenario that has passed every check; immutable.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct Scenario {
    pub(crate) inner: Arc<language::Scenario>,
}

#[pymethods]
impl Scenario {
    /// Parses TOML `text`, then applies `sets` in order; `origin` names the text in messages.
    ///
    /// A text that `resolved` wrote may be longer than hand-written ones. `read_file(path)` returns
    /// the text of a file with a list, or the reason why there is none: one of the two is `None`. A
    /// scenario that `awaits_flows` of a script may have none.
    #[new]
    #[pyo3(signature = (
        origin, text, sets = Vec::new(), resolved = false, read_file = None, awaits_flows = false
    ))]
    fn new(
        py: Python<'_>,
        origin: String,
        text: Vec<u8>,
        sets: Vec<(String, String)>,
        resolved: bool,
        read_file: Option<Py<PyAny>>,
        awaits_flows: bool,
    ) -> PyResult<Self> {
        let raised = Arc::new(Mutex::new(None));
        let failed = Arc::clone(&raised);
        let read =
            move |path: &str| match read_file.as_ref().map(|read_file| given(read_file, path)) {
                Some(Ok(text)) => text,
                Some(Err(reason)) => {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
                    Err("interrupted".to_owned())
                }
                None => Err("no files are read here".to_owned()),
            };
        let parse = move || {
            let ours = resolved.then(|| std::str::from_utf8(&text).ok()).flatten();
            let source = match ours {
                Some(text) => language::Source { origin: &origin, text },
                None => language::Source::of_bytes(&origin, &text)?,
            };
            if awaits_flows {
                return language::Scenario::parse_for_script(source, &sets, &read);
            }
            language::Scenario::parse_with(source, &sets, &read)
        };
        let parsed =
            run_interruptibly(py, || guarded(parse))?.map_err(|broken| error::fault(&broken))?;
        if let Some(reason) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(reason);
        }
        parsed
            .map(|inner| Self { inner: Arc::new(inner) })
            .map_err(|reason| error::scenario(&reason))
    }

    /// Adds the flows of a Netspec script; returns the new scenario, and as JSON the blocks of the
    /// script with their tests. `origin` names the text in messages.
    fn with_netspec(&self, py: Python<'_>, origin: &str, text: &[u8]) -> PyResult<(Self, String)> {
        let (inner, origin, text) = (Arc::clone(&self.inner), origin.to_owned(), text.to_vec());
        let read = move || {
            let source = language::Source::of_bytes(&origin, &text)?;
            Workload::of(&inner, source)
        };
        let read =
            run_interruptibly(py, || guarded(read))?.map_err(|broken| error::fault(&broken))?;
        let Workload { scenario, root } = read.map_err(|reason| error::scenario(&reason))?;
        let blocks = serde_json::to_string(&root).map_err(|reason| error::unwritable(&reason))?;
        Ok((Self { inner: Arc::new(scenario) }, blocks))
    }

    /// True if the resolved scenario has a key at `path`, in whose names `*` is any text.
    fn has_key(&self, path: &str) -> bool {
        language::has_key(&self.inner, path)
    }

    /// The resolved scenario as TOML.
    fn to_toml(&self) -> String {
        self.inner.to_toml()
    }

    /// Keys of the resolved scenario by their paths, each with its value as TOML.
    fn settings(&self) -> BTreeMap<String, String> {
        self.inner.settings()
    }

    /// Root of its random streams.
    #[getter]
    fn seed(&self) -> u64 {
        self.inner.run.seed
    }

    /// Ports whose distributions are observed, as names and patterns; `None` if nothing is.
    #[getter]
    fn observed_ports(&self) -> Option<Vec<String>> {
        self.inner.observe.as_ref().map(|observe| observe.distributions.ports.clone())
    }

    /// Names of all hosts.
    fn host_names(&self) -> Vec<String> {
        self.inner.hosts.iter().map(|host| host.name.clone()).collect()
    }

    /// Names of all directions of links.
    fn link_names(&self) -> Vec<String> {
        (0..self.inner.links.len()).map(|link| self.inner.name_of_link(link)).collect()
    }

    /// Rates of a link over the run, if they vary: the picosecond from which each holds, bits per
    /// second, the end of the run, and the layer of the bits.
    fn capacity(&self, py: Python<'_>, link: &str) -> PyResult<Option<CapacityPath>> {
        let (inner, name) = (Arc::clone(&self.inner), link.to_owned());
        let path = run_interruptibly(py, move || guarded(|| path_of(&inner, &name)))?;
        match path.map_err(|broken| error::fault(&broken))? {
            Some((times, ..)) if times.len() > MOST_PIECES => {
                Err(error::too_many_pieces(link, MOST_PIECES))
            }
            path => Ok(path),
        }
    }

    /// Derived numbers as JSON, with consecutive flows that differ only in names as one, and the
    /// names of each.
    fn explain(&self, py: Python<'_>) -> PyResult<(String, Vec<Vec<String>>)> {
        let inner = Arc::clone(&self.inner);
        let explained = run_interruptibly(py, move || guarded(|| explain(&inner)))?;
        let mut explained = explained.map_err(|broken| error::fault(&broken))?;
        let names = explained.take_names();
        let text = serde_json::to_string(&explained);
        Ok((text.map_err(|reason| error::unwritable(&reason))?, names))
    }

    /// `alike` and `warnings` of `explain`: the names of alike flows, and lines. Stacks of their
    /// own have the flows named by `driven`.
    fn alike_and_warnings(
        &self,
        py: Python<'_>,
        driven: Vec<String>,
    ) -> PyResult<(Vec<Vec<String>>, Vec<String>)> {
        let inner = Arc::clone(&self.inner);
        let found = run_interruptibly(py, move || guarded(|| alike_and_warnings(&inner, &driven)))?;
        let (alike, warnings) = found.map_err(|broken| error::fault(&broken))?;
        Ok((alike.into_iter().map(|group| group.flows).collect(), warnings))
    }

    /// Predictions of formulas as JSON.
    fn predict(&self, py: Python<'_>) -> PyResult<String> {
        let inner = Arc::clone(&self.inner);
        let found = run_interruptibly(py, move || guarded(|| predict(&inner)))?;
        let found = found.map_err(|broken| error::fault(&broken))?;
        serde_json::to_string(&found).map_err(|reason| error::unwritable(&reason))
    }
}

/// At most one piece more than are listed.
fn path_of(scenario: &language::Scenario, link: &str) -> Option<CapacityPath> {
    let index = (0..scenario.links.len()).find(|&of| scenario.name_of_link(of) == link)?;
    let (times, rates) = scenario
        .capacity_steps(index)?
        .take(MOST_PIECES + 1)
        .map(|(at, rate)| (at.picoseconds(), rate.bits_per_second()))
        .unzip();
    let layer = if scenario.links[index].carries.is_of_cells() { "cell" } else { "line" };
    Some((times, rates, scenario.run.duration.picoseconds(), layer))
}

/// Calls Python's `read_file` for a path; fails with an exception that it raises.
fn given(read_file: &Py<PyAny>, path: &str) -> PyResult<Result<String, String>> {
    Python::attach(|py| {
        let (text, reason): (Option<String>, Option<String>) =
            read_file.call1(py, (path,))?.extract(py)?;
        Ok(text.ok_or_else(|| reason.unwrap_or_default()))
    })
}

/// A number's path, its base unit, which is empty for counts, and its meaning.
type NumberRow = (String, &'static str, &'static str);

/// The numbers of a summary.
#[pyfunction]
pub(crate) fn summary_numbers() -> Vec<NumberRow> {
    rows_of::<Summary>()
}

/// The numbers of `explain`.
#[pyfunction]
pub(crate) fn explained_numbers() -> Vec<NumberRow> {
    rows_of::<Explanation>()
}

/// JSON Schema of a summary.
#[pyfunction]
pub(crate) fn summary_schema() -> String {
    json_schema::<Summary>().to_string()
}

/// JSON Schema of `explain`.
#[pyfunction]
pub(crate) fn explained_schema() -> String {
    json_schema::<Explanation>().to_string()
}

fn rows_of<T: Shaped>() -> Vec<NumberRow> {
    let rows = numbers::<T>().into_iter();
    rows.map(|number| (number.path, number.unit.unwrap_or(""), number.meaning)).collect()
}

/// The reference of the scenario language as JSON: every key with its type, default, limits and
/// meaning.
#[pyfunction]
pub(crate) fn schema() -> String {
    language::schema()
}

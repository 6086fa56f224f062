//! A scenario that has passed every check.

use crate::error;
use crate::fault::guarded;
use cellway_sim::scenario as language;
use pyo3::prelude::*;

/// A scenario that has passed every check; immutable.
#[pyclass(frozen, module = "cellway._core")]
pub(crate) struct Scenario {
    pub(crate) inner: language::Scenario,
}

#[pymethods]
impl Scenario {
    /// Parses TOML `text`, then applies `sets` in order; `origin` names the text in messages.
    #[new]
    #[pyo3(signature = (origin, text, sets = Vec::new()))]
    fn new(py: Python<'_>, origin: &str, text: &[u8], sets: Vec<(String, String)>) -> PyResult<Self> {
        py.detach(|| guarded(|| language::Scenario::parse_bytes(origin, text, &sets)))
            .map_err(|broken| error::fault(&broken))?
            .map(|inner| Self { inner })
            .map_err(|reason| error::scenario(&reason))
    }

    /// The resolved scenario as TOML.
    fn to_toml(&self) -> String {
        self.inner.to_toml()
    }

    /// The derived numbers as JSON.
    fn explain(&self) -> PyResult<String> {
        let explained = guarded(|| language::explain(&self.inner)).map_err(|broken| error::fault(&broken))?;
        serde_json::to_string(&explained).map_err(|reason| error::unwritable(&reason))
    }
}

/// The scenario language as a JSON Schema.
#[pyfunction]
pub(crate) fn schema() -> String {
    language::schema()
}

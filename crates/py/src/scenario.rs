//! A scenario that has passed every check.

use crate::error;
use cellway_fault::guarded;
use cellway_sim::explain::explain;
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
    ///
    /// What `resolved` wrote may be longer than what people write.
    #[new]
    #[pyo3(signature = (origin, text, sets = Vec::new(), resolved = false))]
    fn new(
        py: Python<'_>,
        origin: &str,
        text: &[u8],
        sets: Vec<(String, String)>,
        resolved: bool,
    ) -> PyResult<Self> {
        let ours = resolved.then(|| std::str::from_utf8(text).ok()).flatten();
        let parse = || match ours {
            Some(text) => language::Scenario::parse(language::Source { origin, text }, &sets),
            None => language::Scenario::parse_bytes(origin, text, &sets),
        };
        py.detach(|| guarded(parse))
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
        let explained = guarded(|| explain(&self.inner)).map_err(|broken| error::fault(&broken))?;
        serde_json::to_string(&explained).map_err(|reason| error::unwritable(&reason))
    }
}

/// The reference of the scenario language as JSON: every key with its type, default, limits and
/// meaning.
#[pyfunction]
pub(crate) fn schema() -> String {
    language::schema()
}

//! Answer of a job: summary, derived numbers, names of columns, or the reasons why there are none.

use cellway_sim::MODEL_VERSION;
use cellway_sim::result::Series;
use cellway_sim::scenario::ScenarioError;
use serde::Serialize;

/// Answer of a job. The numbers of its columns are beside it.
#[derive(Debug, Default, Serialize)]
pub struct Answer {
    /// Edition of the model that made it.
    pub model: &'static str,
    /// The summary as the text of its JSON, so that nobody need write it again to compare bytes.
    pub summary: Option<String>,
    /// Derived numbers of the scenario, as JSON text, likewise.
    pub explained: Option<String>,
    /// Series or packets, in the order of their numbers.
    pub columns: Vec<Column>,
    /// Reasons why there are no results; empty if there are.
    pub faults: Vec<Failure>,
}

impl Answer {
    /// Makes the answer of a job without results.
    pub fn failed(faults: Vec<Failure>) -> Self {
        Self { model: MODEL_VERSION, faults, ..Self::default() }
    }
}

/// Name of a series: its instants in seconds, values and, where there are any, time means follow
/// those of the one before it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Name as in the results.
    pub name: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Number of its instants.
    pub points: usize,
    /// True if it has time means.
    pub mean: bool,
    /// Number of times that points were removed to stay within the limit.
    pub thinned: u32,
}

/// Columns under way to a caller: names, and for each name two or three lists of numbers.
#[derive(Debug, Default)]
pub struct Columns {
    /// Names and units.
    pub names: Vec<Column>,
    /// Numbers, in the order of the names.
    pub numbers: Vec<Vec<f64>>,
}

impl Columns {
    /// Appends a series.
    pub fn add(&mut self, series: Series) {
        let Series { name, unit, times, values, means, thinned } = series;
        let instants = times.iter().map(|time| time.seconds_f64()).collect();
        let mean = means.is_some();
        self.names.push(Column { name, unit, points: values.len(), mean, thinned });
        self.numbers.extend([instants, values]);
        self.numbers.extend(means);
    }
}

/// Reason why a job has no results.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Line from 1; 0 if it is at no place of the text.
    pub line: usize,
    /// Column in characters from 1; 0 if it is at no place of the text.
    pub column: usize,
    /// Key of the setting that brought it in, if one did.
    pub key: Option<String>,
    /// Description, what would be accepted, and the word that was probably meant.
    pub message: String,
}

impl Failure {
    fn without_place(message: String) -> Self {
        Self { line: 0, column: 0, key: None, message }
    }

    /// Job that is not one.
    pub fn of_job(reason: &serde_json::Error) -> Self {
        Self::without_place(format!("the job cannot be read: {reason}"))
    }

    /// Run that could not finish.
    pub fn of_run(reason: &impl ToString) -> Self {
        Self::without_place(reason.to_string())
    }

    /// Panic, which is a fault of the simulator.
    pub fn of_panic(said: &str) -> Self {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::without_place(format!("a fault of cellway itself, not of the scenario: {said}"))
    }

    /// Every fault of a scenario; `sets` are the settings by their origins in messages.
    pub fn of_scenario(error: &ScenarioError, sets: &[(String, String)]) -> Vec<Self> {
        error.each().map(|fault| Self::of_fault(fault, sets)).collect()
    }

    fn of_fault(fault: &ScenarioError, sets: &[(String, String)]) -> Self {
        let is_origin = |key: &str| fault.origin.starts_with(&format!("--set {key}="));
        let key = sets.iter().map(|(key, _)| key).find(|key| is_origin(key)).cloned();
        let hint = fault.hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
        let message = format!("{}{hint}", fault.message);
        Self { line: fault.line, column: fault.column, key, message }
    }
}

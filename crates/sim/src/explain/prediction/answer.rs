//! Answers of formulas: predictions with their assumptions, and refusals.

use serde::Serialize;

use crate::explain::Explanation;

/// Number that a formula gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// Name, in words.
    pub name: String,
    /// Value in the base unit `unit`.
    pub value: f64,
    /// Unit: `1` of fractions and ratios, `s`, `bit/s`, `bit`, `cell`, `packet` or `segment`.
    pub unit: &'static str,
    /// Path of the same number in the summary of a run: below the entry of the port or flow, unless
    /// it begins with `groups.`. Absent if a run has no such number.
    pub path: Option<String>,
}

impl Predicted {
    pub(super) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit, path: None }
    }

    pub(super) fn at(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }
}

/// Assumption of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assumption {
    /// Assumption in words.
    pub text: String,
    /// True if it holds in the scenario; absent if that is not known.
    pub holds: Option<bool>,
    /// Part of the scenario that shows it, or nothing.
    pub why: String,
}

impl Assumption {
    pub(super) fn new(
        text: impl Into<String>,
        holds: impl Into<Option<bool>>,
        why: impl Into<String>,
    ) -> Self {
        Self { text: text.into(), holds: holds.into(), why: why.into() }
    }
}

/// Prediction of one formula.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Name of the formula.
    pub model: &'static str,
    /// Publication of the formula.
    pub source: &'static str,
    /// Results.
    pub numbers: Vec<Predicted>,
    /// Assumptions, judged.
    pub assumptions: Vec<Assumption>,
}

/// Reason why no formula applies.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) String);

impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Answer of a formula about a part that it is for.
pub(super) type Found = Result<Prediction, Refusal>;

/// Refuses for a reason.
pub(super) fn refused<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(reason.into()))
}

/// Answer about a port, or about consecutive flows that have the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer<T> {
    /// Kind of the part: `port` or `flow`.
    pub part: &'static str,
    /// Names of the parts.
    pub names: Vec<String>,
    /// Prediction, or reason of a refusal.
    pub answer: T,
}

/// Predictions of all formulas for a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Theory {
    /// Name of the scenario.
    pub scenario: String,
    /// Predictions, ports first; a port may have several.
    pub predictions: Vec<Answer<Prediction>>,
    /// Refusals, ports first.
    pub refusals: Vec<Answer<String>>,
    /// Names of all flows.
    pub flows: Vec<String>,
    /// Names of all ports.
    pub ports: Vec<String>,
}

impl Theory {
    pub(super) fn new(explained: &Explanation) -> Self {
        Self {
            scenario: explained.scenario.clone(),
            predictions: Vec::new(),
            refusals: Vec::new(),
            flows: explained.flows.iter().map(|flow| flow.name.clone()).collect(),
            ports: explained.ports.iter().map(|port| port.name.clone()).collect(),
        }
    }

    pub(super) fn add(&mut self, part: &'static str, name: &str, found: Found) {
        match found {
            Ok(prediction) => add(&mut self.predictions, part, name, prediction),
            Err(Refusal(reason)) => add(&mut self.refusals, part, name, reason),
        }
    }
}

/// Adds an answer, or only the name if the answer is that of the part before.
fn add<T: PartialEq>(answers: &mut Vec<Answer<T>>, part: &'static str, name: &str, answer: T) {
    match answers.last_mut() {
        Some(last) if last.part == part && last.answer == answer => {
            last.names.push(name.to_owned());
        }
        _ => answers.push(Answer { part, names: vec![name.to_owned()], answer }),
    }
}

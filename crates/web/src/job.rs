//! A job: a scenario, its settings and files, and what is kept of its run.

use std::collections::BTreeMap;

use cellway_sim::explain::explain;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::Time;
use cellway_sim::{Continue, MODEL_VERSION, RunError, packets, run};
use serde::Deserialize;

use crate::answer::{Answer, Columns, Failure};

/// A run that is asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Job {
    /// The scenario's file, after which its run is named.
    pub origin: String,
    /// The scenario's text.
    pub text: String,
    /// Settings in their order: dotted key and value, as of `--set`.
    pub set: Vec<(String, String)>,
    /// Texts of the files that the scenario names, by path.
    pub files: BTreeMap<String, String>,
    /// Part of the run that is asked for.
    pub keep: Keep,
    /// Instants in seconds between which packets are kept that a host sent; all without it.
    pub window: Option<(f64, f64)>,
}

/// Part of a run that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Derived numbers alone: there is no run.
    Facts,
    /// The series that the scenario observes.
    #[default]
    Series,
    /// Packets of every flow.
    Packets,
}

/// Does a job; returns its answer and the numbers of its columns.
pub fn answer(job: &Job) -> (Answer, Vec<Vec<f64>>) {
    let missing = |path: &str| format!("no file {path} came with the scenario");
    let read = |path: &str| job.files.get(path).cloned().ok_or_else(|| missing(path));
    let source = Source { origin: &job.origin, text: &job.text };
    let scenario = match Scenario::parse_with(source, &job.set, &read) {
        Ok(scenario) => scenario,
        Err(reason) => {
            return (Answer::failed(Failure::of_scenario(&reason, &job.set)), Vec::new());
        }
    };
    let done = match job.keep {
        Keep::Facts => Ok((None, Columns::default())),
        Keep::Series => series(&scenario),
        Keep::Packets => packets_of(&scenario, job.window.unwrap_or((0.0, f64::MAX))),
    };
    let (summary, Columns { names, numbers }) = match done {
        Ok(done) => done,
        Err(reason) => return (Answer::failed(vec![Failure::of_run(&reason)]), Vec::new()),
    };
    let explained = Some(serde_json::to_string(&explain(&scenario)).expect("facts are JSON"));
    let answer =
        Answer { model: MODEL_VERSION, summary, explained, columns: names, faults: Vec::new() };
    (answer, numbers)
}

/// Results of a run: the text of the summary, and columns.
type Done = Result<(Option<String>, Columns), RunError>;

/// Runs to the end.
fn series(scenario: &Scenario) -> Done {
    let outcome = run(scenario, &mut |_| Continue::Yes)?;
    let mut columns = Columns::default();
    outcome.series.into_iter().for_each(|one| columns.add(one));
    let summary = serde_json::to_string(&outcome.summary).expect("a summary is JSON");
    Ok((Some(summary), columns))
}

/// Packets that hosts sent within `window`; there is no summary.
fn packets_of(scenario: &Scenario, (from, until): (f64, f64)) -> Done {
    let window = Time::from_seconds_f64(from)..=Time::from_seconds_f64(until);
    let mut columns = Columns::default();
    packets(scenario, window, &mut |_| Continue::Yes)?.into_iter().for_each(|one| columns.add(one));
    Ok((None, columns))
}

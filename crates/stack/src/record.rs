//! Result of a run with stacks: that of any run, and the facts about the stacks.

use std::collections::BTreeMap;

use cellway_sim::{Outcome, RunError};
use serde::Serialize;
use thiserror::Error;

use crate::stack::StackError;

/// A finished run with stacks.
#[derive(Clone, Debug)]
pub struct Driven {
    /// Counters and series, as of any run.
    pub outcome: Outcome,
    /// Facts about the stacks.
    pub facts: StackFacts,
}

/// Facts about the stacks of a run.
#[derive(Clone, Debug, Serialize)]
pub struct StackFacts {
    /// Hash of all packets that stacks sent, with their instants and ends: equal for equal runs.
    pub trace: String,
    /// Facts by end, `flow.origin` and `flow.destination`.
    pub ends: BTreeMap<String, EndFacts>,
}

/// Facts about a stack.
#[derive(Clone, Debug, Serialize)]
pub struct EndFacts {
    /// Name that it gives itself.
    pub name: String,
    /// Turns of the run.
    pub turns: u64,
    /// Packets that it sent.
    pub packets_sent: u64,
    /// Packets that arrived.
    pub packets_received: u64,
    /// Its own counters.
    pub counters: BTreeMap<String, f64>,
}

/// Reason why a run with stacks did not finish.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DriveError {
    /// The run failed or was cancelled.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A stack is asked for that cannot be had.
    #[error("{0}")]
    Refused(String),
    /// A stack failed.
    #[error("stack at {end}, {at_s} s: {why}")]
    Stack {
        /// Its end, such as `bulk.origin`.
        end: String,
        /// Simulated time, seconds.
        at_s: String,
        /// Reason.
        why: StackError,
    },
}

//! The states that are reached from the start, and the cycle from each.

use std::collections::BTreeMap;

use super::Rates;
use super::cycle::{Cycles, State};
use super::path::Refusal;

/// Maximum number of states, which take some seconds and some 100 MB.
const MOST_STATES: usize = 200_000;

/// The cycle from one state.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Next states by number, ascending, each once.
    pub(super) next: Vec<(usize, f64)>,
    /// p(x).
    pub(super) loss: f64,
    /// U(x), Δ.
    pub(super) length: f64,
    /// V(x), packets.
    pub(super) reward: Rates,
}

/// All states that are reached from the start.
pub(super) struct Chain {
    pub(super) states: Vec<State>,
    pub(super) rows: Vec<Row>,
}

impl Chain {
    pub(super) fn from_start(cycles: &Cycles) -> Result<Self, Refusal> {
        let mut numbers = BTreeMap::from([(key(Cycles::start()), 0)]);
        let mut states = vec![Cycles::start()];
        let mut rows = Vec::new();
        while let Some(&state) = states.get(rows.len()) {
            let cycle = cycles.from(state);
            let mut next: Vec<(usize, f64)> = Vec::with_capacity(cycle.next.len());
            for (state, probability) in cycle.next {
                let number = *numbers.entry(key(state)).or_insert_with(|| {
                    states.push(state);
                    states.len() - 1
                });
                next.push((number, probability));
            }
            rows.push(Row {
                next: merged(next),
                loss: cycle.loss,
                length: cycle.length,
                reward: cycle.reward,
            });
            if states.len() > MOST_STATES {
                return Err(Refusal::TooManyStates { most: MOST_STATES });
            }
        }
        Ok(Self { states, rows })
    }

    /// An order in which the elimination of states makes few new entries. Windows only grow until a
    /// loss, equal ones are together by their rates, and the few states without queues, which
    /// follow a loss, are last.
    pub(super) fn elimination(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_by_key(|&number| {
            let State { queues, pair } = self.states[number];
            let is_empty = queues.source + queues.buffer == 0;
            (is_empty, queues.window(), pair.index(), queues.buffer)
        });
        order
    }
}

/// A state as one number; each part is at most 2048, the sum of a window and a buffer.
fn key(State { queues, pair }: State) -> u64 {
    [queues.source, queues.buffer, queues.flight, pair.index() as u32]
        .into_iter()
        .fold(0, |key, part| key << 12 | u64::from(part))
}

/// Merges repeated states, so that each is named once.
fn merged(mut next: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    next.sort_unstable_by_key(|(number, _)| *number);
    next.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 += later.1;
        }
        same
    });
    next
}

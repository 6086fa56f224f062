//! The matrix of a Markov chain: its reading, and its stationary law.

use toml::de::{DeFloat, DeInteger};

use crate::language::part::prelude::*;
use crate::language::tree::wrong_type;
use crate::units::quoted;

/// A square matrix, row by row: the moves out of each state.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix(pub Vec<Vec<f64>>);

/// Probabilities: each row sums to one.
pub(super) const TRANSITIONS: Kind = Kind::Matrix { is_generator: false };
/// Moves per second, with the negative of their sum on the diagonal: each row sums to zero.
pub(super) const GENERATOR: Kind = Kind::Matrix { is_generator: true };

/// Tolerance of the sum of a row, as a fraction of its greatest number.
const TOLERANCE: f64 = 1e-9;

/// The limit of states; a greater table was not written by hand.
const MOST_STATES: usize = 200;

impl Value for Matrix {
    fn write(&self) -> String {
        let row = |row: &Vec<f64>| {
            let row: Vec<String> = row.iter().map(Value::write).collect();
            format!("[{}]", row.join(", "))
        };
        format!("[{}]", self.0.iter().map(row).collect::<Vec<_>>().join(", "))
    }
}

impl Read for Matrix {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::Matrix { is_generator } = kind else { unreachable!("`{place}` is no matrix") };
        let Some(rows) = node.get_ref().as_array() else {
            return Err(wrong_type(node, &kind.accepted(), place));
        };
        if rows.len() < 2 || rows.len() > MOST_STATES {
            let message = format!("`{place}` has {} rows; expected 2 to {MOST_STATES}", rows.len());
            return Err(Fault::new(&node.span(), message));
        }
        let read = rows.iter().enumerate().map(|(state, row)| {
            let numbers = numbers(row, kind, place)?;
            match wrong_row(&numbers, state, rows.len(), is_generator) {
                Some(wrong) => {
                    Err(Fault::new(&row.span(), format!("`{place}`: row {} {wrong}", state + 1)))
                }
                None => Ok(numbers),
            }
        });
        let matrix = Self(read.collect::<Result<_, _>>()?);
        match matrix.not_reached() {
            Some([from, to]) => {
                let message = format!(
                    "`{place}`: state {} is never reached from state {}; expected a chain that \
                     visits all states",
                    to + 1,
                    from + 1
                );
                Err(Fault::new(&node.span(), message))
            }
            None => Ok(matrix),
        }
    }
}

fn numbers(row: &Node<'_>, kind: Kind, place: &str) -> Result<Vec<f64>, Fault> {
    let Some(entries) = row.get_ref().as_array() else {
        return Err(wrong_type(row, &kind.accepted(), place));
    };
    let number = |entry: &Node<'_>| {
        let value = entry.get_ref();
        let text = value.as_float().map(DeFloat::as_str);
        let text = text.or_else(|| value.as_integer().map(DeInteger::as_str));
        let found = text.and_then(|text| text.replace('_', "").parse::<f64>().ok());
        found.filter(|found| found.is_finite()).ok_or_else(|| wrong_type(entry, "a number", place))
    };
    entries.iter().map(number).collect()
}

/// The fault in the row of a state.
fn wrong_row(row: &[f64], state: usize, states: usize, is_generator: bool) -> Option<String> {
    if row.len() != states {
        return Some(format!("has {} numbers; expected {states}, one per state", row.len()));
    }
    let is_off = |index: usize| !is_generator || index != state;
    if let Some((_, wrong)) =
        row.iter().enumerate().find(|&(index, &number)| is_off(index) && number < 0.0)
    {
        return Some(format!(
            "has the negative {}; expected none{}",
            quoted(&wrong.to_string()),
            if is_generator { " beside the diagonal" } else { "" }
        ));
    }
    let (sum, expected): (f64, f64) = (row.iter().sum(), if is_generator { 0.0 } else { 1.0 });
    let scale = row.iter().fold(1.0_f64, |most, number| most.max(number.abs()));
    ((sum - expected).abs() > TOLERANCE * scale)
        .then(|| format!("sums to {sum}; expected {expected}"))
}

impl Matrix {
    /// Number of states.
    pub(super) fn states(&self) -> usize {
        self.0.len()
    }

    /// A state, and another that is never reached from it.
    fn not_reached(&self) -> Option<[usize; 2]> {
        (0..self.states()).find_map(|from| {
            let mut reached = vec![false; self.states()];
            let mut to_visit = vec![from];
            while let Some(state) = to_visit.pop() {
                if !std::mem::replace(&mut reached[state], true) {
                    let moves = self.0[state].iter().enumerate();
                    to_visit
                        .extend(moves.filter(|&(to, &p)| to != state && p > 0.0).map(|(to, _)| to));
                }
            }
            reached.iter().position(|&is_reached| !is_reached).map(|to| [from, to])
        })
    }

    /// Fraction of the time in each state in the long run, by the elimination of Grassmann, Taksar
    /// and Heyman (1985), which has no differences, so that nothing cancels. The diagonal does not
    /// matter.
    pub(super) fn stationary(&self) -> Vec<f64> {
        let mut moves = self.0.clone();
        let states = self.states();
        for last in (1..states).rev() {
            let out: f64 = moves[last][..last].iter().sum();
            for from in 0..last {
                moves[from][last] /= out;
                let there = moves[from][last];
                for to in (0..last).filter(|&to| to != from) {
                    moves[from][to] += there * moves[last][to];
                }
            }
        }
        let mut law = vec![1.0];
        for state in 1..states {
            let into = law.iter().zip(&moves).map(|(part, row)| part * row[state]);
            law.push(into.sum());
        }
        let total: f64 = law.iter().sum();
        law.iter().map(|part| part / total).collect()
    }

    /// The next state after a state that is left, from a number from 0 to below 1.
    pub(super) fn leave(&self, state: usize, unit: f64) -> usize {
        let moves = || self.0[state].iter().enumerate().filter(|&(to, &p)| to != state && p > 0.0);
        let mut left = unit * moves().map(|(_, p)| p).sum::<f64>();
        for (to, p) in moves() {
            if left < *p {
                return to;
            }
            left -= p;
        }
        // Rounding may go beyond the last one.
        moves().next_back().map_or(state, |(to, _)| to)
    }
}

/// A state drawn from its law by a number from 0 to below 1.
pub(super) fn drawn(law: &[f64], unit: f64) -> usize {
    let mut left = unit;
    let found = law.iter().position(|part| {
        left -= part;
        left < 0.0
    });
    found.unwrap_or(law.len() - 1)
}

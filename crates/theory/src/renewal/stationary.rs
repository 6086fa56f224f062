//! The stationary law of a chain: π P = π.
//!
//! The chain ends in one class of states that reach each other; the others have probability 0. One
//! state of the class is given the weight 1, and the weights of the others, x (I - P) = p with p
//! its row, are solved by sparse LU (rsparse, after Davis: "Direct methods for sparse linear
//! systems", SIAM 2006). I - P without that state is a nonsingular M-matrix.

use rsparse::data::Sprs;

use super::chain::Row;
use super::path::Refusal;

/// Natural order, since the columns are in the order of elimination.
const ORDER: i8 = -1;
/// A diagonal entry is the pivot if it has at least this part of the largest in its column. An
/// M-matrix needs no other pivots.
const PIVOT: f64 = 1e-3;

/// Probabilities of the states.
pub(super) struct Stationary {
    /// π, in the order of the rows.
    pub(super) law: Vec<f64>,
    /// The largest `|π P - π|`.
    pub(super) residual: f64,
    /// States with a probability above 0.
    pub(super) recurrent: usize,
}

/// The stationary law, solved by eliminating the states in the given order.
pub(super) fn law(rows: &[Row], order: &[usize]) -> Result<Stationary, Refusal> {
    let recurrent = closed_class(rows)?;
    let class: Vec<usize> = order.iter().copied().filter(|&state| recurrent[state]).collect();
    let weights = weights(rows, &class)?;
    let total: f64 = weights.iter().sum();
    let mut law = vec![0.0; rows.len()];
    for (&state, weight) in class.iter().zip(weights) {
        law[state] = weight / total;
    }
    let mut residual: Vec<f64> = law.iter().map(|share| -share).collect();
    for (row, share) in rows.iter().zip(&law) {
        for &(next, probability) in &row.next {
            residual[next] += share * probability;
        }
    }
    let residual = residual.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    Ok(Stationary { law, residual, recurrent: class.len() })
}

/// True for states in the only closed class.
///
/// A state is in a closed class if every state that it reaches also reaches it. Otherwise one that
/// does not is tried next, which is nearer to the closed class.
fn closed_class(rows: &[Row]) -> Result<Vec<bool>, Refusal> {
    let mut before = vec![Vec::new(); rows.len()];
    for (state, row) in rows.iter().enumerate() {
        for &(next, _) in &row.next {
            before[next].push(state);
        }
    }
    let mut candidate = 0;
    loop {
        let after = |state: usize| rows[state].next.iter().map(|(next, _)| *next);
        let follow = reach(rows.len(), candidate, after);
        let lead = reach(rows.len(), candidate, |state| before[state].iter().copied());
        let beyond = (0..rows.len()).rev().find(|&state| follow[state] && !lead[state]);
        let Some(beyond) = beyond else {
            if lead.contains(&false) {
                return Err(Refusal::SeveralClasses);
            }
            return Ok(follow);
        };
        candidate = beyond;
    }
}

/// True for the states that are reached from `start`, out of `states` states.
fn reach<I: Iterator<Item = usize>>(
    states: usize,
    start: usize,
    edges: impl Fn(usize) -> I,
) -> Vec<bool> {
    let mut reached = vec![false; states];
    reached[start] = true;
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for next in edges(state) {
            if !reached[next] {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

/// Weights of the states of a closed class; the last has the weight 1.
fn weights(rows: &[Row], class: &[usize]) -> Result<Vec<f64>, Refusal> {
    let (&last, unknowns) = class.split_last().expect("a closed class has states");
    let mut weights = vec![0.0; unknowns.len()];
    if !unknowns.is_empty() {
        let mut place = vec![None; rows.len()];
        for (number, &state) in unknowns.iter().enumerate() {
            place[state] = Some(number);
        }
        for &(next, probability) in &rows[last].next {
            if let Some(place) = place[next] {
                weights[place] = probability;
            }
        }
        let matrix = transposed(rows, unknowns, &place);
        rsparse::lusol(&matrix, &mut weights, ORDER, PIVOT)
            .map_err(|error| Refusal::Unsolved { reason: error.to_string() })?;
    }
    weights.push(1.0);
    Ok(weights)
}

/// Transposed matrix I - P of `states`, by columns: column j has the row of state j.
fn transposed(rows: &[Row], states: &[usize], place: &[Option<usize>]) -> Sprs<f64> {
    let (mut starts, mut indices, mut values) = (vec![0_isize], Vec::new(), Vec::new());
    for (column, &state) in states.iter().enumerate() {
        indices.push(column);
        values.push(1.0);
        let diagonal = values.len() - 1;
        for &(next, probability) in &rows[state].next {
            match place[next] {
                Some(row) if row == column => values[diagonal] -= probability,
                Some(row) => {
                    indices.push(row);
                    values.push(-probability);
                }
                None => {}
            }
        }
        starts.push(indices.len() as isize);
    }
    let size = states.len();
    Sprs { nzmax: values.len(), m: size, n: size, p: starts, i: indices, x: values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renewal::Rates;

    fn chain(next: &[&[(usize, f64)]]) -> Vec<Row> {
        let row = |next: &&[(usize, f64)]| Row {
            next: next.to_vec(),
            loss: 0.0,
            length: 1.0,
            reward: Rates::default(),
        };
        next.iter().map(row).collect()
    }

    /// By hand: 0 is left at once; 1 and 2 exchange at 0.2 and 0.3, so that π = (0, 0.6, 0.4).
    #[test]
    fn two_states_that_exchange_after_one_that_is_left() {
        let rows = chain(&[&[(1, 1.0)], &[(1, 0.8), (2, 0.2)], &[(1, 0.3), (2, 0.7)]]);
        let found = law(&rows, &[0, 1, 2]).unwrap();
        assert_eq!(found.recurrent, 2);
        for (share, by_hand) in found.law.iter().zip([0.0, 0.6, 0.4]) {
            assert!((share - by_hand).abs() < 1e-14, "{:?}", found.law);
        }
        assert!(found.residual < 1e-15);
    }

    /// A period does not matter to a direct solution.
    #[test]
    fn a_circle_of_three_is_visited_evenly() {
        let found = law(&chain(&[&[(1, 1.0)], &[(2, 1.0)], &[(0, 1.0)]]), &[2, 0, 1]).unwrap();
        assert!(found.law.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-15));
    }

    #[test]
    fn a_trap_of_one_state_has_all_of_it() {
        let found = law(&chain(&[&[(0, 0.5), (1, 0.5)], &[(1, 1.0)]]), &[0, 1]).unwrap();
        assert_eq!(found.law, [0.0, 1.0]);
    }

    #[test]
    fn two_traps_are_refused() {
        let rows = chain(&[&[(1, 0.5), (2, 0.5)], &[(1, 1.0)], &[(2, 1.0)]]);
        assert!(matches!(law(&rows, &[0, 1, 2]), Err(Refusal::SeveralClasses)));
    }
}

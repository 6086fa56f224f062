//! The stationary law of a chain: π P = π.
//!
//! The chain ends in one class of states that reach each other; the others have probability 0. The
//! states of the class are eliminated one after the other (W. K. Grassmann, M. I. Taksar, D. P.
//! Heyman: "Regenerative analysis and steady state distributions for Markov chains", Operations
//! Research 33(5), 1985): without state n, i goes to j with P(i, j) + P(i, n) P(n, j) / S, where S
//! is the sum of P(n, j) over the states that are left. Nothing is subtracted, so that every
//! probability, the smallest too, has a relative error of a few roundings for each state.

use super::chain::Row;
use super::path::Refusal;

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
    let mut place = vec![None; rows.len()];
    for (number, &state) in class.iter().enumerate() {
        place[state] = Some(number);
    }
    let mut elimination = Elimination::of(class.len());
    for &state in class {
        let next = rows[state].next.iter();
        elimination.add(next.filter_map(|&(next, share)| Some((place[next]?, share))))?;
    }
    Ok(elimination.weights())
}

/// States of a closed class in their order, each without those before it.
struct Elimination {
    /// Transitions of each to later states, as shares of 1.
    after: Vec<Vec<(usize, f64)>>,
    /// Later states that go to each, with their probability.
    before: Vec<Vec<(usize, f64)>>,
    /// S: probability of each to go to later states.
    leaving: Vec<f64>,
    /// Probabilities of the state that is being added, 0 between two.
    row: Vec<f64>,
}

impl Elimination {
    fn of(states: usize) -> Self {
        Self {
            after: Vec::with_capacity(states),
            before: vec![Vec::new(); states],
            leaving: Vec::with_capacity(states),
            row: vec![0.0; states],
        }
    }

    /// Adds the next state with its probabilities. A probability to remain does not count: only
    /// the ratios of the others do.
    fn add(&mut self, next: impl Iterator<Item = (usize, f64)>) -> Result<(), Refusal> {
        let state = self.after.len();
        let mut reached = Vec::new();
        for (next, share) in next {
            self.row[next] += share;
            reached.push(next);
        }
        let first = reached.iter().copied().min().unwrap_or(state);
        for earlier in first..state {
            let share = std::mem::take(&mut self.row[earlier]);
            if share == 0.0 {
                continue;
            }
            self.before[earlier].push((state, share));
            for &(next, follows) in &self.after[earlier] {
                if self.row[next] == 0.0 {
                    reached.push(next);
                }
                self.row[next] += share * follows;
            }
        }
        self.keep(state, &reached)
    }

    /// Keeps where the state goes among later ones.
    fn keep(&mut self, state: usize, reached: &[usize]) -> Result<(), Refusal> {
        let mut after = Vec::new();
        for &next in reached {
            let share = std::mem::take(&mut self.row[next]);
            if next > state && share > 0.0 {
                after.push((next, share));
            }
        }
        let leaving: f64 = after.iter().map(|(_, share)| share).sum();
        if leaving == 0.0 && state + 1 < self.row.len() {
            return Err(Refusal::Unsolved);
        }
        for (_, share) in &mut after {
            *share /= leaving;
        }
        self.after.push(after);
        self.leaving.push(leaving);
        Ok(())
    }

    /// Weights of all states; the last has the weight 1.
    fn weights(self) -> Vec<f64> {
        let mut weights = vec![1.0; self.after.len()];
        let earlier = self.before.iter().zip(&self.leaving).enumerate().rev().skip(1);
        for (state, (before, leaving)) in earlier {
            let entered: f64 = before.iter().map(|&(from, share)| weights[from] * share).sum();
            weights[state] = entered / leaving;
        }
        weights
    }
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

    /// Matrix of P. J. Courtois, "Decomposability", Academic Press 1977, with three groups of
    /// states that are seldom left. Expected are `scipy.linalg.null_space(P.T - numpy.eye(8))`,
    /// divided by its sum.
    #[test]
    fn groups_that_are_seldom_left_as_by_scipy() {
        let rows = chain(&[
            &[(0, 0.85), (2, 0.149), (3, 0.0009), (5, 0.000_05), (7, 0.000_05)],
            &[(0, 0.1), (1, 0.65), (2, 0.249), (4, 0.0009), (5, 0.000_05), (7, 0.000_05)],
            &[(0, 0.1), (1, 0.8), (2, 0.0996), (3, 0.0003), (6, 0.0001)],
            &[(1, 0.0004), (3, 0.7), (4, 0.2995), (6, 0.0001)],
            &[(0, 0.0005), (2, 0.0004), (3, 0.399), (4, 0.6), (5, 0.0001)],
            &[(1, 0.000_05), (4, 0.000_05), (5, 0.6), (6, 0.2499), (7, 0.15)],
            &[(0, 0.000_03), (2, 0.000_03), (3, 0.000_04), (5, 0.1), (6, 0.8), (7, 0.0999)],
            &[(1, 0.000_05), (4, 0.000_05), (5, 0.1999), (6, 0.25), (7, 0.55)],
        ]);
        let by_scipy = [
            0.089_282_652_754_51,
            0.092_757_637_505_14,
            0.040_488_312_016_37,
            0.158_533_190_819_86,
            0.118_938_206_904_20,
            0.120_385_481_106_03,
            0.277_795_252_449_23,
            0.101_819_266_444_66,
        ];
        for order in [[0, 1, 2, 3, 4, 5, 6, 7], [7, 0, 3, 5, 1, 6, 4, 2]] {
            let found = law(&rows, &order).unwrap();
            for (share, by_scipy) in found.law.iter().zip(by_scipy) {
                assert!((share - by_scipy).abs() < 1e-12, "{:?}", found.law);
            }
        }
    }

    /// Steps up have the probability 2^-30, steps down 1/2: π(k) = 2^(-29 k) π(0), each exact to
    /// some roundings, in any order.
    #[test]
    fn the_smallest_probabilities_have_all_their_digits() {
        let (up, down) = (libm::exp2(-30.0), 0.5);
        let rows = chain(&[
            &[(0, 1.0 - up), (1, up)],
            &[(0, down), (1, 1.0 - up - down), (2, up)],
            &[(1, down), (2, 1.0 - up - down), (3, up)],
            &[(2, down), (3, 1.0 - down)],
        ]);
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let found = law(&rows, &order).unwrap().law;
            for (steps, share) in (0..).zip(&found) {
                let exact = libm::exp2(-29.0 * f64::from(steps)) * found[0];
                assert!((share / exact - 1.0).abs() < 1e-14, "{order:?} {found:?}");
            }
        }
    }

    /// 2^-1074 is the smallest number; its square is 0.
    #[test]
    fn a_state_that_is_never_left_in_numbers_is_refused() {
        let least = f64::from_bits(1);
        let rows = chain(&[&[(1, least), (2, 1.0)], &[(0, 1.0)], &[(0, least), (2, 1.0)]]);
        assert!(matches!(law(&rows, &[0, 2, 1]), Err(Refusal::Unsolved)));
    }
}

//! Effective capacity: the constant rate that a link of varying capacity carries so that its queue
//! exceeds B with a probability that falls like exp(-δB) (Shakkottai, Kumar, Karnik, Anvekar,
//! IEEE/ACM Transactions on Networking 9(4), 2001, equation 23, after de Veciana and Walrand).
//!
//! ```text
//! Γ(δ) = -(1/δ) lim 1/(n+1) ln E exp(-δ (C_0 + ... + C_n)) = -(1/δ) ln ρ(diag(exp(-δ c)) P)
//! ```
//!
//! for capacities c that follow a Markov chain P, one step per slot; ρ is the spectral radius.
//!
//! Units: capacities and Γ in any unit of data per slot, δ per that unit. With packets per round
//! trip δ is per packet; with packets of L bytes, δ per byte is δ/L.
//!
//! Γ falls from the mean capacity (δ = 0, ε = 1) to the smallest mean of any cycle of the chain
//! (δ without bounds, ε = 0), which is the least capacity if the chain may stay at it. All is
//! computed in logarithms, so that no δ under- or overflows.
//!
//! For two states ρ solves a quadratic. For more, M is squared `SQUARINGS` times: by Gelfand's
//! formula ln ‖M^n‖/n goes to ln ρ, and is within `ln(v_max/v_min)/n` of it, where v is the Perron
//! vector. With K capacities within a range R and the least probability p, Γ is therefore within
//! K (R + ln(1/p)/δ)/2^60 of the limit; what remains is rounding, some 1e-15/δ.

use crate::range::{OutOfRange, positive, within};
use crate::root::root;

/// Squarings of the matrix.
const SQUARINGS: i32 = 60;
/// Maximum deviation of the sum of a row of probabilities from 1.
const ROUNDING: f64 = 1e-9;
/// Half the range of the search for δ, in powers of e around one over the range of the capacities.
const SPAN: f64 = 40.0;

/// Capacities that follow a Markov chain.
#[derive(Clone, Debug, PartialEq)]
pub struct ModulatedCapacity {
    capacities: Vec<f64>,
    transitions: Vec<Vec<f64>>,
}

impl ModulatedCapacity {
    /// Makes a chain of the data per slot in each state, and the probabilities from state to state,
    /// by rows; every state must be reached from every other.
    pub fn new(capacities: Vec<f64>, transitions: Vec<Vec<f64>>) -> Result<Self, OutOfRange> {
        let states = capacities.len();
        within("capacities", states as f64, "at least one", |states| states >= 1.0)?;
        for (state, &capacity) in capacities.iter().enumerate() {
            let name = format!("capacities[{state}]");
            within(&name, capacity, "0 or more", |capacity| capacity >= 0.0)?;
        }
        within("transitions", transitions.len() as f64, "one row per capacity", |rows| {
            rows as usize == states
        })?;
        for (state, row) in transitions.iter().enumerate() {
            let name = format!("transitions[{state}]");
            within(&name, row.len() as f64, "one probability per capacity", |entries| {
                entries as usize == states
            })?;
            for &probability in row {
                within(&name, probability, "probabilities from 0 to 1", |probability| {
                    (0.0..=1.0).contains(&probability)
                })?;
            }
            within(&name, row.iter().sum(), "probabilities that add up to 1", |sum| {
                (sum - 1.0).abs() <= ROUNDING
            })?;
        }
        let reached = reached_by_all(&transitions);
        within(
            "transitions",
            reached as f64,
            "a chain whose states all reach each other",
            |all| all as usize == states,
        )?;
        Ok(Self { capacities, transitions })
    }

    /// A chain of two states by the mean number of slots, above or equal to 1, that each lasts.
    pub fn of_two(capacities: [f64; 2], lasts: [f64; 2]) -> Result<Self, OutOfRange> {
        for (name, slots) in [("lasts[0]", lasts[0]), ("lasts[1]", lasts[1])] {
            within(name, slots, "at least 1 slot", |slots| slots >= 1.0)?;
        }
        let [first, second] = lasts.map(|slots| 1.0 / slots);
        let transitions = vec![vec![1.0 - first, first], vec![second, 1.0 - second]];
        Self::new(capacities.to_vec(), transitions)
    }

    /// Mean capacity EC, the effective capacity at δ = 0.
    pub fn mean(&self) -> f64 {
        let law = self.stationary();
        law.iter().zip(&self.capacities).map(|(share, capacity)| share * capacity).sum()
    }

    /// Effective capacity as δ grows without bounds: the smallest mean capacity of a cycle.
    pub fn least(&self) -> f64 {
        // Karp 1978: the minimum over ends of the maximum over k of (D_n - D_k)/(n - k).
        let states = self.capacities.len();
        let mut walks = vec![vec![f64::INFINITY; states]];
        walks[0][0] = 0.0;
        for length in 0..states {
            let mut next = vec![f64::INFINITY; states];
            for (from, row) in self.transitions.iter().enumerate() {
                let so_far = walks[length][from] + self.capacities[from];
                for (to, _) in row.iter().enumerate().filter(|(_, probability)| **probability > 0.0)
                {
                    next[to] = next[to].min(so_far);
                }
            }
            walks.push(next);
        }
        let mean_to = |end: usize| {
            (0..states)
                .filter(|&length| walks[length][end].is_finite())
                .map(|length| (walks[states][end] - walks[length][end]) / (states - length) as f64)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        (0..states)
            .filter(|&end| walks[states][end].is_finite())
            .map(mean_to)
            .fold(f64::INFINITY, f64::min)
    }

    /// Γ(δ), data per slot; `delta` per unit of data, 0 or more.
    pub fn effective(&self, delta: f64) -> Result<f64, OutOfRange> {
        within("delta", delta, "a finite number, 0 or more", |delta| delta >= 0.0)?;
        if delta == 0.0 || self.capacities.len() == 1 {
            return Ok(self.mean());
        }
        Ok(match (&self.capacities[..], &self.transitions[..]) {
            ([first, second], [from_first, from_second]) => {
                let staying = [from_first[0], from_second[1]];
                if first <= second {
                    of_two(*first, second - first, staying, delta)
                } else {
                    of_two(*second, first - second, [staying[1], staying[0]], delta)
                }
            }
            _ => -self.log_spectral_radius(delta) / delta,
        })
    }

    /// The δ with Γ(δ) = `rate`, per unit of data. `rate` lies between [`Self::least`] and
    /// [`Self::mean`], which only an infinite δ and δ = 0 have.
    pub fn delta_of(&self, rate: f64) -> Result<f64, OutOfRange> {
        let (least, mean) = (self.least(), self.mean());
        let expected = "between the least and the mean capacity";
        within("rate", rate, expected, |rate| rate > least && rate < mean)?;
        let range = self.capacities.iter().fold(0.0_f64, |most, &entry| most.max(entry)) - least;
        let about = -libm::log(range);
        let exceeds = |log_delta: f64| {
            let found = self.effective(libm::exp(log_delta));
            found.expect("a power of e is within the range of δ") - rate
        };
        Ok(libm::exp(root(about - SPAN, about + SPAN, exceeds)))
    }

    /// ln ρ(diag(exp(-δ c)) P), by squaring in logarithms.
    fn log_spectral_radius(&self, delta: f64) -> f64 {
        let mut logs: Vec<Vec<f64>> = self
            .transitions
            .iter()
            .zip(&self.capacities)
            .map(|(row, capacity)| {
                row.iter().map(|&probability| libm::log(probability) - delta * capacity).collect()
            })
            .collect();
        let (mut scale, mut power) = (0.0, 1.0);
        for _ in 0..SQUARINGS {
            let largest = logs.iter().flatten().fold(f64::NEG_INFINITY, |most, &log| most.max(log));
            logs.iter_mut().flatten().for_each(|log| *log -= largest);
            scale += largest * power;
            logs = squared(&logs);
            power /= 2.0;
        }
        scale
    }

    /// π, from the balance of the chain by elimination without subtraction (Grassmann, Taksar,
    /// Heyman 1985).
    fn stationary(&self) -> Vec<f64> {
        let mut left = self.transitions.clone();
        for last in (1..left.len()).rev() {
            let leaving: f64 = left[last][..last].iter().sum();
            for row in 0..last {
                left[row][last] /= leaving;
                for column in 0..last {
                    left[row][column] += left[row][last] * left[last][column];
                }
            }
        }
        let mut law = vec![1.0];
        while law.len() < left.len() {
            let state = law.len();
            law.push(law.iter().zip(&left).map(|(share, row)| share * row[state]).sum());
        }
        let total: f64 = law.iter().sum();
        law.iter().map(|share| share / total).collect()
    }
}

/// δ for a probability `loss` that a buffer of `buffer` units of data overflows: -ln ε/B.
pub fn delta_for(loss: f64, buffer: f64) -> Result<f64, OutOfRange> {
    within("loss", loss, "above 0 and at most 1", |loss| loss > 0.0 && loss <= 1.0)?;
    positive("buffer", buffer)?;
    Ok(-libm::log(loss) / buffer)
}

/// Γ of two states: `low` and `low + range`, which stay with the probabilities `staying`.
///
/// With the factor exp(-δ low) taken out, ρ² - (p + q x) ρ + (p + q - 1) x = 0, x = exp(-δ range),
/// p and q the probabilities of staying.
fn of_two(low: f64, range: f64, staying: [f64; 2], delta: f64) -> f64 {
    let [p, q] = staying;
    let x = libm::exp(-delta * range);
    let determinant = p + q - 1.0;
    // ρ/√x stays finite where p is 0 and x vanishes.
    let root = libm::exp(-delta * range / 2.0);
    if p <= root {
        let ratio = if root > 0.0 { p / root } else { 0.0 };
        let half = f64::midpoint(ratio, q * root);
        let scaled = half + (half * half - determinant).sqrt();
        return low + range / 2.0 - libm::log(scaled) / delta;
    }
    let half = f64::midpoint(p, q * x);
    let apart = (half * half - determinant * x).sqrt();
    // 1 - ρ from the value of the quadratic at 1, (1 - x)(1 - p), without cancellation.
    let below_one = -libm::expm1(-delta * range) * (1.0 - p) / (1.0 - (half - apart));
    low - libm::log1p(-below_one) / delta
}

/// The square of a matrix given by the logarithms of its entries.
fn squared(logs: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |row: &Vec<f64>, column: usize| {
        let terms = || row.iter().zip(logs).map(|(left, right)| left + right[column]);
        let largest = terms().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return largest;
        }
        largest + libm::log(terms().map(|term| libm::exp(term - largest)).sum())
    };
    logs.iter().map(|row| (0..logs.len()).map(|column| entry(row, column)).collect()).collect()
}

/// Number of states if all reach each other; less otherwise.
fn reached_by_all(transitions: &[Vec<f64>]) -> usize {
    let reach = |edge: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; transitions.len()];
        reached[0] = true;
        let mut open = vec![0];
        while let Some(from) = open.pop() {
            for (to, reached) in reached.iter_mut().enumerate() {
                if edge(from, to) && !*reached {
                    *reached = true;
                    open.push(to);
                }
            }
        }
        reached.iter().filter(|reached| **reached).count()
    };
    let forward = reach(&|from, to| transitions[from][to] > 0.0);
    forward.min(reach(&|from, to| transitions[to][from] > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 and 20 packets per round trip that last 10 each.
    fn paper() -> ModulatedCapacity {
        ModulatedCapacity::of_two([40.0, 20.0], [10.0, 10.0]).unwrap()
    }

    /// -(1/δn) ln of a product of n matrices, brute force.
    fn by_products(chain: &ModulatedCapacity, delta: f64, slots: u32) -> f64 {
        let mut weights = chain.stationary();
        let mut log = 0.0;
        for _ in 0..slots {
            for (weight, capacity) in weights.iter_mut().zip(&chain.capacities) {
                *weight *= libm::exp(-delta * capacity);
            }
            weights = (0..weights.len())
                .map(|to| {
                    let from = weights.iter().zip(&chain.transitions);
                    from.map(|(weight, row)| weight * row[to]).sum()
                })
                .collect();
            let total: f64 = weights.iter().sum();
            log += libm::log(total);
            for weight in &mut weights {
                *weight /= total;
            }
        }
        -log / (delta * f64::from(slots))
    }

    /// By hand at δ = ln 2, capacities 1 and 0, all probabilities 1/2: E 2^-C = 3/4 per slot, so
    /// that Γ = log2(4/3).
    #[test]
    fn independent_slots_by_hand() {
        let coins = ModulatedCapacity::of_two([1.0, 0.0], [2.0, 2.0]).unwrap();
        let found = coins.effective(libm::log(2.0)).unwrap();
        assert!((found - libm::log2(4.0 / 3.0)).abs() < 1e-15, "{found}");
    }

    #[test]
    fn products_of_matrices_come_to_the_same() {
        for delta in [0.01, 0.1, 1.0, 5.0] {
            let found = paper().effective(delta).unwrap();
            let brute = by_products(&paper(), delta, 200_000);
            assert!((found / brute - 1.0).abs() < 1e-4, "{delta}: {found} {brute}");
        }
    }

    #[test]
    fn three_states_come_to_products_of_matrices() {
        let chain = three();
        for delta in [0.001, 0.1, 2.0] {
            let found = chain.effective(delta).unwrap();
            let brute = by_products(&chain, delta, 200_000);
            assert!((found / brute - 1.0).abs() < 1e-4, "{delta}: {found} {brute}");
        }
    }

    fn three() -> ModulatedCapacity {
        let transitions = vec![vec![0.9, 0.1, 0.0], vec![0.2, 0.5, 0.3], vec![0.0, 0.4, 0.6]];
        ModulatedCapacity::new(vec![10.0, 6.0, 3.0], transitions).unwrap()
    }

    /// The closed form of two states and the squaring of three, of which two are the same.
    #[test]
    fn a_state_split_in_two_changes_nothing() {
        let transitions = vec![vec![0.9, 0.05, 0.05], vec![0.1, 0.45, 0.45], vec![0.1, 0.45, 0.45]];
        let split = ModulatedCapacity::new(vec![40.0, 20.0, 20.0], transitions).unwrap();
        for delta in [1e-6, 1e-3, 0.1, 1.0, 60.0, 1e4] {
            let (two, three) = (paper().effective(delta).unwrap(), split.effective(delta).unwrap());
            assert!((two / three - 1.0).abs() < 1e-8, "{delta}: {two} {three}");
        }
        assert!((split.mean() - 30.0).abs() < 1e-12);
        assert!((split.least() - 20.0).abs() < 1e-12);
    }

    #[test]
    fn it_falls_from_the_mean_to_the_least() {
        for chain in [paper(), three()] {
            let mut before = chain.mean();
            for step in -30..30 {
                let gamma = chain.effective(libm::exp(f64::from(step) / 3.0)).unwrap();
                assert!(gamma < before && gamma > chain.least(), "{step}: {gamma} {before}");
                before = gamma;
            }
            assert!((chain.effective(0.0).unwrap() - chain.mean()).abs() < 1e-15);
            assert!((chain.effective(1e-9).unwrap() / chain.mean() - 1.0).abs() < 1e-6);
            assert!((chain.effective(1e6).unwrap() / chain.least() - 1.0).abs() < 1e-6);
        }
    }

    /// A chain that cannot stay in a state alternates, and has its mean for every δ.
    #[test]
    fn strict_alternation_has_its_mean_for_every_delta() {
        let strict = ModulatedCapacity::of_two([40.0, 20.0], [1.0, 1.0]).unwrap();
        for delta in [1e-3, 1.0, 1e3, 1e6] {
            assert!((strict.effective(delta).unwrap() - 30.0).abs() < 1e-9, "{delta}");
        }
        assert!((strict.least() - 30.0).abs() < 1e-12);
    }

    #[test]
    fn delta_of_a_rate_is_turned_around() {
        for chain in [paper(), three()] {
            let rate = 0.3 * chain.mean() + 0.7 * chain.least();
            let delta = chain.delta_of(rate).unwrap();
            assert!((chain.effective(delta).unwrap() / rate - 1.0).abs() < 1e-9, "{delta}");
        }
        let error = paper().delta_of(20.0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "rate is 20; expected between the least and the mean capacity"
        );
    }

    /// e^-δB = ε: 10 packets at 1e-6 are ln(10⁶)/10.
    #[test]
    fn delta_for_a_buffer() {
        assert!((delta_for(1e-6, 10.0).unwrap() - 1.381_551_055_796_427_4).abs() < 1e-12);
        assert!(delta_for(1.0, 10.0).unwrap().abs() < 1e-15);
        assert!(delta_for(0.0, 10.0).is_err());
    }

    #[test]
    fn a_chain_of_two_parts_is_refused() {
        let apart = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        let error = ModulatedCapacity::new(vec![1.0, 2.0], apart).unwrap_err();
        assert!(error.to_string().contains("all reach each other"), "{error}");
        let short = ModulatedCapacity::new(vec![1.0, 2.0], vec![vec![0.5, 0.4], vec![0.5, 0.5]]);
        assert!(short.unwrap_err().to_string().starts_with("transitions[0] is 0.9; expected"));
    }
}

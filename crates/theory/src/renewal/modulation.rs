//! The chain of the link's rates, in pairs with the rate of the Δ before.

use super::path::Path;

/// A rate of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rate {
    High,
    Low,
}

/// R, the link's rate in the next Δ, and S, the rate of the source: the link's in the Δ before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) link: Rate,
    pub(super) source: Rate,
}

/// All pairs, in the order of the rows and columns of Q.
pub(super) const PAIRS: [Pair; 4] = [
    Pair { link: Rate::High, source: Rate::High },
    Pair { link: Rate::High, source: Rate::Low },
    Pair { link: Rate::Low, source: Rate::High },
    Pair { link: Rate::Low, source: Rate::Low },
];

impl Pair {
    /// Row of the pair in Q.
    pub(super) fn index(self) -> usize {
        2 * usize::from(self.link == Rate::Low) + usize::from(self.source == Rate::Low)
    }
}

type Matrix = [[f64; 4]; 4];

/// Powers of Q, the transition matrix of the pairs.
pub(super) struct Modulation {
    powers: Vec<Matrix>,
}

impl Modulation {
    /// Calculates Q to the powers up to `longest`. If the source `follows`, S is the link's rate
    /// before; otherwise the source's rate is constant, and S stays at its first value.
    pub(super) fn new(path: &Path, follows: bool, longest: usize) -> Self {
        let mut once = [[0.0; 4]; 4];
        for pair in PAIRS {
            let leaves = match pair.link {
                Rate::High => 1.0 / path.high_lasts,
                Rate::Low => 1.0 / path.low_lasts,
            };
            for link in [Rate::High, Rate::Low] {
                let next = Pair { link, source: if follows { pair.link } else { pair.source } };
                let probability = if link == pair.link { 1.0 - leaves } else { leaves };
                once[pair.index()][next.index()] = probability;
            }
        }
        let mut powers = vec![once];
        while powers.len() < longest {
            powers.push(times(powers.last().expect("begins with the first power"), &once));
        }
        Self { powers }
    }

    /// The pairs `intervals` later, with their probabilities.
    pub(super) fn after(&self, intervals: usize, pair: Pair) -> impl Iterator<Item = (Pair, f64)> {
        let row = self.powers[intervals - 1][pair.index()];
        PAIRS.into_iter().zip(row).filter(|(_, probability)| *probability > 0.0)
    }
}

fn times(left: &Matrix, right: &Matrix) -> Matrix {
    let mut product = [[0.0; 4]; 4];
    for (row, left) in product.iter_mut().zip(left) {
        for (column, entry) in row.iter_mut().enumerate() {
            *entry = left.iter().zip(right).map(|(left, right)| left * right[column]).sum();
        }
    }
    product
}

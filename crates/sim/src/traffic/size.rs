//! The size of the units that a source sends: fixed, or drawn again and again from a distribution.
//!
//! Uniform: every whole number of bytes from the first size to the second is equally likely.
//! Exponential: geometric, which is the exponential distribution in whole bytes of at least one:
//! P(X > n) = qⁿ with q = 1 − 1/mean, so that the mean is exact. It is drawn by inversion, as
//! ceil(ln(1 − U)/ln q) with U in steps of 2^-53: no draw is above 37 means. Mix: each size has the
//! probability of its weight over the sum of weights.

use toml::de::DeValue;

use super::heavy_tails::{Lognormal, Pareto};
use crate::engine::{MOST_MEANS, Stream};
use crate::language::part::prelude::*;
use crate::language::tree::{text, wrong_type};
use crate::units::Bytes;

/// Limit of a write or a transfer; a longer one is a mistake.
pub(super) const MAX_TOTAL: u64 = 1_000_000_000_000_000;
/// The longest UDP payload in an IPv4 packet: 65 535 less 20 and 8 bytes of headers.
pub const MAX_DATAGRAM: u64 = 65_507;

/// A number of bytes, perhaps random.
#[derive(Clone, Debug, PartialEq)]
pub enum Size {
    /// A constant.
    Fixed(Bytes),
    /// A draw from a distribution.
    Drawn(SizeDistribution),
}

variants! {
    /// The distribution of a [`Size`].
    #[derive(Clone, Debug, PartialEq)]
    pub enum SizeDistribution {
        /// Uniform: any whole number of bytes from the first size to the second.
        Uniform(SizeRange) = "uniform" value("[\"64 B\", \"1472 B\"]") as RANGE,
        /// Exponential in whole bytes, at least one; without an upper bound.
        Exponential(ExponentialSize) = "exponential",
        /// One of several sizes, each with its weight.
        Mix(Mix) = "mix" value("[[\"12 B\", 7], [\"548 B\", 4], [\"1472 B\", 1]]") as MIX,
        /// Bounded Pareto: the few largest have a large share of the total.
        Pareto(Pareto) = "pareto",
        /// Lognormal: the logarithm is normal.
        Lognormal(Lognormal) = "lognormal",
    }
}

part! {
    /// Parameters of exponential sizes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ExponentialSize {
        /// Mean size.
        mean: Bytes = required("\"500 B\"") as Kind::Size { min: 2, max: MAX_TOTAL },
    }
}

const RANGE: Kind = Kind::SizeRange { min: 1, max: MAX_TOTAL };
const MIX: Kind = Kind::WeightedSizes { min: 1, max: MAX_TOTAL };
const DISTRIBUTIONS: &[Variant] =
    SizeDistribution::KIND.choices().expect("distributions are choices");

/// Range of the payload of a UDP datagram, without the distributions of heavy tails.
pub(super) const DATAGRAM_SIZE: Kind =
    Kind::RandomSize { min: 1, max: MAX_DATAGRAM, distributions: DISTRIBUTIONS.split_at(3).0 };

/// Range of a write, or of a transfer.
pub(super) const WRITE_SIZE: Kind =
    Kind::RandomSize { min: 1, max: MAX_TOTAL, distributions: DISTRIBUTIONS };

impl Read for Size {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::RandomSize { min, max, distributions } = kind else {
            unreachable!("`{place}` is not drawn")
        };
        let is_distribution = |word: &str| distributions.iter().any(|one| one.name == word);
        let drawn = |node| SizeDistribution::read(node, kind, place).map(Self::Drawn);
        let size = match node.get_ref() {
            DeValue::Table(_) => drawn(node)?,
            // The parameters are missing, and the fault says so.
            DeValue::String(word) if is_distribution(word) => drawn(node)?,
            DeValue::String(_) => Self::Fixed(Bytes::read(node, Kind::Size { min, max }, place)?),
            _ => return text(node, kind, place).map(|_| unreachable!("only a string is text")),
        };
        if size.max() <= max {
            return Ok(size);
        }
        let message = format!(
            "`{place}`: a draw may have {} B; expected at most {max} B{}",
            size.max(),
            size.means_within(max)
        );
        Err(Fault::new(&node.span(), message))
    }
}

impl Value for Size {
    fn write(&self) -> String {
        match self {
            Self::Fixed(size) => size.write(),
            Self::Drawn(distribution) => distribution.write(),
        }
    }
}

impl Size {
    /// For an exponential distribution: text of the greatest mean that keeps draws within `max`.
    fn means_within(&self, max: u64) -> String {
        match self {
            Self::Drawn(SizeDistribution::Exponential(_)) => {
                format!(", as with a mean of at most {} B", max / MOST_MEANS as u64)
            }
            _ => String::new(),
        }
    }

    /// The next draw. A fixed size takes nothing from the stream.
    #[inline]
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        match self {
            Self::Fixed(Bytes(size)) => *size,
            Self::Drawn(distribution) => distribution.draw(stream),
        }
    }

    /// True if the size is random.
    pub const fn is_random(&self) -> bool {
        matches!(self, Self::Drawn(_))
    }

    /// Expectation, bytes.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Fixed(Bytes(size)) => *size as f64,
            Self::Drawn(SizeDistribution::Uniform(SizeRange([min, max]))) => {
                f64::midpoint(min.0 as f64, max.0 as f64)
            }
            Self::Drawn(SizeDistribution::Exponential(plan)) => plan.mean.0 as f64,
            Self::Drawn(SizeDistribution::Pareto(plan)) => plan.mean(),
            Self::Drawn(SizeDistribution::Lognormal(plan)) => plan.mean(),
            Self::Drawn(SizeDistribution::Mix(mix)) => {
                mix.parts().map(|(size, part)| size as f64 * part).sum()
            }
        }
    }

    /// Maximum of a draw, bytes.
    pub fn max(&self) -> u64 {
        match self {
            Self::Fixed(Bytes(size)) => *size,
            Self::Drawn(
                SizeDistribution::Uniform(SizeRange([_, max]))
                | SizeDistribution::Pareto(Pareto { max, .. })
                | SizeDistribution::Lognormal(Lognormal { max, .. }),
            ) => max.0,
            Self::Drawn(SizeDistribution::Exponential(plan)) => {
                plan.mean.0.saturating_mul(MOST_MEANS as u64)
            }
            Self::Drawn(SizeDistribution::Mix(mix)) => {
                mix.parts().map(|(size, _)| size).max().unwrap_or(0)
            }
        }
    }

    /// Probability that a draw has more than so many bytes.
    pub fn probability_above(&self, bytes: u64) -> f64 {
        match self {
            Self::Fixed(Bytes(size)) => f64::from(u8::from(*size > bytes)),
            Self::Drawn(SizeDistribution::Uniform(SizeRange([Bytes(min), Bytes(max)]))) => {
                let above = max.saturating_sub(bytes.max(min - 1));
                above as f64 / (max - min + 1) as f64
            }
            Self::Drawn(SizeDistribution::Exponential(plan)) if bytes < self.max() => {
                libm::exp(bytes as f64 * log_of_q(plan.mean))
            }
            Self::Drawn(SizeDistribution::Exponential(_)) => 0.0,
            Self::Drawn(SizeDistribution::Pareto(plan)) => plan.probability_above(bytes),
            Self::Drawn(SizeDistribution::Lognormal(plan)) => plan.probability_above(bytes),
            Self::Drawn(SizeDistribution::Mix(mix)) => {
                mix.parts().filter(|(size, _)| *size > bytes).map(|(_, part)| part).sum()
            }
        }
    }
}

impl SizeDistribution {
    fn draw(&self, stream: &mut Stream) -> u64 {
        match self {
            Self::Uniform(SizeRange([Bytes(min), Bytes(max)])) => {
                min + (stream.unit() * (max - min + 1) as f64) as u64
            }
            Self::Exponential(plan) => {
                let draw = libm::ceil(libm::log(1.0 - stream.unit()) / log_of_q(plan.mean));
                (draw as u64).max(1)
            }
            Self::Pareto(plan) => plan.draw(stream),
            Self::Lognormal(plan) => plan.draw(stream),
            Self::Mix(mix) => mix.draw(stream),
        }
    }
}

/// Logarithm of q of the geometric distribution.
fn log_of_q(mean: Bytes) -> f64 {
    libm::log1p(-1.0 / mean.0 as f64)
}

/// A range from one size to a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeRange(pub [Bytes; 2]);

impl Value for SizeRange {
    fn write(&self) -> String {
        let [from, to] = self.0;
        format!("[\"{from}\", \"{to}\"]")
    }
}

impl Read for SizeRange {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::SizeRange { min, max } = kind else { unreachable!("`{place}` is not two sizes") };
        let ends = node.get_ref().as_array();
        let ends = ends.ok_or_else(|| wrong_type(node, &kind.accepted(), place))?;
        let [from, to] = &ends[..] else {
            let (length, expected) = (ends.len(), kind.accepted());
            let message = format!("`{place}` is an array of length {length}; expected {expected}");
            return Err(Fault::new(&node.span(), message));
        };
        let size = |end| Bytes::read(end, Kind::Size { min, max }, place);
        let (from, above) = (size(from)?, size(to)?);
        if above <= from {
            let message =
                format!("`{place}`: {above} is not above {from}; expected {}", kind.accepted());
            return Err(Fault::new(&to.span(), message));
        }
        Ok(Self([from, above]))
    }
}

/// Sizes with the weights of their probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix(Vec<(Bytes, u32)>);

impl Mix {
    /// Makes a mix of at least one size, with weights above zero.
    pub fn new(weighted: Vec<(Bytes, u32)>) -> Self {
        assert!(!weighted.is_empty(), "one of no sizes cannot be drawn");
        Self(weighted)
    }

    fn total(&self) -> f64 {
        self.0.iter().map(|(_, weight)| f64::from(*weight)).sum()
    }

    /// Sizes with their probabilities.
    fn parts(&self) -> impl Iterator<Item = (u64, f64)> {
        let total = self.total();
        self.0.iter().map(move |(size, weight)| (size.0, f64::from(*weight) / total))
    }

    fn draw(&self, stream: &mut Stream) -> u64 {
        let mut left = stream.unit() * self.total();
        for (size, weight) in &self.0 {
            left -= f64::from(*weight);
            if left < 0.0 {
                return size.0;
            }
        }
        self.0[self.0.len() - 1].0.0
    }
}

impl Value for Mix {
    fn write(&self) -> String {
        let pairs: Vec<String> =
            self.0.iter().map(|(size, weight)| format!("[\"{size}\", {weight}]")).collect();
        format!("[{}]", pairs.join(", "))
    }
}

impl Read for Mix {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        const WEIGHT: Kind = Kind::Integer { min: 1, max: 1_000_000 };
        let Kind::WeightedSizes { min, max } = kind else { unreachable!("`{place}` has no sizes") };
        let wrong = |node: &Node<'_>| wrong_type(node, &kind.accepted(), place);
        let pair = |entry: &Node<'_>| match entry.get_ref().as_array().map(|pair| &pair[..]) {
            Some([size, weight]) => Ok((
                Bytes::read(size, Kind::Size { min, max }, place)?,
                u32::read(weight, WEIGHT, place)?,
            )),
            _ => Err(wrong(entry)),
        };
        let entries = node.get_ref().as_array().ok_or_else(|| wrong(node))?;
        if entries.is_empty() {
            let message = format!("`{place}` is empty; expected {}", kind.accepted());
            return Err(Fault::new(&node.span(), message));
        }
        entries.iter().map(pair).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> [Size; 7] {
        let bytes = |size| Bytes(size);
        let drawn = [
            SizeDistribution::Uniform(SizeRange([bytes(64), bytes(1472)])),
            SizeDistribution::Exponential(ExponentialSize { mean: bytes(500) }),
            SizeDistribution::Exponential(ExponentialSize { mean: bytes(2) }),
            SizeDistribution::Mix(Mix::new(vec![
                (bytes(12), 7),
                (bytes(548), 4),
                (bytes(1472), 1),
            ])),
            SizeDistribution::Pareto(Pareto { min: bytes(100), shape: 1.2, max: bytes(100_000) }),
            SizeDistribution::Lognormal(Lognormal {
                median: bytes(300),
                sigma: 1.5,
                max: bytes(10_000),
            }),
        ];
        let [uniform, exponential, short, mix, pareto, lognormal] = drawn.map(Size::Drawn);
        [Size::Fixed(bytes(1000)), uniform, exponential, short, mix, pareto, lognormal]
    }

    /// Means of IMIX: 40, 576 and 1500 B of IP, 7 : 4 : 1, are 340.33 B on average.
    #[test]
    fn a_mean_is_the_sum_of_what_is_above() {
        let means = [1000.0, 768.0, 500.0, 2.0, 12.0 * 7.0 / 12.0 + 548.0 / 3.0 + 1472.0 / 12.0];
        for (size, mean) in sizes().iter().zip(means) {
            let sum: f64 = (0..size.max()).map(|bytes| size.probability_above(bytes)).sum();
            assert!((sum - mean).abs() < 1e-9 * mean && (size.mean() - mean).abs() < 1e-9, "{sum}");
        }
        // Draws are rounded to whole bytes, and the mean is that before rounding.
        for size in &sizes()[5..] {
            let sum: f64 = (0..size.max()).map(|bytes| size.probability_above(bytes)).sum();
            assert!((sum / size.mean() - 1.0).abs() < 1e-4, "{size:?} {sum} {}", size.mean());
        }
        assert!((means[4] + 28.0 - 340.333).abs() < 0.001);
    }

    /// Test of Kolmogorov and Smirnov, as for random spans: at 1.95/√n a right distribution is
    /// refused once in a thousand, and one in steps less often.
    #[test]
    fn draws_are_as_often_above_as_is_probable() {
        const DRAWS: usize = 20_000;
        for size in sizes() {
            let mut stream = Stream::new(1, "sizes");
            let mut drawn: Vec<u64> = (0..DRAWS).map(|_| size.draw(&mut stream)).collect();
            drawn.sort_unstable();
            assert!(drawn[0] >= 1 && drawn[DRAWS - 1] <= size.max());
            for bytes in 0..2000 {
                let above = drawn.len() - drawn.partition_point(|&one| one <= bytes);
                let distance = above as f64 / DRAWS as f64 - size.probability_above(bytes);
                assert!(distance.abs() < 1.95 / (DRAWS as f64).sqrt(), "{size:?} {bytes}");
            }
        }
    }
}

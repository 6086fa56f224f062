//! A span that is known, or drawn once or again and again from a distribution.
//!
//! Uniform: min + U·(max − min), U in [0, 1), in whole picoseconds. Exponential: offset −
//! mean·ln(1 − U), by inversion; U comes in steps of 2^-53, so no draw is more than 53·ln 2 = 36.74
//! means above the offset. Draws end at a hundred days, the longest span there is.

use toml::de::DeValue;

use super::{MOST_MEANS, Stream};
use crate::language::part::prelude::*;
use crate::language::tree::text;
use crate::language::values::TimeRange;
use crate::units::Span;

/// A span, perhaps random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomSpan {
    /// Fixed span.
    Fixed(Span),
    /// Distribution from which every span is drawn.
    Drawn(Distribution),
}

variants! {
    /// The distribution of a [`RandomSpan`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Distribution {
        /// Anything from the first time to the second.
        Uniform(TimeRange) = "uniform" value("[\"0 s\", \"0.1 s\"]") as FROM_ZERO,
        /// Exponential beyond an offset; without an upper bound.
        Exponential(Exponential) = "exponential",
    }
}

part! {
    /// Parameters of the exponential distribution.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Exponential {
        /// Mean above the offset.
        mean: Span = required("\"50 ms\"") as POSITIVE_TIME,
        /// Minimum.
        offset: Span = default("0 s", "\"1 s\"") as ANY_TIME,
    }
}

const FROM_ZERO: Kind = Kind::TimeRange { min: Span::ZERO };
const SHORTEST: Span = Span::from_picoseconds(1);

/// Kind of a key for a start or a duration, which may be zero.
pub(crate) const ANY_INSTANT: Kind = Kind::RandomTime {
    min: Span::ZERO,
    distributions: Distribution::KIND.choices().expect("distributions are choices"),
};

/// Kind of a key for an end, which is later than zero.
pub(crate) const LATER_INSTANT: Kind = Kind::RandomTime {
    min: SHORTEST,
    distributions: &[
        Variant::value(
            "uniform",
            Kind::TimeRange { min: SHORTEST },
            "[\"1 s\", \"2 s\"]",
            "Anything from the first time to the second.",
        ),
        Variant::table(
            "exponential",
            Exponential::KEYS,
            "Exponential beyond an offset; without an upper bound.",
        ),
    ],
};

impl Typed for RandomSpan {
    const KIND: Kind = ANY_INSTANT;
}

impl Read for RandomSpan {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::RandomTime { min, distributions } = kind else {
            unreachable!("`{place}` is not drawn")
        };
        let is_distribution = |word: &str| distributions.iter().any(|one| one.name == word);
        match node.get_ref() {
            DeValue::Table(_) => Distribution::read(node, kind, place).map(Self::Drawn),
            // Its parameters are missing: this reports them.
            DeValue::String(word) if is_distribution(word) => {
                Distribution::read(node, kind, place).map(Self::Drawn)
            }
            DeValue::String(_) => Span::read(node, Kind::Time { min }, place).map(Self::Fixed),
            _ => text(node, kind, place).map(|_| unreachable!("only a string is text")),
        }
    }
}

/// Distribution and not a span drawn from it: a run with another seed draws again.
impl Value for RandomSpan {
    fn write(&self) -> String {
        match self {
            Self::Fixed(span) => span.write(),
            Self::Drawn(distribution) => distribution.write(),
        }
    }
}

impl RandomSpan {
    /// Anything from `min` to below `max`, all equally likely.
    pub const fn uniform(min: Span, max: Span) -> Self {
        Self::Drawn(Distribution::Uniform(TimeRange([min, max])))
    }

    /// Span of at least `offset`; the excess is exponential with this mean.
    pub const fn exponential(mean: Span, offset: Span) -> Self {
        Self::Drawn(Distribution::Exponential(Exponential { mean, offset }))
    }

    /// Adds `more` to every draw.
    #[must_use]
    pub fn later_by(self, more: Span) -> Self {
        let later = |span: Span| span.min(Span::LONGEST - more) + more;
        match self {
            Self::Fixed(span) => Self::Fixed(later(span)),
            Self::Drawn(Distribution::Uniform(TimeRange(ends))) => {
                Self::Drawn(Distribution::Uniform(TimeRange(ends.map(later))))
            }
            Self::Drawn(Distribution::Exponential(Exponential { mean, offset })) => {
                Self::exponential(mean, later(offset))
            }
        }
    }

    /// The next draw. A fixed span takes nothing from the stream.
    #[inline]
    pub fn draw(self, stream: &mut Stream) -> Span {
        match self {
            Self::Fixed(span) => span,
            Self::Drawn(Distribution::Uniform(TimeRange([min, max]))) => {
                min + stream.span_below(max - min)
            }
            Self::Drawn(Distribution::Exponential(Exponential { mean, offset })) => {
                offset + stream.exponential(mean.seconds_f64()).min(Span::LONGEST - offset)
            }
        }
    }

    /// True if the span is not random.
    pub const fn is_fixed(self) -> bool {
        matches!(self, Self::Fixed(_))
    }

    /// Minimum of all draws.
    pub const fn min(self) -> Span {
        match self {
            Self::Fixed(span)
            | Self::Drawn(
                Distribution::Uniform(TimeRange([span, _]))
                | Distribution::Exponential(Exponential { offset: span, .. }),
            ) => span,
        }
    }

    /// Maximum of all draws; `None` for a distribution without an upper bound.
    pub const fn max(self) -> Option<Span> {
        match self {
            Self::Fixed(span) | Self::Drawn(Distribution::Uniform(TimeRange([_, span]))) => {
                Some(span)
            }
            Self::Drawn(Distribution::Exponential(_)) => None,
        }
    }

    /// The expectation, in seconds.
    pub fn mean_seconds(self) -> f64 {
        match self {
            Self::Fixed(span) => span.seconds_f64(),
            Self::Drawn(Distribution::Uniform(TimeRange([min, max]))) => {
                f64::midpoint(min.seconds_f64(), max.seconds_f64())
            }
            Self::Drawn(Distribution::Exponential(Exponential { mean, offset })) => {
                offset.seconds_f64() + mean.seconds_f64()
            }
        }
    }

    /// Upper bound of all draws in picoseconds, for every distribution.
    pub fn max_picoseconds(self) -> i128 {
        let picoseconds = |span: Span| i128::from(span.picoseconds());
        match self {
            Self::Fixed(span) | Self::Drawn(Distribution::Uniform(TimeRange([_, span]))) => {
                picoseconds(span)
            }
            Self::Drawn(Distribution::Exponential(Exponential { mean, offset })) => {
                let most = picoseconds(offset) + MOST_MEANS as i128 * picoseconds(mean);
                most.min(picoseconds(Span::LONGEST))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: usize = 2000;

    /// Kolmogorov and Smirnov: the greatest distance between the share of draws up to a value and
    /// its probability. At 1.95/√n a right distribution is refused once in a thousand; the draws
    /// are always the same.
    fn distance(draws: RandomSpan, probability: impl Fn(f64) -> f64) -> f64 {
        let mut found: Vec<f64> = (1..=DRAWS)
            .map(|member| {
                draws.draw(&mut Stream::new(1, &format!("flow bulk[{member}] drawn start")))
            })
            .map(Span::seconds_f64)
            .collect();
        found.sort_by(f64::total_cmp);
        let steps = found.iter().enumerate().map(|(below, &at)| {
            let p = probability(at);
            let n = DRAWS as f64;
            (p - below as f64 / n).max((below + 1) as f64 / n - p)
        });
        steps.fold(0.0, f64::max)
    }

    fn critical() -> f64 {
        1.95 / (DRAWS as f64).sqrt()
    }

    #[test]
    fn members_are_spread_uniformly() {
        let (min, max) = (Span::from_milliseconds(100), Span::from_milliseconds(640));
        let found = distance(RandomSpan::uniform(min, max), |at| (at - 0.1) / 0.54);
        assert!(found < critical(), "{found}");
    }

    #[test]
    fn members_are_spread_exponentially() {
        let (mean, offset) = (Span::from_milliseconds(200), Span::from_seconds(1));
        let draws = RandomSpan::exponential(mean, offset);
        let found = distance(draws, |at| 1.0 - libm::exp(-(at - 1.0) / 0.2));
        assert!(found < critical(), "{found}");
        // The test can fail: a mean that is a tenth off is seen.
        assert!(distance(draws, |at| 1.0 - libm::exp(-(at - 1.0) / 0.22)) > critical());
    }

    #[test]
    fn draws_stay_within_their_bounds() {
        let long = Span::from_seconds(90 * 86_400);
        for draws in [
            RandomSpan::uniform(Span::ZERO, Span::from_picoseconds(2)),
            RandomSpan::exponential(long, long),
            RandomSpan::exponential(Span::from_picoseconds(1), Span::ZERO),
        ] {
            let mut stream = Stream::new(5, "bounds");
            for _ in 0..DRAWS {
                let drawn = draws.draw(&mut stream);
                assert!(
                    draws.min() <= drawn
                        && i128::from(drawn.picoseconds()) <= draws.max_picoseconds()
                );
                assert!(draws.max().is_none_or(|max| drawn < max));
            }
        }
    }
}

//! A video conference: a frame in each interval, whose size stays the same with probability ρ, and
//! else is drawn anew from a gamma distribution: DAR(1), a discrete autoregressive process of order
//! one.
//!
//! With mean m and deviation s the shape of the gamma distribution is k = m²/s² and its scale s²/m.
//! The correlation of frames n apart is ρⁿ. Draws are those of Marsaglia and Tsang (2000), rounded
//! to whole bytes, at least one; a draw longer than a datagram is repeated.
//!
//! Source: Heyman, Tabatabai, Lakshman, *Statistical Analysis and Simulation Study of Video
//! Teleconference Traffic in ATM Networks*, IEEE Transactions on Circuits and Systems for Video
//! Technology 2, 1992. The defaults are its half hour at 25 frames a second, of 130.3 cells with a
//! deviation of 74.4 and ρ = 0.98459; a cell is taken for 48 bytes.
//!
//! Departure: that paper draws from a negative binomial distribution of cells, which is a gamma
//! distribution in whole numbers.

use super::frames::{FRAME_INTERVAL, Sizes};
use super::size::{MAX_DATAGRAM, Mix, Size, SizeDistribution};
use super::video::{FramePlan, Video};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Bytes, Span};

/// Range of the mean and the deviation: far below the longest datagram.
const SIZE: Kind = Kind::Size { min: 1, max: MAX_DATAGRAM / 4 };

part! {
    /// Parameters of a video conference.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ConferencePlan {
        /// Time from one frame to the next.
        interval: Span = default("40 ms", "\"33.333333 ms\"") as FRAME_INTERVAL,
        /// Mean bytes of a frame.
        mean: Bytes = default("6254 B", "\"2 kB\"") as SIZE,
        /// Deviation of the bytes of a frame.
        deviation: Bytes = default("3571 B", "\"1 kB\"") as SIZE,
        /// ρ: probability that a frame is as long as the previous one.
        correlation: f64 = default("0.98459", "0.9") as Kind::Number(BETWEEN_ZERO_AND_ONE),
        /// Duration from the start of the flow.
        duration: Option<Span> = absent("until the flow stops", "\"10 s\"") as POSITIVE_TIME,
    }
}

/// Defaults: the conference of the source.
impl Default for ConferencePlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

impl FramePlan for ConferencePlan {
    fn interval(&self) -> Span {
        self.interval
    }

    fn duration(&self) -> Option<Span> {
        self.duration
    }

    fn mean(&self) -> f64 {
        self.mean.0 as f64
    }

    /// Sizes of half the mean less, or more.
    fn typical(&self) -> Size {
        let Bytes(mean) = self.mean;
        let ends = vec![(Bytes(mean - mean / 2), 1), (Bytes(mean + mean / 2), 1)];
        Size::Drawn(SizeDistribution::Mix(Mix::new(ends)))
    }

    /// True, since a draw longer than a datagram is repeated.
    fn fits_datagrams(&self) -> bool {
        true
    }

    fn frames(&self, stream: Stream) -> Sizes {
        Sizes::Conference(Box::new(ConferenceFrames::new(*self, stream)))
    }
}

/// A video conference as a source.
pub type Videoconference = Video<ConferencePlan>;

/// Sizes of consecutive frames.
#[derive(Clone, Debug)]
pub struct ConferenceFrames {
    plan: ConferencePlan,
    stream: Stream,
    /// Size of the latest frame; 0 before the first.
    latest: u64,
}

impl ConferenceFrames {
    /// Makes frames, none sent yet.
    pub const fn new(plan: ConferencePlan, stream: Stream) -> Self {
        Self { plan, stream, latest: 0 }
    }

    /// The next size.
    pub fn draw(&mut self) -> u64 {
        if self.latest == 0 || self.stream.unit() >= self.plan.correlation {
            self.latest = self.drawn();
        }
        self.latest
    }

    fn drawn(&mut self) -> u64 {
        let (mean, deviation) = (self.plan.mean.0 as f64, self.plan.deviation.0 as f64);
        let scale = deviation * deviation / mean;
        loop {
            let size = scale * gamma(mean / scale, &mut self.stream) + 0.5;
            if size < (MAX_DATAGRAM + 1) as f64 {
                return (size as u64).max(1);
            }
        }
    }
}

/// A gamma variate of scale 1. A shape below 1 is drawn with one more, times U to the power of
/// 1/shape.
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    if shape < 1.0 {
        let rest = libm::pow(1.0 - stream.unit(), 1.0 / shape);
        return gamma(shape + 1.0, stream) * rest;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let normal = stream.normal();
        let v = 1.0 + c * normal;
        let v = v * v * v;
        let log_u = libm::log(1.0 - stream.unit());
        if v > 0.0 && log_u < 0.5 * normal * normal + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments for scale 1, mean, variance and third: k, k and 2k.
    #[test]
    fn draws_have_the_moments_of_the_gamma_distribution() {
        const DRAWS: u32 = 200_000;
        for shape in [0.3, 1.0, 3.067, 40.0] {
            let mut stream = Stream::new(1, "gamma");
            let drawn: Vec<f64> = (0..DRAWS).map(|_| gamma(shape, &mut stream)).collect();
            let moment = |power: u8| {
                let powers = drawn.iter().map(|x| libm::pow(x - shape, f64::from(power)));
                powers.sum::<f64>() / f64::from(DRAWS)
            };
            let error = (shape / f64::from(DRAWS)).sqrt();
            assert!(moment(1).abs() < 4.0 * error, "{shape}: {}", moment(1));
            // Fourth moments of (x − k): 3k² + 6k; sixth ones for the third are less exact.
            let of_variance = ((2.0 * shape * shape + 6.0 * shape) / f64::from(DRAWS)).sqrt();
            assert!((moment(2) - shape).abs() < 4.0 * of_variance, "{shape}: {}", moment(2));
            assert!((moment(3) / (2.0 * shape) - 1.0).abs() < 0.1, "{shape}: {}", moment(3));
        }
    }

    /// Frames one apart are the same with probability ρ, and sizes have their mean and deviation.
    #[test]
    fn frames_keep_their_size_for_a_while() {
        const FRAMES: usize = 400_000;
        let plan = ConferencePlan { correlation: 0.9, ..defaults::<ConferencePlan>() };
        let mut frames = ConferenceFrames::new(plan, Stream::new(1, "sizes"));
        let sizes: Vec<u64> = (0..FRAMES).map(|_| frames.draw()).collect();
        let same = sizes.windows(2).filter(|pair| pair[0] == pair[1]).count();
        // The deviation is 0.3 √400 000, and sometimes two draws are the same byte.
        assert!((same as f64 - 0.9 * FRAMES as f64).abs() < 4.0 * 190.0 + 10.0, "{same}");
        let mean = sizes.iter().sum::<u64>() as f64 / FRAMES as f64;
        // 19 frames in a row count as one: (1 + ρ)/(1 − ρ).
        let error = 3571.0 / (FRAMES as f64 / 19.0).sqrt();
        assert!((mean - 6254.0).abs() < 4.0 * error, "{mean}");
        let squares = sizes.iter().map(|&size| libm::pow(size as f64 - mean, 2.0));
        let deviation = (squares.sum::<f64>() / FRAMES as f64).sqrt();
        assert!((deviation / 3571.0 - 1.0).abs() < 0.04, "{deviation}");
    }
}

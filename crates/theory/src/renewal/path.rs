//! The parameters of the model, and their range.

use crate::range::{OutOfRange, within};

/// Default of `W_max`: 32 kB of 500-byte packets.
pub const MAX_WINDOW: u32 = 64;

/// Maximum of windows and buffers; larger ones make chains that take too long.
const LARGEST: u32 = 1024;

/// A bottleneck of two rates and the connection over it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Packets that the link sends in a Δ at its high rate, Δ/r0: with Δ in packet times, Δ.
    pub high: u32,
    /// Packets that the link sends in a Δ at its low rate, Δ/r1.
    pub low: u32,
    /// Bmax, packets.
    pub buffer: u32,
    /// `W_max`, packets.
    pub max_window: u32,
    /// ψ of the high rate: mean time that it lasts, Δ.
    pub high_lasts: f64,
    /// ψ of the low rate: mean time that it lasts, Δ.
    pub low_lasts: f64,
}

/// Source of the packets at the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// TCP over an ABR source at the capacity that the link had one Δ before (INSTCAP).
    TcpOverAbr,
    /// TCP over a source of a constant rate, packets per Δ.
    TcpOverConstantRate(u32),
    /// TCP whose line is much faster than the bottleneck.
    TcpAlone,
}

/// Reason why the model gives no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// A number out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The chain changes its rate too often.
    #[error(
        "{name} is {value} round trips; expected more than 1: the model lets the rate change only \
         at multiples of the round trip, so that faster changes are outside it"
    )]
    TooFast {
        /// Name of the mean time.
        name: &'static str,
        /// Its value, Δ.
        value: f64,
    },
    /// A source faster than the link ever is, or slower than it always is.
    #[error("the constant rate is {rate} packets per round trip; expected from {low} to {high}")]
    ConstantRate {
        /// Rate of the source, packets per Δ.
        rate: u32,
        /// Packets per Δ at the low rate.
        low: u32,
        /// Packets per Δ at the high rate.
        high: u32,
    },
    /// More states than the solver accepts.
    #[error("the chain has more than {most} states; expected a smaller window or buffer")]
    TooManyStates {
        /// Maximum number of states.
        most: usize,
    },
    /// No unique solution.
    #[error("the chain falls into parts that do not meet, so that no single mean exists")]
    SeveralClasses,
    /// Probabilities of a state that are too small for a float.
    #[error(
        "a state of the chain is left with a probability below 1e-300; expected a shorter time \
             at one rate, or a smaller buffer"
    )]
    Unsolved,
}

impl Path {
    /// Mean capacity, packets per Δ.
    pub fn mean_capacity(&self) -> f64 {
        let (high, low) = (f64::from(self.high), f64::from(self.low));
        (high * self.high_lasts + low * self.low_lasts) / (self.high_lasts + self.low_lasts)
    }

    /// Refuses paths outside the model.
    pub(super) fn check(&self, sender: Sender) -> Result<(), Refusal> {
        let count = |name, value, expected, least| {
            within(name, f64::from(value), expected, |value| {
                value >= f64::from(least) && value <= f64::from(LARGEST)
            })
        };
        count("low", self.low, "a number from 1 to 1024, below high", 1)?;
        count("high", self.high, "a number from 2 to 1024, above low", self.low + 1)?;
        count("buffer", self.buffer, "a number from 1 to 1024", 1)?;
        count("max_window", self.max_window, "a number from 2 to 1024", 2)?;
        for (name, value) in [("high_lasts", self.high_lasts), ("low_lasts", self.low_lasts)] {
            within(name, value, "a finite number above 1", |_| true)?;
            if value <= 1.0 {
                return Err(Refusal::TooFast { name, value });
            }
        }
        match sender {
            Sender::TcpOverConstantRate(rate) if !(self.low..=self.high).contains(&rate) => {
                Err(Refusal::ConstantRate { rate, low: self.low, high: self.high })
            }
            _ => Ok(()),
        }
    }
}

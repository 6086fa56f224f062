//! Feedback about the capacity of a link that varies: a law turns samples of the capacity, one
//! after every measuring interval, into the rate that is fed back.
//!
//! Laws are pure and exact: a sample is the capacity of the line in an interval, in parts of a bit.
//! A law is a file here, its `mod` line and its line in the list `laws!` below; its allocator of
//! ABR rates is the file of that name under `switch/rate/`.

mod effcap;
mod follower;
mod instcap;
mod sliding_minimum;

pub use effcap::{EffCap, EffCapPlan, Memory};
pub use follower::{ControlLink, Follower};
pub use instcap::InstCap;

use super::capacity::WHOLE_BIT;
use crate::engine::delegate;
use crate::language::part::prelude::*;
use crate::units::{LayeredRate, Span};

/// A law from samples of the capacity to the feedback.
pub trait FeedbackLaw {
    /// Takes the capacity of the line in the measuring interval that has just ended.
    fn on_sample(&mut self, parts: u128);

    /// The feedback; `None` before the first sample.
    fn value(&self) -> Option<Average>;
}

/// Capacity of a number of samples together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Average {
    /// Capacity of the line in parts of a bit; a bit is [`WHOLE_BIT`] parts.
    pub parts: u128,
    /// Number of measuring intervals, at least one.
    pub samples: u64,
}

impl Average {
    /// Bits per second of one of `sharers` equal parts, for reports and allocators; samples are
    /// `interval` apart.
    pub fn bits_per_second_f64(self, interval: Span, sharers: u64) -> f64 {
        let bits = self.parts as f64 / WHOLE_BIT as f64;
        bits / (interval.seconds_f64() * (self.samples * sharers) as f64)
    }
}

/// Declares each law in one line: the words of `pacing.rate` beside a constant, and the laws,
/// dispatched statically.
macro_rules! laws {
    ($($(#[doc = $doc:literal])+ $Law:ident $(($Plan:ty))? = $word:literal,)+) => {
        variants! {
            /// `pacing.rate`.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum PacingRate {
                $($(#[doc = $doc])+ $Law $(($Plan))? = $word,)+
                /// A constant rate, in bits as on that link.
                Constant(LayeredRate) = "constant" value("\"600 kbit/s of line\"") as Kind::Rate,
            }
        }

        impl PacingRate {
            /// Makes the law, for a round trip of so many samples; `None` if the rate is constant.
            pub fn law(&self, of_round_trip: u64) -> Option<AnyLaw> {
                match self {
                    $(law_arm!($Law $(($Plan))?, plan) => {
                        Some(AnyLaw::$Law(law_of!($Law $(($Plan))?, plan, of_round_trip)))
                    })+
                    Self::Constant(_) => None,
                }
            }
        }

        /// A law.
        #[derive(Clone, Debug)]
        pub enum AnyLaw {
            $($(#[doc = $doc])+ $Law($Law),)+
        }

        impl FeedbackLaw for AnyLaw {
            delegate! { [$($Law),+]
                fn on_sample(&mut self, parts: u128);
                fn value(&self) -> Option<Average>;
            }
        }
    };
}

/// The pattern of a law's variant, which binds its plan if it has one.
macro_rules! law_arm {
    ($Law:ident, $plan:ident) => {
        Self::$Law
    };
    ($Law:ident($Plan:ty), $plan:ident) => {
        Self::$Law($plan)
    };
}

/// Makes a law from its plan.
macro_rules! law_of {
    ($Law:ident, $plan:ident, $of_round_trip:ident) => {
        $Law::default()
    };
    ($Law:ident($Plan:ty), $plan:ident, $of_round_trip:ident) => {
        $plan.law($of_round_trip)
    };
}

laws! {
    /// Average capacity of the last measuring interval.
    InstCap = "instcap",
    /// Minimum of the last averages of several samples each.
    EffCap(EffCapPlan) = "effcap",
}

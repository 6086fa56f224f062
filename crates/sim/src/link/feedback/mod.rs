//! What a switch or a source makes of the capacity of a link that varies: from samples of it, one
//! after every measuring interval, the rate that is fed back.
//!
//! Pure, and exact: a sample is what the line could carry in an interval, in parts of a bit. A law
//! is a file here, its `mod` line and its line in the list `laws!` below; its allocator of ABR rates
//! is the file of that name under `switch/rate/`.

mod effcap;
mod follower;
mod instcap;
mod sliding_minimum;

pub use effcap::{EffCap, EffCapPlan, Memory};
pub use follower::{ControlLink, Follower};
pub use instcap::InstCap;

use super::capacity::WHOLE_BIT;
use crate::language::part::prelude::*;
use crate::units::{LayeredRate, Span};

/// From samples of the capacity to what is fed back.
pub trait FeedbackLaw {
    /// Another measuring interval is over, in which the line could carry this much.
    fn on_sample(&mut self, parts: u128);

    /// What is fed back; `None` before the first sample.
    fn value(&self) -> Option<Average>;
}

/// So much in so many samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Average {
    /// What the line could carry, [`WHOLE_BIT`] of a bit.
    pub parts: u128,
    /// Measuring intervals, one at least.
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

/// One line for each law: the words of `pacing.rate` beside a constant, and the laws, dispatched
/// statically.
macro_rules! laws {
    ($($(#[doc = $doc:literal])+ $Law:ident $(($Plan:ty))? = $word:literal,)+) => {
        variants! {
            /// `pacing.rate`.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum PacingRate {
                $($(#[doc = $doc])+ $Law $(($Plan))? = $word,)+
                /// A rate that nothing changes, in bits as on that link.
                Constant(LayeredRate) = "constant" value("\"600 kbit/s of line\"") as Kind::Rate,
            }
        }

        impl PacingRate {
            /// The law, where a round trip has so many samples; `None`: it is constant.
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
            fn on_sample(&mut self, parts: u128) {
                match self { $(Self::$Law(law) => law.on_sample(parts),)+ }
            }

            fn value(&self) -> Option<Average> {
                match self { $(Self::$Law(law) => law.value(),)+ }
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

/// A law out of its plan.
macro_rules! law_of {
    ($Law:ident, $plan:ident, $of_round_trip:ident) => {
        $Law::default()
    };
    ($Law:ident($Plan:ty), $plan:ident, $of_round_trip:ident) => {
        $plan.law($of_round_trip)
    };
}

laws! {
    /// The average capacity of the last measuring interval.
    InstCap = "instcap",
    /// The minimum over the last averages of several samples.
    EffCap(EffCapPlan) = "effcap",
}

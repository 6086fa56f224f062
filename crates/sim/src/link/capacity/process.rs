//! Processes of a line's rate: the rates, how long each holds, and their shares of the time, known
//! before a run.

use std::fmt::Debug;

use super::{Capacity, CapacityPlan, CapacityRate};
use crate::engine::Stream;
use crate::units::{Rate, Span};

/// A process of rates, piece by piece from the start of the run.
pub trait Process: Debug + Send {
    /// The rate of the next piece, which may be that of the last one, and the time for which it
    /// holds: at least a picosecond. A rate that holds for good has [`Span::MAX`]; a path that
    /// never changes returns it at once.
    fn next(&mut self) -> (Rate, Span);
}

/// Rates, each once, with the fraction of the time for which the line has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LongRun(pub Vec<(Rate, f64)>);

impl LongRun {
    /// Makes it from rates with weights; sorts the slowest first.
    pub fn of(weighted: impl IntoIterator<Item = (Rate, f64)>) -> Self {
        let mut parts: Vec<(Rate, f64)> = weighted.into_iter().collect();
        parts.sort_by_key(|&(rate, _)| rate);
        let mut merged: Vec<(Rate, f64)> = Vec::new();
        for (rate, part) in parts {
            match merged.last_mut().filter(|(last, _)| *last == rate) {
                Some((_, sum)) => *sum += part,
                None => merged.push((rate, part)),
            }
        }
        let total: f64 = merged.iter().map(|(_, part)| part).sum();
        for (_, part) in &mut merged {
            *part /= total;
        }
        Self(merged)
    }

    /// Mean rate in bits per second.
    pub fn mean(&self) -> f64 {
        self.0.iter().map(|(rate, part)| rate.bits_per_second() as f64 * part).sum()
    }
}

/// A process as the scenario states it.
pub trait ProcessPlan: Debug {
    /// True if the process is random.
    fn is_random(&self) -> bool {
        true
    }

    /// Its rates as they are written; none where they have no layer.
    fn written(&self) -> Vec<CapacityRate>;

    /// The process of one direction of a link; the stream is its own.
    fn build(&self, stream: Stream) -> Box<dyn Process>;

    /// Least wait of a unit that finds the line idle.
    fn request_delay(&self) -> Span {
        Span::ZERO
    }

    /// Fraction of the time of each rate: in the long run, or in a run of this length if the
    /// process neither is random nor repeats.
    fn long_run(&self, duration: Span) -> LongRun;
}

impl CapacityPlan {
    /// Makes the path of one direction of a link with a memory of so much; the stream is its own.
    pub fn path(&self, stream: Stream, memory: Span) -> Capacity {
        Capacity::new(self.build(stream), memory).on_request(self.request_delay())
    }
}

/// Declares each process in one line, `file::Plan = "word"`: the choices of `link.capacity`, and
/// their [plan](ProcessPlan).
macro_rules! processes {
    ($($(#[doc = $doc:literal])+ $file:ident::$Plan:ident = $word:literal;)+) => {
        $(pub use $file::$Plan;)+

        variants! {
            /// `link.capacity`.
            #[derive(Clone, Debug, PartialEq)]
            pub enum CapacityPlan {
                $($(#[doc = $doc])+ $Plan($Plan) = $word,)+
            }
        }

        impl Deref for CapacityPlan {
            type Target = dyn ProcessPlan;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$Plan(plan) => plan,)+
                }
            }
        }
    };
}

pub(super) use processes;

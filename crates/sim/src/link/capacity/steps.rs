//! Listed rates, each from its time on; the list may be in a file of comma-separated values, a
//! trace of time and rate.
//!
//! The last rate holds for good, and must be above zero; or the list repeats with a period that is
//! longer than its last time.

use super::pieces::Pieces;
use super::process::{LongRun, Process, ProcessPlan};
use super::rates::{self, CapacityRate};
use super::two_state::SOJOURN;
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::language::schedule::Schedule;
use crate::units::{Rate, Span};

part! {
    /// The list.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct StepsPlan {
        /// Each rate holds from its time until the next.
        rates: Schedule<CapacityRate>
            = required("[[\"0 s\", \"80 Mbit/s of cell\"], [\"15 s\", \"40 Mbit/s of cell\"]]"),
        /// Times after which the list begins again.
        period: Option<Span> = absent("the last rate holds for good", "\"30 s\"")
            as SOJOURN,
    }
    finish StepsPlan::checked;
}

impl StepsPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let pairs = self.rates.pairs();
        let (last, at_last) = pairs[pairs.len() - 1];
        let wrong = |key: &str, wrong: &str| {
            let message = format!("`{}.{key}`: {wrong}", section.place());
            Err(Fault::new(&section.place_below(key, &[]), message))
        };
        let listed: Vec<Rate> = pairs.iter().map(|(_, rate)| rate.rate()).collect();
        if let Some(flaw) = rates::flaw(&listed) {
            return wrong("rates", flaw);
        }
        match self.period {
            Some(period) if period <= last => {
                wrong("period", &format!("{period} is not after the last time {last}"))
            }
            None if at_last.rate().bits_per_second() == 0 => wrong(
                "rates",
                "the last rate is zero and holds for good, so that nothing gets through any more; \
                 expected one above zero, or a `period`",
            ),
            _ => Ok(self),
        }
    }

    fn pieces(&self) -> Pieces {
        let pairs = self.rates.pairs();
        let ends = pairs.iter().skip(1).map(|&(at, _)| at);
        let ends = ends.chain([self.period.unwrap_or(Span::LONGEST)]);
        let pieces = pairs.iter().zip(ends).map(|(&(at, rate), end)| (rate.rate(), end - at));
        Pieces::new(pieces, self.period.is_some())
    }
}

impl ProcessPlan for StepsPlan {
    fn is_random(&self) -> bool {
        false
    }

    fn written(&self) -> Vec<CapacityRate> {
        self.rates.pairs().iter().map(|&(_, rate)| rate).collect()
    }

    fn build(&self, _stream: Stream) -> Box<dyn Process> {
        Box::new(self.pieces())
    }

    fn long_run(&self, duration: Span) -> LongRun {
        self.pieces().long_run(duration)
    }
}

//! Grants: a line that sends in turns which the other end gives, as the way back of passive optical
//! networks (ITU-T G.984.3 §8), of cable networks (DOCSIS) and of shared radio channels.
//!
//! Each `period` there is one grant, in which the line sends `aggregate` bytes at `rate`; between
//! grants it sends nothing. The first one begins at a random instant of the first period. A unit
//! that finds the line idle asks for its grant, and begins `request_delay` later at the earliest;
//! units that wait behind another one are asked for with it, without a further delay. What a grant
//! has no time for goes on in the next one, as with the fragmentation of GPON and of DOCSIS. The
//! unit that waits for its grant is the one in transmission, for the buffer and for utilisation.
//!
//! Decided here: grants come as regularly as this for as long as the run; the length of a grant
//! does not depend on what waits, so an unused one is lost.

use super::process::{LongRun, Process, ProcessPlan};
use super::two_state::SOJOURN;
use super::{CapacityRate, rates};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Bytes, Rate, Span};

part! {
    /// Grants of a line.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct GrantsPlan {
        /// Rate within a grant.
        rate: CapacityRate = required("\"80 Mbit/s of cell\""),
        /// Time from one grant to the next.
        period: Span = required("\"2 ms\"") as SOJOURN,
        /// Bytes on the line in a grant.
        aggregate: Bytes = required("\"5 kB\"") as Kind::Size { min: 1, max: 1_000_000_000 },
        /// Least wait of a unit that finds the line idle.
        request_delay: Span = default("0 s", "\"4 ms\"") as ANY_TIME,
    }
    finish GrantsPlan::checked;
}

/// Longest delay in periods: a path keeps its pieces until the delayed unit begins.
const MOST_PERIODS: i64 = 100_000;

impl GrantsPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        if let Some(flaw) = rates::flaw(&[self.rate.rate(), STOPPED]) {
            let message = format!("`{}.rate`: {flaw}", section.place());
            return Err(Fault::new(&section.place_below("rate", &[]), message));
        }
        let longest = self.period.saturating_mul(MOST_PERIODS);
        if self.request_delay > longest {
            let message = format!(
                "`{}.request_delay` of {} is more than {MOST_PERIODS} times `period`; expected at \
                 most {longest}",
                section.place(),
                self.request_delay
            );
            return Err(Fault::new(&section.place_below("request_delay", &[]), message));
        }
        let lasts = self.lasts();
        if lasts < self.period {
            return Ok(self);
        }
        let message = format!(
            "`{}.aggregate` takes {lasts} at `rate`, which is not within a `period` of {}; \
             expected less",
            section.place(),
            self.period
        );
        Err(Fault::new(&section.place_below("aggregate", &[]), message))
    }

    /// Length of a grant.
    fn lasts(&self) -> Span {
        self.rate.rate().span_of_bits(8 * self.aggregate.0)
    }
}

const STOPPED: Rate = Rate::from_bits_per_second(0);

impl ProcessPlan for GrantsPlan {
    fn written(&self) -> Vec<CapacityRate> {
        vec![self.rate]
    }

    fn build(&self, mut stream: Stream) -> Box<dyn Process> {
        let first = self.period.picoseconds() as f64 * stream.unit();
        let first = Span::from_picoseconds(1 + first as i64);
        Box::new(Grants {
            rate: self.rate.rate(),
            lasts: self.lasts(),
            pause: self.period - self.lasts(),
            next: Next::First(first),
        })
    }

    fn long_run(&self, _duration: Span) -> LongRun {
        let [lasts, period] = [self.lasts(), self.period].map(Span::seconds_f64);
        LongRun::of([(self.rate.rate(), lasts), (STOPPED, period - lasts)])
    }

    fn request_delay(&self) -> Span {
        self.request_delay
    }
}

/// Next piece of the path.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// The time before the first grant.
    First(Span),
    Grant,
    Pause,
}

/// Grants of one direction of a link.
#[derive(Debug)]
struct Grants {
    rate: Rate,
    lasts: Span,
    pause: Span,
    next: Next,
}

impl Process for Grants {
    fn next(&mut self) -> (Rate, Span) {
        match self.next {
            Next::First(wait) => {
                self.next = Next::Grant;
                (STOPPED, wait)
            }
            Next::Grant => {
                self.next = Next::Pause;
                (self.rate, self.lasts)
            }
            Next::Pause => {
                self.next = Next::Grant;
                (STOPPED, self.pause)
            }
        }
    }
}

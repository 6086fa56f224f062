//! When the receiving application reads what has arrived: `flow.tcp.reader`, at both ends of a
//! connection.
//!
//! `paced` takes up to `block` as soon as it is free and something waits; what it took occupies it
//! for its bits at `rate`. `periodic` takes up to `block` at every `period` from the start of the
//! flow on; what is not there then waits for the next. What is read is out of the receive buffer at
//! once.
//!
//! Defaults: `at_once`; `block` of `paced` 8 KiB, as BSD's programs read. Equal cases: a `paced`
//! reader that is faster than the path, with a block that holds all that arrives at once, and one
//! that reads at once.

use crate::language::part::prelude::*;
use crate::units::{Bytes, Layer, LayeredRate, Rate, Span, Time};

/// The bits of a block last less than the longest span.
const BLOCK: Kind = Kind::Size { min: 1, max: 1 << 20 };

variants! {
    /// When what has arrived is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ReaderPlan {
        /// When it arrives: the window stays open.
        AtOnce = "at_once",
        /// At a rate, as far as data are there.
        Paced(PacedReader) = "paced",
        /// A block at the start of each period.
        Periodic(PeriodicReader) = "periodic",
    }
}

part! {
    /// Parameters of a reader that needs time for what it reads.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PacedReader {
        /// How fast it is while data are there, `of payload`.
        rate: LayeredRate = required("\"8 Mbit/s of payload\""),
        /// The most that one read takes.
        block: Bytes = default("8 KiB", "\"64 KiB\"") as BLOCK,
    }
    finish PacedReader::checked;
}

part! {
    /// Parameters of a reader with a clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PeriodicReader {
        /// The most that one read takes.
        block: Bytes = required("\"64 KiB\"") as BLOCK,
        /// From one read to the next.
        period: Span = required("\"10 ms\"") as POSITIVE_TIME,
    }
}

impl ReaderPlan {
    /// The most that it reads in the long run; `None`: all that arrives.
    pub fn bits_per_second(&self) -> Option<f64> {
        match self {
            Self::AtOnce => None,
            Self::Paced(PacedReader { rate, .. }) => Some(rate.rate.bits_per_second() as f64),
            Self::Periodic(PeriodicReader { block, period }) => {
                Some(8.0 * block.0 as f64 / period.seconds_f64())
            }
        }
    }
}

impl PacedReader {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        if self.rate.layer == Layer::Payload {
            return Ok(self);
        }
        let message = format!(
            "`{}.rate`: what is read are no cells; expected the rate of the data, such as \
             `8 Mbit/s of payload`",
            section.place()
        );
        Err(Fault::new(&section.spanned::<LayeredRate>("rate")?.at, message))
    }
}

/// An application that reads later than data arrive.
#[derive(Clone, Debug)]
pub struct Reader {
    block: u64,
    pace: Pace,
    /// When it reads next if data wait.
    ready: Time,
}

#[derive(Clone, Copy, Debug)]
enum Pace {
    /// What is read takes this time.
    Rate(Rate),
    /// Reads are this far apart.
    Period(Span),
}

impl Reader {
    /// One of a flow that starts at `start`; `None`: it reads at once.
    pub fn new(plan: &ReaderPlan, start: Time) -> Option<Self> {
        let (block, pace) = match plan {
            ReaderPlan::AtOnce => return None,
            ReaderPlan::Paced(PacedReader { rate, block }) => (block, Pace::Rate(rate.rate)),
            ReaderPlan::Periodic(PeriodicReader { block, period }) => {
                (block, Pace::Period(*period))
            }
        };
        Some(Self { block: block.0, pace, ready: start })
    }

    /// `unread` bytes wait at `now`: how many of them are read.
    pub fn read(&mut self, now: Time, unread: u64) -> u64 {
        if let Pace::Period(period) = self.pace
            && self.ready < now
        {
            let missed = (now - self.ready).picoseconds().div_euclid(period.picoseconds());
            let latest = self.ready + period * missed;
            self.ready = if latest == now { now } else { latest + period };
        }
        if unread == 0 || now < self.ready {
            return 0;
        }
        let bytes = unread.min(self.block);
        self.ready = now.saturating_add(match self.pace {
            Pace::Rate(rate) => rate.span_of_bits(8 * bytes),
            Pace::Period(period) => period,
        });
        bytes
    }

    /// When it reads next while `unread` bytes wait; [`Time::MAX`]: when data arrive.
    pub fn next(&self, unread: u64) -> Time {
        if unread == 0 { Time::MAX } else { self.ready }
    }
}

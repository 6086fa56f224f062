//! The receiving application's reads: `flow.tcp.reader`, at both ends of a connection.
//!
//! `paced` reads up to `block` as soon as it is free and data wait; a read occupies it for the time
//! of its bits at `rate`. `periodic` reads up to `block` at every `period` from the start of the
//! flow on; data that come later wait for the next period. Data that are read leave the receive
//! buffer at once.
//!
//! Defaults: `at_once`; `block` of `paced` 8 KiB, as BSD's programs read. Equal cases: a reader
//! that reads at once, and a `paced` one that is faster than the path, with a block that holds all
//! that arrives at once.

use crate::language::part::prelude::*;
use crate::units::{Bytes, Layer, LayeredRate, Rate, Span, Time};

/// Range of a block; its bits last less than the longest span.
const BLOCK: Kind = Kind::Size { min: 1, max: 1 << 20 };

variants! {
    /// Rule by which the application reads.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ReaderPlan {
        /// Data are read when they arrive: the window stays open.
        AtOnce = "at_once",
        /// Data are read at a rate while there are any.
        Paced(PacedReader) = "paced",
        /// A block is read at the start of each period.
        Periodic(PeriodicReader) = "periodic",
    }
}

part! {
    /// Parameters of a reader that needs time for its data.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PacedReader {
        /// Rate of reading while data wait, `of payload`.
        rate: LayeredRate = required("\"8 Mbit/s of payload\""),
        /// Largest size of one read.
        block: Bytes = default("8 KiB", "\"64 KiB\"") as BLOCK,
    }
    finish PacedReader::checked;
}

part! {
    /// Parameters of a reader with a clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PeriodicReader {
        /// Largest size of one read.
        block: Bytes = required("\"64 KiB\"") as BLOCK,
        /// Time from one read to the next.
        period: Span = required("\"10 ms\"") as POSITIVE_TIME,
    }
}

impl ReaderPlan {
    /// Maximum rate of reading in the long run; `None` if it reads all that arrives.
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
    /// The instant of its next read if data wait.
    ready: Time,
}

#[derive(Clone, Copy, Debug)]
enum Pace {
    /// A read takes the time of its bits at this rate.
    Rate(Rate),
    /// Reads are this far apart.
    Period(Span),
}

impl Reader {
    /// Makes the reader of a flow that starts at `start`; `None` if it reads at once.
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

    /// Reads some of the `unread` bytes that wait at `now`; returns their number.
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

    /// The instant of the next read while `unread` bytes wait; [`Time::MAX`] if none wait.
    pub fn next(&self, unread: u64) -> Time {
        if unread == 0 { Time::MAX } else { self.ready }
    }
}

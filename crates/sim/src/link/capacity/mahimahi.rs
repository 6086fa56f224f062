//! Traces in the format of mahimahi's link emulator (Netravali et al., USENIX ATC 2015): a list of
//! instants in whole milliseconds, at each of which a packet of 1500 bytes can be delivered. An
//! instant that is listed n times delivers n. The list begins again after its last instant, which
//! is its period.
//!
//! An opportunity at t becomes 12 000 bits, of packets with their framing or of whole cells, that
//! the line sends evenly over the millisecond that ends at t: a millisecond with n of them has the
//! rate n · 12 Mbit/s, and one without is an outage. So a queue of packets of 1500 bytes leaves at
//! the instants of the list, as in mahimahi. An instant 0 is taken as the end of each period, as in
//! mahimahi.
//!
//! Departures: an unused part of an opportunity is lost in mahimahi; here a unit that comes within
//! the millisecond uses it. With several opportunities in a millisecond units leave one after the
//! other, not all at its end. The bytes counted are those that the link sends: mahimahi's 1504 with
//! the header of its device are ours with `overhead`.

use super::CapacityRate;
use super::pieces::Pieces;
use super::process::{LongRun, Process, ProcessPlan};
use crate::engine::Stream;
use crate::language::milliseconds::Milliseconds;
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};

part! {
    /// The trace.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct MahimahiPlan {
        /// Instants at which packets can be delivered, in milliseconds; the last is the period.
        opportunities: Milliseconds = required("[1, 1, 2, 5, 5]"),
    }
}

/// Rate of one opportunity in a millisecond, in bits per second.
const OPPORTUNITY: u64 = 12_000_000;

impl MahimahiPlan {
    fn pieces(&self) -> Pieces {
        const MILLISECOND: Span = Span::from_milliseconds(1);
        let listed = &self.opportunities.0;
        let period = listed[listed.len() - 1];
        // Opportunities at 0 count at the end of the period.
        let first = listed.partition_point(|&at| at == 0);
        let mut pieces = Vec::new();
        let mut until = 0;
        for at_once in listed[first..].chunk_by(|one, next| one == next) {
            let at = at_once[0];
            let count = at_once.len() + if at == period { first } else { 0 };
            let silence = MILLISECOND * (at - until - 1) as i64;
            pieces.extend((!silence.is_zero()).then_some((Rate::from_bits_per_second(0), silence)));
            let rate = Rate::from_bits_per_second(count as u64 * OPPORTUNITY);
            pieces.push((rate, MILLISECOND));
            until = at;
        }
        Pieces::new(pieces, true)
    }
}

impl ProcessPlan for MahimahiPlan {
    fn is_random(&self) -> bool {
        false
    }

    fn written(&self) -> Vec<CapacityRate> {
        Vec::new()
    }

    fn build(&self, _stream: Stream) -> Box<dyn Process> {
        Box::new(self.pieces())
    }

    fn long_run(&self, duration: Span) -> LongRun {
        self.pieces().long_run(duration)
    }
}

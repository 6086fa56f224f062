//! Capacity of the link behind a port, as an allocator measures it: over the interval that ends.

use crate::link::capacity::{Capacity, WHOLE_BIT};
use crate::units::{CELL_BITS, CellRate, Rate, Span, Time};

/// Link of a constant rate, or of one that varies.
#[derive(Debug)]
pub(super) enum Line {
    /// Constant rate, cells per second.
    Constant(CellRate),
    /// Varying capacity, from the start of the run on.
    Varying(Box<Capacity>),
}

impl Line {
    /// The mean rate over the interval from `since` to `at`, cells per second.
    pub(super) fn mean_rate(&mut self, since: Time, at: Time) -> f64 {
        match self {
            Self::Constant(rate) => rate.0,
            Self::Varying(capacity) if at > since => {
                let seconds = (at - since).seconds_f64();
                capacity.carried(since, at) / CELL_BITS as f64 / seconds
            }
            Self::Varying(capacity) => Rate::cells_per_second_f64(capacity.rate_at(at)),
        }
    }

    /// Amount that it can carry in that interval, in [parts](WHOLE_BIT) of a bit.
    pub(super) fn carried_parts(&mut self, since: Time, at: Time) -> u128 {
        match self {
            Self::Constant(rate) => {
                let bits = rate.0 * CELL_BITS as f64 * (at - since).seconds_f64();
                (bits * WHOLE_BIT as f64).round() as u128
            }
            Self::Varying(capacity) => capacity.carried_parts(since, at),
        }
    }

    /// Amount that it can carry in `span` at the rate of the start.
    pub(super) fn first_parts(&mut self, span: Span) -> u128 {
        match self {
            Self::Constant(_) => self.carried_parts(Time::ZERO, Time::ZERO + span),
            Self::Varying(capacity) => {
                let rate = capacity.rate_at(Time::ZERO).bits_per_second();
                u128::from(rate) * span.picoseconds() as u128
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::capacity::Process;

    /// A thousand cells a second and none, a millisecond each.
    #[derive(Debug)]
    struct Halves(bool);

    impl Process for Halves {
        fn next(&mut self) -> (Rate, Span) {
            self.0 = !self.0;
            let rate = Rate::from_bits_per_second(u64::from(self.0) * 424_000);
            (rate, Span::from_milliseconds(1))
        }
    }

    #[test]
    fn the_rate_is_the_mean_of_the_interval_that_ends() {
        let at = |microseconds| Time::ZERO + Span::from_microseconds(microseconds);
        let mean = |line: &mut Line, from, to| line.mean_rate(at(from), at(to));
        let mut constant = Line::Constant(CellRate(1000.0));
        assert_eq!(
            [(0, 100), (100, 1500)].map(|(from, to)| mean(&mut constant, from, to).to_bits()),
            [1000.0_f64.to_bits(), 1000.0_f64.to_bits()]
        );
        let capacity = Capacity::new(Box::new(Halves(false)), Span::ZERO);
        let mut varying = Line::Varying(Box::new(capacity));
        let intervals = [(0, 1000), (1000, 1500), (1500, 2500), (2500, 4000), (4000, 4000)];
        let rates = intervals.map(|(from, to)| mean(&mut varying, from, to).round());
        assert_eq!(rates.map(|rate| rate as i64), [1000, 0, 500, 333, 1000]);
    }
}

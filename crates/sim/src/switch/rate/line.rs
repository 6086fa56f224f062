//! The rate of the link behind a port, as an allocator measures it: over the interval that ends.

use crate::link::capacity::Capacity;
use crate::units::{CELL_BITS, CellRate, Rate, Time};

/// The link: of one rate, or of one that varies.
#[derive(Debug)]
pub(super) struct Line {
    /// Cells per second.
    rate: f64,
    varying: Option<Box<Varying>>,
}

#[derive(Debug)]
struct Varying {
    capacity: Capacity,
    /// When the present interval began.
    since: Time,
}

impl Line {
    /// A link that always has this rate.
    pub(super) fn new(rate: CellRate) -> Self {
        Self { rate: rate.0, varying: None }
    }

    /// The rate is that of the path, from the start of the run on.
    pub(super) fn follow(&mut self, capacity: Capacity) {
        self.varying = Some(Box::new(Varying { capacity, since: Time::ZERO }));
    }

    /// The mean rate over the interval that ends at `at`, cells per second.
    pub(super) fn over_interval(&mut self, at: Time) -> f64 {
        let Some(varying) = &mut self.varying else { return self.rate };
        let seconds = (at - varying.since).seconds_f64();
        let rate = if seconds > 0.0 {
            varying.capacity.carried(varying.since, at) / CELL_BITS as f64 / seconds
        } else {
            Rate::cells_per_second_f64(varying.capacity.rate_at(at))
        };
        varying.since = at;
        rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::capacity::Process;
    use crate::units::Span;

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
        let mut line = Line::new(CellRate(1000.0));
        let at = |microseconds| Time::ZERO + Span::from_microseconds(microseconds);
        assert_eq!(
            [100, 1500].map(|end| line.over_interval(at(end)).to_bits()),
            [1000.0_f64.to_bits(), 1000.0_f64.to_bits()]
        );
        line.follow(Capacity::new(Box::new(Halves(false)), Span::ZERO));
        let rates = [1000, 1500, 2500, 4000, 4000].map(|end| line.over_interval(at(end)).round());
        assert_eq!(rates.map(|rate| rate as i64), [1000, 0, 500, 333, 1000]);
    }
}

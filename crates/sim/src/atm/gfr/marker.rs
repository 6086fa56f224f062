//! The packet marking engine (Feng, Kandlur, Saha, Shin: "Adaptive packet marking for maintaining
//! end-to-end throughput in a differentiated-services Internet", IEEE/ACM Transactions on
//! Networking 7(5), 1999): frames get CLP = 0 at random, as many as give the VC its target.
//!
//! A frame is marked with probability p. At the end of each update interval
//! `p += step (1 - observed / target)`, within 0 and 1, where `observed` is the rate at which cells
//! of marked and unmarked frames came in it: below its target a VC is marked more, above it less.
//! Choices made here: p begins at 0; intervals follow each other from time zero; a cell at the end
//! of one belongs to the next.

use crate::engine::Stream;
use crate::units::{CELL_BITS, Rate, Span, Time};

/// The marker of one VC.
#[derive(Clone, Debug)]
pub struct Marker {
    interval: Span,
    step: f64,
    /// Cells in an interval at the target.
    target: f64,
    probability: f64,
    interval_end: Time,
    observed: u64,
    stream: Stream,
}

impl Marker {
    /// Makes a marker with this target rate, update interval and step.
    pub fn new(target: Rate, interval: Span, step: f64, stream: Stream) -> Self {
        Self {
            interval,
            step,
            target: target.bits_per_second() as f64 / CELL_BITS as f64 * interval.seconds_f64(),
            probability: 0.0,
            interval_end: Time::ZERO + interval,
            observed: 0,
            stream,
        }
    }

    /// A cell of the VC arrives.
    #[inline]
    pub fn on_cell(&mut self, now: Time) {
        if now >= self.interval_end {
            self.update(now);
        }
        self.observed += 1;
    }

    /// True if the frame whose first cell arrived last is marked.
    pub fn marks(&mut self) -> bool {
        self.stream.unit() < self.probability
    }

    /// Marking probability p.
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// Ends the interval of the cells seen, and later intervals without cells.
    #[cold]
    fn update(&mut self, now: Time) {
        let silent = (now - self.interval_end).picoseconds() / self.interval.picoseconds();
        self.move_by(1.0 - self.observed as f64 / self.target);
        self.move_by(silent as f64);
        self.observed = 0;
        self.interval_end += self.interval * (silent + 1);
    }

    fn move_by(&mut self, shortfall: f64) {
        self.probability = (self.probability + self.step * shortfall).clamp(0.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1000 cells/s is 100 cells in each interval.
    fn marker() -> Marker {
        let target = Rate::from_bits_per_second(424_000);
        Marker::new(target, Span::from_milliseconds(100), 0.125, Stream::new(1, "marker"))
    }

    fn send(marker: &mut Marker, cells_per_second: i64, seconds: std::ops::Range<i64>) {
        for cell in seconds.start * cells_per_second..seconds.end * cells_per_second {
            let at = Span::from_picoseconds(cell * (1_000_000_000_000 / cells_per_second));
            marker.on_cell(Time::ZERO + at);
        }
    }

    /// Half the target: a step of 0.125/2 each interval, 16 intervals to certainty.
    #[test]
    fn a_source_below_its_target_comes_to_be_marked_always() {
        let mut marker = marker();
        send(&mut marker, 500, 0..1);
        // The interval that ends at 1 s is seen by the cell that comes then.
        assert!((marker.probability() - 9.0 * 0.0625).abs() < 1e-12);
        send(&mut marker, 500, 1..2);
        assert!(marker.probability() >= 1.0);
        assert!((0..1000).all(|_| marker.marks()));
    }

    #[test]
    fn a_source_above_its_target_comes_to_be_marked_never() {
        let mut marker = marker();
        send(&mut marker, 500, 0..3);
        send(&mut marker, 2000, 3..6);
        assert!(marker.probability() <= 0.0);
        assert!((0..1000).all(|_| !marker.marks()));
    }

    #[test]
    fn at_its_target_nothing_moves() {
        let mut marker = marker();
        send(&mut marker, 500, 0..1);
        marker.on_cell(Time::ZERO + Span::from_seconds(1));
        let before = marker.probability();
        for cell in 0..1000 {
            marker.on_cell(Time::ZERO + Span::from_milliseconds(1100 + cell));
        }
        // One interval of one cell, nine of a hundred.
        assert!((marker.probability() - (before + 0.125 * 0.99).min(1.0)).abs() < 1e-12);
    }

    /// Eight silent intervals raise p by 0.125 each.
    #[test]
    fn silence_is_below_the_target_too() {
        let mut marker = marker();
        marker.on_cell(Time::ZERO);
        marker.on_cell(Time::ZERO + Span::from_milliseconds(450));
        assert!((marker.probability() - 0.125 * (0.99 + 3.0)).abs() < 1e-12);
        marker.on_cell(Time::ZERO + Span::from_seconds(100));
        assert!(marker.probability() >= 1.0);
    }

    /// At p = 1/2: four standard deviations of 10 000 tosses are 200.
    #[test]
    fn frames_are_marked_with_that_probability() {
        let mut marker = marker();
        marker.probability = 0.5;
        let times = (0..10_000).filter(|_| marker.marks()).count();
        assert!((4_800..=5_200).contains(&times), "{times}");
    }
}

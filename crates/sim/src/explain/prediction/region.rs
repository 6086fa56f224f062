//! Regions in which formulas at a loss were within 20 % of simulation, as assumptions.
//!
//! The rules are in numbers without a unit: losses p, the mean window W of the formula and the
//! largest window in segments, the first timeout over the round trip T0/R, round trips between
//! losses 1/(p W), and whether losses are independent or equally far apart. docs/validity.md has
//! the runs behind them, and `python/verification/test_regions.py` repeats them.

use super::answer::Assumption;
use super::general::{general, percent};

/// Consequence of an assumption that does not hold.
const OUTSIDE: &str = "outside the region where it was within 20%";
/// Ratio of the largest window to that at a loss, below which the largest window limits.
const NEAR: f64 = 1.5;
/// Largest part of the time that PFTK may spend in timeouts where losses are isolated.
const PFTK_BY_TIMER: f64 = 1.0 / 6.0;

/// Region of the square-root formula.
pub(super) const SQUARE_ROOT: Region =
    Region { independent: 5.0, distant: 8.0, limited: 16.0, peak: 4.0 / 3.0, least: 11.0 };
/// Region of CUBIC's response function.
pub(super) const CUBIC: Region =
    Region { independent: 3.0, distant: 10.0, limited: 11.0, peak: 2.0 / 1.7, least: 6.0 };
/// Round trips between losses from which windows may be smaller.
const RARE: f64 = 25.0;
/// Largest [`AtLoss::by_timer`].
const BY_TIMER: f64 = 0.08;

/// A connection at a loss, in numbers without a unit.
pub(super) struct AtLoss {
    /// W, segments sent in a round trip, by the formula.
    pub(super) window: f64,
    /// The largest window, segments.
    pub(super) most: f64,
    /// Round trips between losses, 1/(p W).
    pub(super) rounds: f64,
    /// Timeouts over round trips if p² of the segments wait for the timer: p² W T0/R.
    pub(super) by_timer: f64,
    /// True if losses are equally far apart, false if they are independent.
    pub(super) is_distant: bool,
}

/// Bounds of the region of a sawtooth without recoveries and timeouts.
pub(super) struct Region {
    /// Fewest round trips between losses that are independent of each other.
    independent: f64,
    /// Fewest round trips between losses that are equally far apart.
    distant: f64,
    /// Fewest round trips between losses where the largest window limits.
    limited: f64,
    /// Window at a loss over the mean window.
    peak: f64,
    /// Smallest window at a loss, segments.
    least: f64,
}

impl Region {
    /// Assumptions of no recoveries and no timeouts, judged for a connection.
    pub(super) fn assumptions(&self, at: &AtLoss) -> [Assumption; 2] {
        let loss = self.peak * at.window;
        let bound = if at.is_distant { self.distant } else { self.independent };
        let fewest = if at.most < NEAR * loss { bound.max(self.limited) } else { bound };
        let is_large = loss >= self.least || at.rounds >= RARE;
        let least = self.least;
        let short = format!("recoveries are short: {fewest} round trips between losses, or more");
        let in_time = format!(
            "no timeouts: windows of {least} segments at a loss, or {RARE} round trips between \
             losses; p² W T0/R of {BY_TIMER} at most"
        );
        let (rounds, by_timer) = (general(at.rounds, 3), general(at.by_timer, 2));
        let numbers = format!("{} segments, {rounds} round trips, {by_timer}", general(loss, 3));
        [
            judged(&short, at.rounds >= fewest, rounds),
            judged(&in_time, is_large && at.by_timer <= BY_TIMER, numbers),
        ]
    }
}

/// Assumption of PFTK that a loss takes the rest of its round, so that small windows time out;
/// `by_timer` is the part of the time that the formula spends in timeouts.
pub(super) fn whole_rounds(by_timer: f64) -> Assumption {
    let text = "the rest of a round trip is lost with its first loss, or timeouts take no more \
                than a sixth of the time";
    let numbers = format!("losses are alone; by the formula {} are timeouts", percent(by_timer));
    judged(text, by_timer <= PFTK_BY_TIMER, numbers)
}

fn judged(text: &str, holds: bool, numbers: String) -> Assumption {
    let why = if holds { numbers } else { format!("{numbers}; {OUTSIDE}") };
    Assumption::new(text, holds, why)
}

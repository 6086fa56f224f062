//! The loss at which a TCP has a given rate, by any formula of this module.

use crate::root::root;

/// Loss that is too small to matter.
const LEAST: f64 = 1e-16;
const MOST: f64 = 0.5;

/// The loss at which `rate_at`, which falls as the loss grows, is `rate`; `None` if it is not
/// between 1e-16 and 0.5.
pub fn loss_of_rate(rate: f64, rate_at: impl Fn(f64) -> f64) -> Option<f64> {
    let exceeds = |loss: f64| rate_at(loss) - rate;
    if !(exceeds(LEAST) > 0.0 && exceeds(MOST) < 0.0) {
        return None;
    }
    Some(libm::exp(root(libm::log(LEAST), libm::log(MOST), |log| exceeds(libm::exp(log)))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::{pftk, square_root};

    /// sqrt(3/2p)/R = r turned around by hand is p = 3/(2 (r R)²).
    #[test]
    fn the_square_root_law_by_hand() {
        let found = loss_of_rate(500.0, |loss| square_root::rate(loss, 0.2, 1.0).unwrap());
        let by_hand = 1.5 / 10_000.0;
        assert!(found.is_some_and(|found| (found / by_hand - 1.0).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn a_formula_of_its_own_answer() {
        let path = pftk::Connection {
            round_trip: 0.5,
            timeout: 1.0,
            segments_per_ack: 2.0,
            max_window: 1000.0,
        };
        let rate_at = |loss| pftk::rates(&path, loss).unwrap().received;
        let found = loss_of_rate(rate_at(3e-4), rate_at);
        assert!(found.is_some_and(|found| (found / 3e-4 - 1.0).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn a_rate_that_no_loss_gives_has_none() {
        let window = |_: f64| 10.0;
        assert_eq!(loss_of_rate(10.0, window), None);
        assert_eq!(loss_of_rate(20.0, window), None);
    }
}

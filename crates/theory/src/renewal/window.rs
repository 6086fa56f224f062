//! Growth of the window in congestion avoidance.

/// Reading of the paper for the window at a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowAtLoss {
    /// Every packet ahead of the lost one adds 1 with probability 1/window.
    #[default]
    Binomial,
    /// The window is that at the beginning of the interval plus 1.
    PlusOne,
}

/// Probabilities below this are left out, and the others scaled to add up to 1.
const LEAST: f64 = 1e-12;

/// Law of the number of increases of the window by `acknowledgements`, each with probability
/// 1/window, at most to `max_window`: probabilities of the numbers from 0, which add up to 1.
pub(super) fn growth(acknowledgements: u32, window: u32, max_window: u32) -> Vec<f64> {
    let most = acknowledgements.min(max_window - window) as usize;
    let mut law = vec![0.0; most + 1];
    for (count, probability) in binomial(acknowledgements, window).into_iter().enumerate() {
        law[count.min(most)] += probability;
    }
    while law.len() > 1 && law.last().is_some_and(|last| *last < LEAST) {
        law.pop();
    }
    let total: f64 = law.iter().sum();
    law.iter().map(|probability| probability / total).collect()
}

/// The binomial law of `trials` at probability 1/window.
fn binomial(trials: u32, window: u32) -> Vec<f64> {
    if window == 1 {
        let mut sure = vec![0.0; trials as usize + 1];
        sure[trials as usize] = 1.0;
        return sure;
    }
    let odds = 1.0 / f64::from(window - 1);
    let mut probability = libm::pow(1.0 - 1.0 / f64::from(window), f64::from(trials));
    let mut law = vec![probability];
    for count in 0..trials {
        probability *= odds * f64::from(trials - count) / f64::from(count + 1);
        law.push(probability);
    }
    law
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(law: &[f64], by_hand: &[f64]) {
        assert_eq!(law.len(), by_hand.len(), "{law:?}");
        assert!(law.iter().zip(by_hand).all(|(law, hand)| (law - hand).abs() < 1e-12), "{law:?}");
    }

    /// (3/4)², 2·(3/4)(1/4), (1/4)².
    #[test]
    fn two_acknowledgements_at_a_window_of_four() {
        near(&growth(2, 4, 64), &[9.0 / 16.0, 6.0 / 16.0, 1.0 / 16.0]);
    }

    #[test]
    fn the_largest_window_takes_what_is_beyond_it() {
        near(&growth(2, 4, 5), &[9.0 / 16.0, 7.0 / 16.0]);
        near(&growth(2, 4, 4), &[1.0]);
    }

    #[test]
    fn a_window_of_one_grows_for_certain() {
        near(&growth(1, 1, 64), &[0.0, 1.0]);
    }

    /// With forty acknowledgements each omitted count takes at most 40 times its probability.
    #[test]
    fn it_adds_up_and_has_its_mean() {
        let law = growth(40, 50, 1024);
        assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        let mean: f64 = law.iter().enumerate().map(|(count, p)| count as f64 * p).sum();
        assert!((mean - 0.8).abs() < 40.0 * LEAST, "{mean}");
    }
}

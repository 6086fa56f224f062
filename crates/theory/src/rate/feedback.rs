//! Rates of sources that are told the rate of a varying line, in the limits of ψ, the mean time
//! between changes over the round trip (after S. Shakkottai, A. Kumar, A. Karnik, A. Anvekar: "TCP
//! performance over end-to-end rate control and stochastic available capacity", IEEE/ACM
//! Transactions on Networking 9(4), 2001).
//!
//! INSTCAP feeds back the capacity of the last measuring interval, EFFCAP the minimum of a memory
//! of means over a window. Of the line's cells 48 of 53 bytes are payload; TCP and IP headers count
//! as carried.
//!
//! - ψ → ∞: nearly always the rate that is fed back is the present one, so both carry the mean
//!   capacity.
//! - ψ → 0, changes much faster than the measuring interval: every mean of a measurement is the
//!   mean capacity, which both feed back.
//! - EFFCAP between these: changes slower than a window of its means and so frequent that its
//!   memory always has the lowest rate: it feeds back, and carries, the minimum.
//! - INSTCAP between these: the feedback is as old as several sojourns, so it is independent of
//!   the present capacity: without a buffer, and without sending again, `E[min(R, R')]` passes, R
//!   and R' independent. With buffers and retransmission TCP comes to more or less.
//!
//! Range: rates of at least 0 of which one is above, probabilities that add up to one.

use crate::range::{OutOfRange, positive, within};

/// Bits per second, or whatever unit the rates have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Limit of both as ψ → ∞ and as ψ → 0.
    pub mean: f64,
    /// Limit of EFFCAP with a memory of many sojourns, each longer than its window.
    pub minimum: f64,
    /// Limit of INSTCAP without a buffer, with feedback older than many sojourns.
    pub independent: f64,
}

/// Limits for a capacity that has each of `rates` with its probability; the fraction `carried` of
/// it is payload.
pub fn limits(rates: &[f64], probabilities: &[f64], carried: f64) -> Result<Limits, OutOfRange> {
    assert_eq!(rates.len(), probabilities.len(), "a probability for each rate");
    within("carried", carried, "above 0, at most 1", |part| part > 0.0 && part <= 1.0)?;
    for (index, (&rate, &probability)) in rates.iter().zip(probabilities).enumerate() {
        within(&format!("rates[{index}]"), rate, "at least 0", |rate| rate >= 0.0)?;
        positive(&format!("probabilities[{index}]"), probability)?;
    }
    let sum: f64 = probabilities.iter().sum();
    within("the sum of probabilities", sum, "1", |sum| (sum - 1.0).abs() < 1e-9)?;
    let states = || rates.iter().zip(probabilities);
    let mean: f64 = states().map(|(rate, probability)| rate * probability).sum();
    positive("the mean of rates", mean)?;
    let minimum = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let independent: f64 = states()
        .map(|(one, first)| {
            states().map(|(other, second)| one.min(*other) * first * second).sum::<f64>()
        })
        .sum();
    Ok(Limits {
        mean: carried * mean,
        minimum: carried * minimum,
        independent: carried * independent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 and 50 kbyte/s, equally often: the mean is 75; the minimum is two thirds of it, the
    /// independent one (100 + 3 · 50)/4 = 62.5.
    #[test]
    fn two_states_by_hand() {
        let part = 48.0 / 53.0;
        let found = limits(&[100.0, 50.0], &[0.5, 0.5], part).unwrap();
        assert!((found.mean - 75.0 * part).abs() < 1e-12);
        assert!((found.minimum - 50.0 * part).abs() < 1e-12);
        assert!((found.independent - 62.5 * part).abs() < 1e-12);
    }

    #[test]
    fn a_constant_rate_has_one_limit() {
        let found = limits(&[10.0], &[1.0], 1.0).unwrap();
        let all = [found.mean, found.minimum, found.independent];
        assert!(all.into_iter().all(|limit| (limit - 10.0).abs() < 1e-12), "{all:?}");
    }

    #[test]
    fn what_is_no_law_is_refused() {
        let refused = |rates: &[f64], law: &[f64]| limits(rates, law, 1.0).unwrap_err().name;
        assert_eq!(refused(&[1.0, 2.0], &[0.5, 0.6]), "the sum of probabilities");
        assert_eq!(refused(&[1.0, -2.0], &[0.5, 0.5]), "rates[1]");
        assert_eq!(refused(&[0.0], &[1.0]), "the mean of rates");
    }
}

//! How many VCs are active (ERICA; S. Kalyanaraman, "Traffic Management for the Available Bit Rate Service in ATM networks",
//! thesis, Ohio State 1997, appendix C).
//!
//! Each VC has an activity level, 1 when a cell of it was seen in the interval. Without averaging it then falls to 0; with it,
//! by the factor `decay` per interval (An, 0.9 in the source), so that a VC becomes inactive only after many. N is the sum of the
//! levels, and 1 where it is less. Decided here: every VC that is set up counts as active until the first interval ends, and a
//! level below a millionth is none.

/// The activity of the VCs of one port.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    decay: Option<f64>,
    levels: Vec<f64>,
    /// The levels as the last interval left them.
    last: Vec<f64>,
    active: f64,
}

const NOTHING: f64 = 1e-6;

impl Activity {
    /// For the VCs at `is_abr` slots; `decay` switches averaging on.
    pub(super) fn new(is_abr: &[bool], decay: Option<f64>) -> Self {
        let last: Vec<f64> = is_abr.iter().map(|&abr| f64::from(u8::from(abr))).collect();
        let active = last.iter().sum::<f64>().max(1.0);
        let levels = if decay.is_some() { last.clone() } else { vec![0.0; last.len()] };
        Self { decay, levels, last, active }
    }

    /// A cell of the VC was seen.
    #[inline]
    pub(super) fn on_cell(&mut self, slot: u32) {
        self.levels[slot as usize] = 1.0;
    }

    /// The interval is over.
    pub(super) fn end_interval(&mut self) {
        self.last.copy_from_slice(&self.levels);
        self.active = self.last.iter().sum::<f64>().max(1.0);
        let decay = self.decay.unwrap_or(0.0);
        for level in &mut self.levels {
            *level = if *level * decay < NOTHING { 0.0 } else { *level * decay };
        }
    }

    /// N of the last interval, at least 1.
    pub(super) fn active(&self) -> f64 {
        self.active
    }

    /// The sum over the VCs of their level in the last interval times `weight`.
    pub(super) fn weighted(&self, weight: &[f64]) -> f64 {
        self.last.iter().zip(weight).map(|(level, weight)| level * weight).sum()
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;

    #[test]
    fn without_averaging_a_silent_vc_is_gone_after_one_interval() {
        let mut activity = Activity::new(&[true; 15], None);
        assert_eq!(activity.active(), 15.0);
        activity.on_cell(3);
        activity.on_cell(3);
        activity.on_cell(7);
        activity.end_interval();
        assert_eq!(activity.active(), 2.0);
        activity.end_interval();
        assert_eq!(activity.active(), 1.0, "never below one");
    }

    /// Averaging with 0.9 remembers about as much as an interval eight or nine times longer: a VC seen in every ninth
    /// interval counts (1 - 0.9^9)/(9·0.1) = 0.68 on average.
    #[test]
    fn a_decaying_level_remembers_many_intervals() {
        let mut activity = Activity::new(&[true, true], Some(0.9));
        let mut sum = 0.0;
        for interval in 0..900 {
            activity.on_cell(0);
            if interval % 9 == 0 {
                activity.on_cell(1);
            }
            activity.end_interval();
            sum += activity.active() - 1.0;
        }
        let levels = [1.0, 0.9, 0.81, 0.729, 0.6561, 0.59049, 0.531_441, 0.478_296_9, 0.430_467_21];
        let mean = levels.iter().sum::<f64>() / 9.0;
        assert!((sum / 900.0 - mean).abs() < 1e-9, "{} against {mean}", sum / 900.0);
    }
}

//! Number of active VCs (ERICA; S. Kalyanaraman, "Traffic Management for the Available Bit Rate
//! Service in ATM networks", thesis, Ohio State 1997, appendix C).
//!
//! Each VC has an activity level, 1 when a cell of it was seen in the interval. Without averaging
//! it then falls to 0; with it, by the factor `decay` per interval (An, 0.9 in the source), so that
//! a VC becomes inactive only after many. N is the sum of the levels, and 1 where it is less.
//!
//! A VC has two directions, and the one without data of its own returns the RM cells of the other:
//! for each 31 of them it sends a forward RM cell (TM 4.0 source rule 3). No feedback of a port
//! changes what it sends, so it is not a source there. Decided here: data make a VC active, a
//! forward RM cell if data came since the one before, and, where bi-directional counting is asked
//! for (thesis, appendix C), a backward one on its way to a VC that is a source. Every VC that is
//! set up counts as active until the first interval ends, and a level below a millionth is zero.

use super::InRate;

/// The activity of the VCs of one port.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    decay: Option<f64>,
    /// Each VC, by slot.
    vcs: Vec<VcActivity>,
    active: f64,
}

/// The activity of one VC.
#[derive(Clone, Copy, Debug)]
struct VcActivity {
    level: f64,
    /// Level at the end of the last interval.
    last: f64,
    /// True if data came since the last forward RM cell.
    has_sent_data: bool,
    /// True if data came between the last two forward RM cells, or after the last.
    is_source: bool,
}

const NOTHING: f64 = 1e-6;

impl Activity {
    /// Makes the activity of the VCs at `is_abr` slots; `decay` switches averaging on.
    pub(super) fn new(is_abr: &[bool], decay: Option<f64>) -> Self {
        let of_vc = |&is_source: &bool| {
            let last = f64::from(u8::from(is_source));
            let level = if decay.is_some() { last } else { 0.0 };
            VcActivity { level, last, has_sent_data: false, is_source }
        };
        let vcs: Vec<VcActivity> = is_abr.iter().map(of_vc).collect();
        let active = vcs.iter().map(|vc| vc.last).sum::<f64>().max(1.0);
        Self { decay, vcs, active }
    }

    /// Takes an in-rate cell of the VC.
    #[inline]
    pub(super) fn on_cell(&mut self, slot: u32, kind: InRate) {
        let vc = &mut self.vcs[slot as usize];
        match kind {
            InRate::Data => {
                (vc.has_sent_data, vc.is_source, vc.level) = (true, true, 1.0);
            }
            InRate::ForwardRm => {
                vc.is_source = std::mem::take(&mut vc.has_sent_data);
                self.on_return(slot);
            }
            InRate::BackwardRm => {}
        }
    }

    /// Takes a backward RM cell of the VC on its way to the source.
    pub(super) fn on_return(&mut self, slot: u32) {
        let vc = &mut self.vcs[slot as usize];
        if vc.is_source {
            vc.level = 1.0;
        }
    }

    /// True if the VC sends more than RM cells through this port.
    pub(super) fn is_source(&self, slot: u32) -> bool {
        self.vcs[slot as usize].is_source
    }

    /// Ends the interval.
    pub(super) fn end_interval(&mut self) {
        let decay = self.decay.unwrap_or(0.0);
        let mut active = 0.0;
        for vc in &mut self.vcs {
            vc.last = vc.level;
            active += vc.last;
            vc.level = if vc.level * decay < NOTHING { 0.0 } else { vc.level * decay };
        }
        self.active = active.max(1.0);
    }

    /// N of the last interval, at least 1.
    pub(super) fn active(&self) -> f64 {
        self.active
    }

    /// The sum over the VCs of their level in the last interval times `weight`.
    pub(super) fn weighted(&self, weight: &[f64]) -> f64 {
        self.vcs.iter().zip(weight).map(|(vc, weight)| vc.last * weight).sum()
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
        activity.on_cell(3, InRate::Data);
        activity.on_cell(3, InRate::Data);
        activity.on_cell(7, InRate::Data);
        activity.end_interval();
        assert_eq!(activity.active(), 2.0);
        activity.end_interval();
        assert_eq!(activity.active(), 1.0, "never below one");
    }

    /// The direction that only answers: its forward RM cells ask for no rate, and those that return
    /// to it tell nothing.
    #[test]
    fn a_vc_that_only_returns_rm_cells_is_no_source() {
        let mut activity = Activity::new(&[true; 2], None);
        activity.on_cell(0, InRate::ForwardRm);
        activity.on_cell(1, InRate::ForwardRm);
        activity.on_cell(1, InRate::BackwardRm);
        activity.on_cell(0, InRate::Data);
        activity.end_interval();
        assert!(activity.is_source(0) && !activity.is_source(1));
        // The first one ends a period with data: it alone counts as activity, and so does its
        // return.
        for cell in [InRate::ForwardRm, InRate::BackwardRm] {
            activity.on_cell(0, cell);
            activity.on_cell(1, cell);
        }
        activity.end_interval();
        assert_eq!(activity.weighted(&[1.0, 10.0]), 1.0);
        activity.on_return(0);
        activity.on_return(1);
        activity.end_interval();
        assert_eq!(activity.weighted(&[1.0, 10.0]), 1.0);
        activity.on_cell(0, InRate::ForwardRm);
        assert!(!activity.is_source(0), "it has had nothing to send since");
    }

    /// Averaging with 0.9 remembers about as much as an interval eight or nine times longer: a VC
    /// seen in every ninth interval counts (1 - 0.9^9)/(9·0.1) = 0.68 on average.
    #[test]
    fn a_decaying_level_remembers_many_intervals() {
        let mut activity = Activity::new(&[true, true], Some(0.9));
        let mut sum = 0.0;
        for interval in 0..900 {
            activity.on_cell(0, InRate::Data);
            if interval % 9 == 0 {
                activity.on_cell(1, InRate::Data);
            }
            activity.end_interval();
            sum += activity.active() - 1.0;
        }
        let levels = [1.0, 0.9, 0.81, 0.729, 0.6561, 0.59049, 0.531_441, 0.478_296_9, 0.430_467_21];
        let mean = levels.iter().sum::<f64>() / 9.0;
        assert!((sum / 900.0 - mean).abs() < 1e-9, "{} against {mean}", sum / 900.0);
    }
}

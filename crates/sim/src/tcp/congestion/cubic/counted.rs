//! CUBIC's growth by whole segments, as in Linux: cwnd is a number of segments, and opens by one
//! when so many segments are acknowledged.
//!
//! RFC 9438 §4.4 opens the window by (target - cwnd)/cwnd for each segment. Here a segment is
//! due after cwnd/(target - cwnd) of them, and target and `W_est` count in whole segments. So cwnd
//! stays at its size until the function is a segment above it, and then for as long as the count
//! takes: with small windows about a segment behind RFC 9438. The steps are those that cwnd of
//! Linux 6.18 was seen to take; the bounds are those of its sources: 2 segments at least (1.5 cwnd
//! of §4.4), 100 cwnd where the target is not above cwnd, 20 while `W_max` is unknown.

/// Windows after whose acknowledgement a window at its target opens.
const WINDOWS_AT_TARGET: f64 = 100.0;
/// Most segments for which a window waits while `W_max` is unknown.
const MOST_IF_UNKNOWN: f64 = 20.0;
/// Least number of segments for which a window waits.
const LEAST: f64 = 2.0;

/// The count since the window last opened.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    acked: f64,
}

impl Counted {
    /// Segments by which cwnd opens, as `acked` more are acknowledged.
    pub(super) fn opened(
        &mut self,
        cwnd: f64,
        acked: f64,
        w_cubic: f64,
        w_est: f64,
        is_unknown: bool,
    ) -> f64 {
        let due = due_after(cwnd, w_cubic, w_est, is_unknown);
        let mut opened = 0.0;
        // What was counted for a slower growth is worth one segment.
        if self.acked >= due {
            (self.acked, opened) = (0.0, 1.0);
        }
        self.acked += acked;
        let more = libm::floor(self.acked / due);
        self.acked -= more * due;
        opened + more
    }
}

/// Number of segments acknowledged after which one is due.
fn due_after(cwnd: f64, w_cubic: f64, w_est: f64, is_unknown: bool) -> f64 {
    let after = |target: f64| {
        let ahead = libm::floor(target) - cwnd;
        if ahead > 0.0 { cwnd / ahead } else { f64::INFINITY }
    };
    let most = if is_unknown { MOST_IF_UNKNOWN } else { WINDOWS_AT_TARGET * cwnd };
    let due = after(w_cubic).min(most).min(after(w_est));
    libm::floor(due).max(LEAST)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;

    /// Increments of §4.4 in whole segments: one per cwnd/(target - cwnd), the larger of function
    /// and `W_est`.
    #[test]
    fn a_segment_is_due_when_its_share_is_acknowledged() {
        let due = |w_cubic, w_est| due_after(40.0, w_cubic, w_est, false);
        assert_eq!(due(44.0, 0.0), 10.0);
        assert_eq!(due(44.9, 0.0), 10.0);
        assert_eq!(due(40.9, 0.0), 4000.0);
        assert_eq!(due(30.0, 41.0), 40.0);
        assert_eq!(due(44.0, 41.0), 10.0);
        assert_eq!(due(1000.0, 0.0), 2.0);
        assert_eq!(due_after(40.0, 40.0, 40.0, true), 20.0);
    }

    #[test]
    fn what_a_slower_growth_has_counted_is_worth_one_segment() {
        let mut counted = Counted::default();
        let mut opened = |w_cubic| counted.opened(10.0, 1.0, w_cubic, 0.0, false);
        assert_eq!((0..99).map(|_| opened(10.0)).sum::<f64>(), 0.0);
        assert_eq!([11.0, 12.0, 12.0, 12.0, 12.0].map(opened), [1.0, 0.0, 0.0, 0.0, 1.0]);
    }
}

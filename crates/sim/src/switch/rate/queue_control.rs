//! Queue control of ERICA+: which fraction f of the ABR capacity is given to the sources, as a function of the queue
//! (Kalyanaraman 1997, section 5.3; B. Vandalore et al., "Design and Analysis of Queue Control Functions for Explicit Rate
//! Switch Schemes", IC3N 1998).
//!
//! x is the queue over its target Q0, the cells that the ABR capacity sends in the target delay T0. All functions are 1 at the
//! target, above 1 below it so that the queue fills to the target, and never below QDLF, the queue drain limit factor. The
//! hyperbolic one is that of the source. The other three follow the description of the later paper, whose own constants
//! are not given there: what is decided here stands beside each.

/// The function f and its parameters; `qdlf` is in (0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueueControl {
    /// b/((b−1)x + 1) up to the target, a/((a−1)x + 1) beyond it.
    Hyperbolic {
        /// Curvature beyond the target, above 1.
        a: f64,
        /// Curvature below the target, above 1.
        b: f64,
        /// Least fraction.
        qdlf: f64,
    },
    /// Four steps: `b` below the target, 1 up to twice the target, halfway to QDLF up to four times, then QDLF.
    Step {
        /// Fraction below the target, at least 1.
        b: f64,
        /// Least fraction.
        qdlf: f64,
    },
    /// Straight lines: 1 + (b−1)(1−x) up to the target, 1 − (a−1)(x−1) beyond it.
    Linear {
        /// 1 plus the slope beyond the target, above 1.
        a: f64,
        /// Fraction of an empty queue, above 1.
        b: f64,
        /// Least fraction.
        qdlf: f64,
    },
    /// As hyperbolic up to the target; beyond it that hyperbola turned half round, so that f first falls slowly and then
    /// fast, and both reach QDLF at the same queue.
    InverseHyperbolic {
        /// Curvature beyond the target, above 1.
        a: f64,
        /// Curvature below the target, above 1.
        b: f64,
        /// Least fraction.
        qdlf: f64,
    },
}

impl QueueControl {
    /// f for a queue of `x` targets, x ≥ 0; an infinite x means that there is no capacity.
    pub fn fraction(&self, x: f64) -> f64 {
        match *self {
            Self::Hyperbolic { b, .. } | Self::InverseHyperbolic { b, .. } if x <= 1.0 => hyperbola(b, x),
            Self::Hyperbolic { a, qdlf, .. } => hyperbola(a, x).max(qdlf),
            Self::InverseHyperbolic { a, qdlf, .. } => {
                let end = (a - qdlf) / (qdlf * (a - 1.0));
                if x < end { (1.0 + qdlf - hyperbola(a, 1.0 + end - x)).max(qdlf) } else { qdlf }
            }
            Self::Step { b, qdlf } => match x {
                x if x < 1.0 => b,
                x if x <= 2.0 => 1.0,
                x if x <= 4.0 => f64::midpoint(1.0, qdlf),
                _ => qdlf,
            },
            Self::Linear { b, .. } if x <= 1.0 => 1.0 + (b - 1.0) * (1.0 - x),
            Self::Linear { a, qdlf, .. } => (1.0 - (a - 1.0) * (x - 1.0)).max(qdlf),
        }
    }
}

fn hyperbola(curvature: f64, x: f64) -> f64 {
    curvature / ((curvature - 1.0) * x + 1.0)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;

    const ALL: [QueueControl; 4] = [
        QueueControl::Hyperbolic { a: 1.15, b: 1.05, qdlf: 0.5 },
        QueueControl::Step { b: 1.05, qdlf: 0.5 },
        QueueControl::Linear { a: 1.15, b: 1.05, qdlf: 0.5 },
        QueueControl::InverseHyperbolic { a: 1.15, b: 1.05, qdlf: 0.5 },
    ];

    #[test]
    fn every_function_is_one_at_the_target_and_falls_to_the_limit() {
        for control in ALL {
            assert!((control.fraction(1.0) - 1.0).abs() < 1e-12, "{control:?}");
            assert!((control.fraction(0.0) - 1.05).abs() < 1e-12, "{control:?}");
            assert_eq!(control.fraction(1e9), 0.5, "{control:?}");
            assert_eq!(control.fraction(f64::INFINITY), 0.5, "{control:?}");
            let values: Vec<f64> = (0..2000).map(|step| control.fraction(f64::from(step) / 100.0)).collect();
            assert!(values.is_sorted_by(|earlier, later| earlier >= later), "{control:?}");
        }
    }

    /// f = a/((a−1)x + 1) = QDLF at x = (a − QDLF)/(QDLF(a − 1)) = 8.667 for 1.15 and 0.5: 4.33 ms of cells with T0 = 0.5 ms.
    #[test]
    fn both_hyperbolas_reach_the_limit_at_the_same_queue() {
        let [hyperbolic, _, _, inverse] = ALL;
        let limit = (1.15 - 0.5) / (0.5 * 0.15);
        assert!((limit - 8.667_f64).abs() < 1e-3);
        assert!(hyperbolic.fraction(limit - 0.01) > 0.5 && inverse.fraction(limit - 0.01) > 0.5);
        assert!(
            (hyperbolic.fraction(limit) - 0.5).abs() < 1e-12 && (inverse.fraction(limit) - 0.5).abs() < 1e-12
        );
        assert!(inverse.fraction(4.0) > hyperbolic.fraction(4.0), "the inverse one falls late");
    }
}

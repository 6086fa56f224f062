//! Queue control of ERICA+: which fraction f of the ABR capacity is given to the sources, as a
//! function of the queue (Kalyanaraman 1997, section 5.3; B. Vandalore et al., "Design and Analysis
//! of Queue Control Functions for Explicit Rate Switch Schemes", IC3N 1998, arXiv cs/9809041).
//!
//! x is the queue over its target Q0, the cells that the ABR capacity sends in the target delay T0;
//! thresholds are in the same unit. All functions are 1 from the target to Q1, above 1 below it so
//! that the queue fills to the target, and never below QDLF, the queue drain limit factor. With Q1
//! = 1, the default, the hyperbolic one is that of the source.
//!
//! Decided here: how far beyond Q1 a queue is, the hyperbolas measure in Q1 and the straight line
//! in the target. The later paper says so of the line; for the hyperbola QDLF is then reached at
//! the 26 targets that its table 1 gives, with Q1 = 3, and for the inverse one at them with each of
//! the three pairs of `a` and Q1 in that table.

/// The function f and its parameters; `qdlf` is in (0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueueControl {
    /// b/((b−1)x + 1) up to the target, a/((a−1)x/Q1 + 1) beyond Q1.
    Hyperbolic(Curve),
    /// 1 + (b−1)(1−x) up to the target, 1 − (a−1)(x−Q1) beyond Q1.
    Linear(Curve),
    /// As hyperbolic up to the target; 2 − 1/(1 − (x/Q1 − 1)/a) beyond Q1, which falls slowly at
    /// first and then fast.
    InverseHyperbolic(Curve),
    /// `b` below the target, 1 up to Q1, `a` up to Q2, then QDLF.
    Step(Steps),
}

/// Parameters of a continuous function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Beyond Q1: curvature, 1 plus the slope, or for the inverse hyperbola how many Q1 beyond Q1
    /// its pole is; above 1.
    pub a: f64,
    /// Below the target: curvature, or 1 plus the slope; above 1.
    pub b: f64,
    /// Q1: up to here f stays at 1; at least 1.
    pub q1: f64,
    /// Least fraction.
    pub qdlf: f64,
}

/// Parameters of the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Fraction between Q1 and Q2, from `qdlf` to 1.
    pub a: f64,
    /// Fraction below the target, at least 1.
    pub b: f64,
    /// Q1, at least 1.
    pub q1: f64,
    /// Q2, at least Q1.
    pub q2: f64,
    /// Least fraction.
    pub qdlf: f64,
}

impl QueueControl {
    /// f for a queue of `x` targets, x ≥ 0; an infinite x means that there is no capacity.
    pub fn fraction(&self, x: f64) -> f64 {
        match self {
            Self::Hyperbolic(curve) | Self::InverseHyperbolic(curve) if x <= 1.0 => {
                hyperbola(curve.b, x)
            }
            Self::Linear(curve) if x <= 1.0 => 1.0 + (curve.b - 1.0) * (1.0 - x),
            Self::Hyperbolic(curve) | Self::InverseHyperbolic(curve) | Self::Linear(curve)
                if x <= curve.q1 =>
            {
                1.0
            }
            Self::Hyperbolic(curve) => hyperbola(curve.a, x / curve.q1).max(curve.qdlf),
            Self::Linear(curve) => (1.0 - (curve.a - 1.0) * (x - curve.q1)).max(curve.qdlf),
            Self::InverseHyperbolic(curve) => {
                let to_pole = 1.0 - (x / curve.q1 - 1.0) / curve.a;
                if to_pole > 0.0 { (2.0 - 1.0 / to_pole).max(curve.qdlf) } else { curve.qdlf }
            }
            Self::Step(steps) => steps.fraction(x),
        }
    }
}

impl Steps {
    fn fraction(&self, x: f64) -> f64 {
        match x {
            x if x < 1.0 => self.b,
            x if x <= self.q1 => 1.0,
            x if x <= self.q2 => self.a,
            _ => self.qdlf,
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

    fn curve(a: f64, q1: f64) -> Curve {
        Curve { a, b: 1.05, q1, qdlf: 0.5 }
    }

    fn all() -> [QueueControl; 8] {
        let steps = Steps { a: 0.75, b: 1.05, q1: 2.0, q2: 4.0, qdlf: 0.5 };
        [
            QueueControl::Hyperbolic(curve(1.15, 1.0)),
            QueueControl::Step(steps),
            QueueControl::Linear(curve(1.15, 1.0)),
            QueueControl::InverseHyperbolic(curve(23.0, 1.0)),
            QueueControl::Hyperbolic(curve(1.15, 4.0)),
            QueueControl::Step(Steps { a: 0.95, q1: 4.0, q2: 26.0, ..steps }),
            QueueControl::Linear(curve(1.0625, 4.0)),
            QueueControl::InverseHyperbolic(curve(16.5, 4.0)),
        ]
    }

    #[test]
    fn every_function_is_one_at_the_target_and_falls_to_the_limit() {
        for control in all() {
            assert!((control.fraction(1.0) - 1.0).abs() < 1e-12, "{control:?}");
            assert!((control.fraction(0.0) - 1.05).abs() < 0.02, "{control:?}");
            assert_eq!(control.fraction(1e9), 0.5, "{control:?}");
            assert_eq!(control.fraction(f64::INFINITY), 0.5, "{control:?}");
            let values: Vec<f64> =
                (0..4000).map(|step| control.fraction(f64::from(step) / 100.0)).collect();
            assert!(values.is_sorted_by(|earlier, later| earlier >= later), "{control:?}");
        }
    }

    #[test]
    fn between_the_target_and_q1_the_capacity_is_given_out_whole() {
        for control in &all()[4..] {
            assert_eq!([1.0, 2.5, 4.0].map(|x| control.fraction(x)), [1.0; 3], "{control:?}");
            assert!(control.fraction(5.0) < 1.0, "{control:?}");
        }
    }

    /// Vandalore et al. 1998, table 1: whatever Q1 is, these reach QDLF = 0.5 at Q2, 26 targets.
    #[test]
    fn the_published_constants_reach_the_limit_at_the_published_queue() {
        for (a, q1) in [(36.0, 2.0), (16.5, 4.0), (6.75, 8.0)] {
            let inverse = QueueControl::InverseHyperbolic(curve(a, q1));
            assert!(
                (inverse.fraction(26.0) - 0.5).abs() < 1e-12 && inverse.fraction(25.9) > 0.5,
                "{a}"
            );
        }
        let hyperbolic = QueueControl::Hyperbolic(curve(1.15, 3.0));
        assert!((hyperbolic.fraction(26.0) - 0.5).abs() < 1e-12);
        let [.., step, _, _] = all();
        assert_eq!([4.1, 26.0, 26.1].map(|x| step.fraction(x)), [0.95, 0.95, 0.5]);
    }

    /// f = a/((a−1)x + 1) = QDLF at x = (a − QDLF)/(QDLF(a − 1)) = 8.667 for 1.15 and 0.5: 4.33 ms
    /// of cells with T0 = 0.5 ms.
    #[test]
    fn both_hyperbolas_reach_the_limit_at_the_same_queue() {
        let [hyperbolic, _, _, inverse, ..] = all();
        let limit = (1.15 - 0.5) / (0.5 * 0.15);
        assert!((limit - 8.667_f64).abs() < 1e-3);
        assert!(hyperbolic.fraction(limit - 0.01) > 0.5 && inverse.fraction(limit - 0.01) > 0.5);
        for control in [hyperbolic, inverse] {
            assert!((control.fraction(limit) - 0.5).abs() < 1e-12);
        }
        assert!(inverse.fraction(4.0) > hyperbolic.fraction(4.0), "the inverse one falls late");
    }
}

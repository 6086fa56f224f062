//! Queue control of ERICA+: the fraction f of the ABR capacity that is given to the sources, as a
//! function of the queue (Kalyanaraman 1997, section 5.3; B. Vandalore et al., "Design and Analysis
//! of Queue Control Functions for Explicit Rate Switch Schemes", IC3N 1998, arXiv cs/9809041).
//!
//! x is the queue over its target Q0, the cells that the ABR capacity sends in the target delay T0;
//! thresholds are in the same unit. All functions are 1 from the target to Q1, above 1 below it so
//! that the queue fills to the target, and never below QDLF, the queue drain limit factor. With Q1
//! = 1, the default, the hyperbolic one is that of the source.
//!
//! Decided here: the distance of a queue beyond Q1 is in units of Q1 for the hyperbolas, and in
//! targets for the straight line. The later paper says so of the line; for the hyperbola QDLF is
//! then reached at the 26 targets that its table 1 gives, with Q1 = 3, and for the inverse one at
//! them with each of the three pairs of `a` and Q1 in that table.

use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;

const CURVATURE: Kind = Kind::Number(Interval { min: Bound::Beyond(1.0), max: Bound::From(100.0) });
const TARGETS: Kind = Kind::Number(Interval { min: Bound::From(1.0), max: Bound::From(1000.0) });

variants! {
    /// The function f and its parameters; `qdlf` is in (0, 1].
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum QueueControl {
        /// Two hyperbolas, from the target queue down and from `q1` up.
        Hyperbolic(Curve) = "hyperbolic",
        /// Beyond `q1` an inverse hyperbola: it falls little at first, then steeply down to `qdlf`.
        InverseHyperbolic(InverseCurve) = "inverse_hyperbolic",
        /// Two straight lines; `a` and `b` are 1 plus their slopes.
        Linear(Curve) = "linear",
        /// Four steps: `b`, 1, `a`, `qdlf`, at the target, `q1` and `q2`.
        Step(Steps) = "step",
    }
}

part! {
    /// Parameters of the hyperbolas and of the straight lines.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Curve {
        /// Curvature, or 1 plus the slope, beyond the queue `q1`.
        a: f64 = default("1.15", "1.3") as CURVATURE,
        /// Parameters of the rest of the function.
        shape: Shape = flat(Shape),
    }
}

part! {
    /// Parameters of the inverse hyperbola.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct InverseCurve {
        /// Distance of the hyperbola's pole beyond `q1`, in units of `q1`.
        a: f64 = default("23", "16.5") as CURVATURE,
        /// Parameters of the rest of the function.
        shape: Shape = flat(Shape),
    }
}

part! {
    /// Parameters that the continuous functions have in common.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Shape {
        /// Curvature, or 1 plus the slope, below the target queue.
        b: f64 = default("1.05", "1.01") as CURVATURE,
        /// Multiple of the target queue up to which, from the target on, all capacity is allocated.
        q1: f64 = default("1", "4") as TARGETS,
        /// Queue drain limit factor: the minimum fraction that is allocated.
        qdlf: f64 = default("0.5", "0.4") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
}

part! {
    /// Parameters of the steps.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Steps {
        /// Part that is given out between `q1` and `q2`.
        a: Option<f64> = absent(
            "halfway from 1 to `qdlf`", "0.95"
        ) as Kind::Number(ABOVE_ZERO_TO_ONE),
        /// Fraction that is allocated below the target queue.
        b: f64 = default("1.05", "1.01") as CURVATURE,
        /// Multiple of the target queue up to which all capacity is allocated.
        q1: f64 = default("2", "4") as TARGETS,
        /// Multiple of the target queue up to which the fraction `a` is allocated.
        q2: f64 = default("4", "26") as TARGETS,
        /// Queue drain limit factor: the minimum fraction that is allocated.
        qdlf: f64 = default("0.5", "0.4") as Kind::Number(ABOVE_ZERO_TO_ONE),
    }
    finish Steps::checked;
}

impl QueueControl {
    /// f for a queue of `x` targets, x ≥ 0; an infinite x means that there is no capacity.
    pub fn fraction(&self, x: f64) -> f64 {
        match self {
            Self::Hyperbolic(Curve { a, shape }) => {
                shape.fraction(x, hyperbola(shape.b, x), hyperbola(*a, x / shape.q1))
            }
            Self::InverseHyperbolic(InverseCurve { a, shape }) => {
                let to_pole = 1.0 - (x / shape.q1 - 1.0) / a;
                let beyond = if to_pole > 0.0 { 2.0 - 1.0 / to_pole } else { shape.qdlf };
                shape.fraction(x, hyperbola(shape.b, x), beyond)
            }
            Self::Linear(Curve { a, shape }) => {
                let below = 1.0 + (shape.b - 1.0) * (1.0 - x);
                shape.fraction(x, below, 1.0 - (a - 1.0) * (x - shape.q1))
            }
            Self::Step(steps) => steps.fraction(x),
        }
    }
}

impl Shape {
    /// `below` the target, 1 up to Q1, and `beyond` from there on.
    fn fraction(&self, x: f64, below: f64, beyond: f64) -> f64 {
        match x {
            x if x <= 1.0 => below,
            x if x <= self.q1 => 1.0,
            _ => beyond.max(self.qdlf),
        }
    }
}

impl Steps {
    /// Fraction between Q1 and Q2; left out, it is in the middle between its neighbours.
    fn middle(&self) -> f64 {
        self.a.unwrap_or(f64::midpoint(1.0, self.qdlf))
    }

    /// `q1` ≤ `q2`, and `a` ≥ `qdlf`: f never rises with the queue.
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let Self { q1, q2, qdlf, .. } = self;
        let a = self.middle();
        let place = section.place();
        if q1 > q2 {
            let message =
                format!("`{place}.q1` of {q1} is above the `q2` of {q2}; expected at most that");
            return Err(Fault::new(&section.spanned::<f64>("q1")?.at, message));
        }
        if a >= qdlf {
            return Ok(Self { a: Some(a), ..self });
        }
        let message =
            format!("`{place}.a` of {a} is below the `qdlf` of {qdlf}; expected at least that");
        Err(Fault::new(&section.spanned::<f64>("a")?.at, message))
    }

    fn fraction(&self, x: f64) -> f64 {
        match x {
            x if x < 1.0 => self.b,
            x if x <= self.q1 => 1.0,
            x if x <= self.q2 => self.middle(),
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
        Curve { a, shape: Shape { b: 1.05, q1, qdlf: 0.5 } }
    }

    fn inverse(a: f64, q1: f64) -> QueueControl {
        let Curve { a, shape } = curve(a, q1);
        QueueControl::InverseHyperbolic(InverseCurve { a, shape })
    }

    fn all() -> [QueueControl; 8] {
        let steps = Steps { a: Some(0.75), b: 1.05, q1: 2.0, q2: 4.0, qdlf: 0.5 };
        [
            QueueControl::Hyperbolic(curve(1.15, 1.0)),
            QueueControl::Step(steps),
            QueueControl::Linear(curve(1.15, 1.0)),
            inverse(23.0, 1.0),
            QueueControl::Hyperbolic(curve(1.15, 4.0)),
            QueueControl::Step(Steps { a: Some(0.95), q1: 4.0, q2: 26.0, ..steps }),
            QueueControl::Linear(curve(1.0625, 4.0)),
            inverse(16.5, 4.0),
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

    /// Vandalore et al. 1998, table 1: at any Q1, these reach QDLF = 0.5 at Q2, 26 targets.
    #[test]
    fn the_published_constants_reach_the_limit_at_the_published_queue() {
        for (a, q1) in [(36.0, 2.0), (16.5, 4.0), (6.75, 8.0)] {
            let inverse = inverse(a, q1);
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

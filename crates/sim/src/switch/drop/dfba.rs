//! Differential Fair Buffer Allocation (Goyal, Jain, Fahmy, Vandalore: "Buffer management for the
//! GFR service", ATM Forum 98-0405, 1998).
//!
//! VC i with the minimum cell rate `MCR_i` has the share `s_i = W_i/W`, its part of the minimum
//! cell rates of all VCs that may be in the buffer. A frame that finds X cells is accepted below L
//! and discarded above H. Between L and H a frame with CLP = 1 is discarded; one with CLP = 0 is
//! accepted while its VC has no more than `s_i X` cells, and beyond that is discarded with
//! probability
//!
//! `P = Z_i { alpha (X_i - s_i X) / (X (1 - s_i)) + (1 - alpha) (X - L) / (H - L) }`.
//!
//! The formula is missing from the text; this is the one linear in both components that its
//! description determines: fairness from 0 at the fair share to 1 at `X_i = X`, efficiency from 0
//! at L to 1 at H. Parameters: `low` L, `high` H, in cells; `alpha` 0.5; `Z_i` 1, or less for a VC
//! whose frames shall be lost less often. Decided here: at X = L and X = H the middle rule holds;
//! at the fair share a frame is accepted; a VC alone (`s_i = 1`) has no fairness component; where
//! no VC has a minimum cell rate, shares are equal among the VCs in the buffer.

use super::threshold::Threshold;
use super::{Admission, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site, SiteVc};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;

part! {
    /// Parameters of Differential Fair Buffer Allocation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct DfbaPlan {
        /// L: queue below which every frame is accepted.
        low: Threshold = required("0.5"),
        /// H: queue above which every frame is discarded.
        high: Threshold = required("0.8"),
        /// Weight of fairness in the drop probability; that of efficiency is the rest.
        alpha: f64 = default("0.5", "0.8") as Kind::Number(ZERO_TO_ONE),
        /// Z: the scale of the drop probability of each VC.
        z: DropScale = default("one", "\"one_minus_share\""),
    }
    finish DfbaPlan::complete;
}

variants! {
    /// `drop.dfba.z`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[expect(clippy::doc_markdown, reason = "the reference shows the text as it is")]
    pub enum DropScale {
        /// 1 for all VCs.
        One = "one",
        /// One number for all VCs.
        Constant(f64) = "constant" value("0.5") as Kind::Number(ZERO_TO_ONE),
        /// 1 - W_i/W: less for VCs with much of the minimum cell rates.
        OneMinusShare = "one_minus_share",
        /// (1 - W_i/W)^2.
        OneMinusShareSquared = "one_minus_share_squared",
        /// The `z` of each VC's `service.gfr`.
        PerVc = "per_vc",
    }
}

impl DfbaPlan {
    /// Writes `one` as the number 1, so that both are one scenario.
    #[expect(clippy::unnecessary_wraps, reason = "what finishes a part may refuse it")]
    fn complete(self, _: &Section<'_>) -> Result<Self, Fault> {
        let z = if self.z == DropScale::One { DropScale::Constant(1.0) } else { self.z };
        Ok(Self { z, ..self })
    }
}

impl DropScale {
    /// Z of a VC, where all VCs together have the minimum cell rate `weights`.
    pub(crate) fn of(self, vc: SiteVc, weights: f64) -> f64 {
        let rest = if weights > 0.0 { 1.0 - vc.minimum_rate / weights } else { 1.0 };
        match self {
            Self::One => 1.0,
            Self::Constant(z) => z,
            Self::OneMinusShare => rest,
            Self::OneMinusShareSquared => rest * rest,
            Self::PerVc => vc.z,
        }
    }
}

/// Differential Fair Buffer Allocation.
#[derive(Clone, Debug)]
pub struct Dfba {
    low: u64,
    high: u64,
    alpha: f64,
    /// Parameters of each VC, by slot.
    vcs: Vec<DfbaVc>,
    /// W; 0 if no VC has a minimum cell rate, and then shares are equal.
    weights: f64,
    stream: Stream,
}

/// Parameters of one VC.
#[derive(Clone, Copy, Debug)]
pub struct DfbaVc {
    /// `W_i`, in whole bit/s, so that shares are compared without rounding.
    pub weight: f64,
    /// `Z_i`.
    pub z: f64,
}

impl Dfba {
    /// `vcs` is by slot; `weights` is the sum over all VCs that share the buffer, also those of
    /// other ports.
    pub fn new(
        low: u64,
        high: u64,
        alpha: f64,
        vcs: Vec<DfbaVc>,
        weights: f64,
        stream: Stream,
    ) -> Self {
        Self { low, high, alpha, vcs, weights, stream }
    }

    /// P for a VC with more than its share between L and H.
    fn probability(&self, z: f64, share: f64, queue: &QueueState<'_>) -> f64 {
        let occupancy = queue.occupancy as f64;
        let surplus = queue.accounts.of(queue.slot) as f64 - share * occupancy;
        let others = occupancy * (1.0 - share);
        let fairness = if others > 0.0 { surplus / others } else { 0.0 };
        let between = (self.high - self.low) as f64;
        let efficiency = if between > 0.0 { (occupancy - self.low as f64) / between } else { 0.0 };
        z * (self.alpha * fairness + (1.0 - self.alpha) * efficiency)
    }
}

impl FrameRule for Dfba {
    fn needs(&self) -> Needs {
        Needs { accounts: true, ..Needs::default() }
    }

    fn admits_up_to(&self) -> u64 {
        self.low.saturating_sub(1)
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        if queue.occupancy < self.low {
            return Admission::Admit;
        }
        if queue.occupancy > self.high || first.is_low_priority() {
            return Admission::Refuse;
        }
        let vc = self.vcs[queue.slot as usize];
        let (weight, weights) = if self.weights > 0.0 {
            (vc.weight, self.weights)
        } else {
            (1.0, queue.active.max(1) as f64)
        };
        if queue.accounts.of(queue.slot) as f64 * weights <= weight * queue.occupancy as f64 {
            return Admission::Admit;
        }
        Admission::when(self.stream.unit() >= self.probability(vc.z, weight / weights, queue))
    }
}

impl FromPlan for Dfba {
    type Plan = DfbaPlan;

    fn build(plan: &DfbaPlan, site: &Site) -> Self {
        let weights = site.total_minimum_rate;
        let of_vc = |vc: &SiteVc| DfbaVc { weight: vc.minimum_rate, z: plan.z.of(*vc, weights) };
        let vcs = site.vcs.iter().map(of_vc).collect();
        let [low, high] = [plan.low, plan.high].map(|threshold| site.units(threshold));
        Self::new(low, high, plan.alpha, vcs, weights, site.stream.clone())
    }

    fn facts(plan: &DfbaPlan) -> PolicyFacts {
        PolicyFacts {
            needs_common_buffer: Some("compares VCs that share a buffer"),
            is_random: true,
            thresholds: vec![vec![("low", plan.low), ("high", plan.high)]],
            word_of_service: (plan.z == DropScale::PerVc).then_some(("z", plan.z.word())),
            ..PolicyFacts::default()
        }
    }
}

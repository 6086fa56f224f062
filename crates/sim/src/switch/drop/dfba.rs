//! Differential Fair Buffer Allocation (Goyal, Jain, Fahmy, Vandalore: "Buffer management for the
//! GFR service", ATM Forum 98-0405, 1998).
//!
//! VC i with the minimum cell rate `MCR_i` has the share `s_i = W_i/W`, its part of the minimum
//! cell rates of all VCs that may be in the buffer. A frame that finds X cells comes in below L and
//! goes above H. Between them a frame with CLP = 1 goes; one with CLP = 0 comes in while its VC has
//! no more than `s_i X` cells, and beyond goes with probability
//!
//! `P = Z_i { alpha (X_i - s_i X) / (X (1 - s_i)) + (1 - alpha) (X - L) / (H - L) }`.
//!
//! The formula is missing from the text; this is the one linear in both components that its
//! description determines: fairness from 0 at the fair share to 1 at `X_i = X`, efficiency from 0
//! at L to 1 at H. Parameters: `low` L, `high` H, in cells; `alpha` 0.5; `Z_i` 1, or less for a VC
//! whose frames shall be lost less often. Decided here: at X = L and X = H the middle rule holds;
//! at the fair share a frame comes in; a VC alone (`s_i = 1`) has no fairness component; where no
//! VC has a minimum cell rate, shares are equal among the VCs in the buffer.

use super::classification::{Accounting, Classification, DropType, ThresholdType, Thresholds};
use super::{Admission, FrameRule, QueueState};
use crate::engine::Stream;
use crate::pdu::CellHead;

/// Differential Fair Buffer Allocation.
#[derive(Clone, Debug)]
pub struct Dfba {
    low: u64,
    high: u64,
    alpha: f64,
    /// By slot.
    vcs: Vec<DfbaVc>,
    /// W; 0: no VC has a minimum cell rate, and shares are equal.
    weights: f64,
    stream: Stream,
}

/// What is a VC's own.
#[derive(Clone, Copy, Debug)]
pub struct DfbaVc {
    /// `W_i`, in whole bit/s, so that shares are compared without rounding.
    pub weight: f64,
    /// `Z_i`.
    pub z: f64,
}

impl Dfba {
    /// `vcs` by slot; `weights` is the sum over all VCs that share the buffer, which may be more
    /// than pass this port.
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
    fn classification(&self) -> Option<Classification> {
        Some(Classification {
            accounting: Accounting::Multiple,
            thresholds: Thresholds::Multiple,
            threshold_type: ThresholdType::Dynamic,
            drop_type: DropType::Probabilistic,
            is_tag_sensitive: true,
        })
    }

    fn needs_accounts(&self) -> bool {
        true
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

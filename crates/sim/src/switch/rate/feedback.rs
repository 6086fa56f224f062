//! The explicit rate that ERICA gives to a VC (R. Jain et al., ATM Forum 96-1172; Kalyanaraman
//! 1997, appendix C; with minimum rates: B. Vandalore et al., "A General Weighted Fairness
//! Formulation", ATM Forum 98-0408).
//!
//! Every VC may have its fair share of the target capacity C, and a VC that has more keeps its rate
//! divided by the overload factor z. While z is at most 1 + δ (δ = 0.1 in the source, 0 in ERICA's
//! first versions) a VC may also have the largest rate that was given in the interval before, so
//! that all reach the same rate. A rate that jumps over the fair share from below it waits there
//! for one interval. No VC is given more than C, and one VC gets one new rate per interval.
//!
//! With minimum rates the same is done with the rates above them. C less the minimum rates of
//! active VCs is shared in equal parts or in proportion to MCR. The factor z compares input and
//! capacity above the minimum rates, too, and divides CCR − MCR.
//!
//! A VC that is not a source of the port, because this direction of it only returns RM cells, has
//! the fair share and no part in the largest rate: its CCR is a rate that it may use and does not.
//! The cells that it does send are subtracted from C before.
//!
//! Boundary cases (Kalyanaraman 1997, table 6.1, whose "infinity" for C > 0 without input is read
//! as 0): without capacity the answer is the minimum rate, and without input the fair share; no
//! division is by zero. Decided here: before the first interval has ended C is shared among all VCs
//! that are set up.

use super::View;
use super::activity::Activity;
use super::meter::Meter;
use crate::language::part::prelude::*;
use crate::pdu::RmCell;
use crate::units::CellRate;

variants! {
    /// Sharing of the rate above the minimum rates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Excess {
        /// Equally.
        Equal = "equal",
        /// In proportion to the minimum cell rates; equally if there are none.
        ByMcr = "by_mcr",
    }
}

/// Largest relative rounding error of a share that goes to a source as MCR + share and comes back
/// less MCR.
const ROUNDING: f64 = 1e-9;

part! {
    /// Rule that makes the rates of VCs equal, and shares the rate above the minimum rates.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Fairness {
        /// Sharing of the rate above the minimum cell rates.
        excess: Excess = default("equal", "\"by_mcr\""),
        /// Overload factor, less 1, up to which every VC may have the maximum rate of the interval
        /// before.
        delta: f64 = default("0.1", "0.05") as Kind::Number(ZERO_TO_ONE),
    }
}

/// The rates of the VCs of one port; all in cells per second.
#[derive(Clone, Debug)]
pub(super) struct Feedback {
    fairness: Fairness,
    capacity: f64,
    overload: f64,
    /// Fair share per unit of weight, above the minimum rates.
    fair_share: f64,
    /// Largest excess per unit of weight given in the interval before, and in this one.
    max_share_before: f64,
    largest: f64,
    /// Minimum rate and weight of each VC, by slot.
    mcr: Vec<f64>,
    weight: Vec<f64>,
    /// Rate given in this interval, by slot.
    given: Vec<Option<f64>>,
    last_given: f64,
}

impl Feedback {
    pub(super) fn new(fairness: Fairness, capacity: f64, meter: &Meter, vcs: usize) -> Self {
        let fair_share = capacity / meter.activity.active();
        Self {
            fairness,
            capacity,
            overload: 1.0,
            fair_share,
            max_share_before: 0.0,
            largest: fair_share,
            mcr: vec![0.0; vcs],
            weight: vec![1.0; vcs],
            given: vec![None; vcs],
            last_given: capacity,
        }
    }

    /// Begins an interval with this target capacity and overload factor.
    pub(super) fn begin_interval(&mut self, capacity: f64, overload: f64, meter: &Meter) {
        let activity = &meter.activity;
        let weights = match self.fairness.excess {
            Excess::Equal => activity.active(),
            Excess::ByMcr => self.weights_by_mcr(activity),
        };
        let above = (capacity - activity.weighted(&self.mcr)).max(0.0);
        self.capacity = capacity;
        self.overload = overload;
        self.fair_share = above / weights;
        self.max_share_before = self.largest;
        self.largest = self.fair_share;
        self.given.fill(None);
    }

    /// Sum of the weights of the active VCs; of all VCs if no active one has any.
    fn weights_by_mcr(&self, activity: &Activity) -> f64 {
        let all: f64 = self.mcr.iter().sum();
        let active = activity.weighted(&self.weight);
        match (all > 0.0, active > 0.0) {
            (false, _) => activity.active(),
            (true, true) => active,
            (true, false) => all,
        }
    }

    /// Minimum rates by slot, cells per second.
    pub(super) fn minimum_rates(&self) -> &[f64] {
        &self.mcr
    }

    /// Takes the MCR of a VC from its forward RM cell.
    pub(super) fn on_forward_rm(&mut self, slot: u32, rm: &RmCell) {
        let slot = slot as usize;
        if self.mcr[slot].to_bits() == rm.mcr.0.to_bits() {
            return;
        }
        self.mcr[slot] = rm.mcr.0;
        if self.fairness.excess == Excess::ByMcr {
            let has_any = self.mcr.iter().any(|&mcr| mcr > 0.0);
            for (weight, &mcr) in self.weight.iter_mut().zip(&self.mcr) {
                *weight = if has_any { mcr } else { 1.0 };
            }
        }
    }

    /// Lowers the ER of a backward RM cell of a VC that sends at `source_rate`; `None` if it is not
    /// a source of this port.
    pub(super) fn on_backward_rm(&mut self, slot: u32, source_rate: Option<f64>, rm: &mut RmCell) {
        let index = slot as usize;
        let rate = match (self.given[index], source_rate) {
            (Some(rate), _) => rate,
            (None, Some(ccr)) => self.rate_for(index, ccr),
            (None, None) => self.bounded(index, self.fair_share),
        };
        self.given[index] = Some(rate);
        self.last_given = rate;
        rm.er = rm.er.min(CellRate(rate));
    }

    fn rate_for(&mut self, index: usize, ccr: f64) -> f64 {
        let (mcr, weight) = (self.mcr[index], self.weight[index]);
        if weight <= 0.0 {
            return mcr.min(self.capacity);
        }
        let present = (ccr - mcr).max(0.0) / weight;
        let kept = if self.overload > 0.0 && self.overload.is_finite() {
            present / self.overload
        } else {
            0.0
        };
        let mut share = self.fair_share.max(kept);
        if self.overload <= 1.0 + self.fairness.delta {
            share = share.max(self.max_share_before);
        }
        self.largest = self.largest.max(share);
        if share > self.fair_share && present < self.fair_share * (1.0 - ROUNDING) {
            share = self.fair_share;
        }
        self.bounded(index, share)
    }

    /// Rate of a VC with `share` above its minimum rate.
    fn bounded(&self, index: usize, share: f64) -> f64 {
        let mcr = self.mcr[index];
        (mcr + self.weight[index] * share).min(self.capacity.max(mcr))
    }

    /// Values of the rule for reports, without the counts of the meter.
    pub(super) fn view(&self) -> View {
        let &Self { overload, fair_share, last_given: explicit_rate, capacity, .. } = self;
        View { overload, fair_share, explicit_rate, capacity, ..View::default() }
    }
}

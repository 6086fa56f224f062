//! Virtual Queuing with MCR scheduling (Wu, Siu, Ren, ICNP 1997).
//!
//! Every `interval` T a VC is given credit for MCR · T cells, and an admitted cell costs one. A
//! frame of a VC with credit is accepted. Without credit the rule of
//! [`VirtualQueuing`](super::VirtualQueuing) applies: its virtual queue is at most `threshold`. The
//! smaller T, the tighter the guarantee, and the more often every VC must be visited. Decided here,
//! where the description in ATM Forum 98-0405 is silent: a frame accepted by credit is paid for
//! whole, if need be out of the next credit; one accepted without costs nothing; raw cells use up
//! the credit that is left; and credit does not grow beyond what the buffer holds (a VC could not
//! use more at once).

use super::threshold::Threshold;
use super::virtual_queues::VirtualQueues;
use super::{
    Admission, Departure, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site, SiteVc,
};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::units::{CELL_BITS, Span, Time};

part! {
    /// Parameters of Virtual Queuing with MCR scheduling.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VqMcrPlan {
        /// Virtual queue of a VC above which its frames need credit.
        threshold: Threshold = required("0.2"),
        /// T: interval at which a VC is given credit, for the cells that its minimum cell rate
        /// sends in that time.
        interval: Span = default("1 ms", "\"5 ms\"") as POSITIVE_TIME,
    }
}

/// Virtual Queuing with MCR scheduling.
#[derive(Clone, Debug)]
pub struct VqMcr {
    threshold: u64,
    interval: Span,
    /// Credit for an interval in cells, by slot.
    grants: Vec<f64>,
    /// Credit in cells, by slot; negative while a frame is paid off.
    credits: Vec<f64>,
    /// True if the present frame was accepted by credit, by slot.
    is_on_credit: Vec<bool>,
    next_grant: Time,
    queues: VirtualQueues,
}

impl VqMcr {
    /// `mcrs` are by slot, in cells per second.
    pub fn new(threshold: u64, interval: Span, mcrs: &[f64]) -> Self {
        let grants: Vec<f64> = mcrs.iter().map(|mcr| mcr * interval.seconds_f64()).collect();
        Self {
            threshold,
            interval,
            credits: grants.clone(),
            is_on_credit: vec![false; mcrs.len()],
            grants,
            next_grant: Time::ZERO + interval,
            queues: VirtualQueues::new(mcrs.len()),
        }
    }

    /// Gives the credit of all intervals that have ended by `now`.
    fn grant(&mut self, now: Time, size: u64) {
        if now < self.next_grant {
            return;
        }
        let ended = 1 + (now - self.next_grant).picoseconds() / self.interval.picoseconds();
        for (credit, grant) in self.credits.iter_mut().zip(&self.grants) {
            *credit = (*credit + ended as f64 * grant).min(size as f64);
        }
        self.next_grant += Span::from_picoseconds(ended * self.interval.picoseconds());
    }
}

impl FrameRule for VqMcr {
    fn needs(&self) -> Needs {
        Needs { departures: true, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.grant(queue.now, queue.size);
        let credit = &mut self.credits[queue.slot as usize];
        *credit = credit.min(queue.size as f64);
        let has_credit = *credit > 0.0;
        self.is_on_credit[queue.slot as usize] = has_credit;
        Admission::when(has_credit || self.queues.of(queue.slot) <= self.threshold)
    }

    fn on_admission(&mut self, head: CellHead, slot: u32) {
        self.queues.admit(slot);
        let credit = &mut self.credits[slot as usize];
        if head.is_raw() {
            // A raw cell does not pay off what a frame still owes.
            *credit = (*credit - 1.0).max(credit.min(0.0));
        } else if self.is_on_credit[slot as usize] {
            *credit -= 1.0;
        }
    }

    fn on_departure(&mut self, _departure: Departure) {
        self.queues.serve();
    }
}

impl FromPlan for VqMcr {
    type Plan = VqMcrPlan;

    fn build(plan: &VqMcrPlan, site: &Site) -> Self {
        let mcr = |vc: &SiteVc| vc.minimum_rate / CELL_BITS as f64;
        let mcrs: Vec<f64> = site.vcs.iter().map(mcr).collect();
        Self::new(site.units(plan.threshold), plan.interval, &mcrs)
    }

    fn facts(plan: &VqMcrPlan) -> PolicyFacts {
        PolicyFacts {
            needs_common_buffer: Some("compares VCs that share a buffer"),
            thresholds: vec![vec![("threshold", plan.threshold)]],
            interval: Some(plan.interval),
            ..PolicyFacts::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switch::accounts::Accounts;

    /// Credit for two cells: a frame of five, in by credit, owes three, and the raw cell that
    /// follows leaves it at that.
    #[test]
    fn a_raw_cell_does_not_pay_off_a_frame() {
        let mut rule = VqMcr::new(0, Span::from_seconds(1), &[2.0]);
        let accounts = Accounts::default();
        let (now, line_free_at) = (Time::ZERO, Time::ZERO);
        let queue = QueueState {
            now,
            occupancy: 0,
            size: 100,
            slot: 0,
            backlog: 0,
            active: 0,
            accounts: &accounts,
            line_free_at,
        };
        assert_eq!(rule.judge(CellHead::body(0, 0), &queue), Admission::Admit);
        for _ in 0..5 {
            rule.on_admission(CellHead::body(0, 0), 0);
        }
        rule.on_admission(CellHead::raw(0), 0);
        assert_eq!(rule.credits, [-3.0]);
        rule.credits[0] = 0.5;
        rule.on_admission(CellHead::raw(0), 0);
        assert_eq!(rule.credits, [0.0]);
    }
}

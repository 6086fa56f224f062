//! Explicit rates from the capacity of the link alone: the common part of INSTCAP and EFFCAP at a
//! port.
//!
//! The k-th interval ends at k s. Its sample is the amount that the line could carry in it, less
//! the cells of higher classes. The law of a VC averages samples. Each ABR VC of the port is given
//! its minimum rate and an equal part of the average above the minimum rates of all: the max-min
//! shares of this link alone (B. Vandalore et al., ATM Forum 98-0408). Minimum rates are those of
//! the RM cells that have passed; without any the parts are the paper's. Neither the load nor the
//! queue is measured, as in the paper. Before the first sample the capacity at the start counts.
//!
//! The capacity is that of whole cells, RM cells among them. All ABR VCs of the port count as
//! connections, silent ones and those of acknowledgements included.

use super::line::Line;
use super::{PortOfVcs, RateAllocator, View};
use crate::link::capacity::{Capacity, WHOLE_BIT};
use crate::link::feedback::{Average, FeedbackLaw};
use crate::pdu::RmCell;
use crate::units::{CELL_BITS, CellRate, Span, Time};

/// A law for the VCs of a port.
#[derive(Debug)]
pub struct CapacityFeedback<Law> {
    interval: Span,
    /// Intervals that ended.
    ended: i64,
    line: Line,
    /// Cells of higher classes in the present interval.
    higher_priority_cells: u64,
    laws: Vec<Law>,
    /// Index of the law of each VC, by slot.
    law_of_slot: Vec<usize>,
    first: Average,
    /// Minimum rates that are known, cells per second, by slot.
    mcr: Vec<f64>,
    connections: u64,
    explicit_rate: f64,
}

impl<Law: FeedbackLaw> CapacityFeedback<Law> {
    /// Makes the rule at a port; `law` makes the law of a VC from the number of samples in its
    /// round trip.
    pub(super) fn new(interval: Span, port: &PortOfVcs<'_>, law: impl Fn(u64) -> Law) -> Self {
        let mut line = Line::Constant(port.link);
        let samples = |trip: &Span| {
            (trip.picoseconds() as u64).div_ceil(interval.picoseconds() as u64).max(1)
        };
        let of_slot: Vec<u64> = port.round_trips.iter().map(samples).collect();
        let mut distinct = of_slot.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let place = |samples: &u64| distinct.partition_point(|known| known < samples);
        let first = Average { parts: line.first_parts(interval), samples: 1 };
        Self {
            interval,
            ended: 0,
            line,
            higher_priority_cells: 0,
            law_of_slot: of_slot.iter().map(place).collect(),
            laws: distinct.iter().map(|&samples| law(samples)).collect(),
            first,
            mcr: vec![0.0; port.is_abr.len()],
            connections: port.is_abr.iter().filter(|&&is_abr| is_abr).count() as u64,
            explicit_rate: 0.0,
        }
    }

    /// The part of a VC, cells per second.
    fn share(&self, law: Option<&Law>, connections: u64) -> f64 {
        let average = law.and_then(FeedbackLaw::value).unwrap_or(self.first);
        average.bits_per_second_f64(self.interval, connections) / CELL_BITS as f64
    }
}

impl<Law: FeedbackLaw> RateAllocator for CapacityFeedback<Law> {
    fn follow(&mut self, capacity: Capacity) {
        self.line = Line::Varying(Box::new(capacity));
        self.first = Average { parts: self.line.first_parts(self.interval), samples: 1 };
    }

    #[inline]
    fn interval_end(&self) -> Time {
        Time::ZERO + self.interval * (self.ended + 1)
    }

    fn on_interval_end(&mut self, at: Time, _queue: u64) {
        let carried = self.line.carried_parts(at - self.interval, at);
        let taken = u128::from(self.higher_priority_cells * CELL_BITS) * WHOLE_BIT;
        let sample = carried.saturating_sub(taken);
        self.laws.iter_mut().for_each(|law| law.on_sample(sample));
        self.higher_priority_cells = 0;
        self.ended += 1;
    }

    #[inline]
    fn on_higher_priority_cell(&mut self) {
        self.higher_priority_cells += 1;
    }

    fn on_backward_rm(&mut self, slot: u32, _queue: u64, rm: &mut RmCell) {
        let slot = slot as usize;
        self.mcr[slot] = rm.mcr.0;
        let equal = self.share(Some(&self.laws[self.law_of_slot[slot]]), self.connections);
        // Written so that equal minimum rates change nothing.
        let above = rm.mcr.0 - self.mcr.iter().sum::<f64>() / self.connections as f64;
        self.explicit_rate = (equal + above).max(rm.mcr.0);
        rm.er = rm.er.min(CellRate(self.explicit_rate));
    }

    fn view(&self) -> Option<View> {
        let law = self.laws.first();
        Some(View {
            // Input is not measured.
            overload: f64::NAN,
            active: self.connections as f64,
            fair_share: self.share(law, self.connections.max(1)),
            explicit_rate: self.explicit_rate,
            capacity: self.share(law, 1),
            ..View::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::feedback::{EffCap, InstCap};
    use crate::pdu::Direction;

    /// 100 cells/s, and of two VCs at the port.
    fn port<Law: FeedbackLaw>(law: impl Fn(u64) -> Law) -> CapacityFeedback<Law> {
        let port = PortOfVcs {
            link: CellRate(100.0),
            is_abr: &[true, false, true],
            round_trips: &[Span::from_milliseconds(240), Span::ZERO, Span::from_milliseconds(360)],
        };
        CapacityFeedback::new(Span::from_milliseconds(30), &port, law)
    }

    fn given<Law: FeedbackLaw>(rule: &mut CapacityFeedback<Law>, slot: u32) -> f64 {
        let mut rm = RmCell::default();
        (rm.direction, rm.er) = (Direction::Backward, CellRate(1e6));
        rule.on_backward_rm(slot, 0, &mut rm);
        rm.er.0
    }

    #[test]
    fn two_of_three_vcs_share_what_higher_classes_leave() {
        let mut rule = port(|_| InstCap::default());
        assert!((given(&mut rule, 0) - 50.0).abs() < 1e-9);
        rule.on_higher_priority_cell();
        rule.on_interval_end(rule.interval_end(), 0);
        // 3 cells in 30 ms, one of which was of a higher class.
        assert!((given(&mut rule, 2) - 100.0 / 3.0).abs() < 1e-9);
        rule.on_interval_end(rule.interval_end(), 0);
        assert!((given(&mut rule, 2) - 50.0).abs() < 1e-9);
    }

    /// Out of 100 cells/s 10 and 40 are promised; 50 are left for two. If none are left each VC has
    /// its minimum.
    #[test]
    fn what_is_above_the_minimum_rates_is_shared_equally() {
        let mut rule = port(|_| InstCap::default());
        let mut given = |slot, mcr, er: f64| {
            let mut rm = RmCell::default();
            (rm.direction, rm.er, rm.mcr) = (Direction::Backward, CellRate(er), CellRate(mcr));
            rule.on_backward_rm(slot, 0, &mut rm);
            rm.er.0
        };
        given(0, 10.0, 1e6);
        assert!((given(2, 40.0, 1e6) - 65.0).abs() < 1e-9);
        assert!((given(0, 10.0, 1e6) - 35.0).abs() < 1e-9);
        assert!((given(0, 10.0, 20.0) - 20.0).abs() < 1e-9);
        assert!((given(2, 200.0, 1e6) - 200.0).abs() < 1e-9);
        assert!((given(0, 10.0, 1e6) - 10.0).abs() < 1e-9);
    }

    /// M:D of 240 and 360 ms is 8 and 12 samples: a sample of zero leaves the average of the first
    /// VC earlier.
    #[test]
    fn each_vc_has_the_memory_of_its_round_trip() {
        let mut rule = port(|of_round_trip| EffCap::new(of_round_trip, 1));
        let taken = |rule: &mut CapacityFeedback<EffCap>, cells| {
            (0..cells).for_each(|_| rule.on_higher_priority_cell());
            rule.on_interval_end(rule.interval_end(), 0);
        };
        taken(&mut rule, 3);
        (0..8).for_each(|_| taken(&mut rule, 0));
        assert!((given(&mut rule, 0) - 50.0).abs() < 1e-9);
        assert!((given(&mut rule, 2) - 50.0 * 8.0 / 9.0).abs() < 1e-9);
    }
}

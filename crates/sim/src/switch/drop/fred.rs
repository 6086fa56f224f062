//! Flow Random Early Drop (Lin, Morris: "Dynamics of Random Early Detection", SIGCOMM 1997, figure
//! 5).
//!
//! RED that counts the cells of each VC in the buffer. A frame is discarded for certain if its VC
//! has `maxq` = `min_threshold` cells, or twice the average per active VC while the mean queue is
//! at `max_threshold`, or the average per VC after more than one strike; each such frame is a
//! strike, and a VC without cells has its strikes forgiven. Random drop applies to VCs with at
//! least `min_per_vc` and the average per VC. The mean queue is sampled at arrivals and at
//! departures. Parameters as of [`Red`](super::Red), and `min_per_vc` (minq of the paper, 2 to 4
//! packets). The queue is that of the port, also where ports share their memory. Departure: numbers
//! of packets in the paper are cells where the link carries cells; samples are one a frame. With
//! `ecn`, which the paper does not have, frames are marked where they would be dropped at random,
//! and those of greedy VCs are still discarded.

use super::average::Average;
use super::random_drop::RandomDrop;
use super::red::RedPlan;
use super::threshold::Threshold;
use super::{Admission, Departure, FrameRule, FromPlan, Needs, PolicyFacts, QueueState, Site};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::switch::accounts::Accounts;

part! {
    /// Parameters of FRED.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct FredPlan {
        /// Parameters of RED.
        red: RedPlan = flat(RedPlan),
        /// Queue of a VC up to which its frames are not dropped at random.
        min_per_vc: Threshold = required("0.04"),
    }
}

/// Flow Random Early Drop.
#[derive(Clone, Debug)]
pub struct Fred {
    average: Average,
    random_drop: RandomDrop,
    min_per_vc: f64,
    stream: Stream,
    /// Cells of each VC.
    held: Accounts,
    /// Cells of all VCs.
    cells: u64,
    /// Strikes of each VC, by slot.
    strikes: Vec<u32>,
}

/// Strikes beyond which a VC may have no more than the average per VC.
const STRIKES_FORGIVEN: u32 = 1;

impl Fred {
    /// Makes a rule for `vcs` virtual circuits, with its average at zero.
    pub fn new(
        average: Average,
        random_drop: RandomDrop,
        min_per_vc: u64,
        vcs: usize,
        stream: Stream,
    ) -> Self {
        let (min_per_vc, strikes) = (min_per_vc as f64, vec![0; vcs]);
        let held = Accounts::kept(vcs);
        Self { average, random_drop, min_per_vc, stream, held, cells: 0, strikes }
    }
}

impl FrameRule for Fred {
    fn needs(&self) -> Needs {
        Needs { departures: true, marks: self.random_drop.marks, ..Needs::default() }
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.average.on_arrival(self.cells, queue.now, queue.line_free_at);
        let average = self.average.value();
        let per_vc = (average / self.held.active().max(1) as f64).max(1.0);
        let strikes = &mut self.strikes[queue.slot as usize];
        let cells = self.held.of(queue.slot) as f64;
        let is_greedy = cells >= self.random_drop.min_threshold
            || (average >= self.random_drop.max_threshold && cells > 2.0 * per_vc)
            || (cells >= per_vc && *strikes > STRIKES_FORGIVEN);
        if is_greedy {
            *strikes += 1;
            return Admission::Refuse;
        }
        let is_exempt = cells < self.min_per_vc.max(per_vc);
        self.random_drop.judge(average, is_exempt, first, &mut self.stream)
    }

    fn on_admission(&mut self, _head: CellHead, slot: u32) {
        self.held.admit(slot);
        self.cells += 1;
    }

    fn on_departure(&mut self, departure: Departure) {
        self.held.release(departure.slot);
        self.cells -= 1;
        if self.held.of(departure.slot) == 0 {
            self.strikes[departure.slot as usize] = 0;
        }
        if departure.ends_frame {
            self.average.sample(self.cells);
        }
    }
}

impl FromPlan for Fred {
    type Plan = FredPlan;

    fn build(plan: &FredPlan, site: &Site) -> Self {
        let FredPlan { red, min_per_vc } = plan;
        let (average, random_drop) = (red.average(site), red.random_drop(site));
        let min_per_vc = site.units(*min_per_vc);
        Self::new(average, random_drop, min_per_vc, site.vcs.len(), site.stream.clone())
    }

    fn facts(plan: &FredPlan) -> PolicyFacts {
        let of_red = plan.red.random_drop.thresholds(["min_threshold", "max_threshold"]);
        PolicyFacts {
            marks: plan.red.ecn,
            needs_common_buffer: Some("compares VCs that share a buffer"),
            is_random: true,
            thresholds: vec![of_red, vec![("min_per_vc", plan.min_per_vc)]],
            ..PolicyFacts::default()
        }
    }
}

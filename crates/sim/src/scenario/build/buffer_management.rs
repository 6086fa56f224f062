//! Drop policies of ports: thresholds in units, shares by minimum cell rate, a random stream each.

use super::transmission;
use super::wiring::Wiring;
use crate::engine::Stream;
use crate::scenario::part::drop;
use crate::scenario::{Drop, DropScale, Gfr, Lottery, Red, Scenario, Threshold};
use crate::switch::{
    self, Average, Class, Dfba, DfbaVc, Epd, Ered, Fba, Framewise, Fred, Policy, PortRoom, Ppd, PriorityDrop,
    Rule, SelectiveDrop, Tail, Transmission, VirtualQueuing, VqDynamicEpd, VqMcr,
};
use crate::units::{CELL_BITS, Span};

/// Where a policy stands.
pub(super) struct Place<'p> {
    pub(super) drop: Drop,
    /// The link behind the port.
    pub(super) link: usize,
    /// What its port is called in the random streams.
    pub(super) name: &'p str,
    /// Whose cells the queue holds.
    pub(super) class: Class,
    /// The queue's.
    pub(super) room: PortRoom,
    /// Of the switch, if its ports share it.
    pub(super) shared: Option<u64>,
}

impl Place<'_> {
    fn room(&self) -> Option<u64> {
        match self.room {
            PortRoom::Infinite => None,
            PortRoom::PerPort(room) | PortRoom::PerVc(room) => Some(room),
            PortRoom::Shared => self.shared,
        }
    }

    fn units(&self, threshold: Threshold) -> u64 {
        threshold.of(self.room())
    }

    fn lottery(&self, lottery: &Lottery) -> switch::Lottery {
        let [min, max] =
            [lottery.min_threshold, lottery.max_threshold].map(|threshold| self.units(threshold));
        switch::Lottery::new(min, max, lottery.max_probability)
    }
}

impl Scenario {
    /// The policy of a queue before `place.link`, for the VCs that pass by slot.
    pub(super) fn policy(&self, place: &Place<'_>, vcs: &[u32], wiring: &Wiring<'_>) -> Policy {
        let stream = || Stream::new(self.run.seed, &format!("{}.{}.drop", place.name, place.class.word()));
        let units = |threshold| place.units(threshold);
        let count = vcs.len();
        let rule: Rule = match place.drop {
            Drop::Tail => return Policy::Tail(Tail),
            Drop::Ppd => return Policy::Ppd(Ppd::new(count)),
            Drop::Epd(epd) => Epd::new(units(epd.threshold)).into(),
            Drop::SelectiveDrop(share) => SelectiveDrop::new(units(share.threshold), share.z).into(),
            Drop::Fba(share) => Fba::new(units(share.threshold), share.z).into(),
            Drop::Red(red) => {
                switch::Red::new(self.average(&red, place.link), place.lottery(&red.lottery), stream()).into()
            }
            Drop::Fred(drop::Fred { red, min_per_vc }) => {
                let average = self.average(&red, place.link);
                Fred::new(average, place.lottery(&red.lottery), units(min_per_vc), count, stream()).into()
            }
            Drop::VirtualQueuing(queues) => VirtualQueuing::new(units(queues.threshold), count).into(),
            Drop::VqDynamicEpd(epd) => VqDynamicEpd::new(units(epd.threshold), count).into(),
            Drop::VqMcr(drop::VqMcr { threshold, interval }) => {
                let rates = minimum_rates(vcs, wiring);
                let mcrs: Vec<f64> = rates.iter().map(|rate| rate / CELL_BITS as f64).collect();
                VqMcr::new(units(threshold), interval, &mcrs).into()
            }
            Drop::Ered(ered) => {
                let average = self.average(&ered.unmarked, place.link);
                let unmarked = place.lottery(&ered.unmarked.lottery);
                Ered::new(average, unmarked, place.lottery(&ered.marked()), stream()).into()
            }
            Drop::Priority(drop::Priority { low, high }) => PriorityDrop::new(units(low), units(high)).into(),
            Drop::Dfba(drop::Dfba { low, high, alpha, z }) => {
                let weights = self.total_weight(place, wiring);
                let vcs = dfba_vcs(z, vcs, weights, wiring);
                Dfba::new(units(low), units(high), alpha, vcs, weights, stream()).into()
            }
        };
        Policy::Framewise(Framewise::new(rule, count))
    }

    /// W: of all VCs that may be in the buffer, those that pass the link or, in shared memory, the node.
    fn total_weight(&self, place: &Place<'_>, wiring: &Wiring<'_>) -> f64 {
        let links = match place.room {
            PortRoom::Shared => wiring.outgoing(self.links[place.link].from),
            PortRoom::Infinite | PortRoom::PerPort(_) | PortRoom::PerVc(_) => &[place.link],
        };
        links.iter().flat_map(|&link| minimum_rates(wiring.vcs_of_link(link), wiring)).sum()
    }

    fn average(&self, red: &Red, link: usize) -> Average {
        let frame_time = match transmission(self.links[link].carries) {
            Transmission::Cells(cell_time) => cell_time * crate::atm::aal5::cells_of(red.mean_frame.0) as i64,
            Transmission::Packets { line_rate, overhead_bytes } => {
                line_rate.span_of_bits(8 * (red.mean_frame.0 + overhead_bytes))
            }
        };
        Average::new(red.weight, frame_time.max(Span::from_picoseconds(1)))
    }
}

/// By slot, bit/s of cell that frames are guaranteed; zero where they are not.
fn minimum_rates(vcs: &[u32], wiring: &Wiring<'_>) -> Vec<f64> {
    let bits = |gfr: &Gfr| gfr.mcr.bits_per_second() as f64;
    vcs.iter().map(|&vc| wiring.legs.of(vc).service().gfr().map_or(0.0, bits)).collect()
}

fn dfba_vcs(scale: DropScale, vcs: &[u32], weights: f64, wiring: &Wiring<'_>) -> Vec<DfbaVc> {
    let rates = minimum_rates(vcs, wiring);
    let vc = |(&vc, &weight): (&u32, &f64)| {
        let rest = if weights > 0.0 { 1.0 - weight / weights } else { 1.0 };
        let z = match scale {
            DropScale::One => 1.0,
            DropScale::Constant(z) => z,
            DropScale::OneMinusShare => rest,
            DropScale::OneMinusShareSquared => rest * rest,
            DropScale::PerVc => wiring.legs.of(vc).service().gfr().map_or(1.0, |gfr| gfr.z),
        };
        DfbaVc { weight, z }
    };
    vcs.iter().zip(&rates).map(vc).collect()
}

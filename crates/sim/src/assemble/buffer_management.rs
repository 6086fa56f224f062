//! Drop policies of ports: thresholds in units, shares by minimum cell rate, a random stream each.

use super::Assembly;
use super::ports::PortSite;
use super::queue_rules::QueueRules;
use crate::atm::Class;
use crate::engine::Stream;
use crate::scenario::part::drop;
use crate::scenario::{Drop, DropScale, Gfr, Lottery, Red, Threshold};
use crate::switch::{
    self, Average, Dfba, DfbaVc, Epd, Ered, Fba, Framewise, Fred, Policy, PortRoom, Ppd,
    PriorityDrop, Rule, SelectiveDrop, Tail, VirtualQueuing, VqDynamicEpd, VqMcr,
};
use crate::units::{CELL_BITS, Span};

/// The size of the buffer that a policy guards; `None`: no limit.
struct Capacity(Option<u64>);

impl Capacity {
    fn of(rules: &QueueRules, class: Class) -> Self {
        Self(match rules.room(class) {
            PortRoom::Infinite => None,
            PortRoom::PerPort(room) | PortRoom::PerVc(room) => Some(room),
            PortRoom::Shared => rules.shared_room(),
        })
    }

    fn units(&self, threshold: Threshold) -> u64 {
        threshold.of(self.0)
    }

    fn lottery(&self, lottery: &Lottery) -> switch::Lottery {
        let [min, max] =
            [lottery.min_threshold, lottery.max_threshold].map(|threshold| self.units(threshold));
        switch::Lottery::new(min, max, lottery.max_probability)
    }
}

impl Assembly<'_> {
    /// The policy of the queue of a class at a port.
    pub(super) fn policy(&self, site: &PortSite<'_>, rules: &QueueRules, class: Class) -> Policy {
        let (seed, link, vcs) = (self.scenario.run.seed, site.link, site.vcs);
        let stream = || Stream::new(seed, &format!("{}.{}.drop", site.name, class.word()));
        let capacity = Capacity::of(rules, class);
        if let Some(own) = self.own_policy(site, class, capacity.0) {
            return own;
        }
        let units = |threshold| capacity.units(threshold);
        let lottery = |lottery: &Lottery| capacity.lottery(lottery);
        let count = vcs.len();
        let rule: Rule = match rules.drop {
            Drop::Tail => return Policy::Tail(Tail),
            Drop::Ppd => return Policy::Ppd(Ppd::new(count)),
            Drop::Epd(epd) => Epd::new(units(epd.threshold)).into(),
            Drop::SelectiveDrop(share) => {
                SelectiveDrop::new(units(share.threshold), share.z).into()
            }
            Drop::Fba(share) => Fba::new(units(share.threshold), share.z).into(),
            Drop::Red(red) => {
                switch::Red::new(self.average(&red, link), lottery(&red.lottery), stream()).into()
            }
            Drop::Fred(drop::Fred { red, min_per_vc }) => {
                let average = self.average(&red, link);
                Fred::new(average, lottery(&red.lottery), units(min_per_vc), count, stream()).into()
            }
            Drop::VirtualQueuing(queues) => {
                VirtualQueuing::new(units(queues.threshold), count).into()
            }
            Drop::VqDynamicEpd(epd) => VqDynamicEpd::new(units(epd.threshold), count).into(),
            Drop::VqMcr(drop::VqMcr { threshold, interval }) => {
                let rates = self.minimum_rates(vcs);
                let mcrs: Vec<f64> = rates.iter().map(|rate| rate / CELL_BITS as f64).collect();
                VqMcr::new(units(threshold), interval, &mcrs).into()
            }
            Drop::Ered(ered) => {
                let average = self.average(&ered.unmarked, link);
                let unmarked = lottery(&ered.unmarked.lottery);
                Ered::new(average, unmarked, lottery(&ered.marked()), stream()).into()
            }
            Drop::Priority(drop::Priority { low, high }) => {
                PriorityDrop::new(units(low), units(high)).into()
            }
            Drop::Dfba(drop::Dfba { low, high, alpha, z }) => {
                let weights = self.total_weight(link, rules.room(class));
                let vcs = self.dfba_vcs(z, vcs, weights);
                Dfba::new(units(low), units(high), alpha, vcs, weights, stream()).into()
            }
        };
        Policy::Framewise(Framewise::new(rule, count))
    }

    /// W: of all VCs that may be in the buffer, those that pass the link or, in shared memory, the
    /// node.
    fn total_weight(&self, link: usize, room: PortRoom) -> f64 {
        let alone = [link];
        let links = match room {
            PortRoom::Shared => self.wiring.outgoing(self.scenario.links[link].from),
            PortRoom::Infinite | PortRoom::PerPort(_) | PortRoom::PerVc(_) => alone.as_slice(),
        };
        links.iter().flat_map(|&link| self.minimum_rates(self.wiring.vcs_of_link(link))).sum()
    }

    fn average(&self, red: &Red, link: usize) -> Average {
        let frame_time = self.transmission(link).span_of_packet(red.mean_frame.0);
        Average::new(red.weight, frame_time.max(Span::from_picoseconds(1)))
    }

    /// By slot, bit/s of cell that frames are guaranteed; zero where they are not.
    fn minimum_rates(&self, vcs: &[u32]) -> Vec<f64> {
        let bits = |gfr: &Gfr| gfr.mcr.bits_per_second() as f64;
        vcs.iter().map(|&vc| self.wiring.legs.of(vc).service().gfr().map_or(0.0, bits)).collect()
    }

    fn dfba_vcs(&self, scale: DropScale, vcs: &[u32], weights: f64) -> Vec<DfbaVc> {
        let vc = |(&vc, weight): (&u32, f64)| {
            let rest = if weights > 0.0 { 1.0 - weight / weights } else { 1.0 };
            let z = match scale {
                DropScale::One => 1.0,
                DropScale::Constant(z) => z,
                DropScale::OneMinusShare => rest,
                DropScale::OneMinusShareSquared => rest * rest,
                DropScale::PerVc => {
                    self.wiring.legs.of(vc).service().gfr().map_or(1.0, |gfr| gfr.z)
                }
            };
            DfbaVc { weight, z }
        };
        vcs.iter().zip(self.minimum_rates(vcs)).map(vc).collect()
    }
}

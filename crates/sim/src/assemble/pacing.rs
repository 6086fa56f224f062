//! Flows that leave their host at a rate of their own, which may follow the capacity of a link.

use super::Assembly;
use super::segments::{Load, Side, VcSegment};
use crate::host::{Pace, PacedVc, PacingPlan, ShaperProbe};
use crate::link::feedback::{ControlLink, Follower, PacingRate};
use crate::result::Recorders;
use crate::scenario::wire::rate_of;
use crate::scenario::{Flow, FlowPacing, Paced, Quantity, Tcp};
use crate::units::{CellsOrPackets, Rate, Span, Time};

impl Assembly<'_> {
    /// The pacing of the units that originate under a number, if they belong to a flow with
    /// `pacing` at their host.
    pub(super) fn paced(&self, vc: u32, segment: &VcSegment<'_>) -> Option<PacedVc> {
        let (Load::Flow(flow) | Load::Packets(flow, Side::Before)) = segment.load else {
            return None;
        };
        let is_back = |pacing: &FlowPacing| pacing.paces == Paced::Acknowledgements;
        let pacing = flow.pace.as_deref().filter(|pacing| is_back(pacing) == segment.is_back)?;
        let first = if segment.is_back { flow.reverse_path[0] } else { flow.path[0] };
        let leaves_host = segment.path.first() == Some(&first);
        let as_packets = !self.scenario.links[first].is_of_cells();
        leaves_host.then(|| {
            let recorders = self.pacing_recorders(flow, as_packets);
            let plan = PacingPlan {
                pace: self.pace(pacing),
                counted_as_on: as_packets.then(|| self.transmission(pacing.link)),
                acknowledges: flow.tcp.as_ref().filter(|_| segment.is_back).map(Tcp::full_segment),
                room: pacing.buffer.map(|room| match room {
                    CellsOrPackets::Cells(cells) => cells.0,
                    CellsOrPackets::Packets(packets) => packets.0,
                }),
                recorded: (!recorders.0.is_empty()).then(|| self.pace(pacing)),
            };
            PacedVc::new(vc, plan, recorders)
        })
    }

    fn pace(&self, pacing: &FlowPacing) -> Pace {
        if let PacingRate::Constant(rate) = pacing.rate {
            return Pace::Constant(rate.rate);
        }
        let law = pacing.rate.law(pacing.samples_of_round_trip());
        let capacity = self.scenario.capacity_of(pacing.link, Span::ZERO);
        let Some((law, capacity)) = law.zip(capacity) else {
            let share = rate_of(&self.scenario.links[pacing.link]) / pacing.sharers;
            return Pace::Constant(Rate::from_bits_per_second(share.max(1)));
        };
        let FlowPacing { interval, delay, sharers, .. } = *pacing;
        let until = Time::ZERO + self.scenario.run.duration;
        let control = ControlLink { interval, delay, sharers };
        Pace::Fed(Box::new(Follower::new(control, law, capacity, until)))
    }

    fn pacing_recorders(&self, flow: &Flow, as_packets: bool) -> Recorders<ShaperProbe> {
        let of_queue = if as_packets { "packet" } else { "cell" };
        let probes = [
            (ShaperProbe::Rate, Quantity::PacingRate, "bit/s"),
            (ShaperProbe::Queue, Quantity::PacingQueue, of_queue),
        ];
        let recorders = probes.into_iter().filter_map(|(probe, quantity, unit)| {
            let name = format!("{}.{}", flow.name, quantity.word());
            Some((probe, self.recorder(quantity, &name, unit)?))
        });
        Recorders(recorders.collect())
    }
}

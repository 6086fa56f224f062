//! Flows that leave their host at a rate of their own, which may follow the capacity of a link.

use super::Assembly;
use super::segments::{Load, Side, VcSegment};
use crate::host::{Pace, PacedVc, PacingPlan, ShaperProbe};
use crate::link::feedback::{ControlLink, Follower, PacingRate};
use crate::scenario::wire::rate_of;
use crate::scenario::{FlowPacing, Paced, Quantity};
use crate::units::{CellsOrPackets, Rate, Span, Time};

/// The pacing of the units that originate under a number, if they belong to a flow with
/// `pacing` at their host.
pub(super) fn paced(assembly: &Assembly<'_>, vc: u32, segment: &VcSegment<'_>) -> Option<PacedVc> {
    let (Load::Flow(flow) | Load::Packets(flow, Side::Before)) = segment.load else {
        return None;
    };
    let is_back = |pacing: &FlowPacing| pacing.paces == Paced::Acknowledgements;
    let pacing = flow.pace.as_deref().filter(|pacing| is_back(pacing) == segment.is_back)?;
    let first = if segment.is_back { flow.reverse_path[0] } else { flow.path[0] };
    let leaves_host = segment.path.first() == Some(&first);
    let as_packets = !assembly.scenario.links[first].is_of_cells();
    leaves_host.then(|| {
        let of_queue = if as_packets { "packet" } else { "cell" };
        let probes = [
            (ShaperProbe::Rate, Quantity::PacingRate, "bit/s"),
            (ShaperProbe::Queue, Quantity::PacingQueue, of_queue),
        ];
        let recorders = assembly.recorders(&flow.name, probes);
        let plan = PacingPlan {
            pace: pace(assembly, pacing),
            counted_as_on: as_packets.then(|| assembly.transmission(pacing.link)),
            acknowledges: flow
                .tcp
                .as_ref()
                .filter(|_| segment.is_back)
                .map(|tcp| (tcp.full_segment(), tcp.ip.tcp_headers())),
            room: pacing.buffer.map(|room| match room {
                CellsOrPackets::Cells(cells) => cells.0,
                CellsOrPackets::Packets(packets) => packets.0,
            }),
            recorded: (!recorders.0.is_empty()).then(|| pace(assembly, pacing)),
        };
        PacedVc::new(vc, plan, recorders)
    })
}

fn pace(assembly: &Assembly<'_>, pacing: &FlowPacing) -> Pace {
    if let PacingRate::Constant(rate) = pacing.rate {
        return Pace::Constant(rate.rate);
    }
    let law = pacing.rate.law(pacing.samples_of_round_trip());
    let capacity = assembly.scenario.capacity_of(pacing.link, Span::ZERO);
    let Some((law, capacity)) = law.zip(capacity) else {
        let share = rate_of(&assembly.scenario.links[pacing.link]) / pacing.sharers;
        return Pace::Constant(Rate::from_bits_per_second(share.max(1)));
    };
    let FlowPacing { interval, delay, sharers, .. } = *pacing;
    let until = Time::ZERO + assembly.scenario.run.duration;
    let control = ControlLink { interval, delay, sharers };
    Pace::Fed(Box::new(Follower::new(control, law, capacity, until)))
}

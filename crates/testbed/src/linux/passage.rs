//! Packets of flows that are left to programs, counted where they enter and leave the path: nobody
//! knows what programs say to one another.

use std::collections::BTreeMap;

use cellway_sim::Simulation;
use cellway_sim::engine::Place;
use cellway_sim::pdu::{Arrival, FlowEnd, LostPacket};
use cellway_sim::result::{DelayDistribution, Window};
use cellway_sim::units::{Span, Time};

use crate::record::{LeftFacts, PassageFacts};

/// Packets of one direction since the end of the warm-up.
#[derive(Debug)]
struct Passage {
    sent: u64,
    sent_bytes: u64,
    delivered: u64,
    delivered_bytes: u64,
    lost: BTreeMap<Place, u64>,
    delays: DelayDistribution,
}

/// Packets by the end that sent them; none of other flows.
#[derive(Debug, Default)]
pub(super) struct Passages {
    from: BTreeMap<FlowEnd, Passage>,
    warm_up: Time,
}

impl Passages {
    /// Makes counters of the flows with these numbers, from `warm_up` to `end`.
    pub(super) fn of(flows: impl Iterator<Item = usize>, warm_up: Time, end: Time) -> Self {
        let ends = flows.flat_map(|flow| [FlowEnd::Origin(flow), FlowEnd::Destination(flow)]);
        let passage = || Passage {
            sent: 0,
            sent_bytes: 0,
            delivered: 0,
            delivered_bytes: 0,
            lost: BTreeMap::new(),
            delays: DelayDistribution::new(Window { from: warm_up, until: end }),
        };
        Self { from: ends.map(|end| (end, passage())).collect(), warm_up }
    }

    /// Counts a packet that enters the path.
    pub(super) fn sent(&mut self, from: FlowEnd, at: Time, bytes: u64) {
        if at >= self.warm_up
            && let Some(passage) = self.from.get_mut(&from)
        {
            passage.sent += 1;
            passage.sent_bytes += bytes;
        }
    }

    /// Counts a packet that leaves it.
    pub(super) fn arrived(&mut self, arrival: &Arrival) {
        if arrival.at >= self.warm_up
            && let Some(passage) = self.from.get_mut(&arrival.end.other())
        {
            passage.delivered += 1;
            passage.delivered_bytes += u64::from(arrival.packet.ip_bytes);
            passage.delays.note(arrival.sent_at, arrival.at);
        }
    }

    /// Counts a packet that it lost.
    pub(super) fn lost(&mut self, lost: &LostPacket) {
        if lost.at >= self.warm_up
            && let Some(passage) = self.from.get_mut(&lost.from)
        {
            *passage.lost.entry(lost.place).or_default() += 1;
        }
    }

    /// Facts about a flow after so much of measurement.
    pub(super) fn facts(
        &self,
        flow: usize,
        [source, sink]: [&str; 2],
        simulation: &Simulation<'_>,
        measured: Span,
    ) -> LeftFacts {
        let of = |end, [from, to]: [&str; 2]| {
            let passage: &Passage = &self.from[&end];
            let lost = passage.lost.iter();
            PassageFacts {
                from: from.to_owned(),
                to: to.to_owned(),
                sent: passage.sent,
                sent_bytes: passage.sent_bytes,
                delivered: passage.delivered,
                delivered_bytes: passage.delivered_bytes,
                packet_bits_per_second: 8.0 * passage.delivered_bytes as f64
                    / measured.seconds_f64(),
                lost: lost.map(|(place, number)| (simulation.name_of(*place), *number)).collect(),
                delay: passage.delays.summary(),
            }
        };
        LeftFacts {
            there: of(FlowEnd::Origin(flow), [source, sink]),
            back: of(FlowEnd::Destination(flow), [sink, source]),
        }
    }
}

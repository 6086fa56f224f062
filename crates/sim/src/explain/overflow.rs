//! Queues that windows make at the port that narrows their transport: its first output of a switch
//! or an edge with the smallest share of a link, unless its own interface or pace is as narrow.
//!
//! While the senders are busy, data in flight are on the path or in that queue. The path holds the
//! data that the link sends in an unloaded round trip, without the segment that it is sending,
//! which is in the queue; of several flows each has its share of the link. The rest of the windows
//! waits.
//!
//! In slow start an ACK of one segment lets two follow at once, one of two segments three. A half,
//! or a third, of the last window before the largest thus comes before the link can have sent it,
//! even where the path has room for all. When the queue overflows, this goes on until the sender
//! learns of the loss, a round trip with a full queue later.
//!
//! Not counted: processors that space the segments, and other traffic.

use std::collections::BTreeMap;

use serde::Serialize;

use super::capacity::mean_rate;
use super::tcp::window;
use super::{FlowFacts, LinkFacts, pace_bits_per_second};
use crate::atm::Class;
use crate::result::Shaped;
use crate::scenario::resolved::{AckRule, Flow, NodeRef, Scenario, Tcp};
use crate::scenario::wire::{bits_of_segment, cells_of_segment};

/// Windows of the flows at a queue, in its units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Shaped)]
pub struct WindowsFacts {
    /// Transports that this port narrows, apart from those of requests and responses.
    pub flows: usize,
    /// Cells or packets of their full windows.
    #[unit("cell")]
    pub units: u64,
    /// Number of these units that the path holds at the rate of the link.
    #[unit("cell")]
    pub on_the_path: f64,
    /// The longest queue that they make without a limit: the units that the path does not hold, or
    /// those that slow start brings at once if they are more, for all flows at the same time. An
    /// estimate to within a segment or two of each flow.
    pub largest_queue: f64,
    /// Cells or packets of their largest full segment.
    #[unit("cell")]
    pub units_per_segment: u64,
    /// Units that slow start adds for every unit that is acknowledged while a queue overflows: 1,
    /// or 0.5 with delayed ACKs, or as much less as the links before it let pass; the maximum of
    /// several flows.
    #[unit("1")]
    pub overshoot: f64,
}

/// Windows at one port, by the service class of the flows.
pub(super) type OfClasses = BTreeMap<Class, WindowsFacts>;

/// Windows at the ports, by link.
pub(super) fn all(scenario: &Scenario, links: &[LinkFacts], facts: &[FlowFacts]) -> Vec<OfClasses> {
    let mut found = vec![OfClasses::new(); links.len()];
    for (index, facts) in facts.iter().enumerate() {
        let flow = &scenario.flows[index];
        let (Some(tcp), Some(of_tcp)) = (&flow.tcp, &facts.tcp) else { continue };
        // A request does not fill a window, and how much of one its response fills is not known.
        if flow.traffic.has_responses() {
            continue;
        }
        let Some(link) = narrowing(scenario, links, index, tcp) else { continue };
        let share = share(scenario, links, link);
        let is_of_cells = scenario.links[link].is_of_cells();
        let of_class = found[link].entry(flow.service.class()).or_default();
        let units = |bytes: u64| if is_of_cells { cells_of_segment(bytes, tcp.ip) } else { 1 };
        let segment = units(tcp.mss.0);
        let (bytes, segments, _) = window(tcp);
        let full = if segments > 0 { segments * segment } else { units(bytes) };
        let threshold = tcp.initial_ssthresh.map_or(u64::MAX, |ssthresh| ssthresh.0);
        let in_slow_start =
            full.min(threshold.div_ceil(tcp.full_segment()).saturating_mul(segment));
        let overshoot = match tcp.ack {
            AckRule::EverySegment => 1.0_f64,
            AckRule::Delayed | AckRule::Quick(_) => 0.5,
        };
        let overshoot = overshoot.min(arriving(scenario, flow, link) / share - 1.0).max(0.0);
        let link = &scenario.links[link];
        let bits = bits_of_segment(tcp.mss.0, tcp.ip, link) as f64;
        let sending = bits / mean_rate(scenario, link);
        of_class.flows += 1;
        of_class.units += full;
        of_class.on_the_path +=
            share / bits * segment as f64 * (of_tcp.unloaded_rtt_seconds - sending).max(0.0);
        // Before all flows are added, the queue holds only the units of slow start.
        of_class.largest_queue += in_slow_start as f64 * overshoot / (1.0 + overshoot);
        of_class.units_per_segment = of_class.units_per_segment.max(segment);
        of_class.overshoot = of_class.overshoot.max(overshoot);
    }
    for windows in found.iter_mut().flat_map(BTreeMap::values_mut) {
        let waiting = windows.units as f64 - windows.on_the_path;
        windows.largest_queue = windows.largest_queue.max(waiting);
    }
    found
}

/// Bits per second at which a flow may arrive at a link of its path.
fn arriving(scenario: &Scenario, flow: &Flow, link: usize) -> f64 {
    let before = flow.path.iter().take_while(|&&other| other != link);
    before.map(|&link| mean_rate(scenario, &scenario.links[link])).fold(f64::INFINITY, f64::min)
}

/// Share of a flow on a link, bits per second.
fn share(scenario: &Scenario, links: &[LinkFacts], link: usize) -> f64 {
    let alone = mean_rate(scenario, &scenario.links[link]);
    links[link].fair_share_bits_per_second.unwrap_or(alone)
}

/// The output with the lowest rate for a flow's data.
fn narrowing(scenario: &Scenario, links: &[LinkFacts], flow: usize, tcp: &Tcp) -> Option<usize> {
    let flow = &scenario.flows[flow];
    let payload = |link: usize| {
        let bits = bits_of_segment(tcp.mss.0, tcp.ip, &scenario.links[link]) as f64;
        share(scenario, links, link) / bits
    };
    let narrowest = flow.path.iter().copied().reduce(|narrowest, next| {
        if payload(next) < payload(narrowest) { next } else { narrowest }
    })?;
    let is_paced =
        pace_bits_per_second(flow).is_some_and(|pace| pace <= share(scenario, links, narrowest));
    let from = scenario.links[narrowest].from;
    let is_port = match from {
        NodeRef::Switch(_) => true,
        NodeRef::Edge(_) => !scenario.links[narrowest].is_of_cells(),
        NodeRef::Host(_) => false,
    };
    (is_port && !is_paced && flow.pace.is_none()).then_some(narrowest)
}

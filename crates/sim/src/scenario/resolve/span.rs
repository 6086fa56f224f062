//! Check that the longest span of a scenario fits into simulated time.

use crate::engine::MOST_MEANS;
use crate::language::fault::Fault;
use crate::language::key_path::KeyPath;
use crate::link::capacity::Capacity;
use crate::scenario::port_room::buffer_at;
use crate::scenario::resolved::{
    BsdTimers, Buffer, Carries, FineTimers, FixedRto, Flow, Host, NodeRef, Sar, Scenario, Service,
    Tagging, Tcp, Timers,
};
use crate::scenario::wire::{bits_of_segment, cells_of_segment, peak_on, rate_of};
use crate::traffic::SourceLoad;
use crate::units::{CELL_BITS, Span, Time};

const PICOSECONDS_PER_SECOND: u128 = 1_000_000_000_000;

/// Checks every instant that the run may compute: the end of the run plus the longest wait begun
/// before it must fit.
pub(super) fn check(scenario: &Scenario) -> Result<(), Fault> {
    let waits = [
        longest_timer(scenario),
        longest_queue(scenario),
        longest_processing(scenario),
        longest_way(scenario),
        longest_gap(scenario),
        longest_interval(scenario),
    ];
    let duration = ps(scenario.run.duration);
    let total = waits.iter().fold(duration, |sum, (wait, _)| sum.saturating_add(*wait));
    let longest = longest(scenario);
    if total <= longest {
        return Ok(());
    }
    let (wait, what) = waits.iter().max_by_key(|(wait, _)| *wait).expect("there are six");
    let days = |span: u128| span / ps(Span::from_seconds(86_400));
    let message = format!(
        "the run may compute instants after {} days: {} days of `run.duration` and {} days for \
         {what}; expected at \
         most {} days in all",
        days(total),
        days(duration),
        days(*wait),
        days(longest),
    );
    Err(Fault::at_key(KeyPath::new(&["run", "duration"]), message))
}

/// The longest span. With a varying rate, a unit may be on the line until [`Capacity::FAR`] and go
/// on from there.
fn longest(scenario: &Scenario) -> u128 {
    if scenario.links.iter().any(|link| link.capacity.is_some()) {
        return ps(Capacity::FAR - Time::ZERO);
    }
    ps(Span::LONGEST)
}

fn ps(span: Span) -> u128 {
    span.picoseconds() as u128
}

fn longest_timer(scenario: &Scenario) -> (u128, String) {
    let longest = |tcp: &Tcp| match tcp.timers {
        Timers::Bsd(BsdTimers { slow, fast, max_rto, .. }) => ps(slow) + ps(fast) + ps(max_rto),
        Timers::Fine(FineTimers { granularity, initial_rto, max_rto, ack_delay, .. }) => {
            ps(granularity) + ps(initial_rto) + ps(max_rto) + ps(ack_delay)
        }
        Timers::Fixed(fixed) => {
            let of_round_trip = match fixed.rto {
                FixedRto::Span(_) => 0,
                FixedRto::RoundTrips(trips) => u128::from(trips) * ps(scenario.run.duration),
            };
            of_round_trip + ps(fixed.first_rto()) + ps(fixed.ack_delay)
        }
    };
    let timers = scenario.flows.iter().filter_map(|flow| flow.tcp.as_ref()).map(longest);
    (timers.max().unwrap_or(0), "a retransmission timer".to_owned())
}

/// The longest time in which a queue before a link drains at the rate of the link.
fn longest_queue(scenario: &Scenario) -> (u128, String) {
    let mut offered = vec![(0_u128, 0_u64); scenario.links.len()];
    let mut at_shared = vec![0_u128; scenario.vcs.len()];
    let mut longest = (0, String::new());
    for flow in &scenario.flows {
        let bits = offered_bits(flow, scenario);
        for &link in flow.path.iter().chain(&flow.reverse_path) {
            let (sum, flows) = offered[link];
            let sent = bits.saturating_add(out_of_rate_bits(flow, scenario));
            offered[link] = (sum.saturating_add(sent), flows + 1);
        }
        let together = flow.vc.map_or(bits, |vc| {
            at_shared[vc] = at_shared[vc].saturating_add(bits);
            at_shared[vc]
        });
        let at_source = sending_time(together, source_rate(flow, scenario));
        longest = longest
            .max((at_source, format!("the data waiting at the source of `flow.{}`", flow.name)));
    }
    let waits =
        scenario.links.iter().enumerate().zip(&offered).map(|((index, link), &(bits, flows))| {
            let most = buffer_bits(scenario, index, flows).map_or(bits, |size| size.min(bits));
            (sending_time(most, rate_of(link)), format!("the queue onto `link.{}`", link.name))
        });
    waits.max().unwrap_or_default().max(longest)
}

/// Maximum number of copies of a window that go-back-N leaves in a queue before its timer backs off
/// to its maximum.
const COPIES_OF_A_WINDOW: u128 = 64;

/// Maximum number of bits that a flow can leave waiting in one queue.
fn offered_bits(flow: &Flow, scenario: &Scenario) -> u128 {
    let first = &scenario.links[flow.path[0]];
    let whole_run =
        |rate: u64| u128::from(rate) * ps(scenario.run.duration) / PICOSECONDS_PER_SECOND;
    match (&flow.traffic, &flow.tcp) {
        (_, None) => {
            let on_links = |load: SourceLoad| {
                let peaks = flow.path.iter().map(|&link| peak_on(&load, &scenario.links[link]));
                peaks.fold(0.0, f64::max).ceil() as u64
            };
            whole_run(flow.load().map_or_else(|| rate_of(first), on_links)) * 2
        }
        (_, Some(tcp)) => {
            let segments = u128::from(tcp.window.0.div_ceil(tcp.full_segment()) + 1);
            // In packets or in cells, whichever take more bits.
            let sizes = flow
                .path
                .iter()
                .map(|&link| bits_of_segment(tcp.mss.0, tcp.ip, &scenario.links[link]));
            let window = segments * u128::from(sizes.max().unwrap_or(0));
            // A window may be handed to a slow interface at one instant, however short the run.
            whole_run(entry_rate(flow, scenario)).clamp(window, window * COPIES_OF_A_WINDOW)
        }
    }
}

/// Bits of the RM cells that an ABR source sends while its rate is below TCR, and of those that
/// return (TM 4.0 source rule 11).
fn out_of_rate_bits(flow: &Flow, scenario: &Scenario) -> u128 {
    let Service::Abr(abr) = flow.service else { return 0 };
    let duration = ps(scenario.run.duration);
    u128::from(abr.tcr.bits_per_second()) * duration / PICOSECONDS_PER_SECOND
}

/// Rate at which a flow leaves its host, bits per second.
fn entry_rate(flow: &Flow, scenario: &Scenario) -> u64 {
    let first = &scenario.links[flow.path[0]];
    if first.is_of_cells() { source_rate(flow, scenario) } else { rate_of(first) }
}

/// Rate at which the source of its cells sends, bits per second; without cells, that of its host.
fn source_rate(flow: &Flow, scenario: &Scenario) -> u64 {
    let cells = scenario.cell_links(&flow.path);
    let first = rate_of(&scenario.links[*cells.first().unwrap_or(&flow.path[0])]);
    let pace = flow.service.pace();
    pace.map_or(first, |pace| pace.of_cells().bits_per_second().clamp(1, first))
}

/// Capacity of the buffer before a link in bits; `None` for no limit.
fn buffer_bits(scenario: &Scenario, index: usize, flows: u64) -> Option<u128> {
    let link = &scenario.links[index];
    let buffer = match link.from {
        NodeRef::Switch(switch) => scenario.switches[switch].buffer,
        NodeRef::Edge(edge) if !link.is_of_cells() => scenario.edges[edge].buffer,
        NodeRef::Edge(_) | NodeRef::Host(_) => return None,
    };
    let count = buffer_at(scenario, buffer, index).size()?.count();
    let queues = if matches!(buffer, Buffer::PerVc(_)) { flows } else { 1 };
    let unit = match link.carries {
        Carries::Cells { .. } => CELL_BITS,
        Carries::Packets { framing, .. } => framing.wire_bits(65_535),
    };
    Some(u128::from(count + 1) * u128::from(queues) * u128::from(unit))
}

fn sending_time(bits: u128, rate: u64) -> u128 {
    bits.saturating_mul(PICOSECONDS_PER_SECOND) / u128::from(rate)
}

/// Time to process the segments of both windows waiting for a host, as often as they may be sent,
/// each for its processor and its AAL5 engine.
fn longest_processing(scenario: &Scenario) -> (u128, String) {
    let mut work = vec![0_u128; scenario.hosts.len()];
    for flow in &scenario.flows {
        let Some(tcp) = &flow.tcp else { continue };
        // The window has as many ACKs as segments, and one shorter segment.
        let window = u128::from(tcp.window.0.div_ceil(tcp.full_segment()) + 1);
        let segments = COPIES_OF_A_WINDOW * 2 * window;
        for host in [flow.source, flow.sink] {
            work[host] += segments * segment_work(&scenario.hosts[host], tcp);
        }
    }
    let waits = work.into_iter().zip(&scenario.hosts);
    let waits =
        waits.map(|(wait, host)| (wait, format!("the segments waiting for `host.{}`", host.name)));
    waits.max_by_key(|(wait, _)| *wait).unwrap_or_default()
}

fn segment_work(host: &Host, tcp: &Tcp) -> u128 {
    let sar = match host.sar {
        Sar::PerCell(span) => ps(span) * u128::from(cells_of_segment(tcp.mss.0, tcp.ip)),
        Sar::PerFrame(span) => ps(span),
    };
    host.cpu_per_segment.max_picoseconds() as u128 + sar
}

/// Propagation and switching along the longest path and back: a fixed round trip is a span too.
fn longest_way(scenario: &Scenario) -> (u128, String) {
    let way = |path: &[usize]| path.iter().map(|&link| hop(scenario, link)).sum::<u128>();
    let ways = scenario.flows.iter().map(|flow| {
        let there_and_back = way(&flow.path) + way(&flow.reverse_path);
        (there_and_back, format!("the path of `flow.{}`, there and back", flow.name))
    });
    ways.max_by_key(|(wait, _)| *wait).unwrap_or_default()
}

/// Longest time from one cell or datagram of a source to the next.
fn longest_gap(scenario: &Scenario) -> (u128, String) {
    let gaps = scenario.flows.iter().filter_map(|flow| {
        let load = flow.traffic.source(flow.ip)?;
        let what = if load.is_random {
            format!("a gap of `flow.{}`, which may draw {MOST_MEANS} times its mean", flow.name)
        } else {
            format!("a gap of `flow.{}`", flow.name)
        };
        Some((load.max_gap, what))
    });
    gaps.max_by_key(|(wait, _)| *wait).unwrap_or_default()
}

/// Longest interval of allocators, drop policies and markers.
fn longest_interval(scenario: &Scenario) -> (u128, String) {
    let switches = scenario.switches.iter().map(|switch| {
        let measuring = switch.rate_allocator.measuring_interval().map(|(interval, _)| interval);
        (
            measuring.max(switch.drop.facts().interval),
            format!("an interval of `switch.{}`", switch.name),
        )
    });
    let edges = scenario.edges.iter();
    let edges = edges
        .map(|edge| (edge.drop.facts().interval, format!("an interval of `edge.{}`", edge.name)));
    let of_service = |service: Service| match service.gfr()?.tagging {
        Tagging::Pme(pme) => Some(pme.interval),
        Tagging::None | Tagging::FGcra => None,
    };
    let flows = scenario.flows.iter();
    let flows = flows
        .map(|flow| (of_service(flow.service), format!("an interval of `flow.{}`", flow.name)));
    let intervals = switches.chain(edges).chain(flows);
    let longest = intervals.max_by_key(|(interval, _)| *interval);
    longest.map_or_else(Default::default, |(interval, what)| (interval.map_or(0, ps), what))
}

fn hop(scenario: &Scenario, link: usize) -> u128 {
    let link = &scenario.links[link];
    let waits = link.impairments.iter().flat_map(|impairments| &impairments.0);
    let waits: u128 = waits.map(|impairment| ps(impairment.longest_wait())).sum();
    waits + ps(link.delay.max()) + ps(scenario.processing_of(link.to))
}

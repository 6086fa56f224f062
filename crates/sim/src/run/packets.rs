//! Packets of a part of a run: the instants at which hosts sent them and at which they arrived.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;

use super::{Continue, Pause, Progress, RunError, Simulation, report_progress};
use crate::capture::CapturePoints;
use crate::explain::explain;
use crate::pdu::{Captured, CapturedUnit, Frame};
use crate::result::Series;
use crate::scenario::Scenario;
use crate::units::{Span, Time};

/// Longest time behind a window in which its packets may still arrive.
const LONGEST: Span = Span::from_seconds(2);
/// Number of packets that are kept at most, the first of the window; a page asks for fewer.
const MOST: usize = 100_000;

/// Identity of a packet on its way: direction, instant of sending, sequence and acknowledgement.
type Key = (u32, Time, u64, u64);

/// Runs a scenario until the packets that its hosts sent within `window` have had the time of the
/// window, or of four round trips, to arrive, at most 2 s; `tell` may cancel.
///
/// Each flow has three series with an instant for each packet, that at which its host handed it to
/// the interface: `FLOW.packets` has the instant of arrival in seconds, or NaN, `.size` the bytes
/// of the IP packet, `.sequence` the first byte of data of TCP or -1. `FLOW.answers` and so on are
/// those from the destination, with the acknowledged byte. The packets are those of
/// [`run`](super::run), the first 100 000.
pub fn packets(
    scenario: &Scenario,
    window: RangeInclusive<Time>,
    tell: &mut dyn FnMut(Progress) -> Continue,
) -> Result<Vec<Series>, RunError> {
    let mut simulation = Simulation::builder(scenario).start()?;
    let hosts: Vec<&str> = scenario.hosts.iter().map(|host| host.name.as_str()).collect();
    // Without a flow of packets there are none.
    let Ok(points) = CapturePoints::at_hosts(scenario, &hosts) else { return Ok(Vec::new()) };
    simulation.capture(&points);
    let last = last_arrival(scenario, &window).min(simulation.end());
    let mut packets = Packets { window, ways: BTreeMap::new(), on_way: BTreeMap::new(), sent: 0 };
    loop {
        let pause = simulation.run_until(last)?;
        simulation.take_captured().for_each(|captured| packets.note(&captured));
        if pause == Pause::AtBarrier {
            return Ok(packets.series(scenario));
        }
        report_progress(tell, simulation.now(), simulation.end())?;
    }
}

/// Instant from which on no packet of the window is waited for.
fn last_arrival(scenario: &Scenario, window: &RangeInclusive<Time>) -> Time {
    let trips = explain(scenario).flows.into_iter().filter_map(|flow| flow.propagation_rtt_seconds);
    let round_trips = Span::from_picoseconds((4e12 * trips.fold(0.0, f64::max)) as i64);
    let wait = (*window.end() - *window.start()).max(round_trips).min(LONGEST);
    window.end().saturating_add(wait)
}

/// Packets that hosts sent within a window, by direction of their flow.
struct Packets {
    window: RangeInclusive<Time>,
    ways: BTreeMap<u32, Way>,
    /// Numbers of the packets of an identity, the first first.
    on_way: BTreeMap<Key, VecDeque<usize>>,
    sent: usize,
}

/// Packets of one direction, in the order in which they were sent.
#[derive(Default)]
struct Way {
    sent: Vec<Time>,
    /// Seconds; NaN where a packet has not arrived.
    arrived: Vec<f64>,
    size: Vec<f64>,
    /// Sequence number of data, acknowledgement number of the way back.
    sequence: Vec<f64>,
}

impl Packets {
    /// Notes a packet that is sent, or has arrived. The first copy that a link makes counts.
    fn note(&mut self, captured: &Captured) {
        let CapturedUnit::Frame(frame) = &captured.unit else { return };
        let key = (frame.direction, frame.sent_at, frame.segment.seq, frame.segment.ack);
        if captured.is_sent {
            if self.window.contains(&captured.at) && self.sent < MOST {
                let number = self.ways.entry(frame.direction).or_default().send(frame, captured.at);
                self.on_way.entry(key).or_default().push_back(number);
                self.sent += 1;
            }
        } else if let Some(number) = self.on_way.get_mut(&key).and_then(VecDeque::pop_front)
            && let Some(way) = self.ways.get_mut(&frame.direction)
        {
            way.arrived[number] = captured.at.seconds_f64();
        }
    }

    fn series(self, scenario: &Scenario) -> Vec<Series> {
        let ways = self.ways.into_iter();
        ways.flat_map(|(direction, way)| {
            let flow = &scenario.flows[direction as usize / 2];
            let word = if direction.is_multiple_of(2) { "packets" } else { "answers" };
            way.series(&format!("{}.{word}", flow.name), flow.tcp.is_some())
        })
        .collect()
    }
}

impl Way {
    /// Appends a packet; returns its number.
    fn send(&mut self, frame: &Frame, at: Time) -> usize {
        let segment = &frame.segment;
        let number = if frame.direction.is_multiple_of(2) { segment.seq } else { segment.ack };
        self.sent.push(at);
        self.arrived.push(f64::NAN);
        self.size.push(f64::from(frame.bytes));
        self.sequence.push(number as f64);
        self.sent.len() - 1
    }

    fn series(self, name: &str, is_tcp: bool) -> [Series; 3] {
        let Self { sent, arrived, size, mut sequence } = self;
        if !is_tcp {
            sequence.fill(-1.0);
        }
        let one = |suffix: &str, unit, values| {
            let (name, times) = (format!("{name}{suffix}"), sent.clone());
            Series { name, unit, times, values, means: None, thinned: 0 }
        };
        [one("", "second", arrived), one(".size", "byte", size), one(".sequence", "byte", sequence)]
    }
}

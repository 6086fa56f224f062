//! Packets of a run: the instants at which hosts sent them and at which they arrived.

use std::collections::BTreeMap;

use cellway_sim::pdu::{Captured, CapturedUnit, Frame};
use cellway_sim::scenario::Scenario;
use cellway_sim::units::Time;

use crate::answer::{Column, Columns};

/// Identity of a packet on its way: direction, instant of sending, sequence and acknowledgement.
type Key = (u32, Time, u64, u64);

/// Packets that hosts sent within a window, by direction of their flow.
#[derive(Debug)]
pub(crate) struct Packets {
    window: Option<(f64, f64)>,
    ways: BTreeMap<u32, Way>,
    on_way: BTreeMap<Key, usize>,
}

/// Packets of one direction, in the order in which they were sent.
#[derive(Debug, Default)]
struct Way {
    sent: Vec<f64>,
    /// NaN where a packet has not arrived.
    arrived: Vec<f64>,
    size: Vec<f64>,
    /// Sequence number of data, acknowledgement number of what comes back.
    sequence: Vec<f64>,
}

impl Packets {
    /// Keeps the packets that are sent between these instants, in seconds; all without them.
    pub(crate) fn new(window: Option<(f64, f64)>) -> Self {
        Self { window, ways: BTreeMap::new(), on_way: BTreeMap::new() }
    }

    /// Notes a packet that is sent, or has arrived. Of the copies that a link makes the first
    /// counts.
    pub(crate) fn add(&mut self, captured: &Captured) {
        let CapturedUnit::Frame(frame) = &captured.unit else { return };
        let key = (frame.direction, frame.sent_at, frame.segment.seq, frame.segment.ack);
        let at = captured.at.seconds_f64();
        if captured.is_sent {
            if self.window.is_none_or(|(from, until)| (from..=until).contains(&at)) {
                let number = self.ways.entry(frame.direction).or_default().send(frame, at);
                self.on_way.insert(key, number);
            }
        } else if let Some(number) = self.on_way.remove(&key)
            && let Some(way) = self.ways.get_mut(&frame.direction)
        {
            way.arrived[number] = at;
        }
    }

    /// Columns of each flow: `FLOW.packets` has the instants of sending and those of arrival,
    /// `.size` the octets of the IP packets, `.sequence` the first octet of data of TCP or -1;
    /// `FLOW.answers` and so on are those that come back, with the acknowledged octet.
    pub(crate) fn columns(self, scenario: &Scenario) -> Columns {
        let mut columns = Columns::default();
        for (direction, way) in self.ways {
            let flow = &scenario.flows[direction as usize / 2];
            let word = if direction.is_multiple_of(2) { "packets" } else { "answers" };
            way.append(&format!("{}.{word}", flow.name), flow.tcp.is_some(), &mut columns);
        }
        columns
    }
}

impl Way {
    /// Appends a packet; returns its number.
    fn send(&mut self, frame: &Frame, at: f64) -> usize {
        let segment = &frame.segment;
        let number = if frame.direction.is_multiple_of(2) { segment.seq } else { segment.ack };
        self.sent.push(at);
        self.arrived.push(f64::NAN);
        self.size.push(f64::from(frame.bytes));
        self.sequence.push(number as f64);
        self.sent.len() - 1
    }

    fn append(self, name: &str, is_tcp: bool, columns: &mut Columns) {
        let Self { sent, arrived, size, mut sequence } = self;
        if !is_tcp {
            sequence.fill(-1.0);
        }
        let of_packets =
            [("", "second", arrived), (".size", "byte", size), (".sequence", "byte", sequence)];
        for (suffix, unit, values) in of_packets {
            let name = format!("{name}{suffix}");
            columns.names.push(Column { name, unit, points: sent.len(), mean: false, thinned: 0 });
            columns.numbers.extend([sent.clone(), values]);
        }
    }
}

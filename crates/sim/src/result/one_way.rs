//! Packets of one flow from host to host: delays, their changes, and the number of packets that
//! never arrive.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{DelayDistribution, DelaySummary, Shaped, Window};
use crate::units::Time;

/// Number of packets that are remembered where links make copies: copies of these are recognised.
const REMEMBERED: usize = 1 << 16;

/// Counters of the receiving host of a flow.
///
/// A change of delay is the difference between one packet with data and the next in the order of
/// arrival. Interarrival jitter is that of RFC 3550 §6.4.1, J += (|D| − J)/16, from the first
/// packet of the run on; mean and largest |D| are those of the measurement.
#[derive(Clone, Debug)]
pub struct OneWay {
    delays: DelayDistribution,
    window: Window,
    latest: Option<i64>,
    jitter: f64,
    differences: u64,
    sum: i128,
    max: i64,
    arrived: u64,
    /// Latest sent packets that have arrived, if a copy of one may arrive.
    recent: Option<BTreeSet<PacketId>>,
}

/// Identity of a packet of a flow: a retransmission is another packet, a copy that a link makes is
/// not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PacketId {
    /// Instant at which its host handed it to its interface.
    pub sent_at: Time,
    /// Its sequence number.
    pub seq: u64,
}

/// Packets that are on their way, by flow.
pub type OnWay = BTreeMap<usize, BTreeSet<PacketId>>;

impl OneWay {
    /// Makes counters without packets; `copies` if a link on the way may copy a packet.
    pub fn new(window: Window, copies: bool) -> Self {
        Self {
            delays: DelayDistribution::new(window),
            window,
            latest: None,
            jitter: 0.0,
            differences: 0,
            sum: 0,
            max: 0,
            arrived: 0,
            recent: copies.then(BTreeSet::new),
        }
    }

    /// Counts a packet with data that was sent at `sent_at` and has arrived whole at `at`.
    pub fn on_packet(&mut self, sent_at: Time, seq: u64, at: Time) {
        self.delays.note(sent_at, at);
        let delay = (at - sent_at).picoseconds();
        if let Some(before) = self.latest.replace(delay) {
            let difference = (delay - before).abs();
            self.jitter += (difference as f64 - self.jitter) / 16.0;
            if self.window.has_end(at) {
                self.differences += 1;
                self.sum += i128::from(difference);
                self.max = self.max.max(difference);
            }
        }
        self.arrived += u64::from(self.is_first(PacketId { sent_at, seq }));
    }

    /// Remembers a packet that has arrived; false for a copy of one that has.
    fn is_first(&mut self, packet: PacketId) -> bool {
        let Some(recent) = &mut self.recent else { return true };
        let is_first = recent.insert(packet);
        if recent.len() > REMEMBERED {
            recent.pop_first();
        }
        is_first
    }

    /// True for a packet that has arrived while a copy of it may still be on its way.
    pub fn has_arrived(&self, packet: PacketId) -> bool {
        self.recent.as_ref().is_some_and(|recent| recent.contains(&packet))
    }

    /// Summary of the packets counted so far.
    pub fn summary(&self) -> OneWaySummary {
        let any = self.differences > 0;
        let seconds = |picoseconds: f64| picoseconds / 1e12;
        OneWaySummary {
            delay: self.delays.summary(),
            jitter: JitterSummary {
                interarrival_s: seconds(self.jitter),
                mean_difference_s: any.then(|| seconds(self.sum as f64 / self.differences as f64)),
                max_difference_s: any.then(|| seconds(self.max as f64)),
            },
            arrived: self.arrived,
        }
    }
}

/// Summary of the packets of one flow.
#[derive(Clone, Debug, PartialEq)]
pub struct OneWaySummary {
    /// Delays of packets that arrived within the measurement.
    pub delay: DelaySummary,
    /// Changes of the delay.
    pub jitter: JitterSummary,
    /// Packets with data that arrived since the start of the run, copies made by links left out.
    pub arrived: u64,
}

/// Changes of the one-way delay of a flow from packet to packet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct JitterSummary {
    /// Interarrival jitter of RFC 3550 at the end of the run.
    pub interarrival_s: f64,
    /// Mean size of the changes; absent below two packets.
    pub mean_difference_s: Option<f64>,
    /// Maximum size of the changes; likewise.
    pub max_difference_s: Option<f64>,
}

/// Units of a flow that never arrive. Without a warm-up `sent = delivered + lost + inside`; with
/// one, units inside when it ended are delivered or lost too.
///
/// A unit is lost when it is discarded or, on a link that loses it, when its last bit is sent. A
/// segment or datagram in several cells is inside until its last cell is lost or has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct LossSummary {
    /// `segment` with data, `datagram` or `cell`.
    pub unit: &'static str,
    /// Units handed to the sending host's interface, retransmissions included.
    pub sent: u64,
    /// Units that arrived whole.
    pub delivered: u64,
    /// Units discarded or lost on the way, whole or in part.
    pub lost: u64,
    /// Units on their way at the end.
    pub inside: u64,
    /// Fraction lost of the units that were lost or delivered, from 0 to 1; absent if there are
    /// none.
    #[unit("1")]
    pub fraction: Option<f64>,
}

impl LossSummary {
    /// Makes a summary of counts with the fraction.
    pub fn new(unit: &'static str, [sent, delivered, lost, inside]: [u64; 4]) -> Self {
        let decided = lost + delivered;
        let fraction = (decided > 0).then(|| lost as f64 / decided as f64);
        Self { unit, sent, delivered, lost, inside, fraction }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Window = Window { from: Time::ZERO, until: Time::from_picoseconds(1_000_000) };

    fn of(packets: &[(i64, u64, i64)]) -> OneWaySummary {
        let mut found = OneWay::new(ALL, true);
        for &(sent, seq, at) in packets {
            found.on_packet(Time::from_picoseconds(sent), seq, Time::from_picoseconds(at));
        }
        found.summary()
    }

    /// Delays of 10, 14, 8 and 8: differences 4, 6 and 0; J = 4/16, then (6 − 0.25)/16 more, then
    /// 15/16 of it.
    #[test]
    fn differences_by_hand() {
        let found = of(&[(0, 0, 10), (20, 1, 34), (40, 2, 48), (60, 3, 68)]);
        let jitter = found.jitter;
        assert_eq!(jitter.mean_difference_s, Some(10.0 / 3.0 / 1e12));
        assert_eq!(jitter.max_difference_s, Some(6e-12));
        assert!((jitter.interarrival_s * 1e12 - 0.609_375 * 15.0 / 16.0).abs() < 1e-12);
        assert_eq!((found.arrived, found.delay.samples), (4, 4));
    }

    #[test]
    fn equal_delays_have_no_jitter_and_one_packet_has_none_to_tell() {
        let found = of(&[(0, 0, 10), (7, 1, 17), (30, 2, 40)]);
        let JitterSummary { interarrival_s, mean_difference_s, max_difference_s } = found.jitter;
        assert_eq!(
            (interarrival_s, mean_difference_s, max_difference_s),
            (0.0, Some(0.0), Some(0.0))
        );
        assert_eq!(of(&[(0, 0, 10)]).jitter.mean_difference_s, None);
    }

    /// A segment that is sent again is another packet, a copy that a link made is not.
    #[test]
    fn a_copy_arrives_once() {
        assert_eq!(of(&[(0, 0, 10), (0, 0, 11), (20, 0, 30), (20, 1, 31)]).arrived, 3);
    }

    /// Copies that another link holds back come hundreds of packets later.
    #[test]
    fn a_copy_that_is_held_back_arrives_once() {
        let packet = |number: i64| (number, number as u64, number + 10);
        let copy = |number: i64| (number, number as u64, number + 1000);
        let packets: Vec<_> = (0..500).map(packet).chain((0..500).map(copy)).collect();
        assert_eq!(of(&packets).arrived, 500);
    }
}

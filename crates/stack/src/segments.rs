//! Log of the segments that an origin sends and hears, read from its octets where they are TCP over
//! IPv4: the series of [`SegmentLog`], and the places of losses, as of a plain run. The SYN is
//! number 0. Timeouts are known of a stack that has counters of its own alone.

use std::collections::BTreeMap;
use std::net::SocketAddrV4;

use cellway_sim::pdu::{Flags, Segment};
use cellway_sim::result::{SegmentLog, Series};
use cellway_sim::scenario::{Flow, Scenario};
use cellway_sim::tcp::Counters;
use cellway_sim::units::Time;

use crate::numbers::Numbers;
use crate::wire::{self, flag};

/// The log of one origin.
#[derive(Debug)]
pub(crate) struct Segments {
    flow: String,
    log: SegmentLog,
    numbers: Numbers,
    /// Its socket and the other end's, of the first SYN: a further connection is not logged.
    sockets: Option<[SocketAddrV4; 2]>,
    window: (Time, Time),
    limit: usize,
    /// Number after all that was sent.
    sent: u64,
    /// Timeouts and fast retransmits so far.
    repairs: [u64; 2],
    /// Number below which what is sent again is so because of a timeout.
    timed_out_below: u64,
    /// Instants and numbers of lost segments with data, by place.
    lost: BTreeMap<String, (Vec<Time>, Vec<f64>)>,
}

impl Segments {
    /// Makes the log of a flow; `None` if the scenario does not ask for it.
    pub(crate) fn of(scenario: &Scenario, flow: &Flow) -> Option<Self> {
        let observe = scenario.observe.as_ref()?;
        let segments = observe.segments.as_ref().filter(|it| it.has_flow(&flow.name))?;
        let (window, limit) = (segments.window(scenario.run.duration), observe.limit);
        Some(Self {
            flow: flow.name.clone(),
            log: SegmentLog::new(&flow.name, window, limit),
            numbers: Numbers::new(0),
            sockets: None,
            window,
            limit,
            sent: 0,
            repairs: [0; 2],
            timed_out_below: 0,
            lost: BTreeMap::new(),
        })
    }

    /// Logs a packet that arrives.
    pub(crate) fn on_received(&mut self, at: Time, packet: &[u8]) {
        let Ok(([from, to], header, payload)) = wire::decode(packet) else { return };
        if self.sockets != Some([to, from]) {
            return;
        }
        if header.has(flag::SYN) {
            self.numbers.begin(&header);
        }
        self.log.on_received(at, &self.numbers.segment(&header, 0, payload.len(), self.sent));
    }

    /// Logs what a turn sends, by a stack with these counters.
    pub(crate) fn on_sent(&mut self, at: Time, packets: &[Vec<u8>], of: Option<Counters>) {
        if let Some(Counters { timeouts, fast_retransmits, .. }) = of {
            let [expired, repaired] =
                std::mem::replace(&mut self.repairs, [timeouts, fast_retransmits]);
            if timeouts > expired {
                self.timed_out_below = self.sent;
            } else if fast_retransmits > repaired {
                self.timed_out_below = 0;
            }
        }
        for packet in packets {
            let Some(segment) = self.own(packet) else { continue };
            self.sent = self.sent.max(segment.end());
            self.log.on_created(segment, segment.seq < self.timed_out_below);
            self.log.on_sent(at, segment);
        }
    }

    /// Logs the number acknowledged, the congestion window if it is known, and all timeouts so far.
    pub(crate) fn on_state(&mut self, at: Time, acked: u64, cwnd: Option<f64>, timeouts: u64) {
        // The first octet of data is number 1.
        self.log.on_timeouts(at, timeouts, 1 + acked);
        if let Some(cwnd) = cwnd.filter(|cwnd| cwnd.is_finite()) {
            self.log.on_window(at, 1 + acked + cwnd as u64);
        }
    }

    /// Notes the loss of one of its packets.
    pub(crate) fn on_lost(&mut self, at: Time, place: String, packet: &[u8]) {
        let Some(segment) = self.own(packet).filter(|segment| segment.len > 0) else { return };
        let known: usize = self.lost.values().map(|(times, _)| times.len()).sum();
        if self.window.0 <= at && at < self.window.1 && known < self.limit {
            let (times, values) = self.lost.entry(place).or_default();
            times.push(at);
            values.push(segment.seq as f64);
        }
    }

    /// The finished series; those of timeouts only if they are known.
    pub(crate) fn finish(self, knows_timeouts: bool) -> Vec<Series> {
        let Self { flow, log, lost, .. } = self;
        let of_timeouts = format!("{flow}.timeout");
        let logged = log.finish().into_iter();
        let logged = logged.filter(|series| knows_timeouts || series.name != of_timeouts);
        let lost = lost.into_iter().map(|(place, (times, values))| {
            let name = format!("{flow}.{place}");
            Series { name, unit: "byte", times, values, means: None, thinned: 0 }
        });
        logged.chain(lost).collect()
    }

    /// A segment of its own; `None` for what is none of TCP.
    fn own(&mut self, packet: &[u8]) -> Option<Segment> {
        let (sockets, header, payload) = wire::decode(packet).ok()?;
        if header.has(flag::SYN) && self.sockets.is_none() {
            self.sockets = Some(sockets);
            self.numbers.offer(&header);
        }
        if self.sockets != Some(sockets) {
            return None;
        }
        let seq = self.numbers.own_seq(&header, self.sent)?;
        let flags = [(Flags::SYN, flag::SYN), (Flags::FIN, flag::FIN), (Flags::ACK, flag::ACK)];
        let flags = flags.into_iter().filter(|(_, bit)| header.has(*bit));
        let flags = flags.fold(Flags::default(), |all, (flag, _)| all | flag);
        Some(Segment { seq, len: payload.len() as u16, flags, ..Segment::default() })
    }
}

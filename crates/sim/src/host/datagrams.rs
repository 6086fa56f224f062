//! The ends of flows of datagrams: a source at its interface, and a sink.
//!
//! Datagrams take no time of the host's CPU and SAR, as raw cells do not, and no back-pressure
//! delays them: such a segmentation buffer is unlimited for them.
//!
//! A datagram counts as delivered when it has arrived whole for the first time, as lost when it
//! never will. It is out of order if one with a higher number has arrived before (RFC 4737 §3.3,
//! Type-P-Reordered), and a duplicate if it has arrived itself (RFC 5560 §4); a duplicate counts
//! nowhere else. Jitter is that of RFC 3550 §6.4.1, J += (|D| − J)/16 at each arrival, where D is
//! the change of the one-way delay since the previous arrival.
//!
//! Departure: an arrival more than 4096 numbers late is not known to be a duplicate and counts as
//! delivered.

use super::arrivals::Arrivals;
use super::nics::Nics;
use super::origin::Origin;
use super::tap::Tap;
use crate::engine::Io;
use crate::pdu::Frame;
use crate::result::{DatagramCounters, Ledger, OnWay};
use crate::traffic::{BlockCounters, DatagramSource};
use crate::units::{Span, Time};

/// The sending end.
#[derive(Debug)]
pub struct DatagramEnd {
    /// The flow, by its number in the scenario.
    pub flow: usize,
    /// Origin of the VC that its packets are sent on.
    pub origin: Origin,
    /// Index of the interface that sends them.
    pub nic: usize,
    /// Instants and sizes of the datagrams.
    pub source: DatagramSource,
    /// True if each of them is a block that is counted.
    pub counts_blocks: bool,
}

impl DatagramEnd {
    /// Sends the datagram that is due.
    pub(super) fn send(&mut self, nics: &mut Nics, tap: Option<&Tap>, io: &mut Io) {
        let (at, packet) = self.source.emit();
        self.origin.send(at, 2 * self.flow as u32, packet, &mut nics.all[self.nic], tap, io);
    }

    /// Reports the counters.
    pub(super) fn report(&self, ledger: &mut Ledger) {
        if self.counts_blocks {
            let (written, bytes) = (self.source.sent(), self.source.sent_bytes());
            let blocks = BlockCounters { written, bytes, ..BlockCounters::default() };
            ledger.flows[self.flow].blocks = Some(blocks);
        }
        let counters = ledger.flows[self.flow].datagrams.get_or_insert_default();
        counters.sent = self.source.sent();
        counters.sent_bytes = self.source.sent_bytes();
        self.origin.report(ledger);
    }
}

/// The receiving end.
#[derive(Debug, Default)]
pub struct DatagramSink {
    /// The flow, by its number in the scenario.
    pub flow: usize,
    /// Delays and counts of arrivals, if some are recorded.
    pub arrivals: Option<Box<Arrivals>>,
    /// Delay above which an arrival is late, if any is.
    deadline: Option<Span>,
    counters: DatagramCounters,
    arrived: Arrived,
    /// Delay of the latest arrival, picoseconds.
    latest_delay: Option<i64>,
}

impl DatagramSink {
    /// Makes a sink at which nothing has arrived.
    pub fn new(flow: usize, arrivals: Option<Box<Arrivals>>) -> Self {
        Self { flow, arrivals, ..Self::default() }
    }

    /// Counts arrivals with more delay than this as late.
    #[must_use]
    pub fn late_after(self, deadline: Option<Span>) -> Self {
        let late = deadline.map(|_| 0);
        Self { deadline, counters: DatagramCounters { late, ..self.counters }, ..self }
    }

    /// Takes a whole frame that arrived at `at`.
    pub(super) fn on_frame(&mut self, at: Time, frame: &Frame) {
        let order = self.arrived.note(frame.segment.seq);
        let counters = &mut self.counters;
        if order == Order::Duplicate {
            counters.duplicates += 1;
            return;
        }
        counters.delivered += 1;
        counters.delivered_bytes += u64::from(frame.segment.len);
        counters.out_of_order += u64::from(order == Order::Late);
        if let (Some(deadline), Some(late)) = (self.deadline, &mut counters.late) {
            *late += u64::from(at - frame.sent_at > deadline);
        }
        let delay = (at - frame.sent_at).picoseconds();
        counters.delay_sum += i128::from(delay);
        if let Some(before) = self.latest_delay.replace(delay) {
            counters.jitter += ((delay - before).abs() as f64 - counters.jitter) / 16.0;
        }
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.on_packet(frame, frame.segment.len.into(), at);
        }
    }

    /// Reports the counters.
    pub(super) fn report(&self, ledger: &mut Ledger) {
        let flow = &mut ledger.flows[self.flow];
        let (sent, sent_bytes) =
            flow.datagrams.as_ref().map_or((0, 0), |sender| (sender.sent, sender.sent_bytes));
        let counters = DatagramCounters { sent, sent_bytes, ..self.counters };
        flow.delivered_bytes = counters.delivered_bytes;
        flow.datagrams = Some(Box::new(counters));
        flow.one_way = self.arrivals.as_ref().and_then(|arrivals| arrivals.summary());
    }

    /// Counts the datagrams in transit that have not arrived.
    pub(super) fn count_inside(&self, on_way: &OnWay, ledger: &mut Ledger) {
        if let (Some(datagrams), Some(packets)) =
            (&mut ledger.flows[self.flow].datagrams, on_way.get(&self.flow))
        {
            let inside = packets.iter().filter(|packet| !self.arrived.has(packet.seq));
            datagrams.inside = inside.count() as u64;
        }
    }
}

/// Order of an arrival among the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// A number above all earlier ones.
    Next,
    /// A number below one that has arrived.
    Late,
    /// A number that has arrived before.
    Duplicate,
}

/// The latest numbers that have arrived.
#[derive(Debug)]
struct Arrived {
    /// The number after the highest.
    next: u64,
    /// One bit per number modulo [`Self::REMEMBERED`].
    bits: Box<[u64; Self::WORDS]>,
}

impl Default for Arrived {
    fn default() -> Self {
        Self { next: 0, bits: Box::new([0; Self::WORDS]) }
    }
}

impl Arrived {
    const WORDS: usize = 64;
    const REMEMBERED: u64 = 64 * Self::WORDS as u64;

    fn has(&self, number: u64) -> bool {
        let place = number % Self::REMEMBERED;
        self.remembers(number) && self.bits[place as usize / 64] & (1 << (place % 64)) != 0
    }

    /// True for one of the latest numbers, whose arrivals are remembered.
    fn remembers(&self, number: u64) -> bool {
        number < self.next && self.next - number <= Self::REMEMBERED
    }

    fn note(&mut self, number: u64) -> Order {
        if number < self.next {
            let was_set = self.remembers(number) && self.set(number, true);
            return if was_set { Order::Duplicate } else { Order::Late };
        }
        let first_forgotten = self.next.max((number + 1).saturating_sub(Self::REMEMBERED));
        for missing in first_forgotten..number {
            self.set(missing, false);
        }
        self.set(number, true);
        self.next = number + 1;
        Order::Next
    }

    /// Sets the bit of a number; true if it was set before.
    fn set(&mut self, number: u64, to: bool) -> bool {
        let place = number % Self::REMEMBERED;
        let (word, bit) = (&mut self.bits[place as usize / 64], 1 << (place % 64));
        let was_set = *word & bit != 0;
        *word = if to { *word | bit } else { *word & !bit };
        was_set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::Segment;

    fn at(milliseconds: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(milliseconds)
    }

    fn sink_of(arrivals: &[(u64, i64, i64)]) -> DatagramCounters {
        counted(DatagramSink::new(0, None), arrivals)
    }

    fn counted(mut sink: DatagramSink, arrivals: &[(u64, i64, i64)]) -> DatagramCounters {
        for &(seq, sent, arrives) in arrivals {
            let segment = Segment { seq, len: 100, ..Segment::default() };
            let sent_at = at(sent);
            let frame = Frame { direction: 0, number: 0, cells: 1, bytes: 128, sent_at, segment };
            sink.on_frame(at(arrives), &frame);
        }
        sink.counters
    }

    /// Arrivals 0, 2, 1, 1, 3: the second 1 is a duplicate of one that came late.
    #[test]
    fn numbers_tell_what_is_late_and_what_comes_twice() {
        let numbers = [0, 2, 1, 1, 3];
        let found = sink_of(&numbers.map(|number| (number, 0, 5)));
        assert_eq!((found.delivered, found.out_of_order, found.duplicates), (4, 1, 1));
        assert_eq!(found.delivered_bytes, 400);
    }

    /// Gaps as long as the memory, and longer: numbers missing in them are not mistaken for those
    /// one memory before.
    #[test]
    fn a_long_gap_forgets_what_was_before() {
        for gap in [Arrived::REMEMBERED - 1, Arrived::REMEMBERED, 3 * Arrived::REMEMBERED] {
            let mut arrived = Arrived::default();
            let before: Vec<Order> = (0..10).map(|number| arrived.note(number)).collect();
            assert!(before.iter().all(|order| *order == Order::Next));
            assert_eq!(arrived.note(10 + gap), Order::Next);
            assert_eq!(
                [9 + gap, 9 + gap].map(|number| arrived.note(number)),
                [Order::Late, Order::Duplicate]
            );
        }
    }

    /// Delays of 49, 50 and 51 ms, and a copy of the last: one of them is late after 50 ms.
    #[test]
    fn a_datagram_is_late_after_its_deadline() {
        let arrivals = [(0, 0, 49), (1, 0, 50), (2, 0, 51), (2, 0, 60)];
        let sink = DatagramSink::new(0, None).late_after(Some(Span::from_milliseconds(50)));
        assert_eq!(counted(sink, &arrivals).late, Some(1));
        assert_eq!(sink_of(&arrivals).late, None);
    }

    /// Jitter of RFC 3550 §6.4.1: delays of 10, 14 and 8 ms give 4/16, then 0.25 + (6 − 0.25)/16.
    #[test]
    fn jitter_follows_the_changes_of_the_delay() {
        let found = sink_of(&[(0, 0, 10), (1, 20, 34), (2, 40, 48)]);
        assert!((found.jitter / 1e9 - 0.609_375).abs() < 1e-12, "{}", found.jitter);
        assert_eq!(found.delay_sum, 32_000_000_000);
    }
}

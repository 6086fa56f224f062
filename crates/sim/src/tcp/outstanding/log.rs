//! Log of the segments in flight, in the order of their sequence numbers.
//!
//! Records lie without gaps from `snd_una` to `snd_max`. A segment that is acknowledged in part, or
//! sent again with other boundaries, is split. Only ranges that an ACK is the first to report are
//! walked through, and the bytes in flight are a counter.

use std::collections::VecDeque;

use super::delivery::{Delivered, Delivery};
use super::record::{Loss, Record, RecordState};
use super::scoreboard::{Hole, Scoreboard};
use crate::pdu::Segment;
use crate::units::{Span, Time};

/// The log of one sender.
#[derive(Clone, Debug, Default)]
pub struct Log {
    records: VecDeque<Record>,
    in_flight: u64,
    /// Bytes counted as lost and not sent again.
    lost: u64,
    /// No record that ends at or before it is lost.
    lost_from: u64,
    /// Number of reported records.
    reported: u32,
    /// Highest sequence number, exclusive, of a delivered record.
    highest: u64,
    delivery: Delivery,
    /// Bytes that the windows allow and that wait for a larger burst.
    pub(in crate::tcp) deferred: u64,
    /// The instant at which a pacer lets the next burst go.
    pub(in crate::tcp) paced_until: Time,
    /// Losses that the present event has found, if the law asks for it.
    losses: Option<Vec<Loss>>,
}

impl Log {
    /// Bytes in flight: sent, neither reported nor counted as lost; data sent again count once.
    #[inline]
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Bytes counted as lost and not sent again.
    #[inline]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Bytes found lost so far.
    pub fn lost_so_far(&self) -> u64 {
        self.delivery.lost
    }

    /// Number of segments that are reported and not acknowledged.
    pub fn reported(&self) -> u32 {
        self.reported
    }

    /// Bytes delivered so far.
    pub fn delivered(&self) -> u64 {
        self.delivery.delivered
    }

    /// Records that overlap the sequence numbers from `start` to `end`.
    pub fn records(&self, start: u64, end: u64) -> impl Iterator<Item = &Record> {
        let first = self.records.partition_point(|record| record.end() <= start);
        self.records.range(first..).take_while(move |record| record.start < end)
    }

    /// Instant at which the first record was last sent.
    pub fn first_sent(&self) -> Option<Time> {
        self.records.front().map(|record| record.sent)
    }

    /// The lost record with the lowest sequence number.
    pub fn first_lost(&self) -> Option<Hole> {
        if self.lost == 0 {
            return None;
        }
        let lost = self.records(self.lost_from, u64::MAX).find(|r| r.state == RecordState::Lost)?;
        Some(Hole { start: lost.start, end: lost.end() })
    }

    /// The unreported record with the highest sequence number.
    pub fn last_unreported(&self) -> Option<Hole> {
        let last = self.records.iter().rev().find(|r| r.state != RecordState::Reported)?;
        Some(Hole { start: last.start, end: last.end() })
    }

    /// Segments that the present event has found lost, in the order in which they were found; empty
    /// unless the law [asks for them](crate::tcp::congestion::LawNeeds::losses).
    pub fn losses(&self) -> &[Loss] {
        self.losses.as_deref().unwrap_or_default()
    }

    /// True if the application limits the flight: so does it the samples of what is sent now.
    pub fn is_app_limited(&self) -> bool {
        self.delivery.is_limited()
    }

    /// Keeps the segments that each event finds lost.
    pub(in crate::tcp) fn keep_losses(&mut self) {
        self.losses = Some(Vec::new());
    }

    /// Forgets the losses of an event that is over.
    pub(in crate::tcp) fn clear_losses(&mut self) {
        if let Some(losses) = &mut self.losses {
            losses.clear();
        }
    }

    /// Notes that the application, and not a window, limits the flight.
    pub(in crate::tcp) fn limit_by_application(&mut self) {
        self.delivery.limit(self.in_flight);
    }

    /// Notes that the bytes from `start` to `end` are sent.
    pub(in crate::tcp) fn on_sent(&mut self, now: Time, start: u64, end: u64) {
        let snd_max = self.records.back().map_or(start, Record::end);
        let is_resent = start < snd_max;
        if is_resent {
            let is_first = self.first_lost().is_none_or(|lost| start <= lost.start);
            self.resend(now, start, end.min(snd_max));
            if is_first {
                self.lost_from = self.lost_from.max(end);
            }
        }
        if end > snd_max {
            let start = start.max(snd_max);
            let mut record = Record {
                start,
                len: (end - start) as u32,
                in_flight: 0,
                sent: now,
                flight_began: now,
                delivered: 0,
                delivered_at: now,
                lost: 0,
                state: RecordState::InFlight,
                is_resent,
                is_app_limited: false,
            };
            self.delivery.stamp(now, self.in_flight, &mut record);
            self.in_flight += end - start;
            self.records.push_back(record);
        }
    }

    /// Notes that records from `start` to `end` are sent again.
    fn resend(&mut self, now: Time, start: u64, end: u64) {
        self.split_at(start);
        self.split_at(end);
        let first = self.records.partition_point(|record| record.end() <= start);
        let beyond = self.records.partition_point(|record| record.start < end);
        for index in first..beyond {
            let record = &mut self.records[index];
            let len = u64::from(record.len);
            match record.state {
                RecordState::Lost => self.lost -= len,
                RecordState::InFlight => self.in_flight -= len,
                RecordState::Reported => continue,
            }
            record.state = RecordState::InFlight;
            record.is_resent = true;
            self.delivery.stamp(now, self.in_flight, record);
            self.in_flight += len;
        }
    }

    /// Splits the record that contains `seq` there, if that is within it.
    fn split_at(&mut self, seq: u64) {
        let index = self.records.partition_point(|record| record.end() <= seq);
        if let Some(record) = self.records.get_mut(index)
            && record.start < seq
        {
            let head = record.split_before(seq);
            self.reported += u32::from(head.state == RecordState::Reported);
            self.records.insert(index, head);
        }
    }

    /// Takes an ACK whose blocks `board` does not hold yet; the facts of its delivery, without
    /// losses.
    pub(in crate::tcp) fn on_ack(
        &mut self,
        now: Time,
        segment: &Segment,
        board: &Scoreboard,
        snd_max: u64,
    ) -> Delivered {
        let prior_in_flight = self.in_flight;
        let duplicate = segment.duplicate();
        let mut delivered = Delivered { prior_in_flight, duplicate, ..Delivered::default() };
        let before = self.delivery.delivered;
        self.acknowledge(segment.ack, &mut delivered);
        for (start, end) in segment.sacked() {
            let (start, end) = (start.max(segment.ack), end.min(snd_max));
            for hole in board.holes_within(start, end) {
                self.report(hole, &mut delivered);
            }
        }
        delivered.bytes = self.delivery.delivered - before;
        self.delivery.finish(now, &mut delivered);
        debug_assert_eq!(self.in_flight, self.sum_of(RecordState::InFlight), "{:?}", self.records);
        debug_assert_eq!(self.lost, self.sum_of(RecordState::Lost), "{:?}", self.records);
        delivered
    }

    /// Removes the records before `ack`; returns the round trip of the last one, unless it was sent
    /// twice.
    pub(in crate::tcp) fn on_plain_ack(&mut self, now: Time, ack: u64) -> Option<Span> {
        let mut delivered = Delivered::default();
        let last = self.acknowledge(ack, &mut delivered)?;
        self.delivery.finish(now, &mut delivered);
        (!last.is_resent).then(|| now - last.sent)
    }

    /// Removes the records before `ack`; returns the last one that it covers as a whole.
    fn acknowledge(&mut self, ack: u64, delivered: &mut Delivered) -> Option<Record> {
        let mut last = None;
        while let Some(&record) = self.records.front().filter(|record| record.end() <= ack) {
            self.records.pop_front();
            self.reported -= u32::from(record.state == RecordState::Reported);
            self.deliver(&record, delivered);
            last = Some(record);
        }
        if let Some(front) = self.records.front_mut().filter(|record| record.start < ack) {
            let head = front.split_before(ack);
            self.deliver(&head, delivered);
        }
        self.lost_from = self.lost_from.max(ack);
        last
    }

    /// Notes that the records of `hole` are reported.
    fn report(&mut self, hole: Hole, delivered: &mut Delivered) {
        self.split_at(hole.start);
        self.split_at(hole.end);
        let first = self.records.partition_point(|record| record.end() <= hole.start);
        for index in first..self.records.len() {
            let record = self.records[index];
            if record.start >= hole.end {
                return;
            }
            self.deliver(&record, delivered);
            self.reported += u32::from(record.state != RecordState::Reported);
            self.records[index].state = RecordState::Reported;
        }
    }

    /// Counts a record that arrives, if it is not reported already.
    fn deliver(&mut self, record: &Record, delivered: &mut Delivered) {
        let len = u64::from(record.len);
        match record.state {
            RecordState::Reported => return,
            RecordState::InFlight => self.in_flight -= len,
            RecordState::Lost => self.lost -= len,
        }
        self.delivery.deliver(record);
        if !record.is_resent {
            delivered.sent_once_before = delivered.sent_once_before.max(record.end());
            delivered.is_reordered |= record.end() < self.highest;
        }
        self.highest = self.highest.max(record.end());
    }

    /// Counts the records in flight from `start` to `end` as lost if `is_lost` holds for them;
    /// returns their bytes.
    pub(in crate::tcp) fn lose(
        &mut self,
        start: u64,
        end: u64,
        is_lost: impl Fn(&Record) -> bool,
    ) -> u64 {
        let first = self.records.partition_point(|record| record.end() <= start);
        let mut bytes = 0;
        for record in self.records.range_mut(first..) {
            if record.start >= end {
                break;
            }
            if record.state == RecordState::InFlight && is_lost(record) {
                record.state = RecordState::Lost;
                bytes += u64::from(record.len);
                self.lost_from = self.lost_from.min(record.start);
                if let Some(losses) = &mut self.losses {
                    losses.push(record.loss(self.delivery.lost + bytes));
                }
            }
        }
        self.in_flight -= bytes;
        self.lost += bytes;
        self.delivery.lost += bytes;
        bytes
    }

    /// Takes back losses that were none: what counts as lost is in flight. Their count stays.
    pub(in crate::tcp) fn forget_losses(&mut self) {
        for record in self.records.iter_mut().filter(|r| r.state == RecordState::Lost) {
            record.state = RecordState::InFlight;
        }
        self.in_flight += self.lost;
        self.lost = 0;
    }

    fn sum_of(&self, state: RecordState) -> u64 {
        let records = self.records.iter().filter(|record| record.state == state);
        records.map(|record| u64::from(record.len)).sum()
    }
}

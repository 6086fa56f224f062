//! The shaper, the tins and the queues of CAKE (Hoeiland-Joergensen, Taht, Morton: "Piece of CAKE",
//! 2018, sections III-A to III-C; as in `sch_cake` of Linux).
//!
//! A clock of the shaper goes on by the time of each packet at the shaped rate, with the bytes that
//! the framing of the line behind adds, and no packet begins before it. A tin has a clock as well,
//! which goes on by the time at the tin's part of the rate. Of the tins with packets the last one
//! is served whose clock is not ahead, or if all are ahead the one that is least so: a tin has
//! precedence up to its part, and beyond it what others leave. Within a tin the order is that of
//! [`FlowQueues`], where a packet costs its bytes with those of the framing.
//!
//! A clock that is behind when a packet comes to an empty tin, or to an empty port, is set to that
//! instant. Beyond its part a tin's clock is never more than one packet ahead. Departure: without a
//! rate Linux has a deficit round robin between tins; here their parts are those of the line.

use super::Waiting;
use super::flow_queues::FlowQueues;
use crate::engine::Fifo;
use crate::link::Transmission;
use crate::switch::drop::FramingPlan;
use crate::units::{CELL_BYTES, CELL_PAYLOAD_BYTES, Rate, Span, Time};

/// Time that a packet takes behind the shaper.
#[derive(Clone, Copy, Debug)]
pub(in crate::switch) enum Shaper {
    /// A shaped rate.
    Rate(Rate, Compensation),
    /// The rate of the line: nothing is shaped.
    Line(Transmission),
}

/// Bytes that the framing of a line adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::switch) struct Compensation {
    /// Bytes added to each packet.
    pub(in crate::switch) overhead: u64,
    /// Least size of a packet with them.
    pub(in crate::switch) least: u64,
    /// Framing of these bytes.
    pub(in crate::switch) framing: FramingPlan,
}

impl Compensation {
    /// Bytes on the line of an IP packet.
    const fn bytes_on_line(self, ip_bytes: u64) -> u64 {
        let framed = ip_bytes + self.overhead;
        let framed = if framed < self.least { self.least } else { framed };
        match self.framing {
            FramingPlan::None => framed,
            FramingPlan::Atm => CELL_BYTES * framed.div_ceil(CELL_PAYLOAD_BYTES),
            // IEEE 802.3, 64B/65B.
            FramingPlan::Ptm => framed + framed.div_ceil(64),
        }
    }
}

impl Shaper {
    /// Bytes of an IP packet as the shaper counts them: of a line that is not shaped IP bytes.
    fn bytes_of_packet(self, ip_bytes: u64) -> u64 {
        match self {
            Self::Rate(_, compensation) => compensation.bytes_on_line(ip_bytes),
            Self::Line(_) => ip_bytes,
        }
    }

    /// Time of an IP packet.
    fn span_of_packet(self, ip_bytes: u64) -> Span {
        match self {
            Self::Rate(rate, compensation) => {
                rate.span_of_bits(8 * compensation.bytes_on_line(ip_bytes))
            }
            Self::Line(transmission) => transmission.span_of_packet(ip_bytes),
        }
    }
}

/// Queues of the flows of a class.
#[derive(Debug)]
pub(in crate::switch) struct Tin {
    queues: FlowQueues,
    /// The rate divided by the tin's part of it.
    divisor: i64,
    /// `time_next_packet`.
    clock: Time,
}

impl Tin {
    /// Makes a tin of empty queues.
    pub(in crate::switch) fn new(queues: FlowQueues, divisor: i64) -> Self {
        Self { queues, divisor, clock: Time::ZERO }
    }
}

/// Tins behind a shaper.
#[derive(Debug)]
pub(in crate::switch) struct CakeQueues {
    shaper: Shaper,
    tins: Vec<Tin>,
    /// Index of the tin of each slot.
    tin_of_slot: Vec<u8>,
    /// Instant at which a packet is taken out.
    now: Time,
    /// Clock of the shaper.
    gate: Time,
}

impl CakeQueues {
    /// Makes empty tins.
    pub(in crate::switch) fn new(shaper: Shaper, tins: Vec<Tin>, tin_of_slot: Vec<u8>) -> Self {
        Self { shaper, tins, tin_of_slot, now: Time::ZERO, gate: Time::ZERO }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tins.iter().all(|tin| tin.queues.is_empty())
    }

    /// Sets the instant at which packets are taken out.
    pub(super) fn set_clock(&mut self, now: Time) {
        self.now = now;
    }

    /// Instant before which no packet begins.
    pub(super) fn gate(&self) -> Time {
        match self.shaper {
            Shaper::Rate(..) => self.gate,
            Shaper::Line(_) => Time::ZERO,
        }
    }

    fn tin_of(&self, slot: u32) -> usize {
        usize::from(self.tin_of_slot[slot as usize])
    }

    /// Number of the queue of a flow's packets with this key, as in [`Waiting::keyed`].
    pub(super) fn number_of_key(&mut self, slot: u32, key: u32) -> u16 {
        let tin = self.tin_of(slot);
        self.tins[tin].queues.number_of_key(slot, key)
    }

    /// Appends a packet. Returns the bytes of memory that were added.
    pub(super) fn push(&mut self, waiting: Waiting) -> usize {
        let (arrival, index) = (waiting.cell.at, self.tin_of(waiting.slot));
        if self.is_empty() {
            self.gate = self.gate.max(arrival);
        }
        let tin = &mut self.tins[index];
        if tin.queues.is_empty() {
            tin.clock = tin.clock.max(arrival);
        }
        tin.queues.push(waiting)
    }

    /// Index of the tin that is served next.
    fn next(&self) -> Option<usize> {
        let with_packets = self.tins.iter().enumerate().filter(|(_, tin)| !tin.queues.is_empty());
        let ahead = |tin: &Tin| (tin.clock - self.now).max(Span::ZERO);
        // Of equal ones the last.
        with_packets.rev().min_by_key(|(_, tin)| ahead(tin)).map(|(index, _)| index)
    }

    /// Packet that is sent next.
    pub(super) fn first(&mut self) -> Option<Waiting> {
        let index = self.next()?;
        self.tins[index].queues.first()
    }

    /// Removes the packet that is sent next.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let index = self.next()?;
        let shaper = self.shaper;
        let first = self.tins[index].queues.pop_at_cost(|bytes| shaper.bytes_of_packet(bytes))?;
        self.go_on(index, first);
        Some(first)
    }

    /// Removes the next packet, which is not sent: no clock goes on.
    pub(super) fn discard_first(&mut self) {
        if let Some(index) = self.next() {
            self.tins[index].queues.discard_first();
        }
    }

    /// Packets that wait in the queue of a packet.
    pub(super) fn beside(&self, waiting: &Waiting) -> &Fifo<Waiting> {
        self.tins[self.tin_of(waiting.slot)].queues.beside(waiting)
    }

    /// Removes the packet with so many others before it in the queue of `waiting`, which is not its
    /// last one.
    pub(super) fn remove_beside(&mut self, waiting: &Waiting, before: usize) -> Option<Waiting> {
        let tin = self.tin_of(waiting.slot);
        self.tins[tin].queues.remove_beside(waiting, before)
    }

    /// Takes note of a packet that is sent without waiting.
    pub(super) fn pass(&mut self, waiting: Waiting) {
        let (arrival, index) = (waiting.cell.at, self.tin_of(waiting.slot));
        self.now = arrival;
        self.gate = self.gate.max(arrival);
        let (tin, shaper) = (&mut self.tins[index], self.shaper);
        tin.clock = tin.clock.max(arrival);
        tin.queues.pass_at_cost(waiting, |bytes| shaper.bytes_of_packet(bytes));
        self.go_on(index, waiting);
    }

    /// Lets the clocks go on by a packet of a tin that is sent.
    fn go_on(&mut self, index: usize, sent: Waiting) {
        let span = self.shaper.span_of_packet(u64::from(sent.bytes));
        self.gate = self.gate.saturating_add(span);
        let tin = &mut self.tins[index];
        let of_tin = span.saturating_mul(tin.divisor);
        let ahead = self.now.saturating_add(of_tin);
        let is_behind = tin.clock < self.now;
        tin.clock = if is_behind { tin.clock.saturating_add(of_tin) } else { tin.clock.max(ahead) };
    }

    /// Number of the queue of a packet, in which it is first or which it joins, and the bytes
    /// behind it there. Numbers of different tins differ.
    pub(super) fn queue_and_backlog(&self, waiting: &Waiting) -> (u32, u64) {
        let tin = self.tin_of(waiting.slot);
        let (index, backlog) = self.tins[tin].queues.queue_and_backlog(waiting);
        (index * self.tins.len() as u32 + tin as u32, backlog)
    }

    /// Removes the packets that an overflow discards, in order: from the longest of all queues.
    pub(super) fn drop_from_longest(&mut self) -> Vec<Waiting> {
        let queues = self.tins.iter_mut().rev().map(|tin| &mut tin.queues);
        let with_longest = queues.map(|queues| (queues.longest(), queues));
        let of_all = with_longest.max_by_key(|(bytes, _)| *bytes);
        of_all.map(|(_, queues)| queues.drop_from_longest()).unwrap_or_default()
    }

    /// Packets that wait, by tin and queue.
    pub(super) fn waiting(&self) -> Vec<Waiting> {
        self.tins.iter().flat_map(|tin| tin.queues.waiting()).collect()
    }
}

#[cfg(test)]
mod tests;

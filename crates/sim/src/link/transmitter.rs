//! The sending end of a link: one unit after the other onto the line.

use super::CellRun;
use super::capacity::Capacity;
use super::delay::Excess;
use super::impairment::{Impaired, Impairment, Sent};
use super::transmission::Transmission;
use crate::engine::{Io, LinkId};
use crate::pdu::{Cell, CellHead, ContentId, Train};
use crate::result::{Ledger, Window};
use crate::units::{Span, Time};

/// The sending end of a line, which every interface and output port has.
#[derive(Debug)]
pub struct Transmitter {
    link: LinkId,
    /// Time from the last bit sent to the unit's entry into the next node's queue.
    propagation: Span,
    transmission: Transmission,
    /// The path of the line's rate, if that varies.
    capacity: Option<Box<Capacity>>,
    free_at: Time,
    /// The last sizes of packets that were asked for, zero for none; two, since data and
    /// acknowledgements mostly have one each.
    known: [u16; 2],
    /// Times that packets of these sizes take.
    known_spans: [Span; 2],
    /// Impairments of the line; `None`: every unit arrives as it was sent.
    impaired: Option<Box<Impaired>>,
}

impl Transmitter {
    /// Makes an idle line onto `link`; `propagation` is the time from the last bit sent to the
    /// unit's entry into the next node's queue.
    pub fn new(link: LinkId, propagation: Span, transmission: Transmission) -> Self {
        Self {
            link,
            propagation,
            transmission,
            capacity: None,
            free_at: Time::ZERO,
            known: [0; 2],
            known_spans: [Span::ZERO; 2],
            impaired: None,
        }
    }

    /// Sets the path of rates, if there is one; none of its rates is above that of the line.
    #[must_use]
    pub(crate) fn varying(self, capacity: Option<Capacity>) -> Self {
        Self { capacity: capacity.map(Box::new), ..self }
    }

    /// Adds impairments, in the order in which units meet them, a propagation that varies above the
    /// given one, and the window in which the impairments are counted.
    #[must_use]
    pub(crate) fn impaired_by(
        self,
        impairments: Vec<Box<dyn Impairment>>,
        excess: Option<Excess>,
        window: Window,
    ) -> Self {
        let is_impaired = !impairments.is_empty() || excess.is_some();
        let impaired = is_impaired.then(|| Box::new(Impaired::new(impairments, excess, window)));
        Self { impaired, ..self }
    }

    /// Times that units take on the line.
    #[inline]
    pub fn transmission(&self) -> &Transmission {
        &self.transmission
    }

    /// The instant at which the unit in transmission has been sent.
    #[inline]
    pub fn free_at(&self) -> Time {
        self.free_at
    }

    /// Sends a unit of the VC at the sender's `slot` that is ready at `unit.at`, as soon as the
    /// line is free; returns the instants at which its transmission begins and ends.
    #[expect(clippy::inline_always, reason = "every unit at every hop; it has several callers")]
    #[inline(always)]
    pub fn send(&mut self, unit: Cell, slot: u32, io: &mut Io) -> (Time, Time) {
        let start = unit.at.max(self.free_at);
        let end = match self.transmission {
            Transmission::Cells(cell_time) => start + cell_time,
            Transmission::Packets { .. } => {
                let bytes = io.frames.look(ContentId(unit.head.tag())).bytes;
                start + self.span_of_packet(bytes)
            }
            Transmission::Varying(_) => self.end_on_path(unit.at, unit.head, io),
        };
        self.send_until(end, unit.head, slot, io);
        (start, end)
    }

    /// Mean rate of the line over the time `over` that ends at `at`, bit/s on the wire; over less
    /// at the start of the run. The path of a varying rate must [remember](Capacity::new) as much.
    pub(crate) fn mean_rate(&mut self, at: Time, over: Span) -> f64 {
        let Some(path) = &mut self.capacity else { return self.transmission.line_rate_f64() };
        let since = (at - over).max(Time::ZERO);
        if since == at {
            return path.rate_at(at).bits_per_second() as f64;
        }
        path.carried(since, at) / (at - since).seconds_f64()
    }

    /// Time that a packet of `bytes` takes on a line of packets whose rate is constant.
    #[inline]
    pub fn span_of_packet(&mut self, bytes: u32) -> Span {
        if bytes != u32::from(self.known[0]) {
            self.look_up(bytes);
        }
        self.known_spans[0]
    }

    #[inline(never)]
    fn look_up(&mut self, bytes: u32) {
        self.known.swap(0, 1);
        self.known_spans.swap(0, 1);
        if bytes != u32::from(self.known[0]) {
            self.known[0] = bytes.try_into().expect("an IP packet has 65 535 bytes at most");
            self.known_spans[0] = self.transmission.span_of_packet(u64::from(bytes));
        }
    }

    /// Instant at which a unit has been sent that is ready at `ready`, on a line whose rate varies.
    #[cold]
    #[inline(never)]
    fn end_on_path(&mut self, ready: Time, head: CellHead, io: &Io) -> Time {
        let bits = self.transmission.bits_of(head, &io.frames);
        let path = self.capacity.as_mut().expect("a line whose rate varies has its path");
        path.finish(path.begin(ready, self.free_at), bits)
    }

    /// Sends a unit whose last bit is sent at `end`, an instant that the sender knows.
    #[expect(clippy::inline_always, reason = "every unit at every hop; it has several callers")]
    #[inline(always)]
    pub fn send_until(&mut self, end: Time, head: CellHead, slot: u32, io: &mut Io) {
        self.free_at = end;
        if self.impaired.is_some() {
            self.send_impaired(head, slot, io);
        } else {
            io.send(self.link, slot, Cell { at: end + self.propagation, head });
        }
    }

    /// The link, if trains may be sent onto it: it carries cells, and impairments do not change the
    /// time at which a cell arrives.
    pub fn link_of_trains(&self) -> Option<LinkId> {
        let keeps_time = self.impaired.as_ref().is_none_or(|impaired| impaired.keeps_time());
        (keeps_time && self.transmission.is_of_cells()).then_some(self.link)
    }

    /// True if the link carries trains.
    #[inline]
    pub fn carries_trains(&self, io: &Io) -> bool {
        io.carries_trains(self.link)
    }

    /// Sends cells of the VC at `slot` whose last bits are sent at the instants of `train`, which
    /// the sender knows; no other cells are sent in between.
    #[inline]
    pub fn send_train(&mut self, train: Train, slot: u32, io: &mut Io) {
        if self.impaired.is_some() {
            return self.send_impaired_train(train, slot, io);
        }
        self.send_unimpaired(train, slot, io);
    }

    /// True if the cells that are sent next pass the impairments unchanged; each of their trains is
    /// then sent with [`send_unimpaired`](Self::send_unimpaired).
    #[inline]
    pub fn delivers_all(&mut self, cell_run: impl FnOnce() -> CellRun) -> bool {
        self.impaired.as_mut().is_none_or(|impaired| impaired.delivers_all(&cell_run()))
    }

    /// Sends a train that the impairments leave unchanged; cells of other VCs may be sent in
    /// between.
    #[inline]
    pub fn send_unimpaired(&mut self, train: Train, slot: u32, io: &mut Io) {
        debug_assert!(self.free_at < train.last(), "what is sent later ends later, also of rounds");
        self.free_at = train.last();
        io.send_train(self.link, slot, train.later(self.propagation));
    }

    /// Bisects the train, without the last cell of its frame, until each part is either spared by
    /// the impairments or a single cell, which they judge.
    #[inline(never)]
    fn send_impaired_train(&mut self, mut train: Train, slot: u32, io: &mut Io) {
        let cell_time = self.transmission.cell_time().filter(|_| self.carries_trains(io));
        let Some(cell_time) = cell_time else {
            return train.cells().for_each(|cell| self.send_until(cell.at, cell.head, slot, io));
        };
        if self.delivers_all(|| CellRun::of(&train, cell_time)) {
            self.send_unimpaired(train, slot, io);
        } else if train.count == 1 {
            self.send_until(train.first.at, train.first.head, slot, io);
        } else {
            let front = if train.end().is_some() { train.count - 1 } else { train.count / 2 };
            let front = train.split(front);
            self.send_impaired_train(front, slot, io);
            self.send_impaired_train(train, slot, io);
        }
    }

    #[cold]
    #[inline(never)]
    fn send_impaired(&mut self, head: CellHead, slot: u32, io: &mut Io) {
        let Some(impaired) = &mut self.impaired else { return };
        let bits = self.transmission.bits_of(head, &io.frames);
        let is_checked = head.is_rm() || !self.transmission.is_of_cells();
        let frame = head.is_end_of_frame().then(|| *io.frames.look(ContentId(head.tag())));
        let sent = Sent { at: self.free_at, head, bits, frame: frame.as_ref() };
        let arriving = impaired.pass(&sent, is_checked);
        // The first arrival keeps the content; each copy gets a copy of it.
        let mut content = Some(head.tag());
        for unit in arriving {
            let head = match (content.take(), frame) {
                (None, Some(frame)) => unit.head.with_tag(io.frames.insert(frame).0),
                _ => unit.head,
            };
            io.send_in_order(self.link, slot, Cell { at: unit.at + self.propagation, head });
        }
        if content.is_some() {
            io.lose(Cell { at: self.free_at, head }, self.link);
        }
    }

    /// Reports what the impairments did by `at`, the end of the warm-up or of the run.
    pub fn report(&self, at: Time, ledger: &mut Ledger) {
        if let Some(impaired) = &self.impaired {
            impaired.report(self.link, at, ledger);
        }
    }
}

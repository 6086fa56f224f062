//! A host's interface to one outgoing link.
//!
//! The plain one is a FIFO, so every departure is known when a frame is handed over and its cells
//! are put on the link at once. A pacer in front of it is an infinite FIFO and a server at the
//! pacing rate (Lazarou et al. 1997, §4.4), which does not change that as long as one VC has the
//! interface to itself. Several VCs, one of them paced, and ABR sources need
//! [`ShapedNic`](super::ShapedNic).

use super::abr_vc::AbrVc;
use super::shaper::ShapedNic;
use crate::engine::Io;
use crate::link::Transmitter;
use crate::pdu::{Cell, CellHead, Frame, Train};
use crate::result::{Ledger, Series};
use crate::units::{Span, Time};

/// An interface, dispatched statically.
#[derive(Debug)]
pub enum Nic {
    /// First in, first out.
    Fifo(FifoNic),
    /// Cells of several VCs, in the order in which their shapers release them.
    Shaped(ShapedNic),
}

impl Nic {
    /// How many units a packet of `ip_bytes` is cut into.
    #[inline]
    pub fn cells_of(&self, ip_bytes: u32) -> u32 {
        self.transmitter().transmission().units_of(ip_bytes)
    }

    /// A frame is ready at `ready`, not before earlier ones.
    #[inline]
    pub fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io) {
        match self {
            Self::Fifo(nic) => nic.send_frame(ready, vc, frame, io),
            Self::Shaped(nic) => nic.send_frame(ready, vc, frame, io),
        }
    }

    /// A raw cell is ready at `ready`, not before earlier ones.
    #[inline]
    pub fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io) {
        match self {
            Self::Fifo(nic) => nic.send_cell(ready, vc, io),
            Self::Shaped(nic) => nic.send_cell(ready, vc, io),
        }
    }

    /// So many raw cells are ready, the first at `cells.first.at`, not before earlier ones; on a
    /// link that [`carries_trains`](Self::carries_trains).
    #[inline]
    pub fn send_cells(&mut self, cells: Train, io: &mut Io) {
        match self {
            Self::Fifo(nic) => nic.pass_all(cells, io),
            Self::Shaped(_) => {
                cells.cells().for_each(|cell| self.send_cell(cell.at, cell.head.vc(), io));
            }
        }
    }

    /// Whether it sends trains.
    #[inline]
    pub fn carries_trains(&self, io: &Io) -> bool {
        self.transmitter().carries_trains(io)
    }

    /// Whether it holds cells back.
    #[inline]
    pub fn is_shaped(&self) -> bool {
        matches!(self, Self::Shaped(_))
    }

    /// When a held cell may leave; [`Time::MAX`] for an interface that holds none.
    #[inline]
    pub fn next_event(&self) -> Time {
        match self {
            Self::Fifo(_) => Time::MAX,
            Self::Shaped(nic) => nic.next_event(),
        }
    }

    /// Sends held cells that leave before `until`, up to one for which a connection has
    /// waited; that connection and the instant.
    pub fn serve(&mut self, until: Time, io: &mut Io) -> Option<(Time, u32)> {
        match self {
            Self::Fifo(_) => None,
            Self::Shaped(nic) => nic.serve(until, io),
        }
    }

    /// The interface, if it holds cells back.
    pub fn shaped(&mut self) -> Option<&mut ShapedNic> {
        match self {
            Self::Fifo(_) => None,
            Self::Shaped(nic) => Some(nic),
        }
    }

    /// The ABR source of a VC, if it is one.
    pub fn abr_of(&mut self, vc: u32) -> Option<&mut AbrVc> {
        self.shaped().and_then(|nic| nic.abr_of(vc))
    }

    /// Frames that are held back.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        let shaped = match self {
            Self::Fifo(_) => None,
            Self::Shaped(nic) => Some(nic),
        };
        shaped.into_iter().flat_map(ShapedNic::frames)
    }

    /// The place of a VC among those that are held back.
    pub fn place_of(&self, vc: u32) -> Option<usize> {
        match self {
            Self::Fifo(_) => None,
            Self::Shaped(nic) => Some(nic.place_of(vc)),
        }
    }

    /// Reports what is held, and what the line did.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        self.transmitter().report(at, ledger);
        if let Self::Shaped(nic) = self {
            nic.report(at, ledger);
        }
    }

    #[inline]
    pub(super) fn transmitter(&self) -> &Transmitter {
        match self {
            Self::Fifo(nic) => &nic.transmitter,
            Self::Shaped(nic) => nic.transmitter(),
        }
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        match self {
            Self::Fifo(_) => Time::MAX,
            Self::Shaped(nic) => nic.next_sample(),
        }
    }

    /// The finished series.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.shaped().map(ShapedNic::take_series).unwrap_or_default()
    }
}

/// An interface whose frames leave in the order in which they are handed over.
#[derive(Debug)]
pub struct FifoNic {
    transmitter: Transmitter,
    pacer: Option<Pacer>,
}

/// An infinite FIFO and a server at the pacing rate.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    cell_time: Span,
    free_at: Time,
}

impl Pacer {
    /// An idle pacer that lets a cell pass every `cell_time`.
    pub fn new(cell_time: Span) -> Self {
        Self { cell_time, free_at: Time::ZERO }
    }

    /// When a cell that is ready at `ready` comes out.
    #[inline]
    pub fn pass(&mut self, ready: Time) -> Time {
        self.free_at = ready.max(self.free_at) + self.cell_time;
        self.free_at
    }

    /// When cells come out: those that wait for others, and those that do not.
    fn pass_all(&mut self, ready: Train) -> [Train; 2] {
        let (waiting, others) = ready.through(self.free_at, self.cell_time);
        let last = if others.count > 0 { others.last() } else { waiting.last() };
        self.free_at = last;
        [waiting, others]
    }
}

impl FifoNic {
    /// An idle interface; `pacer` only if one VC has it to itself.
    pub fn new(transmitter: Transmitter, pacer: Option<Pacer>) -> Self {
        Self { transmitter, pacer }
    }

    #[expect(clippy::inline_always, reason = "every frame of a host, most by this way")]
    #[inline(always)]
    fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io) {
        let ecn = frame.segment.ecn;
        let (body, count) = (CellHead::body(vc, frame.number).of_packet(ecn), frame.cells);
        let end = CellHead::end_of_frame(vc, io.frames.insert(frame).0).of_packet(ecn);
        if count == 1 {
            return self.pass(ready, end, io);
        }
        let cells = Train::frame(ready, body, count, end);
        match self.cell_time_of_trains(io) {
            Some(cell_time) if self.pacer.is_none() => {
                let sent = cells.back_to_back(self.transmitter.free_at(), cell_time);
                self.transmitter.send_train(sent, 0, io);
            }
            _ => self.pass_all(cells, io),
        }
    }

    #[inline]
    fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io) {
        self.pass(ready, CellHead::raw(vc), io);
    }

    /// The time of a cell, if the link carries trains of them.
    #[inline]
    fn cell_time_of_trains(&self, io: &Io) -> Option<Span> {
        let cell_time = self.transmitter.transmission().cell_time();
        cell_time.filter(|_| self.transmitter.carries_trains(io))
    }

    /// Cells that are ready at the instants of a train.
    fn pass_all(&mut self, cells: Train, io: &mut Io) {
        let Some(cell_time) = self.cell_time_of_trains(io) else {
            return cells.cells().for_each(|cell| self.pass(cell.at, cell.head, io));
        };
        match &mut self.pacer {
            None => self.send_train(cells, cell_time, io),
            Some(pacer) => {
                let trains = pacer.pass_all(cells).into_iter().filter(|train| train.count > 0);
                trains.for_each(|train| self.send_train(train, cell_time, io));
            }
        }
    }

    fn send_train(&mut self, cells: Train, cell_time: Span, io: &mut Io) {
        let (waiting, others) = cells.through(self.transmitter.free_at(), cell_time);
        for sent in [waiting, others].into_iter().filter(|sent| sent.count > 0) {
            self.transmitter.send_train(sent, 0, io);
        }
    }

    #[inline]
    fn pass(&mut self, ready: Time, head: CellHead, io: &mut Io) {
        let ready = self.pacer.as_mut().map_or(ready, |pacer| pacer.pass(ready));
        self.transmitter.send(Cell { at: ready, head }, 0, io);
    }
}

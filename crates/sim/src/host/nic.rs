//! A host's interface to one outgoing link.
//!
//! The plain one is a FIFO, so every departure is known when a frame is handed over and its cells
//! are put on the link at once. A pacer in front of it is an infinite FIFO and a server at the
//! pacing rate (Lazarou et al. 1997, §4.4), which does not change that as long as one VC has the
//! interface to itself. Several VCs, one of them paced, and ABR sources need [`Shapers`].

use super::shaper::{Shaper, Shapers};
use crate::engine::Io;
use crate::link::Transmitter;
use crate::pdu::{Cell, CellHead, Frame, Train};
use crate::result::Ledger;
use crate::units::{Span, Time};

/// An interface.
#[derive(Debug)]
pub struct Nic {
    pub(super) transmitter: Transmitter,
    pacer: Option<Box<Pacer>>,
    /// Shapers that hold cells of several VCs back; `None` for first in, first out.
    pub(super) shapers: Option<Box<Shapers>>,
}

impl Nic {
    /// Makes an idle interface that sends frames in the order in which they are handed over;
    /// `pacer` only if one VC has it to itself.
    pub fn fifo(transmitter: Transmitter, pacer: Option<Pacer>) -> Self {
        Self { transmitter, pacer: pacer.map(Box::new), shapers: None }
    }

    /// Makes an idle interface that sends cells in the order in which their shapers release them,
    /// one shaper for each VC in the order that breaks ties.
    pub fn shaped(transmitter: Transmitter, shapers: Vec<Shaper>) -> Self {
        Self { transmitter, pacer: None, shapers: Some(Box::new(Shapers::new(shapers))) }
    }

    /// Number of units that a packet of `ip_bytes` is cut into.
    #[inline]
    pub fn cells_of(&self, ip_bytes: u32) -> u32 {
        self.transmitter.transmission().units_of(ip_bytes)
    }

    /// Sends a frame that is ready at `ready`, not before earlier ones.
    #[expect(clippy::inline_always, reason = "every frame of a host, most by this way")]
    #[inline(always)]
    pub fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io) {
        if let Some(shapers) = &mut self.shapers {
            return shapers.send(ready, vc, Some(frame), io);
        }
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
            _ => self.send_cells(cells, io),
        }
    }

    /// Sends a raw cell that is ready at `ready`, not before earlier ones.
    #[inline]
    pub fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io) {
        match &mut self.shapers {
            None => self.pass(ready, CellHead::raw(vc), io),
            Some(shapers) => shapers.send(ready, vc, None, io),
        }
    }

    /// True if it holds cells back.
    #[inline]
    pub fn is_shaped(&self) -> bool {
        self.shapers.is_some()
    }

    /// The instant at which a held cell may be sent; [`Time::MAX`] if the interface holds none.
    #[inline]
    pub fn next_event(&self) -> Time {
        self.shapers.as_ref().map_or(Time::MAX, |shapers| shapers.next(&self.transmitter))
    }

    /// The instant at which everything that was handed over has been sent; `None` while a shaper
    /// holds cells back, whose instants depend on what comes.
    pub fn free_at(&self) -> Option<Time> {
        let pacer = self.pacer.as_ref().map_or(Time::ZERO, |pacer| pacer.free_at);
        let is_free = self.next_event() == Time::MAX;
        is_free.then(|| self.transmitter.free_at().max(pacer))
    }

    /// Index of a VC among those that are held back.
    pub fn place_of(&self, vc: u32) -> Option<usize> {
        self.shapers.as_ref().map(|shapers| shapers.place_of(vc))
    }

    /// Reports the held cells, and the counters of the line.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        self.transmitter.report(at, ledger);
        let shapers = self.shapers.iter_mut().flat_map(|shapers| &mut shapers.all);
        shapers.for_each(|shaper| shaper.report(at, ledger));
    }

    /// The time of a cell, if the link carries trains of them.
    #[inline]
    fn cell_time_of_trains(&self, io: &Io) -> Option<Span> {
        let cell_time = self.transmitter.transmission().cell_time();
        cell_time.filter(|_| self.transmitter.carries_trains(io))
    }

    /// Sends cells that are ready at the instants of a train, not before earlier ones. The
    /// interface must hold no cells back, as is the case if its link carries trains.
    pub fn send_cells(&mut self, cells: Train, io: &mut Io) {
        debug_assert!(!self.is_shaped(), "cells that are held back leave one by one");
        let Some(cell_time) = self.cell_time_of_trains(io) else {
            return cells.cells().for_each(|cell| self.pass(cell.at, cell.head, io));
        };
        let paced = match &mut self.pacer {
            None => [cells, Train::default()],
            Some(pacer) => pacer.pass_all(cells),
        };
        for ready in paced.into_iter().filter(|ready| ready.count > 0) {
            let (waiting, others) = ready.through(self.transmitter.free_at(), cell_time);
            for sent in [waiting, others].into_iter().filter(|sent| sent.count > 0) {
                self.transmitter.send_train(sent, 0, io);
            }
        }
    }

    #[inline]
    fn pass(&mut self, ready: Time, head: CellHead, io: &mut Io) {
        let ready = self.pacer.as_mut().map_or(ready, |pacer| pacer.pass(ready));
        self.transmitter.send(Cell { at: ready, head }, 0, io);
    }
}

/// An infinite FIFO and a server at the pacing rate.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    cell_time: Span,
    free_at: Time,
}

impl Pacer {
    /// Makes an idle pacer that lets a cell pass every `cell_time`.
    pub fn new(cell_time: Span) -> Self {
        Self { cell_time, free_at: Time::ZERO }
    }

    /// The instant at which the pacer has served a cell that is ready at `ready`.
    #[inline]
    fn pass(&mut self, ready: Time) -> Time {
        self.free_at = ready.max(self.free_at) + self.cell_time;
        self.free_at
    }

    /// Instants at which the pacer has served cells: those that wait for others, and those that do
    /// not.
    fn pass_all(&mut self, ready: Train) -> [Train; 2] {
        let (waiting, others) = ready.through(self.free_at, self.cell_time);
        let last = if others.count > 0 { others.last() } else { waiting.last() };
        self.free_at = last;
        [waiting, others]
    }
}

//! What holds cells back at an interface shared by several VCs of which at least one has a rate of
//! its own: it is paced, or an ABR source, or follows what is fed back.
//!
//! Each VC has a queue. Cells are sent in the order in which they may leave (an unpaced
//! cell at once), ties by the order of the VCs in the scenario; which cell of an ABR source that
//! is, is decided when the line takes it.

use std::collections::BTreeMap;

use super::abr_vc::AbrVc;
use super::paced_vc::PacedVc;
use super::segmentation::Segmentation;
use crate::engine::{Io, Tournament};
use crate::link::Transmitter;
use crate::pdu::{Cell, Frame, RmCell};
use crate::result::{Ledger, Series};
use crate::units::{Span, Time};

/// A shaper per VC.
#[derive(Debug)]
pub struct Shapers {
    all: Vec<Shaper>,
    place_of_vc: BTreeMap<u32, usize>,
    heads: Tournament,
}

/// What holds the cells of a VC back.
#[derive(Debug)]
pub enum Shaper {
    /// An ABR source.
    Abr(Box<AbrVc>),
    /// A queue and a server, at the rate of the line if the VC is not paced.
    Paced(Box<PacedVc>),
}

impl Shapers {
    /// Idle shapers; `vcs` in the order that breaks ties.
    pub(super) fn new(vcs: Vec<(u32, Shaper)>) -> Self {
        let mut heads = Tournament::new(vcs.len());
        let place_of_vc = vcs.iter().enumerate().map(|(place, (vc, _))| (*vc, place)).collect();
        let mut all: Vec<Shaper> = vcs.into_iter().map(|(_, shaper)| shaper).collect();
        for (place, shaper) in all.iter_mut().enumerate() {
            heads.set(place, shaper.next(Time::ZERO));
        }
        Self { all, place_of_vc, heads }
    }

    /// When the line takes the next cell.
    #[inline]
    pub(super) fn next(&self, transmitter: &Transmitter) -> Time {
        let (at, _) = self.heads.min();
        if at == Time::MAX { at } else { at.max(transmitter.free_at()) }
    }

    /// A frame is ready at `ready`, not before earlier ones of its VC.
    #[inline(never)]
    pub(super) fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io) {
        let place = self.place_of(vc);
        let shaper = &mut self.all[place];
        let is_next = match shaper {
            Shaper::Abr(abr) => abr.push_frame(ready, frame, io),
            Shaper::Paced(paced) => paced.push_frame(ready, frame, io),
        };
        if is_next {
            self.heads.set(place, shaper.next(ready));
        }
    }

    /// A raw cell is ready at `ready`, not before earlier ones of its VC.
    pub(super) fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io) {
        let place = self.place_of(vc);
        let shaper = &mut self.all[place];
        let is_next = match shaper {
            Shaper::Abr(abr) => abr.push_cell(ready, io),
            Shaper::Paced(paced) => paced.push_cell(ready, io),
        };
        if is_next {
            self.heads.set(place, shaper.next(ready));
        }
    }

    /// `cell` arrived, an RM cell of the VC whose other direction leaves here at this place.
    pub(super) fn on_rm(&mut self, place: usize, cell: Cell, rm: &RmCell, is_congested: bool) {
        let shaper = &mut self.all[place];
        let Shaper::Abr(abr) = shaper else { unreachable!("RM cells travel on ABR VCs only") };
        abr.on_rm(cell, rm, is_congested);
        self.heads.set(place, shaper.next(cell.at));
    }

    /// Sends every cell that the line takes before `until`, up to one for which a connection
    /// has waited; that connection and the instant.
    pub(super) fn serve(
        &mut self,
        transmitter: &mut Transmitter,
        until: Time,
        io: &mut Io,
    ) -> Option<(Time, u32)> {
        loop {
            let (at, place) = self.heads.min();
            let start = at.max(transmitter.free_at());
            if start >= until {
                return None;
            }
            let shaper = &mut self.all[place];
            let (head, relieved) = match shaper {
                Shaper::Abr(abr) => abr.emit(start, io),
                Shaper::Paced(paced) => (paced.take(start, io), None),
            };
            transmitter.send(Cell { at: start, head }, 0, io);
            self.heads.set(place, shaper.next(start));
            if let Some(endpoint) = relieved {
                return Some((start, endpoint));
            }
        }
    }

    /// The ABR source of a VC, if it is one.
    pub(super) fn abr_of(&mut self, vc: u32) -> Option<&mut AbrVc> {
        let place = self.place_of(vc);
        match &mut self.all[place] {
            Shaper::Abr(abr) => Some(abr),
            Shaper::Paced(_) => None,
        }
    }

    /// The place of a VC among those of the interface.
    pub(super) fn place_of(&self, vc: u32) -> usize {
        *self.place_of_vc.get(&vc).expect("the builder gives every VC of an interface a shaper")
    }

    /// Reports what is held, and the counters.
    pub(super) fn report(&mut self, at: Time, ledger: &mut Ledger) {
        for shaper in &mut self.all {
            match shaper {
                Shaper::Abr(abr) => abr.report(at, ledger),
                Shaper::Paced(paced) => paced.report(at, ledger),
            }
        }
    }

    /// Frames that wait.
    pub(super) fn frames(&self) -> impl Iterator<Item = &Frame> {
        let buffers = self.all.iter().map(|shaper| match shaper {
            Shaper::Abr(abr) => &abr.buffer,
            Shaper::Paced(paced) => &paced.queue,
        });
        buffers.flat_map(Segmentation::frames)
    }

    /// Forgets the extremes seen so far.
    pub(super) fn begin_measurement(&mut self) {
        for shaper in &mut self.all {
            match shaper {
                Shaper::Abr(abr) => abr.buffer.begin_measurement(),
                Shaper::Paced(paced) => paced.queue.begin_measurement(),
            }
        }
    }

    /// When the next grid sample is due.
    pub(super) fn next_sample(&self) -> Time {
        let next = self.all.iter().map(|shaper| match shaper {
            Shaper::Abr(abr) => abr.next_sample(),
            Shaper::Paced(paced) => paced.next_sample(),
        });
        next.min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub(super) fn sample_through(&mut self, at: Time) {
        for shaper in &mut self.all {
            match shaper {
                Shaper::Abr(abr) => abr.sample_through(at),
                Shaper::Paced(paced) => paced.sample_through(at),
            }
        }
    }

    /// The finished series.
    pub(super) fn take_series(&mut self) -> impl Iterator<Item = Series> {
        self.all.iter_mut().flat_map(|shaper| match shaper {
            Shaper::Abr(abr) => abr.take_series(),
            Shaper::Paced(paced) => paced.take_series(),
        })
    }
}

impl Shaper {
    /// When the front cell may leave, which the line may take at `now`. Called once per cell.
    fn next(&mut self, now: Time) -> Time {
        match self {
            Self::Abr(abr) => abr.next().max(now),
            Self::Paced(paced) => paced.next(),
        }
    }

    /// Every how long it lets a cell pass, if that is all it does; nothing: at once.
    pub fn cell_time(&self) -> Option<Span> {
        match self {
            Self::Abr(_) => None,
            Self::Paced(paced) => paced.cell_time(),
        }
    }
}

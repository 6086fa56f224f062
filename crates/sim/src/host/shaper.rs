//! Shapers of an interface shared by several VCs of which at least one has a rate of its own: it is
//! paced, or an ABR source, or follows feedback.
//!
//! Each VC has a queue. Cells are sent in the order of the instants at which they may be sent (an
//! unpaced cell at once), ties by the order of the VCs in the scenario. The kind of an ABR source's
//! cell is decided when the line takes it.

use std::collections::BTreeMap;

use super::abr_vc::AbrVc;
use super::paced_vc::PacedVc;
use super::segmentation::Segmentation;
use crate::engine::{Io, Tournament, delegate};
use crate::link::Transmitter;
use crate::pdu::{Cell, Frame, RmCell};
use crate::result::Ledger;
use crate::units::{Span, Time};

/// A shaper per VC.
#[derive(Debug)]
pub struct Shapers {
    pub(super) all: Vec<Shaper>,
    place_of_vc: BTreeMap<u32, usize>,
    heads: Tournament,
}

/// The shaper of one VC, which holds its cells back.
#[derive(Debug)]
pub enum Shaper {
    /// An ABR source.
    Abr(Box<AbrVc>),
    /// A queue and a server, at the rate of the line if the VC is not paced.
    Paced(Box<PacedVc>),
}

impl Shapers {
    /// Makes idle shapers, in the order that breaks ties.
    pub(super) fn new(mut all: Vec<Shaper>) -> Self {
        let heads = all.iter_mut().map(|shaper| shaper.next(Time::ZERO)).collect();
        let vcs = all.iter().map(|shaper| shaper.buffer().vc);
        Self { place_of_vc: vcs.zip(0..).collect(), all, heads }
    }

    /// The instant at which the line takes the next cell.
    #[inline]
    pub(super) fn next(&self, transmitter: &Transmitter) -> Time {
        let (at, _) = self.heads.min();
        if at == Time::MAX { at } else { at.max(transmitter.free_at()) }
    }

    /// Appends a frame, or a raw cell, that is ready at `ready`, not before earlier ones of its VC.
    #[inline(never)]
    pub(super) fn send(&mut self, ready: Time, vc: u32, frame: Option<Frame>, io: &mut Io) {
        let place = self.place_of(vc);
        let shaper = &mut self.all[place];
        if shaper.push(ready, frame, io) {
            self.heads.set(place, shaper.next(ready));
        }
    }

    /// Takes an RM cell that arrived for the VC whose other direction has this place here.
    pub(super) fn on_rm(
        &mut self,
        place: usize,
        cell: Cell,
        rm: &RmCell,
        is_congested: bool,
        io: &mut Io,
    ) {
        let shaper = &mut self.all[place];
        let Shaper::Abr(abr) = shaper else { unreachable!("RM cells travel on ABR VCs only") };
        abr.on_rm(cell, rm, is_congested, io);
        self.heads.set(place, shaper.next(cell.at));
    }

    /// Sends every cell that the line takes before `until`, up to one for which a connection has
    /// waited; returns that instant and that connection.
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

    /// Index of a VC among those of the interface.
    pub(super) fn place_of(&self, vc: u32) -> usize {
        *self.place_of_vc.get(&vc).expect("the builder gives every VC of an interface a shaper")
    }
}

impl Shaper {
    /// The instant at which the front cell may be sent, if the line may take it at `now`. Called
    /// once per cell.
    fn next(&mut self, now: Time) -> Time {
        match self {
            Self::Abr(abr) => abr.next().max(now),
            Self::Paced(paced) => paced.next(),
        }
    }

    /// Distance at which it lets cells pass, if that is all it does; zero means at once.
    pub fn cell_time(&self) -> Option<Span> {
        match self {
            Self::Abr(_) => None,
            Self::Paced(paced) => paced.cell_time(),
        }
    }

    /// The buffer of waiting cells.
    pub(super) fn buffer(&self) -> &Segmentation {
        match self {
            Self::Abr(abr) => &abr.buffer,
            Self::Paced(paced) => &paced.queue,
        }
    }

    /// The buffer, mutable.
    pub(super) fn buffer_mut(&mut self) -> &mut Segmentation {
        match self {
            Self::Abr(abr) => &mut abr.buffer,
            Self::Paced(paced) => &mut paced.queue,
        }
    }

    delegate! { [Abr, Paced]
        /// Appends a frame that is ready, or a raw cell; true if the next cell may be another.
        fn push(&mut self, ready: Time, frame: Option<Frame>, io: &mut Io) -> bool;

        /// Takes every grid sample that is due by `at`.
        pub(super) fn sample_through(&mut self, at: Time);

        /// Reports the held cells, and the counters as they are at `at`.
        pub(super) fn report(&mut self, at: Time, ledger: &mut Ledger);
    }
}

//! An interface shared by several VCs of which at least one has a rate of its own: it is paced, or
//! an ABR source, or follows what is fed back.
//!
//! Each VC has a queue. Cells are sent in the order in which they may leave (an unpaced
//! cell at once), ties by the order of the VCs in the scenario; which cell of an ABR source that
//! is, is decided when the line takes it.

use std::collections::BTreeMap;

use super::abr_vc::AbrVc;
use super::following::FollowingVc;
use super::nic::Pacer;
use super::segmentation::Segmentation;
use crate::engine::{Io, Tournament};
use crate::link::Transmitter;
use crate::pdu::{Cell, Frame, RmCell};
use crate::result::{Ledger, Recorder, Series};
use crate::units::Time;

/// An interface with a shaper per VC.
#[derive(Debug)]
pub struct ShapedNic {
    transmitter: Transmitter,
    shapers: Vec<Shaper>,
    shaper_of_vc: BTreeMap<u32, usize>,
    heads: Tournament,
}

/// What holds the cells of a VC back.
#[derive(Debug)]
pub enum Shaper {
    /// A queue and, if it is paced, a server at the pacing rate.
    Paced(PacedVc),
    /// An ABR source.
    Abr(Box<AbrVc>),
    /// A queue and a server at the rate that the flow's pacing gives.
    Following(Box<FollowingVc>),
}

/// A VC whose cells leave at a constant rate, or as fast as the line.
#[derive(Debug)]
pub struct PacedVc {
    vc: u32,
    pacer: Option<Pacer>,
    queue: Segmentation,
}

impl ShapedNic {
    /// An idle interface; `vcs` in the order that breaks ties.
    pub fn new(transmitter: Transmitter, vcs: Vec<(u32, Shaper)>) -> Self {
        let mut heads = Tournament::new(vcs.len());
        let shaper_of_vc = vcs.iter().enumerate().map(|(index, (vc, _))| (*vc, index)).collect();
        let mut shapers: Vec<Shaper> = vcs.into_iter().map(|(_, shaper)| shaper).collect();
        for (index, shaper) in shapers.iter_mut().enumerate() {
            heads.set(index, shaper.next());
        }
        Self { transmitter, shapers, shaper_of_vc, heads }
    }

    /// The sending end behind the shapers.
    #[inline]
    pub fn transmitter(&self) -> &Transmitter {
        &self.transmitter
    }

    /// When the line takes the next cell.
    #[inline]
    pub fn next_event(&self) -> Time {
        let (at, _) = self.heads.min();
        if at == Time::MAX { at } else { at.max(self.transmitter.free_at()) }
    }

    /// A frame is ready at `ready`, not before earlier ones of its VC.
    pub fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io) {
        let index = self.place_of(vc);
        match &mut self.shapers[index] {
            Shaper::Paced(paced) if paced.queue.held > 0 => {
                paced.queue.push_frame(ready, frame, frame.cells, io);
            }
            Shaper::Paced(paced) => {
                paced.queue.push_frame(ready, frame, frame.cells, io);
                self.heads.set(index, paced.next());
            }
            Shaper::Abr(abr) => {
                abr.push_frame(ready, frame, io);
                self.heads.set(index, abr.next().max(ready));
            }
            Shaper::Following(following) => {
                if following.push_frame(ready, frame, io) {
                    self.heads.set(index, following.next());
                }
            }
        }
    }

    /// A raw cell is ready at `ready`, not before earlier ones of its VC.
    pub fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io) {
        let index = self.place_of(vc);
        match &mut self.shapers[index] {
            Shaper::Paced(paced) => {
                let was_empty = paced.queue.held == 0;
                paced.queue.push_cell(ready, io);
                if was_empty {
                    self.heads.set(index, paced.next());
                }
            }
            Shaper::Abr(abr) => {
                abr.push_cell(ready, io);
                self.heads.set(index, abr.next().max(ready));
            }
            Shaper::Following(following) => {
                if following.push_cell(ready, io) {
                    self.heads.set(index, following.next());
                }
            }
        }
    }

    /// An RM cell of the VC whose other direction leaves here as the `index`-th arrived.
    pub fn on_rm(
        &mut self,
        index: usize,
        now: Time,
        rm: &RmCell,
        is_out_of_rate: bool,
        is_congested: bool,
    ) {
        let Shaper::Abr(abr) = &mut self.shapers[index] else {
            unreachable!("RM cells travel on ABR VCs only")
        };
        abr.on_rm(now, rm, is_out_of_rate, is_congested);
        self.heads.set(index, abr.next().max(now));
    }

    /// Sends every cell that the line takes before `until`, up to one for which a connection
    /// has waited; that connection and the instant.
    pub fn serve(&mut self, until: Time, io: &mut Io) -> Option<(Time, u32)> {
        loop {
            let (at, index) = self.heads.min();
            let start = at.max(self.transmitter.free_at());
            if start >= until {
                return None;
            }
            let (head, relieved) = match &mut self.shapers[index] {
                Shaper::Paced(paced) => (paced.queue.take(paced.vc, io), None),
                Shaper::Abr(abr) => abr.emit(start, io),
                Shaper::Following(following) => (following.take(start, io), None),
            };
            self.transmitter.send(Cell { at: start, head }, 0, io);
            let next = self.shapers[index].next();
            let is_abr = matches!(self.shapers[index], Shaper::Abr(_));
            self.heads.set(index, if is_abr { next.max(start) } else { next });
            if let Some(endpoint) = relieved {
                return Some((start, endpoint));
            }
        }
    }

    /// The shaper of a VC.
    pub fn abr_of(&mut self, vc: u32) -> Option<&mut AbrVc> {
        let index = self.place_of(vc);
        match &mut self.shapers[index] {
            Shaper::Abr(abr) => Some(abr),
            Shaper::Paced(_) | Shaper::Following(_) => None,
        }
    }

    /// The place of a VC among those of the interface.
    pub fn place_of(&self, vc: u32) -> usize {
        *self.shaper_of_vc.get(&vc).expect("the builder gives every VC of an interface a shaper")
    }

    /// Reports what is held, and the counters of ABR sources.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        for shaper in &mut self.shapers {
            match shaper {
                // Besides what waits for the VC elsewhere: a node that came before has counted
                // that.
                Shaper::Paced(paced) => ledger.vcs[paced.vc as usize].queued += paced.queue.held,
                Shaper::Abr(abr) => abr.report(at, ledger),
                Shaper::Following(following) => following.report(at, ledger),
            }
        }
    }

    /// Frames that wait.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        let queues = self.shapers.iter().map(|shaper| match shaper {
            Shaper::Paced(paced) => &paced.queue,
            Shaper::Abr(abr) => abr.buffer(),
            Shaper::Following(following) => following.buffer(),
        });
        queues.flat_map(Segmentation::frames)
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self) {
        for shaper in &mut self.shapers {
            match shaper {
                Shaper::Paced(_) => {}
                Shaper::Abr(abr) => abr.begin_measurement(),
                Shaper::Following(following) => following.begin_measurement(),
            }
        }
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        let next = self.shapers.iter().map(|shaper| match shaper {
            Shaper::Paced(_) => Time::MAX,
            Shaper::Abr(abr) => abr.next_sample(),
            Shaper::Following(following) => following.next_sample(),
        });
        next.min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time) {
        for shaper in &mut self.shapers {
            match shaper {
                Shaper::Paced(_) => {}
                Shaper::Abr(abr) => abr.sample_through(at),
                Shaper::Following(following) => following.sample_through(at),
            }
        }
    }

    /// The finished series.
    pub fn take_series(&mut self) -> Vec<Series> {
        let mut all = Vec::new();
        for shaper in &mut self.shapers {
            match shaper {
                Shaper::Paced(_) => {}
                Shaper::Abr(abr) => all.extend(abr.take_recorder().map(Recorder::finish)),
                Shaper::Following(following) => all.extend(following.take_series()),
            }
        }
        all
    }
}

impl Shaper {
    /// When the front cell may leave. Called once per cell.
    fn next(&mut self) -> Time {
        match self {
            Self::Paced(paced) => paced.next(),
            Self::Abr(abr) => abr.next(),
            Self::Following(following) => following.next(),
        }
    }
}

impl PacedVc {
    /// An idle queue.
    pub fn new(vc: u32, pacer: Option<Pacer>) -> Self {
        Self { vc, pacer, queue: Segmentation::default() }
    }

    /// Whether it has a rate of its own.
    pub fn is_paced(&self) -> bool {
        self.pacer.is_some()
    }

    /// The server at that rate.
    pub fn pacer(&self) -> Option<Pacer> {
        self.pacer
    }

    fn next(&mut self) -> Time {
        match self.queue.ready() {
            Time::MAX => Time::MAX,
            ready => self.pacer.as_mut().map_or(ready, |pacer| pacer.pass(ready)),
        }
    }
}

//! An interface shared by several VCs of which at least one is paced.
//!
//! Each VC has a queue of frames and, if it is paced, a pacer of its own. Cells go onto the line in the order in which
//! they come out of the pacers (an unpaced cell at once), ties by the order of the VCs in the scenario.

use std::collections::BTreeMap;

use super::nic::{Line, Pacer};
use crate::engine::{CellHead, Fifo, Frame, Io, Tournament};
use crate::result::Ledger;
use crate::units::Time;

/// An interface with a shaper per VC.
#[derive(Debug)]
pub struct ShapedNic {
    line: Line,
    shapers: Vec<Shaper>,
    shaper_of_vc: BTreeMap<u32, usize>,
    heads: Tournament,
}

#[derive(Debug)]
struct Shaper {
    vc: u32,
    pacer: Option<Pacer>,
    frames: Fifo<Queued>,
    sent_of_front: u32,
    held: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Queued {
    ready: Time,
    vc_cells: u32,
    frame: Option<Frame>,
}

impl ShapedNic {
    /// An idle interface; `vcs` in the order that settles ties.
    pub fn new(line: Line, vcs: Vec<(u32, Option<Pacer>)>) -> Self {
        let heads = Tournament::new(vcs.len());
        let shaper_of_vc = vcs.iter().enumerate().map(|(index, (vc, _))| (*vc, index)).collect();
        let shapers = vcs
            .into_iter()
            .map(|(vc, pacer)| Shaper { vc, pacer, frames: Fifo::default(), sent_of_front: 0, held: 0 })
            .collect();
        Self { line, shapers, shaper_of_vc, heads }
    }

    /// The line behind the shapers.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// When the next cell comes out of a pacer.
    pub fn next_event(&self) -> Time {
        self.heads.min().0
    }

    /// A frame is ready at `ready`, not before earlier ones of its VC.
    pub fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io<'_>) {
        self.queue(vc, Queued { ready, vc_cells: frame.cells, frame: Some(frame) }, io);
    }

    /// A raw cell is ready at `ready`, not before earlier ones of its VC.
    pub fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io<'_>) {
        self.queue(vc, Queued { ready, vc_cells: 1, frame: None }, io);
    }

    /// Lets go of every cell that comes out of its pacer before `until`.
    pub fn serve(&mut self, until: Time, io: &mut Io<'_>) {
        loop {
            let (at, index) = self.heads.min();
            if at >= until {
                return;
            }
            let shaper = &mut self.shapers[index];
            let head = shaper.take(io);
            self.line.send_cell(at, head, io);
            self.heads.set(index, shaper.next());
        }
    }

    /// Reports what is held.
    pub fn settle(&self, ledger: &mut Ledger) {
        for shaper in &self.shapers {
            ledger.vcs[shaper.vc as usize].held = shaper.held;
        }
    }

    fn queue(&mut self, vc: u32, queued: Queued, io: &mut Io<'_>) {
        let index = *self.shaper_of_vc.get(&vc).expect("the builder gives every VC of an interface a shaper");
        let shaper = &mut self.shapers[index];
        let was_empty = shaper.frames.is_empty();
        if shaper.frames.push(queued) {
            io.note_memory(shaper.frames.bytes() / 2);
        }
        shaper.held += u64::from(queued.vc_cells);
        if was_empty {
            self.heads.set(index, shaper.next());
        }
    }
}

impl Shaper {
    /// When the front cell comes out of the pacer. Called once per cell.
    fn next(&mut self) -> Time {
        let Some(ready) = self.frames.front().map(|queued| queued.ready) else { return Time::MAX };
        self.pacer.as_mut().map_or(ready, |pacer| pacer.pass(ready))
    }

    /// Takes the front cell.
    fn take(&mut self, io: &mut Io<'_>) -> CellHead {
        let queued = *self.frames.front().expect("the tournament holds the exit of a cell that is queued");
        self.held -= 1;
        self.sent_of_front += 1;
        let is_last = self.sent_of_front == queued.vc_cells;
        if is_last {
            self.frames.pop();
            self.sent_of_front = 0;
        }
        match queued.frame {
            Some(frame) if is_last => CellHead::end_of_frame(self.vc, io.frames.insert(frame).0),
            Some(frame) => CellHead::body(self.vc, frame.number),
            None => CellHead::raw(self.vc),
        }
    }
}

//! The order in which the cells of one class are served.

use super::Waiting;
use super::wfq::Wfq;
use crate::engine::{Fifo, Io};

/// A queue, dispatched statically.
#[derive(Debug)]
pub(super) enum Order {
    /// First in, first out.
    Fifo(Fifo<Waiting>),
    /// Weighted fair queueing.
    Wfq(Box<Wfq>),
}

impl Order {
    /// By slot, weights; none: first in, first out.
    pub(super) fn new(weights: Option<&[u64]>) -> Self {
        match weights {
            None => Self::Fifo(Fifo::default()),
            Some(weights) => Self::Wfq(Box::new(Wfq::new(weights))),
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Fifo(cells) => cells.is_empty(),
            Self::Wfq(wfq) => wfq.is_empty(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, waiting: Waiting, io: &mut Io) {
        let grown = match self {
            Self::Fifo(cells) => {
                let has_grown = cells.push(waiting);
                if has_grown { cells.bytes() / 2 } else { 0 }
            }
            Self::Wfq(wfq) => wfq.push(waiting),
        };
        if grown > 0 {
            io.note_memory(grown);
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        match self {
            Self::Fifo(cells) => cells.pop(),
            Self::Wfq(wfq) => wfq.pop(),
        }
    }

    /// A cell of the VC at `slot` is begun that never waited.
    #[inline]
    pub(super) fn pass(&mut self, slot: u32) {
        if let Self::Wfq(wfq) = self {
            wfq.pass(slot);
        }
    }

    /// All that wait.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Waiting> {
        let (fifo, wfq) = match self {
            Self::Fifo(cells) => (Some(cells.iter()), None),
            Self::Wfq(wfq) => (None, Some(wfq.iter())),
        };
        fifo.into_iter().flatten().chain(wfq.into_iter().flatten())
    }
}

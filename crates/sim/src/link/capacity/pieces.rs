//! Pieces of constant rate that are known beforehand, once or repeated.

use super::process::{LongRun, Process};
use crate::units::{Rate, Span};

/// A list of pieces.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    pieces: Vec<(Rate, Span)>,
    next: usize,
    /// True if the first one follows the last one; else the last one holds for good.
    repeats: bool,
}

impl Pieces {
    /// Makes a list of at least one piece; neighbours of the same rate become one.
    pub(super) fn new(pieces: impl IntoIterator<Item = (Rate, Span)>, repeats: bool) -> Self {
        let mut merged: Vec<(Rate, Span)> = Vec::new();
        for (rate, holds) in pieces {
            match merged.last_mut().filter(|(last, _)| *last == rate) {
                Some((_, span)) => *span += holds,
                None => merged.push((rate, holds)),
            }
        }
        let repeats = repeats && merged.len() > 1;
        Self { pieces: merged, next: 0, repeats }
    }

    /// Fraction of the time of each rate: of one period, or until `end`.
    pub(super) fn long_run(&self, end: Span) -> LongRun {
        let mut left = if self.repeats { Span::MAX } else { end };
        let last = self.pieces.len() - 1;
        LongRun::of(self.pieces.iter().enumerate().map(|(index, &(rate, holds))| {
            let holds = if index == last && !self.repeats { left } else { holds.min(left) };
            left -= holds;
            (rate, holds.seconds_f64())
        }))
    }
}

impl Process for Pieces {
    fn next(&mut self) -> (Rate, Span) {
        let (rate, holds) = self.pieces[self.next];
        if self.next + 1 < self.pieces.len() {
            self.next += 1;
        } else if self.repeats {
            self.next = 0;
        } else {
            return (rate, Span::MAX);
        }
        (rate, holds)
    }
}

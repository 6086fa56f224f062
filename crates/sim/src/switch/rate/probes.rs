//! An allocator at its port, with its recorded series.

use super::{Allocator, RateAllocator, View};
use crate::result::{AllocationCounters, Recorders, Series};
use crate::units::Time;

/// Quantities that an allocator that measures has at every instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationProbe {
    /// Explicit rate given last, cells per second.
    ExplicitRate,
    /// Fair share, cells per second.
    FairShare,
    /// Overload factor z.
    Overload,
    /// Active VCs N.
    Active,
    /// ABR capacity that is shared out, cells per second.
    Capacity,
}

impl AllocationProbe {
    fn value(self, view: View) -> f64 {
        match self {
            Self::ExplicitRate => view.explicit_rate,
            Self::FairShare => view.fair_share,
            // A series holds numbers: without capacity there is none.
            Self::Overload if view.overload.is_infinite() => f64::NAN,
            Self::Overload => view.overload,
            Self::Active => view.active,
            Self::Capacity => view.capacity,
        }
    }
}

/// An allocator with its counters and series.
#[derive(Debug)]
pub struct Allocation {
    /// The rule.
    pub allocator: Allocator,
    recorders: Recorders<AllocationProbe>,
    counters: AllocationCounters,
}

impl Allocation {
    /// Makes an allocation that has measured nothing yet.
    pub fn new(allocator: Allocator, recorders: Recorders<AllocationProbe>) -> Self {
        Self { allocator, recorders, counters: AllocationCounters::default() }
    }

    /// Ends the measuring interval at `at`, with `queue` ABR cells waiting.
    pub fn end_interval(&mut self, at: Time, queue: u64) {
        self.allocator.on_interval_end(at, queue);
        let Some(view) = self.allocator.view() else { return };
        self.counters.intervals += 1;
        self.counters.active += view.active;
        if view.input_cells == 0 && view.backward_rm_cells > 0 {
            self.counters.out_of_phase_intervals += 1;
        }
        if view.overload.is_finite() {
            self.counters.overload += view.overload;
            self.counters.finite_overloads += 1;
        }
        self.recorders.note_change(at, |probe| Some(probe.value(view)));
    }

    /// Notes that a backward RM cell took its feedback at `at`.
    pub fn note_feedback(&mut self, at: Time) {
        self.recorders.note_change(at, |probe| {
            let is_it = probe == AllocationProbe::ExplicitRate;
            if is_it { Some(self.allocator.view()?.explicit_rate) } else { None }
        });
    }

    /// Instant at which the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.recorders.next_sample()
    }

    /// Takes the grid samples that are due at `due`.
    pub fn sample(&mut self, due: Time) {
        let Some(view) = self.allocator.view() else { return };
        self.recorders.sample_through(due, |probe, _| probe.value(view));
    }

    /// The counters.
    pub fn counters(&self) -> Option<AllocationCounters> {
        self.allocator.view().map(|_| self.counters)
    }

    /// The finished series.
    pub fn take_series(&mut self) -> impl Iterator<Item = Series> {
        self.recorders.take_series()
    }
}

//! An allocator at its port, and what is recorded of it.

use super::{Allocator, RateAllocator, View};
use crate::result::{AllocationCounters, Recorder, Series};
use crate::units::Time;

/// Series of one allocator.
#[derive(Debug, Default)]
pub struct AllocationProbes {
    /// Explicit rate given last, cells per second.
    pub explicit_rate: Option<Recorder>,
    /// Fair share, cells per second.
    pub fair_share: Option<Recorder>,
    /// Overload factor z.
    pub overload: Option<Recorder>,
    /// Active VCs N.
    pub active: Option<Recorder>,
    /// ABR capacity that is shared out, cells per second.
    pub capacity: Option<Recorder>,
}

/// What they record, in their order.
fn values(view: View) -> [f64; 5] {
    // A series holds numbers: no capacity at all has none.
    let overload = if view.overload.is_finite() { view.overload } else { f64::NAN };
    [view.explicit_rate, view.fair_share, overload, view.active, view.capacity]
}

/// An allocator with its counters and series.
#[derive(Debug)]
pub struct Allocation {
    /// The rule.
    pub allocator: Allocator,
    /// In the order of [`values`].
    recorders: Option<Box<[Option<Recorder>; 5]>>,
    counters: AllocationCounters,
}

impl Allocation {
    /// Nothing measured yet.
    pub fn new(allocator: Allocator, probes: Option<AllocationProbes>) -> Self {
        let in_order = |probes| {
            let AllocationProbes { explicit_rate, fair_share, overload, active, capacity } = probes;
            Box::new([explicit_rate, fair_share, overload, active, capacity])
        };
        let recorders = probes.map(in_order);
        Self { allocator, recorders, counters: AllocationCounters::default() }
    }

    fn recorders_with_values(&mut self, view: View) -> impl Iterator<Item = (&mut Recorder, f64)> {
        let of_each =
            self.recorders.iter_mut().flat_map(move |all| all.iter_mut().zip(values(view)));
        of_each.filter_map(|(recorder, value)| Some((recorder.as_mut()?, value)))
    }

    /// The measuring interval ends at `at`, with `queue` ABR cells waiting.
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
        for (recorder, value) in self.recorders_with_values(view) {
            recorder.on_change(at, value);
        }
    }

    /// A backward RM cell took its feedback at `at`.
    pub fn note_feedback(&mut self, at: Time) {
        if let Some([Some(explicit_rate), ..]) = self.recorders.as_deref_mut()
            && let Some(view) = self.allocator.view()
        {
            explicit_rate.on_change(at, view.explicit_rate);
        }
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        let all = self.recorders.iter().flat_map(|all| all.iter().flatten());
        all.map(Recorder::due).min().unwrap_or(Time::MAX)
    }

    /// Takes the grid samples that are due at `due`.
    pub fn sample(&mut self, due: Time) {
        let Some(view) = self.allocator.view() else { return };
        let of_each = self.recorders_with_values(view);
        for (recorder, value) in of_each.filter(|(recorder, _)| recorder.due() <= due) {
            recorder.sample(recorder.due(), value);
        }
    }

    /// The counters.
    pub fn counters(&self) -> Option<AllocationCounters> {
        self.allocator.view().map(|_| self.counters)
    }

    /// The finished series.
    pub fn take_series(&mut self) -> Vec<Series> {
        let all = self.recorders.take().into_iter().flat_map(|all| all.into_iter().flatten());
        all.map(Recorder::finish).collect()
    }
}

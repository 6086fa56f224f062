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

impl AllocationProbes {
    fn with_values(&mut self, view: View) -> [(&mut Option<Recorder>, f64); 5] {
        [
            (&mut self.explicit_rate, view.explicit_rate),
            (&mut self.fair_share, view.fair_share),
            // A series holds numbers: no capacity at all has none.
            (&mut self.overload, if view.overload.is_finite() { view.overload } else { f64::NAN }),
            (&mut self.active, view.active),
            (&mut self.capacity, view.capacity),
        ]
    }
}

/// An allocator with its counters and series.
#[derive(Debug)]
pub struct Allocation {
    /// The rule.
    pub allocator: Allocator,
    probes: Option<Box<AllocationProbes>>,
    counters: AllocationCounters,
}

impl Allocation {
    /// Nothing measured yet.
    pub fn new(allocator: Allocator, probes: Option<Box<AllocationProbes>>) -> Self {
        Self { allocator, probes, counters: AllocationCounters::default() }
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
        if let Some(probes) = &mut self.probes {
            for (recorder, value) in probes.with_values(view) {
                if let Some(recorder) = recorder {
                    recorder.on_change(at, value);
                }
            }
        }
    }

    /// A backward RM cell took its feedback at `at`.
    pub fn note_feedback(&mut self, at: Time) {
        let Some(recorder) = self.probes.as_mut().and_then(|probes| probes.explicit_rate.as_mut())
        else {
            return;
        };
        if let Some(view) = self.allocator.view() {
            recorder.on_change(at, view.explicit_rate);
        }
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        let Some(probes) = &self.probes else { return Time::MAX };
        let all = [
            &probes.explicit_rate,
            &probes.fair_share,
            &probes.overload,
            &probes.active,
            &probes.capacity,
        ];
        all.into_iter().flatten().map(Recorder::due).min().unwrap_or(Time::MAX)
    }

    /// Takes the grid samples that are due at `due`.
    pub fn sample(&mut self, due: Time) {
        let Some(view) = self.allocator.view() else { return };
        let Some(probes) = &mut self.probes else { return };
        for (recorder, value) in probes.with_values(view) {
            if let Some(recorder) = recorder.as_mut().filter(|recorder| recorder.due() <= due) {
                recorder.sample(recorder.due(), value);
            }
        }
    }

    /// The counters.
    pub fn counters(&self) -> Option<AllocationCounters> {
        self.allocator.view().map(|_| self.counters)
    }

    /// The finished series.
    pub fn take_series(&mut self) -> Vec<Series> {
        let Some(probes) = self.probes.take() else { return Vec::new() };
        let all = [
            probes.explicit_rate,
            probes.fair_share,
            probes.overload,
            probes.active,
            probes.capacity,
        ];
        all.into_iter().flatten().map(Recorder::finish).collect()
    }
}

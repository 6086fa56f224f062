//! What is recorded of a queue beyond its counters: a series, distributions, or both.

use serde::Serialize;

use super::{
    DelayDistribution, DelaySummary, QueueDistribution, QueueDistributionSummary, Recorder,
    Sampling, Series, Window,
};
use crate::units::Time;

/// Follows one queue.
#[derive(Clone, Debug)]
pub struct QueueRecorder {
    series: Option<Recorder>,
    distributions: Option<Distributions>,
}

#[derive(Clone, Debug)]
struct Distributions {
    queue: QueueDistribution,
    delay: DelayDistribution,
}

/// Distributions at a port.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortDistributions {
    /// Of the number in the buffer.
    pub queue: QueueDistributionSummary,
    /// From the arrival of a unit until its last bit has left.
    pub delay: DelaySummary,
}

impl QueueRecorder {
    /// What follows the queue, if anything is wanted: a series, and distributions over a window.
    pub fn wanted(series: Option<Recorder>, window: Option<Window>) -> Option<Box<Self>> {
        let distributions = window.map(|window| Distributions {
            queue: QueueDistribution::new(window),
            delay: DelayDistribution::new(window),
        });
        (series.is_some() || distributions.is_some())
            .then(|| Box::new(Self { series, distributions }))
    }

    /// Leaves distributions to [`FifoDistributions`](super::FifoDistributions) over the window that
    /// is handed out, unless none are wanted or every change must be reported anyway.
    pub fn hand_over_distributions(&mut self) -> Option<Window> {
        if self.is_on_change() {
            return None;
        }
        self.distributions.take().map(|distributions| distributions.delay.window())
    }

    /// Whether there is a series of changes.
    pub fn is_on_change(&self) -> bool {
        self.series.as_ref().is_some_and(|series| series.sampling() == Sampling::OnChange)
    }

    /// Whether every change must be reported.
    pub fn needs_changes(&self) -> bool {
        self.is_on_change() || self.distributions.is_some()
    }

    /// So many from `at` on.
    #[inline]
    pub fn on_change(&mut self, at: Time, occupancy: u64) {
        if let Some(series) = &mut self.series {
            series.on_change(at, occupancy as f64);
        }
        if let Some(distributions) = &mut self.distributions {
            distributions.queue.on_change(at, occupancy);
        }
    }

    /// A unit that stood before the queue at `arrival` is known to leave the line at `departure`.
    #[inline]
    pub fn note_passage(&mut self, arrival: Time, departure: Time) {
        if let Some(distributions) = &mut self.distributions {
            distributions.delay.note(arrival, departure);
        }
    }

    /// When the next grid sample is due.
    pub fn due(&self) -> Time {
        self.series.as_ref().map_or(Time::MAX, Recorder::due)
    }

    /// The grid sample that is due, as everything before it left the queue.
    pub fn sample(&mut self, due: Time, occupancy: u64) {
        if let Some(series) = &mut self.series {
            series.sample(due, occupancy as f64);
        }
    }

    /// What was counted until `at`; nothing before the warm-up is over.
    pub fn distributions(&mut self, at: Time) -> Option<PortDistributions> {
        let Distributions { queue, delay } = self.distributions.as_mut()?;
        Some(PortDistributions { queue: queue.summary(at)?, delay: delay.summary() })
    }

    /// The finished series, if there is one.
    pub fn finish(self) -> Option<Series> {
        self.series.map(Recorder::finish)
    }
}

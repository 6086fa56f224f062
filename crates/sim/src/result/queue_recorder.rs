//! Recorders of a queue besides its counters: a series, distributions, or both.

use serde::Serialize;

use super::{
    DelayDistribution, DelaySummary, FifoDistributions, QueueDistribution,
    QueueDistributionSummary, Recorder, Sampling, Series, Window,
};
use crate::units::{Span, Time};

/// Records one queue.
#[derive(Clone, Debug)]
pub struct QueueRecorder {
    series: Option<Recorder>,
    distributions: Option<Distributions>,
}

#[derive(Clone, Debug)]
enum Distributions {
    /// Distributions from every change and every passage.
    OfChanges { queue: QueueDistribution, delay: DelayDistribution },
    /// Distributions from passages alone, which suffice where equal cells are served first in,
    /// first out.
    OfPassages(Box<FifoDistributions>),
}

/// Distributions at a port.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortDistributions {
    /// Distribution of the number in the buffer.
    pub queue: QueueDistributionSummary,
    /// Delay from the arrival of a unit until its last bit has left.
    pub delay: DelaySummary,
}

impl QueueRecorder {
    /// Makes the recorder of a queue, if a series, or distributions over a window, are wanted.
    pub fn wanted(series: Option<Recorder>, window: Option<Window>) -> Option<Box<Self>> {
        let distributions = window.map(|window| Distributions::OfChanges {
            queue: QueueDistribution::new(window),
            delay: DelayDistribution::new(window),
        });
        (series.is_some() || distributions.is_some())
            .then(|| Box::new(Self { series, distributions }))
    }

    /// Expects equal cells, served first in, first out, each in `cell_time` and out of the buffer
    /// by `after_buffer` before it has left the line. Distributions then need no changes, unless
    /// every change must be reported anyway.
    pub fn expect_fifo(&mut self, cell_time: Span, after_buffer: Span) {
        if !self.is_on_change()
            && let Some(Distributions::OfChanges { delay, .. }) = &self.distributions
        {
            let fifo = FifoDistributions::new(delay.window(), cell_time, after_buffer);
            self.distributions = Some(Distributions::OfPassages(Box::new(fifo)));
        }
    }

    /// True if there is a series of changes.
    pub fn is_on_change(&self) -> bool {
        self.series.as_ref().is_some_and(|series| series.sampling() == Sampling::OnChange)
    }

    /// True if every change must be reported.
    pub fn needs_changes(&self) -> bool {
        self.is_on_change() || matches!(self.distributions, Some(Distributions::OfChanges { .. }))
    }

    /// True if passages must be reported.
    pub fn needs_passages(&self) -> bool {
        self.distributions.is_some()
    }

    /// Sets the occupancy from `at` on.
    pub fn on_change(&mut self, at: Time, occupancy: u64) {
        if let Some(series) = &mut self.series {
            series.on_change(at, occupancy as f64);
        }
        if let Some(Distributions::OfChanges { queue, .. }) = &mut self.distributions {
            queue.on_change(at, occupancy);
        }
    }

    /// Notes a unit that arrived before the queue at `arrival` and will leave the line at
    /// `departure`.
    #[inline]
    pub fn note_passage(&mut self, arrival: Time, departure: Time) {
        match &mut self.distributions {
            None => {}
            Some(Distributions::OfChanges { delay, .. }) => delay.note(arrival, departure),
            Some(Distributions::OfPassages(fifo)) => fifo.note(arrival, departure),
        }
    }

    /// Instant at which the next grid sample is due.
    pub fn due(&self) -> Time {
        self.series.as_ref().map_or(Time::MAX, Recorder::due)
    }

    /// Takes a grid sample, if one is due by `due`, of the queue as everything before `due` left
    /// it.
    pub fn sample(&mut self, due: Time, occupancy: u64) {
        if let Some(series) = self.series.as_mut().filter(|series| series.due() <= due) {
            series.sample(due, occupancy as f64);
        }
    }

    /// Begins the measurement at a port whose line will be free at `free_at`.
    pub fn begin(&mut self, at: Time, free_at: Time) {
        if let Some(Distributions::OfPassages(fifo)) = &mut self.distributions {
            fifo.begin(at, free_at);
        }
    }

    /// Distributions until `at`, at a port whose line will be free at `free_at`; `None` before the
    /// warm-up is over.
    pub fn distributions(&mut self, at: Time, free_at: Time) -> Option<PortDistributions> {
        match self.distributions.as_mut()? {
            Distributions::OfChanges { queue, delay } => {
                Some(PortDistributions { queue: queue.summary(at)?, delay: delay.summary() })
            }
            Distributions::OfPassages(fifo) => fifo.summary(at, free_at),
        }
    }

    /// The finished series, if there is one.
    pub fn finish(self) -> Option<Series> {
        self.series.map(Recorder::finish)
    }
}

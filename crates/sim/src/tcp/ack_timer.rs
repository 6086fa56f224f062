//! Expiries of the timer of delayed acknowledgements: a fast tick of 4.3BSD, or a delay.

use super::clocks::{BsdTimers, FineTimers, FixedTimers, TickPhases, Timers};
use super::timers::Ticks;
use crate::units::{Span, Time};

#[derive(Clone, Debug)]
enum Wait {
    Tick(Ticks),
    Span(Span),
}

/// The timer of a delayed acknowledgement.
#[derive(Clone, Debug)]
pub(super) struct AckTimer {
    expiry: Time,
    wait: Wait,
}

impl AckTimer {
    pub(super) fn new(timers: &Timers, phases: TickPhases) -> Self {
        let wait = match *timers {
            Timers::Bsd(BsdTimers { fast, .. }) => Wait::Tick(Ticks::new(phases.fast, fast)),
            Timers::Fine(FineTimers { ack_delay, .. })
            | Timers::Fixed(FixedTimers { ack_delay, .. }) => Wait::Span(ack_delay),
        };
        Self { expiry: Time::MAX, wait }
    }

    /// The instant of its expiry; [`Time::MAX`] while stopped.
    pub(super) fn expiry(&self) -> Time {
        self.expiry
    }

    pub(super) fn is_running(&self) -> bool {
        self.expiry < Time::MAX
    }

    /// Starts with a given wait, unless it already runs.
    pub(super) fn start_for(&mut self, now: Time, wait: Span) {
        if !self.is_running() {
            self.expiry = now.saturating_add(wait);
        }
    }

    /// Starts unless it already runs: the first waiting segment decides.
    pub(super) fn start(&mut self, now: Time) {
        if self.expiry == Time::MAX {
            self.expiry = match &mut self.wait {
                Wait::Tick(fast) => fast.first_after(now),
                Wait::Span(delay) => now.saturating_add(*delay),
            };
        }
    }

    pub(super) fn stop(&mut self) {
        self.expiry = Time::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_waiting_segment_decides_when_an_ack_leaves() {
        let at = |ms| Time::ZERO + Span::from_milliseconds(ms);
        let [slow, fast] = [130, 70].map(Span::from_milliseconds);
        let phases = TickPhases { slow, fast };
        let mut timer = AckTimer::new(&Timers::Bsd(BsdTimers::default()), phases);
        timer.start(at(80));
        timer.start(at(280));
        assert_eq!(timer.expiry(), at(270));
    }
}

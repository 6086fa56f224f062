//! Schedule of the probes in `ProbeBW`: the next one comes after 2 to 3 s, or after as many rounds
//! as a Reno flow needs to win back its window, 63 at most (section 5.3.3.8 of the draft).

use crate::engine::Stream;
use crate::units::{Span, Time};

const RENO_ROUNDS: u64 = 63;
const LEAST_WAIT: Span = Span::from_seconds(2);

/// Meaning of the ACKs for a probe: `BBR.ack_phase`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum AckPhase {
    #[default]
    Init,
    Refilling,
    Starting,
    Feedback,
    Stopping,
}

/// Progress of the cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cycle {
    /// `BBR.cycle_count`, the time of the filter of the bandwidth.
    pub(super) count: u64,
    phase: AckPhase,
    /// `BBR.cycle_stamp`.
    began: Time,
    /// `BBR.bw_probe_wait`.
    wait: Span,
    /// `BBR.rounds_since_probe_up`.
    rounds: u64,
    /// `BBR.is_bw_probe_sample`: ACKs tell of a probe that has not yet lost too much.
    pub(super) is_probe_sample: bool,
    /// `BBR.prev_probe_too_high`.
    pub(super) was_too_high: bool,
    /// `BBR.prev_probe_precautionary`.
    pub(super) was_precautionary: bool,
}

impl Cycle {
    /// Counts a round.
    pub(super) fn on_round(&mut self) {
        self.rounds += 1;
    }

    /// Begins with `ProbeBW_DOWN`: the next probe is drawn.
    pub(super) fn begin(&mut self, now: Time, random: Option<&mut Stream>) {
        let (round, part) = random.map_or((0.0, 0.0), |random| (random.unit(), random.unit()));
        self.rounds = (2.0 * round) as u64;
        self.wait = LEAST_WAIT + Span::from_seconds(1) * (part * 1e6) as i64 / 1_000_000;
        self.began = now;
        self.stop();
    }

    /// Ends the feedback of a probe with the next round.
    pub(super) fn stop(&mut self) {
        self.phase = AckPhase::Stopping;
    }

    /// Begins to refill the pipe.
    pub(super) fn refill(&mut self) {
        self.was_precautionary = false;
        self.phase = AckPhase::Refilling;
    }

    /// Begins to probe.
    pub(super) fn probe(&mut self) {
        self.is_probe_sample = true;
        self.phase = AckPhase::Starting;
    }

    /// Notes that a probe has lost too much; only the first time in it counts.
    pub(super) fn fail(&mut self) {
        (self.was_too_high, self.is_probe_sample) = (true, false);
    }

    /// True if it is time to probe, for a flow with so many segments in flight.
    pub(super) fn is_due(&self, now: Time, segments: u64) -> bool {
        now > self.began + self.wait || self.rounds >= segments.min(RENO_ROUNDS)
    }

    /// Takes the first ACK of a round; true if it ends the feedback of a probe.
    pub(super) fn on_round_start(&mut self) -> bool {
        let stops = self.phase == AckPhase::Stopping;
        if stops {
            self.is_probe_sample = false;
            self.phase = AckPhase::Init;
        } else if self.phase == AckPhase::Starting {
            self.phase = AckPhase::Feedback;
        }
        stops
    }

    /// True if a probe that stopped early has lost little: the next one follows at once.
    pub(super) fn is_encouraged(&self) -> bool {
        self.was_precautionary && !self.was_too_high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time to probe: 2 s without a random stream, or rounds for each segment in flight.
    #[test]
    fn a_probe_comes_after_two_seconds_or_the_rounds_of_a_reno_flow() {
        let mut cycle = Cycle::default();
        let at = |ms| Time::ZERO + Span::from_milliseconds(ms);
        cycle.begin(at(1000), None);
        assert!(!cycle.is_due(at(3000), 30) && cycle.is_due(at(3001), 30));
        (0..30).for_each(|_| cycle.on_round());
        assert!(cycle.is_due(at(1100), 30) && !cycle.is_due(at(1100), 31));
        (0..33).for_each(|_| cycle.on_round());
        assert!(cycle.is_due(at(1100), 1000));
    }

    #[test]
    fn waits_are_drawn_between_two_and_three_seconds() {
        let mut random = Stream::new(1, "bbr3");
        let mut cycle = Cycle::default();
        let drawn: Vec<_> = (0..1000)
            .map(|_| {
                cycle.begin(Time::ZERO, Some(&mut random));
                (cycle.wait.seconds_f64(), cycle.rounds)
            })
            .collect();
        let mean = drawn.iter().map(|(wait, _)| wait).sum::<f64>() / 1000.0;
        assert!(drawn.iter().all(|(wait, _)| (2.0..3.0).contains(wait)));
        assert!((mean - 2.5).abs() < 0.04, "{mean}");
        let ones: u64 = drawn.iter().map(|(_, rounds)| rounds).sum();
        assert!((450..550).contains(&ones), "{ones}");
    }
}

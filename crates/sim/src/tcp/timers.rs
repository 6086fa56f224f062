//! Expiries of the retransmission timer, in each family of clocks.
//!
//! 4.3BSD decrements counters at every tick of the host; here the instant of the deciding tick is
//! computed when a timer starts, and nothing wakes in between. A timer of n ticks started between
//! two ticks therefore expires after more than n - 1 and at most n periods. A tick at the very
//! instant of the start is already past: timers run before arrivals.
//!
//! Departure: Net/3 gives up by the count of back-offs, which only a timed round trip clears, so a
//! path bad enough can end a connection that still makes progress. Here any ACK of new data clears
//! the count that gives up (RFC 9293 §3.8.3).

use super::clocks::{BsdTimers, FineTimers, Sampling, TickPhases, Timers};
use super::fixed_rto::FixedEstimator;
use super::path_state::Estimate;
use super::rtt::{FineEstimator, TickEstimator, ticks_covering};
use crate::units::{Span, Time};

/// Timeouts in a row after which 4.3BSD gives up at the next expiry.
const MAX_CONSECUTIVE_TIMEOUTS: u8 = 12;

/// Limits of the persist timer of Net/3, `TCPTV_PERSMIN` and `TCPTV_PERSMAX`.
const PERSIST_LIMITS: [Span; 2] = [Span::from_seconds(5), Span::from_seconds(60)];

/// A free-running tick: tick k comes at phase + k · period.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    phase: Span,
    period: Span,
    /// The first tick after the instant of the latest call.
    next: Time,
}

impl Ticks {
    pub(super) fn new(phase: Span, period: Span) -> Self {
        assert!(period > Span::ZERO, "a tick has a period");
        Self { phase, period, next: Time::ZERO + phase }
    }

    /// Number of ticks at or before `now`.
    pub(super) fn count(&self, now: Time) -> i64 {
        let since = (now - Time::ZERO) - self.phase;
        if since < Span::ZERO { 0 } else { since.picoseconds() / self.period.picoseconds() + 1 }
    }

    /// Time of so many ticks.
    pub(super) fn span_of(&self, ticks: i64) -> Span {
        Span::from_picoseconds(self.period.picoseconds().saturating_mul(ticks))
    }

    /// The first tick after `now`. Most instants lie between the same two ticks as the one before.
    #[inline]
    pub(super) fn first_after(&mut self, now: Time) -> Time {
        if now >= self.next || now < self.next - self.period {
            self.next = Time::ZERO + self.phase + self.period * self.count(now);
        }
        self.next
    }
}

#[derive(Clone, Debug)]
enum Rto {
    Ticks { slow: Ticks, estimator: TickEstimator },
    Fine(FineEstimator),
    Fixed(FixedEstimator),
}

impl Rto {
    /// The timeout after `backoffs` expiries in a row.
    fn after(&self, backoffs: u32) -> Span {
        match self {
            Self::Ticks { slow, estimator } => slow.span_of(estimator.rto(backoffs)),
            Self::Fine(estimator) => estimator.rto(backoffs),
            Self::Fixed(estimator) => estimator.rto(),
        }
    }

    /// Expiry of a timer that starts now and lasts so long, for 4.3BSD so many ticks.
    #[inline]
    fn expiry(&mut self, now: Time, wait: Span) -> Time {
        match self {
            Self::Ticks { slow, .. } => slow.first_after(now).saturating_add(wait - slow.period),
            Self::Fine(_) | Self::Fixed(_) => now.saturating_add(wait),
        }
    }
}

/// The retransmission timer with its estimator and back-off.
#[derive(Clone, Debug)]
pub(super) struct RetransmissionTimer {
    expiry: Time,
    /// Expiries since a round trip was last timed: the exponent of the timeout.
    backoffs: u32,
    /// Expiries since new data were last acknowledged.
    consecutive_timeouts: u8,
    takes_each: bool,
    rto: Rto,
    /// The present timeout.
    timeout: Span,
}

impl RetransmissionTimer {
    pub(super) fn new(timers: &Timers, phases: TickPhases) -> Self {
        let rto = match *timers {
            Timers::Bsd(BsdTimers { slow, min_rto, max_rto, .. }) => Rto::Ticks {
                slow: Ticks::new(phases.slow, slow),
                estimator: TickEstimator::new(slow, min_rto, max_rto),
            },
            Timers::Fine(FineTimers { granularity, initial_rto, min_rto, max_rto, .. }) => {
                Rto::Fine(FineEstimator::new(granularity, initial_rto, min_rto, max_rto))
            }
            Timers::Fixed(timers) => Rto::Fixed(FixedEstimator::new(timers)),
        };
        let timeout = rto.after(0);
        let takes_each = matches!(timers, Timers::Fine(timers) if timers.samples == Sampling::Each);
        let (backoffs, consecutive_timeouts) = (0, 0);
        Self { expiry: Time::MAX, backoffs, consecutive_timeouts, rto, timeout, takes_each }
    }

    /// The instant of its expiry; [`Time::MAX`] while stopped.
    pub(super) fn expiry(&self) -> Time {
        self.expiry
    }

    pub(super) fn is_running(&self) -> bool {
        self.expiry < Time::MAX
    }

    /// Expiries since a round trip was last timed.
    pub(super) fn backoffs(&self) -> u32 {
        self.backoffs
    }

    #[inline]
    pub(super) fn start(&mut self, now: Time) {
        self.expiry = self.rto.expiry(now, self.timeout);
    }

    /// The present timeout.
    pub(super) fn timeout(&self) -> Span {
        self.timeout
    }

    /// True if the present timeout has passed since `since`, for 4.3BSD in ticks that have come.
    pub(super) fn has_timeout_passed(&self, since: Time, now: Time) -> bool {
        let passed = match &self.rto {
            Rto::Ticks { slow, .. } => slow.span_of(slow.count(now) - slow.count(since)),
            Rto::Fine(_) | Rto::Fixed(_) => now - since,
        };
        passed >= self.timeout
    }

    /// Expiry of a persist timer that has expired `backoffs` times before.
    pub(super) fn persist_expiry(&mut self, now: Time, backoffs: u32) -> Time {
        let wait = match &self.rto {
            Rto::Ticks { slow, estimator } => {
                let [min, max] = PERSIST_LIMITS.map(|limit| ticks_covering(limit, slow.period));
                slow.span_of(estimator.persist(backoffs).clamp(min, max))
            }
            Rto::Fine(_) | Rto::Fixed(_) => self.rto.after(backoffs),
        };
        self.rto.expiry(now, wait)
    }

    pub(super) fn stop(&mut self) {
        self.expiry = Time::MAX;
    }

    /// Notes that new data are acknowledged.
    pub(super) fn on_progress(&mut self) {
        self.consecutive_timeouts = 0;
    }

    /// Notes that the SYN is acknowledged. If the timer expired before, the timeout of the first
    /// data is that of RFC 6298 §5.7.
    pub(super) fn on_established(&mut self) {
        self.on_progress();
        if self.backoffs > 0
            && let Rto::Fine(estimator) = &mut self.rto
            && estimator.restarts_after_lost_syn()
        {
            self.backoffs = 0;
            self.timeout = self.rto.after(0);
        }
    }

    /// Takes the round trip of a segment sent once, at `sent`, that is acknowledged. Only this ends
    /// a back-off (Karn and Partridge 1987).
    pub(super) fn on_sample(&mut self, sent: Time, now: Time) {
        self.backoffs = 0;
        match &mut self.rto {
            Rto::Ticks { slow, estimator } => {
                estimator.on_sample(slow.count(now) - slow.count(sent));
            }
            Rto::Fine(estimator) => estimator.on_sample(now - sent),
            Rto::Fixed(estimator) => estimator.on_sample(now - sent),
        }
        self.timeout = self.rto.after(0);
    }

    /// Takes the age of a timestamp that an ACK of new data echoes; so many samples are expected in
    /// its round trip. Net/3 gives each its full weight.
    pub(super) fn on_echo(&mut self, rtt: Span, expected_samples: i64) {
        self.backoffs = 0;
        match &mut self.rto {
            Rto::Ticks { slow, estimator } => {
                estimator.on_sample(rtt.picoseconds() / slow.period.picoseconds());
            }
            Rto::Fine(estimator) => estimator.on_one_of(expected_samples, rtt),
            Rto::Fixed(estimator) => estimator.on_sample(rtt),
        }
        self.timeout = self.rto.after(0);
    }

    /// True if each ACK that delivers a segment sent once is a sample.
    #[inline]
    pub(super) fn takes_each(&self) -> bool {
        self.takes_each
    }

    /// Takes the round trip of a segment sent once, by one ACK of many; the data from `una` to
    /// `max` are in flight.
    pub(super) fn on_each(&mut self, rtt: Span, una: u64, max: u64) {
        self.backoffs = 0;
        if let Rto::Fine(estimator) = &mut self.rto {
            estimator.on_each(rtt, una, max);
        }
        self.timeout = self.rto.after(0);
    }

    /// The round trip so far; `None` without a sample.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        match &self.rto {
            Rto::Ticks { slow, estimator } => estimator.estimate(slow.period),
            Rto::Fine(estimator) => estimator.estimate(),
            Rto::Fixed(estimator) => estimator.estimate(),
        }
    }

    /// Begins with the round trip of another timer.
    pub(super) fn resume(&mut self, estimate: Estimate) {
        match &mut self.rto {
            Rto::Ticks { slow, estimator } => estimator.resume(estimate, slow.period),
            Rto::Fine(estimator) => estimator.resume(estimate),
            Rto::Fixed(estimator) => estimator.on_sample(estimate.smoothed),
        }
        self.timeout = self.rto.after(self.backoffs);
    }

    /// Doubles the timeout after an expiry; false if the peer has been silent for too long.
    pub(super) fn back_off(&mut self) -> bool {
        self.stop();
        if self.consecutive_timeouts == MAX_CONSECUTIVE_TIMEOUTS {
            return false;
        }
        self.consecutive_timeouts += 1;
        self.backoffs += 1;
        if let Rto::Ticks { estimator, .. } = &mut self.rto {
            estimator.on_back_off(self.backoffs);
        }
        self.timeout = self.rto.after(self.backoffs);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::FixedRto;
    use crate::tcp::FixedTimers;

    const fn at(milliseconds: i64) -> Time {
        Time::from_picoseconds(milliseconds * 1_000_000_000)
    }

    const BSD: Timers = Timers::Bsd(BsdTimers {
        slow: Span::from_milliseconds(500),
        fast: Span::from_milliseconds(200),
        min_rto: Span::from_seconds(1),
        max_rto: Span::from_seconds(64),
    });

    const PHASES: TickPhases =
        TickPhases { slow: Span::from_milliseconds(130), fast: Span::from_milliseconds(70) };

    #[test]
    fn ticks_are_counted_from_the_phase() {
        let mut ticks = Ticks::new(Span::from_milliseconds(130), Span::from_milliseconds(500));
        assert_eq!([0, 129, 130, 629, 630].map(|ms| ticks.count(at(ms))), [0, 0, 1, 1, 2]);
        let next = [0, 129, 130, 629, 700, 2129, 2130, 131, 0].map(|ms| ticks.first_after(at(ms)));
        assert_eq!(next, [130, 130, 630, 630, 1130, 2130, 2630, 630, 130].map(at));
    }

    /// A tick of sixty days is allowed, two of them are longer than any time.
    #[test]
    fn a_timeout_beyond_all_time_does_not_come() {
        let slow = Span::from_seconds(60 * 24 * 3600);
        let (min_rto, max_rto) = (Span::LONGEST, Span::LONGEST);
        let timers = Timers::Bsd(BsdTimers { slow, min_rto, max_rto, ..BsdTimers::default() });
        let mut timer = RetransmissionTimer::new(&timers, PHASES);
        timer.start(at(200));
        assert!(timer.expiry() > Time::ZERO + slow);
    }

    #[test]
    fn a_tick_timer_lasts_one_tick_less_to_its_full_length() {
        let mut timer = RetransmissionTimer::new(&BSD, PHASES);
        timer.start(at(129));
        assert_eq!(timer.expiry(), at(5630));
        timer.start(at(130));
        assert_eq!(timer.expiry(), at(6130));
    }

    #[test]
    fn twelve_timeouts_in_a_row_are_survived_and_a_sample_ends_the_back_off() {
        let mut timer = RetransmissionTimer::new(&BSD, PHASES);
        assert_eq!((0..20).take_while(|_| timer.back_off()).count(), 12);
        timer.on_progress();
        assert!(timer.back_off());
        timer.on_sample(at(0), at(10));
        timer.start(at(10));
        // r = 1: RTO = 1 + 2 ticks, at 130, 630 and 1130 ms.
        assert_eq!(timer.expiry(), at(1130));
    }

    /// Three expiries, and the fourth timeout is as long as the first.
    #[test]
    fn a_fixed_timeout_does_not_back_off() {
        let rto = FixedRto::Span(Span::from_milliseconds(400));
        let timers = Timers::Fixed(FixedTimers { rto, ..fixed() });
        let mut timer = RetransmissionTimer::new(&timers, PHASES);
        for begin in [0, 400, 800] {
            timer.start(at(begin));
            assert_eq!(timer.expiry(), at(begin + 400));
            assert!(timer.back_off());
        }
        timer.on_sample(at(1000), at(1900));
        assert_eq!(timer.timeout(), Span::from_milliseconds(400));
    }

    #[test]
    fn a_timeout_of_two_round_trips_follows_their_mean_and_not_their_variance() {
        let timers = Timers::Fixed(FixedTimers { rto: FixedRto::RoundTrips(2), ..fixed() });
        let mut timer = RetransmissionTimer::new(&timers, PHASES);
        assert_eq!(timer.timeout(), Span::from_seconds(1));
        timer.on_sample(at(0), at(200));
        assert_eq!(timer.timeout(), Span::from_milliseconds(400));
        // SRTT = 200 + (280 - 200)/8 = 210.
        timer.on_sample(at(300), at(580));
        assert_eq!(timer.timeout(), Span::from_milliseconds(420));
        assert!(timer.back_off());
        assert_eq!(timer.timeout(), Span::from_milliseconds(420));
    }

    fn fixed() -> FixedTimers {
        FixedTimers {
            rto: FixedRto::RoundTrips(2),
            initial_rto: Span::from_seconds(1),
            ack_delay: Span::from_milliseconds(200),
        }
    }
}

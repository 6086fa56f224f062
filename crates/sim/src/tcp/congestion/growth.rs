//! Growth of cwnd and its reduction: slow start below ssthresh (Jacobson 1988; RFC 5681 §3.1), the
//! [law](super::law) of the connection above it. [`opening`](super::opening) has the growth of slow
//! start per ACK.
//!
//! At ssthresh itself RFC 5681 allows both: 4.3BSD is in slow start there, Jacobson 1988 and the
//! rules of RFCs in avoidance; `slow_start_at_ssthresh` chooses.

use super::hystart::HyStart;
use super::law::{Cause, Congested, InRecovery, Law, Opening};
use super::laws::AnyLaw;
use super::opening::PerAck;
use super::plan::Plan;
use super::validation::{Reduces, Validation};
use super::{Ack, Flight, Timeout, Transmission, Window};

/// Methods of a rule that its law answers, for the implementation of [`Congestion`] by a rule with
/// a field `growth`.
///
/// [`Congestion`]: super::Congestion
macro_rules! answers_of_law {
    () => {
        fn needs(&self) -> super::LawNeeds {
            super::Law::needs(&self.growth.law)
        }

        fn seed(&mut self, random: $crate::engine::Stream) {
            super::Law::seed(&mut self.growth.law, random);
        }

        fn pace(
            &self,
            window: &super::Window,
            srtt: Option<$crate::units::Span>,
        ) -> Option<$crate::units::Rate> {
            super::Law::pace(&self.growth.law, window, srtt)
        }

        fn values(&self) -> &'static [super::LawValue] {
            super::Law::values(&self.growth.law)
        }

        fn value(&self, index: usize) -> Option<f64> {
            super::Law::value(&self.growth.law, index)
        }
    };
}
pub(super) use answers_of_law;

/// Growth of cwnd, one ACK at a time.
#[derive(Debug)]
pub(super) struct Growth {
    pub(super) law: AnyLaw,
    /// True if slow start includes cwnd = ssthresh.
    includes_ssthresh: bool,
    opening: PerAck,
    /// [`Flight::timed_out`] at the latest avoidance: another value means the slow start after a
    /// timeout.
    avoided_since: Option<u64>,
    /// `HyStart++` of the first slow start, if the connection has it.
    hystart: Option<Box<HyStart>>,
    /// Answer of the law to the latest mark.
    at_mark: InRecovery,
    /// Use of cwnd, if congestion reduces that.
    validation: Option<Box<Validation>>,
}

impl Growth {
    /// Makes growth with avoidance from ssthresh on, unless the connection has another reading.
    pub(super) fn new(plan: &Plan) -> Self {
        let law = plan.law();
        let is_paced = plan.pacing || law.needs().pacing;
        let hystart = |ssthresh| Box::new(HyStart::new(ssthresh, &plan.readings, is_paced));
        Self {
            law,
            includes_ssthresh: plan.readings.slow_start_at_ssthresh.unwrap_or(false),
            opening: PerAck::new(&plan.readings),
            avoided_since: None,
            hystart: plan.hystart_below.map(hystart),
            at_mark: InRecovery::Rule,
            validation: (plan.readings.reduces == Some(Reduces::Cwnd)).then(Box::default),
        }
    }

    /// Makes growth with avoidance only above ssthresh (Net/3; Stevens, volume 2, section 29.4),
    /// unless the connection has another reading.
    pub(super) fn of_bsd(plan: &Plan) -> Self {
        let includes_ssthresh = plan.readings.slow_start_at_ssthresh.unwrap_or(true);
        Self { includes_ssthresh, ..Self::new(plan) }
    }

    /// Opens the window for one ACK of new data.
    #[inline]
    pub(super) fn grow(&mut self, ack: &mut Ack<'_>) {
        // Reno's law leaves all to slow start and avoidance: nobody pays for asking it.
        let is_reno = matches!(self.law, AnyLaw::Reno(_));
        if !is_reno && self.law.on_ack(ack) == Opening::Done {
            return;
        }
        // RFC 3168 §6.1.2: "should not increase" with an ACK that echoes a mark.
        if ack.ecn_echo || ack.acked == 0 {
            return;
        }
        let (cwnd, ssthresh) = (ack.window.cwnd(), ack.window.ssthresh());
        let is_slow_start = if self.includes_ssthresh { cwnd <= ssthresh } else { cwnd < ssthresh };
        if let Some(validation) = &mut self.validation
            && !validation.admits(ack, is_slow_start)
        {
            return;
        }
        if is_slow_start {
            match &mut self.hystart {
                Some(hystart) if hystart.is_on(ack.window) => hystart.on_ack(ack),
                _ => {
                    let is_after_timeout = ack.flight.timed_out != self.avoided_since;
                    let opening =
                        if is_after_timeout { self.opening.of_one() } else { self.opening };
                    ack.window.open(opening.of(ack.acked, ack.window.mss()));
                }
            }
        } else {
            self.avoided_since = ack.flight.timed_out;
            self.law.avoid(ack);
        }
    }

    /// Sets ssthresh as the law has it at congestion, unless a mark has
    /// [reduced](Flight::is_reduced) the window. A law that sets cwnd itself is told of all.
    pub(super) fn reduce(
        &mut self,
        cause: Cause,
        window: &mut Window,
        flight: &Flight,
    ) -> InRecovery {
        if flight.is_reduced() && self.at_mark == InRecovery::Rule {
            return InRecovery::Rule;
        }
        let bytes = self.bytes_to_reduce(window, flight);
        self.law.on_congestion(&mut Congested { cause, bytes, flight, window })
    }

    /// True if congestion reduces cwnd, and not the flight.
    pub(super) fn reduces_cwnd(&self) -> bool {
        self.validation.is_some()
    }

    fn bytes_to_reduce(&self, window: &Window, flight: &Flight) -> u64 {
        if self.reduces_cwnd() { window.cwnd() } else { flight.bytes_of_window() }
    }

    /// Reduces the window at an echoed mark; nothing is retransmitted.
    pub(super) fn on_ecn_echo(&mut self, ack: &mut Ack<'_>) {
        self.at_mark = self.reduce(Cause::Mark, ack.window, ack.flight);
        if self.at_mark == InRecovery::Rule {
            ack.window.lower_to_ssthresh();
        }
    }

    /// Sets ssthresh as the law has it for the outstanding data, and cwnd to one segment; ssthresh
    /// stays when the same segment times out again. In a recovery, which has reduced it already, it
    /// is lowered if the new value is less (RFC 5681 §3.1: "no more than" equation (4)), unless it
    /// is cwnd that congestion reduces, once in a recovery. Returns the part that sets cwnd.
    pub(super) fn time_out(
        &mut self,
        timeout: &mut Timeout<'_>,
        is_recovering: bool,
    ) -> InRecovery {
        let Timeout { flight, ref mut window, .. } = *timeout;
        if is_recovering && !self.reduces_cwnd() {
            let left = self.law.left_of(flight.bytes_of_window());
            window.set_ssthresh(left.min(window.ssthresh()));
        } else if !is_recovering && !flight.has_timed_out() {
            self.reduce(Cause::Timeout, window, flight);
        }
        let by = self.law.on_timeout(timeout);
        if by == InRecovery::Rule {
            timeout.window.collapse();
        }
        by
    }

    /// Notes that a segment is sent.
    #[inline]
    pub(super) fn on_sent(&mut self, sent: &Transmission<'_>) {
        self.law.on_sent(sent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::Readings;
    use crate::tcp::congestion::{Avoidance, CongestionLaw, CubicPlan};
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    fn growth(avoidance: Avoidance) -> Growth {
        Growth::new(&Plan { avoidance, ..Plan::default() })
    }

    fn grow(growth: &mut Growth, window: &mut Window) {
        let flight = Flight::default();
        growth.grow(&mut Ack::of_test(Time::ZERO, 1000, &flight, window));
    }

    fn grown(mut growth: Growth, cwnd: u64, ssthresh: u64) -> u64 {
        let mut window = Window::of(1000, cwnd, ssthresh, MAX_WINDOW);
        grow(&mut growth, &mut window);
        window.cwnd()
    }

    /// RFC 5681 §3.1; a window inflated by duplicates once stood for the outstanding data, and
    /// every expiry halved it. In a recovery ssthresh once stayed, however much was outstanding.
    #[test]
    fn a_timeout_halves_the_flight_once_per_segment() {
        let mut flight =
            Flight { snd_una: 1000, snd_max: 31_000, snd_wnd: 90_000, ..Flight::default() };
        let timed_out = |flight: &Flight, ssthresh, is_recovering| {
            let mut window = Window::of(1000, 90_000, ssthresh, MAX_WINDOW);
            let mut timeout = Timeout { now: Time::ZERO, flight, window: &mut window };
            growth(Avoidance::Standard).time_out(&mut timeout, is_recovering);
            (window.cwnd(), window.ssthresh())
        };
        assert_eq!(timed_out(&flight, 50_000, false), (1000, 15_000));
        assert_eq!(timed_out(&flight, 50_000, true), (1000, 15_000));
        assert_eq!(timed_out(&flight, 9000, true), (1000, 9000));
        assert_eq!(timed_out(&flight, 9000, false), (1000, 15_000));
        // RFC 9438 §4.8: beta of 30 000, 0.7.
        let congestion = CongestionLaw::Cubic(CubicPlan::default());
        let mut cubic = Growth::new(&Plan { congestion, ..Plan::default() });
        let mut window = Window::of(1000, 25_000, 25_000, MAX_WINDOW);
        let (now, flight_then) = (Time::ZERO, flight.clone());
        cubic.time_out(&mut Timeout { now, flight: &flight_then, window: &mut window }, true);
        assert_eq!(window.ssthresh(), 21_000);
        flight.timed_out = Some(1000);
        assert_eq!(timed_out(&flight, 50_000, false), (1000, 50_000));
        flight.snd_una = 3000;
        assert_eq!(timed_out(&flight, 50_000, false), (1000, 14_000));
    }

    #[test]
    fn slow_start_below_ssthresh_and_avoidance_from_there() {
        assert_eq!(grown(growth(Avoidance::Standard), 3999, 4000), 4999);
        assert_eq!(grown(growth(Avoidance::Standard), 4000, 4000), 4250);
        assert_eq!(grown(growth(Avoidance::BsdExtra), 4000, 4000), 4375);
    }

    /// Net/3 (Stevens, volume 2, section 29.4): `if (cw > tp->snd_ssthresh)`.
    #[test]
    fn bsd_is_in_slow_start_at_ssthresh_itself() {
        let bsd = || Growth::of_bsd(&Plan::default());
        assert_eq!([3999, 4000, 4001].map(|cwnd| grown(bsd(), cwnd, 4000)), [4999, 5000, 4250]);
    }

    /// Growth of RFC 3465 §2.3: two segments for an ACK of two, but one in the slow start after a
    /// timeout.
    #[test]
    fn bytes_count_once_in_the_slow_start_after_a_timeout() {
        let readings = Readings { byte_counting: Some(2), ..Readings::default() };
        let mut growth = Growth::new(&Plan { readings, ..Plan::default() });
        let mut window = Window::of(1000, 1000, 4000, MAX_WINDOW);
        let mut flight = Flight::default();
        let mut acked = |flight: &Flight, acked| {
            growth.grow(&mut Ack::of_test(Time::ZERO, acked, flight, &mut window));
            window.cwnd()
        };
        assert_eq!(acked(&flight, 2000), 3000);
        flight.timed_out = Some(5000);
        assert_eq!([2000, 2000].map(|bytes| acked(&flight, bytes)), [4000, 4250]);
    }

    #[test]
    fn avoidance_never_stalls_and_the_largest_window_bounds_it() {
        assert_eq!(grown(growth(Avoidance::Standard), 2_000_000, 0), 2_000_001);
        assert_eq!(grown(growth(Avoidance::Standard), MAX_WINDOW - 1, MAX_WINDOW), MAX_WINDOW);
    }

    /// Bound of cwnd: without losses it once grew to a hundred times the window that limits it.
    #[test]
    fn cwnd_stays_within_what_the_peer_can_advertise() {
        let mut window = Window::of(1000, 65_000, MAX_WINDOW, 65_535 << 1);
        for _ in 0..100 {
            grow(&mut growth(Avoidance::Standard), &mut window);
        }
        assert_eq!(window.cwnd(), 131_070);
    }
}

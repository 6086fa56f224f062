//! Growth of cwnd and its reduction: slow start below ssthresh (Jacobson 1988; RFC 5681 §3.1), the
//! [law](super::law) of the connection above it.
//!
//! At ssthresh itself RFC 5681 allows both: 4.3BSD is in slow start there, Jacobson 1988 and the
//! rules of RFCs in avoidance.

use super::hystart::HyStart;
use super::law::{AnyLaw, Law};
use super::{Ack, Flight, Timeout, Transmission, Window};
use crate::tcp::config::Config;

/// One ACK at a time.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    law: AnyLaw,
    /// Whether cwnd = ssthresh is slow start.
    includes_ssthresh: bool,
    /// Of the first slow start, if the connection has it.
    hystart: Option<Box<HyStart>>,
}

impl Growth {
    /// Avoidance from ssthresh on.
    pub(super) fn new(config: &Config) -> Self {
        let hystart = || Box::new(HyStart::new(Window::new(config).ssthresh()));
        Self {
            law: AnyLaw::new(config),
            includes_ssthresh: false,
            hystart: config.hystart.then(hystart),
        }
    }

    /// Avoidance only above ssthresh (Net/3; Stevens, volume 2, section 29.4).
    pub(super) fn of_bsd(config: &Config) -> Self {
        Self { includes_ssthresh: true, ..Self::new(config) }
    }

    /// One ACK of new data.
    #[inline]
    pub(super) fn grow(&mut self, ack: &mut Ack<'_>) {
        // RFC 3168 §6.1.2: "should not increase" with an ACK that echoes a mark.
        if !self.law.may_grow(ack) || ack.ecn_echo {
            return;
        }
        let (cwnd, ssthresh) = (ack.window.cwnd(), ack.window.ssthresh());
        let is_slow_start = if self.includes_ssthresh { cwnd <= ssthresh } else { cwnd < ssthresh };
        if is_slow_start {
            match &mut self.hystart {
                Some(hystart) if hystart.is_on(ack.window) => hystart.on_ack(ack),
                _ => ack.window.open(ack.window.mss()),
            }
        } else {
            self.law.avoid(ack);
        }
    }

    /// Congestion: ssthresh becomes what the law leaves of the window, unless a mark has
    /// [reduced](Flight::is_reduced) it.
    pub(super) fn reduce(&mut self, window: &mut Window, flight: &Flight) {
        if !flight.is_reduced() {
            self.law.reduce(window, flight);
        }
    }

    /// An echoed mark: the window is reduced, and nothing is sent again.
    pub(super) fn on_ecn_echo(&mut self, ack: &mut Ack<'_>) {
        self.reduce(ack.window, ack.flight);
        ack.window.lower_to_ssthresh();
    }

    /// The same by the law, as [`Window::time_out`] has it.
    pub(super) fn time_out(&mut self, timeout: &mut Timeout<'_>, is_recovering: bool) {
        if !is_recovering && !timeout.flight.has_timed_out() {
            self.reduce(timeout.window, timeout.flight);
        }
        self.law.on_timeout();
        timeout.window.collapse();
    }

    /// A segment is sent.
    #[inline]
    pub(super) fn on_sent(&mut self, sent: &Transmission<'_>) {
        self.law.on_sent(sent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::config::MAX_WINDOW;
    use crate::tcp::congestion::Avoidance;
    use crate::units::Time;

    fn growth(avoidance: Avoidance) -> Growth {
        Growth::new(&Config { avoidance, ..Config::default() })
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

    #[test]
    fn slow_start_below_ssthresh_and_avoidance_from_there() {
        assert_eq!(grown(growth(Avoidance::Standard), 3999, 4000), 4999);
        assert_eq!(grown(growth(Avoidance::Standard), 4000, 4000), 4250);
        assert_eq!(grown(growth(Avoidance::BsdExtra), 4000, 4000), 4375);
    }

    /// Net/3 (Stevens, volume 2, section 29.4): `if (cw > tp->snd_ssthresh)`.
    #[test]
    fn bsd_is_in_slow_start_at_ssthresh_itself() {
        let bsd = Growth::of_bsd(&Config::default());
        assert_eq!(
            [3999, 4000, 4001].map(|cwnd| grown(bsd.clone(), cwnd, 4000)),
            [4999, 5000, 4250]
        );
    }

    #[test]
    fn avoidance_never_stalls_and_the_largest_window_bounds_it() {
        assert_eq!(grown(growth(Avoidance::Standard), 2_000_000, 0), 2_000_001);
        assert_eq!(grown(growth(Avoidance::Standard), MAX_WINDOW - 1, MAX_WINDOW), MAX_WINDOW);
    }

    /// Without losses cwnd once grew to a hundred times the window that limits it.
    #[test]
    fn cwnd_stays_within_what_the_peer_can_advertise() {
        let mut window = Window::of(1000, 65_000, MAX_WINDOW, 65_535 << 1);
        for _ in 0..100 {
            grow(&mut growth(Avoidance::Standard), &mut window);
        }
        assert_eq!(window.cwnd(), 131_070);
    }
}

//! Sender of XCP (Katabi, Handley, Rohrs: "Congestion Control for High Bandwidth-Delay Product
//! Networks", SIGCOMM 2002, section 3.3): `cwnd = max(cwnd + H_feedback, s)` for each ACK, where
//! `H_feedback` is the least of what the ports on the path with
//! [`drop.xcp`](crate::switch::XcpPlan) have granted, and s a segment. No parameters.
//!
//! Losses halve the flight, as in TCP, which the paper leaves to TCP's responses.
//!
//! Chosen: a positive change counts only while the window is used, that is while less than a
//! segment of it was free before the ACK; what is free has not been tried. Where no port of the
//! path has the rule, the window is that of Reno's law. ACKs of a recovery change nothing, as the
//! rule of the repair has the window then.

use super::additive::{Additive, Avoidance};
use super::law::{Congested, InRecovery, Law, LawValue, Opening};
use super::{Ack, Window};

/// State of XCP.
#[derive(Clone, Copy, Debug)]
pub(super) struct Xcp {
    /// Part of a byte that the window has grown by besides.
    fraction: f32,
    /// Latest change, bytes; infinite where no port has lowered it.
    granted: f32,
}

impl Xcp {
    pub(super) fn new(_avoidance: Avoidance) -> Self {
        Self { fraction: 0.0, granted: f32::INFINITY }
    }

    /// Changes the window by `grant` bytes.
    fn change(&mut self, grant: f32, window: &mut Window, is_used: bool) {
        let bytes = grant + self.fraction;
        let whole = libm::floorf(bytes);
        self.fraction = bytes - whole;
        if whole < 0.0 {
            window.set_cwnd(window.cwnd().saturating_sub(-whole as u64));
        } else if is_used {
            window.open(whole as u64);
        }
    }
}

impl Law for Xcp {
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        self.granted = ack.grant.unwrap_or(f32::INFINITY);
        if !self.granted.is_finite() {
            return Opening::Standard;
        }
        let before = ack.flight.size() + ack.acked;
        let is_used = before + ack.window.mss() > ack.window.cwnd();
        self.change(self.granted, ack.window, is_used);
        Opening::Done
    }

    fn avoid(&mut self, ack: &mut Ack<'_>) {
        Additive::new(Avoidance::Standard).avoid(ack);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 2
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        congested.window.set_ssthresh(self.left_of(congested.bytes));
        InRecovery::Rule
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "granted", unit: "B" }]
    }

    fn value(&self, _index: usize) -> Option<f64> {
        self.granted.is_finite().then_some(f64::from(self.granted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::Flight;
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    const MSS: u64 = 1000;

    /// cwnd after an ACK of a segment with a grant, of a window of ten with so much in flight
    /// before it.
    fn after(law: &mut Xcp, window: &mut Window, grant: f32, in_flight: u64) -> (Opening, u64) {
        let flight =
            Flight { snd_una: MSS, snd_max: in_flight, snd_wnd: MAX_WINDOW, ..Flight::default() };
        let mut ack = Ack::of_test(Time::ZERO, MSS, &flight, window);
        ack.grant = Some(grant);
        let opening = law.on_ack(&mut ack);
        (opening, window.cwnd())
    }

    /// Section 3.3: the change is added, parts of a byte included, and a segment stays.
    #[test]
    fn the_window_changes_by_what_is_granted() {
        let law = &mut Xcp::new(Avoidance::Standard);
        let window = &mut Window::of(MSS, 10 * MSS, MAX_WINDOW, MAX_WINDOW);
        let found = [0.75, 0.75, 2000.0, -500.25, -90_000.0]
            .map(|grant| after(law, window, grant, 13 * MSS).1);
        assert_eq!(found, [10_000, 10_001, 12_001, 11_501, MSS]);
    }

    /// Growth of a window that is not filled would be that of a window never tried.
    #[test]
    fn a_window_that_is_not_used_does_not_grow() {
        let law = &mut Xcp::new(Avoidance::Standard);
        let window = &mut Window::of(MSS, 10 * MSS, MAX_WINDOW, MAX_WINDOW);
        assert_eq!(after(law, window, 500.0, 9 * MSS), (Opening::Done, 10_000));
        assert_eq!(after(law, window, -500.0, 9 * MSS), (Opening::Done, 9500));
        assert_eq!(after(law, window, 500.0, 10 * MSS), (Opening::Done, 10_000));
    }

    #[test]
    fn without_a_port_that_grants_it_is_reno() {
        let law = &mut Xcp::new(Avoidance::Standard);
        let window = &mut Window::of(MSS, 10 * MSS, MAX_WINDOW, MAX_WINDOW);
        let (opening, cwnd) = after(law, window, f32::INFINITY, 10 * MSS);
        assert_eq!((opening, cwnd, law.value(0)), (Opening::Standard, 10_000, None));
    }
}

//! Accel-brake control of a sender (Goyal, Agarwal, Netravali, Alizadeh, Balakrishnan: "ABC: A
//! Simple Explicit Congestion Controller for Wireless Networks", NSDI 2020, sections 3.1 and 4.1).
//!
//! Each byte acknowledged as *accelerate* opens the window of ABC by a byte, each as *brake* closes
//! it by one, so that it may double in a round trip, or become nothing; all of them open it by
//! `increase` segments per round trip, one by default, which makes windows equal. `cwnd` is the
//! smaller one of that window and of CUBIC's, which answers losses and CE: the bottleneck may be a
//! port without [`drop.abc`](crate::switch::AbcPlan). Neither grows beyond twice what is in flight.
//!
//! Data leave as ECT(1), *accelerate*, also when they are sent again; a port may make it ECT(0),
//! *brake*; the receiver echoes brakes in the bit NS and CE in ECE
//! ([`EcnEcho::Abc`](crate::tcp::EcnEcho)). Without `ecn` this is CUBIC.
//!
//! Chosen, since the paper leaves it open: the window of ABC keeps two segments, and is that after
//! a timeout; CUBIC's opens in slow start by the bytes acknowledged, without HyStart++, and a loss
//! reduces it from its own size, as in the authors' module for Linux. That one paces, which is the
//! key `pacing` here, and keeps five segments.

use super::Ack;
use super::cubic::{Cubic, CubicPlan};
use super::law::{Cause, Congested, InRecovery, Law, LawValue, Opening};
use super::{Flight, Timeout, Transmission, Window};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;

part! {
    /// Parameters of ABC at a sender.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct AbcPlan {
        /// Segments by which the window grows in a round trip whatever the marks.
        increase: f64 = default("1", "2") as Kind::Number(INCREASE),
    }
}

const INCREASE: Interval = Interval { min: Bound::From(0.0), max: Bound::From(1000.0) };

/// Least window of ABC, segments.
const LEAST: f64 = 2.0;

/// Values of the paper.
impl Default for AbcPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

/// State of ABC.
#[derive(Clone, Debug)]
pub(super) struct Abc {
    plan: AbcPlan,
    cubic: Cubic,
    /// Both windows, from the first event on.
    windows: Option<Windows>,
    /// Both windows before the latest loss, while it may be spurious.
    before: Option<Windows>,
}

#[derive(Clone, Debug)]
struct Windows {
    /// Bytes that marks allow.
    marked: f64,
    /// The window of CUBIC.
    other: Window,
}

impl Windows {
    fn of(window: &Window) -> Self {
        Self { marked: window.cwnd() as f64, other: window.clone() }
    }

    /// The smaller one, bytes.
    fn allowed(&self) -> u64 {
        (self.marked as u64).min(self.other.cwnd())
    }
}

impl Abc {
    pub(super) fn new(plan: AbcPlan) -> Self {
        let mut cubic = Cubic::new(CubicPlan::default());
        // The window of marks may be the one that limits the flight.
        cubic.leave_validation();
        Self { plan, cubic, windows: None, before: None }
    }

    fn windows(&mut self, window: &Window) -> &mut Windows {
        self.windows.get_or_insert_with(|| Windows::of(window))
    }

    /// Moves the window of marks by what an ACK delivers, of which a part was braked.
    fn follow(&mut self, delivered: u64, braked: u64, window: &Window, most: f64) {
        let increase = self.plan.increase * window.mss() as f64;
        let least = LEAST * window.mss() as f64;
        let marked = &mut self.windows(window).marked;
        let bytes = delivered as f64;
        let moved = bytes - 2.0 * braked.min(delivered) as f64 + increase * bytes / *marked;
        let most = if moved > 0.0 { most.max(*marked) } else { f64::INFINITY };
        *marked = (*marked + moved).min(most).max(least);
    }

    /// Opens the window of CUBIC by what an ACK acknowledges.
    fn open_other(&mut self, ack: &Ack<'_>, most: u64) {
        let Some(Windows { other, .. }) = &mut self.windows else { return };
        if ack.acked == 0 || other.cwnd() >= most {
            return;
        }
        let inner = &mut Ack { window: other, ..*ack };
        self.cubic.on_ack(inner);
        if inner.window.cwnd() < inner.window.ssthresh() {
            inner.window.open(ack.acked);
        } else {
            self.cubic.avoid(inner);
        }
    }
}

/// Twice the bytes in flight before an ACK.
fn most(delivered: u64, flight: &Flight) -> u64 {
    2 * (flight.size() + delivered)
}

fn delivered(ack: &Ack<'_>) -> u64 {
    ack.report.map_or(ack.acked, |delivered| delivered.bytes)
}

impl Law for Abc {
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        let bytes = delivered(ack);
        let most = most(bytes, ack.flight);
        self.follow(bytes, ack.marked, ack.window, most as f64);
        self.open_other(ack, most);
        let allowed = self.windows(ack.window).allowed();
        ack.window.set_cwnd(allowed);
        Opening::Done
    }

    fn on_ack_in_recovery(&mut self, ack: &mut Ack<'_>) {
        let bytes = delivered(ack);
        self.follow(bytes, ack.marked, ack.window, most(bytes, ack.flight) as f64);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        self.cubic.left_of(bytes)
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let Congested { cause, flight, ref mut window, .. } = *congested;
        let before = self.windows(window).clone();
        let mut windows = before.clone();
        self.before = (cause != Cause::Mark).then_some(before);
        let bytes = windows.other.cwnd();
        let inner = &mut Congested { cause, bytes, flight, window: &mut windows.other };
        self.cubic.on_congestion(inner);
        windows.other.deflate();
        window.set_ssthresh(windows.allowed());
        self.windows = Some(windows);
        InRecovery::Rule
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) -> InRecovery {
        self.cubic.on_timeout(timeout);
        let windows = self.windows(timeout.window);
        windows.marked = LEAST * timeout.window.mss() as f64;
        windows.other.collapse();
        InRecovery::Rule
    }

    fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            self.windows = Some(before);
            self.cubic.undo();
        }
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        self.cubic.on_sent(sent);
    }

    fn values(&self) -> &'static [LawValue] {
        &[
            LawValue { name: "marked_window", unit: "B" },
            LawValue { name: "other_window", unit: "B" },
        ]
    }

    fn value(&self, index: usize) -> Option<f64> {
        let windows = self.windows.as_ref()?;
        Some(if index == 0 { windows.marked } else { windows.other.cwnd() as f64 })
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    const MSS: u64 = 1000;

    /// A sender in the middle of a window that is all in flight.
    struct Sender {
        law: Abc,
        window: Window,
        flight: Flight,
        /// Segments acknowledged.
        count: u64,
    }

    impl Sender {
        fn new(segments: u64, increase: f64) -> Self {
            let window = Window::of(MSS, segments * MSS, MAX_WINDOW, MAX_WINDOW);
            let flight = Flight { snd_max: segments * MSS, ..Flight::default() };
            Self { law: Abc::new(AbcPlan { increase }), window, flight, count: 0 }
        }

        /// ACKs of all that is in flight, segment by segment; of every ten `brakes` were braked,
        /// evenly spread. The window is then filled.
        fn round(&mut self, brakes: u64) {
            let segments = self.flight.size() / MSS;
            for _ in 0..segments {
                self.flight.snd_una += MSS;
                self.flight.snd_max = self.flight.snd_una + self.window.cwnd() / MSS * MSS;
                let mut ack = Ack::of_test(Time::ZERO, MSS, &self.flight, &mut self.window);
                ack.marked = if self.count * brakes % 10 < brakes { MSS } else { 0 };
                self.count += 1;
                self.law.on_ack(&mut ack);
            }
            self.flight.snd_max = self.flight.snd_una + self.window.cwnd() / MSS * MSS;
        }
    }

    /// Section 3.1: w + 1 on accelerate, w - 1 on brake: twice the window in a round trip, the same
    /// with half of the ACKs braked, and none of it with all.
    #[test]
    fn a_window_doubles_stays_or_goes_in_a_round_trip() {
        for (brakes, expected) in [(0, 80_000), (5, 40_000), (10, 2000)] {
            let mut sender = Sender::new(40, 0.0);
            sender.round(brakes);
            assert_eq!(sender.window.cwnd(), expected, "{brakes} of ten");
        }
    }

    /// Section 3.1.2: with 1/w for each ACK, half of them braked, a window grows by a segment in a
    /// round trip; with 6 of ten it settles where 0.2 w = 1.
    #[test]
    fn the_additive_part_is_a_segment_in_a_round_trip() {
        let mut sender = Sender::new(40, 1.0);
        sender.round(5);
        assert!((sender.law.windows.as_ref().expect("it has begun").marked - 41e3).abs() < 20.0);
        (0..200).for_each(|_| sender.round(6));
        // One segment in a round trip, and a brake more than accelerates in five.
        assert!((4000..=6000).contains(&sender.window.cwnd()), "{}", sender.window.cwnd());
    }

    /// Section 4.1: CE and losses reduce CUBIC's window, which then is the smaller one; brakes do
    /// not touch it.
    #[test]
    fn the_smaller_window_counts() {
        let mut sender = Sender::new(40, 1.0);
        sender.round(0);
        let Sender { law, window, flight, .. } = &mut sender;
        let bytes = flight.size();
        law.on_congestion(&mut Congested { cause: Cause::Mark, bytes, flight, window });
        assert_eq!(window.ssthresh(), 56_000, "0.7 of 80 segments");
        window.deflate();
        let value = |law: &Abc, index| law.value(index).expect("it has begun");
        assert!(value(law, 0) > 80e3 && value(law, 1) == 56e3);
        sender.round(10);
        assert!(value(&sender.law, 0) < value(&sender.law, 1));
    }
}

//! Reno's law: cwnd grows by a segment per window in avoidance, and congestion halves the flight
//! (Jacobson 1988; RFC 5681 §3.1).
//!
//! Parameter: `avoidance`, the increment per ACK. An ACK counts once, however much it acknowledges,
//! except with `counted`: there the window opens by a segment for each window of bytes acknowledged
//! (RFC 3465 §2.1), and half of the flight is whole segments, as in Linux, whose windows are
//! numbers of segments. Chosen: congestion begins the count anew, of which RFC 3465 is silent.

use super::law::{Congested, InRecovery, Law};
use super::{Ack, Window};
use crate::language::part::prelude::*;

variants! {
    /// Growth per ACK in congestion avoidance.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Avoidance {
        /// MSS·MSS/cwnd per ACK.
        Standard = "standard",
        /// 4.3BSD Reno's further MSS/8 per ACK.
        BsdExtra = "bsd_extra",
        /// A segment for each window of bytes acknowledged (RFC 3465 section 2.1), and windows of
        /// whole segments, as in Linux; with `dctcp` and `westwood` the same. With `cubic`
        /// likewise, in the steps of its function and with the alpha of RFC 8312; with `bbr1` its
        /// form `linux`. Laws with another growth have nothing of it.
        Counted = "counted",
    }
}

/// Additive increase, multiplicative decrease.
#[derive(Clone, Copy, Debug)]
pub(super) struct Additive {
    avoidance: Avoidance,
    /// Bytes acknowledged since the window last opened: `bytes_acked` of RFC 3465.
    acked: u64,
}

impl Additive {
    pub(super) fn new(avoidance: Avoidance) -> Self {
        Self { avoidance, acked: 0 }
    }

    /// True if windows are whole segments.
    pub(super) fn is_counted(&self) -> bool {
        self.avoidance == Avoidance::Counted
    }

    /// Begins the count anew at a reduction, which leaves whole segments if windows are.
    pub(super) fn on_reduced(&mut self, window: &mut Window) {
        if self.is_counted() {
            window.round_ssthresh();
            self.acked = 0;
        }
    }

    /// Opens the window once a window of bytes is acknowledged (RFC 3465 §2.1).
    fn count(&mut self, acked: u64, window: &mut Window) {
        self.acked += acked;
        let windows = self.acked / window.cwnd();
        self.acked -= windows * window.cwnd();
        window.open(windows * window.mss());
    }
}

impl Law for Additive {
    #[inline]
    fn avoid(&mut self, ack: &mut Ack<'_>) {
        let mss = ack.window.mss();
        // RFC 5681 §3.1: SMSS·SMSS/cwnd, and 1 byte where that rounds to 0.
        let standard = (mss * mss / ack.window.cwnd()).max(1);
        match self.avoidance {
            Avoidance::Standard => ack.window.open(standard),
            Avoidance::BsdExtra => ack.window.open(standard + mss / 8),
            Avoidance::Counted => self.count(ack.acked, ack.window),
        }
    }

    fn left_of(&self, bytes: u64) -> u64 {
        bytes / 2
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        congested.window.set_ssthresh(self.left_of(congested.bytes));
        self.on_reduced(congested.window);
        InRecovery::Rule
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::{Cause, Flight};
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    /// Growth of RFC 3465 §2.1: a segment once cwnd bytes are acknowledged, however few ACKs say
    /// so, where RFC 5681's increment counts ACKs.
    #[test]
    fn a_window_of_bytes_opens_a_segment() {
        let grown = |avoidance, acked: &[u64]| {
            let (mut law, flight) = (Additive::new(avoidance), Flight::default());
            let mut window = Window::of(1000, 4000, 0, MAX_WINDOW);
            let grow = |&bytes: &u64| {
                law.avoid(&mut Ack::of_test(Time::ZERO, bytes, &flight, &mut window));
                window.cwnd()
            };
            acked.iter().map(grow).collect::<Vec<_>>()
        };
        assert_eq!(grown(Avoidance::Counted, &[2000, 2000, 2000, 2000]), [4000, 5000, 5000, 5000]);
        assert_eq!(grown(Avoidance::Counted, &[2000, 3000, 4000]), [4000, 5000, 6000]);
        assert_eq!(grown(Avoidance::Standard, &[2000, 2000]), [4250, 4485]);
    }

    /// Half of seven segments is three, and what was acknowledged before does not count after it.
    #[test]
    fn a_counted_window_is_halved_to_whole_segments() {
        let flight = Flight { snd_max: 7000, ..Flight::default() };
        let left = |avoidance| {
            let mut law = Additive::new(avoidance);
            let mut window = Window::of(1000, 7000, 0, MAX_WINDOW);
            law.avoid(&mut Ack::of_test(Time::ZERO, 6000, &flight, &mut window));
            let (cause, flight) = (Cause::Loss, &flight);
            law.on_congestion(&mut Congested { cause, bytes: 7000, flight, window: &mut window });
            (window.ssthresh(), law.acked)
        };
        assert_eq!(left(Avoidance::Counted), (3000, 0));
        assert_eq!(left(Avoidance::Standard), (3500, 0));
    }
}

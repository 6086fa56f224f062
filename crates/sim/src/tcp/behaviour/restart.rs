//! Restart after idle: `flow.tcp.restart_after_idle`, the effect on cwnd of a pause in which
//! nothing was outstanding.
//!
//! * `never`, the default of rules that are older than RFC 5681: cwnd stays as it is.
//! * `rfc5681` (§4.1), the default of rules of RFCs: if no data were sent for longer than a
//!   retransmission timeout, cwnd becomes the restart window, the smaller one of itself and the
//!   initial window.
//! * `rfc2861`, as in Linux (`tcp_slow_start_after_idle`): cwnd is halved for each retransmission
//!   timeout that has passed without data sent, not below the initial window, and ssthresh becomes
//!   three quarters of the cwnd before, if that is more.
//! * `bsd` (4.3BSD, `tcp_output`): if nothing was received for a retransmission timeout, counted in
//!   slow ticks, cwnd becomes one segment.
//!
//! A law that paces sends no burst after a pause, and keeps its window.
//!
//! Else ssthresh stays, so that slow start leads back to it. For CUBIC the time without data does
//! not count (RFC 9438 §4.2), and the time of the slow start after it does, as in Linux.

use super::hooks::{Behaviour, Restart};
use crate::language::part::prelude::*;
use crate::tcp::congestion::CongestionLaw;
use crate::tcp::congestion::keys::LossRecovery;
use crate::tcp::piece::{Piece, Sending};
use crate::tcp::timers::RetransmissionTimer;
use crate::units::{Span, Time};

variants! {
    /// Effect of a pause on cwnd.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RestartAfterIdle {
        /// cwnd stays as it is.
        Never = "never",
        /// RFC 5681: cwnd is limited to the initial window after a timeout without data sent.
        Rfc5681 = "rfc5681",
        /// RFC 2861 as in Linux: cwnd is halved for each timeout without data sent, down to the
        /// initial window.
        Rfc2861 = "rfc2861",
        /// 4.3BSD: cwnd becomes one segment after a timeout without a segment received.
        Bsd = "bsd",
    }
}

/// Key `restart_after_idle`. Its default depends on the rule: RFC 5681 §4.1 recommends the restart.
pub(in crate::tcp) struct IdleRestart;

impl Part for IdleRestart {
    type Value = RestartAfterIdle;

    const KEYS: &'static [Key] = &[Key::optional(
        "restart_after_idle",
        RestartAfterIdle::KIND,
        "`rfc5681` for rules of RFCs; `never` for the others, and for laws that pace",
        "\"bsd\"",
        "Effect on cwnd of a pause in which nothing was outstanding.",
    )];

    fn read(section: &Section<'_>) -> Result<RestartAfterIdle, Fault> {
        let recovery = LossRecovery::read(section)?;
        if let Some(written) = section.written("restart_after_idle")? {
            return Ok(written.value);
        }
        let law: CongestionLaw = section.value("congestion")?;
        let restarts = recovery.follows_rfcs() && !law.needs().pacing;
        Ok(if restarts { RestartAfterIdle::Rfc5681 } else { RestartAfterIdle::Never })
    }

    fn write(restart: &RestartAfterIdle, entries: &mut Entries) {
        entries.push(("restart_after_idle", restart.write()));
    }
}

/// The latest event before a pause, and the window after it.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Pause {
    rule: RestartAfterIdle,
    /// The instant at which data were last sent, or with `bsd` a segment was last received;
    /// [`Time::MAX`] before the first.
    since: Time,
    /// The restart window RW, bytes; cwnd is reduced to it if that is less.
    window: u64,
}

impl Pause {
    /// Makes the state of a rule; `None` if cwnd survives pauses.
    pub(super) fn new(rule: RestartAfterIdle, mss: u64, initial_window: u64) -> Option<Self> {
        let window = match rule {
            RestartAfterIdle::Never => return None,
            RestartAfterIdle::Rfc5681 | RestartAfterIdle::Rfc2861 => initial_window,
            RestartAfterIdle::Bsd => mss,
        };
        Some(Self { rule, since: Time::MAX, window })
    }
}

impl Pause {
    /// The window after a pause of RFC 2861: one half for each timeout that is over.
    fn halved(&self, pause: Span, timeout: Span, cwnd: u64) -> Option<Restart> {
        let timeouts = (pause.picoseconds() - 1) / timeout.picoseconds();
        let halves = cwnd >> timeouts.clamp(0, 63);
        let restart = Restart { cwnd: halves.max(self.window), ssthresh: cwnd / 4 * 3 };
        (timeouts > 0).then_some(restart)
    }
}

impl Behaviour for Pause {
    #[inline]
    fn on_received(&mut self, now: Time) {
        if self.rule == RestartAfterIdle::Bsd {
            self.since = now;
        }
    }

    /// A probe of a closed window ends no pause.
    #[inline]
    fn on_sent(&mut self, now: Time, piece: Piece) {
        if self.rule != RestartAfterIdle::Bsd && piece.sending != Sending::Probe {
            self.since = now;
        }
    }

    #[inline]
    fn restart(&self, now: Time, timer: &RetransmissionTimer, cwnd: u64) -> Option<Restart> {
        let since = self.since;
        if since == Time::MAX {
            return None;
        }
        let is_long = match self.rule {
            RestartAfterIdle::Never => false,
            RestartAfterIdle::Rfc5681 => now - since > timer.timeout(),
            RestartAfterIdle::Rfc2861 => return self.halved(now - since, timer.timeout(), cwnd),
            RestartAfterIdle::Bsd => timer.has_timeout_passed(since, now),
        };
        is_long.then_some(Restart { cwnd: self.window, ssthresh: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::clocks::{FineTimers, TickPhases, Timers};

    const fn at(milliseconds: i64) -> Time {
        Time::from_picoseconds(milliseconds * 1_000_000_000)
    }

    fn piece(sending: Sending) -> Piece {
        Piece { seq: 1, len: 1000, fin: false, sending }
    }

    /// A timer of 1 s with a rule of segments of 1000 bytes and an initial window of four.
    fn pause(rule: RestartAfterIdle) -> (Pause, RetransmissionTimer) {
        let timers = Timers::Fine(FineTimers::default());
        let timer = RetransmissionTimer::new(&timers, TickPhases::default());
        (Pause::new(rule, 1000, 4000).expect("cwnd does not survive"), timer)
    }

    /// RFC 5681 §4.1: more than a timeout without data sent.
    #[test]
    fn a_pause_longer_than_a_timeout_leads_back_to_the_initial_window() {
        let (mut pause, timer) = pause(RestartAfterIdle::Rfc5681);
        assert_eq!(pause.restart(at(5000), &timer, 9000), None);
        pause.on_sent(at(100), piece(Sending::First));
        pause.on_received(at(900));
        pause.on_sent(at(900), piece(Sending::Probe));
        assert_eq!(pause.restart(at(1100), &timer, 9000), None);
        let restart = Restart { cwnd: 4000, ssthresh: 0 };
        assert_eq!(pause.restart(at(1101), &timer, 9000), Some(restart));
        pause.on_sent(at(1101), piece(Sending::Again));
        assert_eq!(pause.restart(at(1102), &timer, 9000), None);
    }

    /// RFC 2861 §2: a half for each timeout, and three quarters in ssthresh.
    #[test]
    fn a_window_is_halved_for_each_timeout() {
        let (mut pause, timer) = pause(RestartAfterIdle::Rfc2861);
        pause.on_sent(at(100), piece(Sending::First));
        let after = |ms: i64| pause.restart(at(100 + ms), &timer, 40_000);
        let halved = |cwnd| Some(Restart { cwnd, ssthresh: 30_000 });
        assert_eq!([1000, 1001, 2500].map(after), [None, halved(20_000), halved(10_000)]);
        assert_eq!([4500, 900_000].map(after), [halved(4000), halved(4000)]);
    }

    /// 4.3BSD: a timeout without a segment received.
    #[test]
    fn in_4_3bsd_silence_leads_back_to_one_segment() {
        let (mut pause, timer) = pause(RestartAfterIdle::Bsd);
        pause.on_received(at(100));
        pause.on_sent(at(900), piece(Sending::First));
        assert_eq!(pause.restart(at(1099), &timer, 9000), None);
        let restart = Restart { cwnd: 1000, ssthresh: 0 };
        assert_eq!(pause.restart(at(1100), &timer, 9000), Some(restart));
    }

    #[test]
    fn without_the_restart_there_is_no_state() {
        assert!(Pause::new(RestartAfterIdle::Never, 1000, 4000).is_none());
    }
}

//! Restart after idle: `flow.tcp.restart_after_idle`, the effect on cwnd of a pause in which
//! nothing was outstanding.
//!
//! * `never`, the default of rules that are older than RFC 5681: cwnd stays as it is.
//! * `rfc5681` (§4.1), the default of rules of RFCs: if no data were sent for longer than a
//!   retransmission timeout, cwnd becomes the restart window, the smaller one of itself and the
//!   initial window.
//! * `bsd` (4.3BSD, `tcp_output`): if nothing was received for a retransmission timeout, counted in
//!   slow ticks, cwnd becomes one segment.
//!
//! ssthresh stays, so that slow start leads back to it. For CUBIC the time without data does not
//! count (RFC 9438 §4.2), and the time of the slow start after it does, as in Linux.

use super::Sender;
use crate::language::part::prelude::*;
use crate::tcp::config::LossRecovery;
use crate::tcp::congestion::Congestion;
use crate::units::Time;

variants! {
    /// Effect of a pause on cwnd.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RestartAfterIdle {
        /// cwnd stays as it is.
        Never = "never",
        /// RFC 5681: cwnd is limited to the initial window after a timeout without data sent.
        Rfc5681 = "rfc5681",
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
        "`rfc5681` for `new_reno`, `new_reno_steady` and `sack`, else `never`",
        "\"bsd\"",
        "Effect on cwnd of a pause in which nothing was outstanding.",
    )];

    fn read(section: &Section<'_>) -> Result<RestartAfterIdle, Fault> {
        let recovery = LossRecovery::read(section)?;
        if let Some(written) = section.written("restart_after_idle")? {
            return Ok(written.value);
        }
        let follows_rfcs = recovery.follows_rfcs();
        Ok(if follows_rfcs { RestartAfterIdle::Rfc5681 } else { RestartAfterIdle::Never })
    }

    fn write(restart: &RestartAfterIdle, entries: &mut Entries) {
        entries.push(("restart_after_idle", restart.write()));
    }
}

/// The latest event before a pause, and the window after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pause {
    rule: RestartAfterIdle,
    /// The instant at which data were last sent, or with `bsd` a segment was last received; `None`
    /// before the first.
    since: Option<Time>,
    /// The restart window RW, bytes; cwnd is reduced to it if that is less.
    window: u64,
}

impl Pause {
    /// Makes the state of a rule; `None` if cwnd survives pauses.
    pub(super) fn new(rule: RestartAfterIdle, mss: u64, initial_window: u64) -> Option<Self> {
        let window = match rule {
            RestartAfterIdle::Never => return None,
            RestartAfterIdle::Rfc5681 => initial_window,
            RestartAfterIdle::Bsd => mss,
        };
        Some(Self { rule, since: None, window })
    }
}

impl<R: Congestion> Sender<R> {
    /// Notes that a segment has been received.
    #[inline]
    pub(super) fn note_received(&mut self, now: Time) {
        if let Some(pause) = &mut self.pause
            && pause.rule == RestartAfterIdle::Bsd
        {
            pause.since = Some(now);
        }
    }

    /// Notes that data are sent.
    #[inline]
    pub(super) fn note_sent(&mut self, now: Time) {
        if let Some(pause) = &mut self.pause
            && pause.rule == RestartAfterIdle::Rfc5681
        {
            pause.since = Some(now);
        }
    }

    /// Restarts if the pause was long; called before data are sent, and effective if nothing is
    /// outstanding.
    #[inline]
    pub(super) fn restart_if_idle(&mut self, now: Time) {
        let Some(Pause { rule, since: Some(since), window }) = self.pause else { return };
        let is_idle = self.flight.snd_una == self.flight.snd_max;
        if !is_idle || self.buffered() <= self.flight.snd_nxt {
            return;
        }
        let is_long = match rule {
            RestartAfterIdle::Never => false,
            RestartAfterIdle::Rfc5681 => now - since > self.timer.timeout(),
            RestartAfterIdle::Bsd => self.timer.has_timeout_passed(since, now),
        };
        if is_long {
            self.window.restart(window);
        }
    }
}

//! Round trips: one segment timed at a time (Karn and Partridge 1987), and the timestamps that ACKs
//! echo (RTTM, RFC 7323 §4).
//!
//! Reported round trips, and those that a rule sees, are timed exactly. The timeout follows them,
//! too, unless there are timestamps: then each ACK of new data is a sample for the timeout, in
//! ticks of their clock, also of segments sent twice, and each ends a back-off.

use super::{Sender, Timing};
use crate::tcp::behaviour::lost_syn::LostSyn;
use crate::tcp::behaviour::{Sample, SynEcho};
use crate::tcp::congestion::Congestion;
use crate::tcp::flight::Flight;
use crate::tcp::outstanding::Delivered;
use crate::tcp::receive::RoundTrip;
use crate::units::{Span, Time};

impl<R: Congestion> Sender<R> {
    /// Times the segment at `seq` if it is sent for the first time and no other is being timed.
    #[inline]
    pub(super) fn time(&mut self, now: Time, seq: u64) {
        if self.timing.is_none() && seq == self.flight.snd_max {
            self.timing = Some(Timing { seq, sent: now });
        }
    }

    /// The timeout and the smoothed round trip.
    pub(in crate::tcp) fn round_trip(&self) -> RoundTrip {
        RoundTrip { timeout: self.timer.timeout(), smoothed: self.srtt }
    }

    /// Takes the ACK of our SYN and the timestamp that it echoes; `rule` is that of lost SYNs.
    pub(in crate::tcp) fn on_syn_acked(&mut self, now: Time, rule: LostSyn, echo: Option<SynEcho>) {
        // The timeout follows the round trip of a SYN in any case.
        if let Some(timing) = self.timed(now, 1) {
            self.timer.on_sample(timing.sent, now);
        }
        let timeouts = self.timer.backoffs();
        if rule.leaves_one_segment(timeouts, echo) {
            self.window.collapse();
        }
        if timeouts > 0 && rule == LostSyn::Linux {
            self.flight.timed_out = None;
            if let Some(SynEcho { age, .. }) = echo {
                self.timer.on_echo(age, 1);
            }
        }
        self.timer.on_established();
        (self.flight.snd_una, self.flight.snd_nxt) = (1, 1);
        self.timer.stop();
    }

    /// The round trip that an ACK of new data up to `ack` completes; the timeout follows `sample`.
    #[expect(clippy::inline_always, reason = "every ACK of new data; with a log elsewhere")]
    #[inline(always)]
    pub(super) fn sample(&mut self, now: Time, ack: u64, sample: Sample) -> Option<Span> {
        if let Sample::Echo(age) = sample {
            self.sample_echo(age);
        }
        let timing = self.timed(now, ack)?;
        if sample == Sample::Timed {
            self.timer.on_sample(timing.sent, now);
        }
        Some(now - timing.sent)
    }

    /// Takes the timed segment if an ACK up to `ack` completes it.
    #[inline]
    fn timed(&mut self, now: Time, ack: u64) -> Option<Timing> {
        let timing = self.timing.take_if(|timing| ack > timing.seq)?;
        let rtt = now - timing.sent;
        self.sent.rtt.add(rtt);
        // RFC 6298 §2.2 and 2.3: alpha = 1/8.
        self.srtt = Some(self.srtt.map_or(rtt, |srtt| srtt + (rtt - srtt) / 8));
        Some(timing)
    }

    /// Takes the round trip that an ACK shows, if each is a sample for the timeout, and returns
    /// what is left for [`sample`](Self::sample): with one of its own, the echo is none.
    #[inline]
    pub(super) fn sample_of_each(
        &mut self,
        now: Time,
        delivered: &Delivered,
        sample: Sample,
    ) -> Sample {
        if !self.timer.takes_each() {
            return sample;
        }
        let Some(rtt) = delivered.rtt else { return sample };
        let Flight { snd_una, snd_max, .. } = self.flight;
        self.timer.on_each(rtt, snd_una, snd_max);
        let first = self.flight.log().first_sent();
        if self.timer.is_running() && first.is_some_and(|sent| now - rtt < sent) {
            self.timer.start(now);
        }
        Sample::Missing
    }

    /// Takes the age of an echo. A window has a sample for every two segments in flight (RFC 7323
    /// appendix G).
    #[cold]
    fn sample_echo(&mut self, age: Span) {
        let expected = self.flight.size().div_ceil(2 * self.mss).max(1);
        self.timer.on_echo(age, expected as i64);
    }
}

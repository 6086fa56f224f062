//! The sending half: output (`output`), the processing of ACKs (`acks`), and timeouts.
//!
//! Follows the output and ACK processing of Net/3 (Stevens, TCP/IP Illustrated, volume 2, chapters
//! 26 to 29). Without selective acknowledgements `snd_una`, `snd_nxt` and `snd_max` are the whole
//! scoreboard. Under a rule with a detection of losses there is a log of every segment (`log`):
//! then `snd_nxt` never goes back.
//!
//! Departures: a lost SYN may lower cwnd to one segment but not ssthresh (RFC 5681 §3.1), since no
//! window has been tried yet; the ACK of a SYN does not open cwnd (ibid.). An ACK below `snd_una`
//! begins the count of duplicates anew, as in Net/3, but under a rule of RFCs it is ignored (RFC
//! 9293 §3.10.7.4).

mod acks;
mod buffer;
mod instants;
mod log;
mod output;
mod path_state;
mod persist;
mod release;
mod timing;

use super::behaviour::{Behaviour, Behaviours, Cause};
use super::clocks::TickPhases;
use super::config::Config;
use super::congestion::{Congestion, DUP_ACK_THRESHOLD, Timeout, Transmission, Window};
use super::counters::Sent;
use super::detection::Detection;
use super::flight::Flight;
use super::outstanding::Log;
use super::persist::PersistTimer;
use super::piece::Piece;
use super::release::Release;
use super::timers::RetransmissionTimer;
use crate::pdu::Segment;
use crate::units::{Span, Time};

/// Bytes of a greedy source: more than any run sends.
const ENDLESS: u64 = 1 << 62;

/// The one segment that is timed.
#[derive(Clone, Copy, Debug)]
struct Timing {
    seq: u64,
    sent: Time,
}

/// The segment that is sent before those that the rule chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ahead {
    Nothing,
    /// The first unacknowledged one.
    First,
    /// A tail loss probe.
    TailProbe,
}

#[derive(Clone, Debug)]
pub(super) struct Sender<R> {
    mss: u64,
    flight: Flight,
    /// True if ACKs report ranges beyond their number.
    reads_sack: bool,
    /// The latest window that the peer has advertised.
    advertised: u32,
    /// Largest window ever advertised to us.
    max_snd_wnd: u64,
    /// Sequence number after the last byte written.
    written: u64,
    /// Bytes that may be written and not acknowledged.
    send_buffer: u64,
    closing: bool,
    ahead: Ahead,
    window: Window,
    rule: R,
    /// Detection of losses in the log of the flight, if the rule asks for it.
    detection: Option<Box<Detection>>,
    /// Pacer, or bursts that segments wait for.
    release: Option<Box<Release>>,
    /// The next instant of detection and pacer; [`Time::MAX`] if they name none.
    next: Time,
    /// Number of duplicate ACKs that each let a segment go beyond cwnd (RFC 3042), two or none.
    limited_transmits: u8,
    timer: RetransmissionTimer,
    persist: PersistTimer,
    timing: Option<Timing>,
    srtt: Option<Span>,
    sent: Sent,
    /// The value of `snd_max` when the timer last expired; 0 if it never has, or if duplicate ACKs
    /// have reported a loss since then.
    timed_out_below: u64,
}

impl<R: Congestion> Sender<R> {
    pub(super) fn new(config: &Config, rule: R, phases: TickPhases) -> Self {
        let (detection, needs) = (rule.detection(), rule.needs());
        let keeps_log = detection.is_some();
        let has_log = keeps_log || needs.round_trips || config.hystart;
        let mut log: Option<Box<Log>> = has_log.then(Box::default);
        if let Some(log) = log.as_mut().filter(|_| needs.losses) {
            log.keep_losses();
        }
        let (mss, defers) = (config.full_segment(), config.tso_defer && keeps_log);
        Self {
            mss,
            flight: Flight { log, ..Flight::default() },
            reads_sack: rule.reads_sack(),
            advertised: 0,
            max_snd_wnd: 0,
            written: 1,
            send_buffer: config.send_buffer.map_or(ENDLESS, |bytes| bytes.0),
            closing: false,
            ahead: Ahead::Nothing,
            window: config.initial(),
            detection: detection.map(|plan| Box::new(Detection::new(plan, config.ack_delay()))),
            release: Release::new(config.pacing, needs, defers, mss),
            next: Time::MAX,
            rule,
            limited_transmits: if config.limited_transmit {
                DUP_ACK_THRESHOLD as u8 - 1
            } else {
                0
            },
            timer: RetransmissionTimer::new(&config.timers, phases),
            persist: PersistTimer::new(),
            timing: None,
            srtt: None,
            sent: Sent::default(),
            timed_out_below: 0,
        }
    }

    /// Establishes without a handshake, facing a window of `snd_wnd` bytes.
    pub(super) fn skip_handshake(&mut self, snd_wnd: u32) {
        (self.flight.snd_una, self.flight.snd_nxt, self.flight.snd_max) = (1, 1, 1);
        self.on_window(snd_wnd, 0);
    }

    pub(super) fn write(&mut self, bytes: u64, own: &mut Behaviours) {
        assert!(!self.closing, "nothing is written after close");
        self.written = self.written.saturating_add(bytes).min(1 + ENDLESS);
        own.on_output(&self.flight);
    }

    pub(super) fn write_forever(&mut self, own: &mut Behaviours) {
        self.write(ENDLESS, own);
    }

    /// Takes back data beyond `bytes` that have never been sent.
    pub(super) fn take_back_beyond(&mut self, bytes: u64) {
        let kept = bytes.saturating_add(1).max(self.flight.snd_max);
        self.written = self.written.min(kept);
    }

    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    /// Takes the peer's window of `snd_wnd` bytes from `snd_una` on. A right edge that moves back
    /// comes from the rounding of a scaled window (RFC 7323 §2.4), or from an older segment: the
    /// known edge stays.
    pub(super) fn on_window(&mut self, snd_wnd: u32, edge: u64) {
        self.advertised = snd_wnd;
        self.flight.snd_wnd = u64::from(snd_wnd).max(edge.saturating_sub(self.flight.snd_una));
        self.max_snd_wnd = self.max_snd_wnd.max(self.flight.snd_wnd);
    }

    /// Takes the ACK field, blocks and window of a segment of an established connection.
    pub(super) fn on_ack(&mut self, now: Time, segment: &Segment, own: &mut Behaviours) {
        own.on_received(now);
        if segment.ack > self.flight.snd_max {
            return;
        }
        if self.detection.is_some() {
            self.on_logged_ack(now, segment, own);
            return;
        }
        let Flight { snd_una, snd_max, snd_wnd, .. } = self.flight;
        let sacked =
            if self.reads_sack { self.flight.board.update(segment, snd_una, snd_max) } else { 0 };
        if segment.ack > snd_una {
            self.on_new_ack(now, segment, sacked, own);
        } else if self.is_dup_ack(segment, sacked) {
            self.on_dup_ack(now, segment, sacked, own);
        } else if !self.reads_sack && (segment.ack == snd_una || !self.rule.follows_rfcs()) {
            self.flight.dup_acks = 0;
        }
        if segment.ack == self.flight.snd_una {
            self.on_window(segment.window, snd_una + snd_wnd);
        }
        own.on_output(&self.flight);
    }

    /// Wakes the rule if it is due, and runs expired timers; false if the connection is given up.
    pub(super) fn on_timeout(&mut self, now: Time, own: &mut Behaviours) -> bool {
        self.wake_up(now, own);
        if self.persist.expiry() <= now {
            self.persist.back_off(now, &mut self.timer);
        }
        self.timer.expiry() > now || self.on_expiry(now, own)
    }

    /// Runs the retransmission timer, which has expired.
    fn on_expiry(&mut self, now: Time, own: &mut Behaviours) -> bool {
        if !self.timer.back_off() {
            return false;
        }
        self.sent.rare_mut().timeouts += 1;
        self.timing = None;
        self.flight.dup_acks = 0;
        self.ahead = Ahead::Nothing;
        if self.flight.snd_una > 0 {
            self.lose_at_timeout(now);
            let (flight, window) = (&self.flight, &mut self.window);
            self.rule.on_timeout(&mut Timeout { now, flight, window });
            if let Some(log) = &mut self.flight.log {
                log.clear_losses();
            }
        }
        own.on_reduced(Cause::Loss, &self.flight);
        self.flight.limited = 0;
        self.flight.timed_out = Some(self.flight.snd_una);
        self.timed_out_below = self.flight.snd_max;
        if self.detection.is_none() || self.flight.snd_una == 0 {
            self.flight.board.clear();
            self.flight.snd_nxt = self.flight.snd_una;
        }
        self.timer.start(now);
        true
    }

    /// Sends the SYN if it is due. True once per transmission.
    pub(super) fn poll_syn(&mut self, now: Time) -> bool {
        let is_due = self.flight.snd_nxt == 0;
        if is_due {
            self.time(now, 0);
            self.flight.snd_nxt = 1;
            self.flight.snd_max = 1;
            self.arm(now);
        }
        is_due
    }

    /// Lets the SYN be sent once more, if it has been; its round trip is then unknown (Karn).
    #[cold]
    pub(super) fn repeat_syn(&mut self) {
        (self.flight.snd_nxt, self.timing) = (0, None);
    }

    /// Returns the next piece that may be sent, and notes it as sent.
    #[expect(clippy::inline_always, reason = "every segment that is sent")]
    #[inline(always)]
    pub(super) fn poll(&mut self, now: Time, own: &mut Behaviours) -> Option<Piece> {
        if self.is_quiet() {
            return self.remain_quiet(own);
        }
        self.restart_if_idle(now, own);
        let next = match self.ahead {
            Ahead::Nothing => self.next(own),
            Ahead::First => Some(self.first()),
            Ahead::TailProbe => return Some(self.tail_probe(now, own)),
        };
        let Some(piece) = next else { return self.poll_withheld(now, own) };
        if self.release.is_some() && self.holds_back(now, piece) {
            return None;
        }
        Some(self.book(now, piece, own))
    }

    /// Reduces the window after a long pause, before the first data that end it.
    #[inline]
    fn restart_if_idle(&mut self, now: Time, own: &Behaviours) {
        let is_idle = self.flight.snd_una == self.flight.snd_max;
        if is_idle
            && self.buffered() > self.flight.snd_nxt
            && let Some(restart) = own.restart(now, &self.timer, self.window.cwnd())
        {
            self.window.restart(restart.cwnd, restart.ssthresh);
        }
    }

    /// Notes that `piece` is sent.
    #[expect(clippy::inline_always, reason = "every segment that is sent")]
    #[inline(always)]
    fn book(&mut self, now: Time, piece: Piece, own: &mut Behaviours) -> Piece {
        self.ahead = Ahead::Nothing;
        self.count(piece);
        self.time(now, piece.seq);
        let (start, end) = (piece.seq, piece.end());
        own.on_sent(now, piece);
        if self.flight.log.is_some() {
            self.note_in_log(now, start, end);
        }
        if self.release.is_some() && self.detection.is_none() {
            self.note_lone_release(now, end - start);
        }
        self.rule.on_sent(&Transmission { now, start, end, flight: &self.flight });
        self.flight.snd_nxt = self.flight.snd_nxt.max(piece.end());
        if piece.end() > self.flight.snd_max {
            let sent = piece.end() - self.flight.snd_max;
            self.flight.snd_max = piece.end();
            self.note_limited_transmit(sent);
        }
        self.arm(now);
        piece
    }

    pub(super) fn next_timeout(&self) -> Time {
        let timers = self.timer.expiry().min(self.persist.expiry());
        timers.min(self.rule.next_wake_up()).min(self.next)
    }

    /// True if data from `seq` on are retransmitted because of a timeout.
    pub(super) fn has_timed_out_at(&self, seq: u64) -> bool {
        seq < self.timed_out_below
    }

    pub(super) fn snd_max(&self) -> u64 {
        self.flight.snd_max
    }

    pub(super) fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    pub(super) fn ssthresh(&self) -> u64 {
        self.window.ssthresh()
    }

    /// True if losses are found in a log of what was sent.
    pub(super) fn keeps_log(&self) -> bool {
        self.detection.is_some()
    }

    pub(super) fn rule(&self) -> &R {
        &self.rule
    }

    pub(super) fn sent(&self) -> &Sent {
        &self.sent
    }

    /// Bytes acknowledged, without SYN and FIN.
    pub(super) fn acked(&self) -> u64 {
        self.bytes_before(self.flight.snd_una)
    }

    /// Bytes sent and not acknowledged, lost ones included.
    pub(super) fn in_flight(&self) -> u64 {
        self.bytes_before(self.flight.snd_max) - self.acked()
    }

    /// True if every byte written is acknowledged.
    pub(super) fn is_all_acked(&self) -> bool {
        self.flight.snd_una >= self.written
    }

    /// True if our FIN and all before it are acknowledged.
    pub(super) fn is_finished(&self) -> bool {
        self.closing && self.flight.snd_una > self.written
    }

    fn bytes_before(&self, seq: u64) -> u64 {
        seq.clamp(1, self.written) - 1
    }

    fn count(&mut self, piece: Piece) {
        if piece.seq < self.flight.snd_max {
            // Karn's rule.
            self.timing = None;
        }
        self.sent.count(piece.seq, piece.len, self.flight.snd_max);
    }

    /// Starts the timer when data are sent, if it is not running (RFC 6298 §5.1).
    fn arm(&mut self, now: Time) {
        if !self.timer.is_running() {
            self.timer.start(now);
            self.persist.stop();
        }
    }
}

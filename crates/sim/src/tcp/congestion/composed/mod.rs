//! Recovery composed of a detection, a reduction, a test of spurious losses and a law: the rules
//! `rack` and `thresholds`.
//!
//! The sender keeps a log of every segment in which the detection marks losses (`detection`). This
//! machine has three states: open; recovering, up to the data outstanding at its start; after a
//! timeout, likewise. It sends lost segments first, the lowest one in front, then new data, as long
//! as fewer bytes than cwnd are in flight. The law says what is left of the window, and the
//! reduction how cwnd gets there: at once (RFC 6675) or in proportion to what is delivered (PRR,
//! RFC 9937).
//!
//! A timeout sets cwnd to a segment more than is in flight: with reports kept, what is not lost
//! then left lately (as in Linux; RFC 8985 §6.3). All losses are repaired in slow start, and none
//! of them reduces the window again.
//!
//! Departures: the first retransmission of a recovery leaves whatever cwnd is (RFC 6675 §5 step
//! 4.3); there is no rescue (its rule 4 of `NextSeg`). Limited transmit (RFC 3042) follows by
//! itself: what is reported is not in flight.

mod prr;
mod undo;

use super::growth::{Growth, answers_of_law};
use super::law::{Cause, InRecovery, Law};
use super::plan::Plan;
use super::{
    Ack, Congestion, Delivered, DetectionPlan, Flight, GuardOption, Lost, NextSegment, Options,
    Repair, Timeout, Transmission, WakeUp, Window,
};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};
use prr::Prr;
use undo::{Episode, ForwardRto, Verdict};

variants! {
    /// Way of cwnd to ssthresh in a recovery.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Reduction {
        /// cwnd becomes ssthresh when the recovery begins (RFC 6675).
        AtOnce = "at_once",
        /// In proportion to the data delivered: Proportional Rate Reduction, RFC 9937.
        Prr = "prr",
    }
}

variants! {
    /// Test of losses that were none; the window is then restored.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Undo {
        /// None.
        Never = "never",
        /// Spurious timeouts, by the two ACKs after them: F-RTO, RFC 5682.
        FRto = "f_rto",
        /// Recoveries of which every retransmission arrived twice: D-SACK, RFC 3708.
        DSack = "d_sack",
        /// Both.
        Both = "both",
    }
}

part! {
    /// Parameters of `rack`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct RackPlan {
        /// Way of cwnd to ssthresh in a recovery.
        reduction: Reduction = default("prr", "\"at_once\""),
        /// Test of losses that were none.
        undo: Undo = default("both", "\"never\""),
        /// Tail loss probes: one segment after two round trips without an ACK.
        tail_probe: bool = default("true", "false"),
        /// Longest delay of an ACK that the probe waits for if one segment is in flight (RFC 8985
        /// section 7.2).
        max_ack_delay: Option<Span> = absent(
            "the delay of ACKs of `timers`", "\"200 ms\""
        ) as POSITIVE_TIME,
    }
}

part! {
    /// Parameters of `thresholds`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ThresholdsPlan {
        /// Way of cwnd to ssthresh in a recovery.
        reduction: Reduction = default("at_once", "\"prr\""),
        /// Test of losses that were none.
        undo: Undo = default("never", "\"f_rto\""),
    }
}

impl RackPlan {
    pub(super) const USUAL: Self =
        Self { reduction: Reduction::Prr, undo: Undo::Both, tail_probe: true, max_ack_delay: None };
}

impl ThresholdsPlan {
    pub(super) const USUAL: Self = Self { reduction: Reduction::AtOnce, undo: Undo::Never };
}

/// Recovery over a log.
#[derive(Debug)]
pub struct Composed {
    growth: Growth,
    detection: DetectionPlan,
    reduction: Reduction,
    undo: Undo,
    phase: Phase,
    /// PRR of the present recovery, if the rule sets cwnd.
    prr: Option<Prr>,
    /// True until the first retransmission of a repair is sent.
    is_forced: bool,
    /// The latest reduction, while it may be taken back.
    episode: Option<Episode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    Recovering {
        /// Sequence number at whose acknowledgement it ends.
        point: u64,
        /// The part that sets cwnd.
        window: InRecovery,
    },
    AfterTimeout {
        point: u64,
        test: Option<ForwardRto>,
    },
}

impl Composed {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: false,
        follows_rfcs: true,
        takes_any_law: true,
        guard: GuardOption::Inherent,
        readings: &["reduces"],
    };

    /// Makes the rule `rack`.
    pub(super) fn by_rack(plan: &Plan<'_>, of: RackPlan) -> Self {
        let detection =
            DetectionPlan::Rack { tail_probe: of.tail_probe, max_ack_delay: of.max_ack_delay };
        Self::new(plan, detection, of.reduction, of.undo)
    }

    /// Makes the rule `thresholds`.
    pub(super) fn by_thresholds(plan: &Plan<'_>, of: ThresholdsPlan) -> Self {
        Self::new(plan, DetectionPlan::Thresholds, of.reduction, of.undo)
    }

    fn new(plan: &Plan<'_>, detection: DetectionPlan, reduction: Reduction, undo: Undo) -> Self {
        Self {
            growth: Growth::new(plan),
            detection,
            reduction,
            undo,
            phase: Phase::Open,
            prr: None,
            is_forced: false,
            episode: None,
        }
    }

    /// Enters recovery; `delivered` are the facts of the ACK that has shown the loss.
    fn begin(&mut self, delivered: &Delivered, window: &mut Window, flight: &Flight) -> Repair {
        self.episode = Some(Episode::new(window, flight));
        let cwnd = window.cwnd();
        let by = self.growth.reduce(Cause::Loss, window, flight);
        self.phase = Phase::Recovering { point: flight.snd_max, window: by };
        self.is_forced = true;
        self.prr = None;
        if by == InRecovery::Rule {
            match self.reduction {
                Reduction::AtOnce => window.deflate(),
                Reduction::Prr => {
                    let is_of_cwnd = self.growth.reduces_cwnd();
                    let begun =
                        if is_of_cwnd { Prr::of(cwnd) } else { Prr::new(delivered, flight) };
                    let prr = self.prr.insert(begun);
                    prr.on_ack(delivered, false, window, flight);
                }
            }
        }
        Repair::Begin
    }

    /// Ends recovery.
    fn end(&mut self, by: InRecovery, window: &mut Window) {
        self.phase = Phase::Open;
        self.prr = None;
        match by {
            InRecovery::Rule => window.deflate(),
            InRecovery::Law => self.growth.law.on_recovered(window),
        }
    }

    /// Tells the law, if it asks, of each segment that the present event has found lost.
    fn tell_losses(&mut self, now: Time, flight: &Flight, window: &Window) {
        let delivered = flight.log().delivered();
        for loss in flight.log().losses() {
            self.growth.law.on_lost(&Lost { now, loss, delivered, window });
        }
    }

    /// Takes an ACK while no loss is being repaired.
    fn on_open_ack(&mut self, delivered: &Delivered, ack: &mut Ack<'_>) -> Repair {
        if ack.flight.log().lost() > 0 {
            self.growth.law.on_ack_in_recovery(ack);
            return self.begin(delivered, ack.window, ack.flight);
        }
        if delivered.probe_repaired {
            // RFC 8985 §7.4: the window is reduced for the loss that the probe has repaired.
            if self.growth.reduce(Cause::Loss, ack.window, ack.flight) == InRecovery::Rule {
                ack.window.lower_to_ssthresh();
            }
        }
        self.growth.grow(ack);
        Repair::Nothing
    }

    fn on_recovery_ack(
        &mut self,
        point: u64,
        by: InRecovery,
        delivered: &Delivered,
        ack: &mut Ack<'_>,
    ) -> Repair {
        self.growth.law.on_ack_in_recovery(ack);
        let Ack { acked, flight, ref mut window, .. } = *ack;
        if flight.snd_una < point {
            if let Some(prr) = &mut self.prr {
                let is_safe = acked > 0 && delivered.lost == 0;
                prr.on_ack(delivered, is_safe, window, flight);
            }
            return Repair::Nothing;
        }
        self.end(by, window);
        if flight.log().lost() > 0 {
            self.begin(delivered, window, flight)
        } else {
            Repair::Nothing
        }
    }

    fn on_ack_after_timeout(
        &mut self,
        point: u64,
        test: Option<ForwardRto>,
        delivered: &Delivered,
        ack: &mut Ack<'_>,
    ) -> Repair {
        if let Some(test) = test {
            let verdict = test.on_ack(point, delivered, ack);
            if verdict != Verdict::Lost {
                self.growth.law.on_ack_in_recovery(ack);
            }
            match verdict {
                Verdict::Waits(test) => {
                    self.phase = Phase::AfterTimeout { point, test: Some(test) };
                    return Repair::Nothing;
                }
                Verdict::Spurious => return self.take_back(ack.window),
                Verdict::Lost => self.phase = Phase::AfterTimeout { point, test: None },
            }
        }
        if ack.flight.snd_una >= point {
            self.phase = Phase::Open;
            self.growth.law.on_recovered(ack.window);
        }
        self.growth.grow(ack);
        Repair::Nothing
    }

    /// Restores the window before the latest reduction.
    fn take_back(&mut self, window: &mut Window) -> Repair {
        let Some(episode) = self.episode.take() else { return Repair::Nothing };
        episode.restore(window);
        self.growth.law.undo();
        let are_reordered = !matches!(self.phase, Phase::AfterTimeout { .. });
        self.phase = Phase::Open;
        self.prr = None;
        self.is_forced = false;
        Repair::TakeBack { are_reordered }
    }

    /// Takes the D-SACK of an ACK; true if every retransmission of the latest repair was needless.
    fn is_needless(&mut self, delivered: &Delivered, flight: &Flight) -> bool {
        let tests = matches!(self.undo, Undo::DSack | Undo::Both);
        let Some(episode) = self.episode.as_mut().filter(|_| tests) else { return false };
        episode.on_duplicate(delivered.duplicate, flight)
    }
}

impl Congestion for Composed {
    fn reads_sack(&self) -> bool {
        true
    }

    answers_of_law!();

    fn detection(&self) -> Option<DetectionPlan> {
        Some(self.detection)
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        let delivered = *ack.report.expect("a rule with a detection has reports");
        if delivered.lost > 0 {
            self.tell_losses(ack.now, ack.flight, ack.window);
        }
        if self.is_needless(&delivered, ack.flight) {
            self.growth.law.on_ack_in_recovery(ack);
            return self.take_back(ack.window);
        }
        match self.phase {
            Phase::Open => self.on_open_ack(&delivered, ack),
            Phase::Recovering { point, window } => {
                self.on_recovery_ack(point, window, &delivered, ack)
            }
            Phase::AfterTimeout { point, test } => {
                self.on_ack_after_timeout(point, test, &delivered, ack)
            }
        }
    }

    fn on_ecn_echo(&mut self, ack: &mut Ack<'_>) {
        self.growth.on_ecn_echo(ack);
    }

    fn is_recovering(&self) -> bool {
        self.phase != Phase::Open
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        let Timeout { now, flight, ref mut window } = *timeout;
        self.tell_losses(now, flight, window);
        let is_recovering = matches!(self.phase, Phase::Recovering { .. });
        let is_first = !matches!(self.phase, Phase::AfterTimeout { .. });
        if self.phase == Phase::Open {
            self.episode = Some(Episode::new(window, flight));
        }
        let tests = is_first && matches!(self.undo, Undo::FRto | Undo::Both);
        let test = tests.then_some(ForwardRto::Begun);
        self.phase = Phase::AfterTimeout { point: flight.snd_max, test };
        self.prr = None;
        self.is_forced = true;
        if self.growth.time_out(timeout, is_recovering) == InRecovery::Rule {
            timeout.window.open(timeout.flight.log().in_flight());
        }
    }

    fn next_segment(&self, window: &Window, flight: &Flight) -> NextSegment {
        let log = flight.log();
        let room = window.cwnd().saturating_sub(log.in_flight());
        let Some(lost) = log.first_lost() else { return NextSegment::NewData(room) };
        if self.is_forced {
            return NextSegment::Retransmission(lost);
        }
        if let Phase::AfterTimeout { test: Some(test), .. } = self.phase {
            return test.next_segment();
        }
        if room >= (lost.end - lost.start).min(window.mss()) {
            NextSegment::Retransmission(lost)
        } else {
            NextSegment::Nothing
        }
    }

    fn on_sent(&mut self, sent: &Transmission<'_>) {
        self.growth.on_sent(sent);
        let bytes = sent.end - sent.start;
        let is_resent = sent.start < sent.flight.snd_max;
        if let Some(prr) = &mut self.prr {
            prr.on_sent(bytes);
        }
        if is_resent {
            self.is_forced = false;
            if let Some(episode) = &mut self.episode {
                episode.on_resent(bytes);
            }
        } else if let Phase::AfterTimeout { test: Some(test), .. } = &mut self.phase {
            test.on_sent(bytes);
        }
    }

    fn on_wake_up(&mut self, wake_up: &mut WakeUp<'_>) -> Repair {
        let WakeUp { now, lost, flight, ref mut window } = *wake_up;
        self.tell_losses(now, flight, window);
        if self.phase != Phase::Open || lost == 0 {
            return Repair::Nothing;
        }
        let prior_in_flight = flight.log().in_flight() + lost;
        let delivered = Delivered { lost, prior_in_flight, ..Delivered::default() };
        self.begin(&delivered, window, flight)
    }
}

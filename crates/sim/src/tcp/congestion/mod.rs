//! Congestion control: one method per event, one file per rule.
//!
//! The sender keeps sequence numbers, timers and the ranges that ACKs have reported. A rule sees
//! each event as one value ([`Ack`], [`Timeout`], [`Transmission`], [`WakeUp`]), changes the
//! [`Window`] it governs, growth included, and returns the [`Repair`] that the sender makes. A rule
//! that counts the data in the network, or paces, also chooses the [`NextSegment`].
//!
//! A rule of ours is a file here, its `mod` line and its line in the list `rules!` below. A rule
//! from outside implements [`Congestion`] and is given to
//! [`Connection::with_rule`](super::Connection::with_rule), or for the flows of a run to
//! [`Builder::congestion`](crate::Builder::congestion).

mod abc;
mod additive;
mod bbr1;
mod bbr3;
mod composed;
mod copa;
mod cubic;
mod dctcp;
mod event;
mod extreme;
mod filters;
mod growth;
mod guard;
mod hoe;
mod hybla;
mod hystart;
pub(crate) mod keys;
mod law;
mod laws;
mod new_reno;
mod opening;
mod options;
mod plan;
mod prague;
mod rcp;
mod reno;
mod round;
mod rule;
mod sack;
mod sack_pipe;
mod tahoe;
mod validation;
mod vanilla;
mod vegas;
mod westwood;
mod window;
mod xcp;

pub use super::detection::DetectionPlan;
pub use super::flight::Flight;
pub use super::outstanding::{
    DUP_ACK_THRESHOLD, Delivered, Hole, Log, Loss, RateSample, Record, RecordState, Scoreboard,
};
pub use abc::AbcPlan;
pub use additive::Avoidance;
pub use bbr1::{Bbr1Form, Bbr1Plan};
pub use bbr3::Bbr3Plan;
pub use composed::{RackPlan, Reduction, ThresholdsPlan, Undo};
pub use copa::CopaPlan;
pub use cubic::CubicPlan;
pub use dctcp::DctcpPlan;
pub use event::{Ack, Lost, Timeout, Transmission, WakeUp};
pub use guard::FastRetransmitGuard;
pub use hybla::HyblaPlan;
pub use law::{Cause, Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
pub use laws::CongestionLaw;
pub(super) use plan::Plan;
pub use prague::PraguePlan;
pub use rule::{Congestion, NextSegment, Repair};
pub use validation::Reduces;
pub use vegas::VegasPlan;
pub use westwood::WestwoodPlan;
pub use window::Window;

use crate::engine::{Stream, delegate};
use crate::language::part::prelude::*;
use crate::units::{Rate, Span, Time};
use options::{GuardOption, Options};

impl Rule {
    /// Makes a rule that is not of the list.
    pub fn own(rule: impl Congestion + 'static) -> Self {
        Self::Own(Box::new(rule))
    }
}

/// Declares each rule in one line, `Variant "word" => file::Type::constructor`, and `(Plan)` for
/// those with parameters, which are boxed: the enum of a configuration, the rule that it makes, and
/// their common methods.
macro_rules! rules {
    (
        plain { $(
            $(#[doc = $doc:literal])+
            $name:ident $word:literal => $file:ident::$rule:ident::$new:ident;
        )+ }
        with_parameters { $(
            $(#[doc = $of_boxed:literal])+
            $boxed:ident $boxed_word:literal
                => $boxed_file:ident::$Boxed:ident::$boxed_new:ident($Of:ty);
        )+ }
    ) => {
        variants! {
            /// The rule that repairs losses and sets the window.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum Recovery {
                $($(#[doc = $doc])+ $name = $word,)+
                $($(#[doc = $of_boxed])+ $boxed($Of) = $boxed_word,)+
            }
        }

        impl Recovery {
            /// Every rule, with its usual parameters.
            pub const ALL: &'static [Self] =
                &[$(Self::$name,)+ $(Self::$boxed(<$Of>::USUAL)),+];

            const fn options(self) -> Options {
                match self {
                    $(Self::$name => $file::$rule::OPTIONS,)+
                    $(Self::$boxed(_) => $boxed_file::$Boxed::OPTIONS,)+
                }
            }
        }

        /// A rule of the list, dispatched statically, or one from outside.
        #[derive(Debug)]
        pub enum Rule {
            $($(#[doc = $doc])+ $name($file::$rule),)+
            $($(#[doc = $of_boxed])+ $boxed(Box<$boxed_file::$Boxed>),)+
            /// A rule from outside.
            Own(Box<dyn Congestion>),
        }

        impl Rule {
            /// Makes the rule of the list that repairs by `recovery`.
            pub(super) fn of(recovery: Recovery, plan: &Plan<'_>) -> Self {
                match recovery {
                    $(Recovery::$name => Self::$name($file::$rule::$new(plan)),)+
                    $(Recovery::$boxed(of) => {
                        Self::$boxed(Box::new($boxed_file::$Boxed::$boxed_new(plan, of)))
                    })+
                }
            }
        }

        impl Congestion for Rule {
            delegate! { [$($name,)+ $($boxed,)+ Own]
                fn reads_sack(&self) -> bool;
                fn follows_rfcs(&self) -> bool;
                fn needs(&self) -> LawNeeds;
                fn detection(&self) -> Option<DetectionPlan>;
                fn seed(&mut self, random: Stream);
                fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair;
                fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair;
                fn on_ecn_echo(&mut self, ack: &mut Ack<'_>);
                fn is_recovering(&self) -> bool;
                fn on_timeout(&mut self, timeout: &mut Timeout<'_>);
                #[inline]
                fn next_segment(&self, window: &Window, flight: &Flight) -> NextSegment;
                #[inline(always)]
                fn on_sent(&mut self, sent: &Transmission<'_>);
                #[inline]
                fn next_wake_up(&self) -> Time;
                fn on_wake_up(&mut self, wake_up: &mut WakeUp<'_>) -> Repair;
                fn pace(&self, window: &Window, srtt: Option<Span>) -> Option<Rate>;
                fn values(&self) -> &'static [LawValue];
                fn value(&self, index: usize) -> Option<f64>;
            }
        }
    };
}

rules! {
    plain {
        /// Slow start and congestion avoidance only; every loss waits for the timer.
        Vanilla "vanilla" => vanilla::Vanilla::new;
        /// Fast retransmit, then slow start from there; that of 4.3BSD with
        /// `fast_retransmit_guard = "never"`.
        Tahoe "tahoe" => tahoe::Tahoe::new;
        /// 4.3BSD Reno: fast retransmit and fast recovery.
        Reno "reno" => reno::Reno::new;
        /// RFC 6582: a partial ACK repairs the next hole; only the first restarts the timer.
        NewReno "new_reno" => new_reno::NewReno::impatient;
        /// RFC 6582, slow but steady: every partial ACK restarts the timer.
        NewRenoSteady "new_reno_steady" => new_reno::NewReno::steady;
        /// Hoe 1996: repairs on partial ACKs, a new segment for every two duplicate ACKs.
        Hoe "hoe" => hoe::Hoe::new;
        /// Selective ACKs; segments in the network are counted as by Fall and Floyd 1996.
        SackPipe "sack_pipe" => sack_pipe::SackPipe::new;
        /// Selective ACKs as in RFC 6675.
        Sack "sack" => sack::Sack::new;
    }
    with_parameters {
        /// Losses by send times, with tail loss probes: RACK-TLP, RFC 8985; every segment has a
        /// record.
        Rack "rack" => composed::Composed::by_rack(RackPlan);
        /// Losses by the duplicate thresholds of RFC 6675; every segment has a record.
        Thresholds "thresholds" => composed::Composed::by_thresholds(ThresholdsPlan);
    }
}

impl Recovery {
    /// True for rules of RFCs: their defaults are limited transmit (RFC 3042) and restart after
    /// idle (RFC 5681 §4.1), and they follow RFC 9293. Older rules follow 4.3BSD.
    #[must_use]
    pub fn follows_rfcs(self) -> bool {
        self.options().follows_rfcs
    }

    /// True if there are fast retransmits that limited transmit could cause.
    #[must_use]
    pub fn retransmits_fast(self) -> bool {
        self.options().retransmits_fast
    }

    /// Guard of fast retransmits if none is chosen.
    #[must_use]
    pub fn default_guard(self) -> FastRetransmitGuard {
        match self.options().guard {
            GuardOption::Absent => FastRetransmitGuard::Never,
            GuardOption::Inherent => FastRetransmitGuard::Always,
            GuardOption::Choice { default } => default,
        }
    }

    /// True if the rule keeps a log of segments, from which laws have their samples.
    #[must_use]
    pub fn keeps_log(self) -> bool {
        matches!(self, Self::Rack(_) | Self::Thresholds(_))
    }

    /// True if ACKs report ranges beyond their number.
    #[must_use]
    pub fn reads_sack(self) -> bool {
        matches!(self, Self::Sack | Self::SackPipe) || self.keeps_log()
    }

    /// True if other laws than Reno's may govern the window.
    #[must_use]
    pub fn takes_any_law(self) -> bool {
        self.options().takes_any_law
    }

    /// True if the key of a [reading](crate::tcp::Readings) is a choice of the rule.
    #[must_use]
    pub fn reads(self, key: &str) -> bool {
        self.options().readings.contains(&key)
    }

    /// True if the guard is a choice: the other rules always have it, or never.
    #[must_use]
    pub fn guards_by_choice(self) -> bool {
        matches!(self.options().guard, GuardOption::Choice { .. })
    }
}

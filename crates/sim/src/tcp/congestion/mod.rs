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

mod additive;
mod cubic;
mod event;
mod growth;
mod guard;
mod hoe;
mod hystart;
pub(super) mod keys;
mod law;
mod new_reno;
mod opening;
mod options;
mod reno;
mod sack;
mod sack_pipe;
mod tahoe;
mod vanilla;
mod window;

pub use super::flight::Flight;
pub use super::scoreboard::{DUP_ACK_THRESHOLD, Hole, Scoreboard};
pub use additive::Avoidance;
pub use cubic::CubicPlan;
pub use event::{Ack, Timeout, Transmission, WakeUp};
pub use law::CongestionLaw;
pub use window::Window;

use super::config::Config;
use crate::engine::delegate;
use crate::language::part::prelude::*;
use crate::units::Time;
use options::{GuardOption, Options};

/// The sender's repair of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// No repair is due.
    Nothing,
    /// Fast retransmit: the first unacknowledged segment is sent once more and the timer restarts;
    /// `snd_nxt` stays.
    FastRetransmit,
    /// Fast retransmit of everything from `snd_una` on, as the window allows.
    GoBackN,
    /// A partial ACK: the first unacknowledged segment is the next one lost. The timer restarts.
    Retransmit,
    /// Like `Retransmit`, but the timer runs on.
    RetransmitKeepingTimer,
}

/// The segment to send next when no repair is due (`NextSeg` of RFC 6675 §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextSegment {
    /// The next segment from `snd_nxt` on, as far as cwnd allows.
    InSequence,
    /// The first segment of a hole. The rule has compared cwnd.
    Retransmission(Hole),
    /// New data if there are any and the receiver's window allows, else the first segment of a hole
    /// if there is one. The rule has compared cwnd.
    NewDataOr(Option<Hole>),
    /// No segment before the next ACK, or before the instant that the rule has asked for.
    Nothing,
}

/// A rule of congestion control: growth of cwnd, its reduction by losses, and the choice of the
/// next segment.
pub trait Congestion: std::fmt::Debug {
    /// True if ACKs are to report ranges beyond their number (RFC 2018).
    fn reads_sack(&self) -> bool {
        false
    }

    /// True if a connection under it is one of RFC 5681 and 9293: an ACK below `snd_una` is ignored
    /// (RFC 9293 §3.10.7.4), and the right edge of the advertised window moves by a segment or half
    /// of the largest window at least (§3.8.6.2.2). Otherwise, as in 4.3BSD, that ACK begins the
    /// count of duplicates anew, and the edge moves with every ACK.
    fn follows_rfcs(&self) -> bool {
        true
    }

    /// True if [`Ack::latest_rtt`] is to be measured.
    fn times_segments(&self) -> bool {
        false
    }

    /// Takes an ACK of new data.
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair;

    /// Takes a duplicate ACK.
    fn on_dup_ack(&mut self, _ack: &mut Ack<'_>) -> Repair {
        Repair::Nothing
    }

    /// Takes the first echo of a congestion mark in a window of data, while no loss is being
    /// repaired: the window is reduced, and nothing is retransmitted (RFC 3168 §6.1.2). The ACK
    /// itself follows as its own event, and the flight is as it was before it. A rule that reads
    /// [`Ack::ecn_echo`] itself does nothing here.
    fn on_ecn_echo(&mut self, ack: &mut Ack<'_>) {
        ack.window.halve_flight(ack.flight);
        ack.window.lower_to_ssthresh();
    }

    /// True if a loss is being repaired under a window that the rule has set: then there is no
    /// limited transmit.
    fn is_recovering(&self) -> bool {
        false
    }

    /// Takes an expiry of the retransmission timer; the sender returns to `snd_una` in any case.
    fn on_timeout(&mut self, timeout: &mut Timeout<'_>);

    /// Chooses the segment to send next when no repair is due.
    fn next_segment(&self, _window: &Window, _flight: &Flight) -> NextSegment {
        NextSegment::InSequence
    }

    /// Takes a segment that is sent.
    fn on_sent(&mut self, _sent: &Transmission<'_>) {}

    /// The instant at which the rule is called without an arrival, as one that paces is when the
    /// next segment may be sent. It is after the latest event; [`Time::MAX`] for no call before the
    /// next event.
    fn next_wake_up(&self) -> Time {
        Time::MAX
    }

    /// Takes that instant; afterwards the sender asks for the next segment.
    fn on_wake_up(&mut self, _wake_up: &mut WakeUp<'_>) {}
}

impl Rule {
    /// Makes a rule that is not of the list.
    pub fn own(rule: impl Congestion + 'static) -> Self {
        Self::Own(Box::new(rule))
    }
}

/// Declares each rule in one line, `Variant "word" => file::Type::constructor`: the enum of a
/// configuration, the rule that it makes, and their common methods.
macro_rules! rules {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $word:literal => $file:ident::$rule:ident::$new:ident;
    )+) => {
        variants! {
            /// The rule that repairs losses and sets the window.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum Recovery {
                $($(#[doc = $doc])+ $name = $word,)+
            }
        }

        impl Recovery {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            const fn options(self) -> Options {
                match self { $(Self::$name => $file::$rule::OPTIONS,)+ }
            }
        }

        /// A rule of the list, dispatched statically, or one from outside.
        #[derive(Debug)]
        pub enum Rule {
            $($(#[doc = $doc])+ $name($file::$rule),)+
            /// A rule from outside.
            Own(Box<dyn Congestion>),
        }

        impl Rule {
            /// Makes the rule of `config`.
            pub fn new(config: &Config) -> Self {
                match config.recovery {
                    $(Recovery::$name => Self::$name($file::$rule::$new(config)),)+
                }
            }
        }

        impl Congestion for Rule {
            delegate! { [$($name,)+ Own]
                fn reads_sack(&self) -> bool;
                fn follows_rfcs(&self) -> bool;
                fn times_segments(&self) -> bool;
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
                fn on_wake_up(&mut self, wake_up: &mut WakeUp<'_>);
            }
        }
    };
}

rules! {
    /// Slow start and congestion avoidance only; every loss waits for the timer.
    Vanilla "vanilla" => vanilla::Vanilla::new;
    /// Fast retransmit, then slow start from there; that of 4.3BSD with `fast_retransmit_guard =
    /// false`.
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

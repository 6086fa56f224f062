//! Options of a connection that depend on its rule.

use super::FastRetransmitGuard;

/// Options of one rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// True if there are fast retransmits, which limited transmit can cause.
    pub(super) retransmits_fast: bool,
    /// True for a rule of RFCs: all that it leaves open is as in RFC 3042, 5681 and 9293; else as
    /// in 4.3BSD.
    pub(super) follows_rfcs: bool,
    /// True if other [laws](super::law) than Reno's may govern the window.
    pub(super) takes_any_law: bool,
    /// The [guard](super::guard) of fast retransmits.
    pub(super) guard: GuardOption,
    /// Keys of [readings](crate::tcp::Readings) that are a choice of this rule.
    pub(super) readings: &'static [&'static str],
}

/// Guard of a rule's fast retransmits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuardOption {
    /// No guard.
    Absent,
    /// Always guarded, as a part of the rule.
    Inherent,
    /// Guarded as the connection chooses.
    Choice {
        /// The choice if the key is not written.
        default: FastRetransmitGuard,
    },
}

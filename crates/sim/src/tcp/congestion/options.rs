//! Options of a connection that depend on its rule.

use super::Recovery;

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
        default: bool,
    },
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

    /// True if fast retransmits are guarded by default.
    #[must_use]
    pub fn guards_by_default(self) -> bool {
        matches!(
            self.options().guard,
            GuardOption::Inherent | GuardOption::Choice { default: true }
        )
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

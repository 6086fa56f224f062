//! What a rule makes of the options of a connection that depend on it.

use super::Recovery;

/// Every rule states its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// There are fast retransmits, which limited transmit can bring about.
    pub(super) retransmits_fast: bool,
    /// It is a rule of RFCs, and what it leaves open is as in RFC 3042, 5681 and 9293; else as in
    /// 4.3BSD.
    pub(super) follows_rfcs: bool,
    /// Other [laws](super::law) than Reno's may govern the window.
    pub(super) takes_any_law: bool,
    /// The [guard](super::guard) of fast retransmits.
    pub(super) guard: GuardOption,
    /// Keys of [readings](crate::tcp::Readings) that are a choice of this rule.
    pub(super) readings: &'static [&'static str],
}

/// Whether a rule guards its fast retransmits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuardOption {
    /// Never.
    Absent,
    /// Always: it is part of the rule.
    Inherent,
    /// As the connection says.
    Choice {
        /// If it says nothing.
        default: bool,
    },
}

impl Recovery {
    /// True for rules of RFCs: limited transmit (RFC 3042) and restart after idle (RFC 5681
    /// §4.1) unless something else is said, and the ways of RFC 9293. Rules that are older do as
    /// 4.3BSD.
    #[must_use]
    pub fn follows_rfcs(self) -> bool {
        self.options().follows_rfcs
    }

    /// Whether there are fast retransmits that limited transmit could bring about.
    #[must_use]
    pub fn retransmits_fast(self) -> bool {
        self.options().retransmits_fast
    }

    /// Whether fast retransmits are guarded unless something else is said.
    #[must_use]
    pub fn guards_by_default(self) -> bool {
        matches!(
            self.options().guard,
            GuardOption::Inherent | GuardOption::Choice { default: true }
        )
    }

    /// Whether other laws than Reno's may govern the window.
    #[must_use]
    pub fn takes_any_law(self) -> bool {
        self.options().takes_any_law
    }

    /// True if the key of a [reading](crate::tcp::Readings) is a choice of the rule.
    #[must_use]
    pub fn reads(self, key: &str) -> bool {
        self.options().readings.contains(&key)
    }

    /// Whether something else can be said: to the other rules the guard belongs, or they know none.
    #[must_use]
    pub fn guards_by_choice(self) -> bool {
        matches!(self.options().guard, GuardOption::Choice { .. })
    }
}

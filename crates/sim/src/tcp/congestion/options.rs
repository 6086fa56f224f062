//! What a rule makes of the options of a connection that depend on it.

use super::Recovery;

/// Every rule states its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// There are fast retransmits, which limited transmit can bring about.
    pub(super) retransmits_fast: bool,
    /// Limited transmit (RFC 3042) unless the connection says otherwise.
    pub(super) limits_transmit: bool,
    /// Other [laws](super::law) than Reno's may govern the window.
    pub(super) takes_any_law: bool,
    /// The [guard](super::guard) of fast retransmits.
    pub(super) guard: GuardOption,
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
    /// Limited transmit (RFC 3042) unless something else is said: RFC 5681 §3.2 recommends it.
    /// Rules that are older do without.
    #[must_use]
    pub fn limits_transmit_by_default(self) -> bool {
        self.options().limits_transmit
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

    /// Whether something else can be said: to the other rules the guard belongs, or they know none.
    #[must_use]
    pub fn guards_by_choice(self) -> bool {
        matches!(self.options().guard, GuardOption::Choice { .. })
    }
}

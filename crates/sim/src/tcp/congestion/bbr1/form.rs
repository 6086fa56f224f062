//! Forms of BBR version 1, where the draft and Linux differ.

use crate::language::part::prelude::*;
use crate::units::Span;

variants! {
    /// Source of BBR version 1.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Bbr1Form {
        /// draft-cardwell-iccrg-bbr-congestion-control-00.
        Draft = "draft",
        /// Linux 6.18: bursts, ACK aggregation in cwnd, windows of whole segments, detection of
        /// policers, pacing 1 % below the estimate.
        Linux = "linux",
    }
}

part! {
    /// Parameters of BBR version 1.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Bbr1Plan {
        /// Age of the shortest round trip at which it is measured anew.
        probe_rtt_interval: Span = default("10 s", "\"5 s\"") as POSITIVE_TIME,
        /// Source of its details.
        form: Option<Bbr1Form> = absent(
            "`linux` if `avoidance` is `counted`, else `draft`", "\"linux\""
        ),
    }
}

/// Values of the draft.
impl Default for Bbr1Plan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

impl Bbr1Plan {
    /// The plan of a connection that counts as Linux does.
    pub(in crate::tcp::congestion) fn counted(self) -> Self {
        Self { form: self.form.or(Some(Bbr1Form::Linux)), ..self }
    }

    pub(super) fn is_linux(self) -> bool {
        self.form == Some(Bbr1Form::Linux)
    }
}

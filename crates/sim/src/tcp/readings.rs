//! Readings: where sources differ, or leave two ways open, keys of `flow.NAME.tcp` choose between
//! them. The default of a key depends on the rule of the connection; `docs/models/tcp.md` has a
//! table.

use super::behaviour::lost_syn::LostSyn;
use super::congestion::Reduces;
use crate::language::part::prelude::*;

part! {
    /// Choices between the ways of the sources; `None` means the default of the rule.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Readings {
        /// Slow start also while cwnd equals ssthresh (4.3BSD), or only below it (Jacobson 1988).
        /// RFC 5681 §3.1 allows both.
        slow_start_at_ssthresh: Option<bool> = absent(
            "true for `reno` and for `tahoe` without its guard, else false", "true"
        ),
        /// The ACK that ends fast recovery also opens the window (4.3BSD), or sets the window of
        /// RFC 5681 §3.2 step 6 or RFC 6582 §3.2 step 3 and no more. Only with `reno`, `new_reno`
        /// and
        /// `new_reno_steady`.
        growth_after_recovery: Option<bool> = absent("true for `reno`, else false", "false"),
        /// The third duplicate ACK allows new segments as far as the inflated window does (RFC 5681
        /// §3.2 step 5), or only the repair (4.3BSD). Only with `reno`.
        third_duplicate_sends: Option<bool> = absent("false", "true"),
        /// cwnd after a full ACK (RFC 6582 §3.2 step 3). Only with `new_reno` and
        /// `new_reno_steady`.
        full_ack: Option<FullAck> = absent("flight", "\"ssthresh\""),
        /// RFC 3465: in slow start an ACK opens the window by the bytes that it acknowledges, so
        /// many segments at most, and one after a timeout. The RFC has 1 or 2, Linux no limit.
        byte_counting: Option<u32> = absent(
            "a segment per ACK; 8 in the first slow start with `hystart`", "2"
        ) as Kind::Integer { min: 1, max: 65_535 },
        /// Window that congestion reduces. Only with rules that take any `congestion`; laws that
        /// set the window themselves have nothing of it.
        reduces: Option<Reduces> = absent("flight", "\"cwnd\""),
        /// Effect of a SYN that timed out, or whose answer did, on the first data.
        lost_syn: Option<LostSyn> = absent("rfc5681", "\"linux\""),
    }
}

variants! {
    /// cwnd after a full ACK (RFC 6582 §3.2 step 3).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FullAck {
        /// ssthresh, but at most one segment more than is outstanding.
        Flight = "flight",
        /// ssthresh.
        Ssthresh = "ssthresh",
    }
}

//! Readings: where sources differ, or leave two ways open, keys of `flow.NAME.tcp` choose between
//! them. What is not said is as the rule of the connection has it; `docs/models/tcp.md` has a table.

use super::config::LossRecovery;
use crate::language::part::prelude::*;

part! {
    /// Choices between the ways of the sources; `None`: as the rule has it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Readings {
        /// Slow start while cwnd is ssthresh, too (4.3BSD), or only below it (Jacobson 1988). RFC
        /// 5681 §3.1 allows both.
        slow_start_at_ssthresh: Option<bool> = absent(
            "true for `reno` and for `tahoe` without its guard, else false", "true"
        ),
        /// The ACK that ends fast recovery opens the window, too (4.3BSD), or leaves the window of
        /// RFC 5681 §3.2 step 6 or RFC 6582 §3.2 step 3 and no more. Of `reno`, `new_reno` and
        /// `new_reno_steady`.
        growth_after_recovery: Option<bool> = absent("true for `reno`, else false", "false"),
        /// The third duplicate ACK lets new segments go as the inflated window allows (RFC 5681
        /// §3.2 step 5), or the repair alone (4.3BSD). Of `reno`.
        third_duplicate_sends: Option<bool> = absent("false", "true"),
        /// cwnd after a full ACK (RFC 6582 §3.2 step 3). Of `new_reno` and `new_reno_steady`.
        full_ack: Option<FullAck> = absent("flight", "\"ssthresh\""),
        /// RFC 3465: an ACK opens the window in slow start by what it acknowledges, so many
        /// segments at most, and one after a timeout. The RFC has 1 or 2, Linux no limit.
        byte_counting: Option<u32> = absent(
            "a segment per ACK; 8 in the first slow start with `hystart`", "2"
        ) as Kind::Integer { min: 1, max: 65_535 },
    }
    finish Readings::checked;
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

/// Keys that not every rule has, and which have.
const OF_SOME_RULES: [(&str, &str); 3] = [
    ("growth_after_recovery", "`reno`, `new_reno` and `new_reno_steady`"),
    ("third_duplicate_sends", "`reno`"),
    ("full_ack", "`new_reno` and `new_reno_steady`"),
];

impl Readings {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let recovery = LossRecovery::read(section)?;
        for (key, rules) in OF_SOME_RULES {
            let place = section.place_of_key(key);
            if place == usize::MAX || recovery.reads(key) {
                continue;
            }
            let message = format!(
                "`{}.{key}` is a choice of {rules}; with `{}` expected no such key",
                section.place(),
                recovery.word()
            );
            return Err(Fault::new(&section.place_below(key, &[]), message));
        }
        Ok(self)
    }
}

//! `[run]`: how long, from where on it counts, and what chance has.

use crate::engine::MAX_BYTES;
use crate::language::key_path::KeyPath;
use crate::language::part::prelude::*;
use crate::units::{Bytes, Span};

part! {
    /// `[run]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RunControl {
        /// When the run ends.
        duration: Span = required("\"20 s\"") as POSITIVE_TIME,
        /// Counters and averages start here.
        warm_up: Span = default("0 s", "\"2 s\"") as ANY_TIME,
        /// Root of every random stream.
        seed: u64 = default("1", "7") as WHAT_TOML_HOLDS,
        /// Where sources and timers start.
        phase: Phase = default("random", "\"none\""),
        /// A run that takes more memory ends with an error: for hosts, links and flows, cells on
        /// links and in queues, routes, and what is recorded. It ends alike on every machine.
        memory_limit: Bytes = default("1 GB", "\"4 GB\"") as MEMORY,
    }
}

const MEMORY: Kind = Kind::Size { min: 1_000_000, max: 1_000_000_000_000 };
const WHAT_TOML_HOLDS: Kind = Kind::Integer { min: 0, max: i64::MAX as u64 };

variants! {
    /// `run.phase`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Phase {
        /// Sources start within one cell time, host timers within one tick.
        Random = "random",
        /// Everything starts at zero; for known-answer tests.
        None = "none",
    }
}

impl RunControl {
    /// A run of this duration without a warm-up.
    pub fn lasting(duration: Span) -> Self {
        let memory_limit = Bytes(MAX_BYTES as u64);
        Self { duration, warm_up: Span::ZERO, seed: 1, phase: Phase::Random, memory_limit }
    }

    /// Something must be left after the warm-up.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.warm_up < self.duration {
            return Ok(());
        }
        let message = format!(
            "`run.warm_up` of {} leaves nothing of the {} of `run.duration`; expected less",
            self.warm_up, self.duration
        );
        Err(Fault::at_key(KeyPath::new(&["run", "warm_up"]), message))
    }
}

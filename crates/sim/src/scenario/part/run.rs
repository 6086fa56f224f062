//! `[run]`: duration, warm-up, seed and other settings of the run as a whole.

use crate::engine::MAX_BYTES;
use crate::language::key_path::KeyPath;
use crate::language::part::prelude::*;
use crate::units::{Bytes, Span};

part! {
    /// `[run]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RunControl {
        /// End of the run.
        duration: Span = required("\"20 s\"") as POSITIVE_TIME,
        /// Counters and averages start here.
        warm_up: Span = default("0 s", "\"2 s\"") as ANY_TIME,
        /// Root of every random stream.
        seed: u64 = default("1", "7") as WHAT_TOML_HOLDS,
        /// Phases of sources and timers at the start.
        phase: Phase = default("random", "\"none\""),
        /// Maximum memory for hosts, links and flows, cells on links and in queues, routes, and
        /// records; a run that takes more ends with an error, alike on every machine.
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

    /// Checks that time is left after the warm-up.
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

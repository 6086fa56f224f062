//! `switch.scheduler`: in which order the cells of a class are served.

use crate::language::part::prelude::*;
use crate::switch::rate::Excess;

variants! {
    /// `switch.scheduler`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scheduler {
        /// First in, first out.
        Fifo = "fifo",
        /// Weighted fair queueing: a queue for each VC, served by its minimum cell rate.
        Wfq(Wfq) = "wfq",
    }
}

part! {
    /// Parameters of weighted fair queueing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Wfq {
        /// How VCs with cells waiting share what the minimum rates leave.
        excess: Excess = default("by_mcr", "\"equal\"") as Kind::Variants(EXCESS),
    }
}

/// What the same words mean to a scheduler.
const EXCESS: &[Variant] = &[
    Variant::word(
        "by_mcr",
        "As their minimum rates; VCs without one have the weight of a thousandth of the link.",
    ),
    Variant::word("equal", "In equal parts, on top of the minimum rates."),
];

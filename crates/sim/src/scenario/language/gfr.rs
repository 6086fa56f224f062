//! The keys of the guaranteed frame rate service, and of the scheduler that keeps minimum rates apart.

use crate::language::keys::{Key, Kind, Variant};
use crate::language::kinds::{ABOVE_ZERO_TO_ONE, ANY_TIME, POSITIVE_TIME, ZERO_TO_ONE};

/// `service.gfr`; names of TM 4.1.
pub(in crate::scenario) const GFR: &[Key] = &[
    Key::required("mcr", Kind::Rate, "\"20 kcell/s\"", "Minimum cell rate, `of cell` or `of payload`."),
    Key::optional(
        "pcr",
        Kind::Rate,
        "the rate of the first link of cells, for each direction",
        "\"100 Mbit/s of cell\"",
        "Peak cell rate, which cells are tested for; the source is not held to it.",
    ),
    Key::optional(
        "mbs",
        Kind::Cells,
        "two frames of `mfs`",
        "\"1000 cell\"",
        "Maximum burst size: so many cells at PCR are within the guarantee.",
    ),
    Key::with_default("mfs", Kind::Cells, "192 cell", "\"32 cell\"", "Maximum frame size."),
    Key::with_default(
        "cdvt",
        ANY_TIME,
        "0.25 ms",
        "\"0.5 ms\"",
        "Cell delay variation tolerance, of PCR and of MCR.",
    ),
    Key::with_default(
        "tagging",
        Kind::Variants(TAGGING),
        "none",
        "\"f_gcra\"",
        "What the first switch makes of the CLP bits of whole frames.",
    ),
    Key::with_default(
        "non_conforming",
        Kind::Variants(NON_CONFORMING),
        "pass",
        "\"discard\"",
        "What the first switch does with cells above PCR and frames longer than MFS.",
    ),
    Key::with_default(
        "z",
        Kind::Number(ZERO_TO_ONE),
        "1",
        "0.5",
        "Z: the scale of its drop probability where `drop.dfba.z` is `per_vc`.",
    ),
];

const TAGGING: &[Variant] = &[
    Variant::word("none", "Nothing: GFR.1."),
    Variant::word("f_gcra", "CLP = 1 in frames that fail the F-GCRA: GFR.2."),
    Variant::table(
        "pme",
        PME,
        "CLP = 0 by lottery, in as many frames as bring the VC to its MCR, else CLP = 1.",
    ),
];

const PME: &[Key] = &[
    Key::required(
        "interval",
        POSITIVE_TIME,
        "\"100 ms\"",
        "How often the probability of CLP = 0 is adapted.",
    ),
    Key::required(
        "step",
        Kind::Number(ABOVE_ZERO_TO_ONE),
        "0.05",
        "By how much it grows in an interval without cells.",
    ),
];

const NON_CONFORMING: &[Variant] = &[
    Variant::word("pass", "They are counted."),
    Variant::word("tag", "A frame whose first cell does not conform gets CLP = 1 in all cells."),
    Variant::word(
        "discard",
        "A frame whose first cell does not conform goes whole; from a later such cell on, all but the last.",
    ),
];

/// `switch.scheduler`.
pub(in crate::scenario) const SCHEDULER: &[Variant] = &[
    Variant::word("fifo", "First in, first out."),
    Variant::table(
        "wfq",
        WFQ,
        "Weighted fair queueing: a queue for each VC, served by its minimum cell rate.",
    ),
];

const WFQ: &[Key] = &[Key::with_default(
    "excess",
    Kind::Variants(EXCESS),
    "by_mcr",
    "\"equal\"",
    "How VCs with cells waiting share what the minimum rates leave.",
)];

const EXCESS: &[Variant] = &[
    Variant::word(
        "by_mcr",
        "As their minimum rates; VCs without one have the weight of a thousandth of the link.",
    ),
    Variant::word("equal", "In equal parts, on top of the minimum rates."),
];

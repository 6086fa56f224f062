//! The keys of traffic, with defaults, limits and one-sentence meanings.

use crate::language::keys::{Key, Kind, Variant};
use crate::language::kinds::{ABOVE_ZERO_TO_ONE, POSITIVE_TIME};
use crate::tcp::SOME_BYTES;

/// Longer than this a "transfer of so many bytes" is not one.
const LARGEST_TOTAL: u64 = 1_000_000_000_000_000;

pub(crate) const TRAFFIC: &[Variant] = &[
    Variant::word("greedy", "Always more to send."),
    Variant::table("ttcp", TTCP, "The send buffer is kept full by blocks of one size."),
    Variant::table("cbr", RAW_CELLS, "Cells at a constant rate, without a transport."),
    Variant::table("poisson", RAW_CELLS, "Cells of a Poisson process, without a transport."),
    Variant::table("on_off", ON_OFF, "Cells in bursts of one length, without a transport."),
    Variant::table(
        "exponential_on_off",
        EXPONENTIAL_ON_OFF,
        "Cells in bursts of random length, without a transport.",
    ),
];

const AMPLITUDE: Key = Key::required(
    "rate",
    Kind::Rate,
    "\"124.416 Mbit/s of cell\"",
    "The rate within a burst, `of cell` or `of payload`.",
);

const ON_OFF: &[Key] = &[
    AMPLITUDE,
    Key::required(
        "period",
        POSITIVE_TIME,
        "\"10 ms\"",
        "From the beginning of one burst to that of the next.",
    ),
    Key::required(
        "duty_cycle",
        Kind::Number(ABOVE_ZERO_TO_ONE),
        "0.8",
        "The part of a period that the burst lasts.",
    ),
];

const EXPONENTIAL_ON_OFF: &[Key] = &[
    AMPLITUDE,
    Key::required("on", POSITIVE_TIME, "\"5 ms\"", "Mean length of a burst."),
    Key::required("off", POSITIVE_TIME, "\"5 ms\"", "Mean length of the gap between bursts."),
];

const TTCP: &[Key] = &[
    Key::with_default(
        "write",
        SOME_BYTES,
        "64 KiB",
        "\"8 KiB\"",
        "Size of one write. The send buffer is always full, so only `total` depends on it: whole \
         writes are sent.",
    ),
    Key::optional(
        "total",
        Kind::Size { least: 1, most: LARGEST_TOTAL },
        "until the run ends",
        "\"10 MB\"",
        "Bytes to send in all.",
    ),
];

const RAW_CELLS: &[Key] = &[Key::required(
    "rate",
    Kind::Rate,
    "\"9.36 Mbit/s of cell\"",
    "The (mean) rate, `of cell` or `of payload`.",
)];

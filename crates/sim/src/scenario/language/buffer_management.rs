//! The keys of drop policies.

use crate::scenario::language::keys::{Bound, Interval, Key, Kind, Variant};
use crate::scenario::language::sections::POSITIVE_TIME;

/// `switch.drop` and `edge.drop`.
pub(in crate::scenario) const DROP: &[Variant] = &[
    Variant::word("tail", "A cell is lost when there is no room."),
    Variant::word(
        "ppd",
        "Partial packet discard: after a loss the rest of the frame goes too, but its last cell.",
    ),
    Variant::table("epd", EPD, "Early packet discard: above a threshold new frames are dropped whole."),
    Variant::table(
        "selective_drop",
        FAIR_SHARE,
        "Selective Drop: above a threshold, frames of VCs with more than their equal share of the queue.",
    ),
    Variant::table(
        "fba",
        FAIR_SHARE,
        "Fair Buffer Allocation: as Selective Drop, more strictly the fuller the buffer.",
    ),
    Variant::table(
        "red",
        RED,
        "Random Early Detection: by lottery, between two thresholds of the mean queue.",
    ),
    Variant::table("fred", FRED, "Flow Random Early Drop: RED that looks at what each VC has in the buffer."),
    Variant::table(
        "virtual_queuing",
        VIRTUAL_QUEUING,
        "Virtual Queuing: frames of VCs that a round robin would have queued up beyond a threshold.",
    ),
    Variant::table(
        "vq_dynamic_epd",
        VQ_DYNAMIC_EPD,
        "Virtual Queuing with Dynamic EPD: above a threshold, frames of VCs beyond their max-min share.",
    ),
    Variant::table(
        "vq_mcr",
        VQ_MCR,
        "Virtual Queuing with MCR scheduling: credit for the minimum cell rate admits first.",
    ),
    Variant::table("ered", ERED, "Enhanced RED: a milder lottery for marked frames, CLP = 0."),
    Variant::table("priority", PRIORITY, "Frames with CLP = 1 go above one threshold, all above another."),
    Variant::table(
        "dfba",
        DFBA,
        "Differential Fair Buffer Allocation: each VC is held to its share of the minimum cell rates.",
    ),
];

const fn threshold(name: &'static str, example: &'static str, meaning: &'static str) -> Key {
    Key::required(name, Kind::Threshold, example, meaning)
}

const fn fraction(name: &'static str, default: &'static str, meaning: &'static str) -> Key {
    Key::with_default(name, Kind::Number(ABOVE_ZERO_TO_ONE), default, default, meaning)
}

const ABOVE_ZERO_TO_ONE: Interval = Interval { least: Bound::Beyond(0.0), most: Bound::From(1.0) };
const ZERO_TO_ONE: Interval = Interval { least: Bound::From(0.0), most: Bound::From(1.0) };

const EPD: &[Key] = &[threshold(
    "threshold",
    "\"200 cell\"",
    "Cells in the buffer, or part of it, above which no new frame is admitted.",
)];

const FAIR_SHARE: &[Key] = &[
    threshold("threshold", "0.8", "R: up to so many in the buffer every frame is admitted."),
    fraction("z", "0.8", "Z: how much of its equal share a VC may have above the threshold."),
];

const MIN_THRESHOLD: Key = threshold("min_threshold", "0.2", "Mean queue below which nothing is dropped.");
const MAX_THRESHOLD: Key =
    threshold("max_threshold", "0.6", "Mean queue from which on everything is dropped.");
const MAX_PROBABILITY: Key =
    fraction("max_probability", "0.1", "Drop probability of a frame just below `max_threshold`.");
const WEIGHT: Key = fraction("weight", "0.002", "Weight of the newest sample in the mean queue.");
const MEAN_FRAME: Key = Key::with_default(
    "mean_frame",
    Kind::Size { least: 1, most: 65_535 },
    "1500 B",
    "\"9180 B\"",
    "A typical packet: an idle line lowers the mean queue by one sample of zero in each of its transmission times.",
);

const RED: &[Key] = &[MIN_THRESHOLD, MAX_THRESHOLD, MAX_PROBABILITY, WEIGHT, MEAN_FRAME];

const FRED: &[Key] = &[
    MIN_THRESHOLD,
    MAX_THRESHOLD,
    MAX_PROBABILITY,
    WEIGHT,
    MEAN_FRAME,
    threshold(
        "min_per_vc",
        "\"4 packet\"",
        "What every VC may have in the buffer without taking part in the lottery.",
    ),
];

const VIRTUAL_QUEUING: &[Key] =
    &[threshold("threshold", "0.2", "Virtual queue of a VC above which its frames are dropped.")];
const VQ_DYNAMIC_EPD: &[Key] = &[threshold("threshold", "0.8", "Queue up to which every frame is admitted.")];
const VQ_MCR: &[Key] = &[
    threshold("threshold", "0.2", "Virtual queue of a VC above which its frames need credit."),
    Key::with_default(
        "interval",
        POSITIVE_TIME,
        "1 ms",
        "\"1 ms\"",
        "T: how often a VC is given credit, for the cells that its minimum cell rate sends in that time.",
    ),
];

const ERED: &[Key] = &[
    MIN_THRESHOLD,
    MAX_THRESHOLD,
    MAX_PROBABILITY,
    WEIGHT,
    MEAN_FRAME,
    Key::optional(
        "marked_min_threshold",
        Kind::Threshold,
        "as `min_threshold`",
        "0.4",
        "The same for marked frames.",
    ),
    Key::optional(
        "marked_max_threshold",
        Kind::Threshold,
        "as `max_threshold`",
        "0.8",
        "The same for marked frames.",
    ),
    fraction("marked_max_probability", "0.02", "The same for marked frames."),
];

const PRIORITY: &[Key] = &[
    threshold("low", "0.5", "Queue above which frames with CLP = 1 are dropped."),
    threshold("high", "0.8", "Queue above which all frames are dropped."),
];

const DFBA: &[Key] = &[
    threshold("low", "0.5", "L: queue below which every frame is admitted."),
    threshold("high", "0.8", "H: queue above which every frame is dropped."),
    Key::with_default(
        "alpha",
        Kind::Number(ZERO_TO_ONE),
        "0.5",
        "0.5",
        "Weight of fairness in the drop probability; that of efficiency is the rest.",
    ),
    Key::with_default(
        "z",
        Kind::Variants(DROP_SCALE),
        "one",
        "\"one_minus_share\"",
        "Z: the scale of the drop probability of each VC.",
    ),
];

const DROP_SCALE: &[Variant] = &[
    Variant::word("one", "1 for all."),
    Variant::value("constant", Kind::Number(ZERO_TO_ONE), "0.5", "The same for all."),
    Variant::word("one_minus_share", "1 - W_i/W: less for VCs with much of the minimum cell rates."),
    Variant::word("one_minus_share_squared", "(1 - W_i/W)^2."),
    Variant::word("per_vc", "The `z` of each VC's `service.gfr`."),
];

//! The keys of the guaranteed frame rate service.

use crate::scenario::language::keys::{Bound, Interval, Key, Kind};

/// `service.gfr`.
pub(in crate::scenario) const GFR: &[Key] = &[
    Key::required("mcr", Kind::Rate, "\"20 kcell/s\"", "Minimum cell rate, `of cell` or `of payload`."),
    Key::with_default(
        "z",
        Kind::Number(Interval { least: Bound::From(0.0), most: Bound::From(1.0) }),
        "1",
        "0.5",
        "Z: the scale of its drop probability where `drop.dfba.z` is `per_vc`.",
    ),
];

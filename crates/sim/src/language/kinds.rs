//! Kinds and keys that several tables share.

use crate::language::interval::{Bound, Interval};
use crate::language::keys::{Key, Kind};
use crate::units::Span;

pub(crate) const ANY_TIME: Kind = Kind::Time { min: Span::ZERO };
pub(crate) const POSITIVE_TIME: Kind = Kind::Time { min: Span::from_picoseconds(1) };

pub(crate) const ZERO_TO_ONE: Interval = Interval { min: Bound::From(0.0), max: Bound::From(1.0) };
pub(crate) const ABOVE_ZERO_TO_ONE: Interval =
    Interval { min: Bound::Beyond(0.0), max: Bound::From(1.0) };

pub(crate) const BETWEEN_ZERO_AND_ONE: Interval =
    Interval { min: Bound::Beyond(0.0), max: Bound::Beyond(1.0) };

/// Maximum length of an IP packet, in sixteen bits.
pub(crate) const MAX_PACKET: u64 = 65_535;
/// Largest buffer in cells or packets: beyond it only `infinite` can be meant.
pub(crate) const MOST_ROOM: u64 = 1_000_000_000;

pub(crate) const COUNT: Key = Key::optional(
    "count",
    Kind::Integer { min: 1, max: 100_000 },
    "a single one",
    "15",
    "Makes a family of this many, numbered from 1; `name[3]` is a member, `name[*]` stands for \
     all.",
);

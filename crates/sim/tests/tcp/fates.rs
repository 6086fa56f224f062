//! Random fates of segments.

use cellway_sim::units::Span;
use proptest::prelude::*;

use crate::pair::Fate;

/// Fates of which some lose a segment, with this weight, or delay or repeat it.
pub(crate) fn fate(lost: u32) -> impl Strategy<Value = Fate> {
    let span = (1_i64..400).prop_map(Span::from_milliseconds);
    prop_oneof![
        4 => Just(Fate::Arrives),
        lost => Just(Fate::Lost),
        1 => span.clone().prop_map(Fate::Late),
        1 => span.prop_map(Fate::Twice),
    ]
}

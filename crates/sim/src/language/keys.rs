//! The language as data: the definition of a key. The reader, the error messages, `--set` and the
//! reference all follow it.

use super::interval::Interval;
use crate::units::Span;

/// One key of a section.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) presence: Presence,
    /// Example as it would stand in a file, a TOML value.
    pub(crate) example: &'static str,
    /// Meaning in one sentence.
    pub(crate) meaning: &'static str,
    /// The key that says the same in another way; only one of the two may stand.
    pub(crate) excludes: Option<&'static str>,
}

/// Presence of a key: required, or the meaning of its absence.
#[derive(Clone, Copy)]
pub(crate) enum Presence {
    Required,
    /// Absence is read as this text: a quantity or variant bare, any other value as TOML.
    Default(&'static str),
    /// Absence has the meaning that this text describes.
    Optional(&'static str),
}

/// Kind of the values that a key takes.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A span of at least `min`.
    Time {
        min: Span,
    },
    /// A span of at least `min`, or one of these distributions of such spans.
    RandomTime {
        min: Span,
        distributions: &'static [Variant],
    },
    /// A span, or one of these ways in which it varies.
    VaryingTime(&'static [Variant]),
    /// Two spans of at least `min`, the second above the first.
    TimeRange {
        min: Span,
    },
    /// Pairs of a time and a value of this kind.
    Schedule {
        value: &'static Self,
        /// True if each value holds until the next time; else it belongs to its instant.
        holds: bool,
    },
    /// A length in metres, which stands for its propagation delay.
    Distance,
    /// The name of a standard line, or a rate with its layer.
    LinkRate,
    /// A rate with its layer.
    Rate,
    /// A rate with its layer, or zero.
    CapacityRate,
    /// A list of rates with their layers, or zeros.
    CapacityRates,
    /// A row of numbers per state of a Markov chain: probabilities of its next states, or moves per
    /// second.
    Matrix {
        is_generator: bool,
    },
    /// A list of whole milliseconds that do not go back.
    Milliseconds,
    /// A size in bytes.
    Size {
        min: u64,
        max: u64,
    },
    /// A size in bytes, at most `max` for the reason `why`.
    LimitedSize {
        min: u64,
        max: u64,
        why: &'static str,
    },
    /// A size in bytes, or one of these distributions of sizes.
    RandomSize {
        min: u64,
        max: u64,
        distributions: &'static [Variant],
    },
    /// Two sizes, the second above the first.
    SizeRange {
        min: u64,
        max: u64,
    },
    /// Sizes, each with the weight of its probability.
    WeightedSizes {
        min: u64,
        max: u64,
    },
    /// An amount of at least one cell.
    Cells,
    /// An amount of at least one packet.
    Packets,
    /// An amount of at least one cell or packet.
    Room,
    /// An amount of at least one cell or packet, or bytes, or a time.
    PortRoom,
    /// An amount of cells or packets, or a part of a buffer.
    Threshold,
    /// A whole number.
    Integer {
        min: u64,
        max: u64,
    },
    /// A list of whole numbers, each above the one before.
    Integers {
        min: u64,
        max: u64,
    },
    /// A number without unit.
    Number(Interval),
    /// The inverse of a power of two, as text.
    PowerFraction {
        /// Exponent of the smallest: 1/2^deepest.
        deepest: u32,
        /// True if 0 is accepted too.
        or_zero: bool,
    },
    /// A whole power of two.
    PowerOfTwo {
        min: u64,
        max: u64,
    },
    Boolean,
    /// The name of a node.
    Node,
    /// The names of two nodes.
    Nodes,
    /// The name of a shared virtual circuit.
    Vc,
    /// The name of a link.
    Link,
    /// The name of a flow, or of a family of them.
    Flow,
    /// A list of names, or of patterns with `*`.
    Names,
    /// A table that the laboratory reads.
    Laboratory,
    /// A list of these words, each at most once.
    Words(&'static [Variant]),
    /// Exactly one of these: as a string if it needs no parameters, else as the only key of a
    /// table.
    Variants(&'static [Variant]),
    /// A span above zero, or the word `change`.
    SamplingInterval,
    /// A table with these keys.
    Section(&'static [Key]),
    /// A table of tables, each under a name of the user's with these keys.
    Named(&'static [Key]),
}

/// One of the alternatives of [`Kind::Variants`].
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    pub(crate) body: Body,
    pub(crate) meaning: &'static str,
}

/// Contents behind the name of a variant.
#[derive(Clone, Copy)]
pub(crate) enum Body {
    /// A table with these keys; the bare name selects it if none is required.
    Keys(&'static [Key]),
    /// One value, with an example.
    Value(Kind, &'static str),
}

impl Key {
    pub(crate) const fn required(
        name: &'static str,
        kind: Kind,
        example: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, kind, presence: Presence::Required, example, meaning, excludes: None }
    }

    pub(crate) const fn with_default(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        example: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, kind, presence: Presence::Default(default), example, meaning, excludes: None }
    }

    pub(crate) const fn optional(
        name: &'static str,
        kind: Kind,
        absence: &'static str,
        example: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, kind, presence: Presence::Optional(absence), example, meaning, excludes: None }
    }

    pub(crate) const fn instead_of(mut self, excludes: &'static str) -> Self {
        self.excludes = Some(excludes);
        self
    }
}

impl Variant {
    pub(crate) const fn word(name: &'static str, meaning: &'static str) -> Self {
        Self { name, body: Body::Keys(&[]), meaning }
    }

    pub(crate) const fn table(
        name: &'static str,
        keys: &'static [Key],
        meaning: &'static str,
    ) -> Self {
        Self { name, body: Body::Keys(keys), meaning }
    }

    pub(crate) const fn value(
        name: &'static str,
        kind: Kind,
        example: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, body: Body::Value(kind, example), meaning }
    }

    /// True if the name alone selects it, with everything at its default.
    pub(crate) fn is_bare_word(&self) -> bool {
        match self.body {
            Body::Keys(keys) => keys.iter().all(|key| !matches!(key.presence, Presence::Required)),
            Body::Value(..) => false,
        }
    }
}

impl Kind {
    /// The variants from which a table of one key may choose.
    pub(crate) const fn choices(self) -> Option<&'static [Variant]> {
        match self {
            Self::Variants(variants)
            | Self::VaryingTime(variants)
            | Self::RandomTime { distributions: variants, .. }
            | Self::RandomSize { distributions: variants, .. } => Some(variants),
            _ => None,
        }
    }

    /// The accepted values in the words of an error message, with an example.
    pub(crate) fn accepted(self) -> String {
        match self {
            Self::Time { .. } => "a time such as `\"10 ms\"`".to_owned(),
            Self::RandomTime { distributions, .. } => {
                let drawn: Vec<String> = distributions.iter().map(variant_shown).collect();
                format!("a time such as `\"10 ms\"`, {}", drawn.join(" or "))
            }
            Self::VaryingTime(ways) => {
                let ways: Vec<String> = ways.iter().map(variant_shown).collect();
                format!("a time such as `\"10 ms\"`, {}", ways.join(" or "))
            }
            Self::TimeRange { .. } => {
                "two times, the second above the first, such as `[\"0 s\", \"0.1 s\"]`".to_owned()
            }
            Self::Schedule { value, holds } => {
                let times = if holds {
                    "the first at `\"0 s\"` and each later than the one before"
                } else {
                    "none earlier than the one before"
                };
                let value = value.accepted();
                format!(
                    "a list of pairs of a time, {times}, and a value, {value}; or `{{ file = \
                     \"NAME.csv\" }}`"
                )
            }
            Self::Distance => "a distance such as `\"440 km\"`".to_owned(),
            Self::LinkRate => "a rate such as `\"149 Mbit/s of cell\"` or `\"OC-3c\"`".to_owned(),
            Self::Rate => "a rate such as `\"149 Mbit/s of cell\"`".to_owned(),
            Self::CapacityRate => {
                "a rate such as `\"80 Mbit/s of cell\"` or `\"0 bit/s of line\"`".to_owned()
            }
            Self::CapacityRates => {
                "a list of rates such as `[\"80 Mbit/s of cell\", \"0 bit/s of cell\"]`".to_owned()
            }
            Self::Matrix { is_generator: false } => {
                "a row of probabilities per state such as `[[0.9, 0.1], [0.2, 0.8]]`".to_owned()
            }
            Self::Matrix { is_generator: true } => {
                "a row of moves per second per state such as `[[-0.25, 0.25], [0.5, -0.5]]`"
                    .to_owned()
            }
            Self::Milliseconds => {
                "a list of whole milliseconds that do not go back such as `[1, 1, 2, 5]`; or \
                 `{ file = \"NAME\" }`"
                    .to_owned()
            }
            Self::Size { .. } | Self::LimitedSize { .. } => {
                "a size such as `\"64 KiB\"`".to_owned()
            }
            Self::RandomSize { distributions, .. } => {
                let drawn: Vec<String> = distributions.iter().map(variant_shown).collect();
                format!("a size such as `\"1000 B\"`, {}", drawn.join(" or "))
            }
            Self::SizeRange { .. } => {
                "two sizes, the second above the first, such as `[\"64 B\", \"1472 B\"]`".to_owned()
            }
            Self::WeightedSizes { .. } => {
                "sizes with their weights such as `[[\"12 B\", 7], [\"548 B\", 4]]`".to_owned()
            }
            Self::Cells => "a number of cells such as `\"256 cell\"`".to_owned(),
            Self::Packets => "a number of packets such as `\"50 packet\"`".to_owned(),
            Self::Room => "an amount such as `\"256 cell\"` or `\"100 packet\"`".to_owned(),
            Self::PortRoom => "an amount such as `\"256 cell\"`, `\"100 packet\"`, `\"2 MB\"` or \
                               `\"50 ms\"`"
                .to_owned(),
            Self::Threshold => {
                "an amount such as `\"256 cell\"`, or a part of the buffer from 0 to 1".to_owned()
            }
            Self::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Self::Integers { min, max } => {
                format!("a list of whole numbers from {min} to {max}, each above the one before")
            }
            Self::Number(interval) => format!("a number {}", interval.in_words()),
            Self::PowerFraction { deepest, or_zero } => {
                let zero = if or_zero { ", or `0`" } else { "" };
                format!("a power of two from `\"1/{}\"` to `1`{zero}", 1_u64 << deepest)
            }
            Self::PowerOfTwo { min, max } => format!("a power of two from {min} to {max}"),
            Self::Boolean => "`true` or `false`".to_owned(),
            Self::Node => "the name of a node such as `\"ku\"`".to_owned(),
            Self::Nodes => "the names of two nodes such as `[\"ku\", \"an2\"]`".to_owned(),
            Self::Link => "the name of a link such as `\"bottleneck\"`".to_owned(),
            Self::Flow => "the name of a flow such as `\"transfer\"`".to_owned(),
            Self::Vc => "the name of a shared virtual circuit such as `\"trunk\"`".to_owned(),
            Self::Laboratory => "the keys of a laboratory".to_owned(),
            Self::Names => "a list of names or patterns such as `[\"an2.*\"]`".to_owned(),
            Self::Words(_) => "a list of words such as `[\"queue\", \"cwnd\"]`".to_owned(),
            Self::Variants(variants) => variants_accepted(variants),
            Self::SamplingInterval => {
                "a time such as `\"10 ms\"` or the word `\"change\"`".to_owned()
            }
            Self::Section(_) | Self::Named(_) => "a table".to_owned(),
        }
    }
}

/// Text such as "one of `\"tail\"`, `\"ppd\"`, `{ epd = … }`".
fn variants_accepted(variants: &[Variant]) -> String {
    let shown: Vec<String> = variants.iter().map(variant_shown).collect();
    if shown.len() == 1 { shown.concat() } else { format!("one of {}", shown.join(", ")) }
}

fn variant_shown(variant: &Variant) -> String {
    if variant.is_bare_word() {
        format!("`\"{}\"`", variant.name)
    } else {
        format!("`{{ {} = … }}`", variant.name)
    }
}

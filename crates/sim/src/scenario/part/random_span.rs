//! A span as it is, or the distribution that it is drawn from.

use toml::de::DeValue;

use crate::engine::RandomSpan;
use crate::language::part::prelude::*;
use crate::language::tree::text;
use crate::language::values::TimeRange;
use crate::units::Span;

/// When something begins.
pub(crate) const ANY_INSTANT: Kind =
    Kind::RandomTime { least: Span::ZERO, distributions: INSTANTS };
/// When something ends.
pub(crate) const LATER_INSTANT: Kind =
    Kind::RandomTime { least: SHORTEST, distributions: LATER_INSTANTS };

const SHORTEST: Span = Span::from_picoseconds(1);

const INSTANTS: &[Variant] = &[uniform(Span::ZERO, "[\"0 s\", \"0.1 s\"]"), EXPONENTIAL];

const LATER_INSTANTS: &[Variant] = &[uniform(SHORTEST, "[\"1 s\", \"2 s\"]"), EXPONENTIAL];

const fn uniform(least: Span, example: &'static str) -> Variant {
    let meaning = "Anything from the first time to the second.";
    Variant::value("uniform", Kind::TimeRange { least }, example, meaning)
}

const EXPONENTIAL: Variant = Variant::table(
    "exponential",
    Exponential::KEYS,
    "Exponential beyond an offset; without an upper bound.",
);

part! {
    /// Parameters of the exponential distribution.
    #[derive(Clone, Copy, Debug)]
    struct Exponential {
        /// Mean of what is above the offset.
        mean: Span = required("\"50 ms\"") as POSITIVE_TIME,
        /// The least.
        offset: Span = default("0 s", "\"1 s\"") as ANY_TIME,
    }
}

impl Read for RandomSpan {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::RandomTime { least, distributions } = kind else {
            unreachable!("`{place}` is not drawn")
        };
        let is_distribution = |word: &str| distributions.iter().any(|one| one.name == word);
        let nothing = no_parameters();
        match node.get_ref() {
            DeValue::Table(_) => distribution(&Choice::of(node, kind, place, &nothing)?),
            // Its parameters are missing, and that is said.
            DeValue::String(word) if is_distribution(word) => {
                distribution(&Choice::of(node, kind, place, &nothing)?)
            }
            DeValue::String(_) => Span::read(node, Kind::Time { least }, place).map(Self::Fixed),
            _ => text(node, kind, place).map(|_| unreachable!("only a string is text")),
        }
    }
}

fn distribution(choice: &Choice<'_>) -> Result<RandomSpan, Fault> {
    match choice.name {
        "uniform" => {
            let TimeRange([least, most]) = choice.value()?;
            Ok(RandomSpan::Uniform { least, most })
        }
        "exponential" => {
            let Exponential { mean, offset } = Exponential::read(&choice.section()?)?;
            Ok(RandomSpan::Exponential { mean, offset })
        }
        other => unreachable!("`{other}` is a distribution without a meaning"),
    }
}

/// The distribution and not what came of it: a run with another seed draws again.
impl Value for RandomSpan {
    fn write(&self) -> String {
        match *self {
            Self::Fixed(span) => span.write(),
            Self::Uniform { least, most } => {
                format!("{{ uniform = [\"{least}\", \"{most}\"] }}")
            }
            Self::Exponential { mean, offset } => {
                variant_of_keys::<Exponential>("exponential", &Exponential { mean, offset })
            }
        }
    }
}

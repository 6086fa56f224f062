//! A span as it is, or the distribution that it is drawn from.

use toml::de::DeValue;

use crate::language::choice::{Choice, no_parameters};
use crate::language::fault::Fault;
use crate::language::keys::Kind;
use crate::language::tree::{Node, Read, text};
use crate::language::values::TimeRange;
use crate::scenario::resolved::RandomSpan;
use crate::units::Span;

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
    if choice.name == "uniform" {
        let TimeRange([least, most]) = choice.value()?;
        return Ok(RandomSpan::Uniform { least, most });
    }
    let parameters = choice.section()?;
    let (mean, offset) = (parameters.value("mean")?, parameters.value("offset")?);
    Ok(RandomSpan::Exponential { mean, offset })
}

//! Drop policies, read into their type of the resolved scenario.

use toml::de::DeValue;

use crate::scenario::buffer_management::{Drop, DropScale, FairShare, Lottery, Red, Threshold};
use crate::scenario::fault::Fault;
use crate::scenario::language::keys::Kind;
use crate::scenario::read::choice::Choice;
use crate::scenario::read::tree::{Node, Read, Section, wrong_type};
use crate::scenario::resolved::Room;

impl Read for Threshold {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let part: Option<f64> = match node.get_ref() {
            DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => return Room::read(node, kind, place).map(Self::Units),
        };
        match part {
            Some(part) if (0.0..=1.0).contains(&part) => Ok(Self::OfBuffer(part)),
            _ => Err(wrong_type(node, &kind.accepted(), place)),
        }
    }
}

pub(in crate::scenario) fn drop_policy(choice: &Choice<'_>) -> Result<Drop, Fault> {
    let parameters = choice.section()?;
    let threshold = |key| parameters.value::<Threshold>(key);
    Ok(match choice.name {
        "ppd" => Drop::Ppd,
        "epd" => Drop::Epd { threshold: threshold("threshold")? },
        "selective_drop" => Drop::SelectiveDrop(fair_share(&parameters)?),
        "fba" => Drop::Fba(fair_share(&parameters)?),
        "red" => Drop::Red(red(&parameters)?),
        "fred" => Drop::Fred { red: red(&parameters)?, min_per_vc: threshold("min_per_vc")? },
        "virtual_queuing" => Drop::VirtualQueuing { threshold: threshold("threshold")? },
        "vq_dynamic_epd" => Drop::VqDynamicEpd { threshold: threshold("threshold")? },
        "vq_mcr" => {
            Drop::VqMcr { threshold: threshold("threshold")?, interval: parameters.value("interval")? }
        }
        "ered" => ered(&parameters)?,
        "priority" => Drop::Priority { low: threshold("low")?, high: threshold("high")? },
        "dfba" => Drop::Dfba {
            low: threshold("low")?,
            high: threshold("high")?,
            alpha: parameters.value("alpha")?,
            z: parameters.value("z")?,
        },
        _ => Drop::Tail,
    })
}

fn fair_share(section: &Section<'_>) -> Result<FairShare, Fault> {
    Ok(FairShare { threshold: section.value("threshold")?, z: section.value("z")? })
}

fn red(section: &Section<'_>) -> Result<Red, Fault> {
    Ok(Red {
        lottery: Lottery {
            min_threshold: section.value("min_threshold")?,
            max_threshold: section.value("max_threshold")?,
            max_probability: section.value("max_probability")?,
        },
        weight: section.value("weight")?,
        mean_frame: section.value("mean_frame")?,
    })
}

fn ered(section: &Section<'_>) -> Result<Drop, Fault> {
    let unmarked = red(section)?;
    let written = |key, default| section.written(key).map(|found| found.map_or(default, |found| found.value));
    let marked = Lottery {
        min_threshold: written("marked_min_threshold", unmarked.lottery.min_threshold)?,
        max_threshold: written("marked_max_threshold", unmarked.lottery.max_threshold)?,
        max_probability: section.value("marked_max_probability")?,
    };
    Ok(Drop::Ered { unmarked, marked })
}

pub(in crate::scenario) fn drop_scale(choice: &Choice<'_>) -> Result<DropScale, Fault> {
    if choice.name == "constant" {
        return choice.value().map(DropScale::Constant);
    }
    choice.section()?;
    Ok(match choice.name {
        "one_minus_share" => DropScale::OneMinusShare,
        "one_minus_share_squared" => DropScale::OneMinusShareSquared,
        "per_vc" => DropScale::PerVc,
        _ => DropScale::Constant(1.0),
    })
}

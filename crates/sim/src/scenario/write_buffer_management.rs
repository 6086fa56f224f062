//! Drop policies, written back in the language.

use std::fmt::{self, Write};

use super::buffer_management::{Drop, DropScale, FairShare, Lottery, Red, Threshold};
use super::resolved::Room;

pub(super) fn write_drop(out: &mut String, drop: Drop) -> fmt::Result {
    let word = drop.word();
    let parameters = match drop {
        Drop::Tail | Drop::Ppd => return writeln!(out, "drop = \"{word}\""),
        Drop::Epd { threshold } | Drop::VirtualQueuing { threshold } | Drop::VqDynamicEpd { threshold } => {
            format!("threshold = {threshold}")
        }
        Drop::SelectiveDrop(FairShare { threshold, z }) | Drop::Fba(FairShare { threshold, z }) => {
            format!("threshold = {threshold}, z = {z}")
        }
        Drop::Red(red) => lottery("", &red.lottery) + &average(&red),
        Drop::Fred { red, min_per_vc } => {
            lottery("", &red.lottery) + &average(&red) + &format!(", min_per_vc = {min_per_vc}")
        }
        Drop::VqMcr { threshold, interval } => format!("threshold = {threshold}, interval = \"{interval}\""),
        Drop::Ered { unmarked, marked } => {
            lottery("", &unmarked.lottery) + &average(&unmarked) + ", " + &lottery("marked_", &marked)
        }
        Drop::Priority { low, high } => format!("low = {low}, high = {high}"),
        Drop::Dfba { low, high, alpha, z } => {
            format!("low = {low}, high = {high}, alpha = {alpha}, z = {z}")
        }
    };
    writeln!(out, "drop = {{ {word} = {{ {parameters} }} }}")
}

fn lottery(prefix: &str, lottery: &Lottery) -> String {
    format!(
        "{prefix}min_threshold = {}, {prefix}max_threshold = {}, {prefix}max_probability = {}",
        lottery.min_threshold, lottery.max_threshold, lottery.max_probability
    )
}

fn average(red: &Red) -> String {
    format!(", weight = {}, mean_frame = \"{}\"", red.weight, red.mean_frame)
}

/// As a TOML value.
impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Units(Room::Cells(cells)) => write!(f, "\"{cells}\""),
            Self::Units(Room::Packets(packets)) => write!(f, "\"{packets}\""),
            Self::OfBuffer(part) => write!(f, "{part:?}"),
        }
    }
}

/// As a TOML value.
impl fmt::Display for DropScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(z) => write!(f, "{{ constant = {z} }}"),
            Self::OneMinusShare => write!(f, "\"one_minus_share\""),
            Self::OneMinusShareSquared => write!(f, "\"one_minus_share_squared\""),
            Self::PerVc => write!(f, "\"per_vc\""),
        }
    }
}

//! Greedy TCPs over ABR: max-min fair shares, with minimum rates, of the rest of higher classes.

use super::answer::{Assumption, Found, Prediction, refused};
use super::connection::{Connection, throughput_of};
use super::general::{general, percent};
use crate::explain::{AbrFacts, ShareFacts};

/// Allocators that aim at max-min shares.
const BY_SHARE: [&str; 2] = ["erica", "erica_plus"];

/// Prediction for a flow over ABR; `None` for others.
pub(super) fn predicted(one: &Connection<'_>) -> Option<Found> {
    let abr = one.facts.abr.as_ref()?;
    if let Some(reason) = one.ports.varying(&one.flow.path).or_else(|| one.not_greedy()) {
        return Some(refused(reason));
    }
    Some(match &one.facts.share {
        None => refused("explain has no share of it; expected ABR from end to end"),
        Some(_) if one.facts.loss.is_some() => refused("lines lose cells; expected none"),
        Some(share) => Ok(by_share(one, abr, share)),
    })
}

fn by_share(one: &Connection<'_>, abr: &AbrFacts, share: &ShareFacts) -> Prediction {
    let factors = abr.ceiling.iter().flat_map(|ceiling| &ceiling.factors);
    let factor = |name: &str| {
        let named = factors.clone().find(|factor| factor.name == name);
        named.map(|factor| factor.value)
    };
    // The share includes target utilisation and the rates of higher classes.
    let parts = ["payload_of_cell", "data_of_frame", "without_rm_cells"];
    let rate = share.bits_per_second * parts.into_iter().filter_map(factor).product::<f64>();
    let window = one.tcp.window_limit_bits_per_second;
    let allocator = abr.bottleneck.allocator;
    // A ceiling by the peak cell rate has no such factor.
    let left = factor("left_by_higher_classes");
    Prediction {
        model: "max-min share of ABR",
        source: "Bertsekas and Gallager, Data Networks, section 6.5.2; TM 4.0 for RM cells",
        numbers: vec![throughput_of(rate)],
        assumptions: vec![
            Assumption::new(
                "the allocator aims at max-min shares",
                BY_SHARE.contains(&allocator),
                format!("{allocator}, limited by {}", share.limited_by.word()),
            ),
            Assumption::new(
                "the window does not limit",
                window >= rate,
                format!("{} Mbit/s at most by the window", general(window / 1e6, 4)),
            ),
            Assumption::new(
                "higher classes leave their mean at every instant",
                left.map(|left| left >= 1.0),
                left.map_or_else(
                    || "its peak rate is below it".to_owned(),
                    |left| format!("{} are left on average", percent(left)),
                ),
            ),
            Assumption::new("rates have settled at the target, and nothing is lost", None, ""),
        ],
    }
}

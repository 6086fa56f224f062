//! Bit rates of a video: a list, each above the one before.

use crate::language::part::prelude::*;
use crate::language::tree::{quantity, wrong_type};
use crate::units::{Layer, LayeredRate};

/// Bit rates of payload, ascending, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder(Vec<LayeredRate>);

impl Ladder {
    /// The rates, bits per second.
    pub(super) fn bits_per_second(&self) -> Vec<f64> {
        self.0.iter().map(|one| one.rate.bits_per_second() as f64).collect()
    }

    /// The flaw of these rates, if they have one.
    fn flaw(&self) -> Option<&'static str> {
        let rate = |one: &LayeredRate| one.rate.bits_per_second();
        let is_payload = self.0.iter().all(|one| one.layer == Layer::Payload);
        let ascends = self.0.windows(2).all(|pair| rate(&pair[0]) < rate(&pair[1]));
        match self.0.first() {
            None => Some("no rate; expected at least one"),
            Some(lowest) if rate(lowest) == 0 => Some("a rate of zero; expected more"),
            Some(_) if !is_payload => {
                Some("a rate of cells or of a line; expected rates `of payload`")
            }
            Some(_) if !ascends => {
                Some("a rate that is not above the one before; expected them in order")
            }
            Some(_) => None,
        }
    }
}

impl Typed for Ladder {
    const KIND: Kind = Kind::CapacityRates;
}

impl Read for Ladder {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Some(rates) = node.get_ref().as_array() else {
            return Err(wrong_type(node, &kind.accepted(), place));
        };
        let rates: Result<_, _> = rates.iter().map(|rate| quantity(rate, kind, place)).collect();
        let ladder = Self(rates?);
        match ladder.flaw() {
            None => Ok(ladder),
            Some(flaw) => Err(Fault::new(&node.span(), format!("`{place}` has {flaw}"))),
        }
    }
}

impl Value for Ladder {
    fn write(&self) -> String {
        let rates: Vec<String> = self.0.iter().map(|rate| format!("\"{rate}\"")).collect();
        format!("[{}]", rates.join(", "))
    }
}

//! Checks of a varying capacity against the line and the impairments of the link.

use crate::language::family::Named;
use crate::language::fault::Fault;
use crate::language::faults::check as check_all;
use crate::link::AnyImpairment;
use crate::scenario::resolve::place::Owner;
use crate::scenario::resolved::{LinkSection, ScenarioFile};
use crate::units::{Layer, LayeredRate, Rate, Span};

pub(super) fn check(file: &ScenarioFile) -> Result<(), Fault> {
    check_all(file.link.iter().map(check_link))
}

fn check_link(section: &Named<LinkSection>) -> Result<(), Fault> {
    let Some(capacity) = &section.body.capacity else { return Ok(()) };
    let owner = Owner::new("link", &section.name);
    let word = capacity.word();
    let fault = |wrong: &str| {
        let message = format!("`{owner}.capacity.{word}` {wrong}");
        Err(owner.key("capacity").fault_below(&[word], message))
    };
    let carries = section.body.carries;
    let (line, is_of_cells) = (carries.rate(), carries.is_of_cells());
    let unsupported = |rate: &LayeredRate| (rate.layer == Layer::Line) == is_of_cells;
    if let Some(rate) = capacity.written().iter().map(|rate| rate.0).find(unsupported) {
        let (units, layers) = if is_of_cells {
            ("cells", "`of cell` or `of payload`")
        } else {
            ("packets", "`of line`")
        };
        return fault(&format!(
            "has {rate}, and the link carries {units}; expected rates {layers}"
        ));
    }
    let long_run = capacity.long_run(Span::LONGEST);
    let fastest = long_run.0.iter().map(|&(rate, _)| rate).max().unwrap_or(line);
    if fastest > line {
        let layer = carries.layer();
        let [fastest, line] = [fastest, line].map(|rate: Rate| LayeredRate { rate, layer });
        return fault(&format!(
            "is up to {fastest}, and `{owner}.rate` is {line}; expected no rate above that of the \
             line"
        ));
    }
    refuse_impairments(section, is_of_cells)
}

/// Refuses impairments that need a constant time per unit.
fn refuse_impairments(section: &Named<LinkSection>, is_of_cells: bool) -> Result<(), Fault> {
    let impairments = section.body.impairments.iter().flat_map(|impairments| &impairments.0);
    let unfit = |impairment: &&AnyImpairment| match impairment {
        AnyImpairment::Outages(_) => true,
        AnyImpairment::BitErrors(_) => is_of_cells,
        _ => false,
    };
    let Some(impairment) = impairments.into_iter().find(unfit) else { return Ok(()) };
    let (owner, word) = (Owner::new("link", &section.name), impairment.word());
    let (why, instead) = match impairment {
        AnyImpairment::Outages(_) => ("how long a unit is sent", "a `capacity` of zero meanwhile"),
        _ => ("the time of a cell", "no `bit_errors`"),
    };
    let message = format!(
        "`{owner}.impairments.{word}` goes by {why}, which a `capacity` changes; expected one of \
         the two, or {instead}"
    );
    Err(owner.key("impairments").fault_below(&[word], message))
}

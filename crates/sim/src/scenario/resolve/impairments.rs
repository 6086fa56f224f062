//! Checks of impairments against the units of their links, and the flows that scripts name.

use crate::language::family::Named;
use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::faults::check as check_all;
use crate::link::{AnyImpairment, FlowScript, Script};
use crate::scenario::resolve::place::Owner;
use crate::scenario::resolved::{Flow, LinkSection, Scenario, ScenarioFile};
use crate::units::quoted;

pub(super) fn check(file: &ScenarioFile, scenario: &Scenario) -> Result<(), Fault> {
    let check_impairment = |section: &Named<LinkSection>, impairment: &AnyImpairment| {
        refuse_on_cells(section, impairment)?;
        let AnyImpairment::Script(Script(flows)) = impairment else { return Ok(()) };
        check_all(flows.iter().map(|script| check_script(section, script, scenario)))
    };
    let of_links = file.link.iter().flat_map(|section| {
        let impairments = section.body.impairments.iter().flat_map(|all| &all.0);
        impairments.map(move |impairment| (section, impairment))
    });
    check_all(of_links.map(|(section, impairment)| check_impairment(section, impairment)))
}

fn refuse_on_cells(section: &Named<LinkSection>, impairment: &AnyImpairment) -> Result<(), Fault> {
    let (word, owner) = (impairment.word(), Owner::new("link", &section.name));
    let why = impairment.not_for_cells().filter(|_| section.body.carries.is_of_cells());
    let Some(why) = why else { return Ok(()) };
    let message = format!(
        "`{owner}.impairments.{word}` is for packets, and the link carries cells: {why}; expected \
         `carries = \"packets\"`, or no `{word}`"
    );
    Err(owner.key("impairments").fault_below(&[word], message))
}

fn check_script(
    section: &Named<LinkSection>,
    script: &FlowScript,
    scenario: &Scenario,
) -> Result<(), Fault> {
    let owner = Owner::new("link", &section.name);
    let fault = |key: &[&str], message: String| {
        let keys = [&["script", script.name.as_str()], key].concat();
        let place = format!("{owner}.impairments.{}", keys.join("."));
        owner.key("impairments").fault_below(&keys, format!("`{place}`: {message}"))
    };
    let Some(flow) = scenario.flows.iter().find(|flow| flow.name == script.name) else {
        let names: Vec<&str> = scenario.flows.iter().map(|flow| flow.name.as_str()).collect();
        let message = format!("there is no such flow; expected {}", one_of(&names));
        let hint = nearest(&script.name, &names).map(did_you_mean);
        return Err(fault(&[], message).with_hint(hint));
    };
    let members = section.members();
    for (key, numbers, what, path) in [
        ("segments", &script.segments, "data", &flow.path),
        ("acks", &script.acks, "packets back", &flow.reverse_path),
        ("cells", &script.cells, "data", &flow.path),
    ] {
        let path: Vec<&str> = path.iter().map(|&link| scenario.links[link].name.as_str()).collect();
        let passes = path.iter().any(|name| members.iter().any(|member| member == name));
        let unfit = why_no_cells(section, flow).filter(|_| key == "cells");
        if numbers.is_empty() || (passes && unfit.is_none()) {
            continue;
        }
        return Err(fault(
            &[key],
            match unfit.filter(|_| passes) {
                Some(why) => format!("{why}; expected `segments`"),
                None => format!(
                    "the {what} of {} do not pass `{owner}`; expected a link that they pass, {}",
                    quoted(&flow.name),
                    one_of(&path)
                ),
            },
        ));
    }
    Ok(())
}

/// Reason why single cells of a flow cannot be counted on a link.
fn why_no_cells(section: &Named<LinkSection>, flow: &Flow) -> Option<&'static str> {
    if !section.body.carries.is_of_cells() {
        return Some("the link carries packets");
    }
    flow.vc.map(|_| "the flow shares its circuit with others")
}

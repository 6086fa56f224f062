//! Warnings about feedback of the capacity of links whose rate never changes, which is a constant.

use crate::atm::Class;
use crate::scenario::resolved::{NodeRef, RateAllocation, Scenario};

/// A line for each flow that follows such a link, and for each switch whose rates are constant.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let flows = scenario.flows.iter().filter_map(|flow| {
        let pacing = flow.pace.as_deref()?;
        let link = &scenario.links[pacing.link];
        let follows = pacing.rate.law(1).is_some() && link.capacity.is_none();
        follows.then(|| {
            format!(
                "flow.{}.pacing follows `{}`, whose rate never changes: its pace is constant; \
                 link.{}.capacity lets it vary",
                flow.name, link.name, link.name
            )
        })
    });
    let switches = (0..scenario.switches.len()).filter(|&switch| feeds_constants(scenario, switch));
    let switches = switches.map(|switch| {
        let switch = &scenario.switches[switch];
        format!(
            "switch.{}.rate_allocator is `{}`, but no link from this switch has a varying rate \
             or cells of a higher class: the rates that it gives are constant",
            switch.name,
            switch.rate_allocator.word()
        )
    });
    flows.chain(switches).collect()
}

fn feeds_constants(scenario: &Scenario, switch: usize) -> bool {
    let allocator = &scenario.switches[switch].rate_allocator;
    if !matches!(allocator, RateAllocation::InstCap(_) | RateAllocation::EffCap(_)) {
        return false;
    }
    let leaves = |&link: &usize| scenario.links[link].from == NodeRef::Switch(switch);
    let varies = (0..scenario.links.len())
        .filter(leaves)
        .any(|link| scenario.links[link].capacity.is_some());
    let is_first = |class: Class| class == Class::Vbr;
    let is_shared = scenario
        .flows
        .iter()
        .any(|flow| is_first(flow.service.class()) && flow.path.iter().any(leaves));
    !varies && !is_shared
}

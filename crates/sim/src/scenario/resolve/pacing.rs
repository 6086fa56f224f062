//! Resolves the pacing of flows: the link must be on the path, and its units and rates must fit.

use std::collections::BTreeMap;

use crate::language::family::{Named, member_of};
use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::faults::check;
use crate::link::feedback::PacingRate;
use crate::scenario::resolve::place::{KeyOf, Owner};
use crate::scenario::resolved::{
    Flow, FlowPacing, FlowSection, Link, Paced, PacingSection, Scenario, ScenarioFile, Service,
};
use crate::units::{CellsOrPackets, Span, quoted};

/// Maximum length of an average: a longer memory is no feedback, and its sums would not fit.
const LONGEST_AVERAGE: Span = Span::from_seconds(86_400);

/// Maximum number of such averages over all connections that share a capacity.
const MOST_AVERAGES: u64 = 1000;

/// Resolves the pacing of every flow that has one.
pub(super) fn resolve(
    file: &ScenarioFile,
    flows: &mut [Flow],
    scenario: &Scenario,
) -> Result<(), Fault> {
    let relays = relays(flows);
    let mut first = 0;
    check(file.flow.iter().map(|section| {
        let indices = first..first + members(section).count();
        first = indices.end;
        if section.body.pacing.is_none() {
            return Ok(());
        }
        indices.zip(members(section)).try_for_each(|(index, number)| {
            let onward =
                relays.get(&index).map_or_else(Default::default, |&relay| paths(&flows[relay]));
            flows[index].pace = of_member((section, number), &flows[index], &onward, scenario)?;
            Ok(())
        })
    }))?;
    share(flows, &scenario.links);
    let sections = file.flow.iter().flat_map(|section| members(section).map(move |_| section));
    for (flow, section) in flows.iter().zip(sections) {
        check_sharers(flow, section)?;
    }
    Ok(())
}

fn members(section: &Named<FlowSection>) -> impl Iterator<Item = u64> {
    section.numbers.clone()
}

/// The relay that reads all bytes of a flow, by flow.
fn relays(flows: &[Flow]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    for (index, flow) in flows.iter().enumerate() {
        let alone = flow.relay.as_deref().filter(|relay| relay.over.is_none());
        for &of in alone.into_iter().flat_map(|relay| &relay.of) {
            found.entry(of).or_insert(index);
        }
    }
    found
}

/// The links of a flow there, and those back.
fn paths(flow: &Flow) -> [Vec<usize>; 2] {
    [flow.path.clone(), flow.reverse_path.clone()]
}

/// Resolves the pacing of a member of a family.
fn of_member(
    (section, number): (&Named<FlowSection>, u64),
    flow: &Flow,
    [onward, back]: &[Vec<usize>; 2],
    scenario: &Scenario,
) -> Result<Option<Box<FlowPacing>>, Fault> {
    let Some(written) = &section.body.pacing else { return Ok(None) };
    let key = Owner::new("flow", &section.name).key("pacing");
    check_service(flow, key)?;
    let links: Vec<usize> = flow.path.iter().chain(onward).copied().collect();
    let link = find_link(&written.link, (flow, number), &links, scenario, key)?;
    check_units(written, flow, &scenario.links[link], scenario, key)?;
    let mut there_and_back = [&flow.path[..], &flow.reverse_path].concat();
    if !flow.path.contains(&link) {
        there_and_back.extend(onward.iter().chain(back));
    }
    // A sum beyond the range of time is refused by the check of spans, which comes later.
    let delays = there_and_back.into_iter().map(|link| scenario.links[link].delay.max());
    let round_trip = delays.map(Span::picoseconds).fold(0, i64::saturating_add);
    let round_trip = Span::from_picoseconds(round_trip);
    let pacing = FlowPacing {
        link,
        paces: written.paces,
        rate: written.rate,
        interval: written.interval,
        delay: written.delay.unwrap_or(round_trip),
        round_trip,
        sharers: written.sharers.unwrap_or(UNKNOWN),
        buffer: written.buffer,
    };
    check_memory(&pacing, key)?;
    Ok(Some(Box::new(pacing)))
}

/// Number of sharers before all flows are known.
const UNKNOWN: u64 = 0;

/// Sets the sharers of links without a number to the number of flows that name the link, and
/// completes the section of each flow.
fn share(flows: &mut [Flow], links: &[Link]) {
    let mut sharers: BTreeMap<usize, u64> = BTreeMap::new();
    for pacing in flows.iter().filter_map(|flow| flow.pace.as_ref()) {
        *sharers.entry(pacing.link).or_default() += 1;
    }
    for flow in flows {
        let (Some(pacing), Some(section)) = (&mut flow.pace, &mut flow.section.pacing) else {
            continue;
        };
        if pacing.sharers == UNKNOWN {
            pacing.sharers = sharers[&pacing.link];
        }
        section.link.clone_from(&links[pacing.link].name);
        (section.delay, section.sharers) = (Some(pacing.delay), Some(pacing.sharers));
    }
}

fn check_service(flow: &Flow, key: KeyOf<'_>) -> Result<(), Fault> {
    // A shared circuit has its own service.
    if flow.vc.is_some() {
        return Ok(());
    }
    let reason = match flow.service {
        Service::Abr(_) => {
            "an ABR source has its rate from RM cells; expected no `pacing`, and a \
             `rate_allocator` at the switch"
        }
        _ if flow.service.pace().is_some() => {
            "`service.ubr.pace` paces it already; expected one of the two"
        }
        _ => return Ok(()),
    };
    Err(key.fault(format!("`{key}`: {reason}")))
}

fn find_link(
    written: &str,
    (flow, number): (&Flow, u64),
    links: &[usize],
    scenario: &Scenario,
    key: KeyOf<'_>,
) -> Result<usize, Fault> {
    let name = member_of(written, number);
    let found = links.iter().find(|&&link| scenario.links[link].name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> =
            links.iter().map(|&link| scenario.links[link].name.as_str()).collect();
        let message = format!(
            "`{key}.link`: {} is no link that the data of `flow.{}` take; expected {}",
            quoted(written),
            flow.name,
            one_of(&names)
        );
        let hint = nearest(written, &names).map(did_you_mean);
        key.fault_below(&["link"], message).with_hint(hint)
    })
}

/// Checks the units: cells are paced one by one, so they need a link of cells.
fn check_units(
    written: &PacingSection,
    flow: &Flow,
    link: &Link,
    scenario: &Scenario,
    key: KeyOf<'_>,
) -> Result<(), Fault> {
    let is_of_acks = written.paces == Paced::Acknowledgements;
    let path = if is_of_acks { &flow.reverse_path } else { &flow.path };
    let Some(first) = path.first().map(|&link| &scenario.links[link]) else {
        let message = format!("`{key}.paces`: nothing acknowledges the data; expected `data`");
        return Err(key.fault_below(&["paces"], message));
    };
    if is_of_acks && first.is_of_cells() {
        let message = format!(
            "`{key}.paces`: acknowledgements are paced as packets, and they leave as cells on \
             `{}`; expected `data`",
            first.name
        );
        return Err(key.fault_below(&["paces"], message));
    }
    if first.is_of_cells() && !link.is_of_cells() {
        let message = format!(
            "`{key}.link`: `{}` carries packets, and the data leave as cells on `{}`; expected a \
             link of cells",
            link.name, first.name
        );
        return Err(key.fault_below(&["link"], message));
    }
    let unsupported = match written.buffer {
        Some(CellsOrPackets::Cells(_)) if !first.is_of_cells() => Some(("cells", "packets")),
        Some(CellsOrPackets::Packets(_)) if first.is_of_cells() => Some(("packets", "cells")),
        _ => None,
    };
    if let Some((counted, carried)) = unsupported {
        let message = format!(
            "`{key}.buffer` counts {counted}, but `{}` carries {carried}; expected those",
            first.name
        );
        return Err(key.fault_below(&["buffer"], message));
    }
    let PacingRate::Constant(rate) = written.rate else { return Ok(()) };
    if rate.layer == link.carries.layer() {
        return Ok(());
    }
    let layer = if link.is_of_cells() { "of cell" } else { "of line" };
    let message = format!(
        "`{key}.rate.constant` is `{rate}`, and its bits are those of `{}`; expected a rate \
         `{layer}`",
        link.name
    );
    Err(key.fault_below(&["rate", "constant"], message))
}

/// Checks the sums of averages, which have one part per connection that shares the capacity.
fn check_sharers(flow: &Flow, section: &Named<FlowSection>) -> Result<(), Fault> {
    let Some(pacing) = &flow.pace else { return Ok(()) };
    let average = u128::from(samples(pacing).0) * pacing.interval.picoseconds() as u128;
    let all = average * u128::from(pacing.sharers);
    if all <= u128::from(MOST_AVERAGES) * LONGEST_AVERAGE.picoseconds() as u128 {
        return Ok(());
    }
    let key = Owner::new("flow", &section.name).key("pacing");
    let message = format!(
        "`{key}`: {} connections share the capacity and average it over {} s; expected at most \
         {MOST_AVERAGES} times {LONGEST_AVERAGE} together",
        pacing.sharers,
        average as f64 / 1e12
    );
    Err(key.fault(message))
}

fn check_memory(pacing: &FlowPacing, key: KeyOf<'_>) -> Result<(), Fault> {
    let (samples, keys) = samples(pacing);
    let picoseconds = u128::from(samples) * pacing.interval.picoseconds() as u128;
    if picoseconds <= LONGEST_AVERAGE.picoseconds() as u128 {
        return Ok(());
    }
    let message = format!(
        "`{key}`: an average is of {samples} samples of {} each; expected at most \
         {LONGEST_AVERAGE} together",
        pacing.interval
    );
    Err(key.fault_below(keys, message))
}

/// Number of samples in an average, and the keys that set it.
fn samples(pacing: &FlowPacing) -> (u64, &'static [&'static str]) {
    match pacing.rate {
        PacingRate::EffCap(plan) => {
            (plan.samples(pacing.samples_of_round_trip()), &["rate", "effcap", "samples"])
        }
        PacingRate::InstCap | PacingRate::Constant(_) => (1, &["interval"]),
    }
}

//! Paths as cells and packets, and checks of services against the links and nodes there.

use crate::language::family::Named;
use crate::language::fault::Fault;
use crate::scenario::resolve::place::{KeyOf, Owner};
use crate::scenario::resolved::{
    Abr, Flow, FlowSection, Link, NodeRef, Scenario, ScenarioFile, SegmentationBuffer, Service,
};
use crate::scenario::wire::{peak_on, rate_of};
use crate::traffic::{Offered, SourceLoad};
use crate::units::Rate;

/// Checks a path: packets become cells, and cells packets, at edges only, and cells are switched
/// everywhere else.
pub(super) fn path(
    section: &Named<FlowSection>,
    flow: &Flow,
    scenario: &Scenario,
) -> Result<(), Fault> {
    for path in [&flow.path, &flow.reverse_path] {
        let links: Vec<&Link> = path.iter().map(|&link| &scenario.links[link]).collect();
        let faults = links.windows(2).filter_map(|pair| unsupported(pair[0], pair[1], scenario));
        let mut faults = faults.chain(raw_as_packets(flow, &links)).chain(twice_cells(&links));
        if let Some(fault) = faults.next() {
            let message = format!("`flow.{}`: {fault}", flow.name);
            return Err(Owner::new("flow", &section.name).key("to").fault(message));
        }
    }
    Ok(())
}

fn unsupported(link: &Link, next: &Link, scenario: &Scenario) -> Option<String> {
    let name = scenario.name_of(next.from);
    let is_edge = matches!(next.from, NodeRef::Edge(_));
    match (link.is_of_cells(), next.is_of_cells()) {
        (true, true) if is_edge => Some(format!(
            "its path is cells before and after `{name}` (`{}`, `{}`); expected packets on one \
             side of an edge, which \
             switches no cells",
            link.name, next.name
        )),
        (from, to) if from != to && !is_edge => {
            let (cells, packets) = if from { (link, next) } else { (next, link) };
            Some(format!(
                "its path mixes cells (`{}`) and packets (`{}`) at `{name}`; expected an \
                 `[edge.NAME]` between them",
                cells.name, packets.name
            ))
        }
        _ => None,
    }
}

fn raw_as_packets(flow: &Flow, links: &[&Link]) -> Option<String> {
    let packets = links.iter().find(|link| !link.is_of_cells() && !flow.sends_packets())?;
    Some(format!(
        "it sends raw cells, and `{}` carries packets; expected a path of cells, a transport (`tcp \
         = {{}}`) or traffic with a `datagram`",
        packets.name
    ))
}

fn twice_cells(links: &[&Link]) -> Option<String> {
    let mut begins =
        links.windows(2).filter(|pair| !pair[0].is_of_cells() && pair[1].is_of_cells());
    let second = if links[..links.len().min(1)].iter().any(|link| link.is_of_cells()) {
        begins.next()
    } else {
        begins.nth(1)
    };
    let link = second?[1];
    Some(format!(
        "its path is cells a second time from `{}` on; expected cells once at most",
        link.name
    ))
}

/// A circuit with a minimum rate, and the key that asks for it.
struct Circuit<'s> {
    owner: Owner<'s>,
    key: KeyOf<'s>,
    service: Service,
    /// Links that carry its cells, one list for each direction.
    ways: [&'s [usize]; 2],
}

/// Checks ABR and GFR circuits against their links and nodes.
pub(super) fn services(file: &ScenarioFile, scenario: &Scenario) -> Result<(), Fault> {
    let circuits = guaranteed_circuits(file, scenario);
    for circuit in &circuits {
        let Service::Abr(abr) = circuit.service else { continue };
        check_back_pressure(circuit, &abr, scenario)?;
        check_way_back(circuit, scenario)?;
    }
    check_minimum_rates(&circuits, scenario)
}

/// Circuits of flows in their order, then shared circuits.
fn guaranteed_circuits<'s>(file: &'s ScenarioFile, scenario: &'s Scenario) -> Vec<Circuit<'s>> {
    let is_guaranteed = |service: Service| service.minimum_rate().is_some();
    let sections = file
        .flow
        .iter()
        .flat_map(|section| std::iter::repeat_n(section, section.numbers.clone().count()));
    let own = sections.zip(&scenario.flows);
    let own = own.filter(|(_, flow)| flow.vc.is_none() && is_guaranteed(flow.service));
    let own = own.map(|(section, flow)| Circuit {
        service: flow.service,
        owner: Owner::new("flow", &flow.name),
        key: Owner::new("flow", &section.name).key("service"),
        ways: [scenario.cell_links(&flow.path), scenario.cell_links(&flow.reverse_path)],
    });
    let shared = scenario.vcs.iter().filter(|vc| is_guaranteed(vc.service));
    let shared = shared.map(|vc| Circuit {
        service: vc.service,
        owner: Owner::new("vc", &vc.name),
        key: Owner::new("vc", &vc.name).key("service"),
        ways: [&vc.path, &vc.reverse_path],
    });
    own.chain(shared).collect()
}

/// Refuses back pressure at an edge: the LAN continues to deliver packets to it.
fn check_back_pressure(circuit: &Circuit<'_>, abr: &Abr, scenario: &Scenario) -> Result<(), Fault> {
    let SegmentationBuffer::BackPressure(_) = abr.buffer else { return Ok(()) };
    for way in circuit.ways {
        let Some(NodeRef::Edge(edge)) = way.first().map(|&link| scenario.links[link].from) else {
            continue;
        };
        let message = format!(
            "`{}.abr.buffer`: `back_pressure` holds a transport back, and at `edge.{}` there is \
             none; expected \
             `\"infinite\"` or `{{ tail = … }}`",
            circuit.key, scenario.edges[edge].name
        );
        return Err(circuit.key.fault_below(&["abr", "buffer"], message));
    }
    Ok(())
}

/// Checks that RM cells return by the same nodes, since they take the feedback of the ports that
/// their VC passes forward.
fn check_way_back(circuit: &Circuit<'_>, scenario: &Scenario) -> Result<(), Fault> {
    let [there, back] = circuit.ways;
    let nodes = |way: &[usize]| -> Vec<NodeRef> {
        let last = way.last().map(|&link| scenario.links[link].to);
        way.iter().map(|&link| scenario.links[link].from).chain(last).collect()
    };
    let message = if there.is_empty() {
        format!(
            "`{}` is ABR and no link of its path carries cells; expected cells, or no `service`",
            circuit.owner
        )
    } else if nodes(there).into_iter().rev().ne(nodes(back)) {
        format!(
            "`{}`: its way back passes other switches than its way there; expected the same ones \
             for ABR",
            circuit.owner
        )
    } else {
        return Ok(());
    };
    Err(circuit.key.fault(message))
}

/// Checks that the sum of the minimum cell rates fits every link.
fn check_minimum_rates(circuits: &[Circuit<'_>], scenario: &Scenario) -> Result<(), Fault> {
    let mut promised = vec![0_u64; scenario.links.len()];
    for circuit in circuits {
        let Some(mcr) = circuit.service.minimum_rate() else { continue };
        let below = if circuit.service.gfr().is_some() { GFR_MCR } else { ABR_MCR };
        for &link in circuit.ways.into_iter().flatten() {
            let Some(cell_rate) = scenario.links[link].carries.cell_rate() else { continue };
            promised[link] += mcr.bits_per_second();
            if promised[link] > cell_rate.bits_per_second() {
                let message = format!(
                    "the minimum cell rates on `link.{}` up to `{}` are {} bit/s of cell; expected \
                     at most the {} of \
                     the link",
                    scenario.links[link].name,
                    circuit.owner,
                    promised[link],
                    cell_rate.bits_per_second()
                );
                return Err(circuit.key.fault_below(below, message));
            }
        }
    }
    Ok(())
}

const GFR_MCR: &[&str] = &["gfr", "mcr"];
const ABR_MCR: &[&str] = &["abr", "mcr"];

/// Checks that a flow asks for no more than the rate of the first link of its cells.
pub(super) fn flow_rates(
    section: &Named<FlowSection>,
    flow: &Flow,
    scenario: &Scenario,
) -> Result<(), Fault> {
    let owner = Owner::new("flow", &section.name);
    let cells = scenario.cell_links(&flow.path);
    let first = &scenario.links[*cells.first().unwrap_or(&flow.path[0])];
    match flow.load() {
        Some(SourceLoad { offered: Offered::Cells(peak), keys, .. }) => {
            check_rate(peak, &keys, first, owner.key("traffic"))?;
        }
        Some(load) => check_datagrams(&load, flow, scenario, owner.key("traffic"))?,
        None => {}
    }
    let own = if flow.vc.is_none() { flow.service.rates() } else { Vec::new() };
    own.into_iter()
        .try_for_each(|(rate, below)| check_rate(rate, below, first, owner.key("service")))
}

/// Checks that datagrams with headers, cells and framing ask for no more than the rate of their
/// first link.
fn check_datagrams(
    load: &SourceLoad,
    flow: &Flow,
    scenario: &Scenario,
    place: KeyOf<'_>,
) -> Result<(), Fault> {
    let first = &scenario.links[flow.path[0]];
    let (asked, rate) = (peak_on(load, first), rate_of(first));
    if asked <= rate as f64 {
        return Ok(());
    }
    let layer = if first.is_of_cells() { "cell" } else { "line" };
    let message = format!(
        "`{place}.{}`: its datagrams with all headers are {asked:.0} bit/s of {layer}, above the \
         {rate} bit/s of {layer} of its first link `{}`; expected at most that",
        load.keys.join("."),
        first.name
    );
    Err(place.fault_below(&load.keys, message))
}

/// Checks that a shared circuit asks for no more than its first links, in both directions.
pub(super) fn vc_rates(scenario: &Scenario) -> Result<(), Fault> {
    // A circuit that no flow joins has no path yet.
    for vc in scenario.vcs.iter().filter(|vc| !vc.path.is_empty()) {
        let key = Owner::new("vc", &vc.name).key("service");
        for first in [vc.path[0], vc.reverse_path[0]].map(|link| &scenario.links[link]) {
            for (rate, below) in vc.service.rates() {
                check_rate(rate, below, first, key)?;
            }
        }
    }
    Ok(())
}

fn check_rate(
    rate: Rate,
    below: &[&'static str],
    first: &Link,
    place: KeyOf<'_>,
) -> Result<(), Fault> {
    let key = below.join(".");
    let Some(cell_rate) = first.carries.cell_rate() else {
        let message = format!(
            "`{place}.{key}` counts cells, but `{}` carries packets; expected a path of cells",
            first.name
        );
        return Err(place.fault_below(below, message));
    };
    if rate <= cell_rate {
        return Ok(());
    }
    let [rate, cell_rate] = [rate, cell_rate].map(Rate::bits_per_second);
    let message = format!(
        "`{place}.{key}` of {rate} bit/s of cell is above the {cell_rate} bit/s of cell of its \
         first link `{}`; expected at most that",
        first.name
    );
    Err(place.fault_below(below, message))
}

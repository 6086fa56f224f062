//! What no single value shows: quantities that must fit together.

use crate::scenario::fault::Fault;
use crate::scenario::read::written::{Named, Written, WrittenFlow, WrittenSwitch};
use crate::scenario::resolve::route::find_loop;
use crate::scenario::resolved::{
    Buffer, Carries, Drop, Flow, Link, NodeRef, Pacing, Room, Scenario, Service, Traffic,
};
use crate::units::{CELL_BYTES, CELL_PAYLOAD_BYTES, Cells, Rate, Span};

/// The run itself, and that there is something to run.
pub(in crate::scenario) fn run(written: &Written) -> Result<(), Fault> {
    let control = &written.run;
    if control.warm_up >= control.duration {
        let message = format!(
            "`run.warm_up` of {} leaves nothing of the {} of `run.duration`; expected less",
            control.warm_up, control.duration
        );
        return Err(Fault::new(&written.warm_up_at, message));
    }
    let missing = match (written.hosts.is_empty(), written.flows.is_empty()) {
        (true, _) => "hosts; expected at least two `[host.NAME]`",
        (_, true) => "flows; expected at least one `[flow.NAME]`",
        _ => return Ok(()),
    };
    Err(Fault::new(&(0..0), format!("the scenario has no {missing}")))
}

/// Switches against the links that leave them, and loops of links.
pub(in crate::scenario) fn links(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    let outputs = outputs(scenario);
    let mut first = 0;
    for section in &written.switches {
        let count = section.count.as_ref().map_or(1, |count| count.value as usize);
        for &leaving in &outputs[first..first + count] {
            check_room(section, leaving)?;
        }
        check_threshold(section)?;
        first += count;
    }
    refuse_loop(written, scenario)
}

/// What the links that leave a switch carry.
#[derive(Clone, Copy, Default)]
struct Outputs {
    cells: bool,
    packets: bool,
}

fn outputs(scenario: &Scenario) -> Vec<Outputs> {
    let mut outputs = vec![Outputs::default(); scenario.switches.len()];
    for link in &scenario.links {
        if let NodeRef::Switch(switch) = link.from {
            match link.carries {
                Carries::Cells { .. } => outputs[switch].cells = true,
                Carries::Packets { .. } => outputs[switch].packets = true,
            }
        }
    }
    outputs
}

fn check_room(section: &Named<WrittenSwitch>, leaving: Outputs) -> Result<(), Fault> {
    let name = &section.name.value;
    let misfit = match room(section.body.switch.buffer) {
        Some(Room::Cells(_)) if leaving.packets => Some(("cells", "packets", "100 packet")),
        Some(Room::Packets(_)) if leaving.cells => Some(("packets", "cells", "256 cell")),
        _ => None,
    };
    if let Some((counted, carried, example)) = misfit {
        let message = format!(
            "`switch.{name}.buffer` counts {counted}, but a link that leaves `{name}` carries {carried}; expected \
             for instance `{example}`"
        );
        return Err(Fault::new(&section.body.buffer_at, message));
    }
    if leaving.packets && section.body.switch.drop != Drop::Tail {
        let message = format!(
            "`switch.{name}.drop` is for cells, but a link that leaves `{name}` carries packets; expected `tail`"
        );
        return Err(Fault::new(&section.body.drop_at, message));
    }
    Ok(())
}

fn check_threshold(section: &Named<WrittenSwitch>) -> Result<(), Fault> {
    let (Drop::Epd { threshold: Cells(threshold) }, Some(Room::Cells(Cells(size)))) =
        (section.body.switch.drop, room(section.body.switch.buffer))
    else {
        return Ok(());
    };
    if threshold <= size {
        return Ok(());
    }
    let message = format!(
        "`switch.{}.drop.epd.threshold` of {threshold} cells is above the buffer of {size}; expected at most that",
        section.name.value
    );
    Err(Fault::new(&section.body.drop_at, message).below(&["epd", "threshold"]))
}

pub(in crate::scenario) fn room(buffer: Buffer) -> Option<Room> {
    match buffer {
        Buffer::Infinite => None,
        Buffer::PerPort(room) | Buffer::PerVc(room) | Buffer::Shared(room) => Some(room),
    }
}

/// A loop without propagation would let causes and effects share an instant.
fn refuse_loop(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    let is_instant = |link: &usize| scenario.links[*link].delay == Span::ZERO;
    let instant: Vec<usize> = (0..scenario.links.len()).filter(is_instant).collect();
    let Some(link) = find_loop(&scenario.links, &instant) else { return Ok(()) };
    let name = &scenario.links[link].name;
    let section = written.links.iter().find(|section| is_member(section, name));
    let at = section.map_or(0..0, |section| section.body.delay.at.clone());
    let message =
        format!("`link.{name}` is part of a loop without delay; expected a delay above `0 s` in every loop");
    Err(Fault::new(&at, message))
}

fn is_member<T>(section: &Named<T>, name: &str) -> bool {
    let rest = name.strip_prefix(section.name.value.as_str());
    rest.is_some_and(|rest| if section.count.is_some() { rest.starts_with('[') } else { rest.is_empty() })
}

/// Flows against their transport and the links of their paths.
pub(in crate::scenario) fn flows(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    let mut expanded = scenario.flows.iter();
    for section in &written.flows {
        check_start(section, scenario)?;
        check_stop(section)?;
        check_transport(section)?;
        let count = section.count.as_ref().map_or(1, |count| count.value as usize);
        for flow in expanded.by_ref().take(count) {
            check_path(section, flow, scenario)?;
            check_way_back(section, flow, scenario)?;
        }
    }
    check_minimum_rates(written, scenario)
}

fn check_start(section: &Named<WrittenFlow>, scenario: &Scenario) -> Result<(), Fault> {
    let start = &section.body.start;
    if start.value < scenario.run.duration {
        return Ok(());
    }
    let message = format!(
        "`flow.{}.start` of {} is not before the end of the run at {}; expected less",
        section.name.value, start.value, scenario.run.duration
    );
    Err(Fault::new(&start.at, message))
}

fn check_stop(section: &Named<WrittenFlow>) -> Result<(), Fault> {
    let (name, flow) = (&section.name.value, &section.body);
    let Some(stop) = &flow.stop else { return Ok(()) };
    let message = if flow.tcp.is_some() {
        format!("`flow.{name}.stop` is for raw cells; expected a `ttcp` with a `total`, or no `stop`")
    } else if stop.value <= flow.start.value {
        format!(
            "`flow.{name}.stop` of {} is not after its start at {}; expected more",
            stop.value, flow.start.value
        )
    } else {
        return Ok(());
    };
    Err(Fault::new(&stop.at, message))
}

/// RM cells take the feedback of the ports that their VC passes forward, so they must come back the same way.
fn check_way_back(section: &Named<WrittenFlow>, flow: &Flow, scenario: &Scenario) -> Result<(), Fault> {
    if !matches!(flow.service, Service::Abr(_)) {
        return Ok(());
    }
    let nodes =
        |path: &[usize]| -> Vec<NodeRef> { path.iter().map(|&link| scenario.links[link].from).collect() };
    let there: Vec<NodeRef> = nodes(&flow.path).into_iter().skip(1).collect();
    let back: Vec<NodeRef> = nodes(&flow.reverse_path).into_iter().skip(1).rev().collect();
    if there == back {
        return Ok(());
    }
    let message = format!(
        "`flow.{}`: its way back passes other switches than its way there; expected the same ones for ABR",
        flow.name
    );
    Err(Fault::new(&section.body.to.at, message))
}

/// What is guaranteed must fit: the minimum cell rates on every link.
fn check_minimum_rates(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    let mut promised = vec![0_u64; scenario.links.len()];
    let mut expanded = scenario.flows.iter();
    for section in &written.flows {
        let count = section.count.as_ref().map_or(1, |count| count.value as usize);
        for flow in expanded.by_ref().take(count) {
            let Service::Abr(abr) = flow.service else { continue };
            for &link in flow.path.iter().chain(&flow.reverse_path) {
                let Carries::Cells { cell_rate, .. } = scenario.links[link].carries else { continue };
                promised[link] += abr.mcr.bits_per_second();
                if promised[link] > cell_rate.bits_per_second() {
                    let message = format!(
                        "the minimum cell rates on `link.{}` up to `flow.{}` are {} bit/s of cell; expected at most \
                         the {} of the link",
                        scenario.links[link].name,
                        flow.name,
                        promised[link],
                        cell_rate.bits_per_second()
                    );
                    return Err(Fault::new(&section.body.service.at, message).below(ABR_MCR));
                }
            }
        }
    }
    Ok(())
}

fn check_transport(section: &Named<WrittenFlow>) -> Result<(), Fault> {
    let name = &section.name.value;
    let flow = &section.body;
    let traffic = flow.traffic.value.word();
    let is_raw = flow.traffic.value.peak_cell_rate().is_some();
    let may_be_raw =
        is_raw || matches!((flow.traffic.value, flow.service.value), (Traffic::Greedy, Service::Abr(_)));
    match (&flow.tcp, is_raw) {
        (None, false) if may_be_raw => Ok(()),
        (None, false) => {
            let message =
                format!("`flow.{name}`: `{traffic}` needs a transport; expected `[flow.{name}.tcp]`");
            Err(Fault::new(&flow.traffic.at, message))
        }
        (Some(tcp), true) => {
            let message =
                format!("`flow.{name}`: `{traffic}` sends raw cells; expected no `[flow.{name}.tcp]`");
            Err(Fault::new(&tcp.at, message))
        }
        _ => Ok(()),
    }
}

fn check_path(section: &Named<WrittenFlow>, flow: &Flow, scenario: &Scenario) -> Result<(), Fault> {
    let links: Vec<&Link> =
        flow.path.iter().chain(&flow.reverse_path).map(|&link| &scenario.links[link]).collect();
    let carries_cells = |link: &&&Link| matches!(link.carries, Carries::Cells { .. });
    let (cells, packets) = (links.iter().find(carries_cells), links.iter().find(|link| !carries_cells(link)));
    if let (Some(cells), Some(packets)) = (cells, packets) {
        let message = format!(
            "`flow.{}`: its path mixes cells (`{}`) and packets (`{}`); expected one of them all the way",
            flow.name, cells.name, packets.name
        );
        return Err(Fault::new(&section.body.to.at, message));
    }
    check_rates(section, flow, links[0])
}

const UBR_PACE: &[&str] = &["ubr", "pace"];
const ABR_PCR: &[&str] = &["abr", "pcr"];
const ABR_ICR: &[&str] = &["abr", "icr"];
const ABR_MCR: &[&str] = &["abr", "mcr"];

/// A source must not be asked for more than its own link takes.
fn check_rates(section: &Named<WrittenFlow>, flow: &Flow, first: &Link) -> Result<(), Fault> {
    let body = &section.body;
    let source = flow.traffic.peak_cell_rate();
    let source = source.map(|(rate, below)| (rate, &body.traffic.at, "traffic", below));
    let service = service_rates(flow.service).into_iter();
    let service = service.map(|(rate, below)| (rate, &body.service.at, "service", below));
    for (rate, at, key, below) in source.into_iter().chain(service) {
        let key = format!("{key}.{}", below.join("."));
        let Carries::Cells { cell_rate, .. } = first.carries else {
            let message = format!(
                "`flow.{}.{key}` counts cells, but `{}` carries packets; expected a path of cells",
                section.name.value, first.name
            );
            return Err(Fault::new(at, message).below(below));
        };
        if rate > cell_rate {
            let [rate, cell_rate] = [rate, cell_rate].map(Rate::bits_per_second);
            let message = format!(
                "`flow.{}.{key}` of {rate} bit/s of cell is above the {cell_rate} bit/s of cell of its first link \
                 `{}`; expected at most that",
                section.name.value, first.name
            );
            return Err(Fault::new(at, message).below(below));
        }
    }
    Ok(())
}

/// The rates that a service is asked for.
fn service_rates(service: Service) -> Vec<(Rate, &'static [&'static str])> {
    match service {
        Service::Ubr { pace: Some(pace) } => vec![(pace_of_cells(pace), UBR_PACE)],
        Service::Abr(abr) => {
            let mcr = (abr.mcr.bits_per_second() > 0).then_some(abr.mcr);
            let all = [(abr.pcr, ABR_PCR), (abr.icr, ABR_ICR), (mcr, ABR_MCR)];
            all.into_iter().filter_map(|(rate, below)| rate.map(|rate| (rate, below))).collect()
        }
        Service::Ubr { pace: None } | Service::Vbr | Service::Cbr => Vec::new(),
    }
}

/// Rounded down, so that the payload rate of a link is not above the link.
pub(in crate::scenario) fn pace_of_cells(pace: Pacing) -> Rate {
    match pace {
        Pacing::OfCell(rate) => rate,
        Pacing::OfPayload(rate) => {
            let bits = rate.bits_per_second() * CELL_BYTES / CELL_PAYLOAD_BYTES;
            Rate::from_bits_per_second(bits)
        }
    }
}

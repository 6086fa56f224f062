//! Checks between sections: quantities that must fit together.

use crate::language::family::Named;
use crate::language::fault::Fault;
use crate::language::faults::check;
use crate::language::key_path::KeyPath;
use crate::scenario::resolve::outputs::{Outputs, fastest_cells, outputs};
use crate::scenario::resolve::place::Owner;
use crate::scenario::resolve::route::find_loop;
use crate::scenario::resolve::{FlowsIn, buffer_management, circuits, traffic_of};
use crate::scenario::resolved::{
    AckFilter, Carriage, CellsOrPackets, Drop, Edge, FlowSection, RandomSpan, Scenario,
    ScenarioFile, Scheduler, Service, Switch, Traffic,
};
use crate::traffic::{MAX_DATAGRAM, Size};
use crate::units::{CELL_BITS, Span};

/// Checks that there is something to run.
pub(super) fn something(file: &ScenarioFile, flows: FlowsIn) -> Result<(), Fault> {
    let has_no_flows = file.flow.is_empty() && flows == FlowsIn::File;
    let missing = match (file.host.is_empty(), has_no_flows) {
        (true, _) => "hosts; expected at least two `[host.NAME]`",
        (false, true) => "flows; expected at least one `[flow.NAME]`",
        (false, false) => return Ok(()),
    };
    Err(Fault::at_key(KeyPath::default(), format!("the scenario has no {missing}")))
}

/// Checks switches and edges against the links that leave them, and refuses loops of links.
pub(super) fn links(file: &ScenarioFile, scenario: &Scenario) -> Result<(), Fault> {
    let outputs = outputs(scenario);
    let fastest = fastest_cells(scenario);
    let mut first = 0;
    let check_switch = |section: &Named<Switch>| {
        let members = first..first + section.numbers.clone().count();
        first = members.end;
        let owner = Owner::new("switch", &section.name);
        let of_outputs = outputs[members.clone()].iter().try_for_each(|&leaving| {
            check_room(section, leaving)?;
            check_scheduler(section.body.scheduler, section.body.drop, leaving, owner)?;
            check_ack_filter(section.body.ack_filter, leaving, owner)?;
            check_drop(section, leaving)
        });
        let mut rates = fastest[members].iter();
        check([of_outputs, rates.try_for_each(|&rate| check_interval(section, rate))])
    };
    check([
        check(file.switch.iter().map(check_switch)),
        check(file.edge.iter().map(check_edge_room)),
        refuse_loop(file, scenario),
    ])
}

fn check_drop(section: &Named<Switch>, leaving: Outputs) -> Result<(), Fault> {
    let switch = &section.body;
    let owner = Owner::new("switch", &section.name);
    buffer_management::check(switch.drop, switch.buffer, leaving, owner)?;
    let of_classes = [("vbr_buffer", switch.vbr_buffer), ("abr_buffer", switch.abr_buffer)];
    of_classes.into_iter().try_for_each(|(key, buffer)| {
        buffer.map_or(Ok(()), |buffer| {
            buffer_management::check_common(switch.drop, key, buffer, owner)
        })
    })
}

/// Checks an edge: its outputs are for packets, since cells wait in segmentation buffers.
fn check_edge_room(section: &Named<Edge>) -> Result<(), Fault> {
    let edge = &section.body;
    let owner = Owner::new("edge", &section.name);
    let leaving = Outputs { cells: false, packets: true };
    check_scheduler(edge.scheduler, edge.drop, leaving, owner)?;
    let Some(CellsOrPackets::Cells(_)) = edge.buffer.size() else {
        return buffer_management::check(edge.drop, edge.buffer, leaving, owner);
    };
    let message = format!(
        "`{owner}.buffer` counts cells, and it is for packets; expected for instance `100 packet`"
    );
    Err(owner.key("buffer").fault(message))
}

fn check_room(section: &Named<Switch>, leaving: Outputs) -> Result<(), Fault> {
    let name = &section.name;
    let unsupported = match section.body.buffer.size() {
        Some(CellsOrPackets::Cells(_)) if leaving.packets => {
            Some(("cells", "packets", "100 packet"))
        }
        Some(CellsOrPackets::Packets(_)) if leaving.cells => Some(("packets", "cells", "256 cell")),
        _ => None,
    };
    if let Some((counted, carried, example)) = unsupported {
        let message = format!(
            "`switch.{name}.buffer` counts {counted}, but a link that leaves `{name}` carries \
             {carried}; expected \
             for instance `{example}`"
        );
        return Err(Owner::new("switch", name).key("buffer").fault(message));
    }
    Ok(())
}

/// Checks the scheduler: weights need VCs, and a drop policy may set the order already.
fn check_scheduler(
    scheduler: Scheduler,
    drop: Drop,
    leaving: Outputs,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    let word = scheduler.word();
    let message = match scheduler {
        Scheduler::Fifo => return Ok(()),
        _ if drop.facts().queues_flows => format!(
            "`{owner}.scheduler` is `{word}`, and `{owner}.drop.{}` serves queues of its own; \
             expected `\"fifo\"`",
            drop.word()
        ),
        Scheduler::Wfq(_) if leaving.packets => format!(
            "`{owner}.scheduler` is `wfq`, which serves VCs, but a link that leaves `{owner}` \
             carries packets; expected `\"fifo\"` or `\"drr\"`",
        ),
        Scheduler::Wfq(_) | Scheduler::Drr(_) => return Ok(()),
    };
    Err(owner.key("scheduler").fault(message))
}

/// Checks the filter of ACKs: a cell is a part of a packet.
fn check_ack_filter(
    filter: Option<AckFilter>,
    leaving: Outputs,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    if filter.is_none_or(|filter| filter == AckFilter::None) || !leaving.cells {
        return Ok(());
    }
    let message = format!(
        "`{owner}.ack_filter` is of packets, but a link that leaves `{owner}` carries cells; \
         expected `\"none\"`"
    );
    Err(owner.key("ack_filter").fault(message))
}

/// Checks the measuring interval, whose end is work at every output: at most a million in a second,
/// or as many as the line has cells.
fn check_interval(section: &Named<Switch>, fastest: u64) -> Result<(), Fault> {
    const SHORTEST: Span = Span::from_microseconds(1);
    let Some((interval, keys)) = section.body.rate_allocator.measuring_interval() else {
        return Ok(());
    };
    let cell_time = (CELL_BITS * 1_000_000_000_000).checked_div(fastest);
    let cell_time = cell_time.map_or(SHORTEST, |time| Span::from_picoseconds(time as i64));
    let shortest = SHORTEST.min(cell_time);
    if interval >= shortest {
        return Ok(());
    }
    let message = format!(
        "`switch.{}.rate_allocator.{}` of {interval} is shorter than a microsecond and than a cell \
         on any link that leaves the \
         switch; expected at least `{shortest}`",
        section.name,
        keys.join("."),
    );
    let key = Owner::new("switch", &section.name).key("rate_allocator");
    Err(key.fault_below(&keys, message))
}

/// Refuses a loop without propagation, in which causes and effects would share an instant.
fn refuse_loop(file: &ScenarioFile, scenario: &Scenario) -> Result<(), Fault> {
    let is_instant = |link: &usize| scenario.links[*link].delay.min() == Span::ZERO;
    let instant: Vec<usize> = (0..scenario.links.len()).filter(is_instant).collect();
    let Some(link) = find_loop(&scenario.links, &instant) else { return Ok(()) };
    let name = &scenario.links[link].name;
    let message = format!(
        "`link.{name}` is part of a loop without delay; expected a delay above `0 s` in every loop"
    );
    let Some(section) = file.link.iter().find(|section| is_member(section, name)) else {
        unreachable!("`{name}` is a link of the file")
    };
    let owner = Owner::new("link", &section.name);
    Err(owner.key("delay").fault(message).or_at_key(owner.key("distance").path()))
}

fn is_member<T>(section: &Named<T>, name: &str) -> bool {
    let rest = name.strip_prefix(section.name.as_str());
    rest.is_some_and(
        |rest| if section.count.is_some() { rest.starts_with('[') } else { rest.is_empty() },
    )
}

/// Checks flows against their transport and the links of their paths.
pub(super) fn flows(file: &ScenarioFile, scenario: &Scenario) -> Result<(), Fault> {
    let mut expanded = scenario.flows.iter();
    let check_section = |section: &Named<FlowSection>| {
        let mut members = expanded.by_ref().take(section.numbers.clone().count());
        let rates = members.try_for_each(|flow| circuits::flow_rates(section, flow, scenario));
        let transport = check_transport(section);
        // Rates are counted in the units that a transport sends, so its faults come first.
        let rates = if transport.is_err() { Ok(()) } else { rates };
        let deadline = check_deadline(section);
        check([check_start(section, scenario), check_stop(section), transport, rates, deadline])
    };
    check([
        check(file.flow.iter().map(check_section)),
        circuits::vc_rates(scenario),
        buffer_management::scales(file, scenario),
        circuits::services(file, scenario),
    ])
}

/// Checks the start against the end of the run, by the latest draw; if draws have no bound, by the
/// earliest.
fn check_start(section: &Named<FlowSection>, scenario: &Scenario) -> Result<(), Fault> {
    let latest = latest(section.body.start);
    if latest < scenario.run.duration {
        return Ok(());
    }
    let key = Owner::new("flow", &section.name).key("start");
    let message = format!(
        "`{key}` of {latest} is not before the end of the run at {}; expected less",
        scenario.run.duration
    );
    Err(key.fault(message))
}

fn latest(instant: RandomSpan) -> Span {
    instant.max().unwrap_or(instant.min())
}

fn check_stop(section: &Named<FlowSection>) -> Result<(), Fault> {
    let flow = &section.body;
    let Some(stop) = flow.stop else { return Ok(()) };
    let (earliest, start) = (stop.min(), latest(flow.start));
    let key = Owner::new("flow", &section.name).key("stop");
    if earliest > start || (earliest == start && stop.max().is_none()) {
        return Ok(());
    }
    let message = format!("`{key}` of {earliest} is not after its start at {start}; expected more");
    Err(key.fault(message))
}

fn check_transport(section: &Named<FlowSection>) -> Result<(), Fault> {
    let flow = &section.body;
    let owner = Owner::new("flow", &section.name);
    let (traffic, sent) = (flow.traffic.word(), traffic_of(flow));
    let is_raw = sent.load(flow.ip).is_some();
    let is_abr = matches!(flow.carried, Carriage::Own(Service::Abr(_)));
    let may_be_raw = is_raw || (is_abr && flow.traffic == Traffic::Greedy);
    match (&flow.tcp, is_raw) {
        (None, _) if may_be_raw => Ok(()),
        (None, _) => {
            let message =
                format!("`{owner}`: `{traffic}` needs a transport; expected `[{owner}.tcp]`");
            Err(owner.key("traffic").fault(message))
        }
        (Some(_), true) => {
            let sent = if flow.traffic.datagram().is_some() { "datagrams" } else { "raw cells" };
            let message =
                format!("`{owner}`: `{traffic}` sends {sent}; expected no `[{owner}.tcp]`");
            Err(owner.key("tcp").fault(message))
        }
        (Some(_), false) => Ok(()),
    }
}

/// Refuses a deadline of what is no datagram.
fn check_deadline(section: &Named<FlowSection>) -> Result<(), Fault> {
    let flow = &section.body;
    let sends_datagrams = traffic_of(flow).datagram().is_some() && flow.tcp.is_none();
    if flow.deadline.is_none() || sends_datagrams {
        return Ok(());
    }
    let key = Owner::new("flow", &section.name).key("deadline");
    let message = format!("`{key}` is for datagrams; expected none, or traffic with `datagram`");
    Err(key.fault(message))
}

/// Refuses datagrams that are too long; blocks may have any size. This comes before a distribution
/// of sizes is made, since that takes time for each size.
pub(super) fn refuse_long_datagrams(owner: Owner<'_>, sent: &Traffic) -> Result<(), Fault> {
    let Some(max) = sent.datagram().map(Size::max).filter(|&max| max > MAX_DATAGRAM) else {
        return Ok(());
    };
    let message = format!(
        "`{owner}`: a block may have {max} B, and without a transport it is a datagram of at most \
         {MAX_DATAGRAM} B; expected `[{owner}.tcp]`, or smaller blocks"
    );
    Err(owner.key("traffic").fault_below(&[sent.word(), "block"], message))
}

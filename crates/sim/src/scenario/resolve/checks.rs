//! What no single value shows: quantities that must fit together.

use crate::language::family::Named;
use crate::language::fault::Fault;
use crate::scenario::read::written::{Written, WrittenEdge, WrittenFlow, WrittenSwitch};
use crate::scenario::resolve::route::find_loop;
use crate::scenario::resolve::{buffer_management, circuits};
use crate::scenario::resolved::{
    Buffer, Carries, CellsOrPackets, NodeRef, RandomSpan, Scenario, Scheduler, Service, Traffic,
};
use crate::units::{CELL_BITS, Span};

/// The run itself, and that there is something to run.
pub(crate) fn run(written: &Written) -> Result<(), Fault> {
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

/// Switches and edges against the links that leave them, and loops of links.
pub(crate) fn links(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    let outputs = outputs(scenario);
    let fastest = fastest_cells(scenario);
    let mut first = 0;
    for section in &written.switches {
        let count = section.numbers.clone().count();
        for &leaving in &outputs[first..first + count] {
            check_room(section, leaving)?;
            check_scheduler(section, leaving)?;
            check_drop(section, leaving)?;
        }
        for &rate in &fastest[first..first + count] {
            check_interval(section, rate)?;
        }
        first += count;
    }
    written.edges.iter().try_for_each(check_edge_room)?;
    refuse_loop(written, scenario)
}

fn check_drop(section: &Named<WrittenSwitch>, leaving: Outputs) -> Result<(), Fault> {
    let WrittenSwitch { switch, drop_at, .. } = &section.body;
    let owner = format!("switch.{}", section.name.value);
    let place = (owner.as_str(), drop_at);
    buffer_management::check(switch.drop, switch.buffer, leaving, place)?;
    let of_classes = [("vbr_buffer", switch.vbr_buffer), ("abr_buffer", switch.abr_buffer)];
    of_classes.into_iter().try_for_each(|(key, buffer)| {
        buffer.map_or(Ok(()), |buffer| {
            buffer_management::check_common(switch.drop, key, buffer, place)
        })
    })
}

/// What waits for cells at an edge waits in segmentation buffers; its outputs are for packets.
fn check_edge_room(section: &Named<WrittenEdge>) -> Result<(), Fault> {
    let WrittenEdge { edge, drop_at, .. } = &section.body;
    let Some(CellsOrPackets::Cells(_)) = size_of(edge.buffer) else {
        let owner = format!("edge.{}", section.name.value);
        let place = (owner.as_str(), drop_at);
        let leaving = Outputs { cells: false, packets: true };
        return buffer_management::check(edge.drop, edge.buffer, leaving, place);
    };
    let message = format!(
        "`edge.{}.buffer` counts cells, and it is for packets; expected for instance `100 packet`",
        section.name.value
    );
    Err(Fault::new(&section.body.buffer_at, message))
}

/// What the links that leave a switch carry.
#[derive(Clone, Copy, Default)]
pub(super) struct Outputs {
    pub(super) cells: bool,
    pub(super) packets: bool,
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
    let misfit = match size_of(section.body.switch.buffer) {
        Some(CellsOrPackets::Cells(_)) if leaving.packets => {
            Some(("cells", "packets", "100 packet"))
        }
        Some(CellsOrPackets::Packets(_)) if leaving.cells => Some(("packets", "cells", "256 cell")),
        _ => None,
    };
    if let Some((counted, carried, example)) = misfit {
        let message = format!(
            "`switch.{name}.buffer` counts {counted}, but a link that leaves `{name}` carries \
             {carried}; expected \
             for instance `{example}`"
        );
        return Err(Fault::new(&section.body.buffer_at, message));
    }
    Ok(())
}

/// Weights are of VCs, and packets have none.
fn check_scheduler(section: &Named<WrittenSwitch>, leaving: Outputs) -> Result<(), Fault> {
    let is_fifo = section.body.switch.scheduler == Scheduler::Fifo;
    if is_fifo || !leaving.packets {
        return Ok(());
    }
    let message = format!(
        "`switch.{0}.scheduler` is `wfq`, which serves VCs, but a link that leaves `{0}` carries \
         packets; expected `\"fifo\"`",
        section.name.value
    );
    Err(Fault::new(&section.body.scheduler_at, message))
}

/// The fastest of the links of cells that leave each switch, bits per second.
fn fastest_cells(scenario: &Scenario) -> Vec<u64> {
    let mut fastest = vec![0; scenario.switches.len()];
    for link in &scenario.links {
        if let (NodeRef::Switch(switch), Carries::Cells { cell_rate, .. }) =
            (link.from, link.carries)
        {
            fastest[switch] = fastest[switch].max(cell_rate.bits_per_second());
        }
    }
    fastest
}

/// Every end of an interval is work at every output: at most a million in a second, or as many as
/// the line has cells.
fn check_interval(section: &Named<WrittenSwitch>, fastest: u64) -> Result<(), Fault> {
    const SHORTEST: Span = Span::from_microseconds(1);
    let Some((interval, keys)) = section.body.switch.rate_allocator.measuring_interval() else {
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
        section.name.value,
        keys.join("."),
    );
    Err(Fault::new(&section.body.rate_allocator_at, message).below(keys))
}

pub(crate) fn size_of(buffer: Buffer) -> Option<CellsOrPackets> {
    match buffer {
        Buffer::Infinite => None,
        Buffer::PerPort(size) | Buffer::PerVc(size) | Buffer::Shared(size) => Some(size),
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
    let message = format!(
        "`link.{name}` is part of a loop without delay; expected a delay above `0 s` in every loop"
    );
    Err(Fault::new(&at, message))
}

fn is_member<T>(section: &Named<T>, name: &str) -> bool {
    let rest = name.strip_prefix(section.name.value.as_str());
    rest.is_some_and(
        |rest| if section.count.is_some() { rest.starts_with('[') } else { rest.is_empty() },
    )
}

/// Flows against their transport and the links of their paths.
pub(crate) fn flows(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    let mut expanded = scenario.flows.iter();
    for section in &written.flows {
        check_start(section, scenario)?;
        check_stop(section)?;
        check_transport(section)?;
        let count = section.numbers.clone().count();
        for flow in expanded.by_ref().take(count) {
            circuits::flow_rates(section, flow, scenario)?;
        }
    }
    circuits::vc_rates(written, scenario)?;
    buffer_management::scales(written, scenario)?;
    circuits::services(written, scenario)
}

/// The last draw counts where there is one; without a bound, only what is always too late is
/// refused.
fn check_start(section: &Named<WrittenFlow>, scenario: &Scenario) -> Result<(), Fault> {
    let start = &section.body.start;
    let latest = latest(start.value);
    if latest < scenario.run.duration {
        return Ok(());
    }
    let message = format!(
        "`flow.{}.start` of {latest} is not before the end of the run at {}; expected less",
        section.name.value, scenario.run.duration
    );
    Err(Fault::new(&start.at, message))
}

fn latest(instant: RandomSpan) -> Span {
    instant.most().unwrap_or(instant.least())
}

fn check_stop(section: &Named<WrittenFlow>) -> Result<(), Fault> {
    let (name, flow) = (&section.name.value, &section.body);
    let Some(stop) = &flow.stop else { return Ok(()) };
    let (earliest, start) = (stop.value.least(), latest(flow.start.value));
    let message = if flow.tcp.is_some() {
        format!(
            "`flow.{name}.stop` is for raw cells; expected a `ttcp` with a `total`, or no `stop`"
        )
    } else if earliest < start || (earliest == start && stop.value.most().is_some()) {
        format!("`flow.{name}.stop` of {earliest} is not after its start at {start}; expected more")
    } else {
        return Ok(());
    };
    Err(Fault::new(&stop.at, message))
}

fn check_transport(section: &Named<WrittenFlow>) -> Result<(), Fault> {
    let name = &section.name.value;
    let flow = &section.body;
    let traffic = flow.traffic.value.word();
    let is_raw = flow.traffic.value.peak_cell_rate().is_some();
    let may_be_raw = is_raw
        || matches!((flow.traffic.value, flow.service.value), (Traffic::Greedy, Service::Abr(_)));
    match (&flow.tcp, is_raw) {
        (None, false) if may_be_raw => Ok(()),
        (None, false) => {
            let message = format!(
                "`flow.{name}`: `{traffic}` needs a transport; expected `[flow.{name}.tcp]`"
            );
            Err(Fault::new(&flow.traffic.at, message))
        }
        (Some(tcp), true) => {
            let message = format!(
                "`flow.{name}`: `{traffic}` sends raw cells; expected no `[flow.{name}.tcp]`"
            );
            Err(Fault::new(&tcp.at, message))
        }
        _ => Ok(()),
    }
}

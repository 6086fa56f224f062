//! Connections as flows of a scenario.
//!
//! Settings that a script does not give for a connection are those of a flow of the scenario: the
//! one that `protocol = tcp (flow = NAME)` names, else the first one between the same hosts in the
//! same direction, else the defaults. They are `tcp`, `service` or `vc`, and `start`, after the
//! beginning of the block. Flows that a connection takes its settings from do not run themselves;
//! all others remain, beside the script's.

use std::collections::BTreeSet;

use crate::connections::{Connection, Plan};
use crate::meaning::{Meant, Port, Role};
use crate::text::Word;
use cellway_sim::atm::aal5;
use cellway_sim::engine::RandomSpan;
use cellway_sim::pdu::DATAGRAM_HEADER_BYTES;
use cellway_sim::scenario::Named;
use cellway_sim::scenario::{Carries, FlowSection, NodeRef, Scenario, ScenarioFile, Tcp};
use cellway_sim::scenario::{Fault, did_you_mean, nearest, one_of};
use cellway_sim::traffic::{Burst, FullPlan, Size, TimedBlocks, Traffic};
use cellway_sim::units::{Bytes, quoted};

/// The scenario's file with the flows of a script, and the name of each connection's flow.
pub(crate) fn with_flows(
    plan: &Plan,
    scenario: &Scenario,
) -> Result<(ScenarioFile, Vec<String>), Fault> {
    let mut file = scenario.to_file();
    let likes = plan.connections.iter();
    let likes: Vec<Option<usize>> =
        likes.map(|connection| like(plan, connection, scenario)).collect::<Result<_, _>>()?;
    let stays = |index: usize| !likes.contains(&Some(index));
    let templates = std::mem::take(&mut file.flow);
    let kept = templates.iter().enumerate().filter(|(index, _)| stays(*index));
    file.flow = kept.map(|(_, flow)| flow.clone()).collect();
    let mut taken: BTreeSet<String> = file.flow.iter().map(|flow| flow.name.clone()).collect();
    let mut names = Vec::new();
    for (connection, like) in plan.connections.iter().zip(&likes) {
        let name = free_name(plan, connection, &mut taken);
        let like = like.map(|index| &templates[index].body);
        let flow = section(plan, connection, like, scenario)?;
        file.flow.push(Named::new(&name, None, flow));
        names.push(name);
    }
    Ok((file, names))
}

/// Name of a connection's flow: host, host and port, with a number if that is taken.
fn free_name(plan: &Plan, connection: &Connection, taken: &mut BTreeSet<String>) -> String {
    let Meant { own, peer, .. } = &plan.tests[connection.source];
    let bare = |port: &Port| port.host.text.replace(['[', ']'], "");
    let stem = format!("{}-{}-{}", bare(own), bare(peer), peer.number);
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    let name = names.find(|name| !taken.contains(name)).expect("numbers do not end");
    taken.insert(name.clone());
    name
}

/// Index of the flow whose settings a connection has.
fn like(plan: &Plan, connection: &Connection, scenario: &Scenario) -> Result<Option<usize>, Fault> {
    let [source, sink] = [connection.source, connection.sink].map(|test| &plan.tests[test]);
    let from = host(&source.own.host, scenario)?;
    let to = host(&sink.own.host, scenario)?;
    let Some(wanted) = source.protocol.flow.as_ref().or(sink.protocol.flow.as_ref()) else {
        let is_alike = |flow: &cellway_sim::scenario::Flow| {
            (flow.source, flow.sink, flow.tcp.is_some()) == (from, to, source.protocol.is_tcp)
        };
        return Ok(scenario.flows.iter().position(is_alike));
    };
    let found = scenario.flows.iter().position(|flow| flow.name == wanted.text);
    found.map(Some).ok_or_else(|| {
        unknown("flow", wanted, scenario.flows.iter().map(|flow| flow.name.as_str()))
    })
}

fn host(word: &Word, scenario: &Scenario) -> Result<usize, Fault> {
    let found = scenario.hosts.iter().position(|host| host.name == word.text);
    found.ok_or_else(|| unknown("host", word, scenario.hosts.iter().map(|host| host.name.as_str())))
}

fn unknown<'n>(kind: &str, word: &Word, names: impl Iterator<Item = &'n str>) -> Fault {
    let names: Vec<&str> = names.collect();
    let message = format!(
        "unknown {kind} {}; expected a {kind} of the scenario: {}",
        quoted(&word.text),
        one_of(&names)
    );
    Fault::new(&word.at, message).with_hint(nearest(&word.text, &names).map(did_you_mean))
}

fn section(
    plan: &Plan,
    connection: &Connection,
    like: Option<&FlowSection>,
    scenario: &Scenario,
) -> Result<FlowSection, Fault> {
    let [source, sink] = [connection.source, connection.sink].map(|test| &plan.tests[test]);
    let (from, to) = (&source.own.host.text, &sink.own.host.text);
    let traffic = match &source.role {
        Role::Source(traffic) => traffic.clone(),
        Role::UdpFull(plan) => as_fast_as_the_interface(plan, source, scenario)?,
        Role::Sink => unreachable!("a source is no sink"),
    };
    let unlike = || FlowSection::raw(from, to, traffic.clone());
    let alike = like.cloned().unwrap_or_else(unlike);
    Ok(FlowSection {
        start: alike.start.later_by(connection.start),
        stop: None,
        tcp: source.protocol.is_tcp.then(|| transport(source, sink, like)),
        from: from.clone(),
        to: to.clone(),
        traffic,
        name: String::new(),
        ..alike
    })
}

/// TCP of a connection. The window of an end is its socket buffer: the send buffer, and at the sink
/// the receive buffer.
fn transport(source: &Meant, sink: &Meant, like: Option<&FlowSection>) -> Tcp {
    let tcp = like.and_then(|like| like.tcp.clone()).unwrap_or_default();
    Tcp {
        window: sink.protocol.window.or(source.protocol.window).unwrap_or(tcp.window),
        send_buffer: source.protocol.window.or(tcp.send_buffer),
        ..tcp
    }
}

/// Traffic that the interface alone limits: a datagram is written when the last one has been sent.
fn as_fast_as_the_interface(
    plan: &FullPlan,
    source: &Meant,
    scenario: &Scenario,
) -> Result<Traffic, Fault> {
    let from = NodeRef::Host(host(&source.own.host, scenario)?);
    let mut links = scenario.links.iter().filter(|link| link.from == from);
    let (Size::Fixed(Bytes(size)), Some(link), None) = (&plan.block, links.next(), links.next())
    else {
        let message = "`full` over udp sends blocks of one size by the one interface of its host; \
                       expected that, or `burst` with a `period`";
        return Err(Fault::new(&source.type_at, message));
    };
    let bytes = size + DATAGRAM_HEADER_BYTES;
    let each = match link.carries {
        Carries::Cells { cell_rate, .. } => {
            cell_rate.cell_time() * aal5::cells_of(bytes.min(65_535)) as i64
        }
        Carries::Packets { line_rate, framing } => {
            line_rate.span_of_bits(framing.wire_bits(bytes.min(65_535)))
        }
    };
    Ok(Traffic::Burst(Burst::new(TimedBlocks {
        block: plan.block.clone(),
        period: RandomSpan::Fixed(each),
        duration: plan.duration,
        repeats: plan.repeats,
    })))
}

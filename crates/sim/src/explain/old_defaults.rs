//! Defaults of 4.3BSD where packets travel: a flow without keys for its segments, window and timers
//! has those of a workstation of the 1990s on an ATM adapter.

use super::oversights::named;
use crate::scenario::resolved::{Flow, Scenario, Tcp};

/// A key with its value when left out, and a test that a flow leaves it out.
type Default = (&'static str, fn(&Tcp, &Tcp) -> bool);

const DEFAULTS: [Default; 3] = [
    ("mtu 9180 B", |tcp, default| tcp.omitted.segment && tcp.mss == default.mss),
    ("window 64 KiB", |tcp, default| tcp.omitted.window && tcp.window == default.window),
    ("timers with ticks of 500 ms", |tcp, default| {
        tcp.omitted.timers && tcp.timers == default.timers
    }),
];

/// A line for all flows of packets that leave such keys out.
pub(super) fn warning(scenario: &Scenario) -> Option<String> {
    let default = Tcp::default();
    let left_out = |tcp: &Tcp| DEFAULTS.map(|(_, is_left_out)| is_left_out(tcp, &default));
    let found: Vec<(&Flow, [bool; 3])> = (scenario.flows.iter())
        .filter(|flow| is_of_packets(scenario, flow))
        .filter_map(|flow| Some((flow, left_out(flow.tcp.as_ref()?))))
        .filter(|(_, left_out)| left_out.contains(&true))
        .collect();
    let (_, all_left_out) = found.first()?;
    let are_alike = found.iter().all(|(_, left_out)| left_out == all_left_out);
    let mut words: Vec<&str> = (DEFAULTS.iter().enumerate())
        .filter(|(at, _)| found.iter().any(|(_, left_out)| left_out[*at]))
        .map(|(_, (words, _))| *words)
        .collect();
    let starts_with_one =
        |flow: &Flow| flow.tcp.as_ref().is_some_and(|tcp| tcp.initial_window == 1);
    if found.iter().all(|(flow, _)| starts_with_one(flow)) {
        words.push("initial_window 1");
    }
    let names: Vec<&str> = found.iter().map(|(flow, _)| flow.name.as_str()).collect();
    let runs = if names.len() == 1 { "runs" } else { "run" };
    let some = if are_alike { "" } else { ", or some of these" };
    Some(format!(
        "{} {runs} over packets with defaults of the 1990s: {}{some}; `tcp.preset = \"linux\"` \
         has those of today's senders, `\"rfc\"` those of the standards",
        named("flow", &names),
        words.join(", ")
    ))
}

/// True for a flow with a connection if no link of its path carries cells.
fn is_of_packets(scenario: &Scenario, flow: &Flow) -> bool {
    let paths = [&flow.path, &flow.reverse_path];
    flow.tcp.is_some() && paths.iter().all(|path| scenario.cell_links(path).is_empty())
}

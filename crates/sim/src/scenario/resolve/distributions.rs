//! Ports and flows whose distributions are recorded: every pattern must match at least one.

use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::faults::check as check_all;
use crate::language::key_path::KeyPath;
use crate::language::pattern::fits;
use crate::result::Sampling;
use crate::scenario::part::observe::{Observe, Quantity, Segments};
use crate::scenario::resolved::{Flow, NodeRef, Scenario};
use crate::units::{Span, quoted};

pub(super) fn check(scenario: &Scenario) -> Result<(), Fault> {
    let Some(observe) = &scenario.observe else { return Ok(()) };
    let counted = &observe.distributions;
    let of_ports =
        refuse_unknown_names(&counted.ports, ("distributions", "ports"), &ports(scenario));
    let names = |is_meant: fn(&Flow) -> bool| -> Vec<String> {
        let meant = scenario.flows.iter().filter(|flow| is_meant(flow));
        meant.map(|flow| flow.name.clone()).collect()
    };
    let of_flows =
        refuse_unknown_names(&counted.flows, ("distributions", "flows"), &names(|_| true));
    let with_tcp = names(|flow| flow.tcp.is_some());
    let of_transfers = refuse_unknown_names(&observe.transfers, ("", "transfers"), &with_tcp);
    let of_segments = observe.segments.as_ref().map_or(Ok(()), |segments| {
        check_all([
            refuse_unknown_names(&segments.flows, ("segments", "flows"), &with_tcp),
            check_window(segments, scenario.run.duration),
        ])
    });
    check_all([of_ports, of_flows, of_transfers, of_segments, check_percentiles(observe)])
}

/// A change is one packet, which has no percentiles.
fn check_percentiles(observe: &Observe) -> Result<(), Fault> {
    let asks = observe.series.contains(&Quantity::OneWayPercentiles);
    if !asks || observe.interval != Some(Sampling::OnChange) {
        return Ok(());
    }
    let key = |key| KeyPath::new(&["observe", key]);
    let message = "`observe.series` has `one_way_percentiles`, which a series at every change has \
                   not; expected an `observe.interval` such as `\"10 ms\"`";
    Err(Fault::at_key(key("series"), message).or_at_key(key("interval")))
}

fn check_window(segments: &Segments, duration: Span) -> Result<(), Fault> {
    let (from, to) = segments.window(duration);
    if from < to {
        return Ok(());
    }
    let key = |key| KeyPath::new(&["observe", "segments", key]);
    let message = format!(
        "`observe.segments` ends at {} s and begins at {} s; expected a beginning before the end",
        to.seconds_f64(),
        from.seconds_f64()
    );
    Err(Fault::at_key(key("from"), message).or_at_key(key("to")))
}

/// Names of the ports as in the summary.
fn ports(scenario: &Scenario) -> Vec<String> {
    let named = scenario.links.iter().filter_map(|link| match link.from {
        NodeRef::Switch(index) => Some(format!("{}.{}", scenario.switches[index].name, link.name)),
        NodeRef::Edge(index) if !link.is_of_cells() => {
            Some(format!("{}.{}", scenario.edges[index].name, link.name))
        }
        NodeRef::Edge(_) | NodeRef::Host(_) => None,
    });
    named.collect()
}

fn refuse_unknown_names(
    patterns: &[String],
    (section, key): (&str, &str),
    names: &[String],
) -> Result<(), Fault> {
    let is_strange = |pattern: &str| !names.iter().any(|name| fits(pattern, name));
    let strangers = patterns.iter().enumerate().filter(|(_, pattern)| is_strange(pattern));
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let accepted = match (key, known.as_slice()) {
        ("ports", []) => "none, for there are no switch ports".to_owned(),
        (_, []) if key == "transfers" || section == "segments" => {
            "none, for no flow has `tcp`".to_owned()
        }
        (_, []) => "none, for there are no flows".to_owned(),
        (_, known) => format!("{}, or a pattern with `*`", one_of(known)),
    };
    let keys: Vec<&str> =
        ["observe", section, key].into_iter().filter(|key| !key.is_empty()).collect();
    check_all(strangers.map(|(at, stranger)| {
        let place = keys.join(".");
        let message =
            format!("`{place}`: {} stands for nothing; expected {accepted}", quoted(stranger));
        let path = KeyPath::new(&keys).element(at);
        let family = format!("{stranger}[*]");
        let meant = known.iter().any(|name| fits(&family, name)).then_some(family.as_str());
        let meant = meant.or_else(|| nearest(stranger, &known));
        Err(Fault::at_key(path, message).with_hint(meant.map(did_you_mean)))
    }))
}

//! Settings that are accepted and do what nobody means: hosts without a link, links that routes
//! avoid because another one joins the same nodes and stands before them in the file, windows into
//! which no segment fits.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::tcp::window;
use crate::language::family::{ranges, runs_of_members};
use crate::scenario::resolved::{Flow, NodeRef, Scenario};

/// Maximum number of names in a line.
const MOST_NAMED: usize = 3;

/// A line for all hosts, one for each link beside others, one for each window.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let mut found: Vec<String> = unconnected(scenario).into_iter().collect();
    found.extend(passed_over(scenario));
    found.extend(small_windows(scenario));
    found
}

fn unconnected(scenario: &Scenario) -> Option<String> {
    let joined: BTreeSet<usize> = scenario
        .links
        .iter()
        .flat_map(|link| [link.from, link.to])
        .filter_map(|node| match node {
            NodeRef::Host(host) => Some(host),
            NodeRef::Switch(_) | NodeRef::Edge(_) => None,
        })
        .collect();
    let hosts = scenario.hosts.iter().enumerate().filter(|(host, _)| !joined.contains(host));
    let names: Vec<&str> = hosts.map(|(_, host)| host.name.as_str()).collect();
    let (have, them) = if names.len() == 1 { ("has", "it") } else { ("have", "them") };
    (!names.is_empty()).then(|| {
        format!(
            "{} {have} no link: nothing reaches {them}; a [link.NAME] with {them} in `between` is \
             missing",
            named("host", &names)
        )
    })
}

/// Lines about links that no flow takes, for each link used in their place.
fn passed_over(scenario: &Scenario) -> Vec<String> {
    let mut used: BTreeMap<[NodeRef; 2], usize> = BTreeMap::new();
    let mut names_in_use: BTreeSet<&str> = BTreeSet::new();
    for &link in scenario.flows.iter().flat_map(|flow| flow.path.iter().chain(&flow.reverse_path)) {
        used.insert(ends(scenario, link), link);
        names_in_use.insert(&scenario.links[link].name);
    }
    let mut beside: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (index, link) in scenario.links.iter().enumerate() {
        let Some(&taken) = used.get(&ends(scenario, index)) else { continue };
        if !names_in_use.contains(link.name.as_str()) {
            let names = beside.entry(taken).or_default();
            names.push(&link.name);
        }
    }
    let mut told: BTreeSet<&str> = BTreeSet::new();
    beside
        .into_iter()
        .filter_map(|(taken, mut names)| {
            names.retain(|name| told.insert(name));
            let taken = &scenario.links[taken].name;
            (!names.is_empty()).then(|| {
                format!(
                    "no flow takes {}: `{taken}` joins the same nodes, and of equal paths flows \
                     take the one whose links are first in the file",
                    named("link", &names)
                )
            })
        })
        .collect()
}

/// The nodes of a direction of a link.
fn ends(scenario: &Scenario, link: usize) -> [NodeRef; 2] {
    [scenario.links[link].from, scenario.links[link].to]
}

/// Lines about small windows, by window and segment, in the order of the flows.
fn small_windows(scenario: &Scenario) -> Vec<String> {
    let mut found: Vec<((u64, u64), Vec<&str>)> = Vec::new();
    for flow in &scenario.flows {
        let Some(small) = small_window(flow) else { continue };
        match found.iter_mut().find(|(sizes, _)| *sizes == small) {
            Some((_, names)) => names.push(&flow.name),
            None => found.push((small, vec![&flow.name])),
        }
    }
    let line = |((window, segment), names): ((u64, u64), Vec<&str>)| {
        format!(
            "{}: the window of {window} B is less than a segment of {segment} B, so only one short \
             segment is sent per round trip; `tcp.window` and `tcp.send_buffer` of several \
             segments are usual",
            named("flow", &names)
        )
    };
    found.into_iter().map(line).collect()
}

/// Bytes of the window, and of a segment that does not fit into it.
fn small_window(flow: &Flow) -> Option<(u64, u64)> {
    let tcp = flow.tcp.as_ref()?;
    let (window, segments, _) = window(tcp);
    (segments == 0).then(|| (window, tcp.full_segment()))
}

/// The first names as text, with consecutive members of a family as one: `hosts src[1..5] and dst`.
pub(super) fn named(what: &str, names: &[&str]) -> String {
    let runs = runs_of_members(names);
    let shown: Vec<String> = (runs.iter().take(MOST_NAMED))
        .map(|(name, numbers)| match numbers {
            None => (*name).to_owned(),
            Some(numbers) => {
                let numbers: Vec<u64> = numbers.clone().collect();
                format!("{name}[{}]", ranges(&numbers))
            }
        })
        .collect();
    let count = |(_, numbers): &(&str, Option<RangeInclusive<u64>>)| {
        numbers.as_ref().map_or(1, |numbers| numbers.end() - numbers.start() + 1)
    };
    let plural = if names.len() == 1 { "" } else { "s" };
    match (runs.iter().skip(MOST_NAMED).map(count).sum(), shown.join(", ")) {
        (0, first) => format!("{what}{plural} {first}"),
        (others, first) => format!("{what}{plural} {first} and {others} more"),
    }
}

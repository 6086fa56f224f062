//! Facts of output ports: buffers, their thresholds in cells or packets, and the VCs that pass.

use std::collections::BTreeMap;

use serde::Serialize;

use super::overflow::{OfClasses, WindowsFacts};
use crate::assemble::{PassingVc, QueueRules};
use crate::atm::Class;
use crate::language::part::Value;
use crate::result::Shaped;
use crate::scenario::resolved::{Buffer, Scenario, Threshold};
use crate::units::CellsOrPackets;

/// Facts of an output of a switch, or of an output of an edge for packets.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct PortFacts {
    /// Name as in the summary of a run: `switch.link` or `edge.link`.
    pub name: String,
    /// The switch or the edge.
    pub node: String,
    /// The link that it sends on.
    pub link: String,
    /// Unit that is counted here: `cell` or `packet`.
    pub unit: &'static str,
    /// The drop policy of all its queues.
    pub drop: &'static str,
    /// The drop policy with its parameters, as TOML.
    pub policy: String,
    /// Queues of the service classes that pass, in the order of service.
    pub queues: Vec<QueueFacts>,
}

/// Facts of the queue of a service class at a port.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct QueueFacts {
    /// Name of the class: `vbr`, which includes CBR, `abr` or `ubr`, which includes GFR and
    /// packets.
    pub class: &'static str,
    /// Room in the buffer.
    pub buffer: BufferFacts,
    /// The thresholds of the drop policy by their keys, in cells or packets; `None` for a part of
    /// an infinite buffer.
    #[unit("cell")]
    pub thresholds: BTreeMap<&'static str, Option<u64>>,
    /// Queue that windows make; absent where no transport is narrowed, and for classes without such
    /// flows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows: Option<WindowsFacts>,
    /// The VCs of the class that pass, as in the summary of a run: `bulk`, and `bulk back` for its
    /// other direction.
    pub vcs: Vec<String>,
}

/// Size and kind of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct BufferFacts {
    /// Kind: `per_port`, `per_vc`, `shared` by all ports of the node, or `infinite`.
    pub kind: &'static str,
    /// Size in cells or packets; absent if it is infinite.
    #[unit("cell")]
    pub size: Option<u64>,
}

/// Facts of all ports, in the order of the links.
pub(super) fn all(scenario: &Scenario, windows: &[OfClasses]) -> Vec<PortFacts> {
    let links = scenario.links.iter().zip(scenario.vcs_of_links());
    links
        .enumerate()
        .filter_map(|(index, (link, vcs))| {
            let rules = QueueRules::of_output(scenario, index)?;
            let name = scenario.name_of(link.from);
            Some(PortFacts {
                name: format!("{name}.{}", link.name),
                node: name.to_owned(),
                link: link.name.clone(),
                unit: link.carries.unit(),
                drop: rules.drop.word(),
                policy: rules.drop.write(),
                queues: queues(&rules, vcs, &windows[index]),
            })
        })
        .collect()
}

/// Queues of a port; one that nothing passes has an empty queue of the default class.
fn queues(rules: &QueueRules, vcs: Vec<PassingVc>, windows: &OfClasses) -> Vec<QueueFacts> {
    let mut of_class: BTreeMap<Class, Vec<String>> = BTreeMap::new();
    for vc in vcs {
        of_class.entry(vc.class).or_default().push(vc.name);
    }
    if of_class.is_empty() {
        of_class.insert(Class::default(), Vec::new());
    }
    let of_class = of_class.into_iter();
    of_class
        .map(|(class, vcs)| {
            let windows = windows.get(&class).copied();
            QueueFacts { windows, ..queue(rules, class, vcs) }
        })
        .collect()
}

fn queue(rules: &QueueRules, class: Class, vcs: Vec<String>) -> QueueFacts {
    let buffer = facts_of(rules.buffer_of(class));
    let thresholds = rules.drop.facts().thresholds.into_iter().flatten();
    let in_units = |(key, threshold): (&'static str, Threshold)| {
        (key, Some(threshold.of(buffer.size)).filter(|&units| units < u64::MAX))
    };
    let thresholds = thresholds.map(in_units).collect();
    QueueFacts { class: class.word(), buffer, thresholds, windows: None, vcs }
}

fn facts_of(buffer: Buffer) -> BufferFacts {
    BufferFacts { kind: buffer.word(), size: buffer.size().map(CellsOrPackets::count) }
}

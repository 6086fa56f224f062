//! Checks of drop policies against the buffers that they manage.

use crate::language::fault::Fault;
use crate::language::kinds::MOST_ROOM;
use crate::scenario::resolve::outputs::Outputs;
use crate::scenario::resolve::place::Owner;
use crate::scenario::resolved::{Buffer, Drop, Scenario, ScenarioFile, Service, Threshold};
use crate::units::{Cells, CellsOrPackets};

/// Path of a threshold below `drop`: the policy and the key.
type Keys = [&'static str; 2];

/// Checks the policy of `owner` against its buffer and the units of its outgoing links.
pub(super) fn check(
    drop: Drop,
    buffer: Buffer,
    leaving: Outputs,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    let facts = drop.facts();
    if (facts.is_of_packets || facts.queues_flows) && leaving.cells {
        let has = if facts.queues_flows {
            "has queues of packets"
        } else {
            "marks packets or writes into them"
        };
        let message = format!(
            "`{owner}.drop.{}` {has}, but a link that leaves `{owner}` carries cells; expected \
             another policy, for instance `codel`",
            drop.word()
        );
        return Err(owner.key("drop").fault(message));
    }
    // Parts of a buffer are in the same order for every line.
    let nominal = CellsOrPackets::Cells(Cells(MOST_ROOM));
    let size = buffer.size().or(buffer.depends_on_line().then_some(nominal));
    for in_order in facts.thresholds {
        let below = |(key, threshold)| ([drop.word(), key], threshold);
        let in_order: Vec<(Keys, Threshold)> = in_order.into_iter().map(below).collect();
        for &(keys, threshold) in &in_order {
            check_part(keys, threshold, buffer, owner)?;
            check_one(keys, threshold, size, owner)?;
            check_unit(keys, threshold, leaving, owner)?;
        }
        for pair in in_order.windows(2) {
            check_order(pair[0], pair[1], size, owner)?;
        }
    }
    check_common(drop, "buffer", buffer, owner)
}

/// Checks a policy that compares VCs against the buffer of `owner` under `key`.
pub(super) fn check_common(
    drop: Drop,
    key: &str,
    buffer: Buffer,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    let (Some(does), Buffer::PerVc(_)) = (drop.facts().needs_common_buffer, buffer) else {
        return Ok(());
    };
    let message = format!(
        "`{owner}.drop.{}` {does}, and `{owner}.{key}` is `per_vc`; expected `per_port` or \
         `shared`",
        drop.word()
    );
    Err(owner.key("drop").fault(message))
}

/// Checks that some VC has a Z of its own if the policy asks for it.
pub(super) fn scales(file: &ScenarioFile, scenario: &Scenario) -> Result<(), Fault> {
    let services = scenario.flows.iter().map(|flow| flow.service);
    let mut services = services.chain(scenario.vcs.iter().map(|vc| vc.service));
    if services.any(|service| matches!(service, Service::Gfr(_))) {
        return Ok(());
    }
    let switches = file.switch.iter();
    let switches = switches.map(|section| (Owner::new("switch", &section.name), section.body.drop));
    let edges = file.edge.iter();
    let edges = edges.map(|section| (Owner::new("edge", &section.name), section.body.drop));
    let of_service = |(owner, drop): (_, Drop)| {
        drop.facts().word_of_service.map(|(key, word)| (owner, [drop.word(), key], word))
    };
    let Some((owner, [policy, key], word)) = switches.chain(edges).find_map(of_service) else {
        return Ok(());
    };
    let message = format!(
        "`{owner}.drop.{policy}.{key}` is `{word}`, and no circuit has a `service.gfr` to say it; \
         expected one, or another `{key}`"
    );
    Err(owner.key("drop").fault_below(&[policy, key], message))
}

/// Checks a threshold of a buffer in bytes or time: its cells or packets depend on the line.
fn check_part(
    keys: Keys,
    threshold: Threshold,
    buffer: Buffer,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    if !buffer.depends_on_line() || matches!(threshold, Threshold::OfBuffer(_)) {
        return Ok(());
    }
    let message = format!(
        "`{owner}.drop.{}` is an amount, and `{owner}.buffer` counts bytes or time; expected a \
         part of the buffer such as `0.8`",
        keys.join(".")
    );
    Err(owner.key("drop").fault_below(&keys, message))
}

/// Checks the unit of a threshold where the buffer has no limit, and thus no unit.
fn check_unit(
    keys: Keys,
    threshold: Threshold,
    leaving: Outputs,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    let (counted, carried) = match threshold {
        Threshold::Units(CellsOrPackets::Cells(_)) if leaving.packets => ("cells", "packets"),
        Threshold::Units(CellsOrPackets::Packets(_)) if leaving.cells => ("packets", "cells"),
        _ => return Ok(()),
    };
    let message = format!(
        "`{owner}.drop.{}` counts {counted}, but a link that leaves `{owner}` carries {carried}; \
         expected an amount of \
         {carried}",
        keys.join(".")
    );
    Err(owner.key("drop").fault_below(&keys, message))
}

fn check_one(
    keys: Keys,
    threshold: Threshold,
    size: Option<CellsOrPackets>,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    let key = keys.join(".");
    let message = match (threshold, size) {
        (Threshold::OfBuffer(part), None) => format!(
            "`{owner}.drop.{key}` of {part} is a part of a buffer without limit; expected a limit \
             of `{owner}.buffer`, \
             or an amount such as `\"256 cell\"`"
        ),
        (Threshold::Units(CellsOrPackets::Cells(count)), Some(CellsOrPackets::Cells(size)))
            if count > size =>
        {
            above(owner, &key, count.0, "cells", size.0)
        }
        (Threshold::Units(CellsOrPackets::Packets(count)), Some(CellsOrPackets::Packets(size)))
            if count > size =>
        {
            above(owner, &key, count.0, "packets", size.0)
        }
        (Threshold::Units(CellsOrPackets::Cells(_)), Some(CellsOrPackets::Packets(_))) => {
            unsupported(owner, &key, "cells", "packets")
        }
        (Threshold::Units(CellsOrPackets::Packets(_)), Some(CellsOrPackets::Cells(_))) => {
            unsupported(owner, &key, "packets", "cells")
        }
        _ => return Ok(()),
    };
    Err(owner.key("drop").fault_below(&keys, message))
}

fn above(owner: Owner<'_>, key: &str, count: u64, unit: &str, size: u64) -> String {
    format!(
        "`{owner}.drop.{key}` of {count} {unit} is above the buffer of {size}; expected at most \
         that"
    )
}

fn unsupported(owner: Owner<'_>, key: &str, unit: &str, of_buffer: &str) -> String {
    format!(
        "`{owner}.drop.{key}` counts {unit}, and `{owner}.buffer` {of_buffer}; expected the same \
         unit"
    )
}

fn check_order(
    (low_keys, low): (Keys, Threshold),
    (high_keys, high): (Keys, Threshold),
    size: Option<CellsOrPackets>,
    owner: Owner<'_>,
) -> Result<(), Fault> {
    let units = size.map(CellsOrPackets::count);
    let [in_units, limit] = [low, high].map(|threshold| threshold.of(units));
    if in_units <= limit {
        return Ok(());
    }
    let [_, high_key] = high_keys;
    let message = format!(
        "`{owner}.drop.{}` of {low} is above the `{high_key}` of {high}; expected at most that",
        low_keys.join(".")
    );
    Err(owner.key("drop").fault_below(&low_keys, message))
}

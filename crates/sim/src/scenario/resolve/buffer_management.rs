//! Whether a drop policy fits the buffer that it is for.

use std::ops::Range;

use crate::language::fault::Fault;
use crate::scenario::read::written::{Written, WrittenEdge, WrittenSwitch};
use crate::scenario::resolve::checks::{Outputs, size_of};
use crate::scenario::resolved::{Buffer, Drop, Scenario, Service, Threshold};
use crate::units::CellsOrPackets;

/// Of a threshold, below `drop`: the policy and the key.
type Keys = [&'static str; 2];

/// The policy of `owner`, which stands at `at`, against its buffer and what the links behind it
/// carry.
pub(super) fn check(
    drop: Drop,
    buffer: Buffer,
    leaving: Outputs,
    (owner, at): (&str, &Range<usize>),
) -> Result<(), Fault> {
    let size = size_of(buffer);
    for in_order in drop.thresholds() {
        let below = |(key, threshold)| ([drop.word(), key], threshold);
        let in_order: Vec<(Keys, Threshold)> = in_order.into_iter().map(below).collect();
        for &(keys, threshold) in &in_order {
            check_one(keys, threshold, size, (owner, at))?;
            check_unit(keys, threshold, leaving, (owner, at))?;
        }
        for pair in in_order.windows(2) {
            check_order(pair[0], pair[1], size, (owner, at))?;
        }
    }
    check_common(drop, "buffer", buffer, (owner, at))
}

/// A policy that looks at several VCs against the buffer of `owner` under `key`.
pub(super) fn check_common(
    drop: Drop,
    key: &str,
    buffer: Buffer,
    (owner, at): (&str, &Range<usize>),
) -> Result<(), Fault> {
    let (Some(does), Buffer::PerVc(_)) = (drop.needs_common_buffer(), buffer) else {
        return Ok(());
    };
    let message = format!(
        "`{owner}.drop.{}` {does}, and `{owner}.{key}` is `per_vc`; expected `per_port` or \
         `shared`",
        drop.word()
    );
    Err(Fault::new(at, message))
}

/// Where Z is each VC's own, some VC must have one.
pub(super) fn scales(written: &Written, scenario: &Scenario) -> Result<(), Fault> {
    let services = scenario.flows.iter().map(|flow| flow.service);
    let mut services = services.chain(scenario.vcs.iter().map(|vc| vc.service));
    if services.any(|service| matches!(service, Service::Gfr(_))) {
        return Ok(());
    }
    let switches = written.switches.iter().map(|section| {
        let WrittenSwitch { switch, drop_at, .. } = &section.body;
        ("switch", &section.name.value, switch.drop, drop_at)
    });
    let edges = written.edges.iter().map(|section| {
        let WrittenEdge { edge, drop_at, .. } = &section.body;
        ("edge", &section.name.value, edge.drop, drop_at)
    });
    let of_service = |(kind, name, drop, at): (_, _, Drop, _)| {
        drop.word_of_service().map(|(key, word)| (kind, name, [drop.word(), key], word, at))
    };
    let Some((kind, name, [policy, key], word, at)) = switches.chain(edges).find_map(of_service)
    else {
        return Ok(());
    };
    let message = format!(
        "`{kind}.{name}.drop.{policy}.{key}` is `{word}`, and no circuit has a `service.gfr` to \
         say it; expected one, or another `{key}`"
    );
    Err(Fault::new(at, message).below(&[policy, key]))
}

/// What a buffer without limit does not say: whether there are cells or packets in it.
fn check_unit(
    keys: Keys,
    threshold: Threshold,
    leaving: Outputs,
    (owner, at): (&str, &Range<usize>),
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
    Err(Fault::new(at, message).below(&keys))
}

fn check_one(
    keys: Keys,
    threshold: Threshold,
    size: Option<CellsOrPackets>,
    (owner, at): (&str, &Range<usize>),
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
            misfit(owner, &key, "cells", "packets")
        }
        (Threshold::Units(CellsOrPackets::Packets(_)), Some(CellsOrPackets::Cells(_))) => {
            misfit(owner, &key, "packets", "cells")
        }
        _ => return Ok(()),
    };
    Err(Fault::new(at, message).below(&keys))
}

fn above(owner: &str, key: &str, count: u64, unit: &str, size: u64) -> String {
    format!(
        "`{owner}.drop.{key}` of {count} {unit} is above the buffer of {size}; expected at most \
         that"
    )
}

fn misfit(owner: &str, key: &str, unit: &str, of_buffer: &str) -> String {
    format!(
        "`{owner}.drop.{key}` counts {unit}, and `{owner}.buffer` {of_buffer}; expected the same \
         unit"
    )
}

fn check_order(
    (low_keys, low): (Keys, Threshold),
    (high_keys, high): (Keys, Threshold),
    size: Option<CellsOrPackets>,
    (owner, at): (&str, &Range<usize>),
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
    Err(Fault::new(at, message).below(&low_keys))
}

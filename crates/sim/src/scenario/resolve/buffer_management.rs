//! Whether a drop policy fits the buffer that it is for.

use std::ops::Range;

use crate::scenario::buffer_management::{Drop, Threshold, ThresholdKeys};
use crate::scenario::fault::Fault;
use crate::scenario::resolve::checks::room;
use crate::scenario::resolved::{Buffer, Room};
use crate::units::{Cells, Packets};

/// The policy of `owner`, which stands at `at`.
pub(super) fn check(drop: Drop, buffer: Buffer, (owner, at): (&str, &Range<usize>)) -> Result<(), Fault> {
    if drop.compares_vcs() && matches!(buffer, Buffer::PerVc(_)) {
        let message = format!(
            "`{owner}.drop.{}` compares VCs that share a buffer, and `{owner}.buffer` is `per_vc`; expected `per_port` \
             or `shared`",
            drop.word()
        );
        return Err(Fault::new(at, message));
    }
    let size = room(buffer);
    for in_order in drop.thresholds() {
        for &(keys, threshold) in &in_order {
            check_one(keys, threshold, size, (owner, at))?;
        }
        for pair in in_order.windows(2) {
            check_order(pair[0], pair[1], size, (owner, at))?;
        }
    }
    Ok(())
}

fn check_one(
    keys: ThresholdKeys,
    threshold: Threshold,
    size: Option<Room>,
    (owner, at): (&str, &Range<usize>),
) -> Result<(), Fault> {
    let key = keys.join(".");
    let message = match (threshold, size) {
        (Threshold::OfBuffer(part), None) => format!(
            "`{owner}.drop.{key}` of {part} is a part of a buffer without limit; expected a limit of `{owner}.buffer`, \
             or an amount such as `\"256 cell\"`"
        ),
        (Threshold::Units(Room::Cells(Cells(count))), Some(Room::Cells(Cells(size)))) if count > size => {
            above(owner, &key, count, "cells", size)
        }
        (Threshold::Units(Room::Packets(Packets(count))), Some(Room::Packets(Packets(size))))
            if count > size =>
        {
            above(owner, &key, count, "packets", size)
        }
        (Threshold::Units(Room::Cells(_)), Some(Room::Packets(_))) => misfit(owner, &key, "cells", "packets"),
        (Threshold::Units(Room::Packets(_)), Some(Room::Cells(_))) => misfit(owner, &key, "packets", "cells"),
        _ => return Ok(()),
    };
    Err(Fault::new(at, message).below(keys))
}

fn above(owner: &str, key: &str, count: u64, unit: &str, size: u64) -> String {
    format!("`{owner}.drop.{key}` of {count} {unit} is above the buffer of {size}; expected at most that")
}

fn misfit(owner: &str, key: &str, unit: &str, of_buffer: &str) -> String {
    format!("`{owner}.drop.{key}` counts {unit}, and `{owner}.buffer` {of_buffer}; expected the same unit")
}

fn check_order(
    (low_keys, low): (ThresholdKeys, Threshold),
    (high_keys, high): (ThresholdKeys, Threshold),
    size: Option<Room>,
    (owner, at): (&str, &Range<usize>),
) -> Result<(), Fault> {
    let units = size.map(|size| match size {
        Room::Cells(Cells(size)) | Room::Packets(Packets(size)) => size,
    });
    let [in_units, limit] = [low, high].map(|threshold| threshold.of(units));
    if in_units <= limit {
        return Ok(());
    }
    let high_key = high_keys[high_keys.len() - 1];
    let message = format!(
        "`{owner}.drop.{}` of {low} is above the `{high_key}` of {high}; expected at most that",
        low_keys.join(".")
    );
    Err(Fault::new(at, message).below(low_keys))
}

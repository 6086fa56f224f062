//! ACK thinning: a device on the line lets through only some of the ACKs of each direction of a
//! connection, as satellite modems and drivers of wireless networks do to spare a narrow way back.
//!
//! Of ACKs alone that raise the number, one in `one_in` passes, and any that comes `longest_gap` or
//! more after the last one that passed. ACKs that do not raise it (duplicates, updates of the
//! window), those with SACK blocks, SYN, FIN and everything with data pass. The device is at the
//! sending end: what it takes away has had its time on this line, and spares all links behind it.
//!
//! RFC 3449 (Balakrishnan, Padmanabhan, Fairhurst, Sooriyabandara, 2002), section 5.2, has the
//! family of such schemes. Decided here: a device without a timer, so the last ACK of a burst may
//! be lost, and a sender that needs it waits for its timeout.
//! [`AckFilter`](crate::switch::AckFilter) takes ACKs away only where a later one waits.

use std::collections::BTreeMap;

use super::plan::{ImpairmentPlan, Site};
use super::{Fate, Impairment, Sent};
use crate::language::part::prelude::*;
use crate::pdu::{Flags, Frame, SackOption};
use crate::units::{Span, Time};

part! {
    /// Part of the ACKs that pass.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AckThinning {
        /// Number of ACKs of one direction of which one passes.
        one_in: u32 = required("4") as Kind::Integer { min: 2, max: 1000 },
        /// Time since the last ACK that passed after which the next one does.
        longest_gap: Span = default("10 ms", "\"50 ms\"") as POSITIVE_TIME,
    }
}

impl ImpairmentPlan for AckThinning {
    fn not_for_cells(&self) -> Option<&'static str> {
        Some("a cell is a part of a packet, and the device reads whole ones")
    }

    fn is_random(&self) -> bool {
        false
    }

    fn build(&self, _site: &Site<'_>) -> Box<dyn Impairment> {
        Box::new(Thinning { plan: *self, directions: BTreeMap::new() })
    }
}

/// ACKs of one direction of a connection.
#[derive(Clone, Copy, Debug)]
struct Passed {
    /// Highest number so far.
    number: u64,
    /// ACKs taken away since the last one that passed.
    since: u32,
    /// Instant at which that one was sent.
    at: Time,
}

/// The device of one direction of a link.
#[derive(Debug)]
struct Thinning {
    plan: AckThinning,
    /// By direction and key of the packets.
    directions: BTreeMap<(u32, u32), Passed>,
}

impl Impairment for Thinning {
    fn name(&self) -> &'static str {
        "ack_thinning"
    }

    fn judge(&mut self, unit: &Sent<'_>) -> Fate {
        let Some(frame) = unit.frame.filter(|frame| is_plain_ack(frame)) else {
            return Fate::Delivered;
        };
        let number = frame.segment.ack;
        let first = Passed { number, since: 0, at: unit.at };
        let passed = match self.directions.entry((frame.direction, frame.key())) {
            std::collections::btree_map::Entry::Vacant(new) => {
                new.insert(first);
                return Fate::Delivered;
            }
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
        };
        if number <= passed.number {
            return Fate::Delivered;
        }
        passed.number = number;
        let is_late = unit.at - passed.at >= self.plan.longest_gap;
        if is_late || passed.since + 1 >= self.plan.one_in {
            *passed = first;
            return Fate::Delivered;
        }
        passed.since += 1;
        Fate::Lost
    }
}

/// True if a packet has an ACK and nothing else.
fn is_plain_ack(frame: &Frame) -> bool {
    let segment = &frame.segment;
    let has_control = [Flags::SYN, Flags::FIN].iter().any(|flag| segment.flags.contains(*flag));
    segment.flags.contains(Flags::ACK)
        && !has_control
        && segment.is_pure_ack()
        && segment.sack == SackOption::ABSENT
}

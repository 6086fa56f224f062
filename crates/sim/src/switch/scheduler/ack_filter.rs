//! ACK filter: of the ACKs of a connection that wait for the line, those go that a later one
//! replaces (Balakrishnan, Padmanabhan, Fairhurst, Sooriyabandara: RFC 3449, 2002, section 5.2.1;
//! the conditions are those of the filter in `sch_cake` of Linux, 2018).
//!
//! An ACK that joins a queue, alone or with data, is compared with the packets of its direction
//! that wait there. One of these is redundant if it carries nothing but an ACK, with no flag that
//! tells more, and the new one tells all that it tells and more: a higher number, or the same and
//! more SACK blocks, and no earlier timestamps. So duplicate ACKs, reports of duplicates (D-SACK),
//! SYN and FIN stay, as do congestion headers, whose grants are summed. `conservative`: the first
//! of two redundant ones without a change of ECE or CWR between them goes, so that of a row of ACKs
//! every second one may go. `aggressive`: also one alone that is the last of its direction, with
//! ECE and CWR as the new one has them. At most one ACK goes for each that comes.
//!
//! Decided here: a packet that a policy or a full buffer refuses replaces none; only where flows
//! have queues, a full one is no reason. Departures: ACKs
//! of accurate ECN with the flag AE stay, others are told apart by ECE and CWR alone, as in Linux;
//! in a queue of several flows Linux has no such filter. Packets of flows whose traffic is made
//! outside carry no ACK that a queue can read, and stay.

use super::Waiting;
use crate::engine::Frames;
use crate::language::part::prelude::*;
use crate::pdu::{ContentId, Flags, Frame, Segment};

variants! {
    /// `switch.ack_filter` and `edge.ack_filter`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AckFilter {
        /// Every ACK is sent.
        None = "none",
        /// Removes waiting ACKs that a later one replaces, but the last of them.
        Conservative = "conservative",
        /// Removes all waiting ACKs that a later one replaces.
        Aggressive = "aggressive",
    }
}

impl AckFilter {
    /// Place of the packet that goes as `new` comes, among those that wait in its queue.
    pub(super) fn redundant<'w>(
        self,
        waiting: impl Iterator<Item = &'w Waiting>,
        new: &Waiting,
        frames: &Frames,
    ) -> Option<usize> {
        let frame = |one: &Waiting| frames.look(ContentId(one.cell.head.tag()));
        let new = frame(new);
        if !new.segment.flags.contains(Flags::ACK) || new.segment.flags.contains(Flags::SYN) {
            return None;
        }
        let beside = waiting.map(frame).enumerate();
        self.first_redundant(beside.filter(|(_, one)| is_of_one_flow(one, new)), &new.segment)
    }

    fn first_redundant<'f>(
        self,
        of_flow: impl Iterator<Item = (usize, &'f Frame)>,
        new: &Segment,
    ) -> Option<usize> {
        let (mut found, mut is_last) = (None, false);
        for (place, Frame { segment, .. }) in of_flow {
            found = found.filter(|(_, marks)| *marks == marks_of(segment));
            is_last = false;
            if is_replaced(segment, new) {
                if let Some((first, _)) = found {
                    return Some(first);
                }
                found = Some((place, marks_of(segment)));
                is_last = true;
            }
        }
        let (place, marks) = found.filter(|_| self == Self::Aggressive && is_last)?;
        (marks == marks_of(new)).then_some(place)
    }
}

/// True if both packets travel in one direction of one connection.
fn is_of_one_flow(one: &Frame, other: &Frame) -> bool {
    one.direction == other.direction && one.key() == other.key()
}

/// ECE and CWR of a segment.
fn marks_of(segment: &Segment) -> [bool; 2] {
    [Flags::ECE, Flags::CWR].map(|flag| segment.flags.contains(flag))
}

/// True if `old` is an ACK alone and `new` tells more.
fn is_replaced(old: &Segment, new: &Segment) -> bool {
    let tells_more = [Flags::SYN, Flags::FIN, Flags::AE].map(|flag| old.flags.contains(flag));
    let is_ack = old.flags.contains(Flags::ACK) && old.is_pure_ack();
    let has_report = old.duplicate().is_some() || old.sack.header().is_some();
    if !is_ack || tells_more.contains(&true) || has_report {
        return false;
    }
    let is_newer = new.ack > old.ack || (new.ack == old.ack && reported(new) > reported(old));
    is_newer && reports_all_of(old, new) && is_stamped_no_later(old, new)
}

/// Bytes in the SACK blocks of a segment.
fn reported(segment: &Segment) -> u64 {
    segment.sacked().map(|(start, end)| end.saturating_sub(start)).sum()
}

/// True if `new` acknowledges or reports every block of `old`.
fn reports_all_of(old: &Segment, new: &Segment) -> bool {
    old.sacked().all(|(start, end)| {
        end <= new.ack || new.sacked().any(|(from, to)| from <= start && end <= to)
    })
}

/// True if the timestamps of `old` are not behind those of `new` in the order of RFC 7323 §5.2.
fn is_stamped_no_later(old: &Segment, new: &Segment) -> bool {
    let is_stamped = |segment: &Segment| segment.flags.contains(Flags::TIMESTAMPS);
    let is_no_later = |old: u32, new: u32| new.wrapping_sub(old).cast_signed() >= 0;
    let ([old_value, new_value], [old_echo, new_echo]) = (
        [old, new].map(|segment| segment.timestamps.value),
        [old, new].map(|segment| segment.timestamps.echo),
    );
    is_stamped(old) == is_stamped(new)
        && is_no_later(old_value, new_value)
        && is_no_later(old_echo, new_echo)
}

#[cfg(test)]
mod tests;

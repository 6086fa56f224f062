//! `[flow.NAME.pacing]`: a host that sends a flow at a rate instead of as fast as its link.

use crate::language::part::prelude::*;
use crate::link::feedback::PacingRate;
use crate::units::{CellsOrPackets, Span};

/// Shortest interval, so that a flow that sends nothing costs at most a million events a second.
const SHORTEST: Span = Span::from_microseconds(1);

/// Maximum number of sharers: that of the members of a family.
const MOST_SHARERS: u64 = 100_000;

variants! {
    /// Segments that leave a host at a rate.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Paced {
        /// Segments with data, at the sender.
        Data = "data",
        /// Acknowledgements, at the receiver: each waits as long as the data that it acknowledges
        /// take at the rate.
        Acknowledgements = "acknowledgements",
    }
}

part! {
    /// `[flow.NAME.pacing]` as a file has it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PacingSection {
        /// The link whose capacity is followed and whose bits are counted: on the flow's path, or
        /// on the path of its relay.
        link: String = required("\"bottleneck\"") as Kind::Link,
        /// Feedback to the source, or a constant rate.
        rate: PacingRate = required("\"instcap\""),
        /// Segments that leave at that rate: the data at the sender, or the acknowledgements at the
        /// receiver, so that the data that they release come at it.
        paces: Paced = default("data", "\"acknowledgements\""),
        /// s: the interval over which a sample of the capacity is measured and then reported.
        interval: Span = default("30 ms", "\"10 ms\"") as Kind::Time { min: SHORTEST },
        /// Time from the end of an interval until the source receives the report. For a link on the
        /// relay's path it is part of the path.
        delay: Option<Span> = absent(
            "the propagation delay of the path, there and back", "\"0 s\""
        ) as ANY_TIME,
        /// Number of connections that share the capacity equally.
        sharers: Option<u64> = absent("the flows with `pacing` that name the link", "2")
            as Kind::Integer { min: 1, max: MOST_SHARERS },
        /// Units that may wait at the source; further ones are discarded.
        buffer: Option<CellsOrPackets> = absent("no limit", "\"100 packet\"") as Kind::Room,
    }
}

/// The pacing of a flow with its link.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowPacing {
    /// Index of the link, in the direction of the data.
    pub link: usize,
    /// Segments that leave at the rate.
    pub paces: Paced,
    /// Feedback to the source, or a constant rate.
    pub rate: PacingRate,
    /// s, the interval of the samples.
    pub interval: Span,
    /// Time from the end of an interval until the source receives the report.
    pub delay: Span,
    /// The propagation delay of the path, there and back.
    pub round_trip: Span,
    /// Number of connections that share the capacity equally.
    pub sharers: u64,
    /// Units that may wait; `None` for no limit.
    pub buffer: Option<CellsOrPackets>,
}

impl FlowPacing {
    /// Number of samples in a round trip, at least one: ceil(D/s).
    pub const fn samples_of_round_trip(&self) -> u64 {
        let (round_trip, interval) = (self.round_trip.picoseconds(), self.interval.picoseconds());
        let samples = (round_trip as u64).div_ceil(interval as u64);
        if samples == 0 { 1 } else { samples }
    }
}

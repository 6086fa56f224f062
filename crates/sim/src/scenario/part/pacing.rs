//! `[flow.NAME.pacing]`: a host that sends a flow at a rate, and not as fast as its link.

use crate::language::part::prelude::*;
use crate::link::feedback::PacingRate;
use crate::units::{CellsOrPackets, Span};

/// At most so many instants a second are computed for a flow that sends nothing.
const SHORTEST: Span = Span::from_microseconds(1);

/// As many as a family has members.
const MOST_SHARERS: u64 = 100_000;

variants! {
    /// What leaves a host at a rate.
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
        /// The link whose capacity is followed, and as on which bits are counted: of the flow's path,
        /// or of that of its relay.
        link: String = required("\"bottleneck\"") as Kind::Link,
        /// What is fed back to the source, or a constant.
        rate: PacingRate = required("\"instcap\""),
        /// What leaves at that rate: the data at the sender, or at the receiver its acknowledgements,
        /// so that what each of them lets go comes at it.
        paces: Paced = default("data", "\"acknowledgements\""),
        /// s: over which a sample of the capacity is measured, and after which it is reported.
        interval: Span = default("30 ms", "\"10 ms\"") as Kind::Time { min: SHORTEST },
        /// From the end of an interval until the source hears of it. Where the link is of the relay's
        /// path, that is part of the path.
        delay: Option<Span> = absent(
            "the propagation delay of the path, there and back", "\"0 s\""
        ) as ANY_TIME,
        /// How many connections share the capacity equally.
        sharers: Option<u64> = absent("the flows with `pacing` that name the link", "2")
            as Kind::Integer { min: 1, max: MOST_SHARERS },
        /// How many units may wait at the source; what finds more is discarded.
        buffer: Option<CellsOrPackets> = absent("no limit", "\"100 packet\"") as Kind::Room,
    }
}

/// The pacing of a flow, with its link.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowPacing {
    /// Index of the link, in the direction of the data.
    pub link: usize,
    /// What leaves at the rate.
    pub paces: Paced,
    /// What is fed back, or a constant.
    pub rate: PacingRate,
    /// s.
    pub interval: Span,
    /// From the end of an interval until the source hears of it.
    pub delay: Span,
    /// The propagation delay of the path, there and back.
    pub round_trip: Span,
    /// How many connections share the capacity equally.
    pub sharers: u64,
    /// How many units may wait; `None`: no limit.
    pub buffer: Option<CellsOrPackets>,
}

impl FlowPacing {
    /// ceil(D/s): the samples of a round trip, one at least.
    pub const fn samples_of_round_trip(&self) -> u64 {
        let (round_trip, interval) = (self.round_trip.picoseconds(), self.interval.picoseconds());
        let samples = (round_trip as u64).div_ceil(interval as u64);
        if samples == 0 { 1 } else { samples }
    }
}

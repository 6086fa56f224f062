//! What the parts of a network take before anything travels, and what their distributions will.
//!
//! The sizes are measured: by how much a process grew for each part, with what the summary says of
//! it, in runs of two to a hundred thousand of them. The types change too often to add theirs up,
//! and most of what they own lies elsewhere. `python/verification/test_memory.py` measures again.

use crate::engine::Memory;
use crate::scenario::{NodeRef, Scenario};
use crate::units::Span;

/// Bytes of a host without its interfaces.
const HOST: usize = 3_000;
/// Of one direction of a link, with the interface that sends onto it and the port that hears it.
const LINK: usize = 3_000;
/// Of what a switch or an edge has for a direction that it sends onto.
const PORT: usize = 3_500;
/// Of both ends of a flow, and of the circuits that it travels in.
const FLOW: usize = 8_000;
/// Of a doubling of delays in a histogram; below 2^11 ps they share the first two.
const DOUBLING: usize = 1_024 * size_of::<u64>();
/// Few delays are longer; those of a second take a quarter more memory.
const LONG: Span = Span::from_picoseconds(10_000_000_000);

/// What a run may take, and what its parts take of that.
pub(super) fn memory_of(scenario: &Scenario) -> Memory {
    let limit = usize::try_from(scenario.run.memory_limit.0).unwrap_or(usize::MAX);
    let parts = scenario.hosts.len() * HOST
        + scenario.links.len() * LINK
        + scenario.links.iter().filter(|link| !matches!(link.from, NodeRef::Host(_))).count()
            * PORT
        + scenario.flows.len() * FLOW;
    Memory::new(limit, parts)
}

/// Bytes of the counted delays of a queue or a flow in a run of this duration: of delays up to its
/// length, or up to 10 ms if that is shorter.
pub(super) fn bytes_of_delays(duration: Span) -> usize {
    let longest = duration.min(LONG).picoseconds().max(1).ilog2() as usize;
    longest.saturating_sub(9) * DOUBLING
}

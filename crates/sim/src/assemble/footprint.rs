//! Memory of the parts of a network before anything travels, and of their distributions later.
//!
//! The sizes are measured: the growth of a process for each part, including its summary, in runs of
//! two to a hundred thousand of them. The sizes of the types are not added up, since they change
//! too often and most of their memory lies elsewhere. `python/verification/test_memory.py` measures
//! again.

use crate::engine::Memory;
use crate::scenario::{NodeRef, Scenario};
use crate::units::Span;

/// Bytes of a host without its interfaces.
const HOST: usize = 3_000;
/// Bytes of one direction of a link, with the interface that sends onto it and the port that
/// receives.
const LINK: usize = 3_000;
/// Bytes of an output port of a switch or an edge.
const PORT: usize = 3_500;
/// Bytes of both ends of a flow and of its circuits.
const FLOW: usize = 8_000;
/// Bytes of a doubling of delays in a histogram; below 2^11 ps they share the first two.
const DOUBLING: usize = 1_024 * size_of::<u64>();
/// Delay that few exceed; delays up to a second take a quarter more memory.
const LONG: Span = Span::from_picoseconds(10_000_000_000);

/// Memory limit of a run, and the memory of its parts.
pub(super) fn memory_of(scenario: &Scenario) -> Memory {
    let limit = usize::try_from(scenario.run.memory_limit.0).unwrap_or(usize::MAX);
    let parts = scenario.hosts.len() * HOST
        + scenario.links.len() * LINK
        + scenario.links.iter().filter(|link| !matches!(link.from, NodeRef::Host(_))).count()
            * PORT
        + scenario.flows.len() * FLOW;
    Memory::new(limit, parts)
}

/// Bytes of the counted delays of a queue or a flow in a run with this duration: for delays up to
/// its length, or up to 10 ms if that is shorter.
pub(super) fn bytes_of_delays(duration: Span) -> usize {
    let longest = duration.min(LONG).picoseconds().max(1).ilog2() as usize;
    longest.saturating_sub(9) * DOUBLING
}

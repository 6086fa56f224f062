//! Memory of the ends of a flow.

use super::*;
use crate::engine::Link;

/// Bytes that the ends of a flow may take before anything is sent, with a host and an interface at
/// either side and their four links. The cost of a packet depends on it where a thousand flows do
/// not fit into the cache.
const MOST: usize = 3_000;

#[test]
fn the_ends_of_a_flow_are_small() {
    let parts =
        [size_of::<Host>(), size_of::<Endpoint>(), size_of::<Nic>(), size_of::<Termination>()];
    let link = size_of::<Link>();
    let all = 2 * parts.iter().sum::<usize>() + 4 * link;
    assert!(
        all <= MOST,
        "the ends of a flow take {all} bytes ({parts:?} at each side, {link} a link), at most \
         {MOST}: what few flows use belongs in a box that is made when it is used first"
    );
}

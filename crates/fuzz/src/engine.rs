//! The engine under random small networks: those of the random-network tests, drawn from octets,
//! with all that holds of them.

use super::dice;

#[allow(dead_code, reason = "proxies are added to networks by the tests")]
#[path = "../../sim/tests/networks/network.rs"]
mod network;
#[path = "../../sim/tests/networks/parts.rs"]
pub(crate) mod parts;
#[allow(dead_code, reason = "counts of networks are of the tests")]
#[path = "../../sim/tests/networks/properties.rs"]
mod properties;
#[path = "../../sim/tests/networks/relays.rs"]
mod relays;
#[path = "../../sim/tests/networks/services.rs"]
mod services;

use network::Network;

/// Draws a network and checks it, unless it is none.
pub(crate) fn run(octets: &[u8]) {
    let mut dice = dice::Dice::of(octets);
    let number = dice.between(0, u64::from(u16::MAX));
    let _ = properties::check(&Network::drawn(number, &mut dice));
}

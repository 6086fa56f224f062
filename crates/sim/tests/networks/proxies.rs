//! Random networks in which proxies split every flow that may be split: the same properties, and
//! bytes that are conserved over all connections.

use super::dice::Dice;
use super::network::{Network, Observed};
use super::number;
use super::properties::{PROXY, Tally, check};
use cellway_sim::scenario::{Scenario, Source};

/// Number of networks of which one has proxies.
const ONE_OF: u64 = 8;

#[test]
fn random_networks_with_proxies_keep_their_books() {
    let (first, wanted) = (number("FIRST_NETWORK", 0), number("RANDOM_NETWORKS", 200) / ONE_OF);
    let networks = (first..first + 100 * wanted.max(1)).map(Network::new);
    let mut tally = Tally::default();
    for network in networks.filter_map(with_proxies).take(wanted as usize) {
        match check(&network) {
            Ok(seen) => tally.count(&seen),
            Err(invalid) => panic!("network {}: {invalid}", network.number),
        }
    }
    assert_eq!(tally.valid, wanted);
    assert!(wanted < 20 || tally.proxies > wanted / 2, "{} of {wanted}", tally.proxies);
}

/// The network with a proxy at each node of some flow, as far as they fit; `None` if none does.
fn with_proxies(network: Network) -> Option<Network> {
    let text = network.text(network.duration, network.warm_up, Observed::Nothing);
    let mut dice = Dice::new(network.number).apart();
    let named = |kind: &str| {
        let names = text.lines().filter_map(|line| line.strip_prefix(kind)?.strip_suffix(']'));
        names.map(str::to_owned).collect::<Vec<String>>()
    };
    let mut proxies = String::new();
    for node in [named("[switch."), named("[edge.")].concat() {
        let buffer = dice.pick(&["\"send_buffer\"", "{ per_connection = \"9 kB\" }"]);
        let shared = "{ shared = \"20 kB\" }";
        let proxy = |flows: &str| {
            let buffer = if node.len() % 2 == 0 { buffer } else { shared };
            format!(
                "[proxy.{PROXY}{node}]\nat = \"{node}\"\nflows = [{flows}]\nbuffer = {buffer}\n"
            )
        };
        let is_split = |flow: &&String| {
            let text = format!("{text}{proxies}{}", proxy(&format!("\"{flow}\"")));
            Scenario::parse(Source { origin: "network.toml", text: &text }, &[]).is_ok()
        };
        let flows = named("[flow.");
        let split: Vec<String> =
            flows.iter().filter(is_split).map(|flow| format!("\"{flow}\"")).collect();
        if !split.is_empty() {
            proxies += &proxy(&split.join(", "));
        }
    }
    (!proxies.is_empty()).then(|| network.with(&proxies))
}

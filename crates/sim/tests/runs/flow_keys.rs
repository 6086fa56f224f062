//! Keys of opaque packets: where packets are queued by flow, every connection inside an external
//! flow has its queue.

use cellway_sim::Pause;
use cellway_sim::Simulation;
use cellway_sim::pdu::Packet;
use cellway_sim::units::{Span, Time};

use super::network::Network;
use super::scenario;

const SECONDS: i64 = 2;
/// Packets of 1500 B that 10 Mbit/s carry in this time.
const CARRIED: usize = 1666;
const ROOM: &str = "buffer.per_port = \"100 packet\"";

/// A port of 10 Mbit/s that an external flow of two connections passes, and perhaps a simulated
/// one.
fn port(rules: &str, simulated: bool) -> Network {
    let rates = ["100 Mbit/s of line", "10 Mbit/s of line"];
    let network = Network::line(&format!("{SECONDS} s"), rates, "1 ms").at("switch.s", rules).flow(
        "call",
        ["a", "b"],
        "traffic = \"greedy\"\ntcp = { mtu = \"1500 B\" }",
    );
    // 1500 B with the headers, 20 Mbit/s of them.
    let voice = "traffic.cbr = { rate = \"19.63 Mbit/s of payload\", datagram = \"1472 B\" }";
    if simulated { network.flow("voice", ["a", "b"], voice) } else { network }
}

/// Packets that arrive of each of two connections, which send one every so many microseconds with
/// these keys, and of the simulated flow.
fn arrived(network: &Network, gaps: [i64; 2], keys: [u32; 2]) -> [usize; 3] {
    let scenario = scenario(network);
    let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
    let [from, _] = simulation.ends("call").expect("it is external");
    for (index, (gap, key)) in gaps.into_iter().zip(keys).enumerate() {
        for number in 0..SECONDS * 1_000_000 / gap {
            let at = Time::ZERO + Span::from_microseconds(number * gap + index as i64);
            let packet = Packet::opaque(1500, index as u64).with_key(key);
            simulation.send(at, from, packet).expect("it is not past");
        }
    }
    let mut arrived = [0; 3];
    while simulation.run_until(simulation.end()).expect("packets are few") != Pause::AtBarrier {
        for arrival in simulation.take_arrivals() {
            let index = arrival.packet.index() as usize;
            assert_eq!(arrival.packet.key(), keys[index]);
            arrived[index] += 1;
        }
    }
    let outcome = simulation.finish().expect("packets are few");
    let simulated = outcome.summary.flows.get("voice").and_then(|voice| voice.datagrams);
    arrived[2] = simulated.map_or(0, |counted| counted.delivered as usize);
    arrived
}

fn are_near(found: usize, expected: usize) -> bool {
    found.abs_diff(expected) * 50 < expected
}

/// Two that fill the line by themselves have half of it each, whatever one of them sends, and one
/// that sends less than half loses nothing.
#[test]
fn connections_of_one_flow_share_equally() {
    for rules in ["drop = \"fq_codel\"", "drop.fq_codel.queues = \"per_flow\""] {
        let network = port(&format!("{ROOM}\n{rules}"), false);
        for gaps in [[1200, 1200], [1000, 300]] {
            let [one, other, _] = arrived(&network, gaps, [7, 9]);
            assert!(are_near(one, CARRIED / 2), "{rules}: {one} {other}");
            assert!(are_near(other, CARRIED / 2), "{rules}: {one} {other}");
        }
        let [sparse, flood, _] = arrived(&network, [4000, 300], [7, 9]);
        assert!(sparse >= 498 && are_near(flood, CARRIED - 500), "{rules}: {sparse} {flood}");
        // Without keys both wait in one queue.
        let [sparse, _, _] = arrived(&network, [4000, 300], [0, 0]);
        assert!(sparse < 250, "{rules}: {sparse}");
    }
}

/// Deficit round robin with room for all: without keys the parts are as what is sent.
#[test]
fn round_robin_serves_connections_in_turn() {
    let network = port("buffer = \"infinite\"\nscheduler = \"drr\"", false);
    for (keys, expected) in [([7, 9], CARRIED / 2), ([0, 0], CARRIED / 5)] {
        let [slow, fast, _] = arrived(&network, [1200, 300], keys);
        assert!(are_near(slow, expected) && are_near(fast, CARRIED - expected), "{slow} {fast}");
    }
}

/// A simulated flow has a queue of its own whatever the keys, and one connection with the key zero
/// is that of its flow.
#[test]
fn a_key_leads_to_no_queue_of_another_flow() {
    let network = port(&format!("{ROOM}\ndrop.fq_codel.queues = \"per_flow\""), true);
    for keys in [[1, 2], [0, 1], [u32::MAX, 0]] {
        let found = arrived(&network, [1200, 300], keys);
        assert!(found.iter().all(|count| are_near(*count, CARRIED / 3)), "{keys:?} {found:?}");
    }
    let [one, other, voice] = arrived(&network, [600, 600], [5, 5]);
    assert!(are_near(one + other, CARRIED / 2) && are_near(voice, CARRIED / 2));
}

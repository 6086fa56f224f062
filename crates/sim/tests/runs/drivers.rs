//! What a driver of external flows is told of its packets, and adds to the results.

use std::collections::{BTreeMap, BTreeSet};

use cellway_sim::capture::CapturePoints;
use cellway_sim::engine::Place;
use cellway_sim::pdu::{CapturedUnit, Ecn, FlowEnd, Packet};
use cellway_sim::scenario::Scenario;
use cellway_sim::units::{Span, Time};
use cellway_sim::{Pause, RunError, Simulation};
use proptest::prelude::*;

use super::external::{CALL, shared_path, twelve_times};
use super::network::Network;
use super::{outcome_of, scenario};

fn milliseconds(count: i64) -> Time {
    Time::ZERO + Span::from_milliseconds(count)
}

/// `call` and `bulk` fill a small buffer together, and `impaired` adds losses of the line behind.
fn lossy(carries: &str, impaired: bool) -> Scenario {
    let network = shared_path(carries, 4000, ["c", "d"], "traffic = \"greedy\"\ntcp = {}");
    let loss = if impaired { "0.05" } else { "0" };
    scenario(&network.at("link.mid", &format!("impairments.loss = {loss}")))
}

/// At a barrier a packet is inside, has arrived, or is lost. Only one that is lost may be inside,
/// while a link sends its last cell.
#[test]
fn every_packet_is_inside_or_arrived_or_lost() {
    let inputs = (any::<bool>(), any::<bool>(), 20_u32..3000, 300_i64..20_000);
    twelve_times(&inputs, |(cells, impaired, bytes, pause)| {
        let scenario = lossy(if cells { "cells" } else { "packets" }, impaired);
        let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
        let mut sent = BTreeSet::new();
        let (mut arrived, mut lost) = (BTreeSet::new(), BTreeMap::new());
        while simulation.now() < simulation.end() {
            let now = simulation.now();
            for (place, end) in [CALL, CALL.other()].into_iter().enumerate() {
                let index = sent.len() as u64;
                let at = now + Span::from_microseconds(place as i64);
                simulation.send(at, end, Packet::opaque(bytes, index)).expect("now is not past");
                sent.insert((end, index));
            }
            let barrier = now + Span::from_microseconds(pause);
            while simulation.run_until(barrier).expect("packets are few") != Pause::AtBarrier {
                let packets = simulation.take_arrivals();
                arrived.extend(packets.map(|one| (one.end.other(), one.packet.index())));
            }
            for loss in simulation.take_losses() {
                prop_assert!(now <= loss.at || loss.at < simulation.now());
                let before = lost.insert((loss.from, loss.index), loss.place);
                prop_assert_eq!(before, None, "a packet is lost once");
            }
            let inside: BTreeSet<(FlowEnd, u64)> = simulation.packets_inside().collect();
            prop_assert!(arrived.is_disjoint(&inside));
            prop_assert!(lost.keys().all(|packet| !arrived.contains(packet)));
            let known = arrived.iter().chain(lost.keys()).chain(&inside);
            prop_assert_eq!(known.copied().collect::<BTreeSet<(FlowEnd, u64)>>().len(), sent.len());
        }
        prop_assert!(!arrived.is_empty());
        let on_line = lost.values().any(|place| matches!(place, Place::Link(_)));
        prop_assert!(impaired || !on_line);
        Ok(())
    });
}

/// Of forty packets RED marks some of those that say ECT, and discards some of the others.
#[test]
fn a_mark_arrives_with_the_packet() {
    let red =
        "{ min_threshold = \"1 packet\", max_threshold = \"50 packet\", weight = 1.0, ecn = true }";
    let network = Network::line("1 s", ["100 Mbit/s of line", "1 Mbit/s of line"], "1 ms")
        .at("switch.s", &format!("buffer.per_port = \"60 packet\"\ndrop.red = {red}"))
        .flow("call", ["a", "b"], "traffic = \"greedy\"\ntcp = { mtu = \"1500 B\" }");
    let scenario = scenario(&network);
    let ecn_of_arrivals = |ecn| {
        let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
        let [from, _] = simulation.ends("call").expect("it is external");
        for index in 0..40 {
            let packet = Packet::opaque(1500, index).with_ecn(ecn);
            simulation.send(Time::ZERO, from, packet).expect("time is zero");
        }
        let mut arrived = Vec::new();
        while simulation.run_until(simulation.end()).expect("packets are few") != Pause::AtBarrier {
            arrived.extend(simulation.take_arrivals().map(|arrival| arrival.packet.ecn()));
        }
        assert_eq!(arrived.len() + simulation.take_losses().len(), 40);
        arrived
    };
    let capable = ecn_of_arrivals(Ecn::Capable);
    let marked = capable.iter().filter(|ecn| **ecn == Ecn::Congested).count();
    assert_eq!((capable.len(), marked), (40, 40 - ecn_of_arrivals(Ecn::NotCapable).len()));
    assert!(marked > 0);
}

/// A run that is stopped is one that was meant to last as long.
#[test]
fn a_stopped_run_is_a_shorter_run() {
    let lasting = |duration: &str| {
        let network = Network::line(duration, ["10 Mbit/s of line"; 2], "5 ms");
        let network = network.at("run", "warm_up = \"100 ms\"");
        scenario(&network.greedy("bulk", ["a", "b"], "mtu = \"1500 B\", window = \"64 KiB\""))
    };
    let (long, short) = (lasting("9 s"), lasting("1.3 s"));
    let mut simulation = Simulation::new(&long);
    simulation.run_until(milliseconds(100)).expect("it is small");
    let early = Simulation::new(&long).stop().expect_err("nothing is measured");
    let times = ("0 s".to_owned(), "0.1 s".to_owned());
    assert_eq!(early, RunError::StoppedEarly { now: times.0, warm_up: times.1 });
    assert_eq!(simulation.run_until(milliseconds(1300)), Ok(Pause::AtBarrier));
    let stopped = simulation.stop().expect("it is measured");
    assert_eq!(stopped.summary, outcome_of(&short).summary);
}

/// A packet of a driver is captured when it is handed to the interface and when it has arrived.
#[test]
fn packets_of_drivers_are_captured() {
    let network = Network::line("1 s", ["10 Mbit/s of line"; 2], "5 ms");
    let scenario = scenario(&network.flow("call", ["a", "b"], "traffic = \"greedy\"\ntcp = {}"));
    let points = CapturePoints::at_hosts(&scenario, &["*"]).expect("a flow passes there");
    let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
    simulation.capture(&points);
    let [from, _] = simulation.ends("call").expect("it is external");
    simulation.send(milliseconds(2), from, Packet::opaque(1000, 7)).expect("it is not past");
    // 0.8 ms on each of two lines, and twice 5 ms under way.
    let arrival = milliseconds(2) + Span::from_microseconds(11_600);
    assert_eq!(simulation.run_until(simulation.end()), Ok(Pause::Arrival(arrival)));
    simulation.run_until(simulation.end()).expect("packets are few");
    let captured = simulation.take_captured();
    let captured: Vec<_> = captured
        .map(|one| match one.unit {
            CapturedUnit::Frame(frame) => (one.at, one.is_sent, frame.segment.seq),
            CapturedUnit::Rm { .. } => unreachable!("there is no ABR"),
        })
        .collect();
    assert_eq!(captured, [(milliseconds(2), true, 7), (arrival, false, 7)]);
}

/// A driver that sends only to a free interface. 1000 B take 0.8 ms, or 22 cells; behind a rate
/// that may change nothing is known.
#[test]
fn an_interface_says_when_it_is_free() {
    let free = |carries: &str, keys: &str| {
        let network = Network::line("1 s", [carries; 2], "5 ms");
        let call = format!("traffic = \"greedy\"\ntcp = {{}}\n{keys}");
        let scenario = scenario(&network.flow("call", ["a", "b"], &call));
        let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
        let [from, to] = simulation.ends("call").expect("it is external");
        for index in 0..3 {
            simulation.send(milliseconds(2), from, Packet::opaque(1000, index)).expect("later");
        }
        simulation.run_until(milliseconds(3)).expect("packets are few");
        assert_eq!(simulation.interface_free(to), Some(milliseconds(3)));
        simulation.interface_free(from)
    };
    let line = "10 Mbit/s of line";
    let microseconds = |count| Some(Time::ZERO + Span::from_microseconds(count));
    assert_eq!(free(line, ""), microseconds(4400));
    // 22 cells of 100 us each.
    assert_eq!(free("4.24 Mbit/s of cell", ""), microseconds(2000 + 3 * 2200));
    // The last one leaves the pacer, and takes 10 us of the line.
    let pace = "service.ubr.pace = \"4.24 Mbit/s of cell\"";
    assert_eq!(free("42.4 Mbit/s of cell", pace), microseconds(2000 + 3 * 2200 + 10));
    let rate = "pacing = { link = \"out\", rate.constant = \"4.24 Mbit/s of cell\" }";
    assert_eq!(free("42.4 Mbit/s of cell", rate), None);
}

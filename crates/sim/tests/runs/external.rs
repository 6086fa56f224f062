//! External flows: whatever makes their traffic, the network treats it like that of a simulated
//! source.

use cellway_sim::pdu::{Arrival, FlowEnd, Packet};
use cellway_sim::result::{FlowCounters, Groups, Summary};
use cellway_sim::scenario::Scenario;
use cellway_sim::tcp::{Connection, Role, TickPhases};
use cellway_sim::units::{Span, Time};
use cellway_sim::{Outcome, Pause, SendError, Simulation};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use super::network::Network;
use super::{outcome_of, scenario};

/// Two flows through one port; `call` is between hosts `a` and `b`, which spend no time on
/// segments, and `bulk` between these or others.
fn network(carries: &str, delay: u64, bulk_ends: [&str; 2], call: &str) -> Scenario {
    scenario(&shared_path(carries, delay, bulk_ends, call))
}

/// The same as text.
pub(super) fn shared_path(carries: &str, delay: u64, bulk_ends: [&str; 2], call: &str) -> Network {
    let (buffer, bulk) = match carries {
        "cells" => ("200 cell", "mtu = \"1500 B\", window = \"40 KiB\""),
        _ => ("9 packet", "mtu = \"576 B\", window = \"30 KiB\", recovery = \"sack\""),
    };
    let rate = format!("10 Mbit/s of {}", if carries == "cells" { "cell" } else { "line" });
    Network::lasting("2 s")
        .at("run", "warm_up = \"0.3 s\"")
        .host("a")
        .host("b")
        .host("c")
        .host("d")
        .at("host.c", "cpu_per_segment = \"300 us\"")
        .at("host.d", "cpu_per_segment = \"200 us\"")
        .switch("x")
        .switch("y")
        .at("switch.x", &format!("buffer.per_port = \"{buffer}\""))
        .at("switch.y", &format!("buffer.per_port = \"{buffer}\""))
        .link("a", ["a", "x"], &rate, "7 us")
        .link("c", ["c", "x"], &rate, "13 us")
        .link("mid", ["x", "y"], &rate, &format!("{delay} us"))
        .link("b", ["y", "b"], &rate, "5 us")
        .link("d", ["y", "d"], &rate, "3 us")
        .greedy("bulk", bulk_ends, bulk)
        .at("flow.bulk", "start = \"11.3 ms\"")
        .flow("call", ["a", "b"], call)
        .observe("queue\", \"cwnd\", \"rtt", "change")
        .at("observe", "limit = 1000000\ndistributions.flows = [\"call\"]")
}

pub(super) const CALL: FlowEnd = FlowEnd::Origin(1);

/// The two connections of the flow `call`, driven by hand over the network of its scenario.
struct Call<'s> {
    simulation: Simulation<'s>,
    /// At the origin and at the destination.
    connections: [Connection; 2],
}

impl<'s> Call<'s> {
    fn new(scenario: &'s Scenario) -> Self {
        let config = scenario.flows[1].tcp.as_ref().expect("a call has a transport");
        let end = |role| Connection::new(config, role, TickPhases::default());
        let mut connections = [end(Role::Active), end(Role::Passive)];
        connections.iter_mut().for_each(Connection::open);
        connections[0].write_forever();
        let simulation = Simulation::with_external(scenario, &["call"]);
        Self { simulation: simulation.expect("the flow is there"), connections }
    }

    /// Everything that the connection at `end` wants to send at `now`.
    fn drain(&mut self, now: Time, end: FlowEnd) {
        let connection = &mut self.connections[usize::from(end != CALL)];
        while let Some(segment) = connection.poll_transmit(now) {
            self.simulation.send(now, end, Packet::from(segment)).expect("now is not past");
        }
    }

    fn counters(&self) -> FlowCounters {
        let [sender, peer] = &self.connections;
        FlowCounters {
            acked_bytes: sender.acked(),
            delivered_bytes: peer.delivered(),
            read_bytes: peer.delivered(),
            sender: sender.counters(),
            receiver: peer.counters(),
            ..FlowCounters::default()
        }
    }

    /// To the end of the run, with further pauses `every` so often.
    fn finish(mut self, every: Span, warm_up: Time) -> Outcome {
        let mut earlier = FlowCounters::default();
        self.drain(Time::ZERO, CALL);
        loop {
            let deadlines = self.connections.each_ref().map(Connection::next_timeout);
            let deadline = deadlines[0].min(deadlines[1]);
            let before = self.simulation.now();
            let barrier = deadline.min(before + every);
            let barrier = if before < warm_up { barrier.min(warm_up) } else { barrier };
            let bound = self.simulation.next_arrival();
            self.simulation.run_until(barrier).expect("packets are few");
            let arrivals: Vec<Arrival> = self.simulation.take_arrivals().collect();
            assert!(arrivals.iter().all(|arrival| arrival.at >= bound), "{bound:?} {arrivals:?}");
            for Arrival { at, end, packet, .. } in arrivals {
                self.connections[usize::from(end != CALL)].on_segment(at, &packet.segment);
                self.drain(at, end);
            }
            let now = self.simulation.now();
            if now == self.simulation.end() {
                let counters = [earlier, self.counters()];
                self.simulation.set_counters("call", counters).expect("it is external");
                return self.simulation.finish().expect("packets are few");
            }
            if now == warm_up {
                earlier = self.counters();
            }
            for end in [CALL, CALL.other()] {
                self.connections[usize::from(end != CALL)].on_timeout(now);
                self.drain(now, end);
            }
        }
    }
}

/// What is left of a summary without the flow that one of two runs does not count.
fn without_call(mut summary: Summary) -> Summary {
    summary.flows.remove("call");
    summary.groups = Groups::default();
    summary.channels.clear();
    summary
}

/// Each case is several whole runs, so there are few of them, however many others are asked for.
pub(super) fn twelve_times<S: Strategy>(
    inputs: &S,
    case: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let few = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) };
    if let Err(failure) = TestRunner::new(few).run(inputs, case) {
        panic!("{failure}");
    }
}

/// Every queue of the network changes at the same instants, the other flow notices nothing, and the
/// summary of a flow with the driver's counters is that of a simulated one.
#[test]
fn connections_driven_by_hand_fare_like_simulated_ones() {
    let inputs = (
        any::<bool>(),
        any::<bool>(),
        1_u64..20_000,
        8_u64..60,
        1_i64..100_000,
        prop::sample::select(&["ubr", "ubr.pace = \"3 Mbit/s of cell\"", "abr"][..]),
    );
    twelve_times(&inputs, |(cells, shared, delay, window, pause, service)| {
        let service = match (cells, service.contains('=')) {
            (false, _) => String::new(),
            (true, true) => format!("service.{service}"),
            (true, false) => format!("service = \"{service}\""),
        };
        let tcp = format!(
            "traffic = \"greedy\"
            tcp = {{ mtu = \"700 B\", window = \"{window} KiB\", timers = \"fine\" }}
            {service}"
        );
        let carries = if cells { "cells" } else { "packets" };
        let scenario = network(carries, delay, if shared { ["a", "b"] } else { ["c", "d"] }, &tcp);
        let simulated = outcome_of(&scenario);
        let warm_up = Time::ZERO + scenario.run.warm_up;
        let driven = Call::new(&scenario).finish(Span::from_microseconds(pause), warm_up);

        let whole = |outcome: &Outcome| {
            let others = outcome.series.iter().filter(|series| !series.name.starts_with("call"));
            others.cloned().collect::<Vec<_>>()
        };
        prop_assert_eq!(whole(&driven), whole(&simulated));
        prop_assert_eq!(driven.summary, simulated.summary);
        Ok(())
    });
}

/// A driver that sends a packet of one cell at every instant of a constant-rate source.
#[test]
fn a_constant_rate_from_outside_is_the_simulated_one() {
    let inputs = (1_u64..20_000, 100_u64..9000, 1_i64..300_000);
    twelve_times(&inputs, |(delay, kbit, pause)| {
        let cbr = format!("traffic.cbr = {{ rate = \"{kbit} kbit/s of cell\" }}\nstart = \"1 ms\"");
        let scenario = network("cells", delay, ["c", "d"], &cbr);
        let simulated = outcome_of(&scenario);

        let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
        let cell_time = Span::from_picoseconds((424_000_000_000 + kbit as i64 / 2) / kbit as i64);
        let mut next = Time::ZERO + Span::from_milliseconds(1);
        let (mut sent, mut arrived) = (0, 0);
        loop {
            let barrier = simulation.now() + Span::from_microseconds(pause);
            while next < barrier {
                simulation.send(next, CALL, Packet::opaque(32, sent)).expect("it is not past");
                (next, sent) = (next + cell_time, sent + 1);
            }
            let pause = simulation.run_until(barrier).expect("cells are few");
            for arrival in simulation.take_arrivals() {
                prop_assert_eq!(pause, Pause::Arrival(arrival.at));
                prop_assert_eq!(arrival.end, CALL.other());
                // Every cell before it has arrived or was lost.
                prop_assert!(arrival.packet.index() >= arrived);
                arrived = arrival.packet.index() + 1;
                let sent_at = Time::ZERO
                    + Span::from_milliseconds(1)
                    + cell_time * arrival.packet.index() as i64;
                prop_assert_eq!(arrival.sent_at, sent_at);
            }
            if simulation.now() == simulation.end() {
                break;
            }
        }
        let back = simulation.send(simulation.now(), CALL.other(), Packet::opaque(32, 0));
        prop_assert_eq!(back, Err(SendError::OneDirection(CALL.other())));
        let mut driven = simulation.finish().expect("cells are few");
        // A raw cell belongs to no frame.
        let vc = driven.summary.vcs.get_mut("call").expect("it carried cells");
        prop_assert_eq!(vc.frames_delivered, vc.delivered);
        vc.frames_delivered = 0;
        prop_assert!(vc.sent > 100);
        prop_assert_eq!(without_call(driven.summary), without_call(simulated.summary));
        prop_assert_eq!(driven.series, simulated.series);
        Ok(())
    });
}

#[test]
fn what_cannot_be_sent_is_refused_with_the_reason() {
    let scenario = network("packets", 5, ["c", "d"], "traffic = \"greedy\"\ntcp = {}");
    let missing = Simulation::with_external(&scenario, &["cal"]).expect_err("no such flow");
    assert_eq!(missing.to_string(), "no flow `cal` in the scenario; expected one of bulk, call");
    let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
    let later = Time::ZERO + Span::from_milliseconds(4);
    assert_eq!(simulation.run_until(later), Ok(Pause::AtBarrier));
    let packet = Packet::opaque(1500, 0);
    let refused = |result: Result<(), SendError>| result.expect_err("refused").to_string();
    assert_eq!(
        refused(simulation.send(Time::ZERO, CALL, packet)),
        "a packet for 0 s is late: the simulation is at 0.004 s"
    );
    assert_eq!(
        refused(simulation.send(later, FlowEnd::Origin(0), packet)),
        "Origin(0) is no end of an external flow"
    );
    assert_eq!(
        refused(simulation.send(later, CALL, Packet::opaque(19, 0))),
        "a packet of 19 bytes is not possible: from 20 to 9180"
    );
    assert_eq!(
        refused(simulation.send(later, CALL, Packet::opaque(9181, 0))),
        "a packet of 9181 bytes is not possible: from 20 to 9180"
    );
    assert_eq!(simulation.ends("call"), Ok([CALL, CALL.other()]));
    assert_eq!(
        simulation.ends("bulk").expect_err("simulated").to_string(),
        "no flow `bulk` whose traffic is made outside; expected one of call"
    );
    assert_eq!(simulation.send(later, CALL, packet), Ok(()));
}

/// Of packets for one instant the first one put in leaves first, and a later one never overtakes.
#[test]
fn packets_leave_in_order_of_their_instants() {
    let scenario = network("packets", 5, ["c", "d"], "traffic = \"greedy\"\ntcp = {}");
    let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
    for (index, at) in [3, 1, 2, 1, 3, 2].into_iter().enumerate() {
        let at = Time::ZERO + Span::from_milliseconds(at);
        simulation.send(at, CALL, Packet::opaque(100, index as u64)).expect("nothing is past");
    }
    let mut arrived = Vec::new();
    while simulation.run_until(Time::ZERO + Span::from_milliseconds(10)) != Ok(Pause::AtBarrier) {
        arrived.extend(simulation.take_arrivals().map(|arrival| arrival.packet.index()));
    }
    assert_eq!(arrived, [1, 3, 2, 5, 0, 4]);
}

/// A driver with a clock wakes once for a packet of 192 cells, which take 0.5 ms to arrive on a
/// line that is 45 us long, or shorter, and not once for each event on the way. Behind a faster
/// line it wakes as well when the last cell comes to the queue, whose length is known only then.
#[test]
fn a_driver_wakes_once_for_a_packet() {
    for (first, delay, gap, most) in [
        ("OC-3c", "45 us", 600, 130),
        // The line is always busy.
        ("OC-3c", "45 us", 0, 130),
        ("OC-3c", "1 us", 0, 130),
        ("OC-12c", "1 us", 0, 230),
    ] {
        let network = Network::line("1 s", [first, "OC-3c"], delay);
        let woken = wakes_of_a_hundred(&network, Span::from_microseconds(gap));
        assert!(woken <= most, "{first}, {delay}: {woken}");
    }
}

/// Waits of a driver that sends a hundred packets, one every `gap`, until all have arrived.
fn wakes_of_a_hundred(network: &Network, gap: Span) -> i64 {
    let network = network.clone().flow("call", ["a", "b"], "traffic = \"greedy\"\ntcp = {}");
    let scenario = scenario(&network);
    let mut simulation = Simulation::with_external(&scenario, &["call"]).expect("it is there");
    let packets = 100;
    for index in 0..packets {
        let at = Time::ZERO + gap * index;
        simulation.send(at, FlowEnd::Origin(0), Packet::opaque(9180, 0)).expect("it is not past");
    }
    let (mut woken, mut arrived) = (0, 0);
    while arrived < packets {
        let next = simulation.next_arrival() + Span::from_picoseconds(1);
        simulation.run_until(next).expect("packets are few");
        arrived += simulation.take_arrivals().count() as i64;
        woken += 1;
    }
    assert_eq!(simulation.next_arrival(), Time::MAX);
    woken
}

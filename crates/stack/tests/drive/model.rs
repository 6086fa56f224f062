//! The simulator's own TCP through octets against the same TCP inside the simulator.

use cellway_sim::result::Series;
use cellway_sim::scenario::Scenario;
use cellway_sim::{Continue, run as simulate};

use super::{models, run, scenario};

/// A path whose queue and noise lose packets, with these keys of the run and of `tcp`.
fn path(tcp: &str, more: &str) -> Scenario {
    scenario(&path_text(tcp, more))
}

fn path_text(tcp: &str, more: &str) -> String {
    format!(
        r#"
        run = {{ duration = "20 s", warm_up = "2 s", seed = 3 }}
        host = {{ a = {{}}, b = {{}} }}
        switch.hub.buffer.per_port = "20 packet"
        [link.in]
        between = ["a", "hub"]
        rate = "100 Mbit/s of line"
        carries = "packets"
        delay = "1 ms"
        [link.out]
        between = ["hub", "b"]
        rate = "8 Mbit/s of line"
        carries = "packets"
        delay = "20 ms"
        {more}
        [flow.bulk]
        from = "a"
        to = "b"
        traffic = "greedy"
        tcp = {{ mtu = "1500 B", window = "256 KiB", timers = "fine", handshake = true, {tcp} }}
        "#
    )
}

/// Options of a SYN are no bytes inside the simulator, so that all packets come some microseconds
/// later; the repairs of all losses are the same.
#[test]
fn octets_change_nothing() {
    for tcp in ["", "recovery = \"new_reno\"", "recovery = \"sack\"", "timestamps = true"] {
        let scenario = path(tcp, "");
        let ours = simulate(&scenario, &mut |_| Continue::Yes).expect("a run").summary;
        let driven = run(&scenario, vec![models(&scenario, "bulk")]).expect("a run");
        let (inside, outside) = (&ours.flows["bulk"], &driven.outcome.summary.flows["bulk"]);
        let of = |flow: &cellway_sim::result::FlowSummary| {
            [flow.retransmitted_segments, flow.fast_retransmits, flow.timeouts]
        };
        assert_eq!(of(inside), of(outside), "{tcp}");
        // The ends stand some microseconds of the last round trip apart.
        assert!(inside.segments_sent.abs_diff(outside.segments_sent) <= 2, "{tcp}");
        let ratio = outside.throughput_bits_per_second / inside.throughput_bits_per_second;
        assert!((0.999..1.001).contains(&ratio), "{tcp}: {ratio}");
        assert!(inside.retransmitted_segments > 0, "{tcp}: nothing was lost");
    }
}

#[test]
fn equal_runs_have_equal_traces() {
    let trace = |scenario: &Scenario| {
        run(scenario, vec![models(scenario, "bulk")]).expect("a run").facts.trace
    };
    let noisy = |seed: u64| {
        let noise = "impairments = { loss = 0.01 }";
        let mut scenario = path("recovery = \"sack\"", noise);
        scenario.run.seed = seed;
        scenario
    };
    assert_eq!(trace(&noisy(1)), trace(&noisy(1)));
    assert_ne!(trace(&noisy(1)), trace(&noisy(2)));
}

/// Data both ways, the stop of a flow, ECN and a slow reader.
#[test]
fn the_traffic_of_the_scenario_applies() {
    let scenario = scenario(
        r#"
        run = { duration = "10 s", seed = 1 }
        host = { a = {}, b = {} }
        [link.wire]
        between = ["a", "b"]
        rate = "10 Mbit/s of line"
        carries = "packets"
        delay = "10 ms"
        [flow.web]
        from = "a"
        to = "b"
        start = "1 s"
        stop = "4 s"
        tcp = { mtu = "1500 B", window_scaling = false, ecn = true, timers = "fine" }
        [flow.web.traffic.request_response]
        request = "300 B"
        response = "20 kB"
        think = "50 ms"
        [flow.file]
        from = "b"
        to = "a"
        traffic.ttcp.total = "400 kB"
        tcp = { mtu = "1500 B", timers = "fine", reader.paced = { rate = "1 Mbit/s of payload" } }
        "#,
    );
    let ends = vec![models(&scenario, "file"), models(&scenario, "web")];
    let driven = run(&scenario, ends).expect("a run");
    let flows = &driven.outcome.summary.flows;
    let transactions = flows["web"].transactions.as_ref().expect("they are counted");
    assert!(transactions.completed > 20, "{transactions:?}");
    assert_eq!(transactions.response_bytes % 20_000, 0);
    assert_eq!(flows["web"].acked_bytes % 300, 0);
    // Whole writes of 64 KiB.
    assert_eq!(flows["file"].acked_bytes, 7 << 16);
    let finished = flows["file"].finished_s.expect("the file is through");
    assert!((3.0..4.0).contains(&finished), "{finished}");
    // The stop of a flow ends it, once its FIN is acknowledged.
    let finished = flows["web"].finished_s.expect("it has stopped");
    assert!((4.0..4.1).contains(&finished), "{finished}");
}

/// The segments of a stack that speaks TCP are read from its octets: those of a plain run, whether
/// a queue or a line loses them.
#[test]
fn segments_are_those_of_a_plain_run() {
    let common = ["sent", "sent_length", "resent", "resent_length", "heard"];
    let windows = ["heard_window", "sack_start", "sack_end", "cwnd_edge"];
    let cases = [
        ("", &["lost_at.hub.out"][..]),
        ("impairments = { loss = 0.03 }", &["lost_on.out", "timeout", "resent_by_timeout"]),
    ];
    for (noise, places) in cases {
        let keys = "recovery = \"sack\", timestamps = true, limited_transmit = true";
        let scenario = scenario(&format!("{}[observe]\nsegments = {{}}", path_text(keys, noise)));
        let plain = simulate(&scenario, &mut |_| Continue::Yes).expect("a run");
        let driven = run(&scenario, vec![models(&scenario, "bulk")]).expect("a run");
        for name in common.iter().chain(&windows).chain(places) {
            let [inside, outside] = [&plain, &driven.outcome].map(|outcome| {
                let is_it = |series: &&Series| series.name == format!("bulk.{name}");
                outcome.series.iter().find(is_it).map_or(&[][..], |series| &series.values)
            });
            assert!(!outside.is_empty(), "{name}: nothing happened");
            // The end of the run comes some microseconds earlier for one of them.
            assert!(inside.len().abs_diff(outside.len()) <= 4, "{name}");
            let both = inside.len().min(outside.len());
            assert_eq!(inside[..both], outside[..both], "{name}");
        }
    }
}

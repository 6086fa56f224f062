//! Laws of the window in whole runs: steady state, convergence, loss and round trips, against the
//! formulas of their papers.

use super::{outcome, scenario};
use cellway_sim::explain::prediction::predict;
use cellway_sim::pdu::CellHead;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::switch::{DropPolicy, Needs, QueueState, Verdict};
use cellway_sim::{Outcome, Simulation};

/// Goodput at 10 Mbit/s of line with 1460 bytes in 1502, Mbit/s.
pub(super) const CEILING: f64 = 10.0 * 1460.0 / 1502.0;
/// Time of a packet on that line, seconds.
pub(super) const PACKET: f64 = 1502.0 * 8.0 / 1e7;

/// Packets of 1500 bytes with an ACK for each over a line of 10 Mbit/s, with 20 ms there and back.
#[derive(Default)]
pub(super) struct Path<'a> {
    /// Law of each flow, and what its access adds to the round trip.
    pub(super) flows: &'a [(&'a str, &'a str)],
    /// Keys of `run`, of the router, of the line, and of `tcp` for every flow.
    pub(super) run: &'a str,
    pub(super) router: &'a str,
    pub(super) line: &'a str,
    pub(super) tcp: &'a str,
}

impl Path<'_> {
    pub(super) fn outcome(&self) -> Outcome {
        outcome(&self.text())
    }

    pub(super) fn text(&self) -> String {
        let Self { flows, run, router, line, tcp } = self;
        let packets = r#"carries.packets.overhead = "2 B""#;
        let fast = format!(r#"rate = "1 Gbit/s of line", {packets}"#);
        let slow = format!(r#"rate = "10 Mbit/s of line", {packets}, delay = "10 ms""#);
        let all = |make: &dyn Fn(usize, &str, &str) -> String| -> String {
            flows.iter().enumerate().map(|(n, (law, delay))| make(n, law, delay)).collect()
        };
        let hosts = all(&|n, _, _| format!("left{n} = {{}}\nright{n} = {{}}\n"));
        let links = all(&|n, _, delay| {
            format!(
                r#"
up{n} = {{ from = "left{n}", to = "near", {fast}, delay = "{delay}" }}
down{n} = {{ from = "near", to = "left{n}", {fast}, delay = "1 us" }}
out{n} = {{ between = ["far", "right{n}"], {fast}, delay = "1 us" }}
"#
            )
        });
        let sources = all(&|n, law, _| {
            format!(
                r#"
[flow.f{n}]
from = "left{n}"
to = "right{n}"
traffic = "greedy"
[flow.f{n}.tcp]
mtu = "1500 B"
window = "8 MiB"
timers = "fine"
ack = "every_segment"
congestion = {law}
{tcp}
"#
            )
        });
        format!(
            r#"
run = {{ seed = 1, {run} }}
observe = {{ interval = "10 ms", limit = 100000, series = ["law", "cwnd", "queue"] }}
[switch]
near = {{ {router} }}
far = {{}}
[host]
{hosts}
[link]
line = {{ from = "near", to = "far", {slow}, {line} }}
back = {{ from = "far", to = "near", {fast}, delay = "10 ms" }}
{links}
{sources}
"#
        )
    }
}

/// Goodput of each flow, Mbit/s.
pub(super) fn goodputs(outcome: &Outcome) -> Vec<f64> {
    outcome.summary.flows.values().map(|flow| flow.throughput_bits_per_second / 1e6).collect()
}

/// Mean number of packets that wait for the line.
pub(super) fn waiting(outcome: &Outcome) -> f64 {
    let port = &outcome.summary.ports["near.line"];
    port.mean_queue - port.utilisation
}

/// Mean of a series from an instant on, seconds.
pub(super) fn mean(outcome: &Outcome, name: &str, from: f64) -> f64 {
    let series = outcome.series.iter().find(|one| one.name == name);
    let series = series.unwrap_or_else(|| panic!("no series {name}"));
    let first = series.times.partition_point(|time| time.seconds_f64() < from);
    let values = &series.values[first..];
    values.iter().sum::<f64>() / values.len() as f64
}

/// Steady state of section 4.2 of the paper: each flow keeps alpha to beta packets in queues, so N
/// of them N·alpha to N·beta, and the line is full.
#[test]
fn vegas_keeps_between_alpha_and_beta_packets_per_flow_in_queues() {
    for count in [1, 2, 4] {
        let flows = vec![("\"vegas\"", "10 ms"); count];
        let run = r#"duration = "30 s", warm_up = "10 s", phase = "random""#;
        let router = r#"buffer = "infinite""#;
        let outcome = Path { flows: &flows, run, router, ..Path::default() }.outcome();
        let (found, count) = (waiting(&outcome), count as f64);
        assert!((2.0 * count - 0.5..=4.0 * count + 0.5).contains(&found), "{count}: {found}");
        let total: f64 = goodputs(&outcome).iter().sum();
        assert!(total > 0.995 * CEILING, "{count}: {total}");
        let diff = mean(&outcome, "f0.law.diff", 10.0);
        assert!((1.5..=4.5).contains(&diff), "{count}: {diff}");
    }
}

/// ssthresh of the path's own bandwidth times its shortest round trip: the line stays full with a
/// buffer far below a BDP of 83 packets, where Reno's half leaves (1 + b)/2 of the window.
#[test]
fn westwood_fills_a_line_whose_buffer_is_below_a_bandwidth_delay_product() {
    let used = |law| {
        let flows = &[(law, "80 ms")];
        let run = r#"duration = "90 s", warm_up = "30 s""#;
        let router = r#"buffer.per_port = "9 packet""#;
        let tcp = "recovery = \"sack\"\ninitial_ssthresh = \"100 kB\"";
        let outcome = Path { flows, run, router, tcp, ..Path::default() }.outcome();
        (goodputs(&outcome)[0] / CEILING, outcome)
    };
    let (reno, _) = used("\"reno\"");
    let (westwood, outcome) = used("\"westwood\"");
    assert!(outcome.summary.flows["f0"].fast_retransmits > 2);
    assert!(westwood > 0.97 && reno < 0.83, "{westwood} {reno}");
    // The bandwidth is that of the line.
    let bandwidth = mean(&outcome, "f0.law.bandwidth", 30.0) / 1e6;
    assert!((bandwidth / CEILING - 1.0).abs() < 0.05, "{bandwidth}");
}

/// Equation (14) of the paper: the throughput is that of Reno with 25 ms under the same losses,
/// whatever the round trip; Reno's is inversely proportional to it.
#[test]
fn hybla_has_the_throughput_of_a_reno_with_25_ms() {
    let rate = |law: &str, delay: &str| {
        let flows = &[(law, delay)];
        let run = r#"duration = "150 s", warm_up = "10 s""#;
        let line = "impairments = { loss = 0.003 }";
        let router = r#"buffer = "infinite""#;
        let tcp = "recovery = \"sack\"\ninitial_ssthresh = \"64 kB\"";
        goodputs(&Path { flows, run, router, line, tcp }.outcome())[0]
    };
    let reference = rate("\"reno\"", "4 ms");
    let near = rate("\"hybla\"", "4 ms");
    let far = rate("\"hybla\"", "80 ms");
    let reno = rate("\"reno\"", "80 ms");
    assert!((near / reference - 1.0).abs() < 0.01, "{near} {reference}");
    assert!((0.8..1.2).contains(&(far / reference)), "{far} {reference}");
    assert!(reno < 0.35 * reference, "{reno} {reference}");
}

/// Alizadeh et al. 2010 (SIGCOMM), section 3.3: with marks from K packets on, alpha is about
/// √(2/W), W = C·RTT + K; the queue does not exceed K by more than a few packets and the line is
/// full.
#[test]
fn dctcp_marks_a_window_as_often_as_its_fixed_point_says() {
    let flows = &[("\"dctcp\"", "20 ms")];
    let run = r#"duration = "60 s", warm_up = "20 s""#;
    let router = r#"buffer.per_port = "200 packet", drop.step.threshold = "20 packet""#;
    let tcp = "recovery = \"sack\"\necn = true\ninitial_ssthresh = \"64 kB\"";
    let outcome = Path { flows, run, router, tcp, ..Path::default() }.outcome();
    let window = 0.04 / PACKET + 20.0;
    let (alpha, expected) = (mean(&outcome, "f0.law.alpha", 20.0), (2.0 / window).sqrt());
    assert!((alpha / expected - 1.0).abs() < 0.08, "{alpha} {expected}");
    let (queue, goodput) = (waiting(&outcome), goodputs(&outcome)[0]);
    assert!((12.0..22.0).contains(&queue) && goodput > 0.995 * CEILING, "{queue} {goodput}");
    assert_eq!(outcome.summary.flows["f0"].retransmitted_segments, 0);
}

/// Marks one in so many packets that can be marked.
#[derive(Debug)]
struct MarkOneIn {
    packets: u64,
    seen: u64,
}

impl DropPolicy for MarkOneIn {
    fn needs(&self) -> Needs {
        Needs { marks: true, ..Needs::default() }
    }

    fn on_arrival(&mut self, head: CellHead, _queue: &QueueState<'_>) -> Verdict {
        self.seen += u64::from(head.is_ecn_capable());
        let is_marked = head.is_ecn_capable() && self.seen.is_multiple_of(self.packets);
        if is_marked { Verdict::Mark } else { Verdict::Accept }
    }
}

/// Window at which growth balances one even mark in n = 60 packets, by hand. Per ACK: alpha is 1/n,
/// and up to 2n each second mark reduces, up to n each; 2n/W segments of growth, n/2W with an ACK
/// for two, balance alpha W/2 at W = 2n and n. Counted windows lose nothing below W = 2/alpha, but
/// each mark begins the count anew: n - 1 segments behind it open the window up to n. Where those
/// that were in flight at the mark do not count, it opens while W + W segments are at most n.
#[test]
fn growth_of_dctcp_balances_even_marks() {
    const N: f64 = 60.0;
    let window = |ack: &str, keys: &str| {
        let tcp = format!("recovery = \"rack\"\necn = true\n{keys}");
        let router = "buffer = \"infinite\"";
        let run = "duration = \"80 s\", warm_up = \"30 s\"";
        let flows = &[("\"dctcp\"", "20 ms")];
        let text = Path { flows, run, router, tcp: &tcp, ..Path::default() }.text();
        let scenario = scenario(&text.replace("\"every_segment\"", &format!("\"{ack}\"")));
        let marking = |_: &_| MarkOneIn { packets: N as u64, seen: 0 };
        let run = Simulation::builder(&scenario).drop_policy("near.line", marking).run();
        mean(&run.expect("it runs"), "f0.cwnd", 30.0) / 1460.0
    };
    for (ack, keys, expected) in [
        ("every_segment", "", 2.0 * N),
        ("delayed", "", N),
        ("every_segment", "avoidance = \"counted\"", N),
        ("delayed", "avoidance = \"counted\"", N),
        ("delayed", "avoidance = \"counted\"\nreduces = \"cwnd\"", N / 2.0 + 1.0),
    ] {
        let found = window(ack, keys);
        assert!((found / expected - 1.0).abs() < 0.05, "{ack} {keys}: {found} {expected}");
    }
}

/// Alpha is the fraction of marked bytes (RFC 8257 §3.3). Where a queue marks few segments at
/// random, both echoes of every mark tell it, and the classic one, which lasts a round trip, tells
/// many more.
#[test]
fn alpha_of_dctcp_is_the_fraction_of_marks() {
    let flows = &[("\"dctcp\"", "20 ms"); 4];
    let run = r#"duration = "60 s", warm_up = "20 s""#;
    let router = r#"buffer.per_port = "200 packet", drop.red = { min_threshold = 0.02,
                   max_threshold = 0.8, weight = 0.01, max_probability = 0.2, ecn = true }"#;
    let ratios = ["dctcp", "accurate", "classic"].map(|echo| {
        let tcp = format!("recovery = \"sack\"\necn = true\necn_echo = \"{echo}\"");
        let outcome = Path { flows, run, router, tcp: &tcp, ..Path::default() }.outcome();
        let flow = &outcome.summary.flows["f0"];
        let marks = flow.ecn.as_ref().expect("it has ECN").marks_received;
        let fraction = marks as f64 / flow.segments_sent as f64;
        mean(&outcome, "f0.law.alpha", 20.0) / fraction
    });
    assert!(ratios[..2].iter().all(|ratio| (0.9..1.1).contains(ratio)) && ratios[2] > 2.0);
}

/// Section 2.4 of the paper: in equilibrium the queue moves between 0 and 2.5/delta packets, 1.25
/// of them in the mean, so the rate is close to 1/(delta dq).
#[test]
fn copa_keeps_five_quarters_of_a_packet_over_delta_in_queues() {
    for (law, delta) in [("\"copa\"", 0.5), ("{ copa = { delta = 0.1 } }", 0.1)] {
        let flows = &[(law, "20 ms")];
        let run = r#"duration = "40 s", warm_up = "10 s""#;
        let router = r#"buffer = "infinite""#;
        let outcome = Path { flows, run, router, ..Path::default() }.outcome();
        let (queue, goodput) = (waiting(&outcome), goodputs(&outcome)[0]);
        let part = queue * delta / 1.25;
        assert!((0.5..1.5).contains(&part), "{delta}: {queue}");
        assert!(goodput > 0.97 * CEILING, "{goodput}");
        let rate = 1.0 / (delta * mean(&outcome, "f0.law.queueing_delay", 10.0)) * PACKET;
        assert!((0.5..2.0).contains(&rate), "{delta}: {rate}");
    }
}

/// Section 2.2: beside a flow that fills the buffer it turns competitive, and without that mode it
/// starves.
#[test]
fn copa_competes_beside_a_flow_that_fills_the_buffer() {
    let share = |copa: &str| {
        let flows = &[(copa, "20 ms"), ("\"cubic\"", "20 ms")];
        let run = r#"duration = "60 s", warm_up = "20 s""#;
        let router = r#"buffer.per_port = "66 packet""#;
        let outcome = Path { flows, run, router, ..Path::default() }.outcome();
        let rates = goodputs(&outcome);
        rates[0] / (rates[0] + rates[1])
    };
    let (competing, meek) = (share("{ copa = { competes = true } }"), share("\"copa\""));
    assert!(competing > 0.2 && meek < 0.5 * competing, "{competing} {meek}");
}

/// After an outage all that was in flight is sent twice, and no ACK of that is a sample (RFC 6298
/// §3): slow start goes on all the same, and has filled the line within six round trips of the
/// timeout at 11.1 s.
#[test]
fn copa_fills_the_line_soon_after_a_timeout() {
    let flows = &[("\"copa\"", "20 ms")];
    let run = r#"duration = "11.75 s", warm_up = "10.95 s""#;
    let router = r#"buffer = "infinite""#;
    let line = r#"impairments.outages.when.listed = [["10 s", "950 ms"]]"#;
    let outcome = Path { flows, run, router, line, ..Path::default() }.outcome();
    assert_eq!(outcome.summary.flows["f0"].timeouts, 1);
    let goodput = goodputs(&outcome)[0];
    assert!(goodput > 0.4 * CEILING, "{goodput}");
}

/// Convergence of section 4 of the paper: flows with the same delta have the same rate, also with
/// round trips of 30 and 90 ms.
#[test]
fn copa_flows_share_equally_whatever_their_round_trips() {
    let flows = &[("\"copa\"", "10 ms"), ("\"copa\"", "70 ms")];
    let run = r#"duration = "80 s", warm_up = "30 s""#;
    let router = r#"buffer = "infinite""#;
    let rates = goodputs(&Path { flows, run, router, ..Path::default() }.outcome());
    let ratio = rates[0] / rates[1];
    assert!((0.5..2.0).contains(&ratio), "{rates:?}");
    assert!(rates[0] + rates[1] > 0.95 * CEILING, "{rates:?}");
}

/// Formulas of Reno and CUBIC are not those of the other laws, with losses and without.
#[test]
fn predictions_refuse_laws_without_a_formula() {
    for (law, why) in [
        ("vegas", "keeps its queue short"),
        ("copa", "keeps its queue short"),
        ("bbr1", "keeps its queue short"),
        ("bbr3", "keeps its queue short"),
        ("westwood", "overflows the buffer"),
        ("hybla", "overflows the buffer"),
        ("dctcp", "overflows the buffer"),
        ("prague", "overflows the buffer"),
        ("abc", "keeps its queue short"),
    ] {
        let law = &format!("\"{law}\"");
        let (run, flows) = (r#"duration = "9 s""#, &[(law.as_str(), "20 ms")]);
        let router = r#"buffer.per_port = "20 packet""#;
        let lossy = "impairments = { loss = 0.001 }";
        for (line, why) in [("", why), (lossy, "no formula for congestion")] {
            let path = Path { flows, run, router, line, ..Path::default() };
            let theory = format!("{:?}", predict(&scenario(&path.text())));
            assert!(theory.contains(why), "{law} {line}: {theory}");
        }
    }
}

#[test]
fn vegas_refuses_thresholds_in_the_wrong_order() {
    let flows = &[("{ vegas = { alpha = 5 } }", "20 ms")];
    let text = Path { flows, run: r#"duration = "9 s""#, ..Path::default() }.text();
    let refused = Scenario::parse(Source { origin: "test.toml", text: &text }, &[]);
    let error = refused.expect_err("alpha is above beta").to_string();
    assert!(
        error.contains("alpha` of 5 is above the `beta` of 4; expected at most that"),
        "{error}"
    );
}

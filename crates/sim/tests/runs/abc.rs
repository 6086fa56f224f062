//! Accel-brake control in whole runs: the steady state of its fluid model, shares, ports in a row,
//! and bottlenecks that know nothing of it.

use super::laws::{CEILING, PACKET, Path, goodputs, waiting};
use super::outcome;
use cellway_sim::Outcome;
use cellway_sim::scenario::{Scenario, Source};

const ROUTER: &str = r#"buffer.per_port = "500 packet", drop = "abc""#;
const TCP: &str = "recovery = \"sack\"\necn = true";
const RUN: &str = r#"duration = "60 s", warm_up = "20 s""#;

fn text(flows: &[(&str, &str)], router: &str, line: &str) -> String {
    Path { flows, run: RUN, router, line, tcp: TCP }.text()
}

fn total(outcome: &Outcome) -> f64 {
    goodputs(outcome).iter().sum::<f64>() / CEILING
}

/// Wait for the line, seconds, and part of the line in the steady state, for so many flows and an
/// `increase`; `unloaded` is the round trip without a wait, seconds.
///
/// A round trip changes the sum W of the windows by W (2 f - 1) + N a = 0, with f = tr/(2 cr): so
/// tr/cr = 1 - N a/W. While the queue is there W is mu R and cr is mu: below the threshold, where
/// tr is eta mu, R = N a/(mu (1 - eta)), if that is more than without a wait and less than at the
/// threshold. Else the line has eta + N a/(mu R) of its rate, or the wait is dt + delta (eta - 1 +
/// N a/(mu R)).
fn steady_state(flows: usize, increase: f64, unloaded: f64) -> (f64, f64) {
    let (eta, delta, threshold) = (0.98, 0.133, 0.050);
    let packets = flows as f64 * increase * PACKET;
    let wait = packets / (1.0 - eta) - unloaded;
    if wait <= 0.0 {
        return (0.0, eta + packets / unloaded);
    }
    let mut beyond = wait.min(threshold);
    if wait > threshold {
        let next = |wait: f64| threshold + delta * (eta - 1.0 + packets / (unloaded + wait));
        (0..100).for_each(|_| beyond = 0.5 * (beyond + next(beyond)));
    }
    (beyond, 1.0)
}

/// Fixed point of section 3.1, in its three regimes: no queue and eta of the line and more, a queue
/// below the threshold, and one beyond it. Without the additive part of the windows the model would
/// say eta of the line and no queue for all of them.
#[test]
fn the_steady_state_is_that_of_the_fluid_model() {
    let (mut error, mut null) = (0.0_f64, 0.0_f64);
    for (flows, increase, access) in [
        (1, 1, 100),
        (1, 1, 180),
        (1, 1, 20),
        (1, 1, 1),
        (4, 1, 20),
        (4, 1, 1),
        (8, 1, 1),
        (4, 4, 1),
    ] {
        let law = format!("{{ abc = {{ increase = {increase} }} }}");
        let delay = format!("{access} ms");
        let outcome = outcome(&text(&vec![(law.as_str(), delay.as_str()); flows], ROUTER, ""));
        let unloaded = 0.020 + f64::from(access) / 1e3 + PACKET;
        let (wait, part) = steady_state(flows, f64::from(increase), unloaded);
        let (found, used) = (waiting(&outcome) * PACKET, total(&outcome));
        let case = format!("{flows} {increase} {access}: {found} for {wait}, {used} for {part}");
        error = error.max((found - wait).abs());
        null = null.max(found);
        assert!((found - wait).abs() < 0.002 + 0.03 * wait, "{case}");
        assert!((used - part).abs() < 0.004, "{case}");
    }
    assert!(null > 10.0 * error, "{error} {null}");
}

/// Section 3.1.2: the additive part leads a flow that comes late to the share of the one that was
/// there; without it shares stay as they were.
#[test]
fn a_late_flow_has_its_share_by_the_additive_part_alone() {
    let late = |law: &str| {
        let text = text(&[(law, "20 ms"); 2], ROUTER, "");
        let late = "[flow.f1]\nstart = \"5 s\"\n";
        let rates = goodputs(&outcome(&text.replace("[flow.f1]\n", late)));
        rates[1] / rates[0]
    };
    let (with, without) = (late("\"abc\""), late("{ abc = { increase = 0 } }"));
    assert!((with - 1.0).abs() < 0.05 && without < 0.5, "{with} {without}");
}

/// A brake stays one, so the lowest of the rates on a path decides: one flow goes on to a line of 2
/// Mbit/s with ABC, the other has the rest of the 10.
#[test]
fn the_lowest_rate_of_a_path_decides() {
    let text = text(&[("\"abc\"", "20 ms"); 2], ROUTER, "");
    let beyond = format!("far = {{ {ROUTER} }}");
    let slow = text.replace("far = {}", &beyond).replacen(
        "out0 = { between = [\"far\", \"right0\"], rate = \"1 Gbit/s of line\"",
        "out0 = { between = [\"far\", \"right0\"], rate = \"2 Mbit/s of line\"",
        1,
    );
    let rates = goodputs(&outcome(&slow)).iter().map(|rate| rate / CEILING).collect::<Vec<f64>>();
    assert!((0.195..=0.2001).contains(&rates[0]), "{rates:?}");
    assert!((0.78..=0.8001).contains(&rates[1]), "{rates:?}");
}

/// Section 4.1: where the bottleneck has no ABC, the window of CUBIC is the smaller one. Alone it
/// fills the line as CUBIC does, and beside a CUBIC it has about its share; CE reduces it, too.
#[test]
fn a_bottleneck_without_abc_sees_cubic() {
    for (router, least) in [
        (r#"buffer.per_port = "66 packet""#, 0.98),
        (r#"buffer.per_port = "200 packet", drop = { codel = { ecn = true } }"#, 0.93),
    ] {
        let alone = outcome(&text(&[("\"abc\"", "20 ms")], router, ""));
        let beside = outcome(&text(&[("\"abc\"", "20 ms"), ("\"cubic\"", "20 ms")], router, ""));
        let (used, rates) = (total(&alone), goodputs(&beside));
        let share = rates[0] / (rates[0] + rates[1]);
        let flow = &alone.summary.flows["f0"];
        assert!(used > least && (0.35..0.65).contains(&share), "{router}: {used} {share}");
        let reductions = flow.ecn.as_ref().expect("it has ECN").reductions;
        let lost = flow.retransmitted_segments;
        assert!(if router.contains("codel") { reductions > 2 } else { lost > 2 }, "{flow:?}");
    }
}

/// A line that falls to a third of its rate and rises again, every two seconds: the window follows
/// within round trips, so the line is nearly full and no more than the queue of a fall waits.
#[test]
fn a_window_follows_a_line_that_varies() {
    let line = r#"capacity.steps = { period = "4 s", rates = [["0 s", "10 Mbit/s of line"],
                  ["2 s", "3 Mbit/s of line"]] }"#;
    let of = |law: &str, router: &str| {
        let outcome = outcome(&text(&[(law, "20 ms")], router, line));
        (total(&outcome) * 10.0 / 6.5, outcome.summary.ports["near.line"].mean_queue)
    };
    let (abc, queue) = of("\"abc\"", ROUTER);
    let (cubic, deep) = of("\"cubic\"", r#"buffer.per_port = "500 packet""#);
    assert!(abc > 0.95 && cubic > 0.95, "{abc} {cubic}");
    assert!(queue < 30.0 && queue < 0.2 * deep, "{queue} {deep}");
}

#[test]
fn marks_of_another_kind_are_refused() {
    for (tcp, expected) in [
        ("l4s = false", "`flow.f0.tcp.l4s` keeps from its marks; expected `true`"),
        ("ecn_echo = \"dctcp\"", "`flow.f0.tcp.ecn_echo` keeps from its marks; expected `\"abc\"`"),
    ] {
        let text = text(&[("\"abc\"", "20 ms")], ROUTER, "").replace(TCP, &format!("{TCP}\n{tcp}"));
        let refused = Scenario::parse(Source { origin: "test.toml", text: &text }, &[]);
        let error = refused.expect_err("it has the marks of another").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

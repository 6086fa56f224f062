//! XCP and RCP in whole runs: a full line with hardly a queue, equal shares, paths of two ports,
//! lines that vary, and paths on which no port grants anything.

use super::laws::{PACKET, Path, goodputs, mean, waiting};
use super::outcome;
use cellway_sim::Outcome;
use cellway_sim::scenario::{Scenario, Source};

const RUN: &str = r#"duration = "40 s", warm_up = "20 s""#;

/// Goodput of a full line with headers of so many bytes: a packet has 1500 bytes all the same.
fn ceiling(law: &str) -> f64 {
    10.0 * if law == "\"xcp\"" { 1440.0 } else { 1444.0 } / 1502.0
}

fn text(law: &str, access: &[&str], line: &str) -> String {
    let flows: Vec<(&str, &str)> = access.iter().map(|delay| (law, *delay)).collect();
    let router = format!(r#"buffer.per_port = "500 packet", drop = {law}"#);
    Path { flows: &flows, run: RUN, router: &router, line, tcp: "" }.text()
}

fn run(law: &str, access: &[&str]) -> Outcome {
    outcome(&text(law, access, ""))
}

/// Section 3.5.1 of the XCP paper: as much as the line carries, and a queue that is drained; the
/// fixed point is y = C and Q = 0. RCP's is the same.
#[test]
fn one_flow_fills_the_line_with_hardly_a_queue() {
    for law in ["\"xcp\"", "\"rcp\""] {
        for access in ["1 us", "20 ms", "100 ms"] {
            let outcome = run(law, &[access]);
            let used = goodputs(&outcome)[0] / ceiling(law);
            let (queue, lost) = (waiting(&outcome), outcome.summary.flows["f0"].timeouts);
            assert!(used > 0.97 && queue < 4.0 && lost == 0, "{law} {access}: {used} {queue}");
        }
    }
}

/// Section 3.5.2: what is given is the same for all flows, so shares become equal whatever round
/// trips and starts are; RCP has one rate for all. Equal windows would
/// give 4 to 1.
#[test]
fn flows_with_unlike_round_trips_share_equally() {
    for law in ["\"xcp\"", "\"rcp\""] {
        let outcome = run(law, &["1 us", "60 ms"]);
        let rates = goodputs(&outcome);
        let (ratio, used) = (rates[1] / rates[0], (rates[0] + rates[1]) / ceiling(law));
        assert!((0.9..1.1).contains(&ratio) && used > 0.96, "{law}: {rates:?}");
    }
}

/// A late flow has half of the line, and the first window does not stay beyond it.
#[test]
fn a_late_flow_has_its_share() {
    for law in ["\"xcp\"", "\"rcp\""] {
        let text = text(law, &["20 ms"; 2], "");
        let rates =
            goodputs(&outcome(&text.replace("[flow.f1]\n", "[flow.f1]\nstart = \"9 s\"\n")));
        assert!((rates[1] / rates[0] - 1.0).abs() < 0.1, "{law}: {rates:?}");
    }
}

/// Ports in a row: the lowest grant decides. One flow goes on to a line of 2 Mbit/s, the other has
/// the rest of the 10; for XCP not quite: what a flow with another bottleneck gives back in
/// shuffling is lost, up to a fifth of the line (Low, Andrew, Wydrowski, INFOCOM 2005).
#[test]
fn the_lowest_grant_of_a_path_decides() {
    for law in ["\"xcp\"", "\"rcp\""] {
        let text = text(law, &["20 ms"; 2], "");
        let router = format!(r#"far = {{ buffer.per_port = "500 packet", drop = {law} }}"#);
        let slow = text.replace("far = {}", &router).replacen(
            "out0 = { between = [\"far\", \"right0\"], rate = \"1 Gbit/s of line\"",
            "out0 = { between = [\"far\", \"right0\"], rate = \"2 Mbit/s of line\"",
            1,
        );
        let rates = goodputs(&outcome(&slow));
        let [first, second] = [0, 1].map(|flow: usize| rates[flow] / ceiling(law));
        assert!((0.18..=0.201).contains(&first), "{law}: {first} {second}");
        let least = if law == "\"xcp\"" { 0.6 } else { 0.77 };
        assert!((least..=0.81).contains(&second), "{law}: {first} {second}");
    }
}

/// Series of a law: RCP's rate is the part of R that is data; XCP's grants are those of a line that
/// is full, zero in the mean.
#[test]
fn grants_are_recorded() {
    let rate = mean(&run("\"rcp\"", &["20 ms"]), "f0.law.rate", 20.0);
    assert!((rate / 1e6 / ceiling("\"rcp\"") - 1.0).abs() < 0.02, "{rate}");
    let granted = mean(&run("\"xcp\"", &["20 ms"]), "f0.law.granted", 20.0);
    assert!(granted.abs() < 20.0, "{granted}");
}

/// A line that falls to a third of its rate and rises again, every two seconds. RCP takes d/alpha,
/// a tenth of a second, for each factor of e: at a rise from 3 to 10 Mbit/s, and after a fall,
/// whose queue brings R below the line. That is a tenth of what the line carries.
#[test]
fn rates_follow_a_line_that_varies() {
    let line = r#"capacity.steps = { period = "4 s", rates = [["0 s", "10 Mbit/s of line"],
                  ["2 s", "3 Mbit/s of line"]] }"#;
    for law in ["\"xcp\"", "\"rcp\""] {
        let outcome = outcome(&text(law, &["20 ms"], line));
        let used = goodputs(&outcome)[0] / ceiling(law) * 10.0 / 6.5;
        let queue = waiting(&outcome) * PACKET;
        let least = if law == "\"xcp\"" { 0.93 } else { 0.87 };
        assert!(used > least && queue < 0.05, "{law}: {used} {queue}");
    }
}

/// Without a port that grants, XCP is Reno's law and RCP that, paced: the buffer fills and
/// overflows.
#[test]
fn a_path_without_grants_has_renos_window() {
    for law in ["\"xcp\"", "\"rcp\""] {
        let text = text(law, &["20 ms"], "").replace(&format!("drop = {law}"), "drop = \"tail\"");
        let outcome = outcome(&text.replace("500 packet", "60 packet"));
        let (used, lost) = (goodputs(&outcome)[0] / ceiling(law), &outcome.summary.flows["f0"]);
        assert!(used > 0.9 && lost.retransmitted_segments > 0, "{law}: {used}");
    }
}

#[test]
fn rules_whose_blocks_have_no_room_are_refused() {
    for (tcp, expected) in [
        (
            "recovery = \"sack\"",
            "leave no room for the congestion header of `congestion = \"xcp\"`",
        ),
        ("recovery = \"reno\"", "whose window is that of `congestion = \"reno\"`"),
    ] {
        let text = text("\"xcp\"", &["20 ms"], "")
            .replace("congestion = ", &format!("{tcp}\ncongestion = "));
        let refused = Scenario::parse(Source { origin: "test.toml", text: &text }, &[]);
        let error = refused.expect_err("there is no room").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// RCP's equation as a fluid, R' = (alpha/d) R (1 - 2 R(t - d)/C) without a queue, integrated from
/// the rates that were seen until 0.15 C after a second flow has come and its queue is gone. A
/// sender sees R later by the way back, which shifts the equation and changes nothing else.
#[test]
fn rates_rise_as_the_equation_says() {
    const STEP: f64 = 0.001;
    let (line, delay) = (10e6 * 1444.0 / 1502.0, 0.040 + PACKET);
    let text =
        text("\"rcp\"", &["20 ms"; 2], "").replace("[flow.f1]\n", "[flow.f1]\nstart = \"8 s\"\n");
    let outcome =
        outcome(&text.replace("drop = \"rcp\"", "drop = { rcp = { update = \"2 ms\" } }"));
    let series =
        outcome.series.iter().find(|one| one.name == "f0.law.rate").expect("it is recorded");
    let seen = |time: f64| {
        let after = series.times.partition_point(|at| at.seconds_f64() < time);
        let [first, second] = [after - 1, after].map(|at| series.times[at].seconds_f64());
        let part = (time - first) / (second - first);
        (series.values[after - 1] * (1.0 - part) + series.values[after] * part) / line
    };
    let start = (0..200).map(|step| 8.2 + f64::from(step) / 200.0).find(|at| seen(*at) > 0.15);
    let start = start.expect("it rises again");
    let lag = (delay / STEP).round() as usize;
    let mut rates: Vec<f64> =
        (0..=lag).map(|step| seen(start + STEP * (step as f64 - lag as f64))).collect();
    for step in 0..800 {
        let (now, before) = (rates[step + lag], rates[step]);
        rates.push(now * (1.0 + STEP / delay * 0.4 * (1.0 - 2.0 * before)));
    }
    for step in (0..800).step_by(50) {
        let (found, expected) = (seen(start + STEP * f64::from(step)), rates[step as usize + lag]);
        assert!((found / expected - 1.0).abs() < 0.05, "{step} ms: {found} for {expected}");
    }
}

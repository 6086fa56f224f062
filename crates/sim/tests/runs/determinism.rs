//! The same scenario, seed and version give the same result, bit for bit.

use super::records::{assert_golden, assert_same};
use super::{outcome, outcome_of, scenario};
use cellway_sim::result::Summary;
use cellway_sim::{Continue, run};

const LOSSY: &str = include_str!("determinism/lossy.toml");

#[test]
fn twice_is_the_same() {
    assert_same(&outcome(LOSSY), &outcome(LOSSY));
}

#[test]
fn another_seed_is_another_run() {
    let another = outcome(&LOSSY.replace("seed = 3", "seed = 4"));
    let [this, another] = [outcome(LOSSY), another].map(|outcome| outcome.summary.ports);
    assert_ne!(this, another);
}

/// An unrelated pair of hosts draws from streams of its own and crosses nobody's path.
#[test]
fn an_unrelated_source_changes_nothing() {
    let unrelated = include_str!("determinism/unrelated.toml");
    let alone = outcome(LOSSY);
    let together = outcome(&format!("{LOSSY}{unrelated}"));
    for (name, flow) in &alone.summary.flows {
        assert_eq!(Some(flow), together.summary.flows.get(name), "flow {name}");
    }
    for (name, port) in &alone.summary.ports {
        assert_eq!(Some(port), together.summary.ports.get(name), "port {name}");
    }
}

/// Where the run loop pauses is no part of the model: cancelling and looking do not change what
/// follows.
#[test]
fn observation_changes_nothing() {
    let observed = outcome(LOSSY);
    let unobserved = outcome(&LOSSY.replace("observe.interval = \"10 ms\"\n", ""));
    assert_eq!(observed.summary, unobserved.summary);
}

/// A port that serves classes in turn was once brought to the instant of a sample, or to the end of
/// a turn, before a measuring interval that had ended earlier looked at its queue: the rates
/// depended on who looked.
#[test]
fn observation_changes_no_rates() {
    let unobserved = outcome(ABR_BESIDE_VBR);
    for interval in ["0.3 ms", "1 ms", "7 ms", "change"] {
        let observed =
            outcome(&format!("{ABR_BESIDE_VBR}\n[observe]\ninterval = \"{interval}\"\n"));
        assert_eq!(observed.summary, unobserved.summary, "observed every {interval}");
    }
    let paused = outcome(&ABR_BESIDE_VBR.replace("seed = 3", "seed = 3, warm_up = \"123457 us\""));
    let [paused, straight] = [&paused, &unobserved].map(|outcome| {
        let inside: Vec<u64> = outcome.summary.vcs.values().map(|vc| vc.inside).collect();
        (inside, outcome.summary.links.clone(), outcome.summary.cell_hops)
    });
    assert_eq!(paused, straight);
}

/// A rule that does not measure has no series: asking for them once never ended.
#[test]
fn rules_that_do_not_measure_can_be_observed() {
    for rule in [
        "{ efci = { threshold = \"50 cell\" } }",
        "{ relative_rate = { no_increase = \"50 cell\", congestion = \"99 cell\" } }",
    ] {
        let text = ABR_BESIDE_VBR.replace("\"erica_plus\"", rule);
        let outcome = outcome(&format!("{text}\n[observe]\n"));
        assert!(outcome.series.iter().all(|series| !series.name.ends_with(".fair_share")));
    }
}

const ABR_BESIDE_VBR: &str = include_str!("determinism/abr_beside_vbr.toml");

/// A warm-up moves the measurement, not the run: what is counted before and after adds up.
#[test]
fn a_warm_up_only_moves_the_measurement() {
    let whole = outcome(LOSSY).summary;
    let earlier = outcome(&LOSSY.replace("\"6 s\"", "\"2.5 s\"")).summary;
    let later = outcome(&LOSSY.replace("seed = 3", "seed = 3, warm_up = \"2.5 s\"")).summary;
    for (name, vc) in &whole.vcs {
        let (before, after) = (earlier.vcs[name], later.vcs[name]);
        assert_eq!(vc.sent, before.sent + after.sent, "{name}");
        assert_eq!(vc.delivered, before.delivered + after.delivered, "{name}");
        assert_eq!(vc.dropped, before.dropped + after.dropped, "{name}");
        assert_eq!(vc.frames_broken, before.frames_broken + after.frames_broken, "{name}");
        assert_eq!(vc.inside, after.inside, "{name}");
        assert_eq!(
            before.inside + after.sent,
            after.delivered + after.dropped + after.inside,
            "{name}"
        );
    }
    let acked =
        |summary: &Summary| summary.flows.values().map(|flow| flow.acked_bytes).sum::<u64>();
    assert!(0 < acked(&later) && acked(&later) < acked(&whole));
}

#[test]
fn a_run_can_be_cancelled_at_a_barrier() {
    let scenario = scenario(LOSSY);
    let mut calls = 0;
    let cancelled = run(&scenario, &mut |_| {
        calls += 1;
        if calls == 3 { Continue::No } else { Continue::Yes }
    });
    assert_eq!(
        cancelled.expect_err("it was cancelled").to_string(),
        "cancelled at 0.06 s of simulated time"
    );
}

/// Committed records of three scenarios.
#[test]
fn results_are_those_of_the_goldens() {
    for name in ["b2-tcp-wan", "b4-tcp-satellite"] {
        let path = format!("{}/benches/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a scenario beside the benchmarks");
        let text = text
            .replace("duration = \"20 s\"", "duration = \"1 s\"")
            .replace("duration = \"60 s\"", "duration = \"3 s\"");
        assert_golden(name, &outcome_of(&scenario(&text)));
    }
    assert_golden("lossy", &outcome(LOSSY));
}

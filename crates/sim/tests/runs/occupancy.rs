//! What each VC holds of a queue: by hand, as parts of the whole, and the same whoever looks.

use super::outcome;
use cellway_sim::Outcome;
use cellway_sim::result::PortSummary;

/// Two sources whose cells arrive in pairs 0, 10 and 20 us after 500 us, `a`'s before `b`'s, at a
/// link on which a cell takes 10 us. The run ends 30 us after the first pair.
pub(super) const PAIRS: &str = include_str!("occupancy/pairs.toml");

/// Five TCPs over GFR through a buffer that DFBA manages; 1 s.
pub(super) const GUARANTEED: &str = include_str!("occupancy/guaranteed.toml");

fn port(outcome: &Outcome) -> &PortSummary {
    &outcome.summary.ports["s.out"]
}

/// Cell-microseconds and the largest number, of `a` and `b`.
fn held(text: &str) -> [(f64, u64); 2] {
    let outcome = outcome(text);
    let vcs = &port(&outcome).vcs;
    ["a", "b"].map(|name| ((vcs[name].mean_queue * 530.0 * 1e6).round() / 1e6, vcs[name].max_queue))
}

/// In order of arrival they leave at 10 (a), 20 (b), 30 (a), 40 (b), 50 (a) and 60 us (b), and the
/// run ends at 30: `a` holds 10 + 20 + 10 us, `b` 20 + 20 + 10. At 20 us, after a's second and b's
/// first and second have come and b's first has gone, each has two. With strict priority `a` goes
/// first where it waits: it leaves at 10, 30 and 40 us, `b` at 20, 50 and 60; up to the end that is
/// as much.
///
/// Without the cell on the line one is out of the buffer when its first bit is sent: `a`'s first
/// never waits, its second 10 us, its third 20, of which 10 before the end; `b`'s 10, 20 and 30, of
/// which 10. With strict priority `a` waits 0, 10 and 10 us, `b` 10, 30 and 30, of which 10, 20 and
/// 10 before the end. At 20 us b's first and a's second have begun.
///
/// To the end of all it is 10 + 20 + 30 and 20 + 30 + 40 us, with strict priority 50 and 100.
#[test]
fn pairs_by_hand() {
    let classes = PAIRS.replacen("service = \"ubr\"", "service = \"cbr\"", 1);
    for (text, areas) in [(PAIRS, [60.0, 90.0]), (&classes, [50.0, 100.0])] {
        assert_eq!(held(text), [(40.0, 2), (50.0, 2)]);
        let not_counted = text.replace("buffer =", "in_service = \"not_counted\"\nbuffer =");
        assert_eq!(held(&not_counted), [(20.0, 1), (40.0, 2)]);
        let whole = outcome(&text.replace("530 us", "600 us"));
        for (name, area) in ["a", "b"].into_iter().zip(areas) {
            let found = port(&whole).vcs[name].mean_queue * 600.0;
            assert!((found - area).abs() < 1e-9, "{name}: {found}");
        }
    }
}

/// From 20 us on, when `a` and `b` have a cell each and another of each comes: in order of arrival
/// `a` holds 10 + 30 us and `b` 20 + 40, in strict priority 10 + 20 and 30 + 40. What was held
/// before does not count.
#[test]
fn a_measurement_begins_with_what_is_there() {
    let begun =
        PAIRS.replace("duration = \"530 us\"", "duration = \"600 us\"\nwarm_up = \"520 us\"");
    let classes = begun.replacen("service = \"ubr\"", "service = \"cbr\"", 1);
    for (text, expected) in [(&begun, [40.0, 60.0]), (&classes, [30.0, 70.0])] {
        let outcome = outcome(text);
        for (name, area) in ["a", "b"].into_iter().zip(expected) {
            let vc = &port(&outcome).vcs[name];
            assert!(
                (vc.mean_queue * 80.0 - area).abs() < 1e-9 && vc.max_queue == 2,
                "{name}: {vc:?}"
            );
        }
    }
    let over = outcome(
        &PAIRS.replace("duration = \"530 us\"", "duration = \"900 us\"\nwarm_up = \"560 us\""),
    );
    assert!(port(&over).vcs.values().all(|vc| vc.max_queue == 0 && vc.mean_queue == 0.0));
}

#[test]
fn the_whole_queue_is_the_sum_of_its_vcs() {
    let classes = GUARANTEED.replace("[host.dst]", "[host.video]\n[host.dst]")
        + include_str!("occupancy/video.toml");
    for (text, count) in [(GUARANTEED, 5), (&classes, 6)] {
        let outcome = outcome(text);
        let port = port(&outcome);
        assert_eq!(port.vcs.len(), count);
        let mean: f64 = port.vcs.values().map(|vc| vc.mean_queue).sum();
        assert!((mean / port.mean_queue - 1.0).abs() < 1e-12, "{mean} of {}", port.mean_queue);
        let lost: u64 = port.vcs.values().map(|vc| vc.drops.early_frame).sum();
        assert!(lost > 0 && lost == port.drops.early_frame);
        assert!(port.vcs.values().all(|vc| 0 < vc.max_queue && vc.max_queue <= port.max_queue));
    }
}

/// 20 kcell/s, and the time that the mean queue takes at that rate; other classes have none.
#[test]
fn a_guaranteed_vc_has_its_queue_as_a_time() {
    let outcome = outcome(GUARANTEED);
    for vc in port(&outcome).vcs.values() {
        assert_eq!(vc.mcr_cells_per_second, Some(20_000.0));
        assert_eq!(vc.mean_queue_over_mcr_s, Some(vc.mean_queue / 20_000.0));
    }
    let plain = self::outcome(PAIRS);
    assert!(port(&plain).vcs.values().all(|vc| vc.mcr_cells_per_second.is_none()));
}

#[test]
fn where_nothing_compares_vcs_they_are_not_told() {
    let shared = PAIRS.replace("per_vc", "per_port");
    assert!(port(&outcome(&shared)).vcs.is_empty());
}

/// Whether single VCs are kept for their series or anyway, on a grid or on change.
#[test]
fn who_looks_changes_nothing() {
    let ubr = GUARANTEED
        .replace("service.gfr = { mcr = \"20 kcell/s\" }", "service = \"ubr\"")
        .replace("drop.dfba = { low = 0.5, high = 0.8 }", "drop.epd = { threshold = 0.8 }");
    for text in [GUARANTEED, &ubr, PAIRS] {
        let unseen = outcome(text);
        assert!(unseen.series.is_empty());
        for interval in ["change", "0.1 ms"] {
            let seen = outcome(&format!(
                "{text}\n[observe]\nseries = [\"vc_queue\"]\ninterval = \"{interval}\""
            ));
            assert_eq!(seen.summary, unseen.summary);
            assert!(seen.series.iter().any(|series| !series.values.is_empty()));
        }
    }
    assert!(port(&outcome(&ubr)).vcs.is_empty());
}

/// What is recorded is what is counted: the area below each series is the mean queue, and its top
/// the largest.
#[test]
fn series_of_vcs_have_the_means_of_the_summary() {
    let observe = "\n[observe]\nseries = [\"vc_queue\"]\ninterval = \"change\"\nlimit = 1000000";
    for text in [PAIRS.to_owned(), GUARANTEED.replace("warm_up = \"10 ms\"", "")] {
        let outcome = outcome(&(text + observe));
        let end = outcome.summary.duration_s;
        for (name, vc) in &port(&outcome).vcs {
            let called = format!("s.out.{name}.vc_queue");
            let series = outcome
                .series
                .iter()
                .find(|series| series.name == called)
                .expect("it was recorded");
            assert_eq!((series.unit, series.thinned), ("cell", 0));
            let until = series.times.iter().skip(1).map(|at| at.seconds_f64()).chain([end]);
            let lasts = series.times.iter().zip(until).map(|(from, to)| to - from.seconds_f64());
            let area: f64 = series.values.iter().zip(lasts).map(|(value, span)| value * span).sum();
            assert!((area / end / vc.mean_queue - 1.0).abs() < 1e-9, "{name}: {}", area / end);
            assert!(series.values.contains(&(vc.max_queue as f64)));
            assert!(series.values.iter().all(|&value| value <= vc.max_queue as f64));
        }
    }
}

/// Series of single VCs are many: they are there for those who ask.
#[test]
fn vcs_are_recorded_only_where_asked_for() {
    let usual = outcome(&format!("{PAIRS}\n[observe]"));
    assert!(!usual.series.is_empty());
    assert!(usual.series.iter().all(|series| !series.name.ends_with(".vc_queue")));
}

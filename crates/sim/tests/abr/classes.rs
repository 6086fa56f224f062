//! Service classes at a port: strict priority, a queue and a buffer for each.

use super::summary;

/// Three sources of 1/2, 1/3 and 1/3 of a link of 42.4 Mbit/s, 100 000 cells/s: a cell takes 10 us.
const THREE: &str = include_str!("three_classes.toml");

#[test]
fn who_is_served_first_loses_nothing_and_waits_for_one_cell_at_most() {
    let summary = summary(THREE);
    let port = &summary.ports["s.out"];
    let [vbr, abr, ubr] = ["vbr", "abr", "ubr"].map(|class| port.classes[class]);
    assert_eq!((vbr.drops.overflow, abr.drops.overflow), (0, 0));
    // A cell of another class may be on the line: itself and one more of its own at most.
    assert!(vbr.max_queue <= 2, "{vbr:?}");
    // 16 to 17 kcell/s are left of 33 and RM cells come on top: the queue of the last class is
    // always full.
    assert_eq!(ubr.max_queue, 500);
    assert!(
        (ubr.sent as f64 - (100_000.0 - 50_000.0 - abr.sent as f64)).abs() <= 2.0,
        "what is left: {ubr:?}"
    );
    assert!(abr.sent as f64 >= 33_000.0 * 32.0 / 31.0 - 20.0, "RM cells included: {abr:?}");
    assert!((port.utilisation - 1.0).abs() < 1e-4);
}

/// With 50 of 100 kcell/s gone to the first class, the second overflows its own 200 cells; the
/// third gets nothing.
#[test]
fn each_class_has_room_of_its_own() {
    let summary = summary(&THREE.replace(
        "{ rate = \"33 kcell/s\" }\nservice.abr",
        "{ rate = \"60 kcell/s\" }\nservice.abr",
    ));
    let port = &summary.ports["s.out"];
    let [vbr, abr, ubr] = ["vbr", "abr", "ubr"].map(|class| port.classes[class]);
    assert_eq!((vbr.drops.overflow, abr.max_queue, ubr.max_queue), (0, 200, 500));
    assert!(abr.drops.overflow > 10_000, "{abr:?}");
    assert_eq!((vbr.sent, ubr.sent), (50_000, 0), "{ubr:?}");
}

/// At equal rates the order of the second and the third at one instant would decide for all of
/// them: one is a little faster.
#[test]
fn a_pool_may_hold_all_classes() {
    let apart = "{ rate = \"34.1 kcell/s\" }\nservice = \"ubr\"";
    let shared = THREE.replace("{ rate = \"33 kcell/s\" }\nservice = \"ubr\"", apart);
    let shared = shared.replace("{ per_port = \"500 cell\" }", "{ shared = \"500 cell\" }");
    let shared: String = shared
        .lines()
        .filter(|line| !line.contains("r_buffer"))
        .fold(String::new(), |text, line| text + line + "\n");
    let summary = summary(&shared);
    let port = &summary.ports["s.out"];
    assert_eq!(port.max_queue, 500);
    // Who is served last fills it, and keeps the second out, which alone would lose nothing.
    let [abr, ubr] = ["abr", "ubr"].map(|class| port.classes[class].drops.overflow);
    assert!(abr > 5_000 && ubr > 5_000, "{abr} and {ubr}");
}

/// 70 kcell/s of a class with room of its own for 500 cells overload a link of 50. The memory for
/// 300 cells that the other ports share has none of them: who has a free link of its own loses
/// nothing.
#[test]
fn room_of_a_class_is_not_in_the_pool() {
    let summary = summary(include_str!("busy_port.toml"));
    let [full, free] = ["s.out[1]", "s.out[2]"].map(|port| &summary.ports[port]);
    let [vbr, ubr] = ["vbr", "ubr"].map(|class| full.classes[class]);
    // 20 kcell/s too many fill its room within 25 ms; up to 250 cells of the last class wait behind
    // it.
    assert!(vbr.max_queue == 500 && vbr.drops.overflow > 9_000, "{vbr:?}");
    assert!(ubr.max_queue > 200 && ubr.drops.overflow == 0, "{ubr:?}");
    // A line that is free takes a cell at once: nothing but that one is ever at this port.
    assert_eq!((free.max_queue, free.drops.overflow), (1, 0));
}

/// On for 0.7 of 5 ms at 100 000 cells/s: 350 cells in each of 200 periods, and no more in the
/// first millisecond of the next.
#[test]
fn bursts_have_the_cells_that_fit_into_them() {
    let bursts =
        THREE.replace("duration = \"1.5 s\", warm_up = \"0.5 s\"", "duration = \"1 s\"").replace(
            "traffic.cbr = { rate = \"50 kcell/s\" }",
            "traffic.on_off = { rate = \"100 kcell/s\", period = \"5 ms\", duty_cycle = 0.7 }",
        );
    assert_eq!(summary(&bursts).vcs["first"].sent, 200 * 350);
}

/// 4 ms on and 6 ms off at 100 000 cells/s: 40 000 a second, ± four standard errors of 5 s of it.
#[test]
fn random_bursts_have_their_mean_rate() {
    let random = THREE.replace("duration = \"1.5 s\"", "duration = \"20 s\"").replace(
        "traffic.cbr = { rate = \"50 kcell/s\" }",
        "traffic.exponential_on_off = { rate = \"100 kcell/s\", on = \"4 ms\", off = \"6 ms\" }",
    );
    // The first half second is warm-up.
    let sent = summary(&random).vcs["first"].sent as f64 / 19.5;
    // Var of the busy share over T: 2 (on·off)²/((on + off)³ T) = 2 · 576e-12/(1e-6 · 19.5) →
    // 0.0077.
    assert!((sent - 40_000.0).abs() < 4.0 * 770.0, "{sent} cells/s");
}

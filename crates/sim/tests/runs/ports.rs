//! Ports of switches and edges, and their links; each once went wrong as its comment says.

use super::network::Network;
use super::outcome;

/// The threshold of early discard once was compared with the whole port where the buffer is per VC.
#[test]
fn early_discard_with_a_buffer_per_vc_looks_at_that_vc() {
    let tcp = "mss = \"9140 B\", window = \"9140 B\", ack = \"every_segment\"";
    let network = Network::line("1 s", ["OC-12c", "OC-3c"], "1 ms")
        .at("switch.s", "buffer.per_vc = \"400 cell\"\ndrop.epd.threshold = \"300 cell\"")
        .greedy("bulk", ["a", "b"], tcp)
        .at("flow.bulk", "count = 8");
    let port = &outcome(&network).summary.ports["s.out"];
    // One segment of 192 cells per VC is never more than 300.
    assert_eq!(port.drops.early_frame, 0);
    assert!(port.max_queue > 400);
}

/// A link once counted cells that still waited for it.
#[test]
fn a_link_counts_what_has_left() {
    let network = Network::line("1 s", ["OC-3c", "10 Mbit/s of cell"], "1 ms");
    let summary = outcome(&network.cbr("100 Mbit/s of cell")).summary;
    assert_eq!(summary.links["out"].sent, summary.ports["s.out"].sent);
    // 10 Mbit/s from the first arrival on.
    assert!((23_550..=23_585).contains(&summary.links["out"].sent));
}

/// What waits at an edge was once written over what waits at the switch behind it, so that cells
/// seemed lost. Packets of 9180 bytes are 192 cells, of which the slow link takes 2359 in a second:
/// most wait.
#[test]
fn cells_wait_at_an_edge_and_behind_it() {
    let gfr = "{ gfr = { mcr = \"100 kbit/s of cell\" } }";
    let paced = "{ ubr = { pace = \"900 kbit/s of cell\" } }";
    for (first, second, switch) in [
        ("\"abr\"", "\"ubr\"", ""),
        ("\"abr\"", gfr, ""),
        (paced, "\"ubr\"", "scheduler = \"wfq\""),
    ] {
        let flow = |service: &str| format!("traffic = \"greedy\"\nservice = {service}\ntcp = {{}}");
        let network = Network::lasting("100 ms")
            .host("a")
            .host("b")
            .edge("west")
            .edge("east")
            .switch("s")
            .at("switch.s", switch)
            .link("lan-a", ["a", "west"], "10 Mbit/s of line", "1 ms")
            .link("up", ["west", "s"], "OC-3c", "1 ms")
            .link("down", ["s", "east"], "1 Mbit/s of cell", "1 ms")
            .link("lan-b", ["east", "b"], "10 Mbit/s of line", "1 ms")
            .flow("one", ["a", "b"], &flow(first))
            .flow("two", ["a", "b"], &flow(second));
        let vcs = outcome(&network).summary.vcs;
        let waiting = [&vcs["one"], &vcs["two"]].map(|vc| vc.inside);
        assert!(waiting.iter().sum::<u64>() > 100, "{first} and {second}: {waiting:?}");
        assert!(vcs.values().all(|vc| vc.sent == vc.delivered + vc.dropped + vc.inside));
    }
}

/// The explicit rate was once noted at the end of a measuring interval. It is given when a backward
/// RM cell passes the switch.
#[test]
fn an_explicit_rate_is_recorded_when_it_is_given() {
    let erica = "rate_allocator.erica = { interval = \"10 ms\", interval_cells = 1000000 }";
    let network = Network::line("12 ms", ["10 kcell/s"; 2], "1 ms")
        .at("switch.s", erica)
        .flow("f", ["a", "b"], "traffic = \"greedy\"\nservice.abr.icr = \"1 kcell/s\"")
        .observe("er", "change");
    let series = outcome(&network).series;
    let given = series.iter().find(|series| series.name == "s.out.er" && !series.times.is_empty());
    // To b: 0.1 ms on each line and 1 ms on each link; there 1 ms behind an RM cell of the other
    // direction; back: 0.1 ms and 1 ms.
    assert_eq!(given.expect("it was given").times[0].picoseconds(), 4_300_000_000);
}

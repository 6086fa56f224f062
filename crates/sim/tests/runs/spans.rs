//! Extreme but legal times: refused where a run could not compute them, with the reason.

use super::network::Network;
use cellway_sim::explain::explain;
use cellway_sim::scenario::{Scenario, Source};

/// Two hosts, a switch, and what may be extreme.
fn path(duration: &str, sar: &str, switch: &str, delay: &str, flow: &str) -> Network {
    Network::lasting(duration)
        .host("a")
        .host("b")
        .switch("s")
        .at("host.a", sar)
        .at("switch.s", switch)
        .link("in", ["a", "s"], "OC-3c", delay)
        .link("out", ["s", "b"], "OC-3c", "1 ms")
        .flow("f", ["a", "b"], flow)
}

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(Source { origin: "far.toml", text }, &[]).map_err(|error| error.to_string())
}

fn refused(text: &str, reason: &str) {
    let error = parse(text).expect_err(reason);
    assert!(error.starts_with("far.toml:") && error.contains(reason), "{error}");
}

const ABR: &str = "traffic = \"greedy\"\nservice = \"abr\"";

/// Each of these once left the range of time in the middle of a run, or in `explain`.
#[test]
fn what_leaves_the_range_of_time_is_refused() {
    let exponential = |off: &str| {
        let bursts = format!("rate = \"10 Mbit/s of cell\", on = \"1 ms\", off = \"{off}\"");
        path("1 s", "", "", "1 ms", &format!("traffic.exponential_on_off = {{ {bursts} }}"))
    };
    refused(
        &exponential("100 d"),
        "3700 days for a gap of `flow.f`, which may draw 37 times its mean",
    );
    // Nor is there a span as long as both, which once overflowed as their part was worked out.
    refused(&exponential("100 d").replace("1 ms\", off", "100 d\", off"), "7400 days for a gap");
    refused(&path("1 s", "", "", "54 d", ABR), "108 days for the path of `flow.f`, there and back");
    let paced = "traffic = \"greedy\"\ntcp = { }\npacing = { link = \"out\", rate = \"instcap\" }";
    refused(&path("1 s", "", "", "60 d", paced), "120 days for the path of `flow.f`");
    let sar = "sar.per_cell = \"894 s\"";
    let segments = "traffic = \"greedy\"\ntcp.mss = \"65495 B\"";
    refused(&path("4.6 d", sar, "", "1 ms", segments), "for the segments waiting for `host.a`");
    let erica = "rate_allocator.erica.interval = \"79 d\"";
    refused(&path("22 d", "", erica, "1 ms", ABR), "79 days for an interval of `switch.s`");
    let credit = "drop.vq_mcr = { threshold = \"5 cell\", interval = \"99 d\" }";
    refused(&path("2 d", "", credit, "1 ms", ABR), "99 days for an interval of `switch.s`");
    let tagging = "service.gfr = { mcr = \"1 Mbit/s of cell\", tagging.pme = { \
                   interval = \"99 d\", step = 0.1 } }";
    let marked = format!("traffic = \"greedy\"\ntcp = {{ }}\n{tagging}");
    refused(&path("2 d", "", "", "1 ms", &marked), "99 days for an interval of `flow.f`");
}

/// CAKE acts at the intervals of its slowest tin: bulk has a sixteenth of 1 kbit/s, where 1.5 of
/// the largest packets take 3.5 hours, and an interval is two such targets.
#[test]
fn the_interval_of_cake_is_that_of_its_slowest_tin() {
    let network = |tins: &str| {
        let drop = format!(
            "buffer.per_port = \"9 packet\"\ndrop.cake = {{ rate = \"1 kbit/s of line\", \
             mtu = \"65535 B\", tins = \"{tins}\" }}"
        );
        let flow = "traffic.cbr = { rate = \"1 kbit/s of payload\", datagram = \"40 B\" }";
        let text = path("99.8 d", "", &drop, "1 ms", flow);
        text.replace("OC-3c", "100 Mbit/s of line").replace("\"cells\"", "\"packets\"")
    };
    refused(&network("diffserv3"), "0 days for an interval of `switch.s`");
    parse(&network("best_effort")).expect("two targets are 26 minutes");
}

/// And what is merely long is not.
#[test]
fn what_stays_within_it_can_be_explained() {
    let bursts = "traffic.exponential_on_off = { rate = \"10 Mbit/s of cell\", on = \"1 ms\", \
                  off = \"2 d\" }";
    for text in [
        path("1 s", "", "", "1 ms", bursts),
        path("1 s", "", "", "49 d", ABR),
        path("1 d", "", "rate_allocator.erica.interval = \"90 d\"", "1 ms", ABR),
        path("1 s", "sar.per_cell = \"10 s\"", "", "1 ms", "traffic = \"greedy\"\ntcp = { }"),
    ] {
        let scenario = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(explain(&scenario).flows.len(), 1);
    }
}

/// An interval of a picosecond, or a nanosecond for a millisecond, once kept a run busy for ever:
/// on OC-3c a cell takes 2.8 us, and a line of 1 Tbit/s has a cell in 424 ps.
#[test]
fn an_interval_shorter_than_any_cell_is_refused() {
    let interval = |rule: &str, interval: &str| {
        path("1 s", "", &format!("rate_allocator.{rule}.interval = \"{interval}\""), "1 ms", ABR)
    };
    for rule in ["erica", "erica_plus"] {
        for short in ["1 ps", "1 ns", "999 ns"] {
            refused(&interval(rule, short), "expected at least `1 us`");
        }
        parse(&interval(rule, "1 us")).expect("a million intervals in a second");
        let fast = interval(rule, "424 ps").replace("OC-3c", "1000 Gbit/s of cell");
        parse(&fast).expect("as many intervals as cells");
        refused(&fast.replace("424 ps", "423 ps"), "expected at least `424 ps`");
        // Slow lines have long cells, and the usual interval is theirs too.
        let slow = interval(rule, "1 ms").replace("OC-3c", "20 cell/s");
        parse(&slow).expect("intervals without cells do no harm");
    }
}

/// Nine days of out-of-rate RM cells, ten a second, once waited before a line of 3 bit/s for longer
/// than there is time.
#[test]
fn rm_cells_that_wait_beyond_the_range_of_time_are_refused() {
    let way = |from: &str, to: &str, rate: &str| {
        format!("from = \"{from}\"\nto = \"{to}\"\nrate = \"{rate}\"\ndelay = \"1 ms\"")
    };
    let network = |back: &str| {
        let nodes = Network::lasting("9 d").host("a").host("b").switch("s");
        let lines = nodes
            .section("link.in", &way("a", "s", "OC-3c"))
            .section("link.back", &way("s", "a", back))
            .link("out", ["s", "b"], "OC-3c", "1 ms");
        let erica = lines.at("switch.s", "rate_allocator.erica.interval = \"78 d\"");
        let slow = "traffic.cbr.rate = \"1 bit/s of cell\"\nservice = \"abr\"";
        erica.flow("f", ["a", "b"], slow)
    };
    refused(&network("3 bit/s of cell"), "days for the queue onto `link.back`");
    parse(&network("1 Mbit/s of cell")).expect("a line that is fast enough");
}

//! Flows together: by protocol, by family, and on each link.

use super::network::Network;
use super::outcome;

const REQUESTS: &str = "{ block = \"100 B\", period = \"100 ms\" }";
const EQUAL: &str = "start = { uniform = [\"0 s\", \"10 ms\"] }\n";

fn three_by(tcp: &str, count: u64, name: &str) -> String {
    format!(
        "[host.{name}]\ncount = {count}\n[link.{name}]\ncount = {count}\nbetween = [\"{name}[*]\", \
         \"s\"]\nrate = \"OC-3c\"\ndelay = \"1 ms\"\n[flow.{name}]\ncount = {count}\nfrom = \
         \"{name}[*]\"\nto = \"b\"\ntraffic = \"greedy\"\n{EQUAL}tcp = {{ timers = \"fine\", \
         window = \"200 KiB\", {tcp} }}\n"
    )
}

/// Three flows fill an OC-3c: of 192 cells 9140 bytes are payload, so no more than 134.51 Mbit/s.
#[test]
fn a_full_line_has_an_efficiency_of_one() {
    let core = Network::lasting("3 s").host("b").switch("s").at("run", "warm_up = \"1 s\"");
    let core = core.link("out", ["s", "b"], "OC-3c", "1 ms");
    let flows = three_by("recovery = \"sack\"", 2, "fair")
        + &three_by("congestion = \"cubic\"", 1, "steep");
    let summary = outcome(&format!("{}{flows}", &*core)).summary;
    let all = summary.groups.tcp.as_ref().expect("flows with a transport");
    assert_eq!((all.flows, all.bottleneck.as_deref()), (3, Some("out")));
    let efficiency = all.efficiency.expect("of payload");
    assert!((efficiency - 1.0).abs() < 0.002, "{efficiency}");
    let ceiling = 149.76e6 * 8.0 * 9140.0 / (192.0 * 424.0);
    let ratio = all.goodput.sum_bits_per_second / ceiling / efficiency;
    assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
    let channel = summary.channels["out"];
    assert!(channel.utilisation.is_some_and(|busy| (0.999..1.000_1).contains(&busy)));
    assert_eq!((channel.flows, channel.efficiency), (3, efficiency));
    let names: Vec<&str> = summary.groups.protocols.keys().map(String::as_str).collect();
    assert_eq!(names, ["cubic sack", "sack"]);
    let names: Vec<&str> = summary.groups.families.keys().map(String::as_str).collect();
    assert_eq!(names, ["fair", "steep"]);
    let port = summary.ports["s.out"].utilisation;
    assert!((port - channel.utilisation.unwrap_or(0.0)).abs() < 1e-5);
    let goodput = summary.flows["steep[1]"].measured_bits_per_second;
    assert_eq!(Some(summary.channels["steep[1]"].goodput_bits_per_second), Some(goodput));
}

/// Half of the line in datagrams of 1000 bytes, a quarter in cells: the cells have no payload that
/// counts, but keep the line busy.
#[test]
fn raw_cells_keep_a_line_busy_and_have_no_goodput() {
    let network = Network::line("2 s", ["100 Mbit/s of cell", "100 Mbit/s of cell"], "1 ms")
        .cbr("25 Mbit/s of cell")
        .flow(
            "voice",
            ["a", "b"],
            "traffic.cbr = { rate = \"35 Mbit/s of payload\", datagram = \"1000 B\" }",
        );
    let summary = outcome(&network).summary;
    let channel = summary.channels["out"];
    // 1028 + 8 bytes are 22 cells.
    let of_voice = 35e6 / 8000.0 * 22.0 * 424.0 / 100e6;
    let busy = channel.utilisation.expect("a link of cells");
    assert!((busy - 0.25 - of_voice).abs() < 2e-3, "{busy}");
    assert!((channel.efficiency - of_voice).abs() < 2e-3, "{}", channel.efficiency);
    assert!(summary.groups.tcp.is_none());
    assert_eq!(summary.groups.protocols["cells"].efficiency, None);
    assert_eq!(summary.groups.protocols["udp"].bottleneck.as_deref(), Some("in"));
}

/// What travels against the direction in which a link is written has the name of that direction.
#[test]
fn the_way_back_has_a_name_of_its_own() {
    let network = Network::line("1 s", ["OC-3c", "DS-3"], "1 ms").greedy("up", ["b", "a"], "");
    let summary = outcome(&network).summary;
    let group = summary.groups.tcp.expect("a flow with a transport");
    assert_eq!(group.bottleneck.as_deref(), Some("out back"));
    let channel = summary.channels["out back"];
    assert_eq!(Some(channel.efficiency), group.efficiency);
    assert!(channel.utilisation.is_some_and(|busy| busy >= channel.efficiency));
}

/// A download and requests of a few bytes share a line: their index would be 0.5 whatever happened.
#[test]
fn unlike_traffic_has_no_fairness() {
    let network = Network::line("2 s", ["10 Mbit/s of cell", "10 Mbit/s of cell"], "1 ms")
        .flow("bulk", ["a", "b"], "count = 2\ntraffic = \"greedy\"\ntcp = {}")
        .flow("web", ["a", "b"], &format!("traffic.burst = {REQUESTS}\ntcp = {{}}"));
    let groups = outcome(&network).summary.groups;
    assert_eq!(groups.tcp.expect("flows with a transport").fairness, None);
    assert!(groups.families["bulk"].fairness.is_some_and(|index| index > 0.5));
}

/// An upload has a tenth of the line that a download has, and is no less fair for it.
#[test]
fn unlike_lines_have_no_fairness() {
    let one_way = |[from, to]: [&str; 2], rate: &str| {
        format!("from = \"{from}\"\nto = \"{to}\"\nrate = \"{rate} of cell\"\ndelay = \"1 ms\"")
    };
    let core = Network::lasting("2 s").host("a").host("b").switch("s");
    let network = core
        .section("link.fast", &one_way(["a", "s"], "10 Mbit/s"))
        .section("link.slow", &one_way(["s", "a"], "1 Mbit/s"))
        .link("core", ["s", "b"], "OC-3c", "1 ms")
        .greedy("down", ["a", "b"], "")
        .greedy("up", ["b", "a"], "");
    let all = outcome(&network).summary.groups.tcp.expect("flows with a transport");
    assert_eq!((all.flows, all.fairness), (2, None));
}

/// One millisecond holds the last bits of two cells or three, and now and then an acknowledgement
/// of two segments, which took 163 ms.
#[test]
fn a_short_measurement_fills_a_line_once() {
    let of = |end: u64| {
        let network = Network::line(&format!("{end} ms"), ["1 Mbit/s of cell"; 2], "1 ms")
            .at("run", &format!("warm_up = \"{} ms\"", end - 1))
            .greedy("bulk", ["a", "b"], "");
        outcome(&network).summary.channels["out"]
    };
    let found: Vec<_> = (1000..1200).map(of).collect();
    assert!(found.iter().all(|channel| channel.utilisation <= Some(1.0)));
    assert!(found.iter().any(|channel| channel.utilisation == Some(1.0)));
    assert!(found.iter().all(|channel| channel.efficiency <= 1.0));
    assert!(found.iter().any(|channel| channel.efficiency >= 1.0));
}

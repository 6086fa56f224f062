//! `proxy.windows`: state of the path that connections of a proxy leave to each other, by hand.

use cellway_sim::result::FlowSummary;

use super::{outcome_of, scenario, summary};

/// Time of a full packet on each line, and of an empty segment, seconds.
const LINE: f64 = 12e-4;
const EMPTY: f64 = 32e-6;
/// Round trip between the proxy and the far host: two lines each way, with 270 ms and 1 ms, and the
/// link of the proxy.
const ROUND: f64 = 2.0 * (LINE + EMPTY) + 0.542 + 2e-6 + 12e-8 + 32e-10;

/// Two flows over a geostationary hop, the second from 20 s on. The proxy begins with two segments.
fn hop(traffic: &str, windows: &str) -> String {
    let own = "mtu = \"1500 B\", ack = \"every_segment\", timers = \"fine\", window = \"1 MiB\"";
    let pep =
        format!("proxy.pep = {{ at = \"near\", tcp = {{ {own}, initial_window = 2 }}{windows} }}");
    let next = format!(
        "[flow.next]\nfrom = \"here\"\nto = \"there\"\nstart = \"20 s\"\n{traffic}\n\
         tcp = {{ {own}, initial_window = 64 }}\n[observe]"
    );
    include_str!("proxies.toml")
        .replace("traffic = \"greedy\"", traffic)
        .replace("\"1 Mbit/s of line\"", "\"10 Mbit/s of line\"")
        .replace("\"100 ms\"", "\"270 ms\"")
        .replace("[observe]", &next)
        .replace("[\"web\"]", "[\"web\", \"next\"]")
        .replace("# more", &pep)
}

fn time(flow: &FlowSummary) -> f64 {
    flow.transfer.as_ref().expect("it is timed").time_s.expect("it is complete")
}

/// A page of 21 segments.
const PAGE: &str = "traffic.ttcp = { write = \"30660 B\", total = \"30660 B\" }";

/// The first page crosses the hop in flights of 2, 4, 8 and 7 segments. The last one begins three
/// round trips after the first segment, and segment 21 is the seventh of it on the line. The second
/// page has the window of 23 segments from the first, and 21 leaves as it comes from the LAN, 20
/// packets after the first: three round trips less, and 14 times of a packet more.
#[test]
fn a_second_page_has_the_window_of_the_first() {
    for windows in [", windows = \"kept\"", ", windows = \"shared\""] {
        let run = summary(&hop(PAGE, windows));
        let [first, second] = ["web", "next"].map(|name| time(&run.flows[name]));
        let gain = 3.0 * ROUND - 14.0 * LINE;
        assert!((first - second - gain).abs() < 1e-8, "{first} {second} and by hand {gain}");
    }
    let run = summary(&hop(PAGE, ""));
    assert!((time(&run.flows["web"]) - time(&run.flows["next"])).abs() < 1e-8);
}

/// cwnd of the first connection before and after it falls, and of the second then, in samples of
/// 100 ms; `None` if it does not fall.
fn windows_as_the_first_falls(windows: &str) -> Option<[f64; 3]> {
    let text = hop("traffic = \"greedy\"", windows)
        .replace("series = [", "interval = \"100 ms\"\nseries = [")
        .replace("transfers = [\"web\", \"next\"]", "");
    let run = outcome_of(&scenario(&text));
    let [first, second] = ["web behind pep.cwnd", "next behind pep.cwnd"].map(|name| {
        let series = run.series.iter().find(|one| one.name == name);
        &series.expect("it is observed").values
    });
    let fallen = (1..first.len()).find(|&at| first[at] < first[at - 1])?;
    Some([first[fallen - 1], first[fallen], second[fallen]])
}

/// Two connections with data in flight divide their window, if windows are shared: the second has a
/// half of it, and the first the other half and what ACKs have added since. Without a loss no
/// window falls otherwise; one that is kept waits for a connection whose data are acknowledged.
#[test]
fn connections_at_the_same_time_share_a_window() {
    assert_eq!(windows_as_the_first_falls(""), None);
    assert_eq!(windows_as_the_first_falls(", windows = \"kept\""), None);
    let [before, first, second] =
        windows_as_the_first_falls(", windows = \"shared\"").expect("it falls");
    assert!((second - before / 2.0).abs() < 1.0, "{before} {second}");
    assert!((second..before).contains(&first), "{before} {first} {second}");
}

//! Pages of objects over one connection: load times by hand, bytes, draws.

use cellway_sim::result::{FlowSummary, PageSummary, TransactionSummary};

use super::network::Network;
use super::outcome;

const MS: f64 = 1e-3;

fn of(network: &Network) -> (FlowSummary, PageSummary, TransactionSummary) {
    let flow = outcome(network).summary.flows["page"].clone();
    let pages = flow.pages.clone().expect("it loads pages");
    let transactions = flow.transactions.clone().expect("it has responses");
    (flow, pages, transactions)
}

fn page(network: Network, keys: &str, tcp: &str) -> Network {
    let tcp = format!("mss = \"1460 B\", window = \"64 KiB\", timers = \"fine\", {tcp}");
    let keys = format!("traffic.page = {{ {keys} }}\ntcp = {{ {tcp} }}");
    network.flow("page", ["a", "b"], &keys)
}

fn wire(duration: &str) -> Network {
    Network::wire(duration, "10 Mbit/s of line", "5 ms")
}

/// Load times of an empty path: handshake, request, rounds of slow start, serialisation. A segment
/// of 1500 B takes 1.2 ms, one of 40 B 0.032 ms, a request of 300 B 0.272 ms.
///
/// HTML of ten segments from a window of two has rounds of 2, 4 and 4, which begin 11.232 ms apart.
/// After them the window of twelve keeps the line full. The objects begin when the first segment of
/// requests has arrived, and their 100 segments follow each other. The second page has a window
/// for all of its HTML, and no handshake.
#[test]
fn a_page_takes_handshake_round_trips_rounds_and_transmission() {
    let keys = "request = \"300 B\", html = \"14600 B\", objects.fixed = 20, object = \"7300 B\", \
                reading = \"0 s\", pages = 2";
    let tcp = "handshake = true, initial_window = 2, ack = \"every_segment\"";
    let (flow, pages, transactions) = of(&page(wire("2 s"), keys, tcp));
    let (way, segment, ack, request) = (5.0 * MS, 1.2 * MS, 0.032 * MS, 0.272 * MS);
    let handshake = 2.0 * (way + ack) + ack;
    let round = 2.0 * way + segment + ack;
    let html = |rounds: f64, last: f64| request + way + rounds * round + last * segment + way;
    let objects = segment + way + 100.0 * segment + way;
    let first = handshake + html(2.0, 4.0) + objects;
    let second = html(0.0, 10.0) + objects;
    assert_eq!((pages.loaded, pages.objects, transactions.completed), (2, 40, 2));
    let longest = pages.max_load_s.expect("two are loaded");
    let shortest = 2.0 * pages.mean_load_s.expect("two are loaded") - longest;
    assert!((longest - first).abs() < 0.1 * MS, "{longest} {first}");
    assert!((shortest - second).abs() < 0.1 * MS, "{shortest} {second}");
    let middle = pages.p50_load_s.expect("two are loaded");
    assert!((middle - f64::midpoint(longest, shortest)).abs() < 1e-9, "{middle}");
    assert_eq!((flow.acked_bytes, flow.delivered_bytes), (2 * 21 * 300, 2 * 21 * 300));
    assert_eq!(transactions.response_bytes, 2 * (14_600 + 20 * 7300));
    assert_eq!(transactions.response_time.max.map(|max| max >= longest), Some(true));
}

/// Parsing of 50 ms comes once in each page, between HTML and objects.
#[test]
fn parsing_delays_the_objects() {
    let load = |parsing: &str| {
        let keys = format!(
            "html = \"1 kB\", objects.fixed = 3, object = \"2 kB\", parsing = \"{parsing}\", \
             pages = 1"
        );
        of(&page(wire("2 s"), &keys, "")).1.mean_load_s.expect("it is loaded")
    };
    let more = load("50 ms") - load("0 s");
    assert!((more - 50.0 * MS).abs() < 0.1 * MS, "{more}");
}

/// Pages of drawn sizes end through losses at a full port; every byte that was asked for arrives,
/// and a repeated run is the same.
#[test]
fn drawn_pages_are_whole_through_losses() {
    let network = || {
        let line = Network::line("60 s", ["2 Mbit/s of line", "10 Mbit/s of line"], "5 ms");
        let network = line.at("switch.s", "buffer.per_port = \"6 packet\"");
        page(network, "reading.exponential.mean = \"0.2 s\", pages = 40", "recovery = \"sack\"")
    };
    let (flow, pages, transactions) = of(&network());
    assert_eq!((pages.loaded, transactions.completed), (40, 40));
    assert!(transactions.retransmitted_segments > 0, "nothing was lost");
    assert_eq!(flow.acked_bytes, 350 * (40 + pages.objects));
    assert!(flow.finished_s.is_some());
    assert_eq!(of(&network()), (flow, pages, transactions));
}

/// A page in the warm-up counts neither as a page nor by its objects.
#[test]
fn pages_count_within_the_measurement() {
    let keys = "html = \"1 kB\", objects.fixed = 2, object = \"1 kB\", reading = \"1 s\"";
    let network = page(wire("4 s"), keys, "").at("run", "warm_up = \"0.5 s\"");
    let (_, pages, _) = of(&network);
    assert_eq!((pages.loaded, pages.objects), (3, 6));
}

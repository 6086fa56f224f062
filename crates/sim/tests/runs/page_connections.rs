//! `traffic.page.connections`: load times of pages in round trips by hand.

use super::{scenario, summary};
use cellway_sim::result::Summary;
use cellway_sim::scenario::{Scenario, Source};

/// Pages with HTML and twelve objects of one segment each over 100 ms each way, on lines that take
/// next to no time, with a handshake.
fn pages(connections: &str, more: &str) -> String {
    format!(
        "run.duration = \"60 s\"\nhost = {{ client = {{}}, server = {{}} }}\nswitch.hub = {{}}\n\
         [link]\nnear = {{ between = [\"client\", \"hub\"], rate = \"10 Gbit/s of line\", carries \
         = \"packets\", delay = \"50 ms\" }}\nfar = {{ between = [\"hub\", \"server\"], rate = \
         \"10 Gbit/s of line\", carries = \"packets\", delay = \"50 ms\" }}\n[flow.web]\nfrom = \
         \"client\"\nto = \"server\"\n{more}\n[flow.web.traffic.page]\nrequest = \"350 B\"\nhtml = \
         \"1460 B\"\nobject = \"1460 B\"\nobjects = {{ fixed = 12 }}\nreading = \"1 s\"\n\
         {connections}\n[flow.web.tcp]\nmtu = \"1500 B\"\nhandshake = true\ntimers = \"fine\"\n\
         ack = \"every_segment\"\ninitial_window = 20\n"
    )
}

/// Load times of the first page and of the second, in round trips.
fn rounds(run: &Summary) -> [f64; 2] {
    let pages = run.flows["web"].pages.as_ref().expect("it loads pages");
    assert_eq!((pages.loaded, pages.objects), (2, 24));
    let [mean, most] = [pages.mean_load_s, pages.max_load_s].map(|time| time.expect("two pages"));
    [most, 2.0 * mean - most].map(|time| time / 0.2)
}

const TWO: &str = "pages = 2";

/// Handshake and HTML take a round trip each. On one connection all objects are requested at once.
///
/// On two the first one begins at the second round trip, the other opens then and begins at the
/// third: 1, 2, 2, 2, 2, 2 and the twelfth object at the eighth, which is there at the ninth. On
/// six: 1 and 6, and the other five at the fourth, which are there at the fifth.
///
/// The second page finds the connections open: HTML, then twelve objects by one, two and six.
#[test]
fn each_connection_takes_one_object_after_the_other() {
    for (connections, expected) in [
        ("", [3.0, 2.0]),
        ("connections = 1", [3.0, 2.0]),
        ("connections = 2", [9.0, 7.0]),
        ("connections = 6", [5.0, 3.0]),
    ] {
        let run = summary(&pages(&format!("{connections}\n{TWO}"), ""));
        let differ = |(found, expected): (f64, f64)| (found - expected).abs() > 5e-4;
        let found = rounds(&run);
        assert!(!found.into_iter().zip(expected).any(differ), "{connections} {found:?}");
    }
}

/// Each connection is listed with its own bytes, and all of them together have those of the pages.
#[test]
fn bytes_are_those_of_each_connection() {
    let run = summary(&pages(&format!("connections = 6\n{TWO}"), ""));
    let names: Vec<&str> = run.flows.keys().map(String::as_str).collect();
    let further = (2..=6).map(|number| format!("web connection {number}"));
    assert_eq!(names, ["web".to_owned()].into_iter().chain(further).collect::<Vec<_>>());
    let bytes = |name: &&str| {
        let of = run.flows[*name].transactions.as_ref().expect("it has responses");
        of.response_bytes
    };
    assert_eq!(names.iter().map(bytes).sum::<u64>(), 2 * 13 * 1460);
    assert_eq!(names.iter().map(|name| run.flows[*name].acked_bytes).sum::<u64>(), 2 * 13 * 350);
    assert!(run.flows["web connection 2"].pages.is_none());
}

/// A flow that stops as its HTML comes opens no further connection.
#[test]
fn a_stopped_flow_opens_no_connection() {
    let run = summary(&pages("connections = 6", "stop = \"0.3 s\""));
    let web = run.flows["web"].pages.as_ref().expect("it loads pages");
    assert_eq!((web.loaded, web.objects), (0, 0));
    assert_eq!(run.flows["web connection 2"].segments_sent, 0);
}

/// Written out, the flow is one, and behind a proxy each connection is split.
#[test]
fn a_flow_with_connections_is_written_as_one() {
    let proxy = "\n[proxy.pep]\nat = \"hub\"\nflows = [\"web\"]\n";
    let whole = scenario(&(pages(&format!("connections = 3\n{TWO}"), "") + proxy));
    let text = whole.to_toml();
    assert!(text.contains("connections = 3") && !text.contains("web connection"), "{text}");
    let again = Scenario::parse(Source { origin: "test.toml", text: &text }, &[]);
    assert_eq!(again.expect("it was written"), whole);
    let run = summary(&text);
    let pages = run.flows["web"].pages.as_ref().expect("it loads pages");
    assert_eq!((pages.loaded, pages.objects), (2, 24));
    let names: Vec<&str> = run.connections.keys().map(String::as_str).collect();
    let behind = ["web behind pep", "web connection 2 behind pep", "web connection 3 behind pep"];
    assert_eq!(names, behind);
}

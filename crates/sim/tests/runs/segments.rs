//! What a sender sends and hears, segment by segment, and where its segments are lost.

use cellway_sim::Outcome;

use super::network::Network;
use super::outcome;

const TCP: &str = "mss = \"1460 B\", window = \"64 KiB\", recovery = \"sack\", timers = \"fine\"";

fn values<'o>(outcome: &'o Outcome, name: &str) -> &'o [f64] {
    let found = outcome.series.iter().find(|series| series.name == format!("bulk.{name}"));
    found.map_or(&[], |series| &series.values)
}

fn observed(network: Network, segments: &str) -> Outcome {
    outcome(&network.observe("cwnd", "change").at("observe", segments))
}

fn line(keys: &str) -> Network {
    Network::line("1 s", ["10 Mbit/s of line"; 2], "10 ms").at("link.out", keys).greedy(
        "bulk",
        ["a", "b"],
        TCP,
    )
}

/// The 20th and the 22nd are lost on the line, are sent again, and nothing else is.
#[test]
fn two_losses_on_a_line() {
    let script = "impairments.script = { bulk = { segments = [20, 22] } }";
    let found = observed(line(script), "segments.flows = [\"bulk\"]");
    // The first byte is number 1: there was a SYN, if only in name.
    let places = [1.0 + 19.0 * 1460.0, 1.0 + 21.0 * 1460.0];
    assert_eq!(values(&found, "lost_on.out"), places);
    assert_eq!(values(&found, "resent"), places);
    assert_eq!(values(&found, "resent_length"), [1460.0; 2]);
    let flow = &found.summary.flows["bulk"];
    assert_eq!(values(&found, "sent").len() as u64 + 2, flow.segments_sent);
    let sent: Vec<f64> =
        (0..values(&found, "sent").len()).map(|k| 1.0 + 1460.0 * k as f64).collect();
    assert_eq!(values(&found, "sent"), sent);
    // Duplicate ACKs tell of both: nothing waits for the timer.
    assert_eq!(values(&found, "timeout"), [0.0; 0]);
    assert_eq!(values(&found, "resent_by_timeout"), [0.0; 0]);
    // The first block is what followed the first hole, the last ones reach to the second repair.
    assert_eq!(values(&found, "sack_start").first(), Some(&(1.0 + 20.0 * 1460.0)));
    assert_eq!(values(&found, "sack_start").len(), values(&found, "sack_end").len());
    let heard = values(&found, "heard");
    assert!(heard.is_sorted());
    assert_eq!(heard.last(), Some(&(1.0 + flow.acked_bytes as f64)));
    let edges = values(&found, "heard_window").iter().zip(heard);
    assert!(edges.clone().all(|(edge, ack)| edge - ack <= 65_536.0));
}

fn times(outcome: &Outcome, name: &str) -> Vec<f64> {
    let found = outcome.series.iter().find(|series| series.name == format!("bulk.{name}"));
    found.map_or(Vec::new(), |series| series.times.iter().map(|at| at.seconds_f64()).collect())
}

/// Thirty segments, of which `lost` do not arrive.
fn thirty(lost: &str, host: &str, tcp: &str) -> Outcome {
    let flow = format!(
        "start = \"100 ms\"\ntraffic.ttcp = {{ total = \"43800 B\", write = \"43800 B\" }}\n\
         tcp = {{ {tcp} }}"
    );
    let script = format!("impairments.script = {{ bulk = {{ segments = [{lost}] }} }}");
    let network = Network::line("8 s", ["10 Mbit/s of line"; 2], "10 ms")
        .at("link.out", &script)
        .at("host.a", host)
        .flow("bulk", ["a", "b"], &flow);
    observed(network, "segments.flows = [\"bulk\"]")
}

fn assert_near(found: &[f64], expected: &[f64]) {
    let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-6;
    let equal = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(equal, "{found:?} for {expected:?}");
}

/// No duplicate ACK tells of the last segment. The timer does, a second after the last ACK (RFC
/// 6298 §2.4), and two seconds after that of its repetition, which is lost, too (§5.5).
#[test]
fn the_last_segment_is_sent_again_by_the_timer() {
    let found = thirty("30, 31", "", TCP);
    let last = 1.0 + 29.0 * 1460.0;
    assert_eq!(values(&found, "timeout"), [last; 2]);
    let before: Vec<f64> =
        times(&found, "heard").into_iter().filter(|at| *at < times(&found, "timeout")[0]).collect();
    let since = before.last().expect("29 segments are acknowledged");
    assert_near(&times(&found, "timeout"), &[since + 1.0, since + 3.0]);
    assert_eq!(values(&found, "resent_by_timeout"), [last; 2]);
    assert_eq!(times(&found, "resent"), times(&found, "timeout"));
    assert_eq!(found.summary.flows["bulk"].timeouts, 2);
}

/// The tenth is sent again because of duplicate ACKs, the last because of the timer. What a host
/// sends a millisecond after its connection has sent it keeps its reason.
#[test]
fn a_slow_host_sends_later_than_its_timer_expires_and_for_the_same_reason() {
    let found = thirty("10, 31", "cpu_per_segment = \"1 ms\"", TCP);
    let [tenth, last] = [9.0, 29.0].map(|before| 1.0 + before * 1460.0);
    assert_eq!(values(&found, "resent"), [tenth, last]);
    assert_eq!(values(&found, "resent_by_timeout"), [last]);
    assert_eq!(values(&found, "timeout"), [last]);
    let later: Vec<f64> = times(&found, "timeout").iter().map(|at| at + 1e-3).collect();
    assert_near(&times(&found, "resent_by_timeout"), &later);
}

/// Tahoe goes back to the first loss on duplicate ACKs as on a timeout, and sends what arrived once
/// more.
#[test]
fn going_back_is_not_by_itself_a_timeout() {
    let tcp = TCP.replace("\"sack\"", "\"tahoe\"");
    for (lost, by_timeout) in [("10, 12", false), ("28, 29, 30", true)] {
        let found = thirty(lost, "", &tcp);
        let again = values(&found, "resent");
        assert!(again.len() > 1 && again.is_sorted(), "{lost}: {again:?}");
        let expected = if by_timeout { again } else { &[] };
        assert_eq!(values(&found, "resent_by_timeout"), expected, "{lost}");
    }
}

/// Of frames of cells at a full buffer: each loss is where the counters of the port have it.
#[test]
fn a_full_buffer_is_the_place_of_its_losses() {
    for drop in ["tail", "ppd", "epd = { threshold = 0.8 }"] {
        let drop =
            if drop.contains('=') { format!("drop.{drop}") } else { format!("drop = \"{drop}\"") };
        let network = Network::line("1 s", ["OC-3c", "DS-3"], "10 ms")
            .at("switch.s", &format!("buffer.per_port = \"100 cell\"\n{drop}"))
            .greedy("bulk", ["a", "b"], TCP);
        let network = network.replace("64 KiB", "256 KiB");
        let text = format!(
            "{network}[observe]\ndistributions.flows = [\"bulk\"]\nsegments.flows = [\"bulk\"]\n"
        );
        let found = outcome(&text);
        let lost = found.summary.flows["bulk"].loss.expect("it is asked for").lost;
        let seen = values(&found, "lost_at.s.out").len() as u64;
        let mixed = values(&found, "lost_at.reassembly").len() as u64;
        assert!(seen > 0, "{drop}: {seen}");
        // What was cut at the end of the run is not known to be lost.
        assert!(lost - (seen + mixed) <= 1, "{drop}: {lost} of which {seen} and {mixed}");
    }
}

#[test]
fn recording_changes_nothing_and_ends_where_it_is_told() {
    let script = "impairments.script = { bulk = { segments = [20, 22] } }";
    let [plain, window] = ["", "segments = { flows = [\"b*\"], from = \"0.6 s\", to = \"0.7 s\" }"]
        .map(|segments| observed(line(script), segments));
    assert_eq!(plain.summary, window.summary);
    let inside = window.series.iter().filter(|series| series.name != "bulk.cwnd");
    let times: Vec<f64> =
        inside.flat_map(|series| &series.times).map(|at| at.seconds_f64()).collect();
    assert!(times.len() > 20, "{}", times.len());
    assert!(times.iter().all(|at| (0.6..0.7).contains(at)), "{times:?}");
    let limited = observed(line(""), "segments.flows = [\"bulk\"]\nlimit = 100");
    assert_eq!(values(&limited, "sent").len(), 100);
    assert_eq!(values(&limited, "unrecorded").len(), 1);
}

/// Segments that wait for most of a second on the line make the timer expire in slow start. F-RTO
/// (RFC 5682 §2.1) finds them acknowledged, and takes back the threshold: there is none again.
#[test]
fn a_threshold_that_is_taken_back_ends() {
    let outage = "impairments.outages = { units = \"wait\", \
                  when.periodic = { every = \"10 s\", lasts = \"700 ms\", offset = \"1 s\" } }";
    let tcp = TCP.replace("\"sack\"", "{ rack = { undo = \"f_rto\" } }");
    let tcp = tcp.replace("\"fine\"", "{ fine = { min_rto = \"200 ms\" } }");
    let network = Network::line("3 s", ["10 Mbit/s of line"; 2], "10 ms")
        .at("link.out", outage)
        .greedy("bulk", ["a", "b"], &tcp)
        .observe("ssthresh", "change");
    let found = outcome(&network);
    assert_eq!(found.summary.flows["bulk"].timeouts, 1);
    let [begun, .., ended] = values(&found, "ssthresh") else { panic!("two changes") };
    assert!(*begun < 65_536.0 && ended.is_nan(), "{begun} {ended}");
}

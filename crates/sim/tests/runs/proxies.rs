//! `[proxy.NAME]`: connections that are split in both directions, times by hand, buffers, bytes
//! that are counted once, and a proxy that is switched off.

use cellway_sim::result::{FlowSummary, Summary};
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{NoFlow, Simulation};

use super::{outcome_of, scenario, summary};

/// Time of a full packet on the LANs and on the wide area, seconds, and at a proxy, there and back
/// to its node, where the acknowledgement leaves first.
const LAN: f64 = 12e-4;
const WIDE: f64 = 12e-3;
const PROXY: f64 = 2.0 * (1e-6 + 12e-8) + 32e-10;
/// Time of an empty segment on the same lines.
const EMPTY: f64 = 40.0 / 1500.0;

/// A LAN of 10 Mbit/s and 1 ms, 1 Mbit/s and 100 ms, and a LAN; full segments of 1460 bytes, every
/// one acknowledged.
fn path(traffic: &str, proxies: &str) -> String {
    include_str!("proxies.toml").replace("traffic = \"greedy\"", traffic).replace("# more", proxies)
}

fn time(flow: &FlowSummary) -> f64 {
    flow.transfer.as_ref().expect("it is timed").time_s.expect("it is complete")
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} and by hand {expected}");
}

const FILE: &str = "traffic.ttcp = { write = \"58400 B\", total = \"58400 B\" }";
const PAGES: &str = "traffic.request_response = { request = \"1460 B\", response = \"29200 B\", \
                     transactions = 3 }";
const NEAR: &str = "proxy.pep = { at = \"near\" }";

/// Forty segments: the first passes the LAN and the proxy, all of them pass the wide area one after
/// the other, and the last one passes the other LAN.
#[test]
fn a_file_through_a_proxy_is_a_pipeline() {
    let run = summary(&path(FILE, NEAR));
    assert_close(time(&run.flows["web"]), LAN + PROXY + 40.0 * WIDE + LAN + 0.102);
    let behind = &run.connections["web behind pep"];
    assert_eq!(behind.relay.expect("it is one").carried_bytes, 58_400);
    assert_eq!(behind.relay.expect("it is one").answers, None);
}

/// A request of one segment and twenty of answer over two proxies: every segment passes the slow
/// line once, and both proxies there and back.
#[test]
fn answers_come_back_through_both_proxies() {
    let two = "proxy.one = { at = \"near\" }\nproxy.two = { at = \"far\" }";
    let run = summary(&path(PAGES, two));
    let web = &run.flows["web"];
    let times = &web.transactions.as_ref().expect("it has some").response_time;
    let request = LAN + PROXY + WIDE + PROXY + LAN + 0.102;
    let answer = LAN + PROXY + 20.0 * WIDE + PROXY + LAN + 0.102;
    // The acknowledgement of a request is on the line when the answer comes.
    let [least, most] = [times.min, times.max].map(|time| time.expect("there are three"));
    assert!(least > request + answer - 1e-9, "{least} and by hand {}", request + answer);
    assert!(most < request + answer + 2.0 * EMPTY * WIDE, "{most}");
    for name in ["web behind one", "web behind two"] {
        let relay = run.connections[name].relay.expect("it is one");
        let answers = relay.answers.expect("they come back");
        assert_eq!((relay.carried_bytes, answers.carried_bytes), (3 * 1460, 3 * 29_200), "{name}");
        assert_eq!((relay.held_bytes, answers.held_bytes), (0, 0), "{name}");
        assert!(answers.max_held_bytes <= 29_200, "{answers:?}");
    }
    assert!(web.finished_s.is_some());
}

/// A relay drawn by hand, with a host in place of the proxy, carries the same requests and answers.
#[test]
fn a_relay_by_hand_carries_answers_too() {
    let text = include_str!("relays.toml")
        .replace("traffic = \"greedy\"", PAGES)
        .replace("transfers = [\"local*\", \"out*\"]", "");
    let run = summary(&text);
    let transactions = run.flows["local"].transactions.as_ref().expect("it has some");
    assert_eq!(transactions.completed, 3);
    let answers = |name: &str| run.flows[name].relay.and_then(|relay| relay.answers);
    assert_eq!(answers("trunk").expect("they come back").carried_bytes, 3 * 29_200);
    assert_eq!(answers("out").expect("they come back").carried_bytes, 3 * 29_200);
}

/// A proxy that is off leaves the summary and the series as they are without it.
#[test]
fn a_proxy_that_is_off_changes_nothing() {
    for traffic in [FILE, PAGES] {
        let off = "proxy.pep = { at = \"near\", enabled = false, tcp = { preset = \"linux\" } }";
        let [off, none] = [off, ""].map(|more| outcome_of(&scenario(&path(traffic, more))));
        let text = |summary: &Summary| serde_json::to_string(summary).expect("numbers");
        assert_eq!(text(&off.summary), text(&none.summary));
        assert_eq!(off.series, none.series);
    }
}

/// The total of a run has every byte once, and so has the series of all that has arrived.
#[test]
fn bytes_are_counted_once() {
    let text = path(FILE, NEAR).replace("[flow.web]", "[flow.web]\ncount = 3");
    let text = text.replace("transfers = [\"web\"]", "transfers = [\"web*\"]");
    let run = outcome_of(&scenario(&text));
    let total = run.summary.groups.tcp.as_ref().expect("it is TCP").goodput.sum_bits_per_second;
    assert_close(total, 3.0 * 8.0 * 58_400.0 / 60.0);
    assert_eq!((run.summary.flows.len(), run.summary.connections.len()), (3, 3));
    let of = |name: &str| {
        let series = run.series.iter().find(|one| one.name == name);
        *series.unwrap_or_else(|| panic!("no {name}")).values.last().expect("it has some")
    };
    assert_close(of("arrived.*"), 3.0 * 58_400.0);
    assert_close(of("arrived.web[*]"), 3.0 * 58_400.0);
    assert_close(of("web to pep[2].arrived"), 58_400.0);
    let web = &run.summary.flows["web[1]"];
    assert_eq!((web.acked_bytes, web.delivered_bytes), (58_400, 58_400));
    let last = web.transfer.as_ref().and_then(|one| one.time_s).expect("it is complete");
    assert_close(web.finished_s.expect("it is finished"), last);
}

/// Until the wide area has carried a file, its flow is not finished, although its sender is.
#[test]
fn a_flow_ends_where_its_last_connection_ends() {
    let text = path(FILE, NEAR).replace("duration = \"60 s\"", "duration = \"0.4 s\"");
    let web = &summary(&text).flows["web"];
    assert_eq!(web.finished_s, None);
    assert!((1..58_400).contains(&web.delivered_bytes), "{}", web.delivered_bytes);
}

/// A proxy holds at most its buffer and what the window of the sender lets arrive.
#[test]
fn a_buffer_of_a_connection_holds_the_sender_back() {
    let with = |buffer: &str| {
        let proxy = format!("proxy.pep = {{ at = \"near\", buffer = {buffer} }}");
        let text = path("traffic = \"greedy\"", &proxy).replace("1 MiB", "100 KiB");
        summary(&text).connections["web behind pep"].relay.expect("it is one").max_held_bytes
    };
    let held = with("{ per_connection = \"40 KiB\" }");
    assert!((130_000..=140 * 1024).contains(&held), "{held}");
    assert!(with("\"send_buffer\"") > 1_000_000);
}

/// One memory for six flows, both ways: they share it, none of them waits for ever, and the wide
/// area is full.
#[test]
fn a_shared_buffer_goes_round() {
    let proxy = "proxy.pep = { at = \"near\", buffer = { shared = \"60 kB\" } }";
    let text = path("traffic = \"greedy\"", proxy)
        .replace("[flow.web]", "[flow.web]\ncount = 6")
        .replace("1 MiB", "8 KiB")
        .replace("transfers = [\"web\"]", "");
    let run = summary(&text);
    let rates: Vec<f64> = run.flows.values().map(|flow| flow.measured_bits_per_second).collect();
    let total: f64 = rates.iter().sum();
    assert!(total > 0.95e6 * 1460.0 / 1500.0, "{rates:?}");
    assert!(rates.iter().all(|rate| *rate > 0.5 * total / 6.0), "{rates:?}");
    let relays = run.connections.values().filter_map(|one| one.relay);
    let held: u64 = relays.map(|relay| relay.held_bytes).sum();
    assert!(held <= 60_000 + 6 * 8 * 1024, "{held}");
}

/// A flow that begins when another one has filled the memory gets its part: what an ACK frees is
/// not for the connection of the ACK alone.
#[test]
fn a_shared_buffer_has_room_for_those_that_come_later() {
    let proxy = "proxy.pep = { at = \"near\", buffer = { shared = \"60 kB\" } }";
    let text = path("traffic = \"greedy\"", proxy)
        .replace("[flow.web]", "[flow.web]\ncount = 2\nstart = { uniform = [\"0 s\", \"3 s\"] }")
        .replace("transfers = [\"web\"]", "");
    let run = summary(&text);
    let rates: Vec<f64> = run.flows.values().map(|flow| flow.measured_bits_per_second).collect();
    let total: f64 = rates.iter().sum();
    assert!(rates.iter().all(|rate| *rate > 0.25 * total), "{rates:?}");
}

/// Slow start of the connection over the wide area alone has the window of the key beside its link.
#[test]
fn each_side_has_its_tcp() {
    let own = "tcp = { mtu = \"1500 B\", ack = \"every_segment\", timers = \"fine\"";
    let slow = format!("proxy.pep = {{ at = \"near\", {own} }} }}");
    let open = format!(
        "proxy.pep = {{ at = \"near\", {own} }}, link = \"wide\", link_{own}, initial_window = 64 \
         }} }}"
    );
    let pipeline = LAN + PROXY + 40.0 * WIDE + LAN + 0.102;
    assert_close(time(&summary(&path(FILE, &open)).flows["web"]), pipeline);
    assert!(time(&summary(&path(FILE, &slow)).flows["web"]) > pipeline + 0.6);
}

/// A FIN of either kind of flow passes the proxy, and a handshake is made on each side.
#[test]
fn ends_and_handshakes_are_made_on_each_side() {
    let stopped = format!("{FILE}\nstop = \"2 s\"");
    let text = path(&stopped, NEAR).replace("\ntcp = {", "\ntcp = { handshake = true,");
    let run = summary(&text);
    // Two handshakes, each before the first data of its side.
    let handshakes = 0.002 + 2.0 * EMPTY * LAN + 0.202 + 2.0 * EMPTY * (WIDE + LAN);
    let found = time(&run.flows["web"]) - (LAN + PROXY + 40.0 * WIDE + LAN + 0.102);
    assert!((handshakes..handshakes + 1e-3).contains(&found), "{found} and {handshakes}");
    assert_eq!(run.connections["web behind pep"].acked_bytes, 58_400);
    assert!(run.connections["web behind pep"].finished_s.is_some());
}

/// A family of proxies, one at each terminal, splits each flow at its own.
#[test]
fn a_family_of_proxies_stands_at_a_family_of_nodes() {
    let text = "run.duration = \"2 s\"\nhost = { user = { count = 2 }, server = {} }\n\
                switch = { terminal = { count = 2 }, hub = {} }\n\
                [link]\n\
                lan = { count = 2, between = [\"user[*]\", \"terminal[*]\"], rate = \"10 Mbit/s \
                of line\", carries = \"packets\", delay = \"1 ms\" }\n\
                sky = { count = 2, between = [\"terminal[*]\", \"hub\"], rate = \"10 Mbit/s of \
                line\", carries = \"packets\", delay = \"100 ms\" }\n\
                net = { between = [\"hub\", \"server\"], rate = \"10 Mbit/s of line\", carries = \
                \"packets\", delay = \"1 ms\" }\n\
                [flow.up]\ncount = 2\nfrom = \"user[*]\"\nto = \"server\"\ntraffic = \"greedy\"\n\
                tcp.mtu = \"1500 B\"\n\
                [proxy.pep]\ncount = 2\nat = \"terminal[*]\"\n";
    let run = summary(text);
    let names: Vec<&str> = run.connections.keys().map(String::as_str).collect();
    assert_eq!(names, ["up behind pep[1][1]", "up behind pep[2][2]"]);
}

/// Written out, the scenario has its proxy and its flow, and nothing that was made of them.
#[test]
fn a_scenario_with_a_proxy_reads_back() {
    let whole = scenario(&path(PAGES, NEAR));
    let text = whole.to_toml();
    assert!(text.contains("[proxy.\"pep\"]") && !text.contains("behind pep"), "{text}");
    let again = Scenario::parse(Source { origin: "test.toml", text: &text }, &[]);
    assert_eq!(again.expect("it was written"), whole);
}

/// A driver makes the traffic of a flow from end to end, and a proxy would be between.
#[test]
fn an_external_flow_has_no_proxy() {
    let scenario = scenario(&path("traffic = \"greedy\"", NEAR));
    let found: Result<_, NoFlow> = Simulation::with_external(&scenario, &["web"]);
    let said = found.expect_err("it is refused").to_string();
    assert!(said.contains("without a proxy that splits it"), "{said}");
}

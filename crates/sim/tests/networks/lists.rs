//! Every model of a list of the language is drawn for random networks, or run by a test named here.

use std::collections::BTreeSet;
use std::path::Path;

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};

use super::dice::Dice;
use super::parts;
use super::words::words_of;

/// A text with models of one key, drawn for a random network.
type Draw = fn(&mut Dice) -> String;

/// A key, how its models are drawn, and the files of tests that run the models never drawn.
type List = (&'static str, Draw, &'static [(&'static str, &'static str)]);

/// Keys whose words are models, how they are drawn, and the files of tests that run the others.
const LISTS: [List; 8] = [
    ("switch.NAME.drop", |dice| parts::buffered(dice, "packet", 100).drop, &[]),
    ("switch.NAME.scheduler", parts::switching, &[]),
    (
        "switch.NAME.rate_allocator",
        parts::switching,
        &[("instcap", "tests/abr/feedback_shares.rs"), ("effcap", "tests/abr/feedback_shares.rs")],
    ),
    (
        "link.NAME.impairments",
        |dice| parts::impairments(dice, true),
        &[
            ("periodic_loss", "tests/impairments/periodic_loss.rs"),
            ("script", "tests/impairments/script.rs"),
            ("ticks", "tests/impairments/ticks.rs"),
        ],
    ),
    ("link.NAME.capacity", |dice| parts::capacity(dice, true, true), &[]),
    ("flow.NAME.tcp.recovery", parts::tcp, &[]),
    (
        "flow.NAME.tcp.congestion",
        nothing,
        &[
            ("reno", "src/tcp/congestion/cubic/tests.rs"),
            ("cubic", "src/tcp/congestion/cubic/tests.rs"),
            ("vegas", "tests/runs/laws.rs"),
            ("westwood", "tests/runs/laws.rs"),
            ("hybla", "tests/runs/laws.rs"),
            ("dctcp", "tests/runs/laws.rs"),
            ("prague", "tests/policies/dual_pi2.rs"),
            ("abc", "tests/runs/abc.rs"),
            ("copa", "tests/runs/laws.rs"),
            ("xcp", "tests/runs/rate_headers.rs"),
            ("rcp", "tests/runs/rate_headers.rs"),
            ("bbr1", "tests/runs/bbr.rs"),
            ("bbr3", "tests/runs/bbr.rs"),
        ],
    ),
    (
        "flow.NAME.pacing.rate",
        nothing,
        &[
            ("instcap", "tests/runs/pacing.rs"),
            ("effcap", "tests/runs/pacing.rs"),
            ("constant", "tests/runs/pacing.rs"),
        ],
    ),
];

/// Words of traffic, each with an example that writes to a connection. A relay needs another flow:
/// random networks have it.
const TRAFFIC: [(&str, &str); 21] = [
    ("greedy", "greedy"),
    ("ttcp", "ttcp = { total = \"10 kB\" }"),
    ("full", "full = { block = \"3 kB\", repeats = 3 }"),
    ("schedule", "schedule.writes = [[\"10 ms\", \"20 kB\"]]"),
    ("request_response", "request_response = { request = \"200 B\", response = \"2 kB\" }"),
    ("www", "www"),
    ("page", "page"),
    ("adaptive_video", "adaptive_video"),
    ("cbr", "cbr = { WRITES }"),
    ("poisson", "poisson = { WRITES }"),
    ("bernoulli", "bernoulli = { WRITES, probability = 0.5 }"),
    ("on_off", "on_off = { WRITES, period = \"50 ms\", duty_cycle = 0.5 }"),
    ("exponential_on_off", "exponential_on_off = { WRITES, on = \"50 ms\", off = \"50 ms\" }"),
    ("burst", "burst = { block = \"9 kB\", period = \"30 ms\" }"),
    ("burstq", "burstq = { block = \"9 kB\", period = \"30 ms\" }"),
    ("ftp", "ftp"),
    ("mpeg", "mpeg"),
    ("videoconference", "videoconference"),
    ("voice", "voice"),
    ("call", "call"),
    ("game", "game"),
];

const WRITES: &str = "rate = \"1 Mbit/s of payload\", write = \"1 kB\"";

/// Most draws that show every word; a word comes up once in a hundred or more often.
const DRAWS: u64 = 3000;

fn nothing(_: &mut Dice) -> String {
    String::new()
}

fn words_in(text: &str) -> BTreeSet<String> {
    let parts = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    parts.map(str::to_owned).collect()
}

fn assert_run(key: &str, word: &str, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(words_in(&text).contains(word), "`{key}`: no `{word}` in {file}");
}

#[test]
fn every_model_is_drawn_or_run_by_a_test_of_its_own() {
    for (key, draw, elsewhere) in LISTS {
        let mut known: BTreeSet<String> = BTreeSet::new();
        for &(word, file) in elsewhere {
            assert_run(key, word, file);
            known.insert(word.to_owned());
        }
        let mut dice = Dice::new(1);
        for _ in 0..DRAWS {
            known.extend(words_in(&draw(&mut dice)));
        }
        let missing: Vec<String> = words_of(key).difference(&known).cloned().collect();
        assert!(missing.is_empty(), "`{key}`: neither drawn nor listed: {missing:?}");
    }
}

#[test]
fn every_kind_of_traffic_is_run_and_delivers_data() {
    for (word, traffic) in TRAFFIC {
        let traffic =
            if word == traffic { format!("\"{word}\"") } else { format!("{{ {traffic} }}") };
        let text = format!(
            "run.duration = \"10 s\"\nhost = {{ a = {{}}, b = {{}} }}\n[link.line]\nbetween = \
             [\"a\", \"b\"]\nrate = \"10 Mbit/s of line\"\ncarries = \"packets\"\ndelay = \"1 \
             ms\"\n[flow.x]\nfrom = \"a\"\nto = \"b\"\ntraffic = {}\ntcp = {{}}\n",
            traffic.replace("WRITES", WRITES)
        );
        let source = Source { origin: word, text: &text };
        let scenario = Scenario::parse(source, &[]).unwrap_or_else(|error| panic!("{error}"));
        let outcome = run(&scenario, &mut |_| Continue::Yes).expect("a run");
        assert!(outcome.summary.flows["x"].throughput_bits_per_second > 0.0, "{word}");
    }
    let mut known: BTreeSet<String> = TRAFFIC.iter().map(|(word, _)| (*word).to_owned()).collect();
    known.insert("relay".to_owned());
    assert_run("flow.NAME.traffic", "relay", "tests/networks/relays.rs");
    assert_eq!(words_of("flow.NAME.traffic"), known);
}

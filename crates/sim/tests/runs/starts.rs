//! Instants and CPU times that are drawn, and what flows that start together come to.

use super::network::Network;
use super::records::assert_same;
use super::{outcome, scenario};
use cellway_sim::result::Summary;

/// Fifteen connections over a geostationary hop that can hold a third of what their first segments
/// need.
const SATELLITE: &str = include_str!("satellite.toml");

const SPREAD: &str = "traffic = \"greedy\"\nstart = { uniform = [\"0 s\", \"0.54 s\"] }";

fn seeded(text: &str, seed: u64) -> String {
    text.replace("[run]", &format!("[run]\nseed = {seed}"))
}

fn spread(seed: u64) -> String {
    seeded(SATELLITE, seed).replace("traffic = \"greedy\"", SPREAD)
}

fn starts(summary: &Summary) -> Vec<f64> {
    summary.flows.values().filter_map(|flow| flow.start_s).collect()
}

/// By hand: fifteen frames of 192 cells come cell by cell at fifteen times 353 208 cells/s; in the
/// 0.54 ms that they take, the hop sends 56 cells and its queue takes 1000, some 70 cells of each
/// frame: none is whole. The timers run out together, after 1, 2, 4, 8, 16 and 32 s: five times in
/// 60 s, and nothing ever arrives.
#[test]
fn flows_that_start_together_get_nothing_for_any_seed() {
    for seed in 1..=3 {
        let summary = outcome(&seeded(SATELLITE, seed)).summary;
        assert!(
            summary.flows.values().all(|flow| flow.delivered_bytes == 0 && flow.timeouts == 5),
            "{seed}"
        );
    }
}

#[test]
fn flows_that_start_apart_use_the_hop() {
    for seed in 1..=2 {
        let summary = outcome(&spread(seed)).summary;
        let together: f64 = summary.flows.values().map(|flow| flow.measured_bits_per_second).sum();
        assert!(together > 10e6, "seed {seed}: {together}");
    }
}

#[test]
fn every_member_and_every_seed_draws_its_own_start() {
    let drawn = |text: &str| starts(&outcome(&text.replace("60 s", "0.6 s")).summary);
    let (first, second) = (drawn(&spread(1)), drawn(&spread(2)));
    let mut all: Vec<f64> = first.iter().chain(&second).copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    assert_eq!(all.len(), 30);
    assert!(all.iter().all(|start| (0.0..0.54).contains(start)));
    assert_eq!(drawn(&spread(1)), first);
    let another = "[flow.another]\nfrom = \"src[1]\"\nto = \"dst[2]\"\n\
                   start.exponential.mean = \"1 s\"\n\
                   traffic = \"greedy\"\ntcp = {}\n[flow.bulk]";
    let beside =
        outcome(&spread(1).replace("60 s", "0.6 s").replace("[flow.bulk]", another)).summary;
    let bulk = beside.flows.iter().filter(|(name, _)| name.starts_with("bulk"));
    assert_eq!(bulk.filter_map(|(_, flow)| flow.start_s).collect::<Vec<_>>(), first);
}

/// What is written back has the distribution, not the draws: the seed gives the same ones again.
#[test]
fn the_resolved_text_runs_to_the_same_result() {
    let text = spread(4)
        .replace("60 s", "2 s")
        .replace("dst.count", "dst.cpu_per_segment.uniform = [\"0 s\", \"1 ms\"], dst.count");
    let resolved = scenario(&text).to_toml();
    let name = |outcome: &mut cellway_sim::Outcome| outcome.summary.scenario.clear();
    let (mut once, mut again) = (outcome(&text), outcome(&resolved));
    name(&mut once);
    name(&mut again);
    assert_same(&once, &again);
}

/// Forty flows `cells` over two links without a rate of their own.
fn raw(duration: &str, delay: &str, keys: &str) -> Network {
    let network = Network::line(duration, ["OC-3c", "OC-3c"], delay).with_random_phases();
    network.flow("cells", ["a", "b"], &format!("count = 40\n{keys}"))
}

const LATE: &str = "start.exponential.mean = \"100 ms\"\ntraffic.cbr.rate = \"1 Mbit/s of cell\"\n";

/// Exponential with a mean of the whole run: e^-1 of the sources, 15 of 40, never begin.
#[test]
fn a_start_after_the_end_is_never() {
    let summary = outcome(&raw("100 ms", "1 us", LATE)).summary;
    let never = summary.flows.values().filter(|flow| flow.start_s.is_none()).count();
    assert!((7..=23).contains(&never), "{never}");
    for (name, flow) in &summary.flows {
        let sent = summary.vcs[name].sent;
        // Who begins at the very end may be a part of a cell time too late to send.
        let is_late = flow.start_s.is_none_or(|start| start > 0.1 - 424e-6);
        assert!(is_late || sent > 0, "{name}: {:?}", flow.start_s);
        assert!(flow.start_s.is_some() || sent == 0, "{name}: {sent} cells");
    }
}

/// Sources that end at 31 ms or so: e^-0.31 of them, 29 of 40, would begin later, and never do.
#[test]
fn a_start_that_is_not_before_its_stop_is_never() {
    let stop = "stop.exponential = { mean = \"1 ms\", offset = \"30 ms\" }\n";
    let summary = outcome(&raw("100 ms", "1 us", &format!("{LATE}{stop}"))).summary;
    let never = summary.flows.values().filter(|flow| flow.start_s.is_none()).count();
    assert!((21..=37).contains(&never), "{never}");
    for (name, flow) in &summary.flows {
        let (start, stop) = (flow.start_s, flow.stop_s.expect("a stop"));
        let sent = summary.vcs[name].sent;
        assert!(
            stop >= 0.03 && start.is_none() == (sent == 0),
            "{name}: {start:?} to {stop}, {sent} cells"
        );
        assert!(start.is_none_or(|start| start < stop), "{name}: {start:?} to {stop}");
    }
}

/// What never begins has no `start_s` in JSON, as what never ends has no `stop_s`.
#[test]
fn what_never_happens_is_left_out() {
    let json = |keys: &str| {
        let keys = format!("traffic.cbr.rate = \"1 Mbit/s of cell\"\n{keys}");
        let text = raw("100 ms", "1 us", &keys);
        serde_json::to_value(&outcome(&text).summary.flows["cells[1]"]).expect("a summary is JSON")
    };
    let has =
        |flow: &serde_json::Value| [flow.get("start_s").is_some(), flow.get("stop_s").is_some()];
    assert_eq!(has(&json("")), [true, false]);
    assert_eq!(has(&json("stop = \"50 ms\"\n")), [true, true]);
    // A thousand times later than the end, on average.
    let never = "start.exponential.mean = \"100 s\"\n";
    assert_eq!(has(&json(never)), [false, false]);
    assert_eq!(has(&json(&format!("{never}stop = \"50 ms\"\n"))), [false, true]);
}

/// 1 Mbit/s from 0.2 to 0.4 s of a run of 1 s, on a path of 30 ms: the cells that are under way at
/// 0.4 s count, so the rate is the source's, and over the whole run a fifth of it.
#[test]
fn the_rate_of_raw_cells_is_over_the_time_between_start_and_stop() {
    let keys = "start = \"200 ms\"\nstop = \"400 ms\"\ntraffic.cbr.rate = \"1 Mbit/s of cell\"\n";
    let rates = |warm_up: &str| {
        let run = format!("[run]\nwarm_up = \"{warm_up}\"");
        let text = raw("1 s", "30 ms", keys).replace("[run]", &run);
        let flow = &outcome(&text).summary.flows["cells[1]"];
        [flow.throughput_bits_per_second, flow.measured_bits_per_second].map(|rate| rate / 1e6)
    };
    // A cell more or less of 471.
    let [active, whole] = rates("0 s");
    assert!((active - 1.0).abs() < 0.003 && (whole - 0.2).abs() < 0.001, "{active} and {whole}");
    let [active, whole] = rates("410 ms");
    assert!(
        active == 0.0 && whole > 0.0,
        "{active} and {whole}: it stopped before the warm-up ended"
    );
}

/// At 1 Mbit/s a cell takes 424 µs. After half of that half of the sources have begun; they all
/// had, when they were spread over a cell time of the line.
#[test]
fn greedy_abr_sources_begin_within_a_cell_time_of_their_own_rate() {
    let keys = "traffic = \"greedy\"\nservice.abr = { icr = \"1 Mbit/s of cell\" }";
    let summary = outcome(&raw("212 us", "1 us", keys)).summary;
    let begun =
        summary.vcs.iter().filter(|(name, vc)| !name.ends_with("back") && vc.sent > 0).count();
    // 20, give or take three standard deviations of 3.2.
    assert!((10..=30).contains(&begun), "{begun}");
}

/// A connection whose sender's CPU is its bottleneck, and a host `c` that does nothing.
fn busy() -> Network {
    let tcp = "mss = \"1000 B\", window = \"64 KiB\", ack = \"every_segment\"";
    Network::line("4 s", ["OC-3c", "OC-3c"], "10 us")
        .with_random_phases()
        .at("host.a", "cpu_per_segment = \"500 us\"\nack_cost = \"included\"")
        .host("c")
        .link("c", ["s", "c"], "OC-3c", "10 us")
        .greedy("x", ["a", "b"], tcp)
}

/// A busy CPU gives what its mean time allows: 8000 bits in 2 · 500 µs, whatever the distribution,
/// and each seed a little more or less; n = 8000 draws of 289 µs of spread are 0.6 % of the mean.
#[test]
fn a_cpu_time_that_is_drawn_has_its_mean() {
    let flow = |text: &str| outcome(text).summary.flows["x"].clone();
    let busy = busy();
    let jittered = busy.replace("\"500 us\"", "{ uniform = [\"0 s\", \"1 ms\"] }");
    let exponential =
        busy.replace("\"500 us\"", "{ exponential = { mean = \"400 us\", offset = \"100 us\" } }");
    for text in [&jittered, &exponential] {
        let found = flow(text);
        let rate = found.throughput_bits_per_second;
        assert!((rate / 8e6 - 1.0).abs() < 0.025, "{rate}");
        assert_ne!(found, flow(&busy));
        assert_ne!(found, flow(&seeded(text, 2)));
        assert_eq!(found, flow(text));
        let beside =
            text.replace("[host.c]", "[host.c]\ncpu_per_segment.uniform = [\"0 s\", \"1 ms\"]");
        assert_eq!(found, flow(&beside));
    }
}

/// Two flows over 10 Mbit/s, the second from half of the run on: what each had while it was active
/// adds up to more than the line.
#[test]
fn rates_over_the_measurement_add_up() {
    let tcp = "mtu = \"1500 B\", window = \"64 KiB\"";
    let network = Network::lasting("40 s")
        .with_random_phases()
        .at("run", "warm_up = \"1 s\"")
        .host("a")
        .host("b")
        .switch("s")
        .at("switch.s", "buffer.per_port = \"40 packet\"")
        .link("x", ["a", "s"], "100 Mbit/s of line", "1 ms")
        .link("y", ["s", "b"], "10 Mbit/s of line", "20 ms")
        .greedy("first", ["a", "b"], tcp)
        .greedy("second", ["a", "b"], tcp)
        .at("flow.second", "start = \"20 s\"");
    let summary = outcome(&network).summary;
    let sum = |rate: fn(&cellway_sim::result::FlowSummary) -> f64| {
        summary.flows.values().map(rate).sum::<f64>()
    };
    let acked: u64 = summary.flows.values().map(|flow| flow.acked_bytes).sum();
    let found = sum(|flow| flow.measured_bits_per_second);
    assert!((found - 8.0 * acked as f64 / 39.0).abs() < 1e-3 && found < 10e6, "{found}");
    assert!(sum(|flow| flow.throughput_bits_per_second) > 10e6);
    let first = &summary.flows["first"];
    assert_eq!(
        first.measured_bits_per_second.to_bits(),
        first.throughput_bits_per_second.to_bits()
    );
}

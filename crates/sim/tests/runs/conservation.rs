//! Properties of every run, over random small networks: cells are conserved (the run itself asserts it per VC), queues stay
//! within their buffers, averages are numbers, and nothing is delivered that was not sent.

use super::outcome;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Network {
    hosts: usize,
    buffer: String,
    drop: String,
    delays_us: [u32; 3],
    mss: u32,
    window_kib: u32,
    recovery: &'static str,
    ack: &'static str,
    service: String,
    scheduler: &'static str,
    cpu_us: u32,
    cpu_order: &'static str,
    noise_mbit: u32,
    seed: u64,
    warm_up_ms: u32,
}

/// Policies that look at each VC alone or at the queue as it is: with any buffer.
const OF_ANY_BUFFER: [&str; 4] =
    ["\"tail\"", "\"ppd\"", "{ epd = { threshold = LOW } }", "{ priority = { low = LOW, high = HIGH } }"];

/// Policies that look at several VCs: not with a buffer for each.
const OF_COMMON_BUFFER: [&str; 9] = [
    "{ selective_drop = { threshold = LOW } }",
    "{ fba = { threshold = LOW, z = 0.3 } }",
    "{ red = { min_threshold = LOW, max_threshold = HIGH, weight = 0.1 } }",
    "{ fred = { min_threshold = LOW, max_threshold = HIGH, weight = 0.1, min_per_vc = LOW } }",
    "{ virtual_queuing = { threshold = LOW } }",
    "{ vq_dynamic_epd = { threshold = LOW } }",
    "{ vq_mcr = { threshold = LOW, interval = \"3 ms\" } }",
    "{ ered = { min_threshold = LOW, max_threshold = HIGH, weight = 0.1, marked_max_threshold = HIGH } }",
    "{ dfba = { low = LOW, high = HIGH, alpha = 0.3, z = \"one_minus_share\" } }",
];

/// A buffer of fewer than `most` units and a policy that goes with it, in any of its parts or, where it has none, in units.
pub(super) fn buffered(unit: &'static str, most: u32) -> impl Strategy<Value = (String, String)> {
    let sharing = prop::sample::select(vec!["per_port", "per_vc", "shared", "infinite"]);
    let policy = 0..OF_ANY_BUFFER.len() + OF_COMMON_BUFFER.len();
    (sharing, 1..most, policy, [0.0..=1.0_f64, 0.0..=1.0]).prop_map(move |(sharing, room, policy, [a, b])| {
        let of_any = if sharing == "per_vc" { policy % OF_ANY_BUFFER.len() } else { policy };
        let drop = OF_ANY_BUFFER.iter().chain(&OF_COMMON_BUFFER).nth(of_any).expect("one of them");
        let threshold = |part: f64| match sharing {
            "infinite" => format!("\"{} {unit}\"", 1 + (part * f64::from(room)) as u32),
            _ => format!("{part:?}"),
        };
        let buffer = match sharing {
            "infinite" => "\"infinite\"".to_owned(),
            _ => format!("{{ {sharing} = \"{room} {unit}\" }}"),
        };
        (buffer, drop.replace("LOW", &threshold(a.min(b))).replace("HIGH", &threshold(a.max(b))))
    })
}

fn networks() -> impl Strategy<Value = Network> {
    let shape = (1_usize..5, buffered("cell", 400), [1_u32..8000, 1_u32..8000, 1_u32..8000]);
    let tcp = (
        prop_oneof![Just(1_u32), Just(512), Just(1460), Just(9140)],
        1_u32..256,
        prop::sample::select(vec!["vanilla", "tahoe", "reno", "new_reno", "hoe", "sack_pipe", "sack"]),
        prop_oneof![Just("every_segment"), Just("delayed")],
    );
    let order = prop_oneof![Just("arrival"), Just("output_first")];
    let rest = (services(), 0_u32..600, 1_u32..60, any::<u32>(), 0_u32..200, order);
    let scheduler = prop_oneof![Just("\"fifo\""), Just("\"wfq\""), Just("{ wfq = { excess = \"equal\" } }")];
    (shape, tcp, rest, scheduler).prop_map(|(shape, tcp, rest, scheduler)| Network {
        hosts: shape.0,
        buffer: shape.1.0,
        drop: shape.1.1,
        delays_us: shape.2,
        mss: tcp.0,
        window_kib: tcp.1,
        recovery: tcp.2,
        ack: tcp.3,
        service: rest.0,
        scheduler,
        cpu_us: rest.1,
        noise_mbit: rest.2,
        seed: u64::from(rest.3),
        warm_up_ms: rest.4,
        cpu_order: rest.5,
    })
}

/// Four times 9 Mbit/s of cell are within DS-3.
fn services() -> impl Strategy<Value = String> {
    let tagging = prop_oneof![
        Just("\"none\""),
        Just("\"f_gcra\""),
        Just("{ pme = { interval = \"20 ms\", step = 0.3 } }")
    ];
    let non_conforming = prop_oneof![Just("pass"), Just("tag"), Just("discard")];
    let gfr = (1_u32..10, 10_u32..140, 1_u32..200, 0_u32..500, tagging, non_conforming).prop_map(
        |(mcr, pcr, mfs, cdvt, tagging, non_conforming)| {
            format!(
                "service.gfr = {{ mcr = \"{mcr} Mbit/s of cell\", pcr = \"{pcr} Mbit/s of cell\", mfs = \"{mfs} cell\", \
                 cdvt = \"{cdvt} us\", tagging = {tagging}, non_conforming = \"{non_conforming}\" }}"
            )
        },
    );
    let paced = (1_u32..140).prop_map(|rate| format!("service.ubr = {{ pace = \"{rate} Mbit/s of cell\" }}"));
    prop_oneof![Just(String::new()), paced, gfr]
}

fn toml(network: &Network) -> String {
    let Network { hosts, buffer, drop, scheduler, delays_us, service, .. } = network;
    let Network { mss, window_kib, recovery, ack, cpu_us, cpu_order, .. } = network;
    let [access, trunk, egress] = delays_us;
    format!(
        r#"
        [run]
        duration = "700 ms"
        seed = {seed}
        warm_up = "{warm_up} ms"
        [host.src]
        count = {hosts}
        cpu_per_segment = "{cpu_us} us"
        cpu_order = "{cpu_order}"
        [host.dst]
        cpu_per_segment = "{cpu_us} us"
        cpu_order = "{cpu_order}"
        [host.noise]
        [switch.west]
        delay = "4 us"
        buffer = {buffer}
        drop = {drop}
        scheduler = {scheduler}
        [switch.east]
        buffer = {buffer}
        scheduler = {scheduler}
        [link.access]
        count = {hosts}
        between = ["src[*]", "west"]
        rate = "OC-3c"
        delay = "{access} us"
        [link.noise]
        between = ["noise", "west"]
        rate = "OC-3c"
        delay = "{access} us"
        [link.trunk]
        between = ["west", "east"]
        rate = "TAXI-100"
        delay = "{trunk} us"
        [link.egress]
        between = ["east", "dst"]
        rate = "DS-3"
        delay = "{egress} us"
        [flow.bulk]
        count = {hosts}
        from = "src[*]"
        to = "dst"
        traffic = "greedy"
        {service}
        [flow.bulk.tcp]
        mss = "{mss} B"
        window = "{window_kib} KiB"
        recovery = "{recovery}"
        ack = "{ack}"
        [flow.back]
        from = "dst"
        to = "src[1]"
        traffic.ttcp = {{ total = "300 kB" }}
        [flow.back.tcp]
        [flow.noise]
        from = "noise"
        to = "dst"
        traffic.poisson = {{ rate = "{noise} Mbit/s of cell" }}
        [observe]
        interval = "change"
        limit = 50
        "#,
        seed = network.seed,
        warm_up = network.warm_up_ms,
        noise = network.noise_mbit,
    )
}

proptest! {
    #[test]
    fn a_random_network_keeps_its_books(network in networks()) {
        let outcome = outcome(&toml(&network));
        let room = network.buffer.split('"').nth(1).and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
        for (name, port) in &outcome.summary.ports {
            prop_assert!((0.0..=1.0 + 1e-9).contains(&port.utilisation), "{name} {port:?}");
            prop_assert!(port.mean_queue.is_finite() && port.mean_queue >= 0.0, "{name} {port:?}");
            prop_assert!(port.mean_queue <= port.max_queue as f64 + 1e-9, "{name} {port:?}");
            if let (Some(room), false) = (room, network.buffer.contains("per_vc")) {
                prop_assert!(port.max_queue <= room, "{name} {port:?}");
            }
        }
        for (name, flow) in &outcome.summary.flows {
            prop_assert!(flow.throughput_bits_per_second.is_finite());
            // What is acknowledged was delivered; over the whole run only, so that the warm-up cannot cut between.
            prop_assert!(network.warm_up_ms > 0 || flow.acked_bytes <= flow.delivered_bytes, "{name} {flow:?}");
        }
        for series in &outcome.series {
            prop_assert!(series.times.len() <= 50 && series.times.is_sorted(), "{}", series.name);
            prop_assert!(series.values.iter().all(|value| value.is_finite()), "{}", series.name);
        }
    }
}

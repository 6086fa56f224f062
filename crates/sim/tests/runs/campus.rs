//! Properties of every run through edge routers, over random LANs, buffers and services.

use super::conservation::buffered;
use super::edge::{FAST_ETHERNET, lans};
use super::outcome;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Campus {
    flows: u32,
    buffer: String,
    edge_drop: String,
    circuits: String,
    vc: String,
    atm_buffer: String,
    drop: String,
    mss: u32,
    recovery: &'static str,
    seed: u64,
}

fn campuses() -> impl Strategy<Value = Campus> {
    let service = prop_oneof![
        (1_u32..3000).prop_map(|room| format!("{{ abr = {{ buffer = {{ tail = \"{room} cell\" }} }} }}")),
        (1_u32..37).prop_map(|pace| format!("{{ ubr = {{ pace = \"{pace} Mbit/s of payload\" }} }}")),
        Just("\"ubr\"".to_owned()),
        Just("\"vbr\"".to_owned()),
        (1_u32..2000).prop_map(|mcr| format!("{{ gfr = {{ mcr = \"{mcr} kbit/s of cell\", z = 0.5 }} }}")),
    ];
    let tcp = (
        prop_oneof![Just(1_u32), Just(512), Just(1460), Just(9140)],
        prop::sample::select(vec!["vanilla", "tahoe", "reno", "new_reno", "hoe", "sack_pipe", "sack"]),
    );
    (1_u32..5, buffered("packet", 60), (any::<bool>(), service), buffered("cell", 400), tcp, any::<u32>())
        .prop_map(
            |(
                flows,
                (buffer, edge_drop),
                (is_shared, service),
                (atm_buffer, drop),
                (mss, recovery),
                seed,
            )| {
                let (circuits, vc) = if is_shared {
                    let vc = format!("[vc.trunk]\nbetween = [\"east\", \"west\"]\nservice = {service}");
                    ("vc = \"trunk\"".to_owned(), vc)
                } else {
                    (format!("service = {service}"), String::new())
                };
                let seed = u64::from(seed);
                Campus { flows, buffer, edge_drop, circuits, vc, atm_buffer, drop, mss, recovery, seed }
            },
        )
}

fn toml(campus: &Campus) -> String {
    let Campus { flows, buffer, edge_drop, circuits, vc, atm_buffer, drop, mss, recovery, seed } = campus;
    let text = lans(
        *flows,
        &format!("buffer = {atm_buffer}\ndrop = {drop}\nrate_allocator = \"erica_plus\""),
        &format!("traffic = \"greedy\"\n{circuits}"),
        &format!("window = \"48 KiB\"\nrecovery = \"{recovery}\""),
    );
    let text = text.replace("phase = \"none\"", &format!("seed = {seed}")).replace("\"4 s\"", "\"700 ms\"");
    let text = text
        .replace("delay = \"30 us\"", &format!("delay = \"30 us\"\nbuffer = {buffer}\ndrop = {edge_drop}"));
    let text = text.replace("mtu = \"1500 B\"", &format!("mss = \"{mss} B\""));
    format!(
        r#"{text}
        {vc}
        [flow.back]
        from = "b[1]"
        to = "a[1]"
        traffic.ttcp = {{ total = "300 kB" }}
        {circuits}
        [flow.back.tcp]
        [host.noise]
        [host.sink]
        [link.noise]
        between = ["noise", "atm"]
        rate = "OC-3c"
        delay = "1 us"
        [link.sink]
        between = ["sink", "east"]
        {FAST_ETHERNET}
        [flow.noise]
        from = "noise"
        to = "sink"
        traffic = "greedy"
        tcp = {{ }}
        [observe]
        interval = "change"
        limit = 50
        "#
    )
}

proptest! {
    /// The run itself asserts that cells and packets are conserved, leg by leg, and that every frame has its cell.
    #[test]
    fn a_random_campus_keeps_its_books(campus in campuses()) {
        let outcome = outcome(&toml(&campus));
        for (name, vc) in &outcome.summary.vcs {
            // A packet is whole or lost; only cells leave torsos.
            prop_assert!(vc.frames_broken == 0 || !(name.contains(" to ") || name.contains(" from ")), "{name} {vc:?}");
        }
        for (name, flow) in &outcome.summary.flows {
            prop_assert!(flow.acked_bytes <= flow.delivered_bytes, "{name} {flow:?}");
        }
        prop_assert!(outcome.series.iter().all(|series| series.times.is_sorted()));
    }
}

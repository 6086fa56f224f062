//! Edge routers: packets become cells and packets again, in circuits of their own or in one they
//! share.

use super::known_answers::assert_within;
use super::records::assert_same;
use super::{outcome, scenario};
use cellway_sim::explain::explain;
use cellway_sim::result::Summary;

/// As many TCPs as `count` from one LAN over an ATM switch to another; the switch, the flows and
/// their `tcp` have further keys.
fn lans(count: u32, atm: &str, circuits: &str, tcp: &str) -> String {
    include_str!("edge/lans.toml")
        .replace("rate_allocator = \"erica\"", atm)
        .replace("traffic = \"greedy\"", circuits)
        .replace("window = \"64 KiB\"", tcp)
        .replace("count = 5", &format!("count = {count}"))
}

fn throughput(summary: &Summary) -> f64 {
    summary.flows["bulk[1]"].throughput_bits_per_second / 1e6
}

/// 1460 bytes are 1538 on Ethernet, twice, and 32 cells; an ACK 78 and 2. Packets are stored and
/// forwarded, cells flow through.
#[test]
fn one_segment_per_round_trip() {
    let text = lans(1, "", "traffic = \"greedy\"", "window = \"1460 B\"");
    let summary = outcome(&text).summary;
    let ethernet = |bytes: f64| 2.0 * 8.0 * bytes / 100e6;
    let (oc3, ds3) = (424.0 / 149.76e6, 424.0 / 40.704e6);
    let data = ethernet(1538.0) + oc3 + 32.0 * ds3;
    // On the way back the slow link comes first.
    let ack = ethernet(78.0) + 2.0 * ds3 + oc3;
    let fixed = 2.0 * (5e-6 + 20e-6 + 1e-3 + 4e-6 + 1e-3 + 30e-6 + 5e-6);
    let rtt = data + ack + fixed;
    let found = summary.flows["bulk[1]"].rtt.min_s.expect("segments were timed");
    // Every transmission is rounded down to a picosecond.
    assert!((found - rtt).abs() < 1e-10, "{found} {rtt}");
    let explained =
        explain(&scenario(&text)).flows[0].tcp.as_ref().expect("tcp").unloaded_rtt_seconds;
    assert!((explained - rtt).abs() < 1e-10, "{explained} {rtt}");
    assert_within(throughput(&summary), 8.0 * 1460.0 / rtt / 1e6, 1e-3);
}

/// The ceiling of the narrowest place: DS-3's cells, the pace of the circuit's source at the edge,
/// or a slow LAN.
#[test]
fn the_narrowest_place_is_the_ceiling() {
    let payload = |cell_rate: f64| cell_rate * 8.0 * 1460.0 / (424.0 * 32.0);
    let paced = "traffic = \"greedy\"\nservice.ubr.pace = \"5 Mbit/s of cell\"";
    let slow_lan = ("lan-b.rate", "10 Mbit/s of line");
    for (circuits, slow, expected) in [
        ("traffic = \"greedy\"", None, payload(40.704)),
        (paced, None, payload(5.0)),
        ("traffic = \"greedy\"", Some(slow_lan), 10.0 * 1460.0 / 1538.0),
    ] {
        let text = lans(1, "", circuits, "window = \"256 KiB\"");
        let text = match slow {
            Some((_, rate)) => {
                let (before, after) = text.split_once("lan-b =").expect("the link");
                format!("{before}lan-b ={}", after.replacen("100 Mbit/s of line", rate, 1))
            }
            None => text,
        };
        let summary = outcome(&text.replace("phase", "warm_up = \"1 s\", phase")).summary;
        // Whole segments at either end of three seconds.
        assert_within(throughput(&summary), expected, 3e-3);
        let explained =
            explain(&scenario(&text)).flows[0].tcp.as_ref().expect("tcp").ceiling_bits_per_second;
        assert_within(explained / 1e6, expected, 1e-9);
    }
}

const ERICA: &str = "rate_allocator = \"erica\"";
/// 44 whole segments of 32 cells are a window of 64 KiB.
const WINDOW_CELLS: u64 = 44 * 32;

fn own_circuits(room: u64) -> String {
    lans(
        5,
        ERICA,
        &format!("traffic = \"greedy\"\nservice.abr.buffer.tail = \"{room} cell\""),
        "window = \"64 KiB\"",
    )
}

fn one_circuit(room: u64) -> String {
    let text = lans(5, ERICA, "traffic = \"greedy\"\nvc = \"trunk\"", "window = \"64 KiB\"");
    format!(
        "{text}\n[vc.trunk]\nbetween = [\"west\", \"east\"]\nservice.abr.buffer.tail = \"{room} \
         cell\""
    )
}

/// Cells lost at the edges, frames broken, and the longest segmentation queues together, on the way
/// of the data.
fn losses(summary: &Summary) -> (u64, u64, u64) {
    let there = summary.vcs.iter().filter(|(name, _)| !name.contains(" back"));
    let circuits = there.filter_map(|(_, vc)| vc.abr.as_ref().map(|abr| (vc, abr)));
    circuits.fold((0, 0, 0), |(lost, broken, queue), (vc, abr)| {
        (lost + abr.dropped, broken + vc.frames_broken, queue + abr.max_queue)
    })
}

/// ABR leaves next to nothing waiting in the network: what of the windows is not on the way waits
/// at the edge, and the edge needs room for that, in however many circuits.
#[test]
fn zero_loss_takes_the_sum_of_the_windows_at_the_edge() {
    let own = outcome(&own_circuits(WINDOW_CELLS)).summary;
    let one = outcome(&one_circuit(5 * WINDOW_CELLS)).summary;
    let needed = [&own, &one].map(|summary| {
        let (lost, broken, queue) = losses(summary);
        assert_eq!((lost, broken), (0, 0));
        // Two ways of 2.1 ms with their processing, at 0.9 to 1 of 96 000 cells/s; a segment of
        // each may stand anywhere.
        let on_the_way = 4.2e-3 * 96_000.0 + 5.0 * 32.0;
        let windows = 5 * WINDOW_CELLS;
        assert!(
            queue <= windows && queue as f64 >= windows as f64 - on_the_way,
            "{queue} of {windows}"
        );
        queue
    });
    // Own circuits share the trunk a little differently, so a little more or less is on the way.
    assert_within(needed[0] as f64, needed[1] as f64, 0.01);
    for too_little in [own_circuits(needed[0] * 9 / 50), one_circuit(needed[1] * 9 / 10)] {
        let (lost, broken, _) = losses(&outcome(&too_little).summary);
        assert!(lost > 0 && broken > 0, "{lost} {broken}");
    }
}

const TRANSFER: &str = "traffic.ttcp = { write = \"1 kB\", total = \"1 MB\" }";

fn transfers(text: &str) -> Summary {
    let summary =
        outcome(&text.replace("traffic = \"greedy\"", TRANSFER).replace("\"4 s\"", "\"60 s\""))
            .summary;
    for (name, flow) in &summary.flows {
        assert!(flow.finished_s.is_some() && flow.delivered_bytes == 1_000_000, "{name} {flow:?}");
    }
    summary
}

/// Frames of five flows follow each other in one circuit: none is mixed with another, and every
/// packet that goes in at one edge comes out at the other, as the flow's that it was.
#[test]
fn a_shared_circuit_keeps_frames_and_flows_apart() {
    let summary = transfers(&one_circuit(5 * WINDOW_CELLS));
    let of_flows = |suffix: &str| {
        let flows = (1..=5).map(|flow| summary.vcs[&format!("bulk[{flow}]{suffix}")].delivered);
        flows.collect::<Vec<u64>>()
    };
    for (circuit, before, after) in
        [("trunk", " to west", " from east"), ("trunk back", " back to east", " back from west")]
    {
        let circuit = &summary.vcs[circuit];
        assert_eq!((circuit.frames_broken, circuit.dropped), (0, 0));
        assert_eq!(circuit.frames_delivered, of_flows(before).iter().sum::<u64>());
        assert_eq!(of_flows(before), of_flows(after));
    }
    // No circuit of their own, and one queue for all.
    assert!(!summary.vcs.contains_key("bulk[1]"));
}

/// Cells that find the segmentation buffer full break the frames that they belong to, and TCP sends
/// those again.
#[test]
fn tcp_recovers_from_losses_at_the_edge() {
    for text in [own_circuits(200), one_circuit(1000)] {
        let summary = transfers(&text);
        let (lost, broken, queue) = losses(&summary);
        assert!(lost > 0 && broken > 0, "{lost} {broken}");
        assert!(queue <= 1000, "{queue}");
        assert!(
            summary.flows.values().map(|flow| flow.retransmitted_segments).sum::<u64>() >= broken
        );
    }
}

/// Between links of packets an edge is a packet switch, with its queue and its losses.
#[test]
fn an_edge_without_cells_is_a_packet_switch() {
    let router = |kind: &str, buffer: &str| {
        let text = include_str!("edge/router.toml")
            .replace("switch.router", &format!("{kind}.router"))
            .replace("\"infinite\"", buffer);
        outcome(&text)
    };
    for buffer in
        ["{ per_port = \"20 packet\" }", "{ per_vc = \"15 packet\" }", "{ shared = \"20 packet\" }"]
    {
        let [edge, switch] = ["edge", "switch"].map(|kind| router(kind, buffer));
        assert!(edge.summary.ports["router.right"].drops.overflow > 0);
        assert_eq!(edge.summary, switch.summary);
        assert!(edge.series.iter().eq(&switch.series), "{buffer}");
    }
}

/// A host on the ATM network needs one edge only; it may be held back, the edge may not.
#[test]
fn one_end_may_be_on_the_atm_network() {
    let text = lans(1, ERICA, "traffic = \"greedy\"\nservice.abr = { }", "window = \"64 KiB\"");
    let (before, after) = text.split_once("lan-a =").expect("the link");
    let (_, after) = after.split_once("lan-b =").expect("the next one");
    let access =
        r#"access = { count = 1, between = ["a[*]", "atm"], rate = "OC-3c", delay = "1 ms" }"#;
    let summary = outcome(&format!("{before}{access}\nlan-b ={after}")).summary;
    let names: Vec<&str> = summary.vcs.keys().map(String::as_str).collect();
    assert_eq!(names, ["bulk[1]", "bulk[1] back", "bulk[1] back to east", "bulk[1] from east"]);
    assert!(
        summary.vcs["bulk[1]"].abr.is_some_and(|abr| abr.backward_rm > 0 && abr.forward_rm > 0)
    );
    // ERICA gives nine tenths of DS-3, of which every 32nd cell is an RM cell.
    let ceiling = 0.9 * 40.704 * 31.0 / 32.0 * 8.0 * 1460.0 / (424.0 * 32.0);
    assert_within(throughput(&summary), ceiling, 0.02);
}

#[test]
fn twice_is_the_same() {
    let text = one_circuit(1000).replace("phase = \"none\"", "seed = 5") + "\n[observe]";
    let first = outcome(&text);
    assert_same(&first, &outcome(&text));
    assert!(first.series.iter().any(|series| series.name == "trunk.acr"));
    let other = outcome(&text.replace("seed = 5", "seed = 6"));
    assert_ne!(first.summary.flows, other.summary.flows);
}

//! Rules other than `CoDel` in the queue of each flow, by hand and in whole runs.

use super::{pie_plan, stream, summary};
use cellway_sim::pdu::{CellHead, Ecn};
use cellway_sim::result::Summary;
use cellway_sim::switch::{
    Accounts, Admission, Dequeue, FqPie, FqStep, FrameRule, OwnQueue, Pie, QueueState, Step,
};
use cellway_sim::units::{Span, Time};

fn milliseconds(instant: i64) -> Time {
    Time::ZERO + Span::from_milliseconds(instant)
}

/// A packet arrives at a buffer of 1000 packets that is full, with so many packets of 1500 bytes in
/// its own queue.
fn arrive(rule: &mut impl FrameRule, now: Time, (queue, packets): (u32, u64)) -> Admission {
    rule.on_own_queue(OwnQueue { queue, packets, bytes: 1500 * packets });
    let accounts = Accounts::default();
    let state = QueueState {
        now,
        occupancy: 1000,
        size: 1000,
        slot: 0,
        active: 0,
        line_free_at: now,
        backlog: 1_500_000,
        accounts: &accounts,
    };
    let head = CellHead::end_of_frame(0, 0).with_ecn(Ecn::Capable);
    rule.judge(head, &state)
}

/// The threshold is of the flow's own queue, whatever waits in the buffer.
#[test]
fn a_step_counts_the_queue_of_its_flow() {
    use Admission::{Admit, Mark};

    let mut rule = FqStep::new(Step::new(5));
    let answers = [(0, 5), (0, 6), (1, 0), (1, 5), (1, 6)];
    let answers = answers.map(|own| arrive(&mut rule, milliseconds(1), own));
    assert_eq!(answers, [Admit, Mark, Admit, Admit, Mark]);
}

/// One queue has waited 200 ms for a second, and discards most packets; another has not waited, and
/// discards none.
#[test]
fn a_probability_is_of_one_queue() {
    let mut rule = FqPie::new(Pie::new(pie_plan(), 3000, stream(1)));
    for step in 0..200 {
        let now = milliseconds(5 * step);
        for (queue, sojourn) in [(0, 200), (1, 2)] {
            let sojourn = Span::from_milliseconds(sojourn);
            let dequeue = Dequeue {
                now,
                sojourn,
                occupancy: 99,
                backlog: 90_000,
                slot: 0,
                queue,
                ..Dequeue::default()
            };
            rule.judge_dequeue(CellHead::end_of_frame(0, 0), &dequeue);
        }
    }
    let refused = |rule: &mut FqPie, queue| {
        let answers = (0..1000).map(|_| arrive(rule, milliseconds(1000), (queue, 60)));
        answers.filter(|answer| *answer == Admission::Refuse).count()
    };
    let [waiting, quick] = [0, 1].map(|queue| refused(&mut rule, queue));
    assert!(waiting > 500 && quick == 0, "{waiting} {quick}");
    // A queue that has the whole buffer is judged as any other.
    let full = (0..1000).map(|_| arrive(&mut rule, milliseconds(1000), (0, 1000)));
    assert!(full.filter(|answer| *answer == Admission::Refuse).count() > 500);
    // Two packets of its own may always wait, although the buffer is full.
    assert_eq!(arrive(&mut rule, milliseconds(1000), (0, 2)), Admission::Admit);
}

/// Two queues with the same history draw other numbers.
#[test]
fn random_numbers_are_of_one_queue() {
    let mut rule = FqPie::new(Pie::new(pie_plan(), 0, stream(1)));
    let mut refused = [const { Vec::new() }; 2];
    for step in 0..400 {
        let now = milliseconds(5 * step);
        for queue in [0, 1] {
            let sojourn = Span::from_milliseconds(25);
            let dequeue = Dequeue {
                now,
                sojourn,
                occupancy: 99,
                backlog: 90_000,
                slot: 0,
                queue,
                ..Dequeue::default()
            };
            rule.judge_dequeue(CellHead::end_of_frame(0, 0), &dequeue);
            let answer = arrive(&mut rule, now, (queue, 60));
            refused[queue as usize].push(answer == Admission::Refuse);
        }
    }
    assert!(refused.iter().all(|of| of.contains(&true)), "{refused:?}");
    assert_ne!(refused[0], refused[1]);
}

fn near_and_far(drop: &str, more: &str) -> Summary {
    let rules = format!("buffer.per_port = \"200 packet\"\ndrop = {drop}");
    let text =
        include_str!("near_and_far.toml").replace("buffer.per_port = \"200 packet\"", &rules);
    summary(&text.replace("b = {} }", "b = {}, c = {} }").replace("# more", more))
}

const CALL: &str = r#"
[link.c]
between = ["c", "router"]
rate = "100 Mbit/s of line"
carries = "packets"
delay = "1 ms"
[flow.call]
from = "c"
to = "b"
traffic.cbr = { rate = "64 kbit/s of payload", datagram = "160 B" }
[observe]
distributions = { ports = ["router.trunk"], flows = ["call"] }
"#;

/// `PIE` alone discards packets of a call as it does those of downloads, and its call waits for
/// theirs; a queue of its own has no wait, and a probability of zero.
#[test]
fn a_call_loses_nothing_to_the_probability_of_downloads() {
    let [alone, fair] = ["\"pie\"", "\"fq_pie\""].map(|drop| near_and_far(drop, CALL));
    let lost = |summary: &Summary| {
        summary.flows["call"].datagrams.as_ref().expect("it sends datagrams").lost
    };
    let wait = |summary: &Summary| {
        summary.flows["call"]
            .one_way_delay
            .as_ref()
            .expect("it is observed")
            .p99
            .expect("it arrives")
    };
    assert!(lost(&alone) > 10 && lost(&fair) == 0, "{} {}", lost(&alone), lost(&fair));
    // 10 ms of propagation, a packet of 1.2 ms on the line, its own 0.2 ms.
    assert!(wait(&alone) > 0.025 && wait(&fair) < 0.0125, "{} {}", wait(&alone), wait(&fair));
}

/// Flows of round trips of 20 and 100 ms have about equal parts, and each queue is held near its
/// own target: two of 15 ms make the mean wait of both.
#[test]
fn shares_are_equal_and_each_queue_has_its_target() {
    let summary = near_and_far("\"fq_pie\"", "");
    let [near, far] =
        ["near", "far"].map(|flow| summary.flows[flow].throughput_bits_per_second / 1e6);
    assert!(far / near > 0.65 && far / near < 1.05 && near + far > 9.0, "{near} {far}");
    let port = &summary.ports["router.trunk"];
    assert!(port.drops.early_frame > 0 && port.drops.overflow == 0, "{port:?}");
    // 10 Mbit/s send 833 packets a second, 12.5 in 15 ms.
    assert!(port.mean_queue > 6.0 && port.mean_queue < 16.0, "{port:?}");
}

/// DCTCP with a step of 10 packets keeps its queue there, beside a flow without ECN, whose packets
/// above it are discarded; each has about half of the line.
#[test]
fn flows_have_steps_of_their_own() {
    let text = include_str!("near_and_far.toml")
        .replace(
            "buffer.per_port = \"200 packet\"",
            "drop.fq_step.threshold = \"10 packet\"\nbuffer.per_port = \"200 packet\"",
        )
        .replace("delay = \"41 ms\"", "delay = \"1 ms\"")
        .replacen(
            "recovery = \"sack\" } }",
            "recovery = \"sack\", ecn = true, congestion = \"dctcp\" } }",
            1,
        );
    let summary = summary(&text);
    let port = &summary.ports["router.trunk"];
    let [near, far] =
        ["near", "far"].map(|flow| summary.flows[flow].throughput_bits_per_second / 1e6);
    assert!(port.marked.unwrap_or(0) > 0 && port.drops.early_frame > 0, "{port:?}");
    // 20 ms are 17 packets: a halved window of the other leaves the line to DCTCP for a time.
    assert!(near + far > 9.4 && far / near > 0.6 && far < near, "{near} {far}");
    assert!(summary.flows["near"].retransmitted_segments < 20, "{:?}", summary.flows["near"]);
    assert!(port.mean_queue < 22.0, "{port:?}");
}

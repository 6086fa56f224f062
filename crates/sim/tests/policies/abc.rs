//! Accel-brake control at a port, packet by packet, and its marks in whole runs.

use super::{abc_plan, summary};
use cellway_sim::pdu::{CellHead, Ecn};
use cellway_sim::switch::{Abc, AbcPlan, Admission, Dequeue, FrameRule};
use cellway_sim::units::{Span, Time};

/// Line of the tests: a packet of 12 000 bits in a millisecond.
const RATE: f64 = 12e6;

/// Packets that leave in the given milliseconds after the given wait; the part of the last half of
/// them that accelerates.
fn accelerated(plan: AbcPlan, gaps: &[i64], wait: Span, line_rate: f64) -> f64 {
    let mut rule = Abc::new(plan);
    let head = CellHead::end_of_frame(0, 0).with_ecn(Ecn::L4s);
    let (mut now, mut answers) = (Time::ZERO + Span::from_seconds(1), Vec::new());
    for gap in gaps.iter().cycle().take(4000) {
        now += Span::from_milliseconds(*gap);
        let dequeue = Dequeue { now, sojourn: wait, bits: 12_000, line_rate, ..Dequeue::default() };
        answers.push(rule.judge_dequeue(head, &dequeue) == Admission::Admit);
    }
    answers[2000..].iter().filter(|admitted| **admitted).count() as f64 / 2000.0
}

/// Equations (1) and (2): with a busy line half of eta, less half of what the wait is beyond the
/// threshold, over delta; all packets accelerate below half of the line, and none from a wait of
/// delta eta beyond the threshold on.
#[test]
fn the_part_that_accelerates_is_half_of_the_target_rate_over_the_rate() {
    let ms = Span::from_milliseconds;
    let cases = [
        (&[1][..], ms(0), 0.49),
        (&[1], ms(50), 0.49),
        (&[1], ms(70), 0.5 * (0.98 - 20.0 / 133.0)),
        (&[1], ms(116), 0.5 * (0.98 - 66.0 / 133.0)),
        (&[1], ms(181), 0.0),
        (&[2], ms(0), 0.98),
        (&[3], ms(0), 1.0),
        (&[1, 2], ms(0), 0.49 * 1.5),
    ];
    for (gaps, wait, expected) in cases {
        let found = accelerated(abc_plan(), gaps, wait, RATE);
        assert!((found - expected).abs() < 0.006, "{gaps:?} {wait:?}: {found} for {expected}");
    }
    assert!(accelerated(abc_plan(), &[1], ms(0), 0.0) == 0.0, "a line in an outage");
    assert!((accelerated(abc_plan(), &[1], ms(0), 0.5 * RATE) - 0.245).abs() < 0.002);
}

/// A brake never becomes *accelerate*, and packets without ECT pass unchanged: neither takes a
/// token.
#[test]
fn only_an_accelerate_takes_a_token() {
    let mut rule = Abc::new(abc_plan());
    let accelerate = CellHead::end_of_frame(0, 0).with_ecn(Ecn::L4s);
    let others = [accelerate.with_brake(), CellHead::end_of_frame(0, 0)];
    let dequeue = Dequeue { sojourn: Span::from_seconds(9), bits: 12_000, ..Dequeue::default() };
    for head in others.iter().cycle().take(100) {
        assert_eq!(rule.judge_dequeue(*head, &dequeue), Admission::Admit);
    }
    // Of five tokens the last is kept: more than one is needed.
    let answers: Vec<Admission> =
        (0..6).map(|_| rule.judge_dequeue(accelerate, &dequeue)).collect();
    let (admit, mark) = (Admission::Admit, Admission::Mark);
    assert_eq!(answers, [admit, admit, admit, admit, mark, mark]);
}

/// Brakes are counted at the port and at the flow, in packets; another law hears nothing of them.
#[test]
fn brakes_are_counted_and_only_abc_follows_them() {
    let text = include_str!("one_tcp.toml").replace("\"tail\"", "\"abc\"");
    let of = |tcp: &str| {
        let summary = summary(&text.replace("recovery = \"sack\"", tcp));
        (summary.ports["router.trunk"].clone(), summary.flows.values().next().cloned())
    };
    let (port, flow) = of("recovery = \"sack\", congestion = \"abc\", ecn = true");
    let marks = flow.and_then(|flow| flow.ecn).expect("it has ECN").marks_received;
    let marked = port.marked.expect("it may mark");
    assert!(marked > 1000 && marks.abs_diff(marked) < 100, "{marked} {marks}");
    let (port, _) = of("recovery = \"sack\"");
    assert_eq!(port.marked, Some(0));
}

//! PIE worked by hand, and against its recursion.

use super::*;
use crate::switch::accounts::Accounts;
use proptest::prelude::*;

const MANY: u64 = 100_000;

fn pie(change: impl FnOnce(&mut PiePlan)) -> Pie {
    let mut plan = defaults::<PiePlan>();
    change(&mut plan);
    Pie::new(plan, 3000, Stream::new(1, "port.drop"))
}

fn ms(milliseconds: i64) -> Time {
    Time::ZERO + Span::from_milliseconds(milliseconds)
}

/// A frame leaves `now` after so many microseconds, with others behind it.
fn leave(pie: &mut Pie, now: Time, microseconds: i64) {
    let sojourn = Span::from_microseconds(microseconds);
    let dequeue = Dequeue {
        now,
        sojourn,
        occupancy: 99,
        backlog: MANY,
        slot: 0,
        queue: 0,
        ..Dequeue::default()
    };
    pie.judge_dequeue(CellHead::end_of_frame(0, 0), &dequeue);
}

fn arrive(pie: &mut Pie, now: Time, backlog: u64, head: CellHead) -> Admission {
    let queue = QueueState {
        now,
        occupancy: 99,
        size: 1000,
        slot: 0,
        active: 0,
        line_free_at: now,
        backlog,
        accounts: &Accounts::default(),
    };
    pie.judge(head, &queue)
}

/// By hand, with a delay of 20 ms: first (0.125 · 5 ms + 1.25 · 20 ms)/2048, then, from 10⁻⁵
/// on, 0.125 · 5 ms/128 in each update.
#[test]
fn the_first_probabilities_by_hand() {
    let mut pie = pie(|_| {});
    leave(&mut pie, ms(1), 20_000);
    pie.update_until(ms(14));
    assert_eq!(pie.probability().to_bits(), 0.0_f64.to_bits());
    let by_hand = [1.251_220_703_125e-5, 1.739_501_953_125e-5, 2.227_783_203_125e-5];
    for (update, expected) in (1..).zip(by_hand) {
        pie.update_until(ms(15 * update));
        assert!((pie.probability() / expected - 1.0).abs() < 1e-9, "{}", pie.probability());
    }
}

/// A queue that is asked again after a month has missed 3·10¹² updates of a microsecond, of which
/// only the first change anything: the state is that of a queue that was asked every 5 ms.
#[test]
fn updates_after_a_long_rest_end_where_nothing_changes() {
    let asked = |instants: &mut dyn Iterator<Item = i64>| {
        let mut pie = pie(|plan| plan.update = Span::from_microseconds(1));
        for step in 0..200 {
            leave(&mut pie, ms(step), 200_000);
        }
        assert!(pie.probability() > 0.9);
        pie.delay = Span::ZERO;
        instants.for_each(|instant| pie.update_until(ms(instant)));
        pie
    };
    let often = asked(&mut (200..400).step_by(5));
    assert_eq!(often.probability().to_bits(), 0.0_f64.to_bits());
    let mut seldom = asked(&mut std::iter::once(395));
    assert_eq!(format!("{often:?}"), format!("{seldom:?}"));
    let month = Time::ZERO + Span::from_seconds(30 * 24 * 3600);
    seldom.update_until(month);
    assert_eq!(seldom.corrected(), often.corrected());
    assert_eq!(seldom.next_update, month + Span::from_microseconds(1));
}

/// At p ≥ 0.1 a delay that jumps to a second would add 1.35.
#[test]
fn a_large_step_is_capped() {
    let mut pie = pie(|_| {});
    pie.probability = 0.3;
    leave(&mut pie, ms(1), 1_000_000);
    pie.update_until(ms(15));
    assert!((pie.probability() - 0.32).abs() < 1e-12);
}

/// An empty queue takes 0.125 · 15 ms off p, unscaled at 0.5, and then two hundredths of it.
#[test]
fn an_empty_queue_lets_the_probability_decay() {
    let mut pie = pie(|_| {});
    pie.probability = 0.5;
    pie.update_until(ms(30));
    let once = (0.5 - 0.001_875) * 0.98;
    assert!((pie.probability() - (once - 0.001_875) * 0.98).abs() < 1e-12);
}

/// The delay of a second counts from the start; for 150 ms nothing is discarded, although p
/// is 1. After the queue was empty and p zero a new burst is allowed.
#[test]
fn a_burst_is_allowed() {
    let mut pie = pie(|_| {});
    let head = CellHead::end_of_frame(0, 0);
    for now in 1..=400 {
        leave(&mut pie, ms(now), 1_000_000);
        pie.probability = 1.0;
        let expected = if now < 150 { Admission::Admit } else { Admission::Refuse };
        assert_eq!(arrive(&mut pie, ms(now), MANY, head), expected, "{now} ms");
    }
    pie.on_admission(head, 0);
    pie.on_departure(Departure { at: ms(401), slot: 0, ends_frame: true });
    pie.probability = 0.0;
    pie.update_until(ms(450));
    assert_eq!(pie.burst_allowance, Span::from_milliseconds(150));
}

/// No more than two frames that wait, or a low delay with p < 0.2: section 4.1.
#[test]
fn a_short_queue_is_spared() {
    let head = CellHead::end_of_frame(0, 0);
    let refused = |backlog, delay, probability| {
        let mut pie = pie(|plan| plan.max_burst = Span::ZERO);
        pie.delay_before = Span::from_microseconds(delay);
        pie.probability = probability;
        (0..1000).any(|_| arrive(&mut pie, ms(1), backlog, head) == Admission::Refuse)
    };
    assert!(refused(3001, 7500, 0.19) && !refused(3000, 7500, 1.0));
    assert!(!refused(MANY, 7499, 0.199) && refused(MANY, 7499, 0.2));
}

#[test]
fn capable_frames_are_marked_up_to_the_threshold() {
    let head = CellHead::end_of_frame(0, 0).with_ecn_capable();
    let answers = |probability, head| {
        let mut pie = pie(|plan| (plan.max_burst, plan.ecn) = (Span::ZERO, true));
        (pie.delay_before, pie.probability) = (Span::from_seconds(1), probability);
        let mut answers: Vec<Admission> =
            (0..1000).map(|_| arrive(&mut pie, ms(1), MANY, head)).collect();
        answers.retain(|answer| *answer != Admission::Admit);
        assert!(answers.len() > 50, "{answers:?}");
        answers
    };
    assert!(answers(0.1, head).iter().all(|answer| *answer == Admission::Mark));
    assert!(answers(0.11, head).iter().all(|answer| *answer == Admission::Refuse));
    let incapable = CellHead::end_of_frame(0, 0);
    assert!(answers(0.1, incapable).iter().all(|answer| *answer == Admission::Refuse));
}

/// Section 5.4 with p = 0.1: nine frames at least from drop to drop, and 85 at most, or 86 as
/// tenths add up.
#[test]
fn drops_are_spread() {
    let mut pie = pie(|plan| (plan.max_burst, plan.derandomise) = (Span::ZERO, true));
    (pie.delay_before, pie.probability) = (Span::from_seconds(1), 0.1);
    let head = CellHead::end_of_frame(0, 0);
    let mut drops = (1..100_000)
        .filter(|_| arrive(&mut pie, ms(1), MANY, head) == Admission::Refuse)
        .collect::<Vec<i32>>();
    drops.insert(0, 0);
    let gaps: Vec<i32> = drops.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.iter().all(|gap| (9..=86).contains(gap)), "{:?}", gaps.iter().max());
    let mean = f64::from(gaps.iter().sum::<i32>()) / gaps.len() as f64;
    assert!((mean - 18.0).abs() < 0.5, "8 and 1/p: {mean}");
}

/// Section 4.2 from its formulas, with the scale as a power of four.
fn recursion(delays: &[f64]) -> f64 {
    let (mut p, mut old) = (0.0_f64, 0.0);
    for &delay in delays {
        let mut shift = 0;
        for (below, shifts) in [(0.1, 1), (1e-2, 3), (1e-3, 5), (1e-4, 7), (1e-5, 9), (1e-6, 11)] {
            if p < below {
                shift = shifts;
            }
        }
        let mut step = 0.125 * (delay - 0.015) + 1.25 * (delay - old);
        step /= f64::from(1 << shift);
        if p >= 0.1 && step > 0.02 {
            step = 0.02;
        }
        p += step;
        if delay == 0.0 && old == 0.0 {
            p *= 0.98;
        }
        p = p.clamp(0.0, 1.0);
        old = delay;
    }
    p
}

proptest! {
    /// Updates happen at their own instants, whenever frames come: the frame that left last before
    /// one counts.
    #[test]
    fn as_the_recursion(
        delays in prop::collection::vec(prop_oneof![Just(0_i64), 0..400_000_i64], 1..200),
        gap in 1_usize..6,
    ) {
        let mut pie = pie(|_| {});
        let mut seen = Vec::new();
        for (index, &delay) in delays.iter().enumerate() {
            // Before some updates no frame has left.
            let now = ms(15 * (index * gap) as i64 + 7);
            leave(&mut pie, now, delay);
            seen.extend(std::iter::repeat_n(delay as f64 * 1e-6, gap));
        }
        pie.update_until(ms(15 * seen.len() as i64));
        let expected = recursion(&seen);
        let found = pie.probability();
        prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
    }
}

//! Proportional Integral controller Enhanced (Pan, Natarajan, Baker, White: RFC 8033, 2017).
//!
//! An arriving frame is discarded with a probability p, which every `update` is corrected by how
//! far the delay of the queue is from `target` and how much it has changed:
//! p += (alpha (delay - target) + beta (delay - delay before)) / scale, in seconds, with a scale
//! from 2048 at p < 10⁻⁶ to 1 at p ≥ 0.1 (section 4.2). Parameters: `target` 15 ms (`QDELAY_REF`);
//! `update` 15 ms (`T_UPDATE`); `alpha` 0.125 and `beta` 1.25 per second; `max_burst` 150 ms, for
//! which nothing is discarded after p was zero; `mean_frame` 1500 B, two of which that wait are
//! never too many; `ecn` false, and `mark_threshold` 0.1: a capable frame is marked in place of
//! being discarded while p is at most that (section 5.1); `derandomise` false (section 5.4). A step
//! of p from 0.1 on is at most 0.02 (section 5.5). A full buffer discards what arrives.
//!
//! The delay is that of the frame that left last, by its time stamps, and zero when it left nothing
//! behind, as in Linux and ns-3: the estimate of the departure rate of section 5.2 would give the
//! same of one line of known rate, and less of a class that others interrupt. Updates are at whole
//! multiples of `update`, before anything else at their instants, from the queue as it was then. In
//! an update the burst allowance is diminished after p is calculated, and renewed last.
//!
//! Equal cases: a draw of p is not below p. Linux tests the present delay and not that of the last
//! update before a drop, diminishes the allowance as time passes, and adds 0.02 above 250 ms; ns-3
//! 3.44 begins without an allowance, takes it up with the first frame, holds p at zero for its
//! length and renews it after 1.5 s of low delay. Decided here: a frame of cells waits as long as
//! its first cell. Departure: with several classes or a scheduler of VCs there is one state for all
//! VCs of the class.

use super::{Admission, Departure, Dequeue, FrameRule, FromPlan, Ordered, QueueState, Site};
use crate::engine::Stream;
use crate::language::keys::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::units::{Bytes, Span, Time};

part! {
    /// Parameters of PIE.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct PiePlan {
        /// Delay at which the queue is held.
        target: Span = default("15 ms", "\"5 ms\"") as POSITIVE_TIME,
        /// Time between corrections of the drop probability.
        update: Span = default("15 ms", "\"1 ms\"") as Kind::Time { min: Span::from_microseconds(1) },
        /// Weight of the distance from `target`, per second.
        alpha: f64 = default("0.125", "0.25") as Kind::Number(GAIN),
        /// Weight of the change since the last correction, per second.
        beta: f64 = default("1.25", "2.5") as Kind::Number(GAIN),
        /// How long nothing is discarded after the drop probability was zero.
        max_burst: Span = default("150 ms", "\"0 s\"") as ANY_TIME,
        /// Nothing is discarded while no more than two of these wait.
        mean_frame: Bytes = default("1500 B", "\"9180 B\"") as Kind::Size { min: 1, max: MAX_PACKET },
        /// Whether a frame of a transport with ECN is marked in place of being discarded.
        ecn: bool = default("false", "true"),
        /// Drop probability above which it is discarded all the same.
        mark_threshold: f64 = default("0.1", "0.3") as Kind::Number(ZERO_TO_ONE),
        /// Whether drops are spread: none before the probabilities since the last one add up to
        /// 0.85.
        derandomise: bool = default("false", "true"),
    }
}

const GAIN: Interval = Interval { min: Bound::From(0.0), max: Bound::From(1000.0) };

/// Proportional Integral controller Enhanced.
#[derive(Clone, Debug)]
pub struct Pie {
    plan: PiePlan,
    /// Twice the mean frame, in bytes that wait.
    spared: u64,
    stream: Stream,
    /// Cells or packets in the buffer.
    held: u64,
    /// Of the frame that left last.
    delay: Span,
    /// `qdelay_old_`: at the last update.
    delay_before: Span,
    next_update: Time,
    burst_allowance: Span,
    probability: f64,
    /// `accu_prob_`: the sum of probabilities since the last drop.
    accumulated: f64,
}

impl Pie {
    /// At time zero; `spared` is what may always wait, in bytes.
    pub fn new(plan: PiePlan, spared: u64, stream: Stream) -> Self {
        Self {
            spared,
            stream,
            held: 0,
            delay: Span::ZERO,
            delay_before: Span::ZERO,
            next_update: Time::ZERO + plan.update,
            burst_allowance: plan.max_burst,
            probability: 0.0,
            accumulated: 0.0,
            plan,
        }
    }

    /// p.
    pub fn probability(&self) -> f64 {
        self.probability
    }

    /// Every update that is due by `now`.
    fn update_until(&mut self, now: Time) {
        while self.next_update <= now {
            self.update();
            self.next_update = self.next_update + self.plan.update;
        }
    }

    /// `calculate_drop_prob` (section 4.2, and 5.5).
    fn update(&mut self) {
        let [delay, before, target] =
            [self.delay, self.delay_before, self.plan.target].map(Span::seconds_f64);
        let correction = self.plan.alpha * (delay - target) + self.plan.beta * (delay - before);
        let correction = correction / scale(self.probability);
        let is_capped = self.probability >= 0.1 && correction > MOST_AT_ONCE;
        let mut probability = self.probability + if is_capped { MOST_AT_ONCE } else { correction };
        if self.delay == Span::ZERO && self.delay_before == Span::ZERO {
            probability *= DECAY;
        }
        self.probability = probability.clamp(0.0, 1.0);
        self.burst_allowance = (self.burst_allowance - self.plan.update).max(Span::ZERO);
        let is_low = |delay: Span| delay * 2 < self.plan.target;
        if self.probability == 0.0 && is_low(self.delay) && is_low(self.delay_before) {
            self.burst_allowance = self.plan.max_burst;
        }
        self.delay_before = self.delay;
    }

    /// `drop_early` (section 4.1, and 5.4).
    fn drops_early(&mut self, backlog: u64) -> bool {
        let is_low = self.delay_before * 2 < self.plan.target && self.probability < 0.2;
        if self.burst_allowance > Span::ZERO || is_low || backlog <= self.spared {
            return false;
        }
        if self.plan.derandomise {
            self.accumulated =
                if self.probability == 0.0 { 0.0 } else { self.accumulated + self.probability };
            if self.accumulated < 0.85 {
                return false;
            }
            if self.accumulated >= 8.5 {
                return true;
            }
        }
        self.stream.unit() < self.probability
    }
}

/// What a correction is divided by, so that small probabilities move in small steps.
fn scale(probability: f64) -> f64 {
    const SCALES: [(f64, f64); 6] = [
        (0.000_001, 2048.0),
        (0.000_01, 512.0),
        (0.000_1, 128.0),
        (0.001, 32.0),
        (0.01, 8.0),
        (0.1, 2.0),
    ];
    let found = SCALES.iter().find(|(below, _)| probability < *below);
    found.map_or(1.0, |(_, scale)| *scale)
}

/// The largest step of a probability of 0.1 or more.
const MOST_AT_ONCE: f64 = 0.02;

/// What is left of the probability by an update of an empty queue.
const DECAY: f64 = 0.98;

impl FrameRule for Pie {
    fn counts_cells(&self) -> bool {
        true
    }

    fn judges_dequeues(&self) -> bool {
        true
    }

    fn judge(&mut self, first: CellHead, queue: &QueueState<'_>) -> Admission {
        self.update_until(queue.now);
        if !queue.has_space() {
            // The buffer discards it.
            self.accumulated = 0.0;
            return Admission::Admit;
        }
        if !self.drops_early(queue.backlog) {
            return Admission::Admit;
        }
        self.accumulated = 0.0;
        let may_mark = self.plan.ecn && self.probability <= self.plan.mark_threshold;
        if may_mark && first.is_ecn_capable() { Admission::Mark } else { Admission::Refuse }
    }

    fn judge_dequeue(&mut self, _first: CellHead, dequeue: &Dequeue) -> Admission {
        self.update_until(dequeue.now);
        self.delay = if dequeue.backlog == 0 { Span::ZERO } else { dequeue.sojourn };
        Admission::Admit
    }

    fn on_admission(&mut self, _head: CellHead, _slot: u32) {
        self.held += 1;
    }

    /// The last cell of a frame leaves nothing behind, which its first did.
    fn on_departure(&mut self, departure: Departure) {
        self.held -= 1;
        if self.held == 0 {
            self.update_until(departure.at);
            self.delay = Span::ZERO;
        }
    }
}

impl FromPlan for Pie {
    type Plan = PiePlan;

    const NEEDS_COMMON_BUFFER: Option<&'static str> = None;
    const IS_RANDOM: bool = true;

    fn thresholds(_plan: &PiePlan) -> Vec<Ordered> {
        Vec::new()
    }

    fn interval(plan: &PiePlan) -> Option<Span> {
        Some(plan.update)
    }

    fn build(plan: &PiePlan, site: &Site) -> Self {
        let spared = 2 * site.transmission.bytes_of_packet(plan.mean_frame.0);
        Self::new(*plan, spared, site.stream.clone())
    }
}

#[cfg(test)]
mod tests {
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
        let dequeue = Dequeue { now, sojourn, occupancy: 99, backlog: MANY, slot: 0 };
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
            for (power, shifts) in [(1, 1), (2, 3), (3, 5), (4, 7), (5, 9), (6, 11)] {
                if p < 10.0_f64.powi(-power) {
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
        /// Updates happen at their instants although frames come when they like: whatever left
        /// last before one counts.
        #[test]
        fn as_the_recursion(
            delays in prop::collection::vec(prop_oneof![Just(0_i64), 0..400_000_i64], 1..200),
            gap in 1_usize..6,
        ) {
            let mut pie = pie(|_| {});
            let mut seen = Vec::new();
            for (index, &delay) in delays.iter().enumerate() {
                // In some updates nothing has left.
                let now = ms(15 * (index * gap) as i64 + 7);
                leave(&mut pie, now, delay);
                seen.extend(std::iter::repeat_n(delay as f64 * 1e-6, gap));
            }
            pie.update_until(ms(15 * seen.len() as i64));
            let expected = recursion(&seen);
            prop_assert!((pie.probability() - expected).abs() < 1e-9, "{} {}", pie.probability(), expected);
        }
    }
}

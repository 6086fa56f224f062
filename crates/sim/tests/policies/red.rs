//! Random Early Detection and its relatives: the mean queue, random drop, strikes and marks.

use super::queue::Queue;
use super::{ROOM, VCS, framewise, instant, stream};
use cellway_sim::switch::{Average, Ered, Fred, Policy, RandomDrop, Red};
use cellway_sim::units::{Span, Time};

const fn milliseconds(count: i64) -> Time {
    Time::from_picoseconds(count * 1_000_000_000)
}

/// avg = 3/4 avg + 1/4 q.
#[test]
fn the_average_follows_its_samples() {
    let mut average = Average::new(0.25, Span::from_milliseconds(1));
    average.on_arrival(16, Time::ZERO, milliseconds(9));
    assert_eq!(average.value().to_bits(), 4_f64.to_bits());
    average.on_arrival(16, Time::ZERO, milliseconds(9));
    assert_eq!(average.value().to_bits(), 7_f64.to_bits());
    // An empty buffer before a busy line is a sample of zero: the cell on the line does not count,
    // but it is there.
    average.on_arrival(0, Time::ZERO, milliseconds(9));
    assert_eq!(average.value().to_bits(), 5.25_f64.to_bits());
}

/// A frame takes 1 ms; an idle time of 2 ms counts as two samples of zero: 16 · (3/4)² = 9. The
/// arrival at its end is no third (the pseudo-code of Floyd and Jacobson 1993, section 4).
#[test]
fn idle_time_ages_the_average() {
    let mut average = Average::new(0.25, Span::from_milliseconds(1));
    for _ in 0..200 {
        average.sample(16);
    }
    average.on_arrival(0, milliseconds(12), milliseconds(10));
    assert!((average.value() - 9.0).abs() < 1e-9, "{}", average.value());
}

/// Where the first frame after an idle time is dropped, the line stays idle: the next counts what
/// has passed since, not all again.
#[test]
fn the_same_idle_time_is_counted_once() {
    let mut average = Average::new(0.25, Span::from_milliseconds(1));
    for _ in 0..200 {
        average.sample(16);
    }
    average.on_arrival(0, milliseconds(11), milliseconds(10));
    average.on_arrival(0, milliseconds(12), milliseconds(10));
    assert!((average.value() - 9.0).abs() < 1e-9, "{}", average.value());
    average.on_arrival(0, milliseconds(12), milliseconds(10));
    assert!((average.value() - 9.0).abs() < 1e-9, "{}", average.value());
}

/// Of so many frames that each find the same queue, how many frames after the last each drop came.
fn gaps(mut queue: Queue, frames: usize) -> Vec<usize> {
    let mut since = 0;
    let mut gaps = Vec::new();
    for _ in 0..frames {
        since += 1;
        if queue.admits(0) {
            // One in, one out: the queue stays as long.
            queue.depart();
        } else {
            gaps.push(std::mem::take(&mut since));
        }
    }
    gaps
}

/// In the midst between the thresholds pb = 0.1/2 = 1/20: gaps are uniform on 1 to 20 (Floyd,
/// Jacobson 1993, section 7). The statistic of Pearson over twenty classes has nineteen degrees of
/// freedom and exceeds 57.2 once in 100 000.
#[test]
fn drops_of_red_are_evenly_spread() {
    let red = framewise(Red::new(instant(), RandomDrop::new(20, 100, 0.1), stream(3)));
    let gaps = gaps(Queue::holding(red, ROOM, [60, 0, 0, 0]), 100_000);
    assert!(gaps.iter().all(|gap| (1..=20).contains(gap)), "{:?}", gaps.iter().max());
    let expected = gaps.len() as f64 / 20.0;
    let deviation = |gap: usize| {
        let found = gaps.iter().filter(|of| **of == gap).count() as f64;
        (found - expected) * (found - expected) / expected
    };
    let statistic: f64 = (1..=20).map(deviation).sum();
    assert!(statistic < 57.2, "{statistic}");
}

#[test]
fn red_admits_below_and_refuses_from_the_upper_threshold() {
    for seed in 0..64 {
        let red = || framewise(Red::new(instant(), RandomDrop::new(20, 100, 1.0), stream(seed)));
        assert!(Queue::holding(red(), ROOM, [19, 0, 0, 0]).admits(0));
        // At the lower threshold the probability is still zero.
        assert!(Queue::holding(red(), ROOM, [20, 0, 0, 0]).admits(0));
        assert!(!Queue::holding(red(), ROOM, [100, 0, 0, 0]).admits(0));
    }
}

/// The same queue, and one random drop for each kind: marked frames (CLP = 0) never, where their
/// thresholds begin above it; unmarked ones with 1/2 · 0.2 = 1/10 and so once in 5.5 of the gaps 1
/// to 10.
#[test]
fn enhanced_red_holds_two_lotteries() {
    let policy = || {
        let [unmarked, marked] = [RandomDrop::new(20, 100, 0.2), RandomDrop::new(80, 110, 0.02)];
        framewise(Ered::new(instant(), unmarked, marked, stream(5)))
    };
    let mut queue = Queue::holding(policy(), ROOM, [60, 0, 0, 0]);
    let mut refused = 0;
    for _ in 0..10_000 {
        assert!(queue.admits(1), "marked");
        queue.depart();
        if queue.admits_tagged(1) {
            queue.depart();
        } else {
            refused += 1;
        }
    }
    // Gaps have the mean 5.5 and the variance (10² - 1)/12: 1818 drops, six standard deviations of
    // a renewal process 134.
    let deviation = (10_000.0 * 8.25 / (5.5 * 5.5 * 5.5_f64)).sqrt();
    assert!((f64::from(refused) - 10_000.0 / 5.5).abs() < 6.0 * deviation, "{refused} {deviation}");
    // Each by its own upper end.
    let mut queue = Queue::holding(policy(), ROOM, [100, 0, 0, 0]);
    assert!(!queue.admits_tagged(1));
    let mut queue = Queue::holding(policy(), ROOM, [110, 0, 0, 0]);
    assert!(!queue.admits(1));
}

fn fred(seed: u64) -> Policy {
    framewise(Fred::new(instant(), RandomDrop::new(40, 100, 1.0), 4, VCS, stream(seed)))
}

/// maxq is the lower threshold: at 40 cells a VC is refused without random drop, though the mean
/// queue begins only there.
#[test]
fn fred_bounds_every_vc() {
    for seed in 0..64 {
        assert!(Queue::holding(fred(seed), ROOM, [39, 0, 0, 0]).admits(0));
        assert!(!Queue::holding(fred(seed), ROOM, [40, 0, 0, 0]).admits(0));
    }
}

/// A VC with two strikes may have the average per VC and no more, until it has nothing left in the
/// buffer.
#[test]
fn two_strikes_cost_a_vc_its_credit() {
    // 40 of 44: a strike for each of two frames, and one frame more, to see that 22 = 44/2 is not
    // below the average.
    let mut queue = Queue::holding(fred(1), ROOM, [40, 4, 0, 0]);
    assert!(!queue.admits(0) && !queue.admits(0));
    for _ in 0..20 {
        queue.depart();
    }
    // 20 of 24: more than 24/2 = 12. Without strikes the mean queue below 40 would let it in.
    assert!(!queue.admits(0));
    assert!(queue.admits(1), "the other has none");
    // 11 of 16: more than 8, still.
    for _ in 0..9 {
        queue.depart();
    }
    assert!(!queue.admits(0));
    // An empty VC is forgiven.
    queue.empty();
    queue.fill(0, 20);
    queue.fill(1, 4);
    assert!(queue.admits(0));
}

/// Between the thresholds who has less than the average per VC, or than minq, is spared; the others
/// draw. X = 80 in four: 20.
#[test]
fn fred_spares_the_modest() {
    let refused =
        |held| (0..64).filter(|seed| !Queue::holding(fred(*seed), ROOM, held).admits(0)).count();
    assert_eq!(refused([19, 39, 11, 11]), 0);
    // With 20 it draws: pb = (80 - 40)/60 = 2/3, so all of 64 admitted or all refused would be a
    // miracle.
    let drawn = refused([20, 38, 11, 11]);
    assert!(drawn > 0 && drawn < 64, "{drawn}");
    // From the upper threshold on everything is refused, the modest too.
    assert_eq!(refused([1, 34, 34, 31]), 64);
}

/// With the mean queue at the upper threshold, here 40, everything is refused, but only VCs with
/// more than twice the average per VC are struck: afterwards that average is all they may have.
#[test]
fn fred_strikes_who_has_twice_the_average() {
    let at_forty =
        || framewise(Fred::new(instant(), RandomDrop::new(40, 40, 1.0), 4, VCS, stream(1)));
    // 39 of 42 in three, against 28; later 19 of 22, against 22/3.
    let mut struck = Queue::holding(at_forty(), ROOM, [39, 1, 2, 0]);
    assert!(!struck.admits(0) && !struck.admits(0));
    (0..20).for_each(|_| struck.depart());
    assert!(!struck.admits(0));
    // 39 of 77 in two are no more than twice 38.5; later 19 of 57 would be refused by the mean
    // queue, so the other goes first.
    let mut spared = Queue::new(at_forty(), ROOM, VCS);
    spared.fill(1, 38);
    spared.fill(0, 39);
    assert!(!spared.admits(0) && !spared.admits(0));
    (0..38).for_each(|_| spared.depart());
    assert!(spared.admits(0), "39 of 39, and no strike");
}

/// Departures of frames are samples too: four that leave a long queue behind teach the average what
/// no arrival has seen.
#[test]
fn fred_samples_departures() {
    let slow = Average::new(0.5, Span::from_seconds(1));
    let fred = Fred::new(slow, RandomDrop::new(5, 10, 1.0), 1, VCS, stream(1));
    let mut queue = Queue::new(framewise(fred), ROOM, VCS);
    // They find 0, 1, 2 and 3: the average is 17/8.
    assert!((0..4).all(|slot| queue.admits(slot)));
    queue.fill(3, 20);
    // With 23, 22, 21 and 20 left: 20.1.
    (0..4).for_each(|_| queue.depart());
    // Raw cells are no frames. Of arrivals alone the average would be (17/8 + 2)/2, well below the
    // thresholds.
    (0..18).for_each(|_| queue.depart());
    assert!(!queue.admits(0), "(20.1 + 2)/2 is above the upper one");
}

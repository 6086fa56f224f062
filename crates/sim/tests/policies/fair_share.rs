//! Answers worked by hand: thresholds of the whole queue and shares of single VCs.

use super::queue::{Kind, Queue, letter};
use super::{ROOM, VCS, dfba, framewise, named, stream};
use cellway_sim::switch::{
    Dfba, DfbaVc, Epd, Fba, Policy, PriorityDrop, SelectiveDrop, VirtualQueuing, VqDynamicEpd,
    VqMcr,
};
use cellway_sim::units::Span;

/// Whether a frame of VC 0 comes in where VC i has `held[i]` cells.
fn admits(policy: Policy, size: u64, held: [u64; VCS]) -> bool {
    Queue::holding(policy, size, held).admits(0)
}

#[test]
fn epd_admits_at_its_threshold_and_not_above() {
    for (held, expected) in [(60, true), (61, false)] {
        assert_eq!(admits(framewise(Epd::new(60)), ROOM, [0, held, 0, 0]), expected, "{held}");
    }
}

/// 40 for CLP = 1, 80 for the rest.
#[test]
fn priority_drop_has_a_threshold_for_each_priority() {
    for (held, tagged, untagged) in
        [(40, true, true), (41, false, true), (80, false, true), (81, false, false)]
    {
        let queue = || Queue::holding(framewise(PriorityDrop::new(40, 80)), ROOM, [0, held, 0, 0]);
        assert_eq!((queue().admits_tagged(0), queue().admits(0)), (tagged, untagged), "{held}");
    }
}

/// `X_i N_a / X` against Z = 0.8, above R = 50.
#[test]
fn selective_drop_holds_vcs_to_a_part_of_their_share() {
    for (held, expected) in [
        // X = R: whoever.
        ([50, 0, 0, 0], true),
        // 51 · 1 / 51 = 1.
        ([51, 0, 0, 0], false),
        // 40 · 2 / 100 = 0.8 exactly, and 0.82.
        ([40, 60, 0, 0], true),
        ([41, 59, 0, 0], false),
        // The same 40 of 100 beside two more: 1.2.
        ([40, 59, 1, 0], false),
        // Nothing of its own in the queue.
        ([0, 100, 0, 0], true),
    ] {
        let policy = framewise(SelectiveDrop::new(50, 0.8));
        assert_eq!(admits(policy, ROOM, held), expected, "{held:?}");
    }
}

/// `X_i N_a / X` against Z (K - R) / (X - R), with Z = 0.8, K = 120, R = 60.
#[test]
fn fair_buffer_allocation_is_the_stricter_the_fuller() {
    for (held, expected) in [
        ([60, 0, 0, 0], true),
        // Just above R: 1 against 0.8 · 60 / 1 = 48; it takes X - R = 48 for a VC alone to have too
        // much.
        ([61, 0, 0, 0], true),
        ([108, 0, 0, 0], true),
        ([109, 0, 0, 0], false),
        // X = 100: 0.8 · 60 / 40 = 1.2, and 60 of 100 in two VCs are 1.2, equal.
        ([60, 40, 0, 0], true),
        ([61, 39, 0, 0], false),
        // X = K: 0.8. 48 of 120 in two are 0.8.
        ([48, 72, 0, 0], true),
        ([49, 71, 0, 0], false),
    ] {
        // Of a larger buffer, so that there is room: K is what the policy is told.
        let mut queue = Queue::holding(framewise(Fba::new(60, 0.8)), 121, held);
        queue.size = ROOM;
        let is_full = queue.len() == ROOM;
        let answer = letter(queue.arrive(0, Kind::Body, false));
        // At X = K an admitted frame finds no room for its first cell.
        assert_eq!(
            answer,
            if !expected {
                'e'
            } else if is_full {
                'o'
            } else {
                'a'
            },
            "{held:?}"
        );
    }
}

/// Equal sides stay equal whatever the numbers: 36 of 80 in two VCs are 0.9, and so is 0.3 · 60 /
/// 20, of which a division and a multiplication of doubles would make less.
#[test]
fn equality_in_fair_buffer_allocation_does_not_hang_on_rounding() {
    assert!(admits(framewise(Fba::new(60, 0.3)), ROOM, [36, 44, 0, 0]));
    assert!(!admits(framewise(Fba::new(60, 0.3)), ROOM, [37, 43, 0, 0]));
}

/// A threshold above what the buffer holds, as that of a switch's `drop` may be in a smaller buffer
/// of a class, is never reached.
#[test]
fn a_threshold_beyond_the_buffer_is_tail_drop() {
    for policy in [
        framewise(Fba::new(1000, 0.8)),
        framewise(SelectiveDrop::new(1000, 0.8)),
        dfba(500, 1000, 1),
        framewise(VqMcr::new(1000, Span::from_seconds(1), &[0.0; VCS])),
    ] {
        let mut queue = Queue::holding(policy, 50, [49, 0, 0, 0]);
        assert_eq!(queue.frame(0, 2), "ao");
    }
}

/// DFBA with shares of 2/5 and 1/5, L = 40, H = 100. Region 1 is X < L, 4 is X > H; between, region
/// 3 while `X_i` is at most the share of X, and 2 beyond. At both ends the rule of the middle
/// holds.
#[test]
fn dfba_has_four_regions() {
    for (held, untagged, tagged) in [
        // Region 1: everything, also of a VC that has it all.
        ([39, 0, 0, 0], true, true),
        // X = L, at the share of 16: region 3.
        ([16, 24, 0, 0], true, false),
        ([40, 60, 0, 0], true, false),
        ([0, 100, 0, 0], true, false),
        // Region 4: nothing, also of a VC that has nothing.
        ([0, 101, 0, 0], false, false),
    ] {
        for seed in 0..32 {
            let queue = || Queue::holding(dfba(40, 100, seed), ROOM, held);
            assert_eq!(
                (queue().admits(0), queue().admits_tagged(0)),
                (untagged, tagged),
                "{held:?}"
            );
        }
    }
}

const DRAWS: u32 = 10_000;

/// How many of [`DRAWS`] frames are dropped, each the first that its policy sees.
fn dropped(policy: impl Fn(u64) -> Policy, held: [u64; VCS]) -> u32 {
    let is_dropped = |seed: &u64| !admits(policy(*seed), ROOM, held);
    (0..u64::from(DRAWS)).filter(is_dropped).count() as u32
}

/// The probability of a count this far from its mean or farther is below 1e-9 by Hoeffding's bound,
/// 2 exp(-2 d²/n).
fn assert_probability(found: u32, expected: f64, held: [u64; VCS]) {
    let tolerance = (f64::from(DRAWS) * 21.5 / 2.0).sqrt();
    let mean = expected * f64::from(DRAWS);
    assert!(
        (f64::from(found) - mean).abs() < tolerance,
        "{held:?}: {found}, expected {mean} ± {tolerance}"
    );
}

/// `P = Z { 0.5 (X_i - 2X/5) / (3X/5) + 0.5 (X - 40) / 60 }` for VC 0.
#[test]
fn dfba_drops_with_the_probability_of_its_formula() {
    for (held, expected) in [
        // X = L: fairness alone. 28 of 40: (28 - 16)/24 = 1/2; all 40: 1.
        ([28, 12, 0, 0], 0.25),
        ([40, 0, 0, 0], 0.5),
        // X = 70: efficiency 1/2. (49 - 28)/42 = 1/2; all: 1.
        ([49, 21, 0, 0], 0.5),
        ([70, 0, 0, 0], 0.75),
        // Just above the share of 28: (29 - 28)/42.
        ([29, 41, 0, 0], 0.5 / 42.0 + 0.25),
        // X = H: efficiency 1. (70 - 40)/60 = 1/2.
        ([70, 30, 0, 0], 0.75),
    ] {
        assert_probability(dropped(|seed| dfba(40, 100, seed), held), expected, held);
    }
    // X = H and X_i = X: certainty.
    assert_eq!(dropped(|seed| dfba(40, 100, seed), [100, 0, 0, 0]), DRAWS);
}

/// Z scales the whole, alpha weighs: of a VC that has all of `X = 55`, fairness is 1 and efficiency
/// 1/4.
#[test]
fn z_scales_and_alpha_weighs() {
    let policy = |alpha, z| {
        let vcs = [2.0, 1.0, 1.0, 1.0].map(|weight| DfbaVc { weight, z }).to_vec();
        move |seed| framewise(Dfba::new(40, 100, alpha, vcs.clone(), 5.0, stream(seed)))
    };
    let held = [55, 0, 0, 0];
    for (alpha, z, expected) in
        [(0.0, 1.0, 0.25), (1.0, 1.0, 1.0), (0.5, 0.4, 0.25), (0.5, 0.0, 0.0)]
    {
        assert_probability(dropped(policy(alpha, z), held), expected, held);
    }
    assert_eq!(dropped(policy(0.5, 0.0), held), 0, "Z = 0 never drops between L and H");
}

/// A VC alone has the whole share, and so never more: between L and H all its frames with CLP = 0
/// come in.
#[test]
fn dfba_leaves_a_vc_alone_to_h() {
    let alone = |seed| {
        let vcs = [7.0, 0.0, 0.0, 0.0].map(|weight| DfbaVc { weight, z: 1.0 }).to_vec();
        framewise(Dfba::new(40, 100, 0.5, vcs, 7.0, stream(seed)))
    };
    assert!((0..64).all(|seed| admits(alone(seed), ROOM, [100, 0, 0, 0])));
    assert!(!admits(alone(1), ROOM, [101, 0, 0, 0]));
}

/// Without any minimum cell rate shares are equal among the VCs in the buffer. A share of 1/49 of
/// 49 cells is one, though (1/49) · 49 is less than 1 in binary.
#[test]
fn dfba_without_minimum_rates_shares_equally() {
    let equal = |seed| {
        let vcs = vec![DfbaVc { weight: 0.0, z: 1.0 }; VCS];
        framewise(Dfba::new(40, 100, 0.5, vcs, 0.0, stream(seed)))
    };
    // 35 of 70 in two are the share; in three (35 - 70/3)/(140/3) = 1/4, and the efficiency is 1/2.
    assert!((0..64).all(|seed| admits(equal(seed), ROOM, [35, 35, 0, 0])));
    assert_probability(dropped(equal, [35, 34, 1, 0]), 0.375, [35, 34, 1, 0]);
    let many = |seed| {
        let vcs = vec![DfbaVc { weight: 0.0, z: 1.0 }; 49];
        let rule = Dfba::new(1, 49, 0.5, vcs, 0.0, stream(seed));
        let mut queue =
            Queue::new(Policy::Framewise(cellway_sim::switch::Framewise::new(rule, 49)), ROOM, 49);
        (0..49).for_each(|slot| queue.fill(slot, 1));
        queue.admits(7)
    };
    assert!((0..64).all(many));
}

/// Cells leave the real queue in order of arrival and the virtual ones in turn. 30 cells of VC 0,
/// then 30 of VC 1: when 20 of VC 0 have left, each has given up ten virtually and has 20, which
/// the threshold is; one more of VC 0 is too many.
#[test]
fn virtual_queuing_serves_in_turn_what_really_leaves_in_order() {
    let mut queue = Queue::holding(framewise(VirtualQueuing::new(20, VCS)), ROOM, [30, 30, 0, 0]);
    (0..20).for_each(|_| queue.depart());
    assert!(queue.admits(0) && queue.admits(1));
    assert!(!queue.admits(0) && !queue.admits(1));
    // The turn is VC 0's again.
    queue.depart();
    assert!(queue.admits(0) && !queue.admits(1));
}

/// Above 60 cells: X = 80, N = 4, X/N = 20. Three have at most that, so 80/3 = 26.7: 26 come in and
/// 27 do not.
#[test]
fn dynamic_epd_counts_the_modest() {
    let policy = || framewise(VqDynamicEpd::new(60, VCS));
    assert!(admits(policy(), ROOM, [26, 18, 18, 18]));
    assert!(!admits(policy(), ROOM, [27, 18, 18, 17]));
    // At the threshold whoever.
    assert!(admits(policy(), ROOM, [51, 3, 3, 3]));
    assert!(!admits(policy(), ROOM, [52, 3, 3, 3]));
}

/// 100 cells/s are 10 in each interval of 100 ms: after an hour without a frame the credit is K =
/// 50 and not 360 000.
#[test]
fn credit_grows_by_mcr_times_t_up_to_the_buffer() {
    let policy = framewise(VqMcr::new(5, Span::from_milliseconds(100), &[100.0, 0.0, 0.0, 0.0]));
    let mut queue = Queue::new(policy, 50, VCS);
    // Credit of the first interval: 10 cells. The eleventh finds a virtual queue of 10.
    assert_eq!((0..11).filter(|_| queue.admits(0)).count(), 10);
    // Just before the end of the interval nothing more, at it ten.
    queue.wait(Span::from_milliseconds(100) - Span::from_picoseconds(1));
    assert!(!queue.admits(0));
    queue.wait(Span::from_picoseconds(1));
    assert_eq!((0..11).filter(|_| queue.admits(0)).count(), 10);
    // A VC without a minimum rate has the threshold alone: with 0 to 5 in its virtual queue a frame
    // comes in.
    assert_eq!((0..11).filter(|_| queue.admits(1)).count(), 6);
    queue.wait(Span::from_seconds(3600));
    queue.empty();
    // 50 by credit fill the buffer; emptied at once, no credit is left, and six come in by the
    // threshold.
    assert_eq!((0..60).filter(|_| queue.admits(0)).count(), 50);
    (0..50).for_each(|_| queue.depart());
    assert_eq!((0..60).filter(|_| queue.admits(0)).count(), 6);
}

/// Not even the first interval gives more than the buffer holds: 1000 cells/s in 1 s, and room for
/// 50.
#[test]
fn the_first_credit_is_bounded_too() {
    let policy = framewise(VqMcr::new(5, Span::from_seconds(1), &[1000.0, 0.0, 0.0, 0.0]));
    let mut queue = Queue::new(policy, 50, VCS);
    assert_eq!((0..60).filter(|_| queue.admits(0)).count(), 50);
    (0..50).for_each(|_| queue.depart());
    assert_eq!((0..60).filter(|_| queue.admits(0)).count(), 6);
}

/// Partial packet discard has no threshold but the end of the buffer.
#[test]
fn ppd_admits_to_the_last_place() {
    assert!(admits(named("ppd", 1), ROOM, [0, ROOM - 1, 0, 0]));
    assert_eq!(
        letter(Queue::holding(named("ppd", 1), ROOM, [0, ROOM, 0, 0]).arrive(0, Kind::Body, false)),
        'o'
    );
}

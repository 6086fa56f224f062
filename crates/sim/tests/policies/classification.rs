//! Each row of table 7 (Goyal, Jain, Fahmy, Vandalore, ATM Forum 98-0405, 1998): what a policy does
//! is what the table says of it.

use super::queue::{Kind, Queue, kind, letter};
use super::{ROOM, VCS, all, named};
use cellway_sim::units::Span;

/// What is compared with a threshold.
#[derive(Clone, Copy, PartialEq)]
enum Accounting {
    /// SA: the queue as a whole.
    Single,
    /// MA: each VC.
    Multiple,
}

/// Whether a threshold is a parameter, or computed from the queue.
#[derive(Clone, Copy, PartialEq)]
enum ThresholdType {
    Static,
    Dynamic,
}

/// Whether runs that differ in their random numbers alone discard the same frames.
#[derive(Clone, Copy, PartialEq)]
enum DropType {
    Deterministic,
    Probabilistic,
}

/// Policies that are younger than the table: marks above a threshold, rules for how long frames
/// wait, and rates in headers.
const LATER: [&str; 12] = [
    "abc", "cake", "cobalt", "codel", "dual_pi2", "fq_codel", "fq_pie", "fq_step", "pie", "rcp",
    "step", "xcp",
];

/// Name in the language, accounting, threshold type, drop type, tag sensitivity: table 7, and below
/// it plain Virtual Queuing. How many thresholds there are is in the parameters.
const TABLE: &[(&str, Accounting, ThresholdType, DropType, bool)] = {
    use Accounting::{Multiple, Single};
    use DropType::{Deterministic, Probabilistic};
    use ThresholdType::{Dynamic, Static};
    &[
        ("epd", Single, Static, Deterministic, false),
        ("ppd", Single, Static, Deterministic, false),
        ("red", Single, Static, Probabilistic, false),
        ("fred", Multiple, Dynamic, Probabilistic, false),
        ("selective_drop", Multiple, Dynamic, Deterministic, false),
        ("fba", Multiple, Dynamic, Deterministic, false),
        ("vq_dynamic_epd", Multiple, Dynamic, Deterministic, false),
        ("ered", Multiple, Static, Probabilistic, true),
        ("dfba", Multiple, Dynamic, Probabilistic, true),
        ("vq_mcr", Multiple, Dynamic, Deterministic, false),
        ("priority", Single, Static, Deterministic, true),
        ("virtual_queuing", Multiple, Static, Deterministic, false),
    ]
};

#[test]
fn all_but_tail_drop_have_a_row() {
    let rows: Vec<&str> = TABLE.iter().map(|row| row.0).collect();
    let mut policies: Vec<&str> = all(1).into_iter().map(|(name, _)| name).collect();
    policies.retain(|name| !rows.contains(name) && !LATER.contains(name));
    assert_eq!(policies, ["tail"]);
}

/// Four VCs send frames of 5, 7, 11 and 13 cells, cell by cell in turn; the line takes two of every
/// three cells and so the queue overflows its 120 places within the 3000. What becomes of each
/// cell.
fn answers(name: &str, seed: u64, tagged: Option<u32>) -> Vec<(u32, char)> {
    const LENGTHS: [usize; VCS] = [5, 7, 11, 13];
    let mut queue = Queue::new(named(name, seed), ROOM, VCS);
    let mut sent = [0_usize; VCS];
    let mut answers = Vec::new();
    for step in 0..3000_usize {
        let slot = step % VCS;
        sent[slot] = sent[slot] % LENGTHS[slot] + 1;
        let is_tagged = tagged == Some(slot as u32);
        let verdict = queue.arrive(slot as u32, kind(sent[slot], LENGTHS[slot]), is_tagged);
        answers.push((slot as u32, letter(verdict)));
        queue.wait(Span::from_microseconds(3));
        if step % 3 > 0 {
            queue.depart();
        }
    }
    answers
}

/// Same input, other random numbers: the same cells are lost if and only if the policy is
/// deterministic.
#[test]
fn chance_has_a_say_where_it_is_declared() {
    for &(name, _, _, drop_type, _) in TABLE {
        let first = answers(name, 1, None);
        assert_eq!(first, answers(name, 1, None), "{name}: the same numbers");
        assert!(
            first.iter().any(|(_, letter)| *letter != 'a'),
            "{name}: the load must be too much for it"
        );
        let is_same = (2..6).all(|seed| answers(name, seed, None) == first);
        assert_eq!(is_same, drop_type == DropType::Deterministic, "{name}");
    }
}

/// The same input with CLP = 1 on one VC: its loss grows if and only if the policy is tag
/// sensitive, and otherwise no cell fares differently.
#[test]
fn tags_count_where_it_is_declared() {
    let lost = |answers: &[(u32, char)]| {
        answers.iter().filter(|(slot, of)| *slot == 1 && *of != 'a').count()
    };
    for &(name, _, _, _, is_tag_sensitive) in TABLE {
        for seed in 1..6 {
            let [untagged, tagged] = [answers(name, seed, None), answers(name, seed, Some(1))];
            if is_tag_sensitive {
                assert!(lost(&tagged) > lost(&untagged), "{name}, seed {seed}");
            } else {
                assert_eq!(tagged, untagged, "{name}, seed {seed}");
            }
        }
    }
}

/// Whether a frame of VC 0 comes in, for each of sixty-four seeds, where VC i has `held[i]` cells
/// in the queue.
fn judged(name: &str, held: [u64; VCS]) -> Vec<bool> {
    let one = |seed| {
        let mut queue = Queue::holding(named(name, seed), ROOM, held);
        // Raw cells are judged by nobody: the averages learn of the queue from a frame of another
        // VC.
        queue.arrive(3, Kind::Body, false);
        queue.admits(0)
    };
    (0..64).map(one).collect()
}

/// The queue is as long; who owns it matters if and only if single VCs are accounted for. Of
/// Enhanced RED the accounts are those of the markers before it, which is why its row is MA: to the
/// queue itself VCs are alike.
#[test]
fn owners_count_where_vcs_are_accounted_for() {
    for &(name, accounting, ..) in TABLE {
        let is_single = accounting == Accounting::Single || name == "ered";
        let [modest, greedy] = [[10, 2, 2, 61], [61, 2, 2, 10]].map(|held| judged(name, held));
        assert_eq!(modest == greedy, is_single, "{name}");
        let admitted = |of: &[bool]| of.iter().filter(|admitted| **admitted).count();
        assert!(is_single || admitted(&modest) > admitted(&greedy), "{name}");
    }
}

/// A static threshold: what is counted (X of a single accounting, `X_i` of a multiple one) decides
/// alone, whatever else changes.
#[test]
fn static_thresholds_do_not_move() {
    let rest = [[0, 50, 0, 0], [0, 20, 20, 10], [0, 0, 1, 49], [0, 17, 17, 16]];
    for &(name, _, threshold_type, ..) in TABLE {
        if threshold_type == ThresholdType::Static {
            for of_vc in [0, 15, 20, 30] {
                let judged = rest.map(|[_, a, b, c]| judged(name, [of_vc, a, b, c]));
                assert!(judged.iter().all(|answers| *answers == judged[0]), "{name} {of_vc}");
            }
        }
    }
    // Virtual Queuing counts `X_i`: the length of the queue does not matter either.
    for others in [0, 10, 60] {
        assert!(judged("virtual_queuing", [20, others, 0, 0]).iter().all(|admitted| *admitted));
        assert!(judged("virtual_queuing", [21, others, 0, 0]).iter().all(|admitted| !admitted));
    }
}

/// A dynamic threshold: a VC with 30 cells is treated better or worse as others change alone.
#[test]
fn dynamic_thresholds_move() {
    let admitted = |name, held| judged(name, held).into_iter().filter(|admitted| *admitted).count();
    // 30 of 80: beside one other VC less than the share of 40, beside three more than that of 20.
    for name in ["selective_drop", "fba", "fred", "vq_dynamic_epd"] {
        let [of_two, of_four] = [[30, 0, 0, 49], [30, 17, 17, 15]].map(|held| admitted(name, held));
        assert!(of_two > of_four, "{name}: {of_two} {of_four}");
    }
    // Two fifths of the queue: of 71 cells 28, of 81 cells 32. A longer queue makes the VC fare
    // better.
    let [short, long] = [[30, 0, 0, 40], [30, 0, 0, 50]].map(|held| admitted("dfba", held));
    assert!(short < long && long == 64, "{short} {long}");
}

/// The credit of Virtual Queuing with MCR scheduling moves with time alone: 100 cells/s are 10 in
/// each 100 ms.
#[test]
fn credit_moves_the_threshold_of_vq_mcr() {
    let mut queue = Queue::new(named("vq_mcr", 1), ROOM, VCS);
    // 30 cells are above the threshold of 20, and have used up the 10 of the first interval.
    queue.fill(0, 30);
    assert!(!queue.admits(0));
    queue.wait(Span::from_milliseconds(100));
    assert!(queue.admits(0));
    let dynamic = TABLE.iter().filter(|row| row.2 == ThresholdType::Dynamic);
    assert_eq!(dynamic.count(), 6, "the five above and this one");
}

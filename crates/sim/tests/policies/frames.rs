//! What every policy does to a frame, whatever made it answer so.

use super::queue::{Kind, Queue, letter};
use super::{ROOM, VCS, all};
use cellway_sim::result::Cause;
use cellway_sim::switch::Verdict;

/// Policies that judge frames as they arrive, by the queue as it is.
fn judges(name: &str) -> bool {
    !matches!(
        name,
        "abc" | "xcp" | "rcp" | "tail" | "ppd" | "cake" | "cobalt" | "codel" | "pie" | "dual_pi2"
    ) && !name.starts_with("fq_")
}

/// A queue that refuses every frame of VC 0 and is not full: 100 of 120 cells, all its own, and an
/// average at the maximum.
fn hostile(policy: cellway_sim::switch::Policy) -> Queue {
    let mut queue = Queue::new(policy, ROOM, VCS);
    for (slot, count) in [(1, 1), (2, 1), (3, 1), (0, 101)] {
        queue.fill(slot, count);
    }
    queue
}

#[test]
fn a_frame_refused_at_its_first_cell_goes_whole() {
    for (name, policy) in all(1) {
        let mut queue = hostile(policy);
        let expected = if judges(name) { "eeee" } else { "aaaa" };
        assert_eq!(queue.frame(0, 4), expected, "{name}");
        // The answer was for that frame: an emptied queue takes the next.
        queue.empty();
        assert_eq!(queue.frame(0, 4), "aaaa", "{name}");
    }
}

/// The buffer fills up with raw cells under a frame that was let in: the cell that finds no room
/// goes, the rest too although there is room again, and the last cell stays to end the incomplete
/// frame. The next frame is another.
#[test]
fn an_overflow_inside_a_frame_spoils_the_rest_but_not_its_last_cell() {
    for (name, policy) in all(1) {
        let mut queue = Queue::new(policy, ROOM, VCS);
        let mut answers = vec![queue.arrive(0, Kind::Body, false)];
        queue.fill(1, ROOM - 1);
        answers.push(queue.arrive(0, Kind::Body, false));
        queue.empty();
        answers.push(queue.arrive(0, Kind::Body, false));
        answers.push(queue.arrive(0, Kind::Last, false));
        let answers: String = answers.into_iter().map(letter).collect();
        assert_eq!(answers, if name == "tail" { "aoaa" } else { "aopa" }, "{name}");
        assert_eq!(queue.frame(0, 2), "aa", "{name}");
    }
}

/// A last cell needs room like any other, and the frame is over all the same, spoilt before or not.
#[test]
fn a_last_cell_without_room_is_lost_and_the_frame_is_over() {
    for ((name, policy), is_spoilt) in [false, true]
        .into_iter()
        .flat_map(|is_spoilt| all(1).into_iter().map(move |of| (of, is_spoilt)))
    {
        let mut queue = Queue::new(policy, ROOM, VCS);
        assert_eq!(letter(queue.arrive(0, Kind::Body, false)), 'a', "{name}");
        queue.fill(1, ROOM - 1);
        if is_spoilt {
            assert_eq!(letter(queue.arrive(0, Kind::Body, false)), 'o', "{name}");
        }
        assert_eq!(letter(queue.arrive(0, Kind::Last, false)), 'o', "{name}");
        queue.empty();
        assert_eq!(queue.frame(0, 2), "aa", "{name}");
    }
}

/// What its first cell decided holds, though the queue is soon one that refuses every new frame.
#[test]
fn an_admitted_frame_stays_admitted() {
    for (name, policy) in all(1) {
        let mut queue = Queue::new(policy, ROOM, VCS);
        assert_eq!(letter(queue.arrive(0, Kind::Body, false)), 'a', "{name}");
        queue.fill(0, 110);
        assert_eq!(queue.frame(0, 3), "aaa", "{name}");
    }
}

/// The end of a frame of VC 0, two cells and the last, and a frame of VC 2, cell by cell in turn.
fn in_turn(queue: &mut Queue) -> String {
    let kinds = [Kind::Body, Kind::Body, Kind::Last];
    let cells = kinds.into_iter().flat_map(|kind| [0, 2].map(|slot| (slot, kind)));
    cells.map(|(slot, kind)| letter(queue.arrive(slot, kind, false))).collect()
}

/// Cells of another VC between those of a refused or a spoilt frame fare as if these were not
/// there.
#[test]
fn frames_of_other_vcs_are_others() {
    for (name, policy) in all(1) {
        let mut queue = Queue::new(policy, ROOM, VCS);
        assert_eq!(letter(queue.arrive(0, Kind::Body, false)), 'a', "{name}");
        queue.fill(1, ROOM - 1);
        assert_eq!(letter(queue.arrive(0, Kind::Body, false)), 'o', "{name}");
        queue.empty();
        let expected = if name == "tail" { "aaaaaa" } else { "papaaa" };
        assert_eq!(in_turn(&mut queue), expected, "{name}");
    }
    for (name, policy) in all(1).into_iter().filter(|(name, _)| judges(name)) {
        let mut queue = hostile(policy);
        assert_eq!(letter(queue.arrive(0, Kind::Body, false)), 'e', "{name}");
        queue.empty();
        assert_eq!(in_turn(&mut queue), "eaeaea", "{name}");
    }
}

/// Raw cells are no frame's: lost exactly when there is no room, tagged or not, in the midst of a
/// refused frame of their VC too.
#[test]
fn raw_cells_are_lost_exactly_when_there_is_no_room() {
    for (name, policy) in all(1) {
        let mut queue = hostile(policy);
        queue.arrive(0, Kind::Body, false);
        for is_tagged in [false, true] {
            while queue.len() < ROOM {
                assert_eq!(queue.arrive(0, Kind::Raw, is_tagged), Verdict::Accept, "{name}");
            }
            let refused = queue.arrive(0, Kind::Raw, is_tagged);
            assert_eq!(refused, Verdict::Discard(Cause::Overflow), "{name}");
            (0..5).for_each(|_| queue.depart());
        }
    }
}

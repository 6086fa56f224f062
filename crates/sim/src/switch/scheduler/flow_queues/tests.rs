//! The order of RFC 8290 packet by packet, and the queue from which an overflow discards.

use super::*;
use crate::engine::Stream;

fn packet(slot: u32, bytes: u16) -> Waiting {
    Waiting { slot, bytes, ..Waiting::default() }
}

fn queues(flows: u32) -> FlowQueues {
    FlowQueues::new(FlowHash::each(), flows, 1500, 64)
}

fn backlog(queues: &mut FlowQueues, packets: usize, packet: Waiting) {
    for _ in 0..packets {
        queues.push(packet);
    }
}

fn served(queues: &mut FlowQueues, packets: usize) -> Vec<u32> {
    (0..packets).filter_map(|_| queues.pop()).map(|packet| packet.slot).collect()
}

/// Flow 0 has a backlog. Flow 1 comes with small packets: it is new, and sends one quantum
/// before flow 0 has its turn. Both have used up their credit then: flow 1 is behind flow 0,
/// and flow 0, which gets its quantum there, behind flow 1; from then on they take turns.
#[test]
fn a_new_flow_is_served_first_for_one_quantum() {
    let mut queues = queues(2);
    backlog(&mut queues, 20, packet(0, 1500));
    assert_eq!(served(&mut queues, 3), [0, 0, 0]);
    backlog(&mut queues, 20, packet(1, 500));
    assert_eq!(served(&mut queues, 12), [1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1]);
}

/// A sparse flow waits for one packet on the line at most, every time that it comes: emptied,
/// it goes to the end of the old ones, and leaves them at its turn there.
#[test]
fn a_sparse_flow_is_new_again_after_a_round() {
    let mut queues = queues(3);
    for _ in 0..20 {
        queues.push(packet(0, 1500));
        queues.push(packet(1, 1500));
    }
    served(&mut queues, 4);
    for _ in 0..3 {
        queues.push(packet(2, 100));
        assert_eq!(served(&mut queues, 1), [2]);
        // It is empty and moves behind both; only after their turns does it leave the lists.
        served(&mut queues, 1);
        assert_ne!(queues.queues[2].list, List::None);
        served(&mut queues, 2);
        assert_eq!(queues.queues[2].list, List::None);
    }
}

/// One that comes back before the round is over has no more than its share (section 4.2: the
/// move to the old queues keeps it from being new all the time).
#[test]
fn an_emptied_new_queue_is_old() {
    let mut queues = queues(2);
    backlog(&mut queues, 20, packet(0, 1500));
    served(&mut queues, 2);
    let mut order = Vec::new();
    for _ in 0..4 {
        queues.push(packet(1, 1500));
        order.extend(served(&mut queues, 2));
    }
    assert_eq!(order.iter().filter(|slot| **slot == 1).count(), 4, "{order:?}");
    assert_eq!(order[..4], [1, 0, 1, 0], "{order:?}");
}

/// 40 of 1000 bytes are more than 30 of 1200: half of the 40000 bytes go, from the head.
#[test]
fn an_overflow_takes_half_of_the_longest_queue_in_bytes() {
    let mut queues = queues(2);
    for number in 0..40 {
        let mut first = packet(0, 1000);
        first.cell.head = crate::pdu::CellHead::body(0, number);
        queues.push(first);
    }
    backlog(&mut queues, 30, packet(1, 1200));
    let dropped = queues.drop_from_longest();
    assert!(dropped.iter().all(|packet| packet.slot == 0));
    let numbers: Vec<u32> = dropped.iter().map(|packet| packet.cell.head.tag()).collect();
    assert_eq!(numbers, (0..20).collect::<Vec<u32>>());
    // Now flow 1 has 36000 bytes.
    assert_eq!(queues.drop_from_longest().len(), 15);
    assert_eq!(queues.waiting().len(), 35);
    queues.drop_batch = 4;
    assert_eq!(queues.drop_from_longest().len(), 4);
}

/// The line was free and nothing waited: all queues have left the lists, and a flow that was
/// served last is new.
#[test]
fn an_idle_line_forgets() {
    let mut queues = queues(2);
    backlog(&mut queues, 2, packet(0, 1500));
    served(&mut queues, 2);
    queues.pass(packet(1, 40));
    queues.push(packet(0, 1500));
    queues.push(packet(1, 1500));
    assert_eq!(queues.queues[0].credit, 1500);
    assert_eq!(queues.queues[1].credit, 1460);
    assert_eq!(served(&mut queues, 2), [1, 0]);
}

/// Three hundred flows of few hosts, which come and go: the order of service is the same whether
/// old queues have turns in blocks or one by one.
#[test]
fn turns_in_blocks_keep_the_order() {
    let hosts = |slot: u32| [u32::from(slot >= 270), 2 + slot % 4];
    for counts in [[true, false], [false, true], [true, true]] {
        let shares = || HostShares::new(counts, (0..300).map(hosts).collect());
        let [mut blocks, mut single] =
            [(); 2].map(|()| FlowQueues::new(FlowHash::each(), 300, 300, 1));
        blocks.set_hosts(shares());
        single.set_hosts(shares().with_single_turns());
        let mut stream = Stream::new(1, "flows");
        let mut longest = 0;
        for round in 0..40 {
            for _ in 0..1500 {
                // Every fifth round empties the queues; an idle line passes packets on.
                let is_idle = round % 5 == 4;
                if stream.unit() < if is_idle { 0.05 } else { 0.6 } {
                    let [slot, bytes] = [300.0, 1460.0].map(|below| below * stream.unit());
                    let waiting = packet(slot as u32, 40 + bytes as u16);
                    for queues in [&mut blocks, &mut single] {
                        if is_idle && queues.is_empty() {
                            queues.pass(waiting);
                        } else {
                            queues.push(waiting);
                        }
                    }
                    longest = longest.max(blocks.waiting);
                } else {
                    let next = |queues: &mut FlowQueues| queues.pop().map(|it| (it.slot, it.bytes));
                    assert_eq!(next(&mut blocks), next(&mut single), "{counts:?} {round}");
                }
            }
        }
        assert!(longest > 1000, "{longest}");
    }
}

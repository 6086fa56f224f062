//! Bytes on the line by hand, and shares of tins, hosts and flows from packets taken out in turn.

use super::super::host_shares::HostShares;
use super::*;
use crate::pdu::Cell;
use crate::switch::drop::FlowHash;

/// Bytes of a packet on a line of ADSL with 44 B (RFC 2684 bridged, with Ethernet header and FCS,
/// and the AAL5 trailer): 1500 + 44 = 1544 are 33 cells; 40 + 44 = 84 two; 52 + 44 = 96 just two;
/// 53 + 44 = 97 three.
#[test]
fn cells_are_counted_to_the_byte() {
    let atm = Compensation { overhead: 44, least: 0, framing: FramingPlan::Atm };
    let table = [(1500, 33), (1492, 32), (576, 13), (53, 3), (52, 2), (40, 2)];
    for (ip, cells) in table {
        assert_eq!(atm.bytes_on_line(ip), 53 * cells, "{ip}");
    }
    // PPPoA with VC multiplexing adds 10 B: 1478 + 10 = 1488 are 31 cells, a byte more 32.
    let pppoa = Compensation { overhead: 10, least: 0, framing: FramingPlan::Atm };
    assert_eq!([1478, 1479].map(|ip| pppoa.bytes_on_line(ip)), [53 * 31, 53 * 32]);
}

/// A byte for each 64 or part of them, on VDSL2 with 30 B: 1500 + 30 = 1530 and 24, 40 + 30 = 70
/// and 2, 34 + 30 = 64 and 1.
#[test]
fn ptm_is_counted_to_the_byte() {
    let ptm = Compensation { overhead: 30, least: 0, framing: FramingPlan::Ptm };
    let table = [(1500, 1554), (40, 72), (35, 67), (34, 65)];
    for (ip, bytes) in table {
        assert_eq!(ptm.bytes_on_line(ip), bytes, "{ip}");
    }
}

/// Ethernet with 18 B of header and check sequence has frames of at least 64 B.
#[test]
fn small_packets_are_padded() {
    let plain = Compensation { overhead: 18, least: 64, framing: FramingPlan::None };
    assert_eq!([40, 46, 47, 1500].map(|ip| plain.bytes_on_line(ip)), [64, 64, 65, 1518]);
}

const RATE: u64 = 12_000_000;

fn shaper(overhead: u64, framing: FramingPlan) -> Shaper {
    let compensation = Compensation { overhead, least: 0, framing };
    Shaper::Rate(Rate::from_bits_per_second(RATE), compensation)
}

fn plain() -> Shaper {
    shaper(0, FramingPlan::None)
}

fn packet(slot: u32, at: Time) -> Waiting {
    sized(slot, at, 1500)
}

fn sized(slot: u32, at: Time, bytes: u16) -> Waiting {
    let cell = Cell { at, ..Cell::default() };
    Waiting { cell, slot, bytes, keyed: 0 }
}

/// Tins of these divisors, with a flow in each.
fn tins(divisors: &[i64]) -> CakeQueues {
    let slots = divisors.len() as u32;
    let tin = |&divisor| Tin::new(FlowQueues::new(FlowHash::each(), slots, 1500, 1), divisor);
    CakeQueues::new(plain(), divisors.iter().map(tin).collect(), (0..slots as u8).collect())
}

/// Takes packets out at the instants that the shaper lets, while each of these slots has some
/// waiting. Returns how many of each slot were sent.
fn served(queues: &mut CakeQueues, slots: &[u32], count: usize) -> Vec<usize> {
    let of_slots: Vec<(u32, u16)> = slots.iter().map(|slot| (*slot, 1500)).collect();
    served_of_sizes(queues, &of_slots, count)
}

/// The same with packets of so many bytes of each slot.
fn served_of_sizes(queues: &mut CakeQueues, slots: &[(u32, u16)], count: usize) -> Vec<usize> {
    let mut now = queues.gate();
    let mut sent = vec![0; queues.tin_of_slot.len()];
    for &(slot, bytes) in slots {
        for _ in 0..3 {
            queues.push(sized(slot, now, bytes));
        }
    }
    for _ in 0..count {
        queues.set_clock(now);
        let first = queues.pop().expect("packets wait");
        sent[first.slot as usize] += 1;
        queues.push(sized(first.slot, now, first.bytes));
        now = queues.gate();
    }
    sent
}

/// 1 ms for a packet of 1500 B at 12 Mbit/s, from the instant at which one comes to an empty port.
#[test]
fn packets_begin_at_the_shaped_rate() {
    let mut queues = tins(&[1]);
    let at = |milliseconds| Time::ZERO + Span::from_milliseconds(milliseconds);
    queues.pass(packet(0, at(5)));
    assert_eq!(queues.gate(), at(6));
    queues.push(packet(0, at(5)));
    queues.set_clock(at(6));
    queues.pop();
    assert_eq!(queues.gate(), at(7));
    // The clock of an idle port is set to the arrival.
    queues.push(packet(0, at(50)));
    assert_eq!(queues.gate(), at(50));
    // A discarded packet takes no time.
    queues.discard_first();
    assert_eq!(queues.gate(), at(50));
}

/// With packets in all tins of diffserv4: voice has a quarter, video a half, bulk a sixteenth, and
/// best effort the other three sixteenths.
#[test]
fn tins_have_their_parts_under_load() {
    let sent = served(&mut tins(&[1, 16, 2, 4]), &[0, 1, 2, 3], 16_000);
    for (sent, expected) in sent.iter().zip([3000_usize, 1000, 8000, 4000]) {
        assert!(sent.abs_diff(expected) <= 20, "{sent} {expected}");
    }
}

/// Parts of idle tins go to the others. Bulk and voice, with parts of 1/16 and 1/4, are both ahead:
/// at 1/16 a packet puts the clock 16 packets ahead, at 1/4 four. Voice is served while it is not
/// further ahead than bulk, for 16 − 4 + 1 packets: voice has 13 packets for one of bulk.
#[test]
fn parts_of_idle_tins_go_to_the_least_ahead() {
    assert_eq!(served(&mut tins(&[1, 16, 4]), &[1], 1000), [0, 1000, 0]);
    let sent = served(&mut tins(&[1, 16, 4]), &[0, 2], 1000);
    assert!(sent[2].abs_diff(250) <= 5 && sent[0].abs_diff(750) <= 5, "{sent:?}");
    for [bulk, voice] in [[16, 4], [16, 2], [8, 4]] {
        let of_voice = (bulk - voice + 1) as usize;
        let sent = served(&mut tins(&[1, bulk, voice]), &[1, 2], 100 * (of_voice + 1));
        assert!(sent[0] == 0 && sent[1].abs_diff(100) <= 1, "{bulk} {voice} {sent:?}");
    }
}

/// The clock of a tin that was empty is set to the arrival: voice, after best effort alone, has a
/// quarter from its first packet on, and not more.
#[test]
fn the_clock_of_an_idle_tin_does_not_lag() {
    let mut queues = tins(&[1, 4]);
    served(&mut queues, &[0], 1000);
    let sent = served(&mut queues, &[1], 400);
    assert!(sent[1].abs_diff(100) <= 3, "{sent:?}");
}

/// The clock of a tin is ahead by one packet at most: bulk, after it had the whole line, has a
/// sixteenth at once when packets of best effort come.
#[test]
fn the_clock_of_a_tin_is_one_packet_ahead_at_most() {
    let mut queues = tins(&[1, 16]);
    served(&mut queues, &[1], 1000);
    let sent = served(&mut queues, &[0], 1600);
    assert!(sent[1].abs_diff(100) <= 3, "{sent:?}");
}

/// A flow's turn is paid in bytes behind the shaper: on ATM with 44 B, 1500 B are 33 cells and 40 B
/// two, and two flows of such packets have the line for equal times.
#[test]
fn flows_share_the_time_of_the_line() {
    let queues = FlowQueues::new(FlowHash::each(), 2, 300, 1);
    let tins = vec![Tin::new(queues, 1)];
    let mut queues = CakeQueues::new(shaper(44, FramingPlan::Atm), tins, vec![0; 2]);
    let sent = served_of_sizes(&mut queues, &[(0, 1500), (1, 40)], 35_000);
    assert!((33 * sent[0]).abs_diff(2 * sent[1]) <= 66, "{sent:?}");
}

/// One tin with these hosts of its slots.
fn hosts(counts: [bool; 2], hosts: &[[u32; 2]]) -> CakeQueues {
    hosts_with_quantum(counts, hosts, 1500)
}

fn hosts_with_quantum(counts: [bool; 2], hosts: &[[u32; 2]], quantum: u64) -> CakeQueues {
    let slots = hosts.len() as u32;
    let mut queues = FlowQueues::new(FlowHash::each(), slots, quantum, 1);
    queues.set_hosts(HostShares::new(counts, hosts.to_vec()));
    CakeQueues::new(plain(), vec![Tin::new(queues, 1)], vec![0; hosts.len()])
}

/// One flow of a host has as much as three of another, whichever end is counted.
#[test]
fn hosts_have_equal_parts() {
    let of_source = [[0, 9], [1, 9], [1, 9], [1, 9]];
    let of_destination = of_source.map(|[source, destination]| [destination, source]);
    let all = [0, 1, 2, 3];
    for (counts, of_slot) in [([true, false], of_source), ([false, true], of_destination)] {
        let sent = served(&mut hosts(counts, &of_slot), &all, 6000);
        assert!(sent[0].abs_diff(3000) <= 10 && sent[2].abs_diff(1000) <= 10, "{sent:?}");
        // The other end is one host: flows are equal.
        let sent = served(&mut hosts([counts[1], counts[0]], &of_slot), &all, 6000);
        assert!(sent[0].abs_diff(1500) <= 10, "{sent:?}");
    }
}

/// 101 and 155 flows of a host have as much as one of another, with a quantum of 300 B, of which
/// such flows have 2.97 and 1.94 B.
#[test]
fn many_flows_of_a_host_have_its_half() {
    for flows in [101, 155, 400] {
        let of_slot: Vec<[u32; 2]> = (0..=flows).map(|slot| [u32::from(slot == 0), 9]).collect();
        let all: Vec<u32> = (0..=flows).collect();
        let mut queues = hosts_with_quantum([true, false], &of_slot, 300);
        let sent = served(&mut queues, &all, 20_000);
        assert!(sent[0].abs_diff(10_000) <= 200, "{flows} {}", sent[0]);
    }
}

/// Triple: a flow is divided by the busier of its two hosts. Host 0 sends to 10, 11 and 12, host 1
/// to 13: of 13's flow the divisor is one, of the others three, at their source.
#[test]
fn the_busier_end_divides() {
    let of_slot = [[0, 10], [0, 11], [0, 12], [1, 13]];
    let sent = served(&mut hosts([true, true], &of_slot), &[0, 1, 2, 3], 6000);
    assert!(sent[3].abs_diff(3000) <= 10 && sent[0].abs_diff(1000) <= 10, "{sent:?}");
}

/// Empty flows do not count: host 1 has one flow again.
#[test]
fn idle_flows_divide_nothing() {
    let of_slot = [[0, 9], [1, 9], [1, 9], [1, 9]];
    let mut queues = hosts([true, false], &of_slot);
    for slot in 0..4 {
        for _ in 0..3 {
            queues.push(packet(slot, Time::ZERO));
        }
    }
    while queues.pop().is_some() {}
    let sent = served(&mut queues, &[0, 1], 1000);
    assert!(sent[0].abs_diff(500) <= 5, "{sent:?}");
}

//! Schedulers between a queue for low latency and a classic one (RFC 9332: De Schepper, Briscoe,
//! White, 2023, appendix A.1).
//!
//! `weighted`: while packets wait in both, the classic queue has one of so many bytes. A counter
//! has a byte for each that the queue for low latency sends then, and loses all but one of so many
//! for each of the classic one, which is next if the counter is above zero. `time_shifted`: the
//! packet that has waited longest is next, with `time_shifted` added to waits for low latency.
//! Equal case: the queue for low latency. Decided here: the counter stands still while one queue is
//! empty, as in Linux, which also sets it back when both are. The RFC advises 50 ms for
//! `time_shifted` in the Internet, and four times the target in networks of shorter paths.

use super::l4s_queues::First;
use crate::language::part::prelude::*;
use crate::units::Span;

variants! {
    /// `drop.dual_pi2.scheduler`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TwoQueuesPlan {
        /// The classic queue has one of so many bytes while packets wait in both.
        Weighted(u32) = "weighted" value("16") as Kind::Integer { min: 2, max: 10_000 },
        /// First in, first out, as if packets for low latency had come so much earlier.
        TimeShifted(Span) = "time_shifted" value("\"50 ms\"") as ANY_TIME,
    }
}

impl TwoQueuesPlan {
    /// Makes the scheduler, with nothing sent yet.
    pub(in crate::switch) fn build(self) -> TwoQueues {
        TwoQueues { plan: self, counter: 0 }
    }
}

/// Index of the queue for low latency.
pub(in crate::switch) const LOW_LATENCY: usize = 0;

/// Index of the classic queue.
pub(in crate::switch) const CLASSIC: usize = 1;

/// A scheduler between two queues, at least one of which has packets.
#[derive(Debug)]
pub(in crate::switch) struct TwoQueues {
    plan: TwoQueuesPlan,
    /// Bytes for low latency that were sent before the turn of the classic queue, minus those that
    /// it has used up.
    counter: i64,
}

impl TwoQueues {
    /// Index of the queue that is served next.
    pub(super) fn next(&self, firsts: &[Option<First>; 2]) -> usize {
        let [Some(low_latency), Some(classic)] = firsts else {
            return if firsts[LOW_LATENCY].is_some() { LOW_LATENCY } else { CLASSIC };
        };
        let is_turn_of_classic = match self.plan {
            TwoQueuesPlan::Weighted(_) => self.counter > 0,
            TwoQueuesPlan::TimeShifted(shift) => low_latency.arrival - classic.arrival > shift,
        };
        if is_turn_of_classic { CLASSIC } else { LOW_LATENCY }
    }

    /// Takes note that the first packet of a queue is sent, with the queues as they were before.
    pub(super) fn on_sent(&mut self, queue: usize, firsts: &[Option<First>; 2]) {
        let (TwoQueuesPlan::Weighted(one_in), [Some(low_latency), Some(classic)]) =
            (self.plan, firsts)
        else {
            return;
        };
        self.counter += match queue {
            LOW_LATENCY => i64::from(low_latency.bytes),
            _ => -(i64::from(one_in) - 1) * i64::from(classic.bytes),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::Waiting;
    use super::super::l4s_queues::L4sQueues;
    use super::*;
    use crate::pdu::{Cell, CellHead, Ecn};
    use crate::units::Time;

    fn queues(plan: TwoQueuesPlan) -> L4sQueues {
        L4sQueues::new(plan.build())
    }

    /// A packet of flow 0, which is for low latency, or of another one.
    fn packet(slot: u32, bytes: u16, milliseconds: i64) -> Waiting {
        let at = Time::ZERO + Span::from_milliseconds(milliseconds);
        let ecn = if slot == 0 { Ecn::L4s } else { Ecn::Capable };
        let cell = Cell { at, head: CellHead::end_of_frame(slot, 0).with_ecn(ecn) };
        Waiting { cell, slot, bytes, keyed: 0 }
    }

    fn backlog(queues: &mut L4sQueues, packets: usize, packet: Waiting) {
        for _ in 0..packets {
            queues.push(packet);
        }
    }

    fn served(queues: &mut L4sQueues, packets: usize) -> Vec<u32> {
        (0..packets).filter_map(|_| queues.pop()).map(|packet| packet.slot).collect()
    }

    /// Of 1600 packets of one size, 100 are classic, one in each 16; of packets of a third of the
    /// size one in each six.
    #[test]
    fn the_classic_queue_has_its_part_of_the_bytes() {
        for (classic_bytes, expected) in [(1500, 100), (500, 267)] {
            let mut queues = queues(TwoQueuesPlan::Weighted(16));
            backlog(&mut queues, 1600, packet(0, 1500, 0));
            backlog(&mut queues, 1600, packet(1, classic_bytes, 0));
            let order = served(&mut queues, 1600);
            let classic = order.iter().filter(|slot| **slot == 1).count();
            assert!(classic.abs_diff(expected) <= 1, "{classic}");
            let bytes = classic * usize::from(classic_bytes);
            let part = bytes as f64 / (bytes + 1500 * (1600 - classic)) as f64;
            assert!((part - 1.0 / 16.0).abs() < 1e-3, "{part}");
        }
    }

    /// Without packets for low latency the classic queue has the line, and owes nothing for it.
    #[test]
    fn a_queue_alone_has_the_line() {
        let mut queues = queues(TwoQueuesPlan::Weighted(16));
        backlog(&mut queues, 50, packet(1, 1500, 0));
        assert_eq!(served(&mut queues, 40), [1; 40]);
        backlog(&mut queues, 40, packet(0, 1500, 0));
        let order = served(&mut queues, 17);
        assert_eq!(order[..3], [0, 1, 0]);
        assert_eq!(order.iter().filter(|slot| **slot == 1).count(), 1);
    }

    /// With 30 ms: a packet of the 40th millisecond is behind classic ones up to the 9th, and
    /// before that of the 10th.
    #[test]
    fn waits_are_compared_with_a_head_start() {
        let mut queues = queues(TwoQueuesPlan::TimeShifted(Span::from_milliseconds(30)));
        for at in 8..12 {
            queues.push(packet(1, 1500, at));
        }
        queues.push(packet(0, 1500, 40));
        assert_eq!(served(&mut queues, 9), [1, 1, 0, 1, 1]);
    }

    #[test]
    fn packets_and_bytes_are_kept_by_queue() {
        let mut queues = queues(TwoQueuesPlan::Weighted(16));
        backlog(&mut queues, 3, packet(0, 1000, 0));
        queues.push(packet(1, 700, 0));
        assert_eq!(queues.queue_and_backlog(&packet(0, 1000, 0)), (0, 2000));
        assert_eq!(queues.queue_and_backlog(&packet(1, 700, 0)), (1, 0));
        queues.discard_first();
        assert_eq!(queues.queue_and_backlog(&packet(0, 1000, 0)), (0, 1000));
        assert_eq!(queues.waiting().len(), 3);
        // A discarded packet was no turn.
        assert_eq!(served(&mut queues, 9), [0, 1, 0]);
        assert!(queues.is_empty() && queues.first().is_none());
    }
}

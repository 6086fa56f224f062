//! Queues of packets with a key, within those of a scheduler by flow.
//!
//! A packet without a key waits in the queue of its flow of the scenario. One with a key waits in
//! that of flow *and* key: packets of two flows never have a queue in common because of their keys.
//! The pairs are numbered from one as they come; beyond 65 535 a pair shares the number of an
//! earlier one.

use std::collections::BTreeMap;

/// Numbers of pairs of slot and key, and the queue of each.
#[derive(Debug, Default)]
pub(super) struct Keyed {
    numbers: BTreeMap<(u32, u32), u16>,
    /// Index of the queue of each number, from one.
    queues: Vec<u32>,
}

impl Keyed {
    /// Number of a pair; `queue` makes the index of the queue of a new one.
    pub(super) fn number(&mut self, slot: u32, key: u32, queue: impl FnOnce() -> u32) -> u16 {
        if let Some(number) = self.numbers.get(&(slot, key)) {
            return *number;
        }
        let Some(number) = u16::try_from(self.queues.len() + 1).ok() else {
            return (key % u32::from(u16::MAX)) as u16 + 1;
        };
        self.numbers.insert((slot, key), number);
        self.queues.push(queue());
        number
    }

    /// Index of the queue of a number that is not zero.
    pub(super) fn queue(&self, number: u16) -> u32 {
        self.queues[usize::from(number) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_queues_of_their_own_until_the_numbers_are_used_up() {
        let mut keyed = Keyed::default();
        assert_eq!([keyed.number(0, 7, || 20), keyed.number(1, 7, || 30)], [1, 2]);
        assert_eq!(keyed.number(0, 7, || unreachable!("it is known")), 1);
        assert_eq!([keyed.queue(1), keyed.queue(2)], [20, 30]);
        for key in 3..=u32::from(u16::MAX) {
            keyed.number(2, key, || key);
        }
        let last = u16::MAX;
        assert_eq!(keyed.queue(last), u32::from(last));
        let shared = keyed.number(3, 5 + u32::from(u16::MAX), || unreachable!("none is left"));
        assert_eq!(shared, 6);
    }
}

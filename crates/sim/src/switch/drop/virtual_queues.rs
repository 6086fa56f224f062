//! Virtual queues: the queue that each VC would have if a round robin served them, while one queue
//! serves all (Siu, Wu, Ren: "Virtual queuing techniques for UBR+ service in ATM with fair access
//! and minimum bandwidth guarantee", Globecom 1997).
//!
//! A cell that is admitted joins the virtual queue of its VC. Whenever a cell of any VC leaves, the
//! next virtual queue in turn that is not empty loses one. So all virtual queues together always
//! hold as many cells as the real one.

/// Lengths by slot, and the slot whose turn is next.
#[derive(Clone, Debug)]
pub(super) struct VirtualQueues {
    lengths: Vec<u64>,
    /// Bits of the queues that are not empty, so that the turn passes over sixty-four empty ones at
    /// once.
    backlogged: Vec<u64>,
    total: u64,
    next: usize,
}

impl VirtualQueues {
    /// Makes empty queues of `vcs` virtual circuits.
    pub(super) fn new(vcs: usize) -> Self {
        Self { lengths: vec![0; vcs], backlogged: vec![0; vcs.div_ceil(64)], total: 0, next: 0 }
    }

    /// Length of the queue of the VC at `slot`.
    #[inline]
    pub(super) fn of(&self, slot: u32) -> u64 {
        self.lengths[slot as usize]
    }

    /// Sum of all lengths.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Lengths of the queues that are not empty.
    pub(super) fn backlogged(&self) -> impl Iterator<Item = u64> + '_ {
        self.lengths.iter().copied().filter(|&length| length > 0)
    }

    /// A cell of the VC at `slot` is admitted.
    #[inline]
    pub(super) fn admit(&mut self, slot: u32) {
        let slot = slot as usize;
        self.lengths[slot] += 1;
        self.backlogged[slot / 64] |= 1 << (slot % 64);
        self.total += 1;
    }

    /// A cell leaves the real queue.
    #[inline]
    pub(super) fn serve(&mut self) {
        let turn = self.first_backlogged(self.next).or_else(|| self.first_backlogged(0));
        let turn = turn.expect("virtual queues hold as many cells as the real one");
        self.lengths[turn] -= 1;
        if self.lengths[turn] == 0 {
            self.backlogged[turn / 64] &= !(1 << (turn % 64));
        }
        self.total -= 1;
        self.next = turn + 1;
    }

    /// First slot with a queue that is not empty, at `from` or after it.
    #[inline]
    fn first_backlogged(&self, from: usize) -> Option<usize> {
        let word = from / 64;
        let rest = self.backlogged.get(word)? & (u64::MAX << (from % 64));
        if rest != 0 {
            return Some(64 * word + rest.trailing_zeros() as usize);
        }
        let (place, later) =
            (word + 1..).zip(&self.backlogged[word + 1..]).find(|(_, word)| **word != 0)?;
        Some(64 * place + later.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_goes_round_whoever_really_leaves() {
        let mut queues = VirtualQueues::new(3);
        for slot in [0, 0, 0, 2, 2] {
            queues.admit(slot);
        }
        let mut seen = Vec::new();
        for _ in 0..5 {
            queues.serve();
            seen.push((queues.of(0), queues.of(1), queues.of(2)));
        }
        assert_eq!(seen, [(2, 0, 2), (2, 0, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0)]);
    }

    /// Sixty-four bits to a word: the turn must pass from word to word and round the end.
    #[test]
    fn the_turn_passes_over_any_number_of_empty_ones() {
        for vcs in [1, 63, 64, 65, 128, 200] {
            let last = vcs as u32 - 1;
            let mut queues = VirtualQueues::new(vcs);
            for slot in [0, last, last] {
                queues.admit(slot);
            }
            queues.serve();
            assert_eq!(queues.of(0), if last == 0 { 2 } else { 0 });
            queues.serve();
            assert_eq!((queues.of(last), queues.total()), (1, 1));
            queues.serve();
            assert_eq!((queues.of(last), queues.backlogged().count()), (0, 0));
        }
    }
}

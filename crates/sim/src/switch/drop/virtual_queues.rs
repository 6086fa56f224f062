//! What the queue of each VC would be if a round robin served them, while one queue serves all
//! (Siu, Wu, Ren: "Virtual queuing techniques for UBR+ service in ATM with fair access and minimum
//! bandwidth guarantee", Globecom 1997).
//!
//! A cell that is admitted joins the virtual queue of its VC; whenever a cell leaves, whose ever it
//! is, the next virtual queue in turn that is not empty gives one up. So all virtual queues
//! together always hold what the real one does.

/// Lengths by slot, and whose turn it is.
#[derive(Clone, Debug)]
pub(super) struct VirtualQueues {
    lengths: Vec<u64>,
    /// A bit for each that is not empty, so that the turn passes over sixty-four empty ones at
    /// once.
    backlogged: Vec<u64>,
    total: u64,
    next: usize,
}

impl VirtualQueues {
    /// Empty ones of `vcs` virtual circuits.
    pub(super) fn new(vcs: usize) -> Self {
        Self { lengths: vec![0; vcs], backlogged: vec![0; vcs.div_ceil(64)], total: 0, next: 0 }
    }

    /// That of the VC at `slot`.
    #[inline]
    pub(super) fn of(&self, slot: u32) -> u64 {
        self.lengths[slot as usize]
    }

    /// All together.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Those that are not empty.
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

    /// The first at `from` or after it.
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

    /// Sixty-four to a word of the bits: the turn must find its way over the seams and round the
    /// end.
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

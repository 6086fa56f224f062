//! What the queue of each VC would be if a round robin served them, while one queue serves all (Siu, Wu, Ren: "Virtual
//! queuing techniques for UBR+ service in ATM with fair access and minimum bandwidth guarantee", Globecom 1997).
//!
//! A cell that is admitted joins the virtual queue of its VC; whenever a cell leaves, whose ever it is, the next virtual
//! queue in turn that is not empty gives one up. So all virtual queues together always hold what the real one does.

/// Lengths by slot, and whose turn it is.
#[derive(Clone, Debug)]
pub(super) struct VirtualQueues {
    lengths: Vec<u64>,
    next: usize,
}

impl VirtualQueues {
    /// Empty ones of `vcs` virtual circuits.
    pub(super) fn new(vcs: usize) -> Self {
        Self { lengths: vec![0; vcs], next: 0 }
    }

    /// That of the VC at `slot`.
    #[inline]
    pub(super) fn of(&self, slot: u32) -> u64 {
        self.lengths[slot as usize]
    }

    /// Those that are not empty.
    pub(super) fn backlogged(&self) -> impl Iterator<Item = u64> + '_ {
        self.lengths.iter().copied().filter(|&length| length > 0)
    }

    /// A cell of the VC at `slot` is admitted.
    #[inline]
    pub(super) fn admit(&mut self, slot: u32) {
        self.lengths[slot as usize] += 1;
    }

    /// A cell leaves the real queue.
    #[inline]
    pub(super) fn serve(&mut self) {
        let after = &self.lengths[self.next..];
        let turn = after.iter().position(|&length| length > 0).map_or_else(
            || self.lengths.iter().position(|&length| length > 0),
            |place| Some(self.next + place),
        );
        let turn = turn.expect("virtual queues hold as many cells as the real one");
        self.lengths[turn] -= 1;
        self.next = turn + 1;
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
}

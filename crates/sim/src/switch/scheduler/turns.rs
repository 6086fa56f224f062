//! Old queues of hosts with many busy flows, in blocks whose queues have their turns at once.
//!
//! If a thousand flows of a host share its quantum, a queue needs a thousand and more turns for
//! the bytes of one packet, and in most of them it gets its part and goes to the end. Neither
//! changes what another one gets. So queues that follow each other are kept in blocks: as long as
//! no queue of a block has credit, and one host divides the quantum of all of them, a turn of the
//! block is one addition. The order of service is that of single turns.

use std::collections::VecDeque;

/// Old queues before the first block: up to here queues have single turns.
const FIRST: usize = 64;
/// Most queues of a block.
const LARGEST: usize = 64;
/// Credit of a byte. A queue with less is not served.
const BYTE: i64 = 1 << 16;

/// Host that divides the quantum of a queue: false for a source and true for a destination, and its
/// number.
pub(super) type Divider = (bool, u32);

/// Blocks, in the order of their turns.
#[derive(Debug)]
pub(super) struct Turns {
    blocks: VecDeque<Block>,
    /// Old queues that have single turns, at most.
    single: usize,
}

/// Queues that follow each other.
#[derive(Debug)]
struct Block {
    /// Queues with their credit as they joined, less `added`; in 1/65536 bytes.
    queues: Vec<(u32, i64)>,
    /// The host that divides for all of them, if it is one.
    divider: Option<Divider>,
    /// Credit that each queue has had in turns of the block.
    added: i64,
    /// The largest credit among `queues`.
    most: i64,
}

impl Default for Turns {
    fn default() -> Self {
        Self { blocks: VecDeque::new(), single: FIRST }
    }
}

impl Turns {
    /// Lets every queue have single turns.
    #[cfg(test)]
    pub(super) fn all_single() -> Self {
        Self { single: usize::MAX, ..Self::default() }
    }

    /// True if one more queue goes into a block, where so many others have single turns.
    pub(super) fn takes(&self, single: usize) -> bool {
        !self.blocks.is_empty() || single >= self.single
    }

    /// Puts a queue with this credit at the end.
    pub(super) fn push(&mut self, queue: u32, credit: i64, divider: Divider) {
        if self.blocks.back().is_none_or(|last| last.queues.len() >= LARGEST) {
            let (divider, queues) = (Some(divider), Vec::with_capacity(LARGEST));
            self.blocks.push_back(Block { queues, divider, added: 0, most: i64::MIN });
        }
        if let Some(last) = self.blocks.back_mut() {
            last.push(queue, credit, Some(divider));
        }
    }

    /// Gives blocks their turns up to the first that has a queue with credit, or that no host
    /// divides alone, and removes that one. `part` is what a queue gets, if it is the same for all
    /// with this divider.
    pub(super) fn next(
        &mut self,
        part: impl Fn(Divider) -> Option<i64>,
    ) -> Option<impl Iterator<Item = (u32, i64)>> {
        while let Some(first) = self.blocks.front_mut() {
            let has_credit = first.most + first.added >= BYTE;
            let Some(part) = first.divider.filter(|_| !has_credit).and_then(&part) else { break };
            first.added += part;
            self.turn();
        }
        self.pop()
    }

    /// Removes the first block; returns its queues with their credits.
    pub(super) fn pop(&mut self) -> Option<impl Iterator<Item = (u32, i64)>> {
        let Block { queues, added, .. } = self.blocks.pop_front()?;
        Some(queues.into_iter().map(move |(queue, credit)| (queue, credit + added)))
    }

    /// Moves the first block to the end, into the last one if both are small.
    fn turn(&mut self) {
        let Some(first) = self.blocks.pop_front() else { return };
        let joins = |last: &Block| {
            last.queues.len() + first.queues.len() <= LARGEST && last.divider == first.divider
        };
        let Some(last) = self.blocks.back_mut().filter(|last| joins(last)) else {
            return self.blocks.push_back(first);
        };
        for &(queue, credit) in &first.queues {
            last.push(queue, credit + first.added, first.divider);
        }
    }
}

impl Block {
    fn push(&mut self, queue: u32, credit: i64, divider: Option<Divider>) {
        let credit = credit - self.added;
        self.divider = self.divider.filter(|_| self.divider == divider);
        self.most = self.most.max(credit);
        self.queues.push((queue, credit));
    }
}

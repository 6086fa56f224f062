//! The longest of many queues.
//!
//! Queues are in blocks, each with the size of its longest one. A queue that changes only makes its
//! block due, and an overflow looks through the blocks that are: a scheduler whose buffer never
//! overflows pays for a note, and one that always does for few queues.

/// Queues of a block.
const BLOCK: usize = 32;

/// Sizes of the longest queues, by block.
#[derive(Clone, Debug, Default)]
pub(super) struct Longest {
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    /// Size of its longest queue, as of the last search.
    most: u64,
    /// True if a queue has changed since.
    is_due: bool,
}

impl Longest {
    /// Notes that a queue has changed.
    #[inline]
    pub(super) fn note(&mut self, queue: u32) {
        if let Some(block) = self.blocks.get_mut(queue as usize / BLOCK) {
            block.is_due = true;
        }
    }

    /// Index and size of the longest of so many queues; of equal ones the first.
    pub(super) fn find(&mut self, queues: usize, size: impl Fn(usize) -> u64) -> (u32, u64) {
        self.blocks.resize(queues.div_ceil(BLOCK), Block { most: 0, is_due: true });
        let sizes = |block: usize| {
            let last = queues.min((block + 1) * BLOCK);
            (block * BLOCK..last).map(|index| (index, size(index)))
        };
        let mut longest = (0, 0);
        for (number, block) in self.blocks.iter_mut().enumerate() {
            if std::mem::take(&mut block.is_due) {
                block.most = sizes(number).map(|(_, size)| size).max().unwrap_or(0);
            }
            if block.most > longest.1 {
                longest = (number, block.most);
            }
        }
        let (block, most) = longest;
        let first = sizes(block).find(|(_, size)| *size == most);
        (first.map_or(0, |(index, _)| index as u32), most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;

    /// Sizes of up to 200 queues that change at random, with many equal ones, and new queues among
    /// them: the longest is that of a search through all of them.
    #[test]
    fn the_longest_is_that_of_a_search_through_all() {
        let mut random = Stream::new(1, "longest");
        let mut longest = Longest::default();
        let mut sizes = vec![0_u64; 40];
        for step in 0..20_000 {
            if step % 100 == 99 && sizes.len() < 200 {
                sizes.push(7);
                longest.note(sizes.len() as u32 - 1);
            }
            let queue = (random.unit() * sizes.len() as f64) as usize;
            sizes[queue] = (random.unit() * 9.0) as u64;
            longest.note(queue as u32);
            if step % 3 == 0 {
                let most = *sizes.iter().max().expect("there are queues");
                let first = sizes.iter().position(|size| *size == most);
                let found = longest.find(sizes.len(), |index| sizes[index]);
                assert_eq!((Some(found.0 as usize), found.1), (first, most), "{step}");
            }
        }
    }
}

//! `full` of Netspec: consecutive blocks, each written as soon as the write of the previous one has
//! returned, for a time or a number of blocks.
//!
//! It writes like ttcp, but is bounded by time, and counts blocks. The send buffer is therefore
//! always full: a block enters `tcp.send_buffer` byte by byte. Without that limit a block counts as
//! written when its last byte has been sent. When the time is over, the block that has begun is
//! still written.
//!
//! Source: the page *full blast* of the Netspec manual (University of Kansas).

use super::application::{Application, BlockCounters, Offer, Writes};
use super::size::{Size, WRITE_SIZE};
use super::source::Site;
use super::transfer::Transfer;
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Bytes, Span, Time};

/// Limit of the number of blocks, which are counted one by one.
pub const MAX_REPEATS: u64 = 1_000_000;

part! {
    /// Parameters of consecutive blocks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FullPlan {
        /// Bytes of each block.
        block: Size = default("32 KiB", "\"128 KiB\"") as WRITE_SIZE,
        /// Duration from the start of the flow.
        duration: Option<Span> = absent("until the flow stops", "\"10 s\"") as POSITIVE_TIME,
        /// Number of blocks.
        repeats: Option<u64> = absent("until the flow stops", "100")
            as Kind::Integer { min: 1, max: MAX_REPEATS },
    }
}

impl Writes for FullPlan {
    type Application = Box<Full>;

    fn application(&self, site: &Site<'_>) -> Box<Full> {
        Box::new(Full::new(self.block.clone(), self.repeats, (site.stream)("sizes")))
    }

    fn lasts(&self) -> Option<Span> {
        self.duration
    }
}

/// Consecutive blocks.
#[derive(Clone, Debug)]
pub struct Full {
    block: Size,
    /// Stream of the sizes, if they are drawn.
    stream: Stream,
    /// All blocks.
    transfer: Transfer,
}

impl Full {
    /// Makes `repeats` blocks, or blocks without end.
    pub fn new(block: Size, repeats: Option<u64>, stream: Stream) -> Self {
        let endless = Self { block, stream, transfer: Transfer::of(None) };
        let total = repeats.map(|repeats| endless.bytes_of(repeats));
        Self { transfer: Transfer::of(total), ..endless }
    }

    fn bytes_of(&self, blocks: u64) -> u64 {
        let Size::Fixed(Bytes(size)) = self.block else {
            return self.sizes().take(blocks as usize).fold(0, u64::saturating_add);
        };
        size.saturating_mul(blocks)
    }

    /// Sizes of all blocks, from the first.
    fn sizes(&self) -> impl Iterator<Item = u64> {
        let (block, mut stream) = (&self.block, self.stream.clone());
        std::iter::repeat_with(move || block.draw(&mut stream))
    }

    /// Number of blocks that end within `bytes`, the end of the last of these, and the end of the
    /// block that has begun.
    fn whole_blocks(&self, bytes: u64) -> (u64, u64, u64) {
        if let Size::Fixed(Bytes(size)) = self.block {
            return (bytes / size, bytes - bytes % size, bytes.next_multiple_of(size));
        }
        let (mut count, mut end) = (0, 0);
        for size in self.sizes() {
            let next = end + size;
            if next > bytes {
                return (count, end, if end == bytes { end } else { next });
            }
            (count, end) = (count + 1, next);
        }
        unreachable!("sizes do not end")
    }
}

impl Application for Box<Full> {
    #[inline]
    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        self.transfer.poll()
    }

    #[inline]
    fn is_through(&self, acked: u64) -> bool {
        self.transfer.is_through(acked)
    }

    /// Bytes written up to the end of the block that has begun to be taken, which is the last one.
    fn written_at_stop(&self, taken: u64) -> Option<u64> {
        let (_, _, begun) = self.whole_blocks(taken);
        Some(self.transfer.up_to(begun))
    }

    fn blocks(&self, taken: u64) -> Option<BlockCounters> {
        let (written, bytes, begun) = self.whole_blocks(taken);
        Some(BlockCounters { written, bytes, waiting: u64::from(begun > bytes), missed: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{ExponentialSize, SizeDistribution};

    fn full(block: Size, repeats: Option<u64>) -> Full {
        Full::new(block, repeats, Stream::new(1, "sizes"))
    }

    #[test]
    fn a_block_that_has_begun_is_written() {
        let blocks = full(Size::Fixed(Bytes(1000)), None);
        assert_eq!(
            [0, 999, 1000, 1001].map(|taken| blocks.whole_blocks(taken)),
            [(0, 0, 0), (0, 0, 1000), (1, 1000, 1000), (1, 1000, 2000)]
        );
        let found = Box::new(full(Size::Fixed(Bytes(1000)), Some(3)));
        assert_eq!(found.written_at_stop(2500), Some(3000));
        assert_eq!(found.written_at_stop(3000), Some(3000));
        assert_eq!([2999, 3000].map(|acked| found.is_through(acked)), [false, true]);
    }

    /// The same draws are made at every call.
    #[test]
    fn drawn_blocks_end_where_their_sizes_say() {
        let mean = Bytes(5000);
        let size = Size::Drawn(SizeDistribution::Exponential(ExponentialSize { mean }));
        let blocks = full(size.clone(), Some(100));
        let mut stream = Stream::new(1, "sizes");
        let sizes: Vec<u64> = (0..100).map(|_| size.draw(&mut stream)).collect();
        let total = sizes.iter().sum();
        assert_eq!(blocks.transfer.total, Some(total));
        let of_three: u64 = sizes[..3].iter().sum();
        assert_eq!(blocks.whole_blocks(of_three), (3, of_three, of_three));
        assert_eq!(blocks.whole_blocks(of_three + 1), (3, of_three, of_three + sizes[3]));
        assert_eq!(
            Box::new(blocks).blocks(of_three - 1).map(|counted| (counted.written, counted.waiting)),
            Some((2, 1))
        );
    }
}

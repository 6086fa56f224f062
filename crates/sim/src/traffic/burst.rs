//! Blocks at the instants of a timer: `burst` and `burstq` of Netspec, the workload generator of
//! the ACTS experiments.
//!
//! The timer expires at the start of the flow and then once in a `period`, independently of the
//! blocks. On a connection each block is one write, which returns when its last byte is in the send
//! buffer, `tcp.send_buffer`. If the timer expires before the previous write has returned, `burst`
//! misses that period: its block is skipped and counted. `burstq` queues the block and writes it
//! when the earlier ones have returned, so that the offered volume is kept and the spacing is not.
//! While the send buffer has no limit every write returns at once, and both are the same.
//!
//! Without a transport each block is a UDP datagram. A write to a UDP socket of BSD copies the
//! datagram to the queue of the interface and returns, so that no period is missed; that queue has
//! no limit here, where BSD returns ENOBUFS when it is full.
//!
//! Equal cases: a missed period is used up, also in `repeats`. Events at one instant happen in the
//! order of a host's events: an ACK that arrives when the timer expires comes later.
//!
//! Source: the pages *burst* and *queued burst* of the Netspec manual (University of Kansas).
//! Departure: BSD lets a write sleep until the buffer has room for a low-water mark; here each byte
//! of room is used.

use std::collections::VecDeque;

use super::application::{Application, BlockCounters, Offer};
use super::frames::Sizes;
use super::full::MAX_REPEATS;
use super::sends::Sends;
use super::size::{Size, WRITE_SIZE};
use super::source::{Instants, Site, Source, Spacing};
use super::{AnyApplication, AnySpacing};
use crate::engine::{LATER_INSTANT, RandomSpan, Stream};
use crate::language::part::prelude::*;
use crate::units::{Rate, Span, Time};

part! {
    /// Parameters of blocks at the instants of a timer.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TimedBlocks {
        /// Bytes of each block: one write to the connection, or without `tcp` a UDP datagram.
        block: Size = required("\"43750 B\"") as WRITE_SIZE,
        /// Time from one block to the next.
        period: RandomSpan = required("\"10 ms\"") as LATER_INSTANT,
        /// Duration from the start of the flow.
        duration: Option<Span> = absent("until the flow stops", "\"10 s\"") as POSITIVE_TIME,
        /// Number of periods, including those missed.
        repeats: Option<u64> = absent("until the flow stops", "100")
            as Kind::Integer { min: 1, max: MAX_REPEATS },
    }
}

impl TimedBlocks {
    /// Time that the blocks take, if that is known: the shorter of the two limits.
    pub fn lasts(&self) -> Option<Span> {
        let of_repeats = match (self.period, self.repeats) {
            (RandomSpan::Fixed(period), Some(repeats)) => {
                let all = i128::from(period.picoseconds()) * i128::from(repeats);
                i64::try_from(all).ok().map(|all| Span::from_picoseconds(all).min(Span::LONGEST))
            }
            _ => None,
        };
        self.duration.into_iter().chain(of_repeats).min()
    }

    /// Mean rate in whole bits per second, at least one.
    fn rate(&self) -> Rate {
        let bits = 8.0 * self.block.mean() / self.period.mean_seconds();
        // A rate that is exact in bits stays so in spite of the division.
        Rate::from_bits_per_second((bits * (1.0 + 1e-12)).clamp(1.0, 1e15) as u64)
    }
}

/// Blocks at the instants of a timer; a block waits for earlier ones or is missed.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks<const QUEUED: bool> {
    plan: TimedBlocks,
    /// The same blocks as a source at a rate.
    sends: Sends,
}

/// `burst`: a block is missed while the previous write has not returned.
pub type Burst = Blocks<false>;
/// `burstq`: blocks are queued.
pub type BurstQueued = Blocks<true>;

impl<const QUEUED: bool> Blocks<QUEUED> {
    /// Makes blocks for a connection; in a flow without a transport they become datagrams.
    pub fn new(plan: TimedBlocks) -> Self {
        let sends = Sends::writes(plan.rate(), plan.block.clone());
        Self { plan, sends }
    }

    /// Parameters of the blocks.
    pub const fn plan(&self) -> &TimedBlocks {
        &self.plan
    }
}

impl<const QUEUED: bool> Part for Blocks<QUEUED> {
    type Value = Self;

    const KEYS: &'static [Key] = TimedBlocks::KEYS;

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        TimedBlocks::read(section).map(Self::new)
    }

    fn write(blocks: &Self, entries: &mut Entries) {
        TimedBlocks::write(&blocks.plan, entries);
    }
}

impl<const QUEUED: bool> Source for Blocks<QUEUED> {
    type Spacing = Ticks;

    fn rate_key(&self) -> &'static str {
        "period"
    }

    fn sends(&self) -> &Sends {
        &self.sends
    }

    fn interval(&self) -> Span {
        Span::from_picoseconds((self.plan.period.mean_seconds() * 1e12 + 0.5).max(1.0) as i64)
    }

    fn is_random(&self) -> bool {
        !self.plan.period.is_fixed()
    }

    fn max_gap(&self, _interval: u128) -> u128 {
        self.plan.period.max_picoseconds() as u128
    }

    fn spacing(&self, site: &Site<'_>) -> Ticks {
        Ticks {
            period: self.plan.period,
            stream: (site.stream)("periods"),
            left: self.plan.repeats.unwrap_or(u64::MAX),
        }
    }

    fn lasts(&self) -> Option<Span> {
        self.plan.lasts()
    }

    fn without_transport(self) -> Self {
        let sends = Sends::datagrams(self.plan.rate(), self.plan.block.clone());
        Self { sends, ..self }
    }

    fn counts_blocks(&self) -> bool {
        true
    }

    fn application(&self, site: &Site<'_>, spacing: AnySpacing) -> Option<AnyApplication> {
        let instants = Instants::new(spacing, site.start, site.stop);
        let ends_by_itself = self.plan.repeats.is_some() && self.plan.lasts().is_none();
        let queued = BlockWrites::queued(instants, self.sizes(site)?, site.send_buffer);
        let writes = BlockWrites { is_queued: QUEUED, ends_by_itself, ..queued };
        Some(AnyApplication::BlockWrites(Box::new(writes)))
    }
}

/// Instants at which the timer expires.
#[derive(Clone, Debug)]
pub struct Ticks {
    period: RandomSpan,
    stream: Stream,
    left: u64,
}

impl Spacing for Ticks {
    /// The next instant; [`Time::MAX`] after the last one.
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return Time::MAX;
        }
        now.saturating_add(self.period.draw(&mut self.stream))
    }
}

/// Writes of blocks when the timer expires, with the writes that have returned.
#[derive(Debug)]
pub struct BlockWrites {
    instants: Instants,
    sizes: Sizes,
    /// Bytes of the send buffer; `None` if it has no limit.
    room: Option<u64>,
    is_queued: bool,
    /// True if the number of periods alone ends it.
    ends_by_itself: bool,
    /// Bytes written, whether or not they are in the send buffer.
    offered: u64,
    /// Counters of the writes that have returned, and of the periods missed.
    counted: BlockCounters,
    /// Ends of the blocks whose writes have not returned, as bytes written.
    waiting: VecDeque<u64>,
}

impl BlockWrites {
    /// Makes queued writes, none written yet. The send buffer has `room`, or no limit.
    pub fn queued(instants: Instants, sizes: Sizes, room: Option<u64>) -> Self {
        Self {
            instants,
            sizes,
            room,
            is_queued: true,
            ends_by_itself: false,
            offered: 0,
            counted: BlockCounters::default(),
            waiting: VecDeque::new(),
        }
    }

    /// Notes that writes return whose last byte is among the first `taken`.
    fn complete_writes(&mut self, taken: u64) {
        while let Some(end) = self.waiting.front().copied().filter(|&end| end <= taken) {
            self.waiting.pop_front();
            self.counted.written += 1;
            self.counted.bytes = end;
        }
    }

    /// Bytes of the next block; zero if its period is missed.
    fn next_block(&mut self) -> u64 {
        if !self.is_queued && !self.waiting.is_empty() {
            self.counted.missed += 1;
            return 0;
        }
        let size = self.sizes.draw();
        self.offered += size;
        self.waiting.push_back(self.offered);
        size
    }
}

impl Application for BlockWrites {
    fn poll(&mut self, now: Time, acked: u64) -> Offer {
        let taken = self.room.map_or(u64::MAX, |room| acked.saturating_add(room));
        self.complete_writes(taken);
        let mut bytes = 0;
        while self.instants.next() <= now && self.instants.next() < Time::MAX {
            self.instants.emit();
            bytes += self.next_block();
            self.complete_writes(taken);
        }
        Offer::bytes(bytes).and_again_at(self.instants.next())
    }

    fn is_through(&self, acked: u64) -> bool {
        self.ends_by_itself && self.instants.next() == Time::MAX && acked >= self.offered
    }

    /// Counters after the stop of its flow also count writes that return since then, without a
    /// call.
    fn blocks(&self, taken: u64) -> Option<BlockCounters> {
        let mut counted = self.counted;
        let returned = self.waiting.iter().take_while(|&&end| end <= taken);
        for &end in returned {
            counted.written += 1;
            counted.bytes = end;
        }
        let since = counted.written - self.counted.written;
        Some(BlockCounters { waiting: self.waiting.len() as u64 - since, ..counted })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::Asked;
    use crate::units::Bytes;

    fn at(milliseconds: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(milliseconds)
    }

    /// Writes of 40 kB each 10 ms into a send buffer of 64 KiB.
    fn writes<const QUEUED: bool>(repeats: Option<u64>) -> BlockWrites {
        let plan = TimedBlocks {
            block: Size::Fixed(Bytes(40_000)),
            period: RandomSpan::Fixed(Span::from_milliseconds(10)),
            duration: None,
            repeats,
        };
        let source = Blocks::<QUEUED>::new(plan);
        let site = Site {
            start: at(0),
            stop: Time::MAX,
            send_buffer: Some(64 << 10),
            asked: &Asked::default(),
            stream: &|name| Stream::new(1, name),
        };
        let ticks = AnySpacing::Burst(Burst::new(source.plan.clone()).spacing(&site));
        match source.application(&site, ticks) {
            Some(AnyApplication::BlockWrites(writes)) => *writes,
            other => panic!("{other:?}"),
        }
    }

    /// Bytes that it writes at each of its instants, 10 ms apart, when so much is acknowledged.
    fn written(writes: &mut BlockWrites, acked: &[u64]) -> Vec<u64> {
        let polled = acked.iter().enumerate().map(|(tick, &acked)| {
            match writes.poll(at(10 * tick as i64), acked).write {
                crate::traffic::Write::Bytes(bytes) => bytes,
                crate::traffic::Write::Forever => panic!("a block has an end"),
            }
        });
        polled.collect()
    }

    /// The second block ends at 80 000 and has returned once 14 464 bytes are acknowledged.
    #[test]
    fn a_period_is_missed_while_the_write_before_has_not_returned() {
        let mut burst = writes::<false>(None);
        let acked = [0, 0, 14_463, 14_464, 14_464];
        assert_eq!(written(&mut burst, &acked), [40_000, 40_000, 0, 40_000, 0]);
        let counted = BlockCounters { written: 2, bytes: 80_000, waiting: 1, missed: 2 };
        assert_eq!(burst.blocks(0), Some(counted));
    }

    #[test]
    fn queued_blocks_keep_the_volume() {
        let mut burst = writes::<true>(None);
        let acked = [0, 0, 14_463, 14_464, 14_464];
        assert_eq!(written(&mut burst, &acked), [40_000; 5]);
        let counted = BlockCounters { written: 2, bytes: 80_000, waiting: 3, missed: 0 };
        assert_eq!(burst.blocks(0), Some(counted));
        burst.poll(at(41), 200_000 - (64 << 10));
        let counted = BlockCounters { written: 5, bytes: 200_000, ..BlockCounters::default() };
        assert_eq!(burst.blocks(0), Some(counted));
    }

    /// Missed periods are counted, too.
    #[test]
    fn periods_are_counted_and_not_blocks() {
        let mut burst = writes::<false>(Some(4));
        assert_eq!(written(&mut burst, &[0; 6]), [40_000, 40_000, 0, 0, 0, 0]);
        assert_eq!(burst.blocks(0).map(|counted| counted.missed), Some(2));
        assert_eq!(burst.poll(at(60), 0).next, Time::MAX);
    }

    /// A rate of 35 Mbit/s, as of three sources that offer 105.
    #[test]
    fn a_block_in_a_period_is_a_rate() {
        let plan = |period, repeats| TimedBlocks {
            block: Size::Fixed(Bytes(43_750)),
            period: RandomSpan::Fixed(Span::from_milliseconds(period)),
            duration: Some(Span::from_seconds(2)),
            repeats,
        };
        assert_eq!(plan(10, None).rate(), Rate::from_bits_per_second(35_000_000));
        let lasts = |repeats| plan(10, repeats).lasts();
        assert_eq!(lasts(Some(150)), Some(Span::from_milliseconds(1500)));
        assert_eq!([lasts(None), lasts(Some(300))], [Some(Span::from_seconds(2)); 2]);
    }
}

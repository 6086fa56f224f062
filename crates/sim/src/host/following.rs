//! A VC, or the packets of a flow, that leave a host at a pacing rate: constant, or what is fed back
//! from the capacity of a link on the way.
//!
//! An infinite FIFO, or a sized one that discards what finds it full, and a server at the rate: a
//! unit is handed to the line when the server is through with it, as behind a
//! [`Pacer`](super::Pacer). It is the segmentation buffer of Shakkottai et al. 2001, figure 3.

use super::segmentation::Segmentation;
use crate::engine::Io;
use crate::link::Transmission;
use crate::link::feedback::Follower;
use crate::pdu::{CellHead, Frame};
use crate::result::{Cause, Drops, Ledger, Mean, PacingCounters, Recorder, Series};
use crate::units::{CELL_BITS, Rate, Time};

/// Of IP and TCP.
const HEADERS: u64 = 40;

/// How fast units leave.
#[derive(Debug)]
pub enum Pace {
    /// Always this, in bits as on the link that is followed.
    Constant(Rate),
    /// What is fed back.
    Fed(Box<Follower>),
}

impl Pace {
    /// Bits per second from `at` on.
    fn rate_at(&mut self, at: Time) -> f64 {
        match self {
            Self::Constant(rate) => rate.bits_per_second() as f64,
            Self::Fed(follower) => follower.rate_at(at),
        }
    }

    /// When the last of `bits` is through, if the first is served at `start`.
    fn finish(&mut self, start: Time, bits: u64) -> Time {
        match self {
            Self::Constant(rate) => start.saturating_add(rate.span_of_bits(bits)),
            Self::Fed(follower) => follower.finish(start, bits),
        }
    }
}

/// What is recorded of it, with a copy of the pace of its own: the server may be ahead of a sample.
#[derive(Debug)]
pub struct PacingProbes {
    /// The same pace.
    pub pace: Pace,
    /// Its rate, bits per second.
    pub rate: Option<Recorder>,
    /// Units that wait.
    pub queue: Option<Recorder>,
}

/// Everything it is made from.
#[derive(Debug)]
pub struct FollowingPlan {
    /// How fast units leave.
    pub pace: Pace,
    /// The link as on which the bits of a unit are counted, if units are packets.
    pub counted_as_on: Option<Transmission>,
    /// Units are acknowledgements, each of which lasts as long as the data that it acknowledges, in
    /// segments of so many bytes.
    pub acknowledges: Option<u64>,
    /// Most units that may wait; `None`: no limit.
    pub room: Option<u64>,
    /// What is recorded.
    pub probes: Option<PacingProbes>,
}

/// One direction of a flow at its origin.
#[derive(Debug)]
pub struct FollowingVc {
    vc: u32,
    plan: FollowingPlan,
    queue: Segmentation,
    /// The byte up to which the units before have acknowledged.
    acked: u64,
    /// When the server is through with what it has served.
    free_at: Time,
    mean_queue: Mean,
    max_queue: u64,
    drops: Drops,
}

impl FollowingVc {
    /// With nothing to send.
    pub fn new(vc: u32, plan: FollowingPlan) -> Self {
        Self {
            vc,
            plan,
            queue: Segmentation::default(),
            acked: 1,
            free_at: Time::ZERO,
            mean_queue: Mean::default(),
            max_queue: 0,
            drops: Drops::default(),
        }
    }

    /// When the server is through with the front unit. Asked once per unit.
    pub(super) fn next(&mut self) -> Time {
        let Some(bytes) = self.queue.front_bytes() else { return Time::MAX };
        let start = self.queue.ready().max(self.free_at);
        let bits = match (&self.plan.counted_as_on, self.plan.acknowledges) {
            (Some(link), Some(segment)) => {
                let ack = self.queue.front_ack().unwrap_or(0).max(self.acked);
                let bytes = ack - std::mem::replace(&mut self.acked, ack);
                let of_rest = match bytes % segment {
                    0 => 0,
                    rest => link.bits_of_packet(rest + HEADERS),
                };
                bytes / segment * link.bits_of_packet(segment + HEADERS) + of_rest
            }
            (Some(link), None) => link.bits_of_packet(bytes),
            (None, _) => CELL_BITS,
        };
        self.free_at = self.plan.pace.finish(start, bits);
        self.free_at
    }

    /// A frame is ready; whether the front changes.
    pub(super) fn push_frame(&mut self, ready: Time, frame: Frame, io: &mut Io) -> bool {
        let was_empty = self.queue.held == 0;
        let room = self.plan.room.map_or(u64::MAX, |room| room.saturating_sub(self.queue.held));
        let admitted = room.min(u64::from(frame.cells)) as u32;
        self.queue.push_frame(ready, frame, admitted, io);
        self.note_pushed(ready, frame.cells - admitted);
        was_empty
    }

    /// A raw cell is ready; whether the front changes.
    pub(super) fn push_cell(&mut self, ready: Time, io: &mut Io) -> bool {
        let was_empty = self.queue.held == 0;
        let has_room = self.plan.room.is_none_or(|room| self.queue.held < room);
        if has_room {
            self.queue.push_cell(ready, io);
        }
        self.note_pushed(ready, u32::from(!has_room));
        was_empty
    }

    fn note_pushed(&mut self, at: Time, dropped: u32) {
        for _ in 0..dropped {
            self.drops.count(Cause::Overflow);
        }
        self.max_queue = self.max_queue.max(self.queue.held);
        self.note_queue(at);
    }

    /// The unit that the server is through with.
    pub(super) fn take(&mut self, now: Time, io: &mut Io) -> CellHead {
        let head = self.queue.take(self.vc, io);
        self.note_queue(now);
        head
    }

    fn note_queue(&mut self, at: Time) {
        self.mean_queue.set(at, self.queue.held as f64);
        let Some(probes) = &mut self.plan.probes else { return };
        let (held, rate) = (self.queue.held as f64, probes.pace.rate_at(at));
        for (recorder, value) in [(&mut probes.rate, rate), (&mut probes.queue, held)] {
            if let Some(recorder) = recorder {
                recorder.on_change(at, value);
            }
        }
    }

    /// What waits.
    pub(super) const fn buffer(&self) -> &Segmentation {
        &self.queue
    }

    /// When the next grid sample is due.
    pub(super) fn next_sample(&self) -> Time {
        let recorders = self.plan.probes.iter().flat_map(|probes| [&probes.rate, &probes.queue]);
        recorders.flatten().map(Recorder::due).min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub(super) fn sample_through(&mut self, at: Time) {
        let Some(probes) = &mut self.plan.probes else { return };
        let held = self.queue.held as f64;
        if let Some(recorder) = &mut probes.rate {
            while recorder.due() <= at {
                recorder.sample(recorder.due(), probes.pace.rate_at(recorder.due()));
            }
        }
        if let Some(recorder) = &mut probes.queue {
            while recorder.due() <= at {
                recorder.sample(recorder.due(), held);
            }
        }
    }

    /// The finished series.
    pub(super) fn take_series(&mut self) -> impl Iterator<Item = Series> {
        let probes = self.plan.probes.take();
        let recorders = probes.into_iter().flat_map(|probes| [probes.rate, probes.queue]);
        recorders.flatten().map(Recorder::finish)
    }

    /// Forgets the extremes seen so far.
    pub(super) fn begin_measurement(&mut self) {
        self.max_queue = self.queue.held;
    }

    /// Reports the counters as they are at `at`.
    pub(super) fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let vc = &mut ledger.vcs[self.vc as usize];
        vc.queued += self.queue.held;
        vc.drops.add(&self.drops);
        vc.pacing = Some(PacingCounters {
            queue_time: self.mean_queue.integral(at),
            max_queue: self.max_queue,
            drops: self.drops,
        });
    }
}

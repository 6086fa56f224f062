//! A VC, or the packets of a flow, that wait at a host: for a pacing rate, constant or fed back
//! from the capacity of a link on the path, or for the line alone.
//!
//! An infinite FIFO, or a sized one that discards units that find it full, and a server at the
//! rate: a unit is handed to the line when the server has served it, as behind a
//! [`Pacer`](super::Pacer). It is the segmentation buffer of Shakkottai et al. 2001, figure 3.

use super::probes::ShaperProbe;
use super::segmentation::Segmentation;
use crate::engine::Io;
use crate::link::Transmission;
use crate::link::feedback::Follower;
use crate::pdu::{CellHead, Frame};
use crate::result::{Ledger, PacingCounters, Recorders};
use crate::units::{CELL_BITS, Rate, Span, Time};

/// Pace at which units are sent.
#[derive(Debug)]
pub enum Pace {
    /// A cell at this distance, or at once if zero; not a flow's pacing, and not reported.
    Cells(Span),
    /// A constant rate, in bits as on the link that is followed.
    Constant(Rate),
    /// A rate that is fed back.
    Fed(Box<Follower>),
}

impl Pace {
    /// Bits per second from `at` on.
    fn rate_at(&mut self, at: Time) -> f64 {
        match self {
            Self::Cells(cell_time) => CELL_BITS as f64 / cell_time.seconds_f64(),
            Self::Constant(rate) => rate.bits_per_second() as f64,
            Self::Fed(follower) => follower.rate_at(at),
        }
    }

    /// The instant at which the last of `bits` has been served, if the first is served at `start`.
    fn finish(&mut self, start: Time, bits: u64) -> Time {
        match self {
            Self::Cells(cell_time) => start + *cell_time,
            Self::Constant(rate) => start.saturating_add(rate.span_of_bits(bits)),
            Self::Fed(follower) => follower.finish(start, bits),
        }
    }
}

/// Parts of a paced VC.
#[derive(Debug)]
pub struct PacingPlan {
    /// Pace at which units are sent.
    pub pace: Pace,
    /// Link on which the bits of a unit are counted, if units are packets.
    pub counted_as_on: Option<Transmission>,
    /// Segment size and bytes of headers, if units are acknowledgements: each of these lasts as
    /// long as the data that it acknowledges, in segments of so many bytes.
    pub acknowledges: Option<(u64, u64)>,
    /// Most units that may wait; `None` for no limit.
    pub room: Option<u64>,
    /// A copy of the pace, if it is recorded: the server may be ahead of a sample.
    pub recorded: Option<Pace>,
}

/// One direction of a flow at its origin.
#[derive(Debug)]
pub struct PacedVc {
    plan: PacingPlan,
    pub(super) queue: Segmentation,
    /// Byte up to which the previous units have acknowledged.
    acked: u64,
    /// The instant at which the server has served all its units.
    free_at: Time,
}

impl PacedVc {
    /// Makes one with nothing to send.
    pub fn new(vc: u32, plan: PacingPlan, recorders: Recorders<ShaperProbe>) -> Self {
        let queue = Segmentation::new(vc, plan.room.unwrap_or(u64::MAX), recorders);
        Self { plan, queue, acked: 1, free_at: Time::ZERO }
    }

    /// Makes a VC whose cells are sent at this distance, or at once.
    pub fn of_cells(vc: u32, cell_time: Span) -> Self {
        let (counted_as_on, acknowledges, room, recorded) = (None, None, None, None);
        let pace = Pace::Cells(cell_time);
        let plan = PacingPlan { pace, counted_as_on, acknowledges, room, recorded };
        Self::new(vc, plan, Recorders::default())
    }

    /// Distance at which it lets cells pass, if it is made so.
    pub(super) fn cell_time(&self) -> Option<Span> {
        if let Pace::Cells(cell_time) = self.plan.pace { Some(cell_time) } else { None }
    }

    /// The instant at which the server has served the front unit. Called once per unit.
    pub(super) fn next(&mut self) -> Time {
        let Some((bytes, ack)) = self.queue.front() else { return Time::MAX };
        let start = self.queue.ready().max(self.free_at);
        let bits = match (&self.plan.counted_as_on, self.plan.acknowledges) {
            (Some(link), Some((segment, headers))) => {
                let ack = ack.max(self.acked);
                let bytes = ack - std::mem::replace(&mut self.acked, ack);
                let of_rest = match bytes % segment {
                    0 => 0,
                    rest => link.bits_of_packet(rest + headers),
                };
                bytes / segment * link.bits_of_packet(segment + headers) + of_rest
            }
            (Some(link), None) => link.bits_of_packet(bytes),
            (None, _) => CELL_BITS,
        };
        self.free_at = self.plan.pace.finish(start, bits);
        self.free_at
    }

    /// Appends a frame that is ready, or a raw cell; true if the front changes.
    pub(super) fn push(&mut self, ready: Time, frame: Option<Frame>, io: &mut Io) -> bool {
        let was_empty = self.queue.push(ready, frame, io);
        self.note_queue(ready);
        was_empty
    }

    /// Takes the unit that the server has served.
    pub(super) fn take(&mut self, now: Time, io: &mut Io) -> CellHead {
        let head = self.queue.take(now, io);
        self.note_queue(now);
        head
    }

    fn note_queue(&mut self, at: Time) {
        let Some(pace) = &mut self.plan.recorded else { return };
        self.queue.note_change(at, || pace.rate_at(at));
    }

    /// Takes every grid sample that is due by `at`.
    pub(super) fn sample_through(&mut self, at: Time) {
        let Some(pace) = &mut self.plan.recorded else { return };
        self.queue.sample_through(at, |due| pace.rate_at(due));
    }

    /// Reports the counters as they are at `at`.
    pub(super) fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let vc = self.queue.report(ledger);
        if self.cell_time().is_none() {
            let Segmentation { ref mean, longest: max_queue, drops, .. } = self.queue;
            let queue_time = mean.integral(at);
            vc.pacing = Some(PacingCounters { queue_time, max_queue, drops });
        }
    }
}

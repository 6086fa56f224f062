//! MPEG video: a frame in each interval, in groups of pictures of intra-coded (I), predicted (P)
//! and bidirectional (B) frames. Sizes are drawn, for each kind from a distribution of its own.
//!
//! A group of n frames in which every m-th is an anchor, I or P, is I B B P B B P …: n = 15 and m =
//! 3 are one I, four P and ten B. The mean is (I + (n/m − 1) P + (n − n/m) B)/n.
//!
//! Source: Krunz, Sass, Hughes, *Statistical Characteristics and Multiplexing of MPEG Streams*,
//! INFOCOM 1995. The defaults are its fit of a film at 30 frames a second: lognormal sizes, in
//! cells of 48 bytes with μ = 5.1968, 3.7380, 2.8687 and σ = 0.2016, 0.5961, 0.2675 for I, P and B.
//!
//! Departures: frames of one kind are independent, and scenes, which make I frames alike for
//! seconds, are absent. Frames come in the order in which they are shown. A frame is one write, or
//! without a transport one datagram.

use super::frames::{FRAME_INTERVAL, Sizes};
use super::size::{MAX_DATAGRAM, Mix, Size, SizeDistribution, WRITE_SIZE};
use super::video::{FramePlan, Video};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Bytes, Span};

part! {
    /// Parameters of MPEG video.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MpegPlan {
        /// Time from one frame to the next.
        interval: Span = default("33.333333 ms", "\"40 ms\"") as FRAME_INTERVAL,
        /// n: number of frames in a group of pictures.
        group: u64 = default("15", "12") as Kind::Integer { min: 1, max: 1000 },
        /// m: distance from one I or P frame to the next; `group` is a multiple of it.
        anchors: u64 = default("3", "1") as Kind::Integer { min: 1, max: 1000 },
        /// Bytes of an I frame.
        intra: Size = default(
            "{ lognormal = { median = \"8673 B\", sigma = 0.2016, max = \"65507 B\" } }",
            "\"20 kB\""
        ) as WRITE_SIZE,
        /// Bytes of a P frame.
        predicted: Size = default(
            "{ lognormal = { median = \"2017 B\", sigma = 0.5961, max = \"65507 B\" } }",
            "\"5 kB\""
        ) as WRITE_SIZE,
        /// Bytes of a B frame.
        bidirectional: Size = default(
            "{ lognormal = { median = \"845 B\", sigma = 0.2675, max = \"65507 B\" } }",
            "\"2 kB\""
        ) as WRITE_SIZE,
        /// Duration from the start of the flow.
        duration: Option<Span> = absent("until the flow stops", "\"10 s\"") as POSITIVE_TIME,
    }
    finish MpegPlan::checked;
}

/// Defaults: the film of the source.
impl Default for MpegPlan {
    fn default() -> Self {
        defaults::<Self>()
    }
}

impl MpegPlan {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        if self.group.is_multiple_of(self.anchors) {
            return Ok(self);
        }
        let message = format!(
            "`{0}.group` of {1} is no multiple of `{0}.anchors` of {2}; expected one",
            section.place(),
            self.group,
            self.anchors
        );
        Err(Fault::new(&section.spanned::<u64>("group")?.at, message))
    }

    /// The three kinds, each with its number in a group.
    fn kinds(&self) -> [(&Size, u64); 3] {
        let anchors = self.group / self.anchors;
        let (intra, predicted) = ((&self.intra, 1), (&self.predicted, anchors - 1));
        [intra, predicted, (&self.bidirectional, self.group - anchors)]
    }
}

impl FramePlan for MpegPlan {
    fn interval(&self) -> Span {
        self.interval
    }

    fn duration(&self) -> Option<Span> {
        self.duration
    }

    /// Mean of all frames.
    fn mean(&self) -> f64 {
        let sum: f64 = self.kinds().iter().map(|(size, count)| size.mean() * *count as f64).sum();
        sum / self.group as f64
    }

    /// Means of the kinds with their shares.
    fn typical(&self) -> Size {
        let present = self.kinds().into_iter().filter(|(_, count)| *count > 0);
        let means = present.map(|(size, count)| (Bytes(size.mean() as u64 + 1), count as u32));
        Size::Drawn(SizeDistribution::Mix(Mix::new(means.collect())))
    }

    fn fits_datagrams(&self) -> bool {
        self.kinds().iter().all(|(size, _)| size.max() <= MAX_DATAGRAM)
    }

    fn frames(&self, stream: Stream) -> Sizes {
        Sizes::Mpeg(Box::new(MpegFrames { plan: self.clone(), stream, place: 0 }))
    }
}

/// MPEG video as a source.
pub type Mpeg = Video<MpegPlan>;

/// Sizes of consecutive frames.
#[derive(Clone, Debug)]
pub struct MpegFrames {
    plan: MpegPlan,
    stream: Stream,
    /// Index in its group.
    place: u64,
}

impl MpegFrames {
    /// The next size.
    pub fn draw(&mut self) -> u64 {
        let MpegPlan { group, anchors, intra, predicted, bidirectional, .. } = &self.plan;
        let size = match self.place {
            0 => intra,
            place if place.is_multiple_of(*anchors) => predicted,
            _ => bidirectional,
        };
        self.place = (self.place + 1) % group;
        size.draw(&mut self.stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(plan: MpegPlan) -> MpegFrames {
        MpegFrames { plan, stream: Stream::new(1, "sizes"), place: 0 }
    }

    #[test]
    fn a_group_has_its_pattern() {
        let [intra, predicted, bidirectional] = [9, 5, 2].map(|size| Size::Fixed(Bytes(size)));
        let plan = MpegPlan { intra, predicted, bidirectional, ..defaults::<MpegPlan>() };
        assert!((plan.mean() - (9.0 + 4.0 * 5.0 + 10.0 * 2.0) / 15.0).abs() < 1e-12);
        let mut frames = frames(plan);
        let two: Vec<u64> = (0..18).map(|_| frames.draw()).collect();
        assert_eq!(two, [9, 2, 2, 5, 2, 2, 5, 2, 2, 5, 2, 2, 5, 2, 2, 9, 2, 2]);
    }

    /// Means of a lognormal with parameters μ and σ of cells: 48 exp(μ + σ²/2) bytes.
    #[test]
    fn the_means_of_the_kinds_are_those_of_the_fit() {
        let plan = defaults::<MpegPlan>();
        let of_cells = |mu: f64, sigma: f64| 48.0 * libm::exp(mu + sigma * sigma / 2.0);
        let fit = [of_cells(5.1968, 0.2016), of_cells(3.7380, 0.5961), of_cells(2.8687, 0.2675)];
        for ((size, _), mean) in plan.kinds().iter().zip(fit) {
            assert!((size.mean() / mean - 1.0).abs() < 1e-3, "{} {mean}", size.mean());
        }
        let mean = (fit[0] + 4.0 * fit[1] + 10.0 * fit[2]) / 15.0;
        assert!((plan.mean() / mean - 1.0).abs() < 1e-3);
        let mut frames = frames(plan);
        let drawn: u64 = (0..150_000).map(|_| frames.draw()).sum();
        // The deviation of 15 frames is 1770, 2 · 1600 and √10 · 240 bytes: four standard errors.
        assert!((drawn as f64 / 150_000.0 - mean).abs() < 4.0 * 3750.0 / 15.0 / 100.0);
    }
}

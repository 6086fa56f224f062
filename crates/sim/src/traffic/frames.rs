//! Sizes of the units that a source sends in sequence: drawn anew each time, or frames of video
//! that depend on earlier ones.

use super::mpeg::MpegFrames;
use super::size::Size;
use super::videoconference::ConferenceFrames;
use crate::engine::Stream;
use crate::language::keys::Kind;
use crate::units::{Rate, Span};

/// Range of the time from one frame to the next.
pub(super) const FRAME_INTERVAL: Kind = Kind::Time { min: Span::from_picoseconds(1) };

/// Rate of frames of this mean, to the nearest bit per second and at least one.
pub(super) fn rate_of_frames(mean: f64, interval: Span) -> Rate {
    Rate::from_bits_per_second((8.0 * mean / interval.seconds_f64() + 0.5).clamp(1.0, 1e15) as u64)
}

/// A sequence of sizes.
#[derive(Clone, Debug)]
pub enum Sizes {
    /// Sizes drawn independently.
    Drawn(Size, Stream),
    /// Frames in groups of pictures.
    Mpeg(Box<MpegFrames>),
    /// Frames that keep their size for a while.
    Conference(Box<ConferenceFrames>),
}

impl Sizes {
    /// The next size, bytes.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        match self {
            Self::Drawn(size, stream) => size.draw(stream),
            Self::Mpeg(frames) => frames.draw(),
            Self::Conference(frames) => frames.draw(),
        }
    }
}

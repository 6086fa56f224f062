//! The sizes of what a source sends one after the other: drawn anew each time, or frames of video
//! that depend on those before.

use super::mpeg::MpegFrames;
use super::size::Size;
use super::videoconference::ConferenceFrames;
use crate::engine::Stream;
use crate::language::keys::Kind;
use crate::units::{Rate, Span};

/// From one frame to the next.
pub(super) const FRAME_INTERVAL: Kind = Kind::Time { min: Span::from_picoseconds(1) };

/// The rate of frames of this mean, to the nearest bit in a second and never none.
pub(super) fn rate_of_frames(mean: f64, interval: Span) -> Rate {
    Rate::from_bits_per_second((8.0 * mean / interval.seconds_f64() + 0.5).clamp(1.0, 1e15) as u64)
}

/// One size after the other.
#[derive(Clone, Debug)]
pub enum Sizes {
    /// Each by itself.
    Drawn(Size, Stream),
    /// Frames in groups of pictures.
    Mpeg(Box<MpegFrames>),
    /// Frames that keep their size for a while.
    Conference(Box<ConferenceFrames>),
}

impl Sizes {
    /// The next one, bytes.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        match self {
            Self::Drawn(size, stream) => size.draw(stream),
            Self::Mpeg(frames) => frames.draw(),
            Self::Conference(frames) => frames.draw(),
        }
    }
}

//! Where the contents of frames live while their cells travel.
//!
//! Sixteen bytes cannot hold a segment. A frame is put here once, its last cell carries the [`FrameId`], and whoever
//! ends the frame's life — the receiver, or a queue that drops its last cell — takes it out again.

use crate::tcp::Segment;

/// A place in [`Frames`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameId(pub u32);

/// An AAL5 frame, or a packet, and what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Counts the frames of its VC; what AAL5's CRC would notice, this shows.
    pub number: u32,
    /// Cells it was cut into; 1 for a packet.
    pub cells: u32,
    /// IP bytes.
    pub bytes: u32,
    /// The TCP segment inside.
    pub segment: Segment,
}

/// All frames on their way.
#[derive(Debug, Default)]
pub struct Frames {
    places: Vec<Option<Frame>>,
    free: Vec<u32>,
}

impl Frames {
    /// Keeps a frame.
    #[inline]
    pub fn insert(&mut self, frame: Frame) -> FrameId {
        if let Some(place) = self.free.pop() {
            self.places[place as usize] = Some(frame);
            return FrameId(place);
        }
        self.places.push(Some(frame));
        FrameId(self.places.len() as u32 - 1)
    }

    /// Looks at a frame that is on its way.
    #[inline]
    pub fn look(&self, id: FrameId) -> &Frame {
        self.places[id.0 as usize].as_ref().expect("the cell that names a frame owns it")
    }

    /// Ends a frame's journey.
    #[inline]
    pub fn take(&mut self, id: FrameId) -> Frame {
        self.free.push(id.0);
        self.places[id.0 as usize].take().expect("a frame is taken once: its last cell exists once")
    }

    /// How many are on their way.
    pub fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

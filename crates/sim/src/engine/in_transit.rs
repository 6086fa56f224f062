//! Store of the contents of frames and resource-management cells while their cells travel.
//!
//! A cell of sixteen bytes cannot hold a segment. A content is inserted here once, and one cell
//! carries its [`ContentId`]: the last one of a frame, or the resource-management cell itself. The
//! receiver takes it out, or a queue that discards the cell.

use crate::pdu::{ContentId, Frame, RmCell};

/// All contents of one kind in transit.
#[derive(Debug)]
pub struct InTransit<T> {
    places: Vec<Option<T>>,
    free: Vec<u32>,
}

/// Frames in transit.
pub type Frames = InTransit<Frame>;
/// Resource-management cells in transit.
pub type RmCells = InTransit<RmCell>;

impl<T> Default for InTransit<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> InTransit<T> {
    /// Keeps a content.
    #[inline]
    pub fn insert(&mut self, content: T) -> ContentId {
        if let Some(place) = self.free.pop() {
            self.places[place as usize] = Some(content);
            return ContentId(place);
        }
        self.places.push(Some(content));
        ContentId(self.places.len() as u32 - 1)
    }

    /// Content in transit.
    #[inline]
    pub fn look(&self, id: ContentId) -> &T {
        self.places[id.0 as usize].as_ref().expect("a content is there as long as its cell")
    }

    /// Content in transit, mutable.
    #[inline]
    pub fn look_mut(&mut self, id: ContentId) -> &mut T {
        self.places[id.0 as usize].as_mut().expect("a content is there as long as its cell")
    }

    /// Takes out a content: its cell has arrived or is discarded.
    #[inline]
    pub fn take(&mut self, id: ContentId) -> T {
        self.free.push(id.0);
        self.places[id.0 as usize].take().expect("a content is taken once: its cell exists once")
    }

    /// Contents in transit.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.places.iter().flatten()
    }

    /// Number of contents in transit.
    pub fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

//! Where the contents of frames and resource-management cells live while their cells travel.
//!
//! Sixteen bytes cannot hold a segment. A rider is put here once, one cell carries its [`RiderId`]
//! — the last one of a frame, or the resource-management cell itself — and whoever reads or
//! discards it takes it out: the receiver, or a queue that drops its cell.

use crate::pdu::{Frame, RiderId, RmCell};

/// All riders of one kind on their way.
#[derive(Debug)]
pub struct Riders<T> {
    places: Vec<Option<T>>,
    free: Vec<u32>,
}

/// Frames on their way.
pub type Frames = Riders<Frame>;
/// Resource-management cells on their way.
pub type RmCells = Riders<RmCell>;

impl<T> Default for Riders<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Riders<T> {
    /// Keeps a rider.
    #[inline]
    pub fn insert(&mut self, rider: T) -> RiderId {
        if let Some(place) = self.free.pop() {
            self.places[place as usize] = Some(rider);
            return RiderId(place);
        }
        self.places.push(Some(rider));
        RiderId(self.places.len() as u32 - 1)
    }

    /// Looks at a rider that is on its way.
    #[inline]
    pub fn look(&self, id: RiderId) -> &T {
        self.places[id.0 as usize].as_ref().expect("the cell that names a rider owns it")
    }

    /// Changes a rider on its way.
    #[inline]
    pub fn look_mut(&mut self, id: RiderId) -> &mut T {
        self.places[id.0 as usize].as_mut().expect("the cell that names a rider owns it")
    }

    /// Ends a rider's journey.
    #[inline]
    pub fn take(&mut self, id: RiderId) -> T {
        self.free.push(id.0);
        self.places[id.0 as usize].take().expect("a rider is taken once: its cell exists once")
    }

    /// How many are on their way.
    pub fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

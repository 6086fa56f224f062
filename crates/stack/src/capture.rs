//! Request for the packets of a run that is driven from outside.

use std::fmt::{self, Debug, Formatter};

use cellway_sim::Continue;
use cellway_sim::capture::{CapturePoints, Kept};

/// Capture of a run that is driven from outside.
pub struct Capture<'w> {
    /// Points at which packets are captured.
    pub points: CapturePoints,
    /// Part of a packet that is kept.
    pub kept: Kept,
    /// Takes the pieces of a pcapng file, in order, and may cancel. The driver waits for it.
    pub write: &'w mut dyn FnMut(&[u8]) -> Continue,
}

impl Debug for Capture<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        to.debug_struct("Capture").field("points", &self.points).finish_non_exhaustive()
    }
}

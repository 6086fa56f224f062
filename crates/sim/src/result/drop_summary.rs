//! Lost cells and packets of a port or circuit, by cause.

use serde::Serialize;

use super::summary::is_zero;
use super::{Drops, Shaped};

/// Lost cells (or packets) by cause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct DropSummary {
    /// The buffer was full.
    pub overflow: u64,
    /// An earlier cell of the frame was lost.
    pub partial_frame: u64,
    /// The whole frame was refused.
    pub early_frame: u64,
    /// ACKs that a later one replaces, at a port with an ACK filter; absent without any.
    #[serde(skip_serializing_if = "is_zero")]
    pub redundant_acks: u64,
}

impl From<Drops> for DropSummary {
    fn from(drops: Drops) -> Self {
        Self {
            overflow: drops.overflow,
            partial_frame: drops.partial_frame,
            early_frame: drops.early_frame,
            redundant_acks: drops.redundant_acks,
        }
    }
}

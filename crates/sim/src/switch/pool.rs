//! Memory that all ports of a switch share.

/// A shared buffer. Only here must every port be brought up to date before one of them admits a cell.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    /// Cells or packets that fit.
    pub room: u64,
    /// Cells or packets at all ports together, as of the present arrival.
    pub occupancy: u64,
}

//! The parts of a scenario file, each declared once: type, keys, meaning, reading, writing, own
//! checks.

pub(crate) mod drop;
pub(super) mod gfr;
pub(super) mod rate_of_cells;
pub(super) mod scheduler;
pub(super) mod threshold;

//! The parts of a scenario file, each declared once: type, keys, meaning, reading, writing, own
//! checks.

pub(crate) mod gfr;
pub(crate) mod rate_of_cells;

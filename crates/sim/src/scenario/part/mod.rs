//! The parts of a scenario file, each declared once: type, keys, meaning, reading, writing, own checks.

pub(super) mod drop;
pub(super) mod threshold;

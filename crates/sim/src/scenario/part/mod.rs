//! The parts of a scenario file, each declared once: type, keys, meaning, reading, writing, own
//! checks.

pub(super) mod abr;
pub(crate) mod drop;
pub(super) mod gfr;
pub(super) mod scheduler;
pub(super) mod service;
pub(super) mod threshold;

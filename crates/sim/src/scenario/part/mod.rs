//! The parts of a scenario file, each declared once: type, keys, meaning, reading, writing, own
//! checks.

pub(crate) mod abr;
pub(crate) mod drop;
pub(crate) mod gfr;
pub(crate) mod scheduler;
pub(crate) mod service;
pub(crate) mod threshold;

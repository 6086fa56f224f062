//! The sections and keys of a scenario file as tables.

pub(super) mod edge;
pub(super) mod sections;

//! The sections and keys of a scenario file as tables.

pub(crate) mod edge;
pub(crate) mod rate_control;
pub(crate) mod sections;

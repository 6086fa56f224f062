//! The language as one static table: it reads files, words errors, checks `--set` and writes the reference.

pub(super) mod buffer_management;
pub(super) mod edge;
pub(super) mod gfr;
pub(super) mod keys;
pub(super) mod preset;
pub(super) mod rate_control;
pub(super) mod schema;
pub(super) mod sections;
pub(super) mod tcp;

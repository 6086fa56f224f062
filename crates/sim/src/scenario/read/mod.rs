//! From TOML to typed values in range, each at its exact place in the file.

pub(crate) mod cell_time;
pub(crate) mod rate_control;
pub(crate) mod variants;

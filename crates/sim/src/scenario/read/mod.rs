//! From TOML to typed values in range, each at its exact place in the file.

mod cell_time;
mod random_span;
pub(super) mod rate_control;
pub(super) mod variants;
pub(super) mod written;

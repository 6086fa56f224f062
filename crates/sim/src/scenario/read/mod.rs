//! From TOML to typed values in range, each at its exact place in the file.

pub(super) mod buffer_management;
mod cell_time;
pub(super) mod choice;
pub(in crate::scenario) mod family;
mod gfr;
mod path;
pub(super) mod rate_control;
pub(super) mod set;
mod set_member;
pub(super) mod tree;
pub(super) mod values;
pub(super) mod variants;
pub(super) mod written;

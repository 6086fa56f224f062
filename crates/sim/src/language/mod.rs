//! The machinery of a language in TOML that tables of keys define: it reads, writes, describes and
//! sets their values.
//!
//! It knows no scenario. A file is read into a tree that remembers the place of every value
//! ([`tree`]), by the tables of keys ([`keys`]); the same tables check `--set` ([`set`]) and write
//! the reference ([`schema`]).

pub(crate) mod choice;
mod columns;
pub(crate) mod family;
pub(crate) mod fault;
pub(crate) mod faults;
pub(crate) mod interval;
pub(crate) mod key_path;
pub(crate) mod keys;
pub(crate) mod kinds;
pub(crate) mod list_file;
pub(crate) mod milliseconds;
pub(crate) mod part;
mod path;
pub(crate) mod pattern;
pub(crate) mod places;
pub(crate) mod preset;
pub(crate) mod rate_of_cells;
pub(crate) mod schedule;
pub(crate) mod schema;
pub(crate) mod set;
mod set_member;
pub(crate) mod struct_part;
pub(crate) mod syntax;
pub(crate) mod tree;
pub(crate) mod values;
pub(crate) mod variants;

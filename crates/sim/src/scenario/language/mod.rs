//! The keys of traffic as a table.

pub(crate) mod sections;

//! Scenarios that several tests read.

/// Two hosts behind one switch: every kind of section, and variants both as words and as tables.
pub(crate) const MISMATCH: &str = include_str!("mismatch.toml");

/// Families of hosts, links and flows, one-way links and raw cells.
pub(crate) const FAMILIES: &str = include_str!("families.toml");

/// Packets all the way.
pub(crate) const PACKETS: &str = include_str!("packets.toml");

/// Packets, cells, and packets again: two flows in a shared circuit, one each way, and one with
/// circuits of its own.
pub(crate) const EDGES: &str = include_str!("edges.toml");

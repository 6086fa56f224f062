//! Nodes of the topology.

/// A node of the topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeRef {
    /// Index into [`Scenario::hosts`](crate::scenario::Scenario::hosts).
    Host(usize),
    /// Index into [`Scenario::switches`](crate::scenario::Scenario::switches).
    Switch(usize),
    /// Index into [`Scenario::edges`](crate::scenario::Scenario::edges).
    Edge(usize),
}

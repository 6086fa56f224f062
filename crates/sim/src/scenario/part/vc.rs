//! `[vc.NAME]`: one virtual circuit for the cells of several flows.

use crate::language::part::prelude::*;
use crate::scenario::part::service::Service;

part! {
    /// `[vc.NAME]` as a file has it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct VcSection {
        /// Unique name, which no flow has either.
        name: String = name,
        /// The two edges that it joins, in both directions.
        between: [String; 2] = required("[\"west\", \"east\"]") as Kind::Nodes,
        /// How the network carries its cells; a pace applies to both directions.
        service: Service =
            default("ubr", "{ abr = { buffer = { tail = \"2000 cell\" } } }"),
    }
}

/// One virtual circuit, with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Vc {
    /// Unique name, which no flow has either.
    pub name: String,
    /// Indices of the edges that it joins.
    pub between: [usize; 2],
    /// How the network carries it.
    pub service: Service,
    /// Indices of the links from the first of the edges to the second.
    pub path: Vec<usize>,
    /// Indices of the links back.
    pub reverse_path: Vec<usize>,
}

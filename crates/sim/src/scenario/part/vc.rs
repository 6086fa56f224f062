//! `[vc.NAME]`: one virtual circuit for the cells of several flows.

use std::ops::Deref;

use crate::language::part::prelude::*;
use crate::scenario::part::service::Service;

part! {
    /// `[vc.NAME]` as a file has it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct VcSection {
        /// Unique name, different from those of all flows.
        name: String = name,
        /// The two edges that it joins, in both directions.
        between: [String; 2] = required("[\"west\", \"east\"]") as Kind::Nodes,
        /// Service of its cells; a pace applies to both directions.
        service: Service =
            default("ubr", "{ abr = { buffer = { tail = \"2000 cell\" } } }"),
    }
}

impl VcSection {
    /// Makes a virtual circuit on UBR.
    pub fn between(one: &str, other: &str) -> Self {
        let between = [one.to_owned(), other.to_owned()];
        Self { name: String::new(), between, service: Service::default() }
    }
}

/// A shared virtual circuit with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Vc {
    /// Its section.
    pub section: VcSection,
    /// Indices of the edges that it joins.
    pub edges: [usize; 2],
    /// Indices of the links from the first of the edges to the second.
    pub path: Vec<usize>,
    /// Indices of the links back.
    pub reverse_path: Vec<usize>,
}

impl Deref for Vc {
    type Target = VcSection;

    fn deref(&self) -> &VcSection {
        &self.section
    }
}

//! Where on a path a flow is cells, and where it is packets.

use std::ops::Range;

use super::resolved::{Carries, Link, NodeRef, Scenario};
use crate::units::Span;

impl Carries {
    pub(crate) const fn is_of_cells(&self) -> bool {
        matches!(self, Self::Cells { .. })
    }
}

impl Link {
    pub(crate) fn is_of_cells(&self) -> bool {
        self.carries.is_of_cells()
    }
}

impl Scenario {
    /// Which hops of a path carry cells. A path has one run of them at most: the scenario was
    /// checked for it.
    pub(crate) fn cell_hops(&self, path: &[usize]) -> Range<usize> {
        let is_of_cells = |link: &usize| self.links[*link].is_of_cells();
        let start = path.iter().position(is_of_cells).unwrap_or(path.len());
        start..start + path[start..].iter().take_while(|link| is_of_cells(link)).count()
    }

    /// The links of a path that carry cells.
    pub(crate) fn cell_links<'p>(&self, path: &'p [usize]) -> &'p [usize] {
        &path[self.cell_hops(path)]
    }

    /// What a node is called.
    pub(crate) fn name_of(&self, node: NodeRef) -> &str {
        match node {
            NodeRef::Host(index) => &self.hosts[index].name,
            NodeRef::Switch(index) => &self.switches[index].name,
            NodeRef::Edge(index) => &self.edges[index].name,
        }
    }

    /// What a direction of a link is called: the second one of a duplex link shares the first
    /// one's name in the file.
    pub fn name_of_link(&self, link: usize) -> String {
        let name = &self.links[link].name;
        if self.is_second_direction(link) { format!("{name} back") } else { name.clone() }
    }

    /// Whether a link is the second direction of a duplex link, which shares the first one's name.
    pub(crate) fn is_second_direction(&self, link: usize) -> bool {
        link > 0 && self.links[link - 1].name == self.links[link].name
    }

    /// The shortest propagation of a link, and the processing delay of the node it leads to.
    pub(crate) fn passage(&self, link: usize) -> Span {
        let link = &self.links[link];
        link.delay.min() + self.processing_of(link.to)
    }

    /// How long a node looks at what it forwards.
    pub(crate) fn processing_of(&self, node: NodeRef) -> Span {
        match node {
            NodeRef::Host(_) => Span::ZERO,
            NodeRef::Switch(index) => self.switches[index].delay,
            NodeRef::Edge(index) => self.edges[index].delay,
        }
    }
}

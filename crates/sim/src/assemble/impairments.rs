//! What a line does to its units, each direction of a duplex link by itself.

use super::Assembly;
use crate::engine::Stream;
use crate::link::{Impairment, Site};

impl Assembly<'_> {
    /// The impairments of a link, in order.
    pub(super) fn impairments(&self, link: usize) -> Vec<Box<dyn Impairment>> {
        let Some(impairments) = &self.scenario.links[link].impairments else { return Vec::new() };
        let name = &self.scenario.links[link].name;
        let direction = if self.scenario.is_second_direction(link) { "back" } else { "there" };
        let stream = |of: &str| {
            Stream::new(self.scenario.run.seed, &format!("link {name} {direction} {of}"))
        };
        let site = Site { stream: &stream, transmission: self.transmission(link) };
        impairments.0.iter().map(|plan| plan.build(&site)).collect()
    }
}

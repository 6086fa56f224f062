//! Rates of links whose capacity varies: known without a run.

use super::resolved::Scenario;
use crate::engine::Stream;
use crate::link::capacity::Capacity;
use crate::units::{Rate, Span, Time};

impl Scenario {
    /// The rate of a link over time, which remembers its past for `memory`; `None` for a constant
    /// rate. It depends on the process, the seed, and the name and direction of the link, and on
    /// nothing else of the scenario.
    pub fn capacity_of(&self, link: usize, memory: Span) -> Option<Capacity> {
        let capacity = self.links[link].capacity.as_ref()?;
        let direction = if self.is_second_direction(link) { "back" } else { "there" };
        let name = format!("link {} {direction} capacity", self.links[link].name);
        Some(capacity.path(Stream::new(self.run.seed, &name), memory))
    }

    /// The rates of a link, each with the instant from which it holds, over the whole run; the
    /// first at zero.
    pub fn capacity_steps(&self, link: usize) -> Option<impl Iterator<Item = (Time, Rate)>> {
        let mut path = self.capacity_of(link, Span::ZERO)?;
        let end = Time::ZERO + self.run.duration;
        let mut next = Some(Time::ZERO);
        Some(std::iter::from_fn(move || {
            let at = next.filter(|&at| at < end)?;
            let rate = path.rate_at(at);
            next = Some(path.next_change(at));
            Some((at, rate))
        }))
    }
}

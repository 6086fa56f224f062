//! Listed writes, each with its instant: from a trace, or by hand.

use super::application::{Application, Offer, Writes};
use super::size::MAX_TOTAL;
use super::source::Site;
use crate::language::part::prelude::*;
use crate::language::schedule::Schedule;
use crate::units::{Bytes, Time};

part! {
    /// Parameters of listed writes.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SchedulePlan {
        /// Sizes of writes with their times, counted from the start of the flow.
        writes: Schedule<Bytes> = required("[[\"0 s\", \"10 kB\"], [\"1.5 s\", \"2 kB\"]]")
            as Kind::Schedule { value: &Kind::Size { min: 1, max: MAX_TOTAL }, holds: false },
    }
}

impl Writes for SchedulePlan {
    type Application = Box<ListedWrites>;

    fn application(&self, site: &Site<'_>) -> Box<ListedWrites> {
        let total = self.writes.pairs().iter().map(|(_, size)| size.0).sum();
        let writes = self.writes.clone();
        Box::new(ListedWrites { start: site.start, writes, next: 0, total })
    }
}

/// Writes at listed instants.
#[derive(Clone, Debug)]
pub struct ListedWrites {
    start: Time,
    writes: Schedule<Bytes>,
    /// Index of the next write in the list.
    next: usize,
    total: u64,
}

impl ListedWrites {
    fn due(&self) -> Time {
        let next = self.writes.pairs().get(self.next);
        next.map_or(Time::MAX, |(at, _)| self.start.saturating_add(*at))
    }
}

impl Application for Box<ListedWrites> {
    fn poll(&mut self, now: Time, _acked: u64) -> Offer {
        let mut bytes = 0;
        while self.due() <= now && self.next < self.writes.pairs().len() {
            bytes += self.writes.pairs()[self.next].1.0;
            self.next += 1;
        }
        Offer::bytes(bytes).and_again_at(self.due())
    }

    fn is_through(&self, acked: u64) -> bool {
        acked >= self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;
    use crate::traffic::Asked;
    use crate::units::Span;

    #[test]
    fn writes_come_at_their_instants_after_the_start() {
        let milliseconds = Span::from_milliseconds;
        let writes = [(0, 10), (5, 20), (5, 30), (9, 40)];
        let writes = writes.map(|(at, size)| (milliseconds(at), Bytes(size)));
        let plan = SchedulePlan { writes: Schedule::new(writes) };
        let start = Time::ZERO + milliseconds(100);
        let mut found = plan.application(&Site {
            start,
            stop: Time::MAX,
            send_buffer: None,
            asked: &Asked::default(),
            stream: &|name| Stream::new(1, name),
        });
        let at = |ms| start + milliseconds(ms);
        assert_eq!(found.poll(at(0), 0), Offer::bytes(10).and_again_at(at(5)));
        assert_eq!(found.poll(at(3), 0), Offer::bytes(0).and_again_at(at(5)));
        assert_eq!(found.poll(at(7), 0), Offer::bytes(50).and_again_at(at(9)));
        assert_eq!(found.poll(at(9), 60), Offer::bytes(40));
        assert_eq!([99, 100].map(|acked| found.is_through(acked)), [false, true]);
    }
}

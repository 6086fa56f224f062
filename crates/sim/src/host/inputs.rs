//! The incoming links of a node where virtual circuits terminate.

use crate::engine::{InPort, Io, LinkId, Tournament};
use crate::pdu::Cell;
use crate::units::Time;

/// Links, merged in time order.
#[derive(Debug)]
pub struct Inputs {
    links: Vec<LinkId>,
    heads: Tournament,
}

impl Inputs {
    /// Nothing has arrived.
    pub fn new(links: Vec<LinkId>) -> Self {
        Self { heads: Tournament::new(links.len()), links }
    }

    /// When the next cell arrives.
    #[inline]
    pub fn next(&self) -> Time {
        self.heads.min().0
    }

    /// An empty link got its first cell.
    #[inline]
    pub fn on_head(&mut self, port: InPort, at: Time) {
        self.heads.lower(port.0 as usize, at);
    }

    /// Takes cells of the link that is next, before `until` and the next of another link, up to the
    /// end of a frame or an RM cell; that one, which `on_body` has not seen. It sees the first of
    /// cells that are alike, and how many they are.
    #[inline]
    pub fn take(
        &mut self,
        until: Time,
        io: &mut Io,
        mut on_body: impl FnMut(Cell, u32),
    ) -> Option<Cell> {
        let (first, input) = self.heads.min();
        let until = until.min(self.heads.reign(input));
        let link = io.incoming(self.links[input]);
        let carries_trains = link.carries_trains;
        let mut ended = None;
        while link.head() < until || link.head() == first {
            if carries_trains && link.has_train() {
                let train = link.take_train(until);
                on_body(train.first, train.count);
                continue;
            }
            let Some(cell) = link.take_alone() else { break };
            if cell.head.is_end_of_frame() || cell.head.is_rm() {
                ended = Some(cell);
                break;
            }
            on_body(cell, 1);
        }
        self.heads.set(input, link.head());
        ended
    }
}

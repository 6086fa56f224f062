//! A source over TCP: its datagrams are written to the connection.
//!
//! The instants are those of the source. Data that its connection cannot send at once wait in the
//! send buffer, which has no limit; so a source faster than its connection falls behind further and
//! further.

use super::application::{Application, Offer};
use super::size::Size;
use super::source::Instants;
use crate::engine::Stream;
use crate::units::Time;

/// Writes at instants of their own.
#[derive(Debug)]
pub struct TimedWrites {
    instants: Instants,
    size: Size,
    /// Stream of the sizes, if they are drawn.
    stream: Stream,
}

impl TimedWrites {
    /// Makes writes, none written yet.
    pub const fn new(instants: Instants, size: Size, stream: Stream) -> Self {
        Self { instants, size, stream }
    }
}

impl Application for TimedWrites {
    fn poll(&mut self, now: Time, _acked: u64) -> Offer {
        let mut bytes = 0;
        while self.instants.next() <= now && self.instants.next() < Time::MAX {
            self.instants.emit();
            bytes += self.size.draw(&mut self.stream);
        }
        Offer::bytes(bytes).and_again_at(self.instants.next())
    }
}

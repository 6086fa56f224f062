//! One direction of a game of quick actions: a small packet in each interval, late after 50 ms.
//!
//! Source: Claypool and Claypool, *Latency and Player Actions in Online Games*, Communications of
//! the ACM 49 (2006): players of first-person games notice 100 ms from the action to what they see;
//! a half of it for each direction is an assumption of ours. So are packets of 100 B and 62.5 of
//! them in a second, as servers of 60 ticks a second send; published traces have 20 to 60 a second
//! of 60 to 250 B (Färber 2002 for Counter-Strike).
//!
//! Departure: packets have one size unless a distribution is given, and no player leaves.

use super::live::{Live, LivePlan};
use super::size::{DATAGRAM_SIZE, Size};
use crate::language::part::prelude::*;
use crate::units::Span;

part! {
    /// Parameters of a game of quick actions.
    #[derive(Clone, Debug, PartialEq)]
    pub struct GamePlan {
        /// Bytes of each packet: a UDP datagram, or with `tcp` a write.
        packet: Size = default("100 B", "\"60 B\"") as DATAGRAM_SIZE,
        /// Time from one packet to the next.
        interval: Span = default("16 ms", "\"50 ms\"") as POSITIVE_TIME,
    }
}

/// A game of quick actions as a source.
pub type Game = Live<GamePlan>;

impl LivePlan for GamePlan {
    fn packet(&self) -> &Size {
        &self.packet
    }

    fn interval(&self) -> Span {
        self.interval
    }

    fn deadline(&self) -> Span {
        Span::from_milliseconds(50)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::sends::Sends;
    use crate::traffic::source::Source;
    use crate::units::{Bytes, Rate};

    #[test]
    fn a_game_is_50_kbits() {
        let game = Game::new(defaults::<GamePlan>()).without_transport();
        let rate = Rate::from_bits_per_second(50_000);
        assert_eq!(*game.sends(), Sends::datagrams(rate, Size::Fixed(Bytes(100))));
        assert_eq!(game.deadline(), Some(Span::from_milliseconds(50)));
    }
}

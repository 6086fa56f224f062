//! One direction of a call: a packet in each interval, late after 150 ms.
//!
//! Source: ITU-T G.114 (2003): with 150 ms from mouth to ear or less most users are not affected.
//! Packets are those of G.711: 160 B in 20 ms, 64 kbit/s, without silence suppression, which
//! [voice](super::voice) has.
//!
//! Departures: the 150 ms are those of the network alone; coding, packets and the playout buffer
//! take a part of them, which a `deadline` of the flow subtracts. A packet of 1200 B in 8 ms is a
//! video call of 1.2 Mbit/s without its frames.

use super::live::{Live, LivePlan};
use super::size::{DATAGRAM_SIZE, Size};
use crate::language::part::prelude::*;
use crate::units::Span;

part! {
    /// Parameters of a call.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CallPlan {
        /// Bytes of each packet: a UDP datagram, or with `tcp` a write.
        packet: Size = default("160 B", "\"1200 B\"") as DATAGRAM_SIZE,
        /// Time from one packet to the next.
        interval: Span = default("20 ms", "\"8 ms\"") as POSITIVE_TIME,
    }
}

/// A call as a source.
pub type Call = Live<CallPlan>;

impl LivePlan for CallPlan {
    fn packet(&self) -> &Size {
        &self.packet
    }

    fn interval(&self) -> Span {
        self.interval
    }

    fn deadline(&self) -> Span {
        Span::from_milliseconds(150)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::sends::Sends;
    use crate::traffic::source::Source;
    use crate::units::{Bytes, Rate};

    #[test]
    fn a_call_is_64_kbits() {
        let call = Call::new(defaults::<CallPlan>()).without_transport();
        let rate = Rate::from_bits_per_second(64_000);
        assert_eq!(*call.sends(), Sends::datagrams(rate, Size::Fixed(Bytes(160))));
        assert_eq!(call.deadline(), Some(Span::from_milliseconds(150)));
    }
}

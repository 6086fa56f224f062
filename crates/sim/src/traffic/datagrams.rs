//! A source of UDP datagrams: instants and sizes.

use super::size::Size;
use super::source::Instants;
use crate::engine::Stream;
use crate::pdu::{Packet, Segment};
use crate::units::Time;

/// A source of datagrams, which it numbers from 0.
#[derive(Debug)]
pub struct DatagramSource {
    instants: Instants,
    size: Size,
    /// Of the sizes, if they are drawn.
    stream: Stream,
    sent_bytes: u64,
}

impl DatagramSource {
    /// Nothing sent yet.
    pub const fn new(instants: Instants, size: Size, stream: Stream) -> Self {
        Self { instants, size, stream, sent_bytes: 0 }
    }

    /// When the next datagram is due.
    #[inline]
    pub fn next(&self) -> Time {
        self.instants.next()
    }

    /// Datagrams sent.
    pub fn sent(&self) -> u64 {
        self.instants.sent()
    }

    /// Bytes of payload sent.
    pub fn sent_bytes(&self) -> u64 {
        self.sent_bytes
    }

    /// Sends the datagram that is due, and when that is. In the place of a segment's sequence
    /// number it has its own.
    pub fn emit(&mut self) -> (Time, Packet) {
        let (seq, len) = (self.sent(), self.size.draw(&mut self.stream));
        self.sent_bytes += len;
        let segment = Segment { seq, len: len as u16, ..Segment::default() };
        (self.instants.emit(), Packet::datagram(segment))
    }
}

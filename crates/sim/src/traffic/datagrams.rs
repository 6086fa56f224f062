//! A source of UDP datagrams: instants and sizes.

use super::frames::Sizes;
use super::source::Instants;
use crate::pdu::{IpVersion, Packet, Segment};
use crate::units::Time;

/// A source of datagrams, which it numbers from 0.
#[derive(Debug)]
pub struct DatagramSource {
    instants: Instants,
    sizes: Sizes,
    ip: IpVersion,
    sent_bytes: u64,
}

impl DatagramSource {
    /// Makes a source that has sent nothing yet.
    pub const fn new(instants: Instants, sizes: Sizes, ip: IpVersion) -> Self {
        Self { instants, sizes, ip, sent_bytes: 0 }
    }

    /// The instant at which the next datagram is due.
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

    /// Sends the datagram that is due; returns its instant and the datagram. The datagram has its
    /// number in the place of a segment's sequence number.
    pub fn emit(&mut self) -> (Time, Packet) {
        let (seq, len) = (self.sent(), self.sizes.draw());
        self.sent_bytes += len;
        let segment = Segment { seq, len: len as u16, ..Segment::default() };
        (self.instants.emit(), Packet::datagram(segment, self.ip))
    }
}

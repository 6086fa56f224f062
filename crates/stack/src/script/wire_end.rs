//! The script's own end of the connection: its packets as octets, and those of the stack as
//! packets of a script, with numbers that count from the SYNs.

use std::net::SocketAddrV4;

use super::option::TcpOption;
use super::packet::{self, Ecn, Packet};
use crate::stack::{Greeting, StackError};
use crate::wire::{self, Header, octet_at};

/// Number of the script's SYN.
const OWN: u32 = 0x7a5c_0000;

/// Numbers of both ends.
#[derive(Debug)]
pub(super) struct WireEnd {
    own: SocketAddrV4,
    peer: SocketAddrV4,
    /// Number of the stack's SYN, once it has come.
    peer_first: Option<u32>,
    /// Value of the stack's clock less that of the script.
    clock: Option<u32>,
    packets: u16,
}

impl WireEnd {
    /// Makes the end that a stack with this greeting talks to.
    pub(super) fn new(greeting: &Greeting) -> Self {
        Self { own: greeting.peer, peer: greeting.own, peer_first: None, clock: None, packets: 0 }
    }

    /// Octets of a packet that the script sends.
    pub(super) fn encode(&mut self, packet: &Packet) -> Vec<u8> {
        let peer = self.peer_first.unwrap_or(0);
        let options = packet.options.iter().flatten();
        let mut octets: Vec<u8> =
            options.flat_map(|option| self.outward(option).octets()).collect();
        octets.resize(octets.len().next_multiple_of(4), 0);
        let header = Header {
            seq: OWN.wrapping_add(packet.seq),
            ack: packet.ack.map_or(0, |ack| peer.wrapping_add(ack)),
            flags: packet.flags,
            window: packet.window.unwrap_or(0),
            ..Header::default()
        };
        self.packets = self.packets.wrapping_add(1);
        let first = u64::from(packet.seq.saturating_sub(1));
        wire::assemble(
            [self.own, self.peer],
            &wire::Parts {
                header: &header,
                ecn: packet.ecn.map_or(0, Ecn::value),
                options: &octets,
                id: self.packets,
                place: first,
                length: packet.length as usize,
            },
        )
    }

    /// An option of the script with the numbers of the wire.
    fn outward(&self, option: &TcpOption) -> TcpOption {
        let peer = self.peer_first.unwrap_or(0);
        match option {
            TcpOption::Sack(blocks) => {
                let block = |(start, end): &(u32, u32)| {
                    (peer.wrapping_add(*start), peer.wrapping_add(*end))
                };
                TcpOption::Sack(blocks.iter().map(block).collect())
            }
            TcpOption::Timestamps { value, echo } if *echo != 0 => TcpOption::Timestamps {
                value: *value,
                echo: echo.wrapping_add(self.clock.unwrap_or(0)),
            },
            other => other.clone(),
        }
    }

    /// A packet of the stack in numbers of the script. `expected` ties the clocks of timestamps
    /// together, if they are not yet.
    pub(super) fn decode(
        &mut self,
        octets: &[u8],
        expected: Option<&Packet>,
    ) -> Result<Packet, StackError> {
        let (sockets, header, payload) = wire::decode(octets)?;
        if sockets != [self.peer, self.own] {
            let [from, to] = sockets;
            return Err(StackError::new(format!("a packet from {from} to {to}")));
        }
        let has = |flag| header.flags & flag != 0;
        if has(packet::SYN) && self.peer_first.is_none() {
            self.peer_first = Some(header.seq);
        }
        let seq = header.seq.wrapping_sub(self.peer_first.unwrap_or(0));
        let start = 4 * usize::from(octets[0] & 0x0f) + 20;
        let options = TcpOption::decode_all(&octets[start..octets.len() - payload.len()]);
        self.tie(&options, expected);
        for (index, octet) in payload.iter().enumerate() {
            let place = u64::from(seq) + index as u64 - u64::from(seq > 0);
            if *octet != octet_at(place) {
                return Err(StackError::new(format!("octet {place} of its stream is wrong")));
            }
        }
        Ok(Packet {
            ecn: Some(Ecn::Is(octets[1] & 3)),
            flags: header.flags,
            seq,
            length: payload.len() as u32,
            ack: has(packet::ACK).then(|| header.ack.wrapping_sub(OWN)),
            window: Some(header.window),
            options: Some(options.into_iter().map(|option| self.inward(option)).collect()),
        })
    }

    fn tie(&mut self, options: &[TcpOption], expected: Option<&Packet>) {
        let value = |options: &[TcpOption]| {
            options.iter().find_map(|option| match option {
                TcpOption::Timestamps { value, .. } => Some(*value),
                _ => None,
            })
        };
        let expected = expected.and_then(|packet| value(packet.options.as_ref()?));
        if let (None, Some(actual), Some(said)) = (self.clock, value(options), expected) {
            self.clock = Some(actual.wrapping_sub(said));
        }
    }

    /// An option of the stack with the numbers of the script.
    fn inward(&self, option: TcpOption) -> TcpOption {
        match option {
            TcpOption::Sack(blocks) => {
                let block =
                    |(start, end): (u32, u32)| (start.wrapping_sub(OWN), end.wrapping_sub(OWN));
                TcpOption::Sack(blocks.into_iter().map(block).collect())
            }
            TcpOption::Timestamps { value, echo } => {
                TcpOption::Timestamps { value: value.wrapping_sub(self.clock.unwrap_or(0)), echo }
            }
            other => other,
        }
    }
}

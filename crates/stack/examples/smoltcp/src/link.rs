//! Device of smoltcp that keeps packets for the next turn.

use std::collections::VecDeque;

use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

/// Packets that have arrived, and those to send.
pub(crate) struct Link {
    pub(crate) mtu: usize,
    pub(crate) arrived: VecDeque<Vec<u8>>,
    pub(crate) sent: Vec<Vec<u8>>,
}

/// A packet that smoltcp takes.
pub(crate) struct Arrived(Vec<u8>);

/// Room for a packet that smoltcp sends.
pub(crate) struct Room<'a>(&'a mut Vec<Vec<u8>>);

impl Device for Link {
    type RxToken<'a> = Arrived;
    type TxToken<'a> = Room<'a>;

    fn receive(&mut self, _now: Instant) -> Option<(Arrived, Room<'_>)> {
        let packet = self.arrived.pop_front()?;
        Some((Arrived(packet), Room(&mut self.sent)))
    }

    fn transmit(&mut self, _now: Instant) -> Option<Room<'_>> {
        Some(Room(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut able = DeviceCapabilities::default();
        able.medium = Medium::Ip;
        able.max_transmission_unit = self.mtu;
        able
    }
}

impl RxToken for Arrived {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, take: F) -> R {
        take(&self.0)
    }
}

impl TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, octets: usize, fill: F) -> R {
        let mut packet = vec![0; octets];
        let filled = fill(&mut packet);
        self.0.push(packet);
        filled
    }
}

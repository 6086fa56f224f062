//! The tap, which captures packets at hosts.

use crate::engine::Io;
use crate::pdu::{Captured, Frame};
use crate::units::Time;

/// Interfaces at which packets of each direction of each flow are captured; shared by all hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tap {
    /// Interfaces for packets handed to them; by [`Frame::direction`].
    pub sent: Vec<Option<u32>>,
    /// Interfaces for packets that have arrived whole; likewise.
    pub received: Vec<Option<u32>>,
}

impl Tap {
    /// Captures a packet that a host hands to its interface, or has received whole.
    #[inline(never)]
    pub(super) fn note(&self, at: Time, frame: Frame, is_sent: bool, io: &mut Io) {
        let interfaces = if is_sent { &self.sent } else { &self.received };
        if let Some(&Some(interface)) = interfaces.get(frame.direction as usize) {
            io.capture(Captured { at, interface, is_sent, frame });
        }
    }
}

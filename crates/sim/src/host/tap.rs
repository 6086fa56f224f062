//! Where the packets of a host are captured.

use std::sync::Arc;

use crate::engine::Io;
use crate::pdu::{Captured, Frame};
use crate::units::Time;

/// The interfaces at which packets of each direction of each flow are captured; shared by all
/// hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tap {
    /// As they are handed to the interface; by [`Frame::direction`].
    pub sent: Vec<Option<u32>>,
    /// As they have arrived whole; likewise.
    pub received: Vec<Option<u32>>,
}

impl Tap {
    /// A host hands a packet to its interface.
    #[inline(never)]
    pub(super) fn on_sent(&self, at: Time, frame: Frame, io: &mut Io) {
        if let Some(interface) = of(&self.sent, &frame) {
            io.capture(Captured { at, interface, is_sent: true, frame });
        }
    }

    /// A packet has arrived at its host.
    #[inline(never)]
    pub(super) fn on_received(&self, at: Time, frame: Frame, io: &mut Io) {
        if let Some(interface) = of(&self.received, &frame) {
            io.capture(Captured { at, interface, is_sent: false, frame });
        }
    }
}

fn of(interfaces: &[Option<u32>], frame: &Frame) -> Option<u32> {
    interfaces.get(frame.direction as usize).copied().flatten()
}

/// What a host has of it; `None`: nothing is captured.
pub(super) type Tapped = Option<Arc<Tap>>;

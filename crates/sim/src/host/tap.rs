//! Where the packets of a host are captured.

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
    /// A host hands a packet to its interface, or has received it whole.
    #[inline(never)]
    pub(super) fn note(&self, at: Time, frame: Frame, is_sent: bool, io: &mut Io) {
        let interfaces = if is_sent { &self.sent } else { &self.received };
        if let Some(&Some(interface)) = interfaces.get(frame.direction as usize) {
            io.capture(Captured { at, interface, is_sent, frame });
        }
    }
}

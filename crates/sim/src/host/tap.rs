//! The tap, which captures packets at hosts.

use crate::engine::Io;
use crate::pdu::{Captured, CapturedUnit, Cell, Frame, RmCell};
use crate::units::Time;

/// Interfaces at which packets of each direction of each flow are captured; shared by all hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tap {
    /// Interfaces for packets handed to them; by [`Frame::direction`].
    pub sent: Vec<Option<u32>>,
    /// Interfaces for packets that have arrived whole; likewise.
    pub received: Vec<Option<u32>>,
    /// True if RM cells are captured, too.
    pub has_rm_cells: bool,
}

impl Tap {
    /// Captures a packet that a host hands to its interface, or has received whole.
    #[inline(never)]
    pub(super) fn note(&self, at: Time, frame: Frame, is_sent: bool, io: &mut Io) {
        let interfaces = if is_sent { &self.sent } else { &self.received };
        if let Some(&Some(interface)) = interfaces.get(frame.direction as usize) {
            io.capture(Captured { at, interface, is_sent, unit: CapturedUnit::Frame(frame) });
        }
    }

    /// Captures an RM cell of a host's own VC, whose number is the direction of its flow.
    #[inline(never)]
    pub(super) fn note_rm(&self, rm: Cell, content: &RmCell, is_sent: bool, io: &mut Io) {
        let interfaces = if is_sent { &self.sent } else { &self.received };
        if let Some(&Some(interface)) = interfaces.get(rm.head.vc() as usize) {
            let (direction, clp) = (rm.head.vc(), rm.head.is_low_priority());
            let unit = CapturedUnit::Rm { direction, clp, cell: *content };
            io.capture(Captured { at: rm.at, interface, is_sent, unit });
        }
    }
}

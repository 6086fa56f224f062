//! Routes by which an edge forwards the packets of flows.

use crate::engine::Io;
use crate::host::Origin;
use crate::pdu::{Cell, CellHead, Frame};
use crate::units::Time;

/// The route of one direction of one flow.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Output to the next link.
    pub output: Output,
    /// VC in which the flow continues.
    pub vc: u32,
    /// Index of that VC among the origins here; `None` if the VC originates elsewhere.
    pub origin: Option<usize>,
}

/// Interface or port to the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Interface that cuts packets into cells.
    Cells {
        /// Index among the interfaces.
        nic: usize,
    },
    /// Port with a queue of packets.
    Packets {
        /// Index among the ports.
        port: usize,
        /// Index of the VC in the per-VC state of that port.
        slot: u32,
    },
}

impl Route {
    /// Frame that carries the packet from here on.
    #[inline]
    pub(super) fn frame(&self, frame: Frame, cells: u32, origins: &mut [Origin]) -> Frame {
        let begun = self.origin.map(|place| origins[place].next_number(cells));
        Frame { number: begun.unwrap_or(frame.number), cells, ..frame }
    }

    /// Packet as it arrives at its output.
    #[inline]
    pub(super) fn packet(&self, at: Time, frame: Frame, io: &mut Io) -> Cell {
        let ecn = frame.segment.ecn;
        Cell { at, head: CellHead::end_of_frame(self.vc, io.frames.insert(frame).0).with_ecn(ecn) }
    }
}

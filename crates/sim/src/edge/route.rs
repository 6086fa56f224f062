//! Where the packets of a flow are forwarded from an edge.

use crate::engine::Io;
use crate::host::Origin;
use crate::pdu::{Cell, CellHead, Frame};
use crate::units::Time;

/// The route of one direction of one flow.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Onto which link.
    pub output: Output,
    /// The VC that it continues in.
    pub vc: u32,
    /// The place of that VC among those that originate here; `None`: its packets have only passed.
    pub origin: Option<usize>,
}

/// What leads to the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// An interface that cuts packets into cells.
    Cells {
        /// Its place among the interfaces.
        nic: usize,
    },
    /// An output with a queue of packets.
    Packets {
        /// Its place among the outputs.
        port: usize,
        /// The VC's own place in that output's per-VC state.
        slot: u32,
    },
}

impl Route {
    /// A packet as the frame that it is from here on.
    #[inline]
    pub(super) fn frame(&self, frame: Frame, cells: u32, origins: &mut [Origin]) -> Frame {
        let begun = self.origin.map(|place| origins[place].next_number(cells));
        Frame { number: begun.unwrap_or(frame.number), cells, ..frame }
    }

    /// A packet that arrives at its output.
    #[inline]
    pub(super) fn packet(&self, at: Time, frame: Frame, io: &mut Io) -> Cell {
        let ecn = frame.segment.ecn;
        Cell { at, head: CellHead::end_of_frame(self.vc, io.frames.insert(frame).0).with_ecn(ecn) }
    }
}

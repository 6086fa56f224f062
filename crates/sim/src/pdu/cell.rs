//! Cells and packets on a link.

use super::{ContentId, Ecn};
use crate::units::Time;

/// A cell, or a whole packet, on a link or in a queue: 16 bytes, so that four share a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Instant at which its last bit is through the receiving node's input stage.
    pub at: Time,
    /// Circuit, flags and tag.
    pub head: CellHead,
}

/// Head of a cell: `vc` in 23 bits, flags in 9, tag in 32.
///
/// The tag of an end of frame (and of a packet) or of a resource-management cell is its
/// [`ContentId`](super::ContentId); that of any other cell is the number of the frame it belongs
/// to, by which the receiver notices a frame pieced together from two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellHead(u64);

impl CellHead {
    /// Most virtual circuits of a scenario.
    pub const MAX_VCS: usize = 1 << 23;

    const L4S: u64 = 1 << 23;
    const END_OF_FRAME: u64 = 1 << 24;
    const RAW: u64 = 1 << 25;
    const RM: u64 = 1 << 26;
    const BACKWARD: u64 = 1 << 27;
    /// Brake of ABC, of a unit that is no resource-management cell.
    const BRAKE: u64 = 1 << 27;
    const EFCI: u64 = 1 << 28;
    const CLP: u64 = 1 << 29;
    const BIT_ERROR: u64 = 1 << 30;
    const ECN_CAPABLE: u64 = 1 << 31;
    /// Bits for each ECN field, without its mark.
    const BITS_OF_ECN: [u64; 4] =
        [0, Self::ECN_CAPABLE, Self::ECN_CAPABLE | Self::L4S, Self::ECN_CAPABLE];

    /// A cell that belongs to no frame.
    #[inline]
    pub fn raw(vc: u32) -> Self {
        Self(u64::from(vc) | Self::RAW)
    }

    /// A resource-management cell (payload type 110), which belongs to no frame; `content` is its
    /// content.
    #[inline]
    pub fn rm(vc: u32, content: u32, is_backward: bool) -> Self {
        let direction = if is_backward { Self::BACKWARD } else { 0 };
        Self(u64::from(vc) | Self::RAW | Self::RM | direction | (u64::from(content) << 32))
    }

    /// A cell inside a frame.
    #[inline]
    pub fn body(vc: u32, number: u32) -> Self {
        Self(u64::from(vc) | (u64::from(number) << 32))
    }

    /// The last cell of a frame (AAL5: payload type with the user indication set), or a whole
    /// packet.
    #[inline]
    pub fn end_of_frame(vc: u32, frame: u32) -> Self {
        Self(u64::from(vc) | Self::END_OF_FRAME | (u64::from(frame) << 32))
    }

    /// The virtual circuit.
    #[inline]
    pub fn vc(self) -> u32 {
        self.0 as u32 & 0x007f_ffff
    }

    /// The frame number; of an end of frame or RM cell its [`ContentId`](super::ContentId).
    #[inline]
    pub fn tag(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Head with another frame number, or another [`ContentId`](super::ContentId).
    #[must_use]
    pub fn with_tag(self, tag: u32) -> Self {
        Self((self.0 & 0xffff_ffff) | (u64::from(tag) << 32))
    }

    /// True if the cell belongs to no frame, so that no frame can be discarded partially or early.
    #[inline]
    pub fn is_raw(self) -> bool {
        self.0 & Self::RAW != 0
    }

    /// True if the cell is inside a frame and not its last cell.
    #[inline]
    pub fn is_body(self) -> bool {
        self.0 & (Self::RAW | Self::END_OF_FRAME) == 0
    }

    /// True for a resource-management cell.
    #[inline]
    pub fn is_rm(self) -> bool {
        self.0 & Self::RM != 0
    }

    /// True for a resource-management cell on its way back to its source (DIR = 1).
    #[inline]
    pub fn is_backward_rm(self) -> bool {
        self.0 & Self::BACKWARD != 0
    }

    /// Head of the last cell of the same frame, which carries the frame.
    #[inline]
    #[must_use]
    pub fn ending(self, frame: ContentId) -> Self {
        Self(self.0 & 0xffff_ffff | Self::END_OF_FRAME | (u64::from(frame.0) << 32))
    }

    /// True if a switch on the way was congested (explicit forward congestion indication).
    #[inline]
    pub fn has_efci(self) -> bool {
        self.0 & Self::EFCI != 0
    }

    /// Sets the congestion indication.
    #[inline]
    #[must_use]
    pub fn with_efci(self) -> Self {
        Self(self.0 | Self::EFCI)
    }

    /// Turns *accelerate* into *brake*: ECT(1) into ECT(0), by which the sender of ABC slows down.
    #[must_use]
    pub fn with_brake(self) -> Self {
        Self(self.0 & !Self::L4S | Self::BRAKE)
    }

    /// True if a unit of a packet has a congestion indication or a brake.
    #[inline]
    pub fn is_marked(self) -> bool {
        self.0 & (Self::EFCI | Self::BRAKE) != 0
    }

    /// True if the cell has low priority (CLP = 1), as an out-of-rate resource-management cell has.
    #[inline]
    pub fn is_low_priority(self) -> bool {
        self.0 & Self::CLP != 0
    }

    /// Sets CLP = 1.
    #[inline]
    #[must_use]
    pub fn with_low_priority(self) -> Self {
        Self(self.0 | Self::CLP)
    }

    /// True if a bit of the payload is wrong.
    #[inline]
    pub fn has_bit_error(self) -> bool {
        self.0 & Self::BIT_ERROR != 0
    }

    /// Marks a bit of the payload as wrong.
    #[inline]
    #[must_use]
    pub fn with_bit_error(self) -> Self {
        Self(self.0 | Self::BIT_ERROR)
    }

    /// True if the packet, or the packet of this cell, belongs to a transport that reacts to marks
    /// (RFC 3168 §5). A queue that would discard it early may mark it instead.
    #[inline]
    pub fn is_ecn_capable(self) -> bool {
        self.0 & Self::ECN_CAPABLE != 0
    }

    /// Marks the packet as one of such a transport.
    #[inline]
    #[must_use]
    pub fn with_ecn_capable(self) -> Self {
        Self(self.0 | Self::ECN_CAPABLE)
    }

    /// True if the packet, or the packet of this cell, has the identifier of L4S: ECT(1), or ECT(1)
    /// before a mark on this hop (RFC 9331 §4.1).
    #[inline]
    pub fn is_l4s(self) -> bool {
        self.0 & Self::L4S != 0
    }

    /// Head of a cell that carries a part of a packet with this ECN field. Its congestion
    /// indication is about the circuit, not about the path before it.
    #[inline]
    #[must_use]
    pub fn of_packet(self, ecn: Ecn) -> Self {
        Self(self.0 | Self::BITS_OF_ECN[ecn as usize])
    }

    /// Head of a packet with this ECN field.
    #[inline]
    #[must_use]
    pub fn with_ecn(self, ecn: Ecn) -> Self {
        let efci = if ecn == Ecn::Congested { Self::EFCI } else { 0 };
        Self(self.of_packet(ecn).0 | efci)
    }

    /// Bits that are set in `self` or `other`: the indications of both.
    #[inline]
    #[must_use]
    pub const fn joined(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Bits in which the two heads differ.
    #[inline]
    #[must_use]
    pub const fn differing(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// True for the last cell of a frame, which carries the frame, and for a packet.
    #[inline]
    pub fn is_end_of_frame(self) -> bool {
        self.0 & Self::END_OF_FRAME != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_touch_each_other() {
        let head = CellHead::end_of_frame(0x007f_fffe, 0xdead_beef);
        assert_eq!(
            (head.vc(), head.tag(), head.is_end_of_frame()),
            (0x007f_fffe, 0xdead_beef, true)
        );
        assert!(!CellHead::body(u32::from(u16::MAX), u32::MAX).is_end_of_frame());
        assert_eq!(head.with_tag(7), CellHead::end_of_frame(0x007f_fffe, 7));
        let rm = CellHead::rm(0x007f_fffe, 0xdead_beef, true).with_low_priority();
        assert_eq!(
            (rm.vc(), rm.tag(), rm.is_raw(), rm.is_backward_rm()),
            (0x007f_fffe, 0xdead_beef, true, true)
        );
        assert!(rm.is_low_priority() && !rm.has_efci() && rm.with_efci().has_efci());
        assert!(!rm.has_bit_error() && rm.with_bit_error().has_bit_error());
        assert!(!rm.is_ecn_capable() && rm.with_ecn_capable().is_ecn_capable());
        let l4s = CellHead::body(0x007f_ffff, 3).with_ecn(Ecn::L4s);
        assert!(l4s.is_l4s() && l4s.is_ecn_capable() && !head.with_ecn(Ecn::Capable).is_l4s());
        assert_eq!((l4s.vc(), l4s.tag(), l4s.is_raw()), (0x007f_ffff, 3, false));
        let braked = l4s.with_brake();
        assert!(braked.is_marked() && !braked.has_efci() && !braked.is_l4s());
        assert!(braked.is_ecn_capable() && !braked.is_rm() && !l4s.is_marked());
        assert_eq!((braked.vc(), braked.tag()), (l4s.vc(), l4s.tag()));
        let all = head.with_efci().with_low_priority().with_bit_error().with_ecn_capable();
        assert_eq!((all.vc(), all.tag(), all.is_rm()), (head.vc(), head.tag(), false));
        assert_eq!(size_of::<Cell>(), 16);
    }
}

//! AAL5 segmentation and reassembly (ITU-T I.363.5), with LLC/SNAP encapsulation of IP (RFC 2684
//! §5.1).
//!
//! A frame is the IP packet, 8 bytes of LLC/SNAP, padding, and the 8-byte trailer, together a
//! multiple of 48 bytes. The last cell is marked in its header. A receiver knows nothing of a frame
//! until that mark: a lost cell is found by the trailer's length and CRC, and a lost last cell
//! merges two frames and breaks both. Here the number of cells and the frame number of each stand
//! for length and CRC, and a flag of the cell says whether a bit of it is wrong.

use crate::pdu::{CellHead, Frame};
use crate::units::CELL_PAYLOAD_BYTES;

/// LLC/SNAP header, bytes (RFC 2684 §5.1: 3 of LLC, 3 of OUI, 2 of protocol).
pub const LLC_SNAP_BYTES: u64 = 8;
/// AAL5 trailer, bytes (I.363.5: user-to-user, CPI, length, CRC-32).
pub const TRAILER_BYTES: u64 = 8;

/// Cells that carry an IP packet of `ip_bytes`.
pub const fn cells_of(ip_bytes: u64) -> u64 {
    (ip_bytes + LLC_SNAP_BYTES + TRAILER_BYTES).div_ceil(CELL_PAYLOAD_BYTES)
}

/// The receiving half of one VC.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reassembly {
    cells: u32,
    /// Head of the first cell.
    first: CellHead,
    /// Bits in which other heads differ from it.
    differences: CellHead,
}

/// Result of the check at the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reassembled {
    /// Complete: all its cells, and no other.
    Whole,
    /// Broken: length or CRC would not match.
    Broken,
}

impl Reassembly {
    /// Takes `count` equal cells that are not the last of their frame.
    #[inline]
    pub fn on_body(&mut self, head: CellHead, count: u32) {
        if self.cells == 0 {
            self.first = head;
        }
        self.differences = self.differences.joined(head.differing(self.first));
        self.cells = self.cells.wrapping_add(count);
    }

    /// Takes the last cell of `frame`. A mark on any of its cells is a mark on the packet, as on
    /// one of several fragments (RFC 3168 §5.3).
    #[inline]
    pub fn on_end(&mut self, head: CellHead, frame: &mut Frame) -> Reassembled {
        let met = self.first.joined(self.differences).joined(head);
        let is_of_one = self.first.tag() == frame.number && self.differences.tag() == 0;
        let is_whole = self.cells.wrapping_add(1) == frame.cells
            && (self.cells == 0 || is_of_one)
            && !met.has_bit_error();
        if met.is_marked() {
            frame.segment.take_marks(met);
        }
        *self = Self::default();
        if is_whole { Reassembled::Whole } else { Reassembled::Broken }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdu::{Ecn, Segment};
    use crate::units::Time;

    fn frame(number: u32, cells: u32) -> Frame {
        Frame {
            direction: 0,
            number,
            cells,
            bytes: 0,
            sent_at: Time::ZERO,
            segment: Segment::default(),
        }
    }

    fn body(number: u32) -> CellHead {
        CellHead::body(0, number)
    }

    fn end() -> CellHead {
        CellHead::end_of_frame(0, 0)
    }

    #[test]
    fn published_cell_counts() {
        // MSS 512, 1024, 1460, 9140 with 40 bytes of IP and TCP header; a bare ACK.
        assert_eq!([512, 1024, 1460, 9140, 0].map(|mss| cells_of(mss + 40)), [12, 23, 32, 192, 2]);
        // Exactly full: 48 - 16 bytes of IP fit one cell, one byte more does not.
        assert_eq!([cells_of(32), cells_of(33)], [1, 2]);
    }

    #[test]
    fn a_frame_with_all_its_cells_is_whole() {
        let mut vc = Reassembly::default();
        vc.on_body(body(7), 2);
        assert_eq!(vc.on_end(end(), &mut frame(7, 3)), Reassembled::Whole);
        assert_eq!(vc.on_end(end(), &mut frame(8, 1)), Reassembled::Whole);
    }

    #[test]
    fn a_lost_last_cell_spoils_two_frames() {
        let mut vc = Reassembly::default();
        vc.on_body(body(1), 1);
        vc.on_body(body(1), 1);
        vc.on_body(body(2), 1);
        assert_eq!(vc.on_end(end(), &mut frame(2, 2)), Reassembled::Broken);
        vc.on_body(body(3), 1);
        assert_eq!(vc.on_end(end(), &mut frame(3, 2)), Reassembled::Whole);
    }

    #[test]
    fn the_right_number_of_cells_of_two_frames_is_not_a_frame() {
        let mut vc = Reassembly::default();
        vc.on_body(body(1), 1);
        vc.on_body(body(2), 1);
        assert_eq!(vc.on_end(end(), &mut frame(2, 3)), Reassembled::Broken);
    }

    #[test]
    fn a_bit_error_in_any_cell_spoils_its_frame_and_no_other() {
        let mut vc = Reassembly::default();
        vc.on_body(body(1).with_bit_error(), 1);
        assert_eq!(vc.on_end(end(), &mut frame(1, 2)), Reassembled::Broken);
        vc.on_body(body(2), 1);
        assert_eq!(vc.on_end(end().with_bit_error(), &mut frame(2, 2)), Reassembled::Broken);
        vc.on_body(body(3), 1);
        assert_eq!(vc.on_end(end(), &mut frame(3, 2)), Reassembled::Whole);
    }

    fn arrived(cells: &[CellHead], ecn: Ecn) -> Ecn {
        let mut vc = Reassembly::default();
        let mut frame = frame(1, cells.len() as u32);
        frame.segment.ecn = ecn;
        let (last, others) = cells.split_last().expect("a frame has a cell");
        for cell in others {
            vc.on_body(*cell, 1);
        }
        assert_eq!(vc.on_end(*last, &mut frame), Reassembled::Whole);
        frame.segment.ecn
    }

    /// RFC 3168 §5.3, and §5: Not-ECT is never changed.
    #[test]
    fn a_mark_on_any_cell_is_on_the_packet() {
        use Ecn::{Capable, Congested, NotCapable};
        assert_eq!(arrived(&[body(1), body(1), end()], Capable), Capable);
        assert_eq!(arrived(&[body(1).with_efci(), body(1), end()], Capable), Congested);
        assert_eq!(arrived(&[body(1), end().with_efci()], Capable), Congested);
        assert_eq!(arrived(&[end().with_efci()], NotCapable), NotCapable);
        assert_eq!(arrived(&[body(1), end()], Congested), Congested);
    }

    #[test]
    fn a_mark_is_forgotten_with_its_frame() {
        let mut vc = Reassembly::default();
        vc.on_body(body(1).with_efci(), 1);
        assert_eq!(vc.on_end(end(), &mut frame(1, 2)), Reassembled::Whole);
        let mut next = frame(2, 1);
        next.segment.ecn = Ecn::Capable;
        assert_eq!(vc.on_end(end(), &mut next), Reassembled::Whole);
        assert_eq!(next.segment.ecn, Ecn::Capable);
    }
}

//! A host's interface to one outgoing link.
//!
//! The plain one is a FIFO, so every departure is known when a frame is handed over and its cells go onto the link at
//! once. A pacer in front of it is an infinite FIFO and a server at the pacing rate (Lazarou et al. 1997, §4.4), which
//! does not change that as long as one VC has the interface to itself. Several VCs, one of them paced, and ABR sources need
//! [`ShapedNic`](super::ShapedNic).

use super::abr_vc::AbrVc;
use super::shaper::ShapedNic;
use crate::atm::aal5;
use crate::engine::{Io, LinkId};
use crate::pdu::{Cell, CellHead, Frame};
use crate::result::{Ledger, Series};
use crate::switch::Transmission;
use crate::units::{Span, Time};

/// An interface, dispatched statically.
#[derive(Debug)]
pub enum Nic {
    /// First in, first out.
    Fifo(FifoNic),
    /// Cells of several VCs, in the order in which their shapers release them.
    Shaped(ShapedNic),
}

impl Nic {
    /// How many units a packet of `ip_bytes` is cut into.
    #[inline]
    pub fn cells_of(&self, ip_bytes: u32) -> u32 {
        let line = match self {
            Self::Fifo(nic) => &nic.line,
            Self::Shaped(nic) => nic.line(),
        };
        match line.transmission {
            Transmission::Cells(_) => aal5::cells_of(u64::from(ip_bytes)) as u32,
            Transmission::Packets { .. } => 1,
        }
    }

    /// A frame is ready at `ready`, not before earlier ones.
    #[inline]
    pub fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io<'_>) {
        match self {
            Self::Fifo(nic) => nic.send_frame(ready, vc, frame, io),
            Self::Shaped(nic) => nic.send_frame(ready, vc, frame, io),
        }
    }

    /// A raw cell is ready at `ready`, not before earlier ones.
    #[inline]
    pub fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io<'_>) {
        match self {
            Self::Fifo(nic) => nic.send_cell(ready, vc, io),
            Self::Shaped(nic) => nic.send_cell(ready, vc, io),
        }
    }

    /// Whether it holds cells back.
    pub fn is_shaped(&self) -> bool {
        matches!(self, Self::Shaped(_))
    }

    /// When a held cell may leave; [`Time::MAX`] for an interface that holds none.
    #[inline]
    pub fn next_event(&self) -> Time {
        match self {
            Self::Fifo(_) => Time::MAX,
            Self::Shaped(nic) => nic.next_event(),
        }
    }

    /// Lets go of held cells that leave before `until`, up to one for which a connection has waited; that connection and the
    /// instant.
    pub fn serve(&mut self, until: Time, io: &mut Io<'_>) -> Option<(Time, u32)> {
        match self {
            Self::Fifo(_) => None,
            Self::Shaped(nic) => nic.serve(until, io),
        }
    }

    /// The interface, if it holds cells back.
    pub fn shaped(&mut self) -> Option<&mut ShapedNic> {
        match self {
            Self::Fifo(_) => None,
            Self::Shaped(nic) => Some(nic),
        }
    }

    /// The ABR source of a VC, if it is one.
    pub fn abr_of(&mut self, vc: u32) -> Option<&mut AbrVc> {
        self.shaped().and_then(|nic| nic.abr_of(vc))
    }

    /// The place of a VC among those that are held back.
    pub fn place_of(&self, vc: u32) -> Option<usize> {
        match self {
            Self::Fifo(_) => None,
            Self::Shaped(nic) => Some(nic.place_of(vc)),
        }
    }

    /// Reports what is held.
    pub fn settle(&mut self, at: Time, ledger: &mut Ledger) {
        if let Self::Shaped(nic) = self {
            nic.settle(at, ledger);
        }
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        match self {
            Self::Fifo(_) => Time::MAX,
            Self::Shaped(nic) => nic.next_sample(),
        }
    }

    /// The finished series.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.shaped().map(ShapedNic::take_series).unwrap_or_default()
    }
}

/// The transmitter: one unit after the other onto the link.
#[derive(Debug)]
pub struct Line {
    /// The link it feeds.
    pub link: LinkId,
    /// From the last bit sent to the unit's entry into the next node's queue.
    pub propagation: Span,
    /// Line speed.
    pub transmission: Transmission,
    free_at: Time,
}

impl Line {
    /// An idle line.
    pub fn new(link: LinkId, propagation: Span, transmission: Transmission) -> Self {
        Self { link, propagation, transmission, free_at: Time::ZERO }
    }

    /// When the unit that is being sent is through.
    #[inline]
    pub fn free_at(&self) -> Time {
        self.free_at
    }

    /// Sends one cell that is ready at `ready`.
    #[inline]
    pub fn send_cell(&mut self, ready: Time, head: CellHead, io: &mut Io<'_>) {
        let Transmission::Cells(cell_time) = self.transmission else {
            unreachable!("cells are sent on cell links only: the scenario was checked for it")
        };
        self.free_at = ready.max(self.free_at) + cell_time;
        io.send(self.link, Cell { at: self.free_at + self.propagation, head });
    }

    /// Sends one packet that is ready at `ready`.
    fn send_packet(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io<'_>) {
        let Transmission::Packets { line_rate, overhead_bytes } = self.transmission else {
            unreachable!("packets are sent on packet links only: the scenario was checked for it")
        };
        let bits = 8 * (u64::from(frame.bytes) + overhead_bytes);
        self.free_at = ready.max(self.free_at) + line_rate.span_of_bits(bits);
        let head = CellHead::end_of_frame(vc, io.frames.insert(frame).0);
        io.send(self.link, Cell { at: self.free_at + self.propagation, head });
    }
}

/// An interface whose frames leave in the order in which they are handed over.
#[derive(Debug)]
pub struct FifoNic {
    line: Line,
    pacer: Option<Pacer>,
}

/// An infinite FIFO and a server at the pacing rate.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    cell_time: Span,
    free_at: Time,
}

impl Pacer {
    /// An idle pacer that lets a cell pass every `cell_time`.
    pub fn new(cell_time: Span) -> Self {
        Self { cell_time, free_at: Time::ZERO }
    }

    /// When a cell that is ready at `ready` comes out.
    #[inline]
    pub fn pass(&mut self, ready: Time) -> Time {
        self.free_at = ready.max(self.free_at) + self.cell_time;
        self.free_at
    }
}

impl FifoNic {
    /// An idle interface; `pacer` only if one VC has it to itself.
    pub fn new(line: Line, pacer: Option<Pacer>) -> Self {
        Self { line, pacer }
    }

    fn send_frame(&mut self, ready: Time, vc: u32, frame: Frame, io: &mut Io<'_>) {
        if let Transmission::Packets { .. } = self.line.transmission {
            self.line.send_packet(ready, vc, frame, io);
            return;
        }
        for _ in 1..frame.cells {
            self.pass(ready, CellHead::body(vc, frame.number), io);
        }
        let end = CellHead::end_of_frame(vc, io.frames.insert(frame).0);
        self.pass(ready, end, io);
    }

    #[inline]
    fn send_cell(&mut self, ready: Time, vc: u32, io: &mut Io<'_>) {
        self.pass(ready, CellHead::raw(vc), io);
    }

    #[inline]
    fn pass(&mut self, ready: Time, head: CellHead, io: &mut Io<'_>) {
        let ready = self.pacer.as_mut().map_or(ready, |pacer| pacer.pass(ready));
        self.line.send_cell(ready, head, io);
    }
}

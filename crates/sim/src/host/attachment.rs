//! Attachment of a node where VCs originate and terminate, a host or an edge, to its links.

use super::inputs::Inputs;
use super::nics::Nics;
use super::termination::{Termination, Terminations};
use crate::engine::Io;
use crate::pdu::{Cell, ContentId};
use crate::result::Ledger;
use crate::units::{Span, Time};

/// The incoming links, the VCs that terminate, and the interfaces onto outgoing links.
#[derive(Debug)]
pub struct Attachment {
    /// Incoming links.
    pub inputs: Inputs,
    /// VCs that terminate here.
    pub terminations: Terminations,
    /// Interfaces, one per outgoing link of cells or of the node's own packets.
    pub nics: Nics,
}

impl Attachment {
    /// Receives cells of one link, before `until` and before the next held cell of an interface. It
    /// stops at the last cell of a frame, which it returns, or at an RM cell, which is for the
    /// source of its VC's other direction. `find` looks up the termination of a cell's VC.
    #[inline]
    pub fn receive(
        &mut self,
        until: Time,
        io: &mut Io,
        find: impl Fn(&mut Terminations, Cell) -> Option<&mut Termination>,
    ) -> Option<Cell> {
        let until = until.min(self.nics.next_held());
        let terminations = &mut self.terminations;
        let cell = self.inputs.take(until, io, |cell, count| {
            if let Some(termination) = find(terminations, cell) {
                termination.on_body(cell.head, count);
            }
        })?;
        if !cell.head.is_rm() {
            return Some(cell);
        }
        let (other_direction, is_congested) = find(terminations, cell)?.on_rm(cell.head);
        let rm = io.rm_cells.take(ContentId(cell.head.tag()));
        // The source at that interface and place gets it back, or returns it to the other end.
        let (nic, place) = other_direction?;
        self.nics.all[nic].shapers.as_mut()?.on_rm(place, cell, &rm, is_congested, io);
        None
    }

    /// Sends held cells: those due before `until` and the next arrival, and those due at `at` in
    /// any case, up to one for which a connection has waited; returns that instant and that
    /// connection.
    pub fn serve(&mut self, at: Time, until: Time, io: &mut Io) -> Option<(Time, u32)> {
        let until = until.min(self.inputs.next()).max(at + Span::from_picoseconds(1));
        let mut nics = self.nics.all.iter_mut();
        nics.find_map(|nic| nic.shapers.as_mut()?.serve(&mut nic.transmitter, until, io))
    }

    /// Reports the counters as they are at `at`.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger, io: &mut Io) {
        let terminations = &mut self.terminations;
        self.inputs.take_begun(at, io, |cell, count| {
            if let Some(termination) = terminations.find(cell) {
                termination.on_body(cell.head, count);
            }
        });
        self.nics.all.iter_mut().for_each(|nic| nic.report(at, ledger));
        self.terminations.report(ledger);
    }
}

//! The interfaces of a host or an edge, one per outgoing link that it sends cells or its own
//! packets onto.

use super::nic::Nic;
use super::shaper::ShapedNic;
use crate::engine::{Io, LinkId};
use crate::result::{Ledger, Series};
use crate::units::{Span, Time};

/// All interfaces, and which of them hold cells back.
#[derive(Debug)]
pub struct Nics {
    nics: Vec<Nic>,
    shaped: Vec<usize>,
}

impl Nics {
    /// Idle interfaces.
    pub fn new(nics: Vec<Nic>) -> Self {
        let shaped = (0..nics.len()).filter(|&nic| nics[nic].is_shaped()).collect();
        Self { nics, shaped }
    }

    /// The links that trains may be sent onto: by interfaces that hold nothing back.
    pub fn sends_trains_onto(&self) -> impl Iterator<Item = LinkId> {
        let plain = self.nics.iter().filter(|nic| !nic.is_shaped());
        plain.filter_map(|nic| nic.transmitter().link_of_trains())
    }

    /// The interfaces, in order.
    #[inline]
    pub fn all(&self) -> &[Nic] {
        &self.nics
    }

    /// Whether any of them holds cells back.
    pub fn any_holds_back(&self) -> bool {
        !self.shaped.is_empty()
    }

    /// One of them.
    #[inline]
    pub fn get_mut(&mut self, nic: usize) -> &mut Nic {
        &mut self.nics[nic]
    }

    /// When a cell that is held may next leave.
    #[inline]
    pub fn next_held(&self) -> Time {
        if self.shaped.is_empty() {
            return Time::MAX;
        }
        self.next_of_shaped()
    }

    #[inline(never)]
    fn next_of_shaped(&self) -> Time {
        self.shaped.iter().map(|&nic| self.nics[nic].next_event()).min().unwrap_or(Time::MAX)
    }

    /// Held cells leave that do so before `until`, those that leave at `at` in any case, up to one
    /// for which a connection has waited; that connection and the instant.
    pub fn serve(&mut self, at: Time, until: Time, io: &mut Io) -> Option<(Time, u32)> {
        let until = until.max(at + Span::from_picoseconds(1));
        self.shaped.iter().find_map(|&nic| self.nics[nic].serve(until, io))
    }

    /// Reports the counters as they are at `at`.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        self.nics.iter_mut().for_each(|nic| nic.report(at, ledger));
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self) {
        self.shaped_nics().for_each(ShapedNic::begin_measurement);
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        self.nics.iter().map(Nic::next_sample).min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time) {
        self.shaped_nics().for_each(|nic| nic.sample_through(at));
    }

    /// The finished series.
    pub fn take_series(&mut self) -> impl Iterator<Item = Series> {
        self.nics.iter_mut().flat_map(Nic::take_series)
    }

    fn shaped_nics(&mut self) -> impl Iterator<Item = &mut ShapedNic> {
        self.nics.iter_mut().filter_map(Nic::shaped)
    }
}

//! The interfaces of a host or an edge, one per outgoing link that it sends cells or its own
//! packets onto.

use std::sync::Arc;

use super::nic::Nic;
use super::segmentation::Segmentation;
use super::shaper::Shaper;
use super::tap::Tap;
use crate::engine::LinkId;
use crate::pdu::Frame;
use crate::result::{Recorders, Series};
use crate::units::Time;

/// All interfaces, and true if any of them holds cells back.
#[derive(Debug)]
pub struct Nics {
    pub(crate) all: Box<[Nic]>,
    pub(super) any_holds_back: bool,
}

impl Nics {
    /// Makes the list of idle interfaces.
    pub fn new(all: Vec<Nic>) -> Self {
        Self { any_holds_back: all.iter().any(Nic::is_shaped), all: all.into() }
    }

    /// Links that trains may be sent onto, by interfaces that hold nothing back.
    pub fn sends_trains_onto(&self) -> impl Iterator<Item = LinkId> {
        let plain = self.all.iter().filter(|nic| !nic.is_shaped());
        plain.filter_map(|nic| nic.transmitter.link_of_trains())
    }

    /// The instant at which a held cell may next be sent.
    #[inline]
    pub fn next_held(&self) -> Time {
        if self.any_holds_back { self.next_of_shaped() } else { Time::MAX }
    }

    #[inline(never)]
    fn next_of_shaped(&self) -> Time {
        self.all.iter().map(Nic::next_event).min().unwrap_or(Time::MAX)
    }

    /// Frames that are held back.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.shapers().map(Shaper::buffer).flat_map(Segmentation::frames)
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self) {
        self.shapers_mut().for_each(|shaper| shaper.buffer_mut().begin_measurement());
    }

    /// The instant of the next grid sample.
    pub fn next_sample(&self) -> Time {
        let recorders = self.shapers().map(|shaper| &shaper.buffer().recorders);
        recorders.map(Recorders::next_sample).min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time) {
        self.shapers_mut().for_each(|shaper| shaper.sample_through(at));
    }

    /// The finished series.
    pub fn take_series(&mut self) -> impl Iterator<Item = Series> {
        self.shapers_mut().flat_map(|shaper| shaper.buffer_mut().recorders.take_series())
    }

    /// Captures RM cells from now on.
    pub(super) fn capture_rm_cells(&mut self, tap: &Arc<Tap>) {
        for shaper in self.shapers_mut() {
            if let Shaper::Abr(abr) = shaper {
                abr.capture(tap);
            }
        }
    }

    fn shapers(&self) -> impl Iterator<Item = &Shaper> {
        self.all.iter().filter_map(|nic| nic.shapers.as_ref()).flat_map(|shapers| &shapers.all)
    }

    fn shapers_mut(&mut self) -> impl Iterator<Item = &mut Shaper> {
        let shapers = self.all.iter_mut().filter_map(|nic| nic.shapers.as_mut());
        shapers.flat_map(|shapers| &mut shapers.all)
    }
}

//! Relative rate marking (TM 4.0 section 5.10.6, switch behaviour 1b).
//!
//! Backward RM cells get NI = 1 while more than `no_increase` ABR cells wait, and CI = 1 while more
//! than `congestion` do; `no_increase` is not above `congestion`. Equal cases: a queue at a
//! threshold is not marked.

use super::{Plan, PortOfVcs, RateAllocator};
use crate::language::part::prelude::*;
use crate::pdu::RmCell;
use crate::units::Cells;

part! {
    /// Marks backward RM cells.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RelativeRate {
        /// ABR cells waiting above which sources must not increase (NI = 1).
        no_increase: Cells = required("\"300 cell\""),
        /// ABR cells waiting above which sources must decrease (CI = 1).
        congestion: Cells = required("\"600 cell\""),
    }
    finish RelativeRate::checked;
}

impl RelativeRate {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let Self { no_increase, congestion } = self;
        if no_increase <= congestion {
            return Ok(self);
        }
        let message = format!(
            "`{}.no_increase` of {no_increase} is above the `congestion` threshold of \
             {congestion}; expected at most that",
            section.place()
        );
        Err(Fault::new(&section.spanned::<Cells>("no_increase")?.at, message))
    }
}

impl Plan for RelativeRate {
    type Rule = Self;

    fn build(&self, _: &PortOfVcs<'_>) -> Self {
        *self
    }
}

impl RateAllocator for RelativeRate {
    fn on_backward_rm(&mut self, _slot: u32, queue: u64, rm: &mut RmCell) {
        rm.ni |= queue > self.no_increase.0;
        rm.ci |= queue > self.congestion.0;
    }
}

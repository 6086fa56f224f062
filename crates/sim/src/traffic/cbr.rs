//! Cells or datagrams at a constant rate.

use super::sends::Sends;
use super::source::{Site, Source, Spacing};
use crate::language::part::prelude::*;
use crate::units::{Span, Time};

part! {
    /// Parameters of a constant rate.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Cbr {
        /// Unit that it sends, and its maximum rate.
        sends: Sends = flat(Sends),
    }
    finish Cbr::checked;
}

impl Cbr {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        self.sends.check_steady(section).map(|()| self)
    }
}

impl Source for Cbr {
    type Spacing = Constant;

    fn sends(&self) -> &Sends {
        &self.sends
    }

    fn spacing(&self, _: &Site<'_>) -> Constant {
        Constant::new(self.sends.interval())
    }
}

/// One cell or datagram every interval.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    interval: Span,
}

impl Constant {
    /// Makes one every `interval`.
    pub const fn new(interval: Span) -> Self {
        Self { interval }
    }
}

impl Spacing for Constant {
    #[inline]
    fn next_after(&mut self, now: Time) -> Time {
        now.saturating_add(self.interval)
    }

    fn constant_gap(&self) -> Option<Span> {
        Some(self.interval)
    }
}

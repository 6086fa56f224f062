//! Video: a frame in each interval, with the sizes of a plan. Over TCP a frame is one write,
//! without a transport one datagram.

use std::fmt::Debug;

use super::burst::BlockWrites;
use super::cbr::Constant;
use super::frames::{Sizes, rate_of_frames};
use super::sends::Sends;
use super::size::Size;
use super::source::{Instants, Site, Source};
use super::{AnyApplication, AnySpacing};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};

/// The plan of a kind of video.
pub trait FramePlan: Clone + Debug + PartialEq {
    /// Time from one frame to the next.
    fn interval(&self) -> Span;
    /// Duration, if that is given.
    fn duration(&self) -> Option<Span>;
    /// Mean bytes of a frame.
    fn mean(&self) -> f64;
    /// Sizes with this mean, for numbers before a run.
    fn typical(&self) -> Size;
    /// True if no frame is longer than a datagram.
    fn fits_datagrams(&self) -> bool;
    /// The sizes of the frames, drawn from `stream`.
    fn frames(&self, stream: Stream) -> Sizes;
}

/// Video as a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Video<P> {
    plan: P,
    sends: Sends,
}

impl<P: FramePlan> Video<P> {
    /// Makes frames for a connection; in a flow without a transport they become datagrams.
    pub fn new(plan: P) -> Self {
        Self { sends: Sends::writes(rate(&plan), plan.typical()), plan }
    }
}

fn rate(plan: &impl FramePlan) -> Rate {
    rate_of_frames(plan.mean(), plan.interval())
}

impl<P: FramePlan + Part<Value = P>> Part for Video<P> {
    type Value = Self;

    const KEYS: &'static [Key] = P::KEYS;

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        P::read(section).map(Self::new)
    }

    fn write(video: &Self, entries: &mut Entries) {
        P::write(&video.plan, entries);
    }
}

impl<P: FramePlan> Source for Video<P> {
    type Spacing = Constant;

    fn rate_key(&self) -> &'static str {
        "interval"
    }

    fn sends(&self) -> &Sends {
        &self.sends
    }

    fn interval(&self) -> Span {
        self.plan.interval()
    }

    fn spacing(&self, _: &Site<'_>) -> Constant {
        Constant::new(self.plan.interval())
    }

    fn lasts(&self) -> Option<Span> {
        self.plan.duration()
    }

    /// Makes the source of a flow without a transport; if frames may be longer than a datagram,
    /// they need a transport.
    fn without_transport(self) -> Self {
        if !self.plan.fits_datagrams() {
            return self;
        }
        Self { sends: Sends::datagrams(rate(&self.plan), self.plan.typical()), ..self }
    }

    fn counts_blocks(&self) -> bool {
        true
    }

    fn sizes(&self, site: &Site<'_>) -> Option<Sizes> {
        Some(self.plan.frames((site.stream)("sizes")))
    }

    fn application(&self, site: &Site<'_>, spacing: AnySpacing) -> Option<AnyApplication> {
        let instants = Instants::new(spacing, site.start, site.stop);
        let writes = BlockWrites::queued(instants, self.sizes(site)?, site.send_buffer);
        Some(AnyApplication::BlockWrites(Box::new(writes)))
    }
}

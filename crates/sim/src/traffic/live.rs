//! Packets of a conversation: one in each interval, of use to its receiver only if it arrives in
//! time. Without a transport they are datagrams, over TCP writes.

use std::fmt::Debug;

use super::cbr::Constant;
use super::frames::rate_of_frames;
use super::sends::Sends;
use super::size::Size;
use super::source::{Site, Source};
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};

/// The plan of a kind of conversation.
pub trait LivePlan: Clone + Debug + PartialEq {
    /// Bytes of each packet.
    fn packet(&self) -> &Size;
    /// Time from one packet to the next.
    fn interval(&self) -> Span;
    /// Time after which a packet is late, unless its flow has its own.
    fn deadline(&self) -> Span;
}

/// A conversation as a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Live<P> {
    plan: P,
    sends: Sends,
}

impl<P: LivePlan> Live<P> {
    /// Makes packets for a connection; in a flow without a transport they become datagrams.
    pub fn new(plan: P) -> Self {
        Self { sends: Sends::writes(rate(&plan), plan.packet().clone()), plan }
    }
}

fn rate(plan: &impl LivePlan) -> Rate {
    rate_of_frames(plan.packet().mean(), plan.interval())
}

impl<P: LivePlan + Part<Value = P>> Part for Live<P> {
    type Value = Self;

    const KEYS: &'static [Key] = P::KEYS;

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        P::read(section).map(Self::new)
    }

    fn write(live: &Self, entries: &mut Entries) {
        P::write(&live.plan, entries);
    }
}

impl<P: LivePlan> Source for Live<P> {
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

    fn deadline(&self) -> Option<Span> {
        Some(self.plan.deadline())
    }

    fn without_transport(self) -> Self {
        Self { sends: Sends::datagrams(rate(&self.plan), self.plan.packet().clone()), ..self }
    }
}

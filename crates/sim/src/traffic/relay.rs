//! A proxy of TCP: data that arrive on other connections at the host that the flow comes from are
//! written to the flow's own.
//!
//! The application itself writes nothing when it is called: its host reads for it, since reading
//! and writing belong to two connections ([`Relays`](crate::host::Relays) has the rules and their
//! sources).

use super::application::{Application, Offer, Writes};
use super::source::Site;
use crate::language::family::member_of;
use crate::language::part::prelude::*;
use crate::units::{Bytes, Time};

part! {
    /// Parameters of a relay.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct RelayPlan {
        /// Flow whose bytes are relayed, or a family of flows: all of its members, or with `[*]` in
        /// a counted section the member of the same number.
        of: String = required("\"near\"") as Kind::Flow,
        /// Shared connection on which those bytes arrive, itself a relay of `of`.
        over: Option<String> = absent("they arrive on `of` itself", "\"wide\"") as Kind::Flow,
        /// Maximum that is read from one connection before the next one's turn.
        block: Bytes = default("8 KiB", "\"64 KiB\"") as Kind::Size { min: 1, max: 1 << 20 },
    }
}

impl RelayPlan {
    /// The default of `block`.
    pub const BLOCK: Bytes = Bytes(8 << 10);

    /// The parameters of the family's member with this number.
    #[must_use]
    pub fn of_member(self, number: u64) -> Self {
        let member = |name: String| member_of(&name, number);
        Self { of: member(self.of), over: self.over.map(member), block: self.block }
    }
}

impl Writes for RelayPlan {
    type Application = Relay;

    fn application(&self, _: &Site<'_>) -> Relay {
        Relay
    }
}

/// The application at the beginning of a relayed connection.
#[derive(Clone, Copy, Debug)]
pub struct Relay;

impl Application for Relay {
    #[inline]
    fn poll(&mut self, _now: Time, _acked: u64) -> Offer {
        Offer::NOTHING
    }
}

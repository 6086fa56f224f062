//! The echo of congestion marks: what the flags of an ACK say of the marks that have arrived.
//!
//! * `classic` (RFC 3168 §6.1.3): every ACK has ECE from a mark until CWR arrives. A mark on the
//!   segment that carries CWR is a new one.
//! * `dctcp` (RFC 8257 §3.2): an ACK has ECE if the data that it acknowledges were marked. At a
//!   change of marks the data before it are acknowledged at once, without those behind it.
//! * `accurate` (RFC 9768 §3.2): AE, CWR and ECE are a counter of marked segments, modulo 8, which
//!   begins at 5. An ACK leaves at once for the first mark behind a segment without one, and for
//!   the second mark since the latest ACK (§3.2.2.5.1).
//! * `abc` (Goyal et al., NSDI 2020): an ACK has NS, the bit that is AE now, if the data that it
//!   acknowledges were braked, which are those with ECT(0); a change is told as with `dctcp`. ECE
//!   tells CE as in `classic`.
//!
//! Departures: `accurate` has no option with counters of bytes, and data beyond the window count no
//! marks.

use crate::language::part::prelude::*;
use crate::pdu::{Ecn, Flags};

/// Value at which the counter of accurate ECN begins (RFC 9768 §3.2.1).
pub(in crate::tcp) const FIRST_COUNT: u8 = 5;
/// Marks of accurate ECN that are acknowledged at once.
const MOST_MARKS: u8 = 2;

variants! {
    /// Echo of congestion marks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EcnEcho {
        /// RFC 3168: ECE from a mark on until the sender says that it has reduced its window.
        Classic = "classic",
        /// RFC 8257: ECE for marked data alone.
        Dctcp = "dctcp",
        /// RFC 9768: a counter of marked segments in AE, CWR and ECE.
        Accurate = "accurate",
        /// ABC: NS for data that a port has braked, and ECE as in RFC 3168.
        Abc = "abc",
    }
}

/// State of the echo.
#[derive(Clone, Copy, Debug)]
pub(super) enum Echo {
    /// True while every ACK has ECE.
    Classic(bool),
    /// True if the latest data were marked.
    Dctcp(bool),
    Accurate(Counter),
    Abc(Brakes),
}

/// Marks of ABC.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brakes {
    /// True if the latest data were braked.
    is_braked: bool,
    /// True while every ACK has ECE.
    has_ece: bool,
}

impl Brakes {
    /// Takes the CE of a segment, with CWR or not (RFC 3168 §6.1.3).
    pub(super) fn note_congestion(&mut self, is_congested: bool, has_cwr: bool) {
        self.has_ece = self.has_ece && !has_cwr || is_congested;
    }
}

/// Marks of accurate ECN.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// The count, modulo 256.
    count: u8,
    /// The count in the latest ACK.
    told: u8,
    /// True if the latest data were marked.
    is_marked: bool,
}

/// Value of ACE in the ACK of a SYN-ACK with this ECN field (RFC 9768 §3.2.2.1).
pub(in crate::tcp) fn ace_of(ecn: Ecn) -> u32 {
    match ecn {
        Ecn::NotCapable => 2,
        Ecn::L4s => 3,
        Ecn::Capable => 4,
        Ecn::Congested => 6,
    }
}

/// An ACK of data before a change of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct Earlier {
    pub(in crate::tcp) ack: u64,
    pub(in crate::tcp) echo: Flags,
}

impl From<EcnEcho> for Echo {
    fn from(mode: EcnEcho) -> Self {
        match mode {
            EcnEcho::Classic => Self::Classic(false),
            EcnEcho::Dctcp => Self::Dctcp(false),
            EcnEcho::Accurate => {
                Self::Accurate(Counter { count: FIRST_COUNT, told: FIRST_COUNT, is_marked: false })
            }
            EcnEcho::Abc => Self::Abc(Brakes::default()),
        }
    }
}

impl Echo {
    /// Flags of the ACK of a SYN-ACK with this field, if they tell it; that field then counts, too.
    pub(super) fn on_syn_ack(&mut self, ecn: Ecn) -> Option<Flags> {
        let Self::Accurate(counter) = self else { return None };
        counter.count += u8::from(ecn == Ecn::Congested);
        counter.told = counter.count;
        Some(Flags::of_ace(ace_of(ecn)))
    }

    /// Takes the marks of data that arrive, for an echo of each. True if they are acknowledged at
    /// once.
    pub(super) fn on_data(&mut self, is_marked: bool) -> bool {
        match self {
            Self::Classic(echoes) | Self::Dctcp(echoes) => {
                *echoes = is_marked;
                false
            }
            Self::Accurate(counter) => counter.on_data(is_marked),
            Self::Abc(brakes) => {
                brakes.is_braked = is_marked;
                false
            }
        }
    }

    /// Takes a marked ACK without data, which a counter counts.
    pub(super) fn on_marked_ack(&mut self) {
        if let Self::Accurate(counter) = self {
            counter.count = counter.count.wrapping_add(1);
        }
    }

    /// True if data before those that arrive, marked or not, have another echo.
    pub(super) fn changes(self, is_marked: bool) -> bool {
        match self {
            Self::Dctcp(echoes) => echoes != is_marked,
            Self::Abc(brakes) => brakes.is_braked != is_marked,
            Self::Classic(_) | Self::Accurate(_) => false,
        }
    }

    /// True while an echo is under way that the next reduction ends.
    pub(super) fn is_latched(self) -> bool {
        matches!(
            self,
            Self::Classic(true) | Self::Dctcp(true) | Self::Abc(Brakes { has_ece: true, .. })
        )
    }

    /// Flags of a segment that is sent now.
    pub(super) fn flags(&mut self) -> Flags {
        match self {
            Self::Classic(echoes) | Self::Dctcp(echoes) => Flags::ECE.when(*echoes),
            Self::Accurate(counter) => {
                counter.told = counter.count;
                Flags::of_ace(counter.count.into())
            }
            Self::Abc(brakes) => Flags::AE.when(brakes.is_braked) | Flags::ECE.when(brakes.has_ece),
        }
    }
}

impl Counter {
    fn on_data(&mut self, is_marked: bool) -> bool {
        self.count = self.count.wrapping_add(u8::from(is_marked));
        let is_first = is_marked && !self.is_marked;
        self.is_marked = is_marked;
        is_first || self.count.wrapping_sub(self.told) >= MOST_MARKS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flags of the ACK after data marked so, and if it leaves at once.
    fn echoed(mode: EcnEcho, marks: &[bool]) -> Vec<(u32, bool)> {
        let mut echo = Echo::from(mode);
        let one = |&is_marked: &bool| {
            let is_at_once = echo.on_data(is_marked);
            (echo.flags().ace(), is_at_once)
        };
        marks.iter().map(one).collect()
    }

    /// RFC 8257 §3.2: the state follows the codepoint of each segment.
    #[test]
    fn the_echo_of_dctcp_is_that_of_the_latest_data() {
        let found = echoed(EcnEcho::Dctcp, &[true, false, true, false]);
        assert_eq!(found, [1, 0, 1, 0].map(|ece| (ece, false)));
        let marked = Echo::Dctcp(true);
        assert!(
            marked.changes(false) && !marked.changes(true) && !Echo::Classic(true).changes(false)
        );
    }

    /// RFC 9768 §3.2.1 and 3.2.2.5.1: 5, then 6, 7, 0; the first mark at once.
    #[test]
    fn an_accurate_echo_counts_modulo_eight() {
        let found = echoed(EcnEcho::Accurate, &[false, true, true, true, false]);
        assert_eq!(found, [(5, false), (6, true), (7, false), (0, false), (0, false)]);
        let mut silent = Echo::from(EcnEcho::Accurate);
        let at_once = [true, true, false, false].map(|is_marked| silent.on_data(is_marked));
        assert_eq!(at_once, [true; 4], "until an ACK leaves");
        assert_eq!(silent.flags().ace(), 7);
        assert!(!silent.on_data(false));
    }
}

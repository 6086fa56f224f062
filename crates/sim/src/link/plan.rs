//! Impairments of a link as its section in the scenario states them, and their predicted effect
//! before a run.

use std::fmt::Debug;

use super::{AnyImpairment, Impairment, Impairments, Passing, Transmission};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::Span;

/// The direction of a link, as far as its impairments may know it.
pub struct Site<'a> {
    /// A random stream of this direction alone, by name.
    pub stream: &'a dyn Fn(&str) -> Stream,
    /// Times that units take on the line.
    pub transmission: Transmission,
    /// The units of the flow of this name that pass in this direction, if there are any.
    pub flow: &'a dyn Fn(&str) -> Option<Passing>,
}

/// Units of one packet, back to back on a link that nothing else uses.
#[derive(Clone, Copy, Debug)]
pub struct Train {
    /// Number of units: the cells of a frame, or one packet.
    pub units: u64,
    /// Bits of each unit on the wire.
    pub bits: u64,
    /// Time from one unit to the next, in seconds.
    pub spacing: f64,
    /// True if the units are cells.
    pub is_of_cells: bool,
    /// Begin and end of the measured part of the run; the train is sent at any instant between.
    pub measured: [Span; 2],
}

/// An impairment as the scenario states it.
pub trait ImpairmentPlan: Debug {
    /// The reason why it cannot be used for cells, if there is one.
    fn not_for_cells(&self) -> Option<&'static str> {
        None
    }

    /// True if the impairment is random.
    fn is_random(&self) -> bool {
        true
    }

    /// Makes the impairment of one direction of a link.
    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment>;

    /// Probability that all units of a train arrive without errors.
    fn intact(&self, _train: &Train) -> f64 {
        1.0
    }

    /// Mean number of units lost in a row, if units have the spacing of this train; `None`: they
    /// are lost independently of each other, or none is lost.
    fn mean_burst(&self, _train: &Train) -> Option<f64> {
        None
    }

    /// An upper bound of the time by which a unit arrives late.
    fn longest_wait(&self) -> Span {
        Span::ZERO
    }
}

/// The value of an impairment's key.
pub(crate) trait Entry: Sized {
    const KIND: Kind;

    /// Reads the value; `None` if the key is not written.
    fn read(section: &Section<'_>, key: &str) -> Result<Option<Self>, Fault>;

    /// Writes the value as TOML on one line.
    fn write(&self) -> String;
}

/// A table of parameters.
impl<P: Part<Value = P>> Entry for P {
    const KIND: Kind = Kind::Section(P::KEYS);

    fn read(section: &Section<'_>, key: &str) -> Result<Option<Self>, Fault> {
        section.section(key)?.map(|section| P::read_whole(&section)).transpose()
    }

    fn write(&self) -> String {
        let mut entries = Entries::new();
        P::write(self, &mut entries);
        inline(&entries)
    }
}

/// Implements the key of a plan that is one probability.
macro_rules! probability {
    ($Plan:ident) => {
        impl crate::link::plan::Entry for $Plan {
            const KIND: Kind = Kind::Number(ZERO_TO_ONE);

            fn read(section: &Section<'_>, key: &str) -> Result<Option<Self>, Fault> {
                Ok(section.written(key)?.map(|found| Self(found.value)))
            }

            fn write(&self) -> String {
                self.0.to_string()
            }
        }
    };
}

/// Reads the plan of one key of `link.impairments`, if it is written.
pub(super) type ReadPlan = fn(&Section<'_>, &str) -> Result<Option<AnyImpairment>, Fault>;

impl Part for Impairments {
    type Value = Self;

    const KEYS: &'static [Key] = AnyImpairment::KEYS;

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        let mut found = Vec::new();
        for (key, read) in AnyImpairment::KEYS.iter().zip(AnyImpairment::READERS) {
            if let Some(plan) = read(section, key.name)? {
                found.push((section.place_of_key(key.name), plan));
            }
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(Self(found.into_iter().map(|(_, plan)| plan).collect()))
    }

    fn write(value: &Self, entries: &mut Entries) {
        entries.extend(value.0.iter().map(|plan| (plan.word(), plan.write())));
    }
}

/// Declares each impairment in one line, `file::Plan = "word", "example"`: the keys of
/// `link.impairments`, the values chosen there, and their [plan](ImpairmentPlan).
macro_rules! impairments {
    ($($(#[doc = $doc:literal])+ $file:ident::$Plan:ident = $word:literal, $example:literal;)+) => {
        $(pub use $file::$Plan;)+

        /// One key of `link.impairments`.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyImpairment {
            $($(#[doc = $doc])+ $Plan($Plan),)+
        }

        impl AnyImpairment {
            const KEYS: &'static [Key] = &[$(
                Key::optional(
                    $word, <$Plan as Entry>::KIND, "none", $example, concat!($($doc),+).trim_ascii()
                )
            ),+];

            const READERS: &'static [ReadPlan] = &[
                $(|section, word| Ok(<$Plan as Entry>::read(section, word)?.map(Self::$Plan))),+
            ];

            /// The key of the impairment.
            pub const fn word(&self) -> &'static str {
                match self {
                    $(Self::$Plan(_) => $word,)+
                }
            }

            /// The value of the key as TOML.
            fn write(&self) -> String {
                match self {
                    $(Self::$Plan(plan) => Entry::write(plan),)+
                }
            }
        }

        impl Deref for AnyImpairment {
            type Target = dyn ImpairmentPlan;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$Plan(plan) => plan,)+
                }
            }
        }
    };
}

pub(super) use {impairments, probability};

//! Impairments of a link as its section in the scenario has them, and what can be said of each
//! before a run.

use std::fmt::Debug;

use super::{Impairment, Passing, Transmission};
use crate::engine::Stream;
use crate::language::part::prelude::*;
use crate::units::Span;

/// What an impairment may know of the direction of the link that it is on.
pub struct Site<'a> {
    /// A random stream of that direction's own, by name.
    pub stream: &'a dyn Fn(&str) -> Stream,
    /// How long units take.
    pub transmission: Transmission,
    /// What of the flow of this name takes that direction, if anything does.
    pub flow: &'a dyn Fn(&str) -> Option<Passing>,
}

/// Units of one packet, back to back on a link that nothing else uses.
#[derive(Clone, Copy, Debug)]
pub struct Train {
    /// How many: the cells of a frame, or one packet.
    pub units: u64,
    /// Of each, on the wire.
    pub bits: u64,
    /// From one to the next, seconds.
    pub spacing: f64,
    /// Whether they are cells.
    pub is_of_cells: bool,
    /// From when to when the run is measured; the train is sent at any instant between.
    pub measured: [Span; 2],
}

/// An impairment as the scenario has it.
pub trait ImpairmentPlan: Clone + Debug + PartialEq {
    /// Why it is not for cells, if it is not.
    const NOT_FOR_CELLS: Option<&'static str> = None;

    /// Whether chance has a part in it.
    const IS_RANDOM: bool = true;

    /// The impairment of one direction of a link.
    fn build(&self, site: &Site<'_>) -> Box<dyn Impairment>;

    /// The probability that all units of a train arrive, and without errors.
    fn intact(&self, _train: &Train) -> f64 {
        1.0
    }

    /// Units lost in a row, in the mean, of so many that are spaced like this train's; `None`:
    /// they are lost independently of each other, or none is.
    fn mean_burst(&self, _train: &Train) -> Option<f64> {
        None
    }

    /// No unit arrives later than by so much.
    fn longest_wait(&self) -> Span {
        Span::ZERO
    }
}

/// The value of the key of an impairment.
pub(crate) trait Entry: Sized {
    const KIND: Kind;

    /// `None`: it is not written.
    fn read(section: &Section<'_>, key: &str) -> Result<Option<Self>, Fault>;

    /// As TOML on one line.
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

/// The key of a plan that is one probability.
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

/// One line for each impairment, `file::Plan = "word", "example"`: the keys of `link.impairments`,
/// what is chosen there, and how impairments are made of it.
macro_rules! impairments {
    ($($(#[doc = $doc:literal])+ $file:ident::$Plan:ident = $word:literal, $example:literal;)+) => {
        $(pub use $file::$Plan;)+

        /// One key of `link.impairments`.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyImpairment {
            $($(#[doc = $doc])+ $Plan($Plan),)+
        }

        impl AnyImpairment {
            /// Its key.
            pub const fn word(&self) -> &'static str {
                match self {
                    $(Self::$Plan(_) => $word,)+
                }
            }

            /// Why it is not for cells, if it is not.
            pub const fn not_for_cells(&self) -> Option<&'static str> {
                match self {
                    $(Self::$Plan(_) => <$Plan as ImpairmentPlan>::NOT_FOR_CELLS,)+
                }
            }

            /// Whether chance has a part in it.
            pub const fn is_random(&self) -> bool {
                match self {
                    $(Self::$Plan(_) => <$Plan as ImpairmentPlan>::IS_RANDOM,)+
                }
            }

            /// No unit arrives later than by so much.
            pub fn longest_wait(&self) -> Span {
                match self {
                    $(Self::$Plan(plan) => plan.longest_wait(),)+
                }
            }

            /// The impairment of one direction of a link.
            pub fn build(&self, site: &Site<'_>) -> Box<dyn Impairment> {
                match self {
                    $(Self::$Plan(plan) => plan.build(site),)+
                }
            }

            /// The probability that all units of a train arrive, and without errors.
            pub fn intact(&self, train: &Train) -> f64 {
                match self {
                    $(Self::$Plan(plan) => plan.intact(train),)+
                }
            }

            /// Units lost in a row, in the mean; `None`: they are lost independently of each
            /// other, or none is.
            pub fn mean_burst(&self, train: &Train) -> Option<f64> {
                match self {
                    $(Self::$Plan(plan) => plan.mean_burst(train),)+
                }
            }
        }

        impl Part for Impairments {
            type Value = Self;

            const KEYS: &'static [Key] = &[$(
                Key::optional(
                    $word, <$Plan as Entry>::KIND, "none", $example, concat!($($doc),+).trim_ascii()
                )
            ),+];

            fn read(section: &Section<'_>) -> Result<Self, Fault> {
                let mut found = Vec::new();
                $(if let Some(plan) = <$Plan as Entry>::read(section, $word)? {
                    found.push((section.place_of_key($word), AnyImpairment::$Plan(plan)));
                })+
                found.sort_by_key(|(place, _)| *place);
                Ok(Self(found.into_iter().map(|(_, plan)| plan).collect()))
            }

            fn write(value: &Self, entries: &mut Entries) {
                entries.extend(value.0.iter().map(|plan| match plan {
                    $(AnyImpairment::$Plan(plan) => ($word, Entry::write(plan)),)+
                }));
            }
        }
    };
}

pub(super) use {impairments, probability};

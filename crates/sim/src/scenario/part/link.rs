//! `[link.NAME]`: a connection between two nodes.

use std::ops::Deref;
use std::sync::Arc;

use crate::language::family::member_of;
use crate::language::part::prelude::*;
use crate::link::capacity::CapacityPlan;
use crate::link::{AnyImpairment, Delay, Impairments};
use crate::scenario::part::carries::Carries;
use crate::scenario::part::node::NodeRef;

part! {
    /// `[link.NAME]` as a file has it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LinkSection {
        /// Unique name; a family member is `leaf[3]`.
        name: String = family,
        /// The two nodes that the link joins.
        ends: Ends = flat(Ends),
        /// Unit that the link carries, and its rate.
        carries: Carries = flat(Carries),
        /// One-way propagation, without serialisation.
        delay: Delay = flat(Propagation),
        /// Variation of its rate below that of the line, in each direction of a duplex link
        /// separately.
        capacity: Option<CapacityPlan> = absent(
            "always the rate of the line",
            "{ two_state = { high = \"80 Mbit/s of cell\", low = \"40 Mbit/s of cell\", mean_high \
             = \"4 s\", mean_low = \"4 s\" } }"
        ),
        /// Impairments of its units besides delay, in the order of the file; in each direction of a
        /// duplex link separately.
        impairments: Option<Impairments> = section("none", "{ loss = 1e-4 }"),
    }
}

impl LinkSection {
    /// Makes a duplex link.
    pub fn between(one: &str, other: &str, carries: Carries, delay: impl Into<Delay>) -> Self {
        Self::with(Ends::Between([one.to_owned(), other.to_owned()]), carries, delay.into())
    }

    /// Makes a one-way link.
    pub fn one_way(from: &str, to: &str, carries: Carries, delay: impl Into<Delay>) -> Self {
        Self::with(Ends::FromTo([from.to_owned(), to.to_owned()]), carries, delay.into())
    }

    fn with(ends: Ends, carries: Carries, delay: Delay) -> Self {
        Self { name: String::new(), ends, carries, delay, capacity: None, impairments: None }
    }

    /// Makes the rate of the link vary below that of the line.
    #[must_use]
    pub fn varying(self, capacity: CapacityPlan) -> Self {
        Self { capacity: Some(capacity), ..self }
    }

    /// Sets the impairments, applied in this order and to each direction separately.
    #[must_use]
    pub fn impaired(mut self, impairments: Vec<AnyImpairment>) -> Self {
        self.impairments = Some(Impairments(impairments));
        self
    }
}

/// `link.between`, or `link.from` and `link.to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// A duplex link.
    Between([String; 2]),
    /// A one-way link, from the first to the second.
    FromTo([String; 2]),
}

impl Ends {
    /// The names of the two nodes.
    pub const fn names(&self) -> &[String; 2] {
        match self {
            Self::Between(names) | Self::FromTo(names) => names,
        }
    }

    /// The ends of the family's member with this number.
    pub(crate) fn of_member(&self, number: u64) -> Self {
        let member = |names: &[String; 2]| names.each_ref().map(|name| member_of(name, number));
        match self {
            Self::Between(names) => Self::Between(member(names)),
            Self::FromTo(names) => Self::FromTo(member(names)),
        }
    }
}

impl Part for Ends {
    type Value = Self;

    const KEYS: &'static [Key] = &[
        Key::optional(
            "between",
            Kind::Nodes,
            "`from` and `to` are given",
            "[\"ku\", \"an2\"]",
            "The two ends of a duplex link.",
        )
        .instead_of("from"),
        Key::optional(
            "from",
            Kind::Node,
            "`between` is given",
            "\"ku\"",
            "Sending end of a one-way link.",
        )
        .instead_of("between"),
        Key::optional(
            "to",
            Kind::Node,
            "`between` is given",
            "\"an2\"",
            "Receiving end of a one-way link.",
        ),
    ];

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        let between = section.written("between")?;
        let (from, to) = (section.written("from")?, section.written::<String>("to")?);
        match (between, from, to) {
            (Some(between), None, None) => Ok(Self::Between(between.value)),
            (None, Some(from), Some(to)) => Ok(Self::FromTo([from.value, to.value])),
            (Some(_), _, Some(to)) => {
                let message = format!(
                    "`{}` has both `between` and `to`; expected one of them",
                    section.place()
                );
                Err(Fault::new(&to.at, message))
            }
            (None, None, None) => Err(missing_key(section, "`between`, or `from` and `to`")),
            (_, Some(_), None) => Err(missing_key(section, "`to` beside `from`")),
            (_, None, Some(_)) => Err(missing_key(section, "`from` beside `to`")),
        }
    }

    fn write(ends: &Self, entries: &mut Entries) {
        match ends {
            Self::Between(names) => entries.push(("between", names.write())),
            Self::FromTo([from, to]) => {
                entries.extend([("from", from.write()), ("to", to.write())]);
            }
        }
    }
}

/// `link.delay` or `link.distance`.
struct Propagation;

impl Part for Propagation {
    type Value = Delay;

    const KEYS: &'static [Key] = &[
        Key::optional(
            "delay",
            Delay::KIND,
            "`distance` is given",
            "\"2.2 ms\"",
            "One-way propagation, which may vary; serialisation is added.",
        )
        .instead_of("distance"),
        Key::optional(
            "distance",
            Kind::Distance,
            "`delay` is given",
            "\"440 km\"",
            "Length, for a propagation delay of 5 us/km.",
        )
        .instead_of("delay"),
    ];

    fn read(section: &Section<'_>) -> Result<Delay, Fault> {
        let distance = section.written("distance")?;
        let delay = section.written("delay")?.or(distance);
        delay.map(|delay| delay.value).ok_or_else(|| missing_key(section, "`delay` or `distance`"))
    }

    fn write(delay: &Delay, entries: &mut Entries) {
        entries.push(("delay", delay.write()));
    }
}

fn missing_key(section: &Section<'_>, expected: &str) -> Fault {
    Fault::new(section.at(), format!("missing key in `{}`; expected {expected}", section.place()))
}

/// One direction of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The section of the member, which both directions of a duplex link share.
    pub section: Arc<LinkSection>,
    /// Sending end.
    pub from: NodeRef,
    /// Receiving end.
    pub to: NodeRef,
}

impl Deref for Link {
    type Target = LinkSection;

    fn deref(&self) -> &LinkSection {
        &self.section
    }
}

//! `[observe]`: what is recorded as time series and counted as distributions.

use crate::language::fault::nearest;
use crate::language::part::prelude::*;
use crate::language::pattern::fits;
use crate::language::tree::{out_of_range, quantity, text};
use crate::language::values::words;
use crate::result::Sampling;
use crate::units::{Span, Time, quoted};

part! {
    /// `[observe]`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Observe {
        /// Which quantities.
        series: Vec<Quantity> = flat(Series),
        /// When a point is taken: on this grid, or whenever the value changes.
        interval: Option<Sampling> = absent("a thousandth of the duration", "\"10 ms\""),
        /// Maximum number of points per series; beyond it a grid keeps every second one, and of
        /// changes the minimum, the maximum, the last and the exact time mean of each stretch
        /// remain.
        limit: usize = default("10000", "1000") as Kind::Integer { min: 16, max: 100_000_000 },
        /// Whose distributions are counted.
        distributions: Distributions = flat(OfWhom),
        /// Flows whose transfers are timed from end to end, through relays if there are any; `*` in
        /// a name stands for any part of it.
        transfers: Vec<String> = or_default("no flow", "[\"bulk\"]") as Kind::Names,
        /// Whose segments are recorded one by one, with their acknowledgements and losses: what
        /// `cellway plot --time-sequence` draws. No more than `limit` points of each kind.
        segments: Option<Segments> = section("none", "{ flows = [\"bulk\"] }"),
    }
}

/// All quantities but [`VcQueue`](Quantity::VcQueue), a thousand points of each.
impl Default for Observe {
    fn default() -> Self {
        defaults::<Self>()
    }
}

impl Observe {
    /// Whether the transfer of the flow is timed.
    pub fn times_transfer(&self, name: &str) -> bool {
        self.transfers.iter().any(|pattern| fits(pattern, name))
    }

    /// When a point is taken in a run of this duration.
    pub fn sampling(&self, duration: Span) -> Sampling {
        let thousandth = Span::from_picoseconds((duration.picoseconds() / 1000).max(1));
        self.interval.unwrap_or(Sampling::Every(thousandth))
    }
}

variants! {
    /// A recordable quantity.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Quantity {
        /// Cells or packets at each switch port.
        Queue = "queue",
        /// Those of each VC at each switch port: as many series as VCs pass.
        VcQueue = "vc_queue",
        /// Congestion window, bytes.
        Cwnd = "cwnd",
        /// Slow-start threshold, bytes.
        Ssthresh = "ssthresh",
        /// Bytes sent and not yet acknowledged.
        InFlight = "in_flight",
        /// Round-trip time of each timed segment, seconds.
        Rtt = "rtt",
        /// Bytes acknowledged in order.
        Acked = "acked",
        /// Allowed cell rate of each direction of each ABR flow, cells per second.
        Acr = "acr",
        /// Explicit rate given last by each allocator, cells per second.
        ExplicitRate = "er",
        /// Fair share of each allocator, cells per second.
        FairShare = "fair_share",
        /// Overload factor z of each allocator; without capacity it has none.
        Overload = "overload",
        /// Active VCs N that each allocator counts.
        Active = "active",
        /// Capacity that each allocator shares out, cells per second.
        AbrCapacity = "abr_capacity",
        /// Rate of each direction of each link with `capacity`, bits per second.
        Capacity = "capacity",
        /// Rate of each flow with `pacing`, bits per second.
        PacingRate = "pacing_rate",
        /// Cells or packets in the segmentation buffer of each flow with `pacing`.
        PacingQueue = "pacing_queue",
    }
}

impl Quantity {
    /// What is recorded unless others are asked for: all but [`VcQueue`](Self::VcQueue), whose many
    /// series every cell pays for.
    const USUAL: [Self; 15] = [
        Self::Queue,
        Self::Cwnd,
        Self::Ssthresh,
        Self::InFlight,
        Self::Rtt,
        Self::Acked,
        Self::Acr,
        Self::ExplicitRate,
        Self::FairShare,
        Self::Overload,
        Self::Active,
        Self::AbrCapacity,
        Self::Capacity,
        Self::PacingRate,
        Self::PacingQueue,
    ];
}

impl Read for Vec<Quantity> {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        words(node, kind, place)
    }
}

/// Left out, it is the usual ones.
struct Series;

impl Part for Series {
    type Value = Vec<Quantity>;

    const KEYS: &'static [Key] = &[Key::optional(
        "series",
        Kind::Words(match Quantity::KIND.choices() {
            Some(words) => words,
            None => unreachable!(),
        }),
        "all but `vc_queue`",
        "[\"queue\", \"cwnd\"]",
        "Which quantities.",
    )];

    fn read(section: &Section<'_>) -> Result<Vec<Quantity>, Fault> {
        let written = section.written("series")?;
        Ok(written.map_or_else(|| Quantity::USUAL.to_vec(), |series| series.value))
    }

    fn write(series: &Vec<Quantity>, entries: &mut Entries) {
        entries.push(("series", series.write()));
    }
}

part! {
    /// `observe.distributions`: names, or patterns in which `*` stands for any part of one.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Distributions {
        /// Output ports, `switch.link`: the distribution of the queue, weighted by time, and the
        /// delay of units from arrival to last bit.
        ports: Vec<String> = or_default("no port", "[\"an2.*\"]") as Kind::Names,
        /// Flows with packets: the delay from the sending host's interface, its queue included, to
        /// the receiving host.
        flows: Vec<String> = or_default("no flow", "[\"*\"]") as Kind::Names,
    }
}

part! {
    /// `observe.segments`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Segments {
        /// Of flows with `tcp`; `*` in a name stands for any part of it.
        flows: Vec<String> = or_default("every flow with `tcp`", "[\"*\"]") as Kind::Names,
        /// When recording begins.
        from: Span = default("0 s", "\"2 s\"") as ANY_TIME,
        /// When it ends.
        to: Option<Span> = absent("the end of the run", "\"3 s\"") as ANY_TIME,
    }
}

impl Segments {
    /// Whether those of the flow are recorded.
    pub fn has_flow(&self, name: &str) -> bool {
        self.flows.is_empty() || self.flows.iter().any(|pattern| fits(pattern, name))
    }

    /// From which instant on and before which, in a run of this duration.
    pub fn window(&self, duration: Span) -> (Time, Time) {
        (Time::ZERO + self.from, Time::ZERO + self.to.unwrap_or(duration))
    }
}

impl Distributions {
    /// Whether those of the port are counted.
    pub fn has_port(&self, name: &str) -> bool {
        self.ports.iter().any(|pattern| fits(pattern, name))
    }

    /// Whether those of the flow are counted.
    pub fn has_flow(&self, name: &str) -> bool {
        self.flows.iter().any(|pattern| fits(pattern, name))
    }
}

/// A section that is written as one line.
struct OfWhom;

impl Part for OfWhom {
    type Value = Distributions;

    const KEYS: &'static [Key] = &[Key::optional(
        "distributions",
        Kind::Section(Distributions::KEYS),
        "none",
        "{}",
        "Whose distributions to count, from the warm-up on; `*` in a name stands for any part of \
         it.",
    )];

    fn read(section: &Section<'_>) -> Result<Distributions, Fault> {
        let written = section.section("distributions")?;
        written.map_or_else(
            || Ok(Distributions::default()),
            |written| Distributions::read_whole(&written),
        )
    }

    fn write(distributions: &Distributions, entries: &mut Entries) {
        let mut lists = Entries::new();
        Distributions::write(distributions, &mut lists);
        if !lists.is_empty() {
            entries.push(("distributions", inline(&lists)));
        }
    }
}

impl Typed for Sampling {
    const KIND: Kind = Kind::SamplingInterval;
}

impl Read for Sampling {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let written = text(node, kind, place)?;
        if written == "change" {
            return Ok(Self::OnChange);
        }
        if nearest(written, &["change"]).is_some() {
            let message = format!(
                "`{place}`: unknown word {}; expected {}",
                quoted(written),
                kind.accepted()
            );
            return Err(Fault::new(&node.span(), message)
                .with_hint(Some("did you mean `change`?".to_owned())));
        }
        match quantity(node, kind, place)? {
            Span::ZERO => Err(out_of_range(node, place, "more than `0 s`")),
            span => Ok(Self::Every(span)),
        }
    }
}

impl Value for Sampling {
    fn write(&self) -> String {
        match self {
            Self::Every(span) => span.write(),
            Self::OnChange => "\"change\"".to_owned(),
        }
    }
}

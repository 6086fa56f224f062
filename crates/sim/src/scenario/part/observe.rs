//! `[observe]`: recorded time series and distributions.

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
        /// Quantities to record.
        series: Vec<Quantity> = flat(Series),
        /// Instants of the points: on this grid, or at every change of the value.
        interval: Option<Sampling> = absent("a thousandth of the duration", "\"10 ms\""),
        /// Maximum number of points per series. Beyond it a grid keeps every second point; of
        /// changes, the minimum, the maximum, the last value and the exact time mean of each
        /// stretch remain.
        limit: usize = default("10000", "1000") as Kind::Integer { min: 16, max: 100_000_000 },
        /// Ports and flows whose distributions are recorded.
        distributions: Distributions = flat(ObserveDistributions),
        /// Flows whose transfers are timed from end to end, through relays if there are any; `*` in
        /// a name stands for any part of it.
        transfers: Vec<String> = or_default("no flow", "[\"bulk\"]") as Kind::Names,
        /// Segments recorded one by one, with acknowledgements and losses:
        /// `cellway plot --time-sequence` draws them. At most `limit` points of each kind.
        segments: Option<Segments> = section("none", "{ flows = [\"bulk\"] }"),
    }
}

/// All quantities except [`VcQueue`](Quantity::VcQueue), a thousand points of each.
impl Default for Observe {
    fn default() -> Self {
        defaults::<Self>()
    }
}

impl Observe {
    /// True if the transfer of the flow is timed.
    pub fn times_transfer(&self, name: &str) -> bool {
        self.transfers.iter().any(|pattern| fits(pattern, name))
    }

    /// Instants of the points in a run with this duration.
    pub fn sampling(&self, duration: Span) -> Sampling {
        let thousandth = Span::from_picoseconds((duration.picoseconds() / 1000).max(1));
        self.interval.unwrap_or(Sampling::Every(thousandth))
    }
}

variants! {
    /// A recordable quantity.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Quantity {
        /// Cells or packets waiting at each switch port.
        Queue = "queue",
        /// Cells or packets of each VC at each switch port: one series per VC that passes.
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
        /// Bytes of data that have arrived at the receiving host, each once and in any order; of
        /// packets made outside their IP bytes. On a grid, `arrived.FAMILY[*]` is the sum of a
        /// family and `arrived.*` that of all flows.
        Arrived = "arrived",
        /// Delay of packets with data from the sending host's interface, its queue included, to the
        /// receiving host, seconds; on a grid the largest since the last point.
        OneWayDelay = "one_way_delay",
        /// Percentiles 50 and 95 of these delays since the last point, on a grid, as
        /// `FLOW.one_way_delay.p50` and `.p95`.
        OneWayPercentiles = "one_way_percentiles",
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
        /// Each value of the state of the law of cwnd, as `FLOW.law.NAME`, if it has any.
        Law = "law",
    }
}

impl Quantity {
    /// Quantities recorded by default: all except [`VcQueue`](Self::VcQueue), whose many series
    /// every cell pays for, and [`OneWayPercentiles`](Self::OneWayPercentiles).
    const USUAL: [Self; 18] = [
        Self::Queue,
        Self::Cwnd,
        Self::Ssthresh,
        Self::InFlight,
        Self::Rtt,
        Self::Acked,
        Self::Arrived,
        Self::OneWayDelay,
        Self::Acr,
        Self::ExplicitRate,
        Self::FairShare,
        Self::Overload,
        Self::Active,
        Self::AbrCapacity,
        Self::Capacity,
        Self::PacingRate,
        Self::PacingQueue,
        Self::Law,
    ];
}

impl Read for Vec<Quantity> {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        words(node, kind, place)
    }
}

/// The key `series`, whose default is the usual quantities.
struct Series;

impl Part for Series {
    type Value = Vec<Quantity>;

    const KEYS: &'static [Key] = &[Key::optional(
        "series",
        Kind::Words(match Quantity::KIND.choices() {
            Some(words) => words,
            None => unreachable!(),
        }),
        "all but `vc_queue` and `one_way_percentiles`",
        "[\"queue\", \"cwnd\"]",
        "Quantities to record.",
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
        /// Flows with `tcp`; `*` in a name stands for any part of it.
        flows: Vec<String> = or_default("every flow with `tcp`", "[\"*\"]") as Kind::Names,
        /// Start of the recording.
        from: Span = default("0 s", "\"2 s\"") as ANY_TIME,
        /// End of the recording.
        to: Option<Span> = absent("the end of the run", "\"3 s\"") as ANY_TIME,
    }
}

impl Segments {
    /// True if the segments of the flow are recorded.
    pub fn has_flow(&self, name: &str) -> bool {
        self.flows.is_empty() || self.flows.iter().any(|pattern| fits(pattern, name))
    }

    /// First instant of the recording and the instant of its end, in a run with this duration.
    pub fn window(&self, duration: Span) -> (Time, Time) {
        (Time::ZERO + self.from, Time::ZERO + self.to.unwrap_or(duration))
    }
}

impl Distributions {
    /// True if the distributions of the port are recorded.
    pub fn has_port(&self, name: &str) -> bool {
        self.ports.iter().any(|pattern| fits(pattern, name))
    }

    /// True if the distributions of the flow are recorded.
    pub fn has_flow(&self, name: &str) -> bool {
        self.flows.iter().any(|pattern| fits(pattern, name))
    }
}

/// The key `distributions`, a section that is written as one line.
struct ObserveDistributions;

impl Part for ObserveDistributions {
    type Value = Distributions;

    const KEYS: &'static [Key] = &[Key::optional(
        "distributions",
        Kind::Section(Distributions::KEYS),
        "none",
        "{}",
        "Ports and flows whose distributions are recorded from the warm-up on; `*` in a name \
         stands for any part of it.",
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

//! A scenario after parsing, expansion of families and every check: what the builder and `explain`
//! read.
//!
//! Names are unique, references are indices, paths exist, quantities are in range. Nothing here can
//! be wrong.

use crate::atm::Class;
use crate::language::pattern::fits;
use crate::units::{Bytes, Cells, Rate, Span};

pub use super::part::gfr::{Gfr, Pme, Tagging};
pub use crate::atm::abr::UseItOrLoseIt;
pub use crate::engine::RandomSpan;
pub use crate::host::{AckCost, CpuOrder, Sar, SegmentationRoom};
pub use crate::result::Sampling;
pub use crate::switch::rate::{
    CcrFrom, Curve, DrainRate, EricaPlan, EricaPlusPlan, Excess, Fairness, MeasurementPlan,
    OverloadAverage, QueueControl, Steps, TargetOf,
};
pub use crate::switch::{
    DropScale, InService, NonConforming, PolicyPlan as Drop, SchedulerPlan as Scheduler, Threshold,
    WfqPlan,
};
pub use crate::tcp::{AckRule, Avoidance, BsdTimers, Config as Tcp, FineTimers, Recovery, Timers};
pub use crate::units::CellsOrPackets;

/// One complete run: topology, models, parameters, seed, duration.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The file's stem, or what the caller named it.
    pub name: String,
    /// Run control.
    pub run: RunControl,
    /// Hosts, in file order, families expanded.
    pub hosts: Vec<Host>,
    /// Switches, in file order, families expanded.
    pub switches: Vec<Switch>,
    /// Edges, in file order, families expanded.
    pub edges: Vec<Edge>,
    /// One-way links; a duplex link is two neighbours, `between[0]` to `between[1]` first.
    pub links: Vec<Link>,
    /// Shared virtual circuits, in file order.
    pub vcs: Vec<Vc>,
    /// Flows, in file order, families expanded.
    pub flows: Vec<Flow>,
    /// What to record as time series.
    pub observe: Option<Observe>,
}

/// `[run]`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunControl {
    /// When the run ends.
    pub duration: Span,
    /// Counters and averages start here.
    pub warm_up: Span,
    /// Root of every random stream.
    pub seed: u64,
    /// Whether sources and host timers start at a random phase.
    pub phase: Phase,
}

/// `run.phase`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Sources start within one cell time, host timers within one tick, each from its own stream.
    Random,
    /// Everything starts at zero; for known-answer tests.
    None,
}

/// A node of the topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeRef {
    /// Index into [`Scenario::hosts`].
    Host(usize),
    /// Index into [`Scenario::switches`].
    Switch(usize),
    /// Index into [`Scenario::edges`].
    Edge(usize),
}

/// `[host.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// Unique name; a family member is `src[3]`.
    pub name: String,
    /// CPU time to create a segment for sending, or to process a received one.
    pub cpu_per_segment: RandomSpan,
    /// Whether an outgoing pure ACK costs CPU time of its own.
    pub ack_cost: AckCost,
    /// Which segment the CPU takes next.
    pub cpu_order: CpuOrder,
    /// Segmentation and reassembly time.
    pub sar: Sar,
}

/// `[switch.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// Unique name.
    pub name: String,
    /// Processing delay from input to output queue, the same for every cell.
    pub delay: Span,
    /// How much may wait at an output.
    pub buffer: Buffer,
    /// Whether the cell being transmitted occupies the buffer.
    pub in_service: InService,
    /// What happens to an arriving cell.
    pub drop: Drop,
    /// Room for CBR and VBR cells; `None`: as `buffer`.
    pub vbr_buffer: Option<Buffer>,
    /// Room for ABR cells; `None`: as `buffer`.
    pub abr_buffer: Option<Buffer>,
    /// What each output tells ABR sources.
    pub rate_allocator: RateAllocation,
    /// In which order the cells of a class are served.
    pub scheduler: Scheduler,
}

/// `[edge.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Unique name.
    pub name: String,
    /// Processing delay from input to output queue, the same for every packet and cell.
    pub delay: Span,
    /// How much may wait at an output for packets.
    pub buffer: Buffer,
    /// What happens to a packet for such an output.
    pub drop: Drop,
}

/// `switch.rate_allocator`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateAllocation {
    /// Nothing.
    None,
    /// Data cells are marked.
    Efci {
        /// Cells waiting above which they are.
        threshold: Cells,
    },
    /// Backward RM cells are marked.
    RelativeRate {
        /// Cells waiting above which NI is set.
        no_increase: Cells,
        /// Cells waiting above which CI is set.
        congestion: Cells,
    },
    /// ERICA.
    Erica(EricaPlan),
    /// ERICA+.
    EricaPlus(EricaPlusPlan),
}

impl RateAllocation {
    /// The word of the language for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Efci { .. } => "efci",
            Self::RelativeRate { .. } => "relative_rate",
            Self::Erica(_) => "erica",
            Self::EricaPlus(_) => "erica_plus",
        }
    }

    /// After which time it measures anew, if it does, and the keys that it stands under.
    pub const fn measuring_interval(&self) -> Option<(Span, &'static [&'static str])> {
        match self {
            Self::Erica(plan) => Some((plan.measurement.span, &["erica", "interval"])),
            Self::EricaPlus(plan) => Some((plan.measurement.span, &["erica_plus", "interval"])),
            Self::None | Self::Efci { .. } | Self::RelativeRate { .. } => None,
        }
    }

    /// How it measures, and how it makes rates equal, if it does.
    pub const fn measured(&self) -> Option<(MeasurementPlan, Fairness)> {
        match self {
            Self::Erica(plan) => Some((plan.measurement, plan.fairness)),
            Self::EricaPlus(plan) => Some((plan.measurement, plan.fairness)),
            Self::None | Self::Efci { .. } | Self::RelativeRate { .. } => None,
        }
    }
}

/// `switch.buffer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// No limit.
    Infinite,
    /// Each output port has its own.
    PerPort(CellsOrPackets),
    /// Each VC has its own at each port.
    PerVc(CellsOrPackets),
    /// One memory for all ports of the switch.
    Shared(CellsOrPackets),
}

/// One direction of `[link.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The name in the file; both directions of a duplex link share it.
    pub name: String,
    /// Sending end.
    pub from: NodeRef,
    /// Receiving end.
    pub to: NodeRef,
    /// One-way propagation, without serialisation.
    pub delay: Span,
    /// What travels on it and how fast.
    pub carries: Carries,
}

/// `link.rate` and `link.carries`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// 53-byte cells.
    Cells {
        /// All bits on the wire.
        line_rate: Rate,
        /// Bits of whole cells.
        cell_rate: Rate,
    },
    /// Variable-length packets.
    Packets {
        /// All bits on the wire.
        line_rate: Rate,
        /// Framing bytes added to each IP packet on the wire.
        overhead: Bytes,
    },
}

/// `[vc.NAME]`: one virtual circuit for the cells of several flows.
#[derive(Clone, Debug, PartialEq)]
pub struct Vc {
    /// Unique name, which no flow has either.
    pub name: String,
    /// Indices of the edges that it joins.
    pub between: [usize; 2],
    /// How the network carries it.
    pub service: Service,
    /// Indices of the links from the first of the edges to the second.
    pub path: Vec<usize>,
    /// Indices of the links back.
    pub reverse_path: Vec<usize>,
}

/// `[flow.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Unique name; a family member is `bulk[3]`.
    pub name: String,
    /// Index of the sending host.
    pub from: usize,
    /// Index of the receiving host.
    pub to: usize,
    /// When its traffic begins; `drawn_start` is when it does in this run.
    pub start: RandomSpan,
    /// When raw cells end; `None`: with the run.
    pub stop: Option<RandomSpan>,
    /// What the application does.
    pub traffic: Traffic,
    /// How the network carries its cells: of a flow in a shared virtual circuit, that one's.
    pub service: Service,
    /// Index of the shared virtual circuit that its cells travel in; `None`: it has its own.
    pub vc: Option<usize>,
    /// The transport; `None` for raw cell sources.
    pub tcp: Option<Tcp>,
    /// Indices of the links from `from` to `to`.
    pub path: Vec<usize>,
    /// Indices of the links back; empty for raw cells that are not on ABR, which nothing answers.
    pub reverse_path: Vec<usize>,
}

impl Flow {
    /// Whether something travels back: acknowledgements, or RM cells.
    pub fn is_two_way(&self) -> bool {
        self.tcp.is_some() || matches!(self.service, Service::Abr(_))
    }
}

/// `flow.traffic`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Traffic {
    /// Always more to send.
    Greedy,
    /// ttcp: the send buffer is kept full by blocks of `write` bytes.
    Ttcp {
        /// Size of one write.
        write: Bytes,
        /// Bytes to send in all; `None` until the run ends.
        total: Option<Bytes>,
    },
    /// Cells at a constant rate, without a transport.
    Cbr {
        /// Bits of whole cells.
        cell_rate: Rate,
    },
    /// Cells at the instants of a Poisson process, without a transport.
    Poisson {
        /// Mean bits of whole cells.
        cell_rate: Rate,
    },
    /// Cells in bursts of one length.
    OnOff {
        /// Bits of whole cells within a burst.
        cell_rate: Rate,
        /// From the beginning of one burst to that of the next.
        period: Span,
        /// Part of the period that the burst lasts.
        duty_cycle: f64,
    },
    /// Cells in bursts of exponential length.
    ExponentialOnOff {
        /// Bits of whole cells within a burst.
        cell_rate: Rate,
        /// Mean length of a burst.
        on: Span,
        /// Mean length of the gap between bursts.
        off: Span,
    },
}

impl Traffic {
    /// The largest rate of a source of raw cells, and the key below `traffic` that it stands under.
    pub fn peak_cell_rate(&self) -> Option<(Rate, &'static [&'static str])> {
        match self {
            Self::Cbr { cell_rate } => Some((*cell_rate, &["cbr", "rate"])),
            Self::Poisson { cell_rate } => Some((*cell_rate, &["poisson", "rate"])),
            Self::OnOff { cell_rate, .. } => Some((*cell_rate, &["on_off", "rate"])),
            Self::ExponentialOnOff { cell_rate, .. } => {
                Some((*cell_rate, &["exponential_on_off", "rate"]))
            }
            Self::Greedy | Self::Ttcp { .. } => None,
        }
    }

    /// What a source of raw cells sends on average, bits of whole cells per second.
    pub fn mean_cell_rate(&self) -> Option<f64> {
        let (peak, _) = self.peak_cell_rate()?;
        let busy = match self {
            Self::OnOff { duty_cycle, .. } => *duty_cycle,
            Self::ExponentialOnOff { on, off, .. } => on.seconds_f64() / (*on + *off).seconds_f64(),
            _ => 1.0,
        };
        Some(busy * peak.bits_per_second() as f64)
    }

    /// The word of the language for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Greedy => "greedy",
            Self::Ttcp { .. } => "ttcp",
            Self::Cbr { .. } => "cbr",
            Self::Poisson { .. } => "poisson",
            Self::OnOff { .. } => "on_off",
            Self::ExponentialOnOff { .. } => "exponential_on_off",
        }
    }
}

/// `flow.service`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Service {
    /// Available bit rate.
    Abr(Abr),
    /// Variable bit rate.
    Vbr,
    /// Guaranteed frame rate.
    Gfr(Gfr),
    /// Constant bit rate.
    Cbr,
    /// Unspecified bit rate.
    Ubr {
        /// Cell-level pacing at the source.
        pace: Option<Pacing>,
    },
}

impl Service {
    /// What the network guarantees to its cells, if it is one that may.
    pub const fn minimum_rate(&self) -> Option<Rate> {
        match self {
            Self::Abr(abr) => Some(abr.mcr),
            Self::Gfr(gfr) => Some(gfr.mcr),
            Self::Ubr { .. } | Self::Vbr | Self::Cbr => None,
        }
    }

    /// Its parameters, if it is the guaranteed frame rate.
    pub const fn gfr(&self) -> Option<&Gfr> {
        match self {
            Self::Gfr(gfr) => Some(gfr),
            Self::Abr(_) | Self::Ubr { .. } | Self::Vbr | Self::Cbr => None,
        }
    }

    /// The queue that its cells wait in at an output.
    pub const fn class(&self) -> Class {
        match self {
            Self::Vbr | Self::Cbr => Class::Vbr,
            Self::Abr(_) => Class::Abr,
            Self::Ubr { .. } | Self::Gfr(_) => Class::Ubr,
        }
    }
}

/// `service.abr`, for both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abr {
    /// Peak cell rate; `None`: of the first link.
    pub pcr: Option<Rate>,
    /// Minimum cell rate.
    pub mcr: Rate,
    /// Initial cell rate; `None`: PCR.
    pub icr: Option<Rate>,
    /// Transient buffer exposure.
    pub tbe: Cells,
    /// Fixed round-trip time; `None`: the propagation of the path.
    pub frtt: Option<Span>,
    /// Rate increase factor.
    pub rif: PowerFraction,
    /// Rate decrease factor.
    pub rdf: PowerFraction,
    /// Most cells per forward RM cell.
    pub nrm: u32,
    /// Longest time between forward RM cells.
    pub trm: Span,
    /// Forward RM cells without an answer; `None`: TBE/Nrm.
    pub crm: Option<u64>,
    /// Cutoff decrease factor.
    pub cdf: PowerFraction,
    /// ACR decrease time factor.
    pub adtf: Span,
    /// Rate of out-of-rate cells.
    pub tcr: Rate,
    /// What becomes of a rate that is not used.
    pub use_it_or_lose_it: UseItOrLoseIt,
    /// Whether RM cells carry rates in sixteen bits.
    pub quantised: bool,
    /// Room at the source.
    pub buffer: SegmentationRoom,
}

/// One over a power of two, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerFraction(pub Option<u32>);

impl PowerFraction {
    /// As a number.
    pub fn value(self) -> f64 {
        self.0.map_or(0.0, |exponent| 1.0 / (1_u64 << exponent) as f64)
    }
}

/// `service.ubr.pace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// This rate counts whole 53-byte cells.
    OfCell(Rate),
    /// This rate counts the 48 payload bytes of each cell.
    OfPayload(Rate),
}

/// `[observe]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Observe {
    /// Which quantities.
    pub series: Vec<Quantity>,
    /// When a point is taken.
    pub sampling: Sampling,
    /// Most points kept per series; beyond it it is thinned.
    pub limit: usize,
    /// Whose distributions are counted.
    pub distributions: Distributions,
}

/// `observe.distributions`: names, or patterns in which `*` stands for any part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distributions {
    /// Of output ports.
    pub ports: Vec<String>,
    /// Of flows.
    pub flows: Vec<String>,
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

/// A recordable quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// Cells or packets at each switch port.
    Queue,
    /// Those of each VC there.
    VcQueue,
    /// Congestion window, bytes.
    Cwnd,
    /// Slow-start threshold, bytes.
    Ssthresh,
    /// Bytes sent and not yet acknowledged.
    InFlight,
    /// Round-trip time of each timed segment, seconds.
    Rtt,
    /// Bytes acknowledged in order.
    Acked,
    /// Allowed cell rate of each direction of each ABR flow.
    Acr,
    /// Explicit rate given last by each allocator.
    ExplicitRate,
    /// Fair share of each allocator.
    FairShare,
    /// Overload factor of each allocator.
    Overload,
    /// Active VCs that each allocator counts.
    Active,
    /// Capacity that each allocator shares out.
    AbrCapacity,
}

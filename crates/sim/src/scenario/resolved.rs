//! A scenario after parsing, expansion of families and every check: what the builder and `explain` read.
//!
//! Names are unique, references are indices, paths exist, quantities are in range. Nothing here can be wrong.

use crate::units::{Bytes, Cells, Packets, Rate, Span};

pub use crate::host::{AckCost, CpuOrder, Sar};
pub use crate::result::Sampling;
pub use crate::switch::InService;
pub use crate::tcp::{AckRule, Avoidance, Config as Tcp, Recovery, Timers};

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
    /// One-way links; a duplex link is two neighbours, `between[0]` to `between[1]` first.
    pub links: Vec<Link>,
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
}

/// `[host.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// Unique name; a family member is `src[3]`.
    pub name: String,
    /// CPU time to create a segment for sending, or to process a received one.
    pub cpu_per_segment: Span,
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
}

/// `switch.buffer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// No limit.
    Infinite,
    /// Each output port has its own.
    PerPort(Room),
    /// Each VC has its own at each port.
    PerVc(Room),
    /// One memory for all ports of the switch.
    Shared(Room),
}

/// The size of a buffer in the unit that its links carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// For ports onto links that carry cells.
    Cells(Cells),
    /// For ports onto links that carry packets.
    Packets(Packets),
}

/// `switch.drop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drop {
    /// A cell is lost when there is no room.
    Tail,
    /// Partial packet discard: after a loss the rest of the frame goes too, its last cell excepted.
    Ppd,
    /// Early packet discard: a frame whose first cell finds more than `threshold` waiting goes whole.
    Epd {
        /// Cells in the buffer above which no new frame is admitted.
        threshold: Cells,
    },
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

/// `[flow.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Unique name; a family member is `bulk[3]`.
    pub name: String,
    /// Index of the sending host.
    pub from: usize,
    /// Index of the receiving host.
    pub to: usize,
    /// When its traffic begins.
    pub start: Span,
    /// What the application does.
    pub traffic: Traffic,
    /// How the network carries it.
    pub service: Service,
    /// The transport; `None` for raw cell sources.
    pub tcp: Option<Tcp>,
    /// Indices of the links from `from` to `to`.
    pub path: Vec<usize>,
    /// Indices of the links back; empty for raw cell sources.
    pub reverse_path: Vec<usize>,
}

/// `flow.traffic`.
#[derive(Clone, Debug, PartialEq)]
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
}

/// `flow.service`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Unspecified bit rate.
    Ubr {
        /// Cell-level pacing at the source.
        pace: Option<Pacing>,
    },
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
    /// Most points kept per series; beyond it every second point goes and the spacing doubles.
    pub limit: usize,
}

/// A recordable quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// Cells or packets at each switch port.
    Queue,
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
}

//! A scenario after parsing, expansion of families and every check: what the builder and `explain`
//! read.
//!
//! Names are unique, references are indices, paths exist, quantities are in range. Nothing here can
//! be wrong.

use crate::units::{Bytes, Rate, Span};

pub use super::part::abr::Abr;
pub use super::part::carries::Carries;
pub use super::part::drop::{
    Dfba, Drop, DropScale, Epd, Ered, FairShare, Fred, Lottery, Priority, Red, VirtualQueuing,
    VqDynamicEpd, VqMcr,
};
pub use super::part::edge::Edge;
pub use super::part::file::ScenarioFile;
pub use super::part::flow::{Carriage, Flow, FlowSection};
pub use super::part::gfr::{Gfr, Pme, Tagging};
pub use super::part::host::Host;
pub use super::part::link::{Ends, Link, LinkSection};
pub use super::part::node::NodeRef;
pub use super::part::observe::{Distributions, Observe, Quantity};
pub use super::part::run::{Phase, RunControl};
pub use super::part::scheduler::{Scheduler, Wfq};
pub use super::part::service::{Pacing, Service, Ubr};
pub use super::part::switch::Switch;
pub use super::part::threshold::Threshold;
pub use super::part::vc::{Vc, VcSection};
pub use crate::atm::abr::{CountBased, PowerFraction, TimeBased, UseItOrLoseIt};
pub use crate::engine::RandomSpan;
pub use crate::host::{AckCost, CpuOrder, Sar, SegmentationBuffer};
pub use crate::language::family::Named;
pub use crate::result::Sampling;
pub use crate::switch::rate::{
    CcrFrom, Curve, DrainRate, EricaPlan, EricaPlusPlan, Excess, Fairness, MeasurementPlan,
    OverloadAverage, QueueControl, RateAllocation, Steps, TargetOf,
};
pub use crate::switch::{Buffer, InService, NonConforming};
pub use crate::tcp::{AckRule, Avoidance, BsdTimers, Config as Tcp, FineTimers, Recovery, Timers};
pub use crate::units::CellsOrPackets as Room;

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

//! A scenario after parsing, expansion of families and every check: the input of the builder and of
//! `explain`.
//!
//! Names are unique, references are indices, paths exist, quantities are in range.

pub use super::part::abr::Abr;
pub use super::part::carries::Carries;
pub use super::part::edge::Edge;
pub use super::part::file::ScenarioFile;
pub use super::part::flow::{Carriage, Flow, FlowRelay, FlowSection, Leg};
pub use super::part::gfr::{Gfr, Pme, Tagging};
pub use super::part::host::Host;
pub use super::part::lab::Laboratory;
pub use super::part::link::{Ends, Link, LinkSection};
pub use super::part::node::NodeRef;
pub use super::part::observe::{Distributions, Observe, Quantity, Segments};
pub use super::part::pacing::{FlowPacing, Paced, PacingSection};
pub use super::part::proxy::{Proxy, ProxyBuffer, ProxyHost, ProxySection};
pub use super::part::run::{Phase, RunControl};
pub use super::part::service::{Pacing, Service, Ubr};
pub use super::part::switch::Switch;
pub use super::part::vc::{Vc, VcSection};
pub use crate::atm::abr::{CountBased, PowerFraction, TimeBased, UseItOrLoseIt};
pub use crate::engine::RandomSpan;
pub use crate::host::{AckCost, CpuOrder, Sar, SegmentationBuffer};
pub use crate::language::family::Named;
pub use crate::language::schedule::Schedule;
pub use crate::result::Sampling;
pub use crate::switch::rate::{
    CcrFrom, Curve, DrainRate, EricaPlan, EricaPlusPlan, Excess, Fairness, MeasurementPlan,
    OverloadAverage, QueueControl, RateAllocation, Steps, TargetOf,
};
pub use crate::switch::{
    AckFilter, Buffer, DropScale, InService, NonConforming, PolicyPlan as Drop, Room,
    SchedulerPlan as Scheduler, Threshold, WfqPlan,
};
pub use crate::tcp::{
    AckRule, Avoidance, BsdTimers, Config as Tcp, CongestionLaw, CubicPlan, FineTimers, FixedRto,
    FixedTimers, Recovery, Timers,
};
pub use crate::traffic::{
    Cbr, ExponentialOnOff, OnOff, Poisson, RequestResponsePlan, SchedulePlan, Sends, Size, Traffic,
    TtcpPlan,
};
pub use crate::units::CellsOrPackets;

/// One complete run: topology, models, parameters, seed, duration.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Stem of the file's name, or the name that the caller gave.
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
    /// Proxies, in file order, families expanded. Their hosts, links and connections are the last
    /// ones of `hosts`, `links` and `flows`.
    pub proxies: Vec<Proxy>,
    /// Time series and distributions to record.
    pub observe: Option<Observe>,
}

//! `[flow.NAME]`: traffic from one host to another.

use crate::engine::{ANY_INSTANT, LATER_INSTANT, RandomSpan};
use crate::language::part::prelude::*;
use crate::scenario::part::pacing::{FlowPacing, PacingSection};
use crate::scenario::part::service::Service;
use crate::tcp::Config as Tcp;
use crate::traffic::Traffic;

part! {
    /// `[flow.NAME]` as a file has it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FlowSection {
        /// Unique name; a family member is `bulk[3]`.
        name: String = family,
        /// The sending host.
        from: String = required("\"ku\"") as Kind::Node,
        /// The receiving host.
        to: String = required("\"edc\"") as Kind::Node,
        /// When its traffic begins; of a distribution, every member draws its own. After the end of
        /// the run is never.
        start: RandomSpan = default("0 s", "{ uniform = [\"0 s\", \"0.1 s\"] }") as ANY_INSTANT,
        /// When it stops, drawn like `start`: raw cells and datagrams end; over a transport nothing
        /// more is written, what is written is still sent, and the connection closes.
        stop: Option<RandomSpan> = absent("the end of the run", "\"2 s\"") as LATER_INSTANT,
        /// What the application does.
        traffic: Traffic = required("\"greedy\""),
        /// What its cells travel in.
        carried: Carriage = flat(Carriage),
        /// The transport: required for `ttcp` and, but on ABR, for `greedy`; not possible for the
        /// others.
        tcp: Option<Tcp> = section("the traffic is raw cells or datagrams", "{ window = \"128 KiB\" }"),
        /// The rate at which its data leave the host.
        pacing: Option<PacingSection> = section(
            "as fast as the first link, or as its service says",
            "{ link = \"bottleneck\", rate = \"instcap\" }"
        ),
    }
}

/// `flow.service` or `flow.vc`.
#[derive(Clone, Debug, PartialEq)]
pub enum Carriage {
    /// A virtual circuit of its own.
    Own(Service),
    /// The shared one of this name.
    Shared(String),
}

impl Part for Carriage {
    type Value = Self;

    const KEYS: &'static [Key] = &[
        Key::with_default(
            "service",
            Service::KIND,
            "ubr",
            "{ ubr = { pace = \"70 Mbit/s of payload\" } }",
            "How the network carries its cells; packets have no service.",
        )
        .instead_of("vc"),
        Key::optional(
            "vc",
            Kind::Vc,
            "a virtual circuit of its own",
            "\"trunk\"",
            "The shared virtual circuit that its cells travel in.",
        )
        .instead_of("service"),
    ];

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        match section.written("vc")? {
            Some(name) => Ok(Self::Shared(name.value)),
            None => section.value("service").map(Self::Own),
        }
    }

    fn write(carried: &Self, entries: &mut Entries) {
        entries.push(match carried {
            Self::Own(service) => ("service", service.write()),
            Self::Shared(name) => ("vc", name.write()),
        });
    }
}

/// A flow, with its path.
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
    /// When it stops; `None`: with the run.
    pub stop: Option<RandomSpan>,
    /// What the application does.
    pub traffic: Traffic,
    /// How the network carries its cells: of a flow in a shared virtual circuit, that one's.
    pub service: Service,
    /// Index of the shared virtual circuit that its cells travel in; `None`: it has its own.
    pub vc: Option<usize>,
    /// The transport; `None` for sources of raw cells and datagrams.
    pub tcp: Option<Tcp>,
    /// The rate at which its data leave the host, if they are paced.
    pub pacing: Option<Box<FlowPacing>>,
    /// What it relays, if that is what it does.
    pub relay: Option<Box<FlowRelay>>,
    /// Indices of the links from `from` to `to`.
    pub path: Vec<usize>,
    /// Indices of the links back; empty for raw cells and datagrams that are not on ABR, which
    /// nothing answers.
    pub reverse_path: Vec<usize>,
}

/// What a flow relays, by numbers of flows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowRelay {
    /// The flows whose bytes these are.
    pub of: Vec<usize>,
    /// The shared connection on which they arrive; `None`: on their own.
    pub over: Option<usize>,
    /// The most that is read at once.
    pub block: u64,
}

impl Flow {
    /// Whether what it sends is packets, and not raw cells.
    pub fn sends_packets(&self) -> bool {
        self.tcp.is_some() || self.traffic.datagram().is_some()
    }

    /// Whether something travels back: acknowledgements, or RM cells, which of a shared circuit are
    /// the circuit's.
    pub fn is_two_way(&self) -> bool {
        let has_rm_cells = self.vc.is_none() && matches!(self.service, Service::Abr(_));
        self.tcp.is_some() || has_rm_cells
    }
}

//! `[flow.NAME]`: traffic from one host to another.

use std::ops::Deref;

use crate::engine::{ANY_INSTANT, LATER_INSTANT, RandomSpan};
use crate::language::family::split_member;
use crate::language::part::prelude::*;
use crate::pdu::{IpVersion, Packet};
use crate::scenario::part::pacing::{FlowPacing, PacingSection};
use crate::scenario::part::service::Service;
use crate::tcp::Config as Tcp;
use crate::traffic::{Dscp, Size, SourceLoad, Traffic};
use crate::units::Span;

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
        /// Start of its traffic; every member draws its own from a distribution. A start after the
        /// end of the run means never.
        start: RandomSpan = default("0 s", "{ uniform = [\"0 s\", \"0.1 s\"] }") as ANY_INSTANT,
        /// End of its traffic, drawn like `start`: raw cells and datagrams end; over a transport
        /// nothing more is written, written data are still sent, and the connection closes.
        stop: Option<RandomSpan> = absent("the end of the run", "\"2 s\"") as LATER_INSTANT,
        /// Behaviour of the application.
        traffic: Traffic = required("\"greedy\""),
        /// The virtual circuit that carries its cells.
        carried: Carriage = flat(Carriage),
        /// The transport: required for `ttcp` and, except on ABR, for `greedy`; not accepted for
        /// raw cells and datagrams.
        tcp: Option<Tcp> = section(
            "the traffic is raw cells or datagrams", "{ window = \"128 KiB\" }"
        ),
        /// Time from the sending host's interface after which a datagram that arrives is late, and
        /// of no more use than a lost one.
        deadline: Option<Span> = absent(
            "that of `call`, 150 ms, or `game`, 50 ms; of others none is late", "\"100 ms\""
        ) as POSITIVE_TIME,
        /// Class of its packets in both directions, by which `drop.cake` has tins.
        dscp: Dscp = or_default("`CS0`: best effort", "\"EF\""),
        /// Version of IP of its packets in both directions.
        ip: IpVersion = or_default("`ipv4`", "\"ipv6\""),
        /// Rate at which its data leave the host.
        pacing: Option<PacingSection> = section(
            "as fast as the first link, or as its service says",
            "{ link = \"bottleneck\", rate = \"instcap\" }"
        ),
    }
    finish FlowSection::over_its_ip;
}

impl FlowSection {
    /// Makes the MSS that follows from the MTU smaller by a longer header.
    fn over_its_ip(mut self, section: &Section<'_>) -> Result<Self, Fault> {
        let ip = self.ip;
        let Some(tcp) = self.tcp.as_mut().filter(|_| ip == IpVersion::V6) else {
            return self.checked_datagram(section);
        };
        let place = format!("{}.tcp", section.place());
        if tcp.omitted.mss {
            let mtu = tcp.mss.0 + IpVersion::V4.tcp_headers();
            if mtu < IpVersion::MIN_MTU_OF_V6 {
                let message = format!(
                    "`{place}.mtu` of {mtu} B is too small for IPv6; expected at least {} B",
                    IpVersion::MIN_MTU_OF_V6
                );
                return Err(Fault::new(&section.place_below("tcp", &["mtu"]), message));
            }
            tcp.mss.0 = mtu - ip.tcp_headers();
        }
        let most = u64::from(Packet::MAX_IP_BYTES) - ip.tcp_headers();
        if tcp.mss.0 > most {
            let message = format!("`{place}.mss` is too long; expected at most {most} B over IPv6");
            return Err(Fault::new(&section.place_below("tcp", &["mss"]), message));
        }
        Ok(self)
    }

    /// Checks that its datagrams and their headers are packets.
    fn checked_datagram(self, section: &Section<'_>) -> Result<Self, Fault> {
        let most = u64::from(Packet::MAX_IP_BYTES) - self.ip.udp_headers();
        let is_too_long = |size: &Size| self.ip == IpVersion::V6 && size.max() > most;
        if !self.traffic.datagram().is_some_and(is_too_long) {
            return Ok(self);
        }
        let message = format!(
            "`{}.ip`: a datagram is too long; expected at most {most} B over IPv6",
            section.place()
        );
        Err(Fault::new(&section.place_below("ip", &[]), message))
    }

    /// A TCP flow that always has more to send, from the start of the run, on UBR.
    pub fn tcp(from: &str, to: &str, tcp: Tcp) -> Self {
        Self { tcp: Some(tcp), ..Self::raw(from, to, Traffic::Greedy) }
    }

    /// A flow of raw cells from the start of the run, on UBR.
    pub fn raw(from: &str, to: &str, traffic: Traffic) -> Self {
        Self {
            name: String::new(),
            from: from.to_owned(),
            to: to.to_owned(),
            start: RandomSpan::Fixed(Span::ZERO),
            stop: None,
            traffic,
            carried: Carriage::Own(Service::default()),
            tcp: None,
            deadline: None,
            dscp: Dscp::default(),
            ip: IpVersion::default(),
            pacing: None,
        }
    }
}

/// `flow.service` or `flow.vc`.
#[derive(Clone, Debug, PartialEq)]
pub enum Carriage {
    /// A virtual circuit of its own.
    Own(Service),
    /// The shared virtual circuit of this name.
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
            "Service of its cells; packets have no service.",
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

/// A flow with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// The section of the member. `drawn_start` is its start in this run.
    pub section: FlowSection,
    /// Index of the sending host.
    pub source: usize,
    /// Index of the receiving host.
    pub sink: usize,
    /// Service of its cells; of a flow in a shared virtual circuit, the service of that circuit.
    pub service: Service,
    /// Index of the shared virtual circuit that carries its cells; `None` for a circuit of its own.
    pub vc: Option<usize>,
    /// Rate at which its data leave the host, if they are paced.
    pub pace: Option<Box<FlowPacing>>,
    /// The flows that it relays, if it is a relay.
    pub relay: Option<Box<FlowRelay>>,
    /// Its place among the connections of a flow that proxies split, if it is one of them.
    pub leg: Option<Box<Leg>>,
    /// Index of the flow that it is a further connection of.
    pub first_connection: Option<usize>,
    /// Indices of the links from `source` to `sink`.
    pub path: Vec<usize>,
    /// Indices of the links back; empty for raw cells and datagrams without ABR, which nothing
    /// answers.
    pub reverse_path: Vec<usize>,
}

impl Deref for Flow {
    type Target = FlowSection;

    fn deref(&self) -> &FlowSection {
        &self.section
    }
}

/// Flows that a relay reads, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowRelay {
    /// The flows whose bytes it relays.
    pub of: Vec<usize>,
    /// The shared connection on which they arrive; `None` if each arrives on its own.
    pub over: Option<usize>,
    /// Maximum number of bytes read at once.
    pub block: u64,
    /// True if the connection opens with the first byte that arrives for it.
    pub opens_on_data: bool,
    /// True if bytes that come back on it are relayed to the one flow that it relays.
    pub answers: bool,
}

/// One connection of a flow that proxies split.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Index of the flow: its first connection, from its sending host to a proxy.
    pub of: usize,
    /// Index of its last connection, from a proxy to its receiving host.
    pub last: usize,
    /// The sending and the receiving host of the flow.
    pub hosts: [usize; 2],
    /// Configuration at either end of this connection; they differ in what a connection does not
    /// agree on: the send buffer, and the reader.
    pub ends: [Tcp; 2],
    /// Name of the flow.
    pub name: String,
    /// The flow as its section has it, at its first connection.
    pub section: Option<FlowSection>,
}

impl Flow {
    /// Configuration of its connection at the sending or the receiving end.
    pub fn tcp_at(&self, is_sender: bool) -> Option<&Tcp> {
        let at = usize::from(!is_sender);
        self.leg.as_ref().map_or(self.tcp.as_ref(), |leg| Some(&leg.ends[at]))
    }

    /// The section as a file has it, whatever proxies split the flow.
    pub fn written(&self) -> &FlowSection {
        let whole = self.leg.as_ref().and_then(|leg| leg.section.as_ref());
        whole.unwrap_or(&self.section)
    }

    /// Hosts that its packets are from and to, whatever proxies split it.
    pub fn addresses(&self) -> [usize; 2] {
        self.leg.as_ref().map_or([self.source, self.sink], |leg| leg.hosts)
    }

    /// Name under which it is observed: that of the flow which proxies split.
    pub fn observed_as(&self) -> &str {
        self.leg.as_ref().map_or(&self.name, |leg| &leg.name)
    }

    /// Name of what arrives at its end: that of the flow, or with the proxy that it ends at.
    pub fn arrives_as(&self) -> String {
        let Some(leg) = &self.leg else { return self.name.clone() };
        if self.sink == leg.hosts[1] {
            return leg.name.clone();
        }
        match split_member(&leg.name) {
            Some((family, number)) => format!("{family} to {}[{number}]", self.to),
            None => format!("{} to {}", leg.name, self.to),
        }
    }

    /// True for a connection of a flow that begins at a proxy.
    pub fn is_from_proxy(&self) -> bool {
        self.leg.as_ref().is_some_and(|leg| leg.section.is_none())
    }

    /// True for a flow of the file, and its first connection.
    pub fn is_in_file(&self) -> bool {
        !self.is_from_proxy() && self.first_connection.is_none()
    }

    /// Load of its raw cells or datagrams; `None` if it writes on a connection.
    pub fn load(&self) -> Option<SourceLoad> {
        self.traffic.load(self.ip)
    }

    /// True if it sends packets; false for raw cells.
    pub fn sends_packets(&self) -> bool {
        self.tcp.is_some() || self.traffic.datagram().is_some()
    }

    /// True if something travels back: acknowledgements, or RM cells of its own circuit. RM cells
    /// of a shared circuit belong to the circuit.
    pub fn is_two_way(&self) -> bool {
        let has_rm_cells = self.vc.is_none() && matches!(self.service, Service::Abr(_));
        self.tcp.is_some() || has_rm_cells
    }
}

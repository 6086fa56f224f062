//! Packets as they would be on a wire, with addresses, ports and numbers in place of indices of the
//! simulator.

use std::net::{IpAddr, SocketAddr};

use super::blocks::{self, Passage};
use super::headers::{Options, TCP, Tcp, UDP_HEADER, flag, tcp, tcp_length, udp};
use super::ip::{Ip, address, length_and_protocol, length_of, version_of};
use super::layer::{self, Below, Layer, Way};
use super::points::CapturePoints;
use crate::pdu::{Captured, CapturedUnit, Ecn, Flags, IpVersion, SackOption, Segment};
use crate::scenario::{Flow, Scenario};
use crate::tcp::scaling_shift;
use crate::traffic::Dscp;
use crate::units::Time;

/// The start of a run, seconds after 1970. A time stamp shows simulated seconds behind its first
/// digit, and none is zero, which readers take for absent.
pub const START: u64 = 1_000_000_000;

/// First port of the origins of flows; RFC 6335 §6.
const FIRST_PORT: u16 = 49_152;
const PORTS: usize = 16_384;
/// First port of the destinations of flows: discard (RFC 863), and then those above it.
const DISCARD: u16 = 9;

/// Part of a packet that is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// The headers: a payload has zeros alone.
    #[default]
    Headers,
    /// The whole packet, so that a reader can check the checksums.
    Whole,
}

/// Writes the packets of one run as a pcapng file, piece by piece.
#[derive(Debug)]
pub struct PcapNg {
    head: Vec<u8>,
    flows: Vec<FlowHeaders>,
    kept: Kept,
    /// Layers by interface.
    layers: Vec<Layer>,
}

/// Common fields of the headers of a flow.
#[derive(Clone, Copy, Debug)]
struct FlowHeaders {
    /// True for TCP, false for datagrams.
    is_tcp: bool,
    dscp: Dscp,
    origin: SocketAddr,
    destination: SocketAddr,
    mss: u16,
    /// Shift of the advertised windows, in both directions.
    shift: u32,
}

impl PcapNg {
    /// Makes a file of the run of `scenario` whose packets are captured at `points`.
    pub fn new(scenario: &Scenario, points: &CapturePoints, kept: Kept) -> Self {
        let mut head = Vec::new();
        let comment = format!(
            "scenario {}, seed {}; simulated time 0 is {START} s",
            scenario.name, scenario.run.seed
        );
        let application = concat!("cellway ", env!("CARGO_PKG_VERSION"));
        blocks::section_header(application, &comment, &mut head);
        for interface in &points.interfaces {
            blocks::interface(&interface.name, interface.layer.link_type(), &mut head);
        }
        blocks::names(names(scenario), &mut head);
        let flows = scenario.flows.iter().enumerate().map(FlowHeaders::of).collect();
        let layers = points.interfaces.iter().map(|interface| interface.layer).collect();
        Self { head, flows, kept, layers }
    }

    /// Returns the blocks before the first packet.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Appends the block of a packet or an RM cell.
    pub fn packet(&self, captured: &Captured, out: &mut Vec<u8>) {
        let frame = match &captured.unit {
            CapturedUnit::Frame(frame) => frame,
            CapturedUnit::Rm { direction, clp, cell } => {
                let record = layer::rm_cell(Way::of(captured, *direction), *clp, cell);
                return block(captured, record.len() as u32, out, |out| {
                    out.extend_from_slice(&record);
                });
            }
        };
        let flow = &self.flows[frame.direction as usize / 2];
        let mut sockets = [flow.origin, flow.destination];
        if !frame.direction.is_multiple_of(2) {
            sockets.reverse();
        }
        let segment = &frame.segment;
        let traffic_class = flow.dscp.bits() << 2 | codepoint(segment.ecn);
        let ip = Ip { id: identification(frame.sent_at, segment), traffic_class };
        let options = flow.options(segment);
        let headers = if flow.is_tcp { tcp_length(options.octets()) } else { UDP_HEADER };
        let address = flow.origin.ip();
        let payload = u32::from(segment.len);
        let length = length_of(address) + headers + payload;
        let below = self.below(captured, frame.direction, version_of(address), length);
        let below = below.as_slice();
        block(captured, below.len() as u32 + length, out, |out| {
            out.extend_from_slice(below);
            let start = out.len();
            if flow.is_tcp {
                tcp(sockets, ip, &flow.header(segment, options.octets()), payload, out);
            } else {
                udp(sockets, ip, payload, out);
            }
            if self.kept == Kept::Whole {
                out.resize(start + length as usize, 0);
            }
        });
    }

    /// Appends the block of a packet of an external flow, whose octets its driver has: an IP
    /// packet, of which the headers or all are kept.
    pub fn octets(&self, captured: &Captured, octets: &[u8], out: &mut Vec<u8>) {
        let kept = match self.kept {
            Kept::Whole => octets,
            Kept::Headers => &octets[..headers_of(octets)],
        };
        let direction = match &captured.unit {
            CapturedUnit::Frame(frame) => frame.direction,
            CapturedUnit::Rm { direction, .. } => *direction,
        };
        let is_v6 = octets.first().is_some_and(|first| first >> 4 == 6);
        let ip = if is_v6 { IpVersion::V6 } else { IpVersion::V4 };
        let below = self.below(captured, direction, ip, octets.len() as u32);
        block(captured, (below.len() + octets.len()) as u32, out, |out| {
            out.extend_from_slice(below.as_slice());
            out.extend_from_slice(kept);
        });
    }

    /// Octets before a packet of `length` octets at the layer of its interface.
    fn below(&self, captured: &Captured, direction: u32, ip: IpVersion, length: u32) -> Below {
        let way = Way::of(captured, direction);
        self.layers[captured.interface as usize].below(way, ip, length)
    }
}

/// Appends the block of what is captured: `length` octets, of which `kept` writes the kept ones.
fn block(captured: &Captured, length: u32, out: &mut Vec<u8>, kept: impl FnOnce(&mut Vec<u8>)) {
    let passage = if captured.is_sent { Passage::Outbound } else { Passage::Inbound };
    blocks::packet(captured.interface, nanoseconds(captured.at), length, passage, out, kept);
}

/// Length of the headers of an IP packet, with that of TCP (RFC 9293 §3.1), or of the first octets
/// above IP, where other transports have theirs.
fn headers_of(octets: &[u8]) -> usize {
    const OTHERS: usize = 64;
    let octet = |place: usize| octets.get(place).copied().unwrap_or(0);
    let (ip, protocol) = length_and_protocol(octets);
    let above = if protocol == TCP { 4 * usize::from(octet(ip + 12) >> 4) } else { OTHERS };
    (ip + above).min(octets.len())
}

/// Names of the addresses of hosts: those of IPv4 first, and those of IPv6 if a flow has it.
fn names(scenario: &Scenario) -> impl Iterator<Item = (IpAddr, &str)> {
    let has_v6 = scenario.flows.iter().any(|flow| flow.ip == IpVersion::V6);
    let versions = [Some(IpVersion::V4), has_v6.then_some(IpVersion::V6)];
    versions.into_iter().flatten().flat_map(|ip| {
        let hosts = scenario.hosts.iter().enumerate();
        hosts.map(move |(host, named)| (address(host, ip), &*named.name))
    })
}

/// Addresses and ports of the ends of a flow, the origin first; `index` is its place in the
/// scenario.
pub fn sockets(index: usize, flow: &Flow) -> [SocketAddr; 2] {
    let port = FIRST_PORT + (index % PORTS) as u16;
    let above = (index / PORTS) as u16;
    [(flow.source, port), (flow.sink, DISCARD + above)]
        .map(|(host, port)| SocketAddr::new(address(host, flow.ip), port))
}

impl FlowHeaders {
    fn of((index, flow): (usize, &Flow)) -> Self {
        let [origin, destination] = sockets(index, flow);
        let window = flow.tcp.as_ref().filter(|tcp| tcp.window_scaling).map(|tcp| tcp.window.0);
        Self {
            is_tcp: flow.tcp.is_some(),
            dscp: flow.dscp,
            origin,
            destination,
            mss: flow.tcp.as_ref().map_or(0, |tcp| tcp.mss.0.min(u64::from(u16::MAX)) as u16),
            shift: window.map_or(0, scaling_shift),
        }
    }

    /// Header of a segment. The initial sequence numbers are zero, so that those of the file are
    /// the simulator's.
    fn header<'o>(&self, segment: &Segment, options: &'o [u8]) -> Tcp<'o> {
        let has = |flag| segment.flags.contains(flag);
        let flags = [(Flags::FIN, flag::FIN), (Flags::SYN, flag::SYN), (Flags::ACK, flag::ACK)];
        let ecn = [(Flags::ECE, flag::ECE), (Flags::CWR, flag::CWR), (Flags::AE, flag::AE)];
        let flags = flags.into_iter().chain(ecn);
        // RFC 7323 §2.2: the window of a SYN is never scaled.
        let shift = if has(Flags::SYN) { 0 } else { self.shift };
        Tcp {
            seq: segment.seq as u32,
            ack: if has(Flags::ACK) { segment.ack as u32 } else { 0 },
            flags: flags.filter(|(ours, _)| has(*ours)).map(|(_, octet)| octet).sum(),
            window: (segment.window >> shift) as u16,
            options,
        }
    }

    fn options(&self, segment: &Segment) -> Options {
        let has = |flag| segment.flags.contains(flag);
        let mut options = Options::NONE;
        if has(Flags::SYN) {
            options.maximum_segment_size(self.mss);
            if segment.sack == SackOption::PERMITTED {
                options.sack_permitted();
            }
            if has(Flags::SCALE) {
                options.window_scale(self.shift as u8);
            }
        }
        if has(Flags::TIMESTAMPS) {
            options.timestamps(segment.timestamps);
        }
        if !has(Flags::SYN) {
            match segment.sack.header() {
                Some(header) => options.rate_header(header),
                None => {
                    options.sack(segment.sacked().map(|(start, end)| (start as u32, end as u32)));
                }
            }
        }
        options
    }
}

/// Codepoint of ECN, RFC 3168 §5.
const fn codepoint(ecn: Ecn) -> u8 {
    match ecn {
        Ecn::NotCapable => 0,
        Ecn::L4s => 1,
        Ecn::Capable => 2,
        Ecn::Congested => 3,
    }
}

fn nanoseconds(at: Time) -> u64 {
    const PER_SECOND: u64 = 1_000_000_000;
    START * PER_SECOND + at.picoseconds() as u64 / 1000
}

/// Identification of a packet: sixteen bits of its numbers and of the instant when it was sent. It
/// is the same wherever the packet is captured, and another when its data are sent again (RFC 6864
/// §4.1 allows any, as no packet is fragmented).
fn identification(sent_at: Time, segment: &Segment) -> u16 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = [sent_at.picoseconds() as u64, segment.seq, segment.ack]
        .into_iter()
        .fold(u64::from(segment.len), |mixed, word| {
            (mixed ^ word).wrapping_mul(ODD).rotate_left(23)
        });
    mixed as u16
}

#[cfg(test)]
#[path = "packets_test.rs"]
mod tests;

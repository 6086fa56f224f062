//! One echo of ICMP through a path of a millisecond in each direction: the least measurement.

use std::io;
use std::net::SocketAddrV4;
use std::os::fd::{AsRawFd, OwnedFd};

use cellway_sim::pdu::FlowEnd;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::units::{Span, Time};
use cellway_sim::{Pause, Simulation};
use nix::sys::socket::{
    AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, SockaddrIn, connect, recv, send,
    socket,
};

use super::path::Path;
use super::{Made, place};
use crate::clock::Clock;
use crate::kernel::plans_of;
use crate::record::MeasureError;

/// A path without queues; 1 Gbit/s adds less than a microsecond to a packet of 28 bytes.
const PATH: &str = r#"
    run = { duration = "1 s" }
    host = { here = {}, there = {} }
    [link.wire]
    between = ["here", "there"]
    rate = "1 Gbit/s of line"
    carries = "packets"
    delay = "1 ms"
    [flow.echo]
    from = "here"
    to = "there"
    traffic = "greedy"
    tcp = { recovery = "new_reno", mtu = "1500 B" }
"#;
/// Echo request (RFC 792) with identifier and number zero, and its checksum.
const REQUEST: [u8; 8] = [8, 0, 0xf7, 0xff, 0, 0, 0, 0];
/// Bytes of the IP header before a reply.
const HEADER: usize = 20;

/// Time of the clock from a request to its reply.
pub(super) fn echo() -> Result<Span, MeasureError> {
    let scenario = Scenario::parse(Source { origin: "echo", text: PATH }, &[]);
    let scenario = scenario.expect("the path is well formed");
    let (flows, plans): (Vec<_>, Vec<_>) = plans_of(&scenario)?.into_iter().unzip();
    let mut made = Made::of(&scenario, &flows, &plans)?;
    let namespace = made.places.of(flows[0].source, &plans[0].sysctls);
    let socket = namespace
        .and_then(|namespace| namespace.inside(icmp_socket))
        .map_err(MeasureError::at("a socket for ICMP"))?;
    let simulation = Simulation::builder(&scenario).external(&["echo"]).start()?;
    let clock = Clock::start();
    let mut path = Path::new(simulation, clock, std::mem::take(&mut made.devices));
    let sent = send(socket.as_raw_fd(), &REQUEST, MsgFlags::empty());
    sent.map_err(|error| MeasureError::at("a request")(error.into()))?;
    path.drain_end(FlowEnd::Origin(0), Time::ZERO)?;
    loop {
        let now = path.clock();
        match path.simulation.run_until(now)? {
            Pause::Arrival(_) => path.deliver()?,
            Pause::AtBarrier | Pause::OnTheWay(_) if has_reply(&socket) => {
                return Ok(now - Time::ZERO);
            }
            Pause::AtBarrier if now >= path.simulation.end() => {
                let error = io::Error::from(io::ErrorKind::TimedOut);
                return Err(MeasureError::at("no reply within a second")(error));
            }
            Pause::AtBarrier | Pause::OnTheWay(_) => {
                path.wait(path.simulation.next_arrival().min(path.simulation.end()), &[])?;
            }
        }
    }
}

/// A socket for ICMP to the other end, in the namespace of this thread.
fn icmp_socket() -> io::Result<OwnedFd> {
    let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
    let made = socket(AddressFamily::Inet, SockType::Raw, flags, SockProtocol::Icmp)?;
    let [_, there] = place::addresses_of(0);
    connect(made.as_raw_fd(), &SockaddrIn::from(SocketAddrV4::new(there, 0)))?;
    Ok(made)
}

fn has_reply(socket: &OwnedFd) -> bool {
    let mut packet = [0; HEADER + REQUEST.len()];
    // Type 0 is a reply.
    recv(socket.as_raw_fd(), &mut packet, MsgFlags::empty())
        .is_ok_and(|read| read == packet.len() && packet[HEADER] == 0)
}

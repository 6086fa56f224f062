//! Sockets of a connection of kernel TCP, made inside the namespaces.
//!
//! The receive buffer is far larger than the window, so that data that wait to be read do not
//! shrink the offer: the clamp is the window. The kernel forgets it when it learns how much memory
//! a segment takes, so it is set again while data arrive. It is not set before there is a
//! connection: the shift of the window would follow it, and without a shift the kernel offers whole
//! segments only.

use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::ops::ControlFlow;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use cellway_sim::pdu::FlowEnd;
use nix::errno::Errno;
use nix::libc;
use nix::sys::socket::{
    AddressFamily, Backlog, MsgFlags, SockFlag, SockType, SockaddrIn, accept4, bind, connect,
    getsockopt, listen, send, setsockopt, socket, sockopt,
};

use super::inlet::{IN_A_ROW, Inlet};
use super::outlet::Outlet;
use super::tcp_info::TcpInfo;
use super::{facts, sys};
use crate::kernel::KernelPlan;
use crate::writing::Writing;

/// Port at which receivers listen.
const PORT: u16 = 5001;
/// Bytes of one write, and at most of one read.
pub(super) const BLOCK: usize = 256 << 10;
/// Room of a receive buffer beyond four windows, and of a send buffer beyond two.
const MORE: u64 = 1 << 20;

/// Sending end of a connection.
#[derive(Debug)]
struct Sending {
    socket: OwnedFd,
    to: SockaddrIn,
    /// True once it connects.
    is_started: AtomicBool,
    /// True once the writing thread fills its buffer.
    is_filled: AtomicBool,
    /// The error that ended it.
    ended: OnceLock<Errno>,
    /// Reading of responses, if there are any.
    responses: Option<Inlet>,
}

/// Receiving end of a connection.
#[derive(Debug)]
struct Receiving {
    listener: OwnedFd,
    accepted: OnceLock<OwnedFd>,
    /// Held while a thread accepts.
    accepting: Mutex<()>,
    inlet: Inlet,
}

/// Sockets of one flow, both unconnected.
#[derive(Debug)]
pub(super) struct Ends {
    sending: Sending,
    receiving: Receiving,
}

/// An end at which is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading<'s> {
    /// The receiving end, where a connection or its data arrive.
    Data(&'s Ends),
    /// The sending end of a connection, where responses arrive.
    Responses(&'s Ends, &'s Inlet),
}

/// Makes the sending socket of a flow, in the namespace of this thread.
pub(super) fn sending_socket(plan: &KernelPlan) -> io::Result<OwnedFd> {
    let made = stream()?;
    set_sending(&made, plan)?;
    if plan.writing == Writing::Both {
        set_receiving(&made, plan)?;
    }
    Ok(made)
}

/// Sets how a socket sends.
fn set_sending(made: &OwnedFd, plan: &KernelPlan) -> io::Result<()> {
    set_congestion(made, plan)?;
    setsockopt(made, sockopt::TcpNoDelay, &plan.sends_at_once)?;
    let room = plan.send_buffer.unwrap_or(2 * plan.window + MORE);
    setsockopt(made, sockopt::SndBufForce, &bounded(room))?;
    if plan.writing != Writing::Endless && plan.send_buffer.is_none() {
        // Data that cannot be sent yet stay with the application, which may stop.
        let unsent = 2 * plan.mtu as i32;
        sys::set_option(made.as_fd(), libc::IPPROTO_TCP, libc::TCP_NOTSENT_LOWAT, unsent)?;
    }
    if plan.paces {
        // Any limit makes the kernel pace; this one is never reached.
        let no_limit = i32::MAX;
        sys::set_option(made.as_fd(), libc::SOL_SOCKET, libc::SO_MAX_PACING_RATE, no_limit)?;
    }
    Ok(())
}

/// Makes room for what a socket receives.
fn set_receiving(made: &OwnedFd, plan: &KernelPlan) -> io::Result<()> {
    Ok(setsockopt(made, sockopt::RcvBufForce, &bounded(4 * plan.window + MORE))?)
}

/// Makes the listening socket of a flow, in the namespace of this thread. The socket of the
/// connection has its settings.
pub(super) fn listening_socket(plan: &KernelPlan, own: Ipv4Addr) -> io::Result<OwnedFd> {
    let made = stream()?;
    if plan.writing == Writing::Both {
        set_sending(&made, plan)?;
    } else {
        set_congestion(&made, plan)?;
    }
    set_receiving(&made, plan)?;
    bind(made.as_raw_fd(), &SockaddrIn::from(SocketAddrV4::new(own, PORT)))?;
    listen(&made, Backlog::new(1)?)?;
    Ok(made)
}

/// A socket that never blocks, and whose connection vanishes when it is closed.
pub(super) fn stream() -> io::Result<OwnedFd> {
    let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
    let made = socket(AddressFamily::Inet, SockType::Stream, flags, None)?;
    setsockopt(&made, sockopt::Linger, &libc::linger { l_onoff: 1, l_linger: 0 })?;
    Ok(made)
}

/// Sets the congestion control; the kernel may load a module for it.
fn set_congestion(socket: &OwnedFd, plan: &KernelPlan) -> io::Result<()> {
    let set = setsockopt(socket, sockopt::TcpCongestion, &OsString::from(plan.congestion));
    set.map_err(|error| match error {
        Errno::ENOENT => {
            let known = facts::congestion_controls().unwrap_or_default();
            let said = format!("this kernel has no `{}`; it has {known}", plan.congestion);
            io::Error::new(io::ErrorKind::Unsupported, said)
        }
        error => error.into(),
    })
}

/// A size of a buffer as the kernel takes it, which doubles it.
fn bounded(bytes: u64) -> usize {
    bytes.min(i32::MAX as u64 / 2) as usize
}

impl Ends {
    /// Takes the sockets of a flow, whose receiver has the address `to`.
    pub(super) fn new(
        sending: OwnedFd,
        listener: OwnedFd,
        to: Ipv4Addr,
        plan: &KernelPlan,
    ) -> Self {
        Self {
            sending: Sending {
                socket: sending,
                to: SocketAddrV4::new(to, PORT).into(),
                is_started: AtomicBool::new(false),
                is_filled: AtomicBool::new(false),
                ended: OnceLock::new(),
                responses: (plan.writing == Writing::Both).then(|| Inlet::new(plan.window)),
            },
            receiving: Receiving::new(listener, plan.window),
        }
    }

    /// The sending socket.
    pub(super) fn sender(&self) -> BorrowedFd<'_> {
        self.sending.socket.as_fd()
    }

    /// The receiving socket, once there is a connection.
    pub(super) fn receiver(&self) -> Option<BorrowedFd<'_>> {
        self.receiving.accepted.get().map(AsFd::as_fd)
    }

    /// The socket at an end of the flow, once there is one.
    pub(super) fn socket_at(&self, end: FlowEnd) -> Option<BorrowedFd<'_>> {
        match end {
            FlowEnd::Origin(_) => Some(self.sender()),
            FlowEnd::Destination(_) => self.receiver(),
        }
    }

    /// Bytes that the receiver has read.
    pub(super) fn read_bytes(&self) -> u64 {
        self.receiving.inlet.read_bytes()
    }

    /// The sending end, to write on.
    pub(super) fn outlet(&self) -> Outlet<'_> {
        Outlet(self.sender())
    }

    /// The receiving end, to write responses on, once there is a connection.
    pub(super) fn outlet_of_responses(&self) -> io::Result<Option<Outlet<'_>>> {
        if self.receiver().is_none() {
            self.receiving.accept()?;
        }
        Ok(self.receiver().map(Outlet))
    }

    /// True if the receiving end writes, too.
    pub(super) fn has_responses(&self) -> bool {
        self.sending.responses.is_some()
    }

    /// Limits the window that is offered for responses.
    pub(super) fn limit_responses(&self) -> io::Result<()> {
        self.sending.responses.as_ref().map_or(Ok(()), |inlet| inlet.clamp(self.sender()))
    }

    /// Connects; if it is `endless`, its send buffer is to be filled from now on.
    pub(super) fn connect(&self, endless: bool) -> io::Result<()> {
        match connect(self.sending.socket.as_raw_fd(), &self.sending.to) {
            Ok(()) | Err(Errno::EINPROGRESS) => {}
            Err(error) => return Err(error.into()),
        }
        self.sending.is_started.store(true, Ordering::Release);
        self.sending.is_filled.store(endless, Ordering::Release);
        Ok(())
    }

    /// True while the send buffer is to be filled.
    pub(super) fn is_filled(&self) -> bool {
        self.sending.is_filled.load(Ordering::Acquire) && self.sending.ended.get().is_none()
    }

    /// Fills the send buffer with blocks.
    pub(super) fn fill(&self, block: &[u8]) {
        self.sending.write(block);
    }

    /// The ends at which there may be something to read.
    pub(super) fn readings(&self) -> impl Iterator<Item = Reading<'_>> {
        let data = self.receiving.inlet.is_read().then_some(Reading::Data(self));
        let is_started = self.sending.is_started.load(Ordering::Acquire);
        let responses = self.sending.responses.as_ref();
        let responses = responses.filter(|inlet| is_started && inlet.is_read());
        data.into_iter().chain(responses.map(|inlet| Reading::Responses(self, inlet)))
    }

    /// Fails if the connection was started and is dead, or if an end of it failed.
    pub(super) fn require_open(&self) -> io::Result<()> {
        let inlets = [Some(&self.receiving.inlet), self.sending.responses.as_ref()];
        if let Some(error) = inlets.into_iter().flatten().find_map(Inlet::failed) {
            return Err(io::Error::new(error.kind(), format!("receiving: {error}")));
        }
        if let Some(error) = self.sending.ended.get() {
            return Err((*error).into());
        }
        if !self.sending.is_started.load(Ordering::Acquire) {
            return Ok(());
        }
        match getsockopt(&self.sending.socket, sockopt::SocketError)? {
            0 if TcpInfo::of(self.sender())?.is_closed => Err(Errno::ENOTCONN.into()),
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

impl Sending {
    /// Writes until there is no more room.
    fn write(&self, block: &[u8]) {
        for _ in 0..IN_A_ROW {
            match send(self.socket.as_raw_fd(), block, MsgFlags::MSG_NOSIGNAL) {
                Ok(_) => {}
                Err(Errno::EAGAIN | Errno::EINTR) => return,
                Err(error) => {
                    self.ended.get_or_init(|| error);
                    return;
                }
            }
        }
    }
}

impl Receiving {
    fn new(listener: OwnedFd, window: u64) -> Self {
        Self {
            listener,
            accepted: OnceLock::new(),
            accepting: Mutex::new(()),
            inlet: Inlet::new(window),
        }
    }

    /// Accepts the connection, or reads what has arrived; breaks at its end.
    fn take(&self, block: &mut [u8]) -> io::Result<ControlFlow<()>> {
        match self.accepted.get() {
            None => self.accept().map(ControlFlow::Continue),
            Some(socket) => self.inlet.read(socket.as_fd(), block),
        }
    }

    /// Accepts the connection if it is there and no other thread has.
    fn accept(&self) -> io::Result<()> {
        let _accepting = self.accepting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.accepted.get().is_some() {
            return Ok(());
        }
        let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
        match accept4(&self.listener, flags) {
            Ok(socket) => {
                self.inlet.clamp(socket.as_fd())?;
                self.accepted.get_or_init(|| socket);
                Ok(())
            }
            Err(Errno::EAGAIN | Errno::EINTR | Errno::ECONNABORTED) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl<'s> Reading<'s> {
    /// The socket at which something arrives.
    pub(super) fn socket(self) -> BorrowedFd<'s> {
        match self {
            Self::Data(ends) => ends.receiver().unwrap_or(ends.receiving.listener.as_fd()),
            Self::Responses(ends, _) => ends.sender(),
        }
    }

    /// Accepts the connection, or reads what has arrived.
    pub(super) fn take(self, block: &mut [u8]) {
        match self {
            Self::Data(Ends { receiving, .. }) => receiving.inlet.note(receiving.take(block)),
            Self::Responses(ends, inlet) => inlet.note(inlet.read(ends.sender(), block)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A sender to a listener of this host, whose own receiver has `listener`.
    pub(in crate::linux) fn ends(to: &TcpListener, listener: OwnedFd) -> Ends {
        let port = to.local_addr().expect("it is bound").port();
        Ends {
            sending: Sending {
                socket: stream().expect("a socket"),
                to: SocketAddrV4::new(Ipv4Addr::LOCALHOST, port).into(),
                is_started: AtomicBool::new(false),
                is_filled: AtomicBool::new(false),
                ended: OnceLock::new(),
                responses: None,
            },
            receiving: Receiving::new(listener, 65_536),
        }
    }

    /// Both ends of a flow with responses, at a listener of this host that never blocks.
    pub(in crate::linux) fn ends_with_responses(listener: &TcpListener) -> Ends {
        let mut made = ends(listener, listener.try_clone().expect("it is open").into());
        made.sending.responses = Some(Inlet::new(65_536));
        made
    }

    #[test]
    fn a_connection_that_dies_unnoticed_is_not_open() {
        let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let ends = ends(&other, stream().expect("a socket"));
        assert!(ends.require_open().is_ok(), "it has not started");
        ends.connect(false).expect("it connects");
        let (accepted, _) = other.accept().expect("a connection");
        assert!(ends.require_open().is_ok());
        let at_once = libc::linger { l_onoff: 1, l_linger: 0 };
        setsockopt(&accepted, sockopt::Linger, &at_once).expect("it is open");
        drop(accepted);
        let died = ends.require_open().expect_err("it is dead");
        assert_eq!(died.kind(), io::ErrorKind::ConnectionReset);
        // The kernel tells the reason once.
        assert!(ends.require_open().is_err());
    }

    #[test]
    fn a_receiver_that_cannot_accept_is_told() {
        let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let ends = ends(&other, stream().expect("a socket that does not listen"));
        let readings: Vec<_> = ends.readings().collect();
        assert_eq!(readings.len(), 1, "no responses");
        readings[0].take(&mut []);
        assert_eq!(ends.readings().count(), 0);
        assert!(ends.require_open().expect_err("it failed").to_string().starts_with("receiving"));
    }
}

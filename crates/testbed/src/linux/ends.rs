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
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nix::errno::Errno;
use nix::libc;
use nix::sys::socket::{
    AddressFamily, Backlog, MsgFlags, Shutdown, SockFlag, SockType, SockaddrIn, accept4, bind,
    connect, getsockopt, listen, recv, send, setsockopt, shutdown, socket, sockopt,
};

use super::tcp_info::TcpInfo;
use super::{facts, sys};
use crate::kernel::KernelPlan;

/// Port at which receivers listen.
const PORT: u16 = 5001;
/// Bytes of one write, and at most of one read.
pub(super) const BLOCK: usize = 256 << 10;
/// Blocks in a row on one connection.
const IN_A_ROW: usize = 4;
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
}

/// Receiving end of a connection.
#[derive(Debug)]
struct Receiving {
    listener: OwnedFd,
    accepted: OnceLock<OwnedFd>,
    window: i32,
    /// True once nothing more is read.
    is_over: AtomicBool,
    /// The error that ended it.
    failed: OnceLock<io::Error>,
    read_bytes: AtomicU64,
}

/// Sockets of one flow, both unconnected.
#[derive(Debug)]
pub(super) struct Ends {
    sending: Sending,
    receiving: Receiving,
}

/// Makes the sending socket of a flow, in the namespace of this thread.
pub(super) fn sending_socket(plan: &KernelPlan) -> io::Result<OwnedFd> {
    let made = stream()?;
    set_congestion(&made, plan)?;
    setsockopt(&made, sockopt::TcpNoDelay, &plan.sends_at_once)?;
    let room = plan.send_buffer.unwrap_or(2 * plan.window + MORE);
    setsockopt(&made, sockopt::SndBufForce, &bounded(room))?;
    if !plan.is_endless && plan.send_buffer.is_none() {
        // Data that cannot be sent yet stay with the application, which may stop.
        let unsent = 2 * plan.mtu as i32;
        sys::set_option(made.as_fd(), libc::IPPROTO_TCP, libc::TCP_NOTSENT_LOWAT, unsent)?;
    }
    if plan.paces {
        // Any limit makes the kernel pace; this one is never reached.
        let no_limit = i32::MAX;
        sys::set_option(made.as_fd(), libc::SOL_SOCKET, libc::SO_MAX_PACING_RATE, no_limit)?;
    }
    Ok(made)
}

/// Makes the listening socket of a flow, in the namespace of this thread.
pub(super) fn listening_socket(plan: &KernelPlan, own: Ipv4Addr) -> io::Result<OwnedFd> {
    let made = stream()?;
    set_congestion(&made, plan)?;
    setsockopt(&made, sockopt::RcvBufForce, &bounded(4 * plan.window + MORE))?;
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

fn window_of(plan: &KernelPlan) -> i32 {
    i32::try_from(plan.window).unwrap_or(i32::MAX)
}

/// Limits the window that a socket offers.
fn clamp(socket: BorrowedFd<'_>, window: i32) -> io::Result<()> {
    sys::set_option(socket, libc::IPPROTO_TCP, libc::TCP_WINDOW_CLAMP, window)
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
            },
            receiving: Receiving {
                listener,
                accepted: OnceLock::new(),
                window: window_of(plan),
                is_over: AtomicBool::new(false),
                failed: OnceLock::new(),
                read_bytes: AtomicU64::new(0),
            },
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

    /// Bytes that the receiver has read.
    pub(super) fn read_bytes(&self) -> u64 {
        self.receiving.read_bytes.load(Ordering::Relaxed)
    }

    /// Writes up to so many bytes as there is room for; returns their number.
    pub(super) fn write(&self, bytes: u64) -> io::Result<u64> {
        static BLOCK_OF_ZEROS: [u8; BLOCK] = [0; BLOCK];
        let block = &BLOCK_OF_ZEROS[..bytes.min(BLOCK as u64) as usize];
        match send(self.sending.socket.as_raw_fd(), block, MsgFlags::MSG_NOSIGNAL) {
            Ok(written) => Ok(written as u64),
            // Before it is connected there is no room.
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Closes the connection for writing: data that are written are still sent.
    pub(super) fn close(&self) -> io::Result<()> {
        Ok(shutdown(self.sending.socket.as_raw_fd(), Shutdown::Write)?)
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

    /// True while there may be something to read.
    pub(super) fn is_read(&self) -> bool {
        !self.receiving.is_over.load(Ordering::Relaxed)
    }

    /// The socket at which the connection or its data arrive.
    pub(super) fn arrivals(&self) -> BorrowedFd<'_> {
        self.receiver().unwrap_or(self.receiving.listener.as_fd())
    }

    /// Accepts the connection, or reads what has arrived.
    pub(super) fn take(&self, block: &mut [u8]) {
        match self.receiving.take(block) {
            Ok(ControlFlow::Continue(())) => return,
            Ok(ControlFlow::Break(())) => {}
            Err(error) => drop(self.receiving.failed.set(error)),
        }
        self.receiving.is_over.store(true, Ordering::Relaxed);
    }

    /// Fails if the connection was started and is dead, or if an end of it failed.
    pub(super) fn require_open(&self) -> io::Result<()> {
        if let Some(error) = self.receiving.failed.get() {
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
    /// Accepts the connection, or reads what has arrived; breaks at its end.
    fn take(&self, block: &mut [u8]) -> io::Result<ControlFlow<()>> {
        let Some(socket) = self.accepted.get() else {
            return self.accept().map(ControlFlow::Continue);
        };
        for _ in 0..IN_A_ROW {
            // The kernel discards the bytes instead of copying them.
            match recv(socket.as_raw_fd(), block, MsgFlags::MSG_TRUNC) {
                Ok(0) => return Ok(ControlFlow::Break(())),
                Ok(read) => drop(self.read_bytes.fetch_add(read as u64, Ordering::Relaxed)),
                Err(Errno::EAGAIN | Errno::EINTR) => break,
                Err(error) => return Err(error.into()),
            }
        }
        if sys::tcp_option(socket.as_fd(), libc::TCP_WINDOW_CLAMP)? != self.window {
            clamp(socket.as_fd(), self.window)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn accept(&self) -> io::Result<()> {
        let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
        match accept4(&self.listener, flags) {
            Ok(socket) => {
                clamp(socket.as_fd(), self.window)?;
                self.accepted.get_or_init(|| socket);
                Ok(())
            }
            Err(Errno::EAGAIN | Errno::EINTR | Errno::ECONNABORTED) => Ok(()),
            Err(error) => Err(error.into()),
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
            },
            receiving: Receiving {
                listener,
                accepted: OnceLock::new(),
                window: 65_536,
                is_over: AtomicBool::new(false),
                failed: OnceLock::new(),
                read_bytes: AtomicU64::new(0),
            },
        }
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
        ends.take(&mut []);
        assert!(!ends.is_read());
        assert!(ends.require_open().expect_err("it failed").to_string().starts_with("receiving"));
    }
}

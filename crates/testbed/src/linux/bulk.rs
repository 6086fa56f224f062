//! Connections of kernel TCP: a thread that writes on all that have traffic without end, and one
//! that reads on all. The sockets are made inside the namespaces; their threads need not be there.
//!
//! The receive buffer is far larger than the window, so that data that wait to be read do not
//! shrink the offer: the clamp is the window. The kernel forgets it when it learns how much memory
//! a segment takes, so it is set again while data arrive. It is not set before there is a
//! connection: the shift of the window would follow it, and without a shift the kernel offers whole
//! segments only.

use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::socket::{
    AddressFamily, Backlog, MsgFlags, Shutdown, SockFlag, SockType, SockaddrIn, accept4, bind,
    connect, listen, recv, send, setsockopt, shutdown, socket, sockopt,
};

use super::{facts, sys};
use crate::kernel::KernelPlan;

/// Port at which receivers listen.
const PORT: u16 = 5001;
/// Bytes of one write, and at most of one read.
const BLOCK: usize = 256 << 10;
/// Blocks in a row on one connection.
const IN_A_ROW: usize = 4;
/// Room of a receive buffer beyond four windows, and of a send buffer beyond two.
const MORE: u64 = 1 << 20;

/// Sending end of a connection.
#[derive(Debug)]
struct Sending {
    socket: OwnedFd,
    to: SockaddrIn,
    is_started: AtomicBool,
    /// The error that ended it.
    ended: OnceLock<Errno>,
}

/// Receiving end of a connection.
#[derive(Debug)]
struct Receiving {
    listener: OwnedFd,
    accepted: OnceLock<OwnedFd>,
    window: i32,
    is_over: AtomicBool,
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
fn stream() -> io::Result<OwnedFd> {
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
                ended: OnceLock::new(),
            },
            receiving: Receiving {
                listener,
                accepted: OnceLock::new(),
                window: window_of(plan),
                is_over: AtomicBool::new(false),
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

    /// The error that ended the connection.
    pub(super) fn ended(&self) -> Option<Errno> {
        self.sending.ended.get().copied()
    }
}

/// Connections with the threads that write and read; dropping it ends both.
#[derive(Debug)]
pub(super) struct Bulk {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    flows: Vec<Ends>,
    is_over: AtomicBool,
    /// Wakes the writing and the reading thread.
    wake: [EventFd; 2],
}

impl Bulk {
    /// Starts the threads; nothing is sent before [`start`](Self::start).
    pub(super) fn new(flows: Vec<Ends>) -> io::Result<Self> {
        let flags = EfdFlags::EFD_NONBLOCK | EfdFlags::EFD_CLOEXEC;
        let event = || EventFd::from_value_and_flags(0, flags);
        let wake = [event()?, event()?];
        let shared = Arc::new(Shared { flows, is_over: AtomicBool::new(false), wake });
        let mut bulk = Self { shared, threads: Vec::new() };
        for (name, work) in [
            ("cellway-write", Shared::write_all as fn(&Shared)),
            ("cellway-read", Shared::read_all),
        ] {
            let shared = Arc::clone(&bulk.shared);
            let thread = thread::Builder::new().name(name.to_owned());
            bulk.threads.push(thread.spawn(move || work(&shared))?);
        }
        Ok(bulk)
    }

    /// The flows, in order.
    pub(super) fn flows(&self) -> &[Ends] {
        &self.shared.flows
    }

    /// Connects a flow; its first packet is in the device when this returns. If it is `endless`,
    /// the writing thread fills its send buffer from now on.
    pub(super) fn start(&self, flow: usize, endless: bool) -> io::Result<()> {
        let sending = &self.shared.flows[flow].sending;
        match connect(sending.socket.as_raw_fd(), &sending.to) {
            Ok(()) | Err(Errno::EINPROGRESS) => {}
            Err(error) => return Err(error.into()),
        }
        sending.is_started.store(endless, Ordering::Release);
        self.shared.wake[0].write(1)?;
        Ok(())
    }
}

impl Drop for Bulk {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Release);
        for wake in &self.shared.wake {
            // A counter that is full wakes, too.
            let _ = wake.write(1);
        }
        for thread in self.threads.drain(..) {
            // A panic there was reported when it happened.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Writes on all connections that have been started, until the measurement is over.
    fn write_all(&self) {
        let block = vec![0; BLOCK];
        while !self.is_over() {
            let is_open =
                |of: &&Sending| of.is_started.load(Ordering::Acquire) && of.ended.get().is_none();
            let open: Vec<&Sending> =
                self.flows.iter().map(|flow| &flow.sending).filter(is_open).collect();
            let sockets = open.iter().map(|of| (of.socket.as_fd(), PollFlags::POLLOUT));
            for index in wait_for(&self.wake[0], sockets) {
                open[index].write(&block);
            }
        }
    }

    /// Reads all that arrives, until the measurement is over.
    fn read_all(&self) {
        let mut block = vec![0; BLOCK];
        while !self.is_over() {
            let is_open = |of: &&Receiving| !of.is_over.load(Ordering::Relaxed);
            let open: Vec<&Receiving> =
                self.flows.iter().map(|flow| &flow.receiving).filter(is_open).collect();
            let sockets = open.iter().map(|of| {
                let socket = of.accepted.get().unwrap_or(&of.listener);
                (socket.as_fd(), PollFlags::POLLIN)
            });
            for index in wait_for(&self.wake[1], sockets) {
                if open[index].take(&mut block).is_err() {
                    open[index].is_over.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

/// Waits for an event; returns the indices of the sockets that have one.
fn wait_for<'s>(
    wake: &EventFd,
    sockets: impl Iterator<Item = (BorrowedFd<'s>, PollFlags)>,
) -> Vec<usize> {
    let mut polled: Vec<PollFd<'_>> = vec![PollFd::new(wake.as_fd(), PollFlags::POLLIN)];
    polled.extend(sockets.map(|(socket, events)| PollFd::new(socket, events)));
    // An interrupted wait finds no event, and is repeated.
    let _ = poll(&mut polled, PollTimeout::NONE);
    // A counter that is zero blocks, which it says.
    let _ = wake.read();
    let has_event = |(index, of): (usize, &PollFd<'_>)| of.any().unwrap_or(false).then_some(index);
    polled[1..].iter().enumerate().filter_map(has_event).collect()
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
    /// Accepts the connection, or reads what has arrived.
    fn take(&self, block: &mut [u8]) -> io::Result<()> {
        let Some(socket) = self.accepted.get() else {
            return self.accept();
        };
        for _ in 0..IN_A_ROW {
            // The kernel discards the bytes instead of copying them.
            match recv(socket.as_raw_fd(), block, MsgFlags::MSG_TRUNC) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => drop(self.read_bytes.fetch_add(read as u64, Ordering::Relaxed)),
                Err(Errno::EAGAIN | Errno::EINTR) => break,
                Err(error) => return Err(error.into()),
            }
        }
        if sys::tcp_option(socket.as_fd(), libc::TCP_WINDOW_CLAMP)? != self.window {
            clamp(socket.as_fd(), self.window)?;
        }
        Ok(())
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

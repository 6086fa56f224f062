//! Receiving side of an end of a connection. The clamp of its window is set again while data
//! arrive.

use std::io;
use std::ops::ControlFlow;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nix::errno::Errno;
use nix::libc;
use nix::sys::socket::{MsgFlags, recv};

use super::sys;

/// Blocks in a row on one connection.
pub(super) const IN_A_ROW: usize = 4;

/// State of the reading at a socket.
#[derive(Debug)]
pub(super) struct Inlet {
    window: i32,
    /// True once nothing more is read.
    is_over: AtomicBool,
    /// The error that ended it.
    failed: OnceLock<io::Error>,
    read_bytes: AtomicU64,
}

impl Inlet {
    /// Makes one that is to offer `window`.
    pub(super) fn new(window: u64) -> Self {
        Self {
            window: i32::try_from(window).unwrap_or(i32::MAX),
            is_over: AtomicBool::new(false),
            failed: OnceLock::new(),
            read_bytes: AtomicU64::new(0),
        }
    }

    /// True while there may be something to read.
    pub(super) fn is_read(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed)
    }

    /// The error that ended it.
    pub(super) fn failed(&self) -> Option<&io::Error> {
        self.failed.get()
    }

    /// Bytes read.
    pub(super) fn read_bytes(&self) -> u64 {
        self.read_bytes.load(Ordering::Relaxed)
    }

    /// Limits the window that the socket offers.
    pub(super) fn clamp(&self, socket: BorrowedFd<'_>) -> io::Result<()> {
        if sys::tcp_option(socket, libc::TCP_WINDOW_CLAMP)? == self.window {
            return Ok(());
        }
        sys::set_option(socket, libc::IPPROTO_TCP, libc::TCP_WINDOW_CLAMP, self.window)
    }

    /// Reads what has arrived; breaks at the end of the connection.
    pub(super) fn read(
        &self,
        socket: BorrowedFd<'_>,
        block: &mut [u8],
    ) -> io::Result<ControlFlow<()>> {
        for _ in 0..IN_A_ROW {
            // The kernel discards the bytes instead of copying them.
            match recv(socket.as_raw_fd(), block, MsgFlags::MSG_TRUNC) {
                Ok(0) => return Ok(ControlFlow::Break(())),
                Ok(read) => drop(self.read_bytes.fetch_add(read as u64, Ordering::Relaxed)),
                Err(Errno::EAGAIN | Errno::EINTR) => break,
                Err(error) => return Err(error.into()),
            }
        }
        self.clamp(socket)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Notes the end of the reading, if that is what `read` tells.
    pub(super) fn note(&self, read: io::Result<ControlFlow<()>>) {
        match read {
            Ok(ControlFlow::Continue(())) => return,
            Ok(ControlFlow::Break(())) => {}
            Err(error) => drop(self.failed.set(error)),
        }
        self.is_over.store(true, Ordering::Relaxed);
    }
}

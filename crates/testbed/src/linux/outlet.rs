//! One end of a connection, at which is written.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use nix::errno::Errno;
use nix::sys::socket::{MsgFlags, Shutdown, send, shutdown};

use super::ends::BLOCK;
use super::tcp_info::TcpInfo;

/// A socket at which is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlet<'s>(pub(super) BorrowedFd<'s>);

impl Outlet<'_> {
    /// State of its end of the connection.
    pub(super) fn info(self) -> io::Result<TcpInfo> {
        TcpInfo::of(self.0)
    }

    /// Writes up to so many bytes as there is room for; returns their number.
    pub(super) fn write(self, bytes: u64) -> io::Result<u64> {
        static BLOCK_OF_ZEROS: [u8; BLOCK] = [0; BLOCK];
        let block = &BLOCK_OF_ZEROS[..bytes.min(BLOCK as u64) as usize];
        match send(self.0.as_raw_fd(), block, MsgFlags::MSG_NOSIGNAL) {
            Ok(written) => Ok(written as u64),
            // Before it is connected there is no room.
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Closes the connection for writing: data that are written are still sent.
    pub(super) fn close(self) -> io::Result<()> {
        Ok(shutdown(self.0.as_raw_fd(), Shutdown::Write)?)
    }
}

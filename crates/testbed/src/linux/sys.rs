//! System calls for which there is no safe function: making a TUN device, options of sockets that
//! have no type of their own, and forks.

#![expect(unsafe_code, reason = "system calls without a safe function")]

pub(super) mod confined;

use std::ffi::c_int;
use std::fs::{File, OpenOptions};
use std::io;
use std::mem::size_of;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;

use nix::libc;

/// Largest part of `struct tcp_info` that is read.
pub(super) const TCP_INFO_BYTES: usize = 256;

nix::ioctl_write_ptr_bad!(set_interface, libc::TUNSETIFF, libc::ifreq);

/// Makes a TUN device in the network namespace of this thread, without a header before packets; it
/// lasts as long as the file is open. Reads never block.
pub(super) fn open_tun(name: &str) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open("/dev/net/tun")?;
    // SAFETY: all bytes zero are a value of this struct of integers.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    // The last byte stays zero.
    for (to, from) in request.ifr_name.iter_mut().take(libc::IFNAMSIZ - 1).zip(name.bytes()) {
        *to = from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_TUN | libc::IFF_NO_PI) as libc::c_short;
    // SAFETY: the request of this call is an `ifreq`, which outlives it.
    unsafe { set_interface(file.as_raw_fd(), &raw const request) }?;
    Ok(file)
}

/// Reads `struct tcp_info` of a socket; returns the number of bytes that the kernel has.
pub(super) fn read_tcp_info(
    socket: BorrowedFd<'_>,
    into: &mut [u8; TCP_INFO_BYTES],
) -> io::Result<usize> {
    let mut length = TCP_INFO_BYTES as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes into an array of that length.
    let answer = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            into.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    if answer == 0 { Ok(length as usize) } else { Err(io::Error::last_os_error()) }
}

/// Reads a number of a socket at the level of TCP.
pub(super) fn tcp_option(socket: BorrowedFd<'_>, name: c_int) -> io::Result<c_int> {
    let (mut value, mut length) = (0_i32, size_of::<c_int>() as libc::socklen_t);
    // SAFETY: the kernel writes at most `length` bytes, the size of the value.
    let answer = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            name,
            (&raw mut value).cast(),
            &raw mut length,
        )
    };
    if answer == 0 { Ok(value) } else { Err(io::Error::last_os_error()) }
}

/// Sets a number of a socket.
pub(super) fn set_option(
    socket: BorrowedFd<'_>,
    level: c_int,
    name: c_int,
    value: c_int,
) -> io::Result<()> {
    // SAFETY: the kernel reads as many bytes as the value has.
    let answer = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            level,
            name,
            (&raw const value).cast(),
            size_of::<c_int>() as libc::socklen_t,
        )
    };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

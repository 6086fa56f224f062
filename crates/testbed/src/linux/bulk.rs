//! Threads of the connections: one that writes on all that have traffic without end, and one that
//! reads on all. They need not be in the namespaces of the sockets.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};

use super::ends::{BLOCK, Ends, Reading};

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
    /// The error that ended a thread.
    failed: OnceLock<Errno>,
    /// Wakes the writing and the reading thread.
    wake: [EventFd; 2],
}

impl Bulk {
    /// Starts the threads; nothing is sent before [`start`](Self::start).
    pub(super) fn new(flows: Vec<Ends>) -> io::Result<Self> {
        let flags = EfdFlags::EFD_NONBLOCK | EfdFlags::EFD_CLOEXEC;
        let event = || EventFd::from_value_and_flags(0, flags);
        let wake = [event()?, event()?];
        let (is_over, failed) = (AtomicBool::new(false), OnceLock::new());
        let shared = Arc::new(Shared { flows, is_over, failed, wake });
        let mut bulk = Self { shared, threads: Vec::new() };
        for (name, work) in [
            ("cellway-write", Shared::write_all as fn(&Shared) -> Result<(), Errno>),
            ("cellway-read", Shared::read_all),
        ] {
            let shared = Arc::clone(&bulk.shared);
            let thread = thread::Builder::new().name(name.to_owned());
            let work = move || {
                if let Err(error) = work(&shared) {
                    shared.failed.get_or_init(|| error);
                }
            };
            bulk.threads.push(thread.spawn(work)?);
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
        let ends = &self.shared.flows[flow];
        ends.connect(endless)?;
        self.shared.wake[0].write(1)?;
        if ends.has_responses() {
            self.shared.wake[1].write(1)?;
        }
        Ok(())
    }

    /// Fails if a thread has ended.
    pub(super) fn require_threads(&self) -> io::Result<()> {
        self.shared.failed.get().map_or(Ok(()), |error| Err((*error).into()))
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
    fn write_all(&self) -> Result<(), Errno> {
        let block = vec![0; BLOCK];
        while !self.is_over() {
            let filled: Vec<&Ends> = self.flows.iter().filter(|ends| ends.is_filled()).collect();
            let sockets = filled.iter().map(|ends| (ends.sender(), PollFlags::POLLOUT));
            for index in wait_for(&self.wake[0], sockets)? {
                filled[index].fill(&block);
            }
        }
        Ok(())
    }

    /// Reads all that arrives, until the measurement is over.
    fn read_all(&self) -> Result<(), Errno> {
        let mut block = vec![0; BLOCK];
        while !self.is_over() {
            let read: Vec<Reading<'_>> = self.flows.iter().flat_map(Ends::readings).collect();
            let sockets = read.iter().map(|reading| (reading.socket(), PollFlags::POLLIN));
            for index in wait_for(&self.wake[1], sockets)? {
                read[index].take(&mut block);
            }
        }
        Ok(())
    }
}

/// Waits for an event; returns the indices of the sockets that have one.
fn wait_for<'s>(
    wake: &EventFd,
    sockets: impl Iterator<Item = (BorrowedFd<'s>, PollFlags)>,
) -> Result<Vec<usize>, Errno> {
    let mut polled: Vec<PollFd<'_>> = vec![PollFd::new(wake.as_fd(), PollFlags::POLLIN)];
    polled.extend(sockets.map(|(socket, events)| PollFd::new(socket, events)));
    match poll(&mut polled, PollTimeout::NONE) {
        Ok(_) => {}
        Err(Errno::EINTR) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    }
    // A counter that is zero blocks, which it says.
    let _ = wake.read();
    let has_event = |(index, of): (usize, &PollFd<'_>)| of.any().unwrap_or(false).then_some(index);
    Ok(polled[1..].iter().enumerate().filter_map(has_event).collect())
}

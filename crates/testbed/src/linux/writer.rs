//! Applications of the scenario over kernel TCP: the simulator's own, which are asked at the
//! instants that they name and when acknowledgements arrive. What they write is written at that
//! instant, or when the kernel has room for it.

use std::io;

use cellway_sim::traffic::{AnyApplication, Application, BlockCounters, Offer, Write};
use cellway_sim::units::Time;

use super::outlet::Outlet;

/// Bytes that stand for data without end.
const ENDLESS: u64 = u64::MAX / 4;

/// State of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Waiting,
    Writing,
    /// It writes no more.
    Stopped,
    /// Its connection is closed for writing, too.
    Closed,
}

/// An application with its end of a connection.
#[derive(Debug)]
pub(super) struct Writer {
    application: AnyApplication,
    stop: Time,
    /// Instant at which it has to be asked.
    next: Time,
    phase: Phase,
    /// Bytes that it has written, and those of them that the kernel has.
    offered: u64,
    taken: u64,
    finished_at: Option<Time>,
}

impl Writer {
    /// Makes the writer of a flow that is to stop at `stop`.
    pub(super) fn new(application: AnyApplication, stop: Time) -> Self {
        Self {
            application,
            stop,
            next: Time::MAX,
            phase: Phase::Waiting,
            offered: 0,
            taken: 0,
            finished_at: None,
        }
    }

    /// Makes the writer of responses, which are written until the end.
    pub(super) fn of_responses(application: AnyApplication) -> Self {
        Self { phase: Phase::Writing, ..Self::new(application, Time::MAX) }
    }

    /// Instant at which it has to be asked, even if nothing arrives.
    pub(super) fn next(&self) -> Time {
        self.next
    }

    /// Begins to write.
    pub(super) fn start(&mut self, now: Time, outlet: Outlet<'_>) -> io::Result<()> {
        self.phase = Phase::Writing;
        self.turn(now, outlet, 0).map(drop)
    }

    /// Asks the application, if it has started, and writes as much as there is room for. The other
    /// end has written `sent` bytes. Returns the instant of the request whose response has arrived.
    pub(super) fn turn(
        &mut self,
        now: Time,
        outlet: Outlet<'_>,
        sent: u64,
    ) -> io::Result<Option<Time>> {
        if self.phase == Phase::Waiting {
            return Ok(None);
        }
        let info = outlet.info()?;
        let acked = info.acked().min(self.taken);
        // The kernel counts a FIN as a byte.
        self.application.on_delivered(now, info.bytes_received.min(sent));
        let completed = self.application.take_completed();
        if self.phase == Phase::Writing {
            self.ask(now, acked);
        }
        self.fill(outlet)?;
        let is_all = self.phase == Phase::Closed && acked == self.offered;
        if self.finished_at.is_none() && (is_all || self.application.is_through(acked)) {
            self.finished_at = Some(now);
        }
        Ok(completed)
    }

    /// True if it has written what the kernel had no room for.
    pub(super) fn waits_for_room(&self) -> bool {
        self.taken < self.offered
    }

    /// Writes as much of what the application has written as there is room for.
    pub(super) fn fill(&mut self, outlet: Outlet<'_>) -> io::Result<()> {
        while self.taken < self.offered {
            match outlet.write(self.offered - self.taken)? {
                0 => break,
                written => self.taken += written,
            }
        }
        if self.phase == Phase::Stopped && self.taken == self.offered {
            outlet.close()?;
            self.phase = Phase::Closed;
        }
        Ok(())
    }

    fn ask(&mut self, now: Time, acked: u64) {
        if now >= self.stop {
            let written = self.application.written_at_stop(self.taken);
            let written = written.unwrap_or(self.offered);
            self.offered = if written >= ENDLESS { self.taken } else { written.max(self.taken) };
            (self.phase, self.next) = (Phase::Stopped, Time::MAX);
            return;
        }
        let Offer { write, next } = self.application.poll(now, acked);
        self.offered = match write {
            Write::Bytes(bytes) => self.offered + bytes,
            Write::Forever => ENDLESS,
        };
        self.next = if next > now { next.min(self.stop) } else { self.stop };
    }

    /// Bytes that the kernel has.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Instant of the acknowledgement of its last byte.
    pub(super) fn finished_at(&self) -> Option<Time> {
        self.finished_at
    }

    /// Counters of its blocks, if it counts them.
    pub(super) fn blocks(&self) -> Option<BlockCounters> {
        self.application.blocks(self.taken)
    }
}

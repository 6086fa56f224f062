//! Applications of the scenario above a stack: the simulator's own, which are asked at the instants
//! that they name and when the stack tells events.

use cellway_sim::traffic::{AnyApplication, Application, Offer, Write};
use cellway_sim::units::Time;

use crate::stack::Call;

/// An application at its end of a connection.
#[derive(Debug)]
pub(crate) struct Writer {
    application: AnyApplication,
    stop: Time,
    next: Time,
    is_stopped: bool,
    is_endless: bool,
    /// Octets that it has written; those without end are not counted.
    written: u64,
    finished_at: Option<Time>,
}

impl Writer {
    /// Makes the writer of a flow that stops at `stop`.
    pub(crate) fn new(application: AnyApplication, stop: Time) -> Self {
        Self {
            application,
            stop,
            next: Time::MAX,
            is_stopped: false,
            is_endless: false,
            written: 0,
            finished_at: None,
        }
    }

    /// Instant at which it has to be asked, even if nothing happens.
    pub(crate) fn next(&self) -> Time {
        self.next
    }

    /// Asks it at `now`, when so many of its octets are acknowledged, and so many of the other end
    /// delivered. Adds its calls; returns the instant of the request whose response has just
    /// arrived, if one has.
    pub(crate) fn ask(
        &mut self,
        now: Time,
        [acked, delivered]: [u64; 2],
        calls: &mut Vec<Call>,
    ) -> Option<Time> {
        self.application.on_delivered(now, delivered);
        let completed = self.application.take_completed();
        if now >= self.stop {
            self.close(acked, calls);
        } else {
            self.write(now, acked, calls);
        }
        let is_all = self.is_stopped && !self.is_endless && acked == self.written;
        if self.finished_at.is_none() && (is_all || self.application.is_through(acked)) {
            self.finished_at = Some(now);
        }
        completed
    }

    fn write(&mut self, now: Time, acked: u64, calls: &mut Vec<Call>) {
        let Offer { write, next } = self.application.poll(now, acked);
        match write {
            Write::Bytes(0) => {}
            Write::Bytes(bytes) => {
                self.written += bytes;
                calls.push(Call::Write(bytes));
            }
            Write::Forever if self.is_endless => {}
            Write::Forever => {
                self.is_endless = true;
                calls.push(Call::WriteForever);
            }
        }
        self.next = if next > now { next.min(self.stop) } else { self.stop };
    }

    fn close(&mut self, acked: u64, calls: &mut Vec<Call>) {
        if self.is_stopped {
            return;
        }
        (self.is_stopped, self.next) = (true, Time::MAX);
        let written = self.application.written_at_stop(acked).unwrap_or(self.written);
        calls.push(Call::Close(if self.is_endless { 0 } else { written }));
    }

    /// Octets that it has written at most.
    pub(crate) fn most_written(&self) -> u64 {
        if self.is_endless { u64::MAX } else { self.written }
    }

    /// Notes that all of its stream, and the end, have arrived.
    pub(crate) fn note_closed(&mut self, now: Time) {
        if self.is_stopped {
            self.finished_at.get_or_insert(now);
        }
    }

    /// Instant of the acknowledgement of its last octet.
    pub(crate) fn finished_at(&self) -> Option<Time> {
        self.finished_at
    }
}

//! Responses of a flow: the simulator's own server writes them at the receiving end, when a request
//! has arrived in order, and the times until they have arrived are counted.

use std::io;

use cellway_sim::result::{DelayDistribution, TransactionCounters, Window};
use cellway_sim::traffic::AnyApplication;
use cellway_sim::units::Time;

use super::ends::Ends;
use super::writer::Writer;

/// Responses of one flow.
#[derive(Debug)]
pub(super) struct Responses {
    writer: Writer,
    times: DelayDistribution,
}

impl Responses {
    /// Takes the server of a flow, whose response times are counted in this window.
    pub(super) fn new(server: AnyApplication, window: Window) -> Self {
        Self { writer: Writer::of_responses(server), times: DelayDistribution::new(window) }
    }

    /// Asks the server, to which the client has written `sent` bytes, and writes as much as there
    /// is room for.
    pub(super) fn turn(&mut self, now: Time, ends: &Ends, sent: u64) -> io::Result<()> {
        let Some(outlet) = ends.outlet_of_responses()? else { return Ok(()) };
        self.writer.turn(now, outlet, sent).map(drop)
    }

    /// True if there was no room for all that is written.
    pub(super) fn waits_for_room(&self) -> bool {
        self.writer.waits_for_room()
    }

    /// Writes as much as there is room for.
    pub(super) fn fill(&mut self, ends: &Ends) -> io::Result<()> {
        ends.outlet_of_responses()?.map_or(Ok(()), |outlet| self.writer.fill(outlet))
    }

    /// Bytes that the server's kernel has.
    pub(super) fn taken(&self) -> u64 {
        self.writer.taken()
    }

    /// Counts the time of a response, if one has `completed`: the instant of its request.
    pub(super) fn note(&mut self, completed: Option<Time>, now: Time) {
        if let Some(since) = completed {
            self.times.note(since, now);
        }
    }

    /// Counters of the client.
    pub(super) fn counters(&self, ends: &Ends) -> io::Result<TransactionCounters> {
        // The kernel counts a FIN as a byte.
        let response_bytes = ends.outlet().info()?.bytes_received.min(self.taken());
        Ok(TransactionCounters { response_bytes, times: self.times.summary() })
    }
}

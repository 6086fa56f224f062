//! Rounds: each lasts until all data sent before its start are acknowledged, a round trip or more.

use super::Flight;

/// The present round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Round {
    /// Sequence number after the data sent before its start.
    end: u64,
}

impl Round {
    /// True if an ACK ends the round, after which the next one begins.
    pub(super) fn ends(&mut self, flight: &Flight) -> bool {
        let ends = flight.snd_una >= self.end;
        if ends {
            self.end = flight.snd_max;
        }
        ends
    }

    /// Begins a round.
    pub(super) fn restart(&mut self, flight: &Flight) {
        self.end = flight.snd_max;
    }
}

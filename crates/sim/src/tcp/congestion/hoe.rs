//! Hoe 1996 ("Improving the Start-up Behavior of a Congestion Control Scheme for TCP"): Reno that stays in fast recovery
//! until all that was outstanding at its start is acknowledged.
//!
//! Every partial ACK sends the next hole at once, and every second duplicate ACK lets one new segment go, which keeps
//! ACKs coming at half the rate before the loss. cwnd stands at what is outstanding meanwhile, and becomes ssthresh in
//! the end.
//!
//! Departures: ssthresh is not estimated from the spacing of the first ACKs, the paper's other half; the timer starts
//! again with every partial ACK, as with every ACK of new data in 4.3BSD; and as in Reno nothing guards against duplicates
//! after a timeout.
//!
//! Timeouts are 4.3BSD's, which the paper changes: every one halves ssthresh. In a recovery cwnd is what is outstanding, so
//! it is half of that and not of an inflated window.

use super::{Congestion, DUP_ACK_THRESHOLD, Flight, Repair, Window};

#[derive(Clone, Debug, Default)]
pub(in crate::tcp) struct Hoe {
    recovery: Option<Recovery>,
}

#[derive(Clone, Copy, Debug)]
struct Recovery {
    /// The sequence number after the highest sent when it began.
    until: u64,
    /// The first of two duplicate ACKs has come.
    one_seen: bool,
}

impl Congestion for Hoe {
    fn on_ack(&mut self, window: &mut Window, flight: &Flight, _acked: u64) -> Repair {
        match self.recovery {
            None => window.grow(),
            Some(recovery) if flight.snd_una < recovery.until => {
                window.hold(flight);
                return Repair::ResendNext;
            }
            Some(_) => {
                self.recovery = None;
                window.deflate();
            }
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        if let Some(recovery) = &mut self.recovery {
            if recovery.one_seen {
                window.inflate(1);
            }
            recovery.one_seen = !recovery.one_seen;
            return Repair::Nothing;
        }
        if flight.dup_acks != DUP_ACK_THRESHOLD {
            return Repair::Nothing;
        }
        self.recovery = Some(Recovery { until: flight.snd_max, one_seen: false });
        window.halve_ssthresh(flight);
        window.hold(flight);
        Repair::ResendFirst
    }

    fn is_recovering(&self) -> bool {
        self.recovery.is_some()
    }

    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        self.recovery = None;
        window.halve_ssthresh(flight);
        window.collapse();
    }
}

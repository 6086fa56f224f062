//! Hoe 1996 ("Improving the Start-up Behavior of a Congestion Control Scheme for TCP"): Reno that
//! stays in fast recovery until all data outstanding at its start are acknowledged.
//!
//! Every partial ACK sends the next hole at once. Every second duplicate ACK lets one new segment
//! be sent, which keeps ACKs coming at half the rate before the loss. Meanwhile cwnd equals the
//! outstanding data, and becomes ssthresh in the end.
//!
//! Departures: ssthresh is not estimated from the spacing of the first ACKs, the paper's other
//! half; the timer starts again with every partial ACK, as with every ACK of new data in 4.3BSD;
//! and as in Reno nothing guards against duplicates after a timeout.
//!
//! Timeouts are those of 4.3BSD, which the paper changes: every one halves ssthresh. In a recovery
//! cwnd equals the outstanding data, so ssthresh is half of that and not of an inflated window.

use super::growth::Growth;
use super::plan::Plan;
use super::{Ack, Congestion, DUP_ACK_THRESHOLD, GuardOption, Options, Repair, Timeout};

#[derive(Debug)]
pub struct Hoe {
    growth: Growth,
    recovery: Option<Recovery>,
}

#[derive(Clone, Copy, Debug)]
struct Recovery {
    /// The sequence number after the highest sent when it began.
    until: u64,
    /// True if the first of two duplicate ACKs has come.
    one_seen: bool,
}

impl Hoe {
    pub(super) const OPTIONS: Options = Options {
        retransmits_fast: true,
        follows_rfcs: false,
        takes_any_law: false,
        guard: GuardOption::Absent,
        readings: &[],
    };

    pub(super) fn new(plan: &Plan) -> Self {
        Self { growth: Growth::new(plan), recovery: None }
    }
}

impl Congestion for Hoe {
    fn follows_rfcs(&self) -> bool {
        Self::OPTIONS.follows_rfcs
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        match self.recovery {
            None => self.growth.grow(ack),
            Some(recovery) if ack.flight.snd_una < recovery.until => {
                ack.window.hold(ack.flight);
                return Repair::Retransmit;
            }
            Some(_) => {
                self.recovery = None;
                ack.window.deflate();
            }
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, ack: &mut Ack<'_>) -> Repair {
        let Ack { flight, ref mut window, .. } = *ack;
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
        Repair::FastRetransmit
    }

    fn is_recovering(&self) -> bool {
        self.recovery.is_some()
    }

    fn on_timeout(&mut self, timeout: &mut Timeout<'_>) {
        self.recovery = None;
        timeout.window.halve_ssthresh(timeout.flight);
        timeout.window.collapse();
    }
}

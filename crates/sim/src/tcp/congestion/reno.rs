//! 4.3BSD Reno: fast retransmit and fast recovery (Jacobson 1990; RFC 5681 §3.2).
//!
//! As in 4.3BSD the first ACK of new data ends recovery however little it covers, and nothing records how far the
//! loss reached: a second loss in the window needs three more duplicate ACKs and halves again, or waits for the
//! timer, and duplicates after a timeout may cause a needless fast retransmit.
//!
//! Departures: recovery is a state and not "three or more duplicates counted", so a data segment that resets the
//! count cannot leave cwnd inflated; the window is deflated after exactly three duplicates too (Net/3 needs a
//! fourth); the ACK that deflates does not also grow the window (RFC 5681 §3.2 step 6); and what the inflated window
//! allows may leave with the third duplicate already, which matters only below six segments.

use super::{Congestion, DUP_ACK_THRESHOLD, Flight, Repair, Window};

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Reno {
    recovering: bool,
}

impl Congestion for Reno {
    fn on_ack(&mut self, window: &mut Window, _flight: &Flight, _acked: u64) -> Repair {
        if self.recovering {
            self.recovering = false;
            window.deflate();
        } else {
            window.grow();
        }
        Repair::Nothing
    }

    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        if self.recovering {
            // RFC 5681 §3.2 step 4: another segment has left the network.
            window.inflate(1);
            return Repair::Nothing;
        }
        if flight.dup_acks != DUP_ACK_THRESHOLD {
            return Repair::Nothing;
        }
        self.recovering = true;
        window.halve_ssthresh(flight);
        window.deflate();
        // RFC 5681 §3.2 step 3: the three segments that the duplicates stand for have left the network.
        window.inflate(DUP_ACK_THRESHOLD);
        Repair::ResendFirst
    }

    fn on_timeout(&mut self, window: &mut Window, flight: &Flight) {
        self.recovering = false;
        window.halve_ssthresh(flight);
        window.collapse();
    }
}

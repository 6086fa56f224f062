//! 4.3BSD Tahoe: the third duplicate ACK is treated like a timeout, without the wait.
//!
//! ssthresh becomes half the window, cwnd one segment, and the sender goes back to `snd_una`, so slow start sends
//! again all that was outstanding: the Tahoe of the literature. The BSD source restores `snd_nxt` after the first
//! segment; with several losses in a window its sender then waits for the timer. Further duplicate ACKs do nothing
//! until new data are acknowledged. There is no record of how far the loss reached: three segments that arrive twice
//! after going back cause another, needless, fast retransmit.

use super::{Congestion, DUP_ACK_THRESHOLD, Flight, Repair, Window};

#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Tahoe;

impl Congestion for Tahoe {
    fn on_dup_ack(&mut self, window: &mut Window, flight: &Flight) -> Repair {
        if flight.dup_acks != DUP_ACK_THRESHOLD {
            return Repair::Nothing;
        }
        window.halve_ssthresh(flight);
        window.collapse();
        Repair::GoBack
    }
}

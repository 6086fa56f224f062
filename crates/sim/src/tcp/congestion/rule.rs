//! Interface of a rule of congestion control, and its decisions.

use super::{
    Ack, DetectionPlan, Flight, Hole, LawNeeds, LawValue, Timeout, Transmission, WakeUp, Window,
};
use crate::engine::Stream;
use crate::units::{Rate, Span, Time};

/// The sender's repair of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// No repair is due.
    Nothing,
    /// Fast retransmit: the first unacknowledged segment is sent once more and the timer restarts;
    /// `snd_nxt` stays.
    FastRetransmit,
    /// Fast retransmit of everything from `snd_una` on, as the window allows.
    GoBackN,
    /// A partial ACK: the first unacknowledged segment is the next one lost. The timer restarts.
    Retransmit,
    /// Like `Retransmit`, but the timer runs on.
    RetransmitKeepingTimer,
    /// A recovery begins, whose segments the rule chooses; `snd_nxt` and the timer stay.
    Begin,
    /// The latest losses were none: segments that count as lost are in flight.
    TakeBack {
        /// True if they had been overtaken, and not late as a whole flight.
        are_reordered: bool,
    },
}

/// The segment to send next when no repair is due (`NextSeg` of RFC 6675 §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextSegment {
    /// The next segment from `snd_nxt` on, as far as cwnd allows.
    InSequence,
    /// The first segment of a hole. The rule has compared cwnd.
    Retransmission(Hole),
    /// New data if there are any and the receiver's window allows, else the first segment of a hole
    /// if there is one. The rule has compared cwnd.
    NewDataOr(Option<Hole>),
    /// At most so many bytes of new data. The rule has compared cwnd.
    NewData(u64),
    /// No segment before the next ACK, or before the instant that the rule has asked for.
    Nothing,
}

/// A rule of congestion control: growth of cwnd, its reduction by losses, and the choice of the
/// next segment.
pub trait Congestion: std::fmt::Debug {
    /// True if ACKs are to report ranges beyond their number (RFC 2018).
    fn reads_sack(&self) -> bool {
        false
    }

    /// True if a connection under it is one of RFC 5681 and 9293: an ACK below `snd_una` is ignored
    /// (RFC 9293 §3.10.7.4), and the right edge of the advertised window moves by a segment or half
    /// of the largest window at least (§3.8.6.2.2). Otherwise, as in 4.3BSD, that ACK begins the
    /// count of duplicates anew, and the edge moves with every ACK.
    fn follows_rfcs(&self) -> bool {
        true
    }

    /// Facts and services that its law asks for.
    fn needs(&self) -> LawNeeds {
        LawNeeds::default()
    }

    /// Detection of losses in a log of what was sent, for a rule that finds none itself: every ACK
    /// is then an [`on_ack`](Self::on_ack) with a report, and a timeout keeps all that ACKs have
    /// reported.
    fn detection(&self) -> Option<DetectionPlan> {
        None
    }

    /// Takes a random stream, if its law asks for one.
    fn seed(&mut self, _random: Stream) {}

    /// Takes an ACK of new data.
    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Repair;

    /// Takes a duplicate ACK.
    fn on_dup_ack(&mut self, _ack: &mut Ack<'_>) -> Repair {
        Repair::Nothing
    }

    /// Takes the first echo of a congestion mark in a window of data, while no loss is being
    /// repaired: the window is reduced, and nothing is retransmitted (RFC 3168 §6.1.2). The ACK
    /// itself follows as its own event, and the flight is as it was before it. A rule that reads
    /// [`Ack::ecn_echo`] itself does nothing here.
    fn on_ecn_echo(&mut self, ack: &mut Ack<'_>) {
        ack.window.halve_flight(ack.flight);
        ack.window.lower_to_ssthresh();
    }

    /// True if a loss is being repaired under a window that the rule has set: then there is no
    /// limited transmit.
    fn is_recovering(&self) -> bool {
        false
    }

    /// Takes an expiry of the retransmission timer; the sender returns to `snd_una` in any case.
    fn on_timeout(&mut self, timeout: &mut Timeout<'_>);

    /// Chooses the segment to send next when no repair is due.
    fn next_segment(&self, _window: &Window, _flight: &Flight) -> NextSegment {
        NextSegment::InSequence
    }

    /// Takes a segment that is sent.
    fn on_sent(&mut self, _sent: &Transmission<'_>) {}

    /// The instant at which the rule is called without an arrival, as one that paces is when the
    /// next segment may be sent. It is after the latest event; [`Time::MAX`] for no call before the
    /// next event.
    fn next_wake_up(&self) -> Time {
        Time::MAX
    }

    /// Takes that instant, or losses that a timer of its detection has found; afterwards the sender
    /// asks for the next segment.
    fn on_wake_up(&mut self, _wake_up: &mut WakeUp<'_>) -> Repair {
        Repair::Nothing
    }

    /// Rate at which segments leave; `None` for no pacing.
    fn pace(&self, _window: &Window, _srtt: Option<Span>) -> Option<Rate> {
        None
    }

    /// Values of the law's state that are recorded.
    fn values(&self) -> &'static [LawValue] {
        &[]
    }

    /// Value of `values()[index]`; `None` if there is none yet.
    fn value(&self, _index: usize) -> Option<f64> {
        None
    }
}

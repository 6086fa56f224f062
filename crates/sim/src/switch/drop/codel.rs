//! Controlled Delay (Nichols, Jacobson, McGregor, Iyengar: RFC 8289, 2018).
//!
//! A frame is judged as it is taken out of the queue to be sent, by how long it has waited. Once
//! the wait has not been below `target` for an `interval`, frames are discarded: one at once, and
//! the next ones at instants t + interval/√count, until a wait is below `target` or no more than an
//! `mtu` of bytes waits behind it (section 5.6). If that comes again soon after, within 16
//! intervals, the control law goes on with the drops of the last time. Parameters: `target` 5 ms;
//! `interval` 100 ms; `mtu` 1500 B, maxpacket of the RFC; `ecn` false: a capable frame is marked in
//! place of being discarded, and is sent (one mark at a dequeue, as Linux does; the RFC leaves it
//! open). A full buffer discards arriving frames.
//!
//! Equal cases: a wait of exactly `target` is above; a drop is due at its instant. Linux has no
//! drop at the exact instant at which an interval ends, counts in 1.024 µs, and takes one Newton
//! step towards 1/√count at a drop, the first of which gives 0.5 for 1/√2; ns-3 3.44 does the same,
//! may drop with just an mtu behind, and computes the drop after a mark from now and not from when
//! the mark was due. Decided here: a frame of cells waits as long as its first cell and is
//! discarded whole; its later cells that have arrived count as behind it, and `mtu` is in payload
//! of the cells that it takes. Departure: with several classes or a scheduler of VCs there is one
//! state for all VCs of the class.

use super::{Admission, Dequeue, FrameRule, FromPlan, Needs, PolicyFacts, Site};
use crate::language::part::prelude::*;
use crate::pdu::CellHead;
use crate::units::{Bytes, Span, Time};

part! {
    /// Parameters of CoDel.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CodelPlan {
        /// Wait that is acceptable if it stays.
        target: Span = default("5 ms", "\"10 ms\"") as POSITIVE_TIME,
        /// Time that waits may be above `target` before a frame is discarded: a round trip of most
        /// connections.
        interval: Span = default("100 ms", "\"50 ms\"") as POSITIVE_TIME,
        /// Bytes waiting behind a frame up to which it is not discarded.
        mtu: Bytes = default("1500 B", "\"9180 B\"") as Kind::Size { min: 1, max: MAX_PACKET },
        /// Marks frames of transports with ECN in place of discarding them.
        ecn: bool = default("false", "true"),
    }
}

/// Controlled Delay, of one queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct Codel {
    target: Span,
    interval: Span,
    /// Size of an `mtu`, in bytes that wait.
    mtu: u64,
    marks: bool,
    /// Instant one interval after the waits came above target, if they are.
    first_above: Option<Time>,
    is_dropping: bool,
    drop_next: Time,
    /// Drops since the dropping state was entered, plus those that it began with.
    count: u32,
    /// Value of `count` when the dropping state was entered.
    last_count: u32,
    /// The previous drop, whose dequeue continues at the same instant.
    dropped: Option<(Time, Dropped)>,
}

/// Reason why a frame was discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dropped {
    /// The dropping state was entered.
    Entering,
    /// The next drop was due.
    Due,
}

/// Intervals within which a new dropping state continues the law of the last one (RFC 8289 section
/// 5.6).
const SOON: i128 = 16;

impl Codel {
    /// Makes a state with waits below target; `mtu` is in bytes that wait.
    pub fn new(target: Span, interval: Span, mtu: u64, marks: bool) -> Self {
        Self { target, interval, mtu, marks, ..Self::default() }
    }

    /// `control_law`.
    fn after(&self, instant: Time) -> Time {
        let span = self.interval.picoseconds() as f64 / f64::from(self.count).sqrt();
        instant + Span::from_picoseconds((span + 0.5) as i64)
    }

    /// `ok_to_drop` of `dodequeue`.
    fn may_drop(&mut self, Dequeue { now, sojourn, backlog, .. }: &Dequeue) -> bool {
        if *sojourn < self.target || *backlog <= self.mtu {
            self.first_above = None;
            return false;
        }
        if let Some(instant) = self.first_above {
            return *now >= instant;
        }
        self.first_above = Some(*now + self.interval);
        false
    }

    /// The loop of `deque`: the next drop, if it is due.
    fn drop_if_due(&mut self, now: Time, is_markable: bool) -> Admission {
        if now < self.drop_next {
            return Admission::Admit;
        }
        self.count += 1;
        if is_markable {
            self.drop_next = self.after(self.drop_next);
            return Admission::Mark;
        }
        self.dropped = Some((now, Dropped::Due));
        Admission::Refuse
    }

    fn enter(&mut self, now: Time, is_markable: bool) -> Admission {
        let drops = self.count - self.last_count;
        let since = i128::from((now - self.drop_next).picoseconds());
        let is_soon = since < SOON * i128::from(self.interval.picoseconds());
        self.count = if drops > 1 && is_soon { drops } else { 1 };
        self.last_count = self.count;
        self.is_dropping = true;
        self.drop_next = self.after(now);
        if is_markable {
            return Admission::Mark;
        }
        self.dropped = Some((now, Dropped::Entering));
        Admission::Refuse
    }
}

impl FrameRule for Codel {
    fn needs(&self) -> Needs {
        Needs { dequeues: true, marks: self.marks, ..Needs::default() }
    }

    fn judge_dequeue(&mut self, first: CellHead, dequeue: &Dequeue) -> Admission {
        let (now, is_markable) = (dequeue.now, self.marks && first.is_ecn_capable());
        let may_drop = self.may_drop(dequeue);
        let dropped = self.dropped.take().filter(|(at, _)| *at == now);
        match dropped.map(|(_, dropped)| dropped) {
            // The frame after the first drop is sent, whatever its wait.
            Some(Dropped::Entering) => Admission::Admit,
            Some(Dropped::Due) if may_drop => {
                self.drop_next = self.after(self.drop_next);
                self.drop_if_due(now, is_markable)
            }
            None if self.is_dropping && may_drop => self.drop_if_due(now, is_markable),
            None if may_drop => self.enter(now, is_markable),
            Some(Dropped::Due) | None => {
                self.is_dropping = false;
                Admission::Admit
            }
        }
    }
}

impl FromPlan for Codel {
    type Plan = CodelPlan;

    fn build(plan: &CodelPlan, site: &Site) -> Self {
        let CodelPlan { target, interval, mtu, ecn } = *plan;
        Self::new(target, interval, site.transmission.bytes_of_packet(mtu.0), ecn)
    }

    fn facts(plan: &CodelPlan) -> PolicyFacts {
        PolicyFacts { marks: plan.ecn, interval: Some(plan.interval), ..PolicyFacts::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MTU: u64 = 1500;

    fn ms(milliseconds: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(milliseconds)
    }

    fn codel(marks: bool) -> Codel {
        Codel::new(Span::from_milliseconds(5), Span::from_milliseconds(100), MTU, marks)
    }

    /// The answer for a packet that waited so many milliseconds before many others.
    fn judge(codel: &mut Codel, now: Time, sojourn: i64, head: CellHead) -> Admission {
        let sojourn = Span::from_milliseconds(sojourn);
        let dequeue = Dequeue {
            now,
            sojourn,
            occupancy: 99,
            backlog: 98 * MTU,
            slot: 0,
            queue: 0,
            ..Dequeue::default()
        };
        codel.judge_dequeue(head, &dequeue)
    }

    /// Milliseconds whose packet gets `answer`, if each dequeues one. The packet after a drop is
    /// dequeued at the same instant.
    fn answered(
        codel: &mut Codel,
        milliseconds: std::ops::Range<i64>,
        head: CellHead,
        answer: Admission,
    ) -> Vec<i64> {
        let mut found = Vec::new();
        for now in milliseconds {
            loop {
                let given = judge(codel, ms(now), 20, head);
                if given == answer {
                    found.push(now);
                }
                if given != Admission::Refuse {
                    break;
                }
            }
        }
        found
    }

    #[test]
    fn capable_packets_are_marked_at_the_same_instants() {
        let head = CellHead::end_of_frame(0, 0).with_ecn_capable();
        let marks = answered(&mut codel(true), 0..465, head, Admission::Mark);
        assert_eq!(marks, [100, 200, 271, 329, 379, 424, 464]);
        let without = answered(&mut codel(false), 0..465, head, Admission::Refuse);
        assert_eq!(without, marks, "`ecn` is false");
        let incapable = CellHead::end_of_frame(0, 0);
        assert!(answered(&mut codel(true), 0..465, incapable, Admission::Mark).is_empty());
    }

    /// One MTU behind it may wait for ever; one byte more may not.
    #[test]
    fn the_last_mtu_is_never_dropped() {
        for (backlog, is_dropped) in [(MTU, false), (MTU + 1, true)] {
            let mut codel = codel(false);
            let dropped = (0..200).any(|now| {
                let (now, sojourn) = (ms(now), Span::from_seconds(1));
                let dequeue = Dequeue {
                    now,
                    sojourn,
                    occupancy: 2,
                    backlog,
                    slot: 0,
                    queue: 0,
                    ..Dequeue::default()
                };
                codel.judge_dequeue(CellHead::end_of_frame(0, 0), &dequeue) == Admission::Refuse
            });
            assert_eq!(dropped, is_dropped);
        }
    }
}

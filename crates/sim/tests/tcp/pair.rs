//! Two connections and a path with a fixed delay that can be mistreated.
//!
//! At one instant timers run before arrivals, and arrivals in the order they were sent. Every step
//! checks the contract: connections are drained, never wake at or before the present, and never
//! exceed the window.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cellway_sim::tcp::congestion::{Congestion, Rule};
use cellway_sim::tcp::{
    Config, Connection, Ecn, Event, Flags, Recovery, Role, Segment, TickPhases,
};
use cellway_sim::units::{Bytes, Span, Time};

/// Steps without an end in sight: a live-lock.
const MAX_STEPS: u64 = 50_000_000;

/// One of the two connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    A,
    B,
}

impl End {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// Treatment by the path of one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Arrives,
    Late(Span),
    Lost,
    /// A queue on the way is congested.
    Marked,
    /// A port on the way lets *accelerate* become *brake*.
    Braked,
    /// Arrives on time and again this much later.
    Twice(Span),
}

/// Events of the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    Sent(End, &'a Segment),
    Arrived(End, &'a Segment),
    TimedOut(End),
    Told(End, Event),
}

/// Decides the fate of segments and watches.
pub(crate) trait Path<R = Rule> {
    fn fate(&mut self, _from: End, _segment: &Segment) -> Fate {
        Fate::Arrives
    }

    fn on_step(&mut self, _now: Time, _step: &Step<'_>, _a: &Connection<R>) {}
}

/// Loses nothing.
pub(crate) struct Clean;

impl<R> Path<R> for Clean {}

pub(crate) struct Pair<P, R = Rule> {
    pub(crate) a: Connection<R>,
    pub(crate) b: Connection<R>,
    pub(crate) path: P,
    pub(crate) now: Time,
    delay: Span,
    window: Bytes,
    counts_pipe: bool,
    /// Segments that limited transmit may send beyond cwnd.
    beyond_cwnd: u64,
    sent: u64,
    under_way: BinaryHeap<Reverse<(Time, u64, End, Carried)>>,
}

/// A segment in an ordered heap; its order never decides, the count before it does.
#[derive(PartialEq, Eq)]
struct Carried(Segment);

impl PartialOrd for Carried {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Carried {
    fn cmp(&self, _other: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl<P: Path<Rule>> Pair<P> {
    /// Two ends opened at time zero; segments take `delay` one way.
    pub(crate) fn open(config: &Config, phases: TickPhases, delay: Span, path: P) -> Self {
        Self::open_with(config, || Rule::new(config), phases, delay, path)
    }
}

impl<R: Congestion, P: Path<R>> Pair<P, R> {
    /// The same, each end under a rule that need not be one of ours.
    pub(crate) fn open_with(
        config: &Config,
        rule: impl Fn() -> R,
        phases: TickPhases,
        delay: Span,
        path: P,
    ) -> Self {
        let mut pair = Self {
            a: Connection::with_rule(config, rule(), Role::Active, phases),
            b: Connection::with_rule(config, rule(), Role::Passive, phases),
            path,
            now: Time::ZERO,
            delay,
            window: config.window,
            counts_pipe: rule().reads_sack(),
            beyond_cwnd: if config.limited_transmit { 2 * config.mss.0 } else { 0 },
            sent: 0,
            under_way: BinaryHeap::new(),
        };
        pair.b.open();
        pair.drain(End::B);
        pair.a.open();
        pair.drain(End::A);
        pair
    }

    /// The application at `end` acts now.
    pub(crate) fn act(&mut self, end: End, act: impl FnOnce(&mut Connection<R>)) {
        act(self.end_mut(end));
        self.drain(end);
    }

    /// Runs until nothing is left to happen.
    pub(crate) fn drive(&mut self) {
        self.drive_while(|_| true);
        assert_eq!(self.next(), Time::MAX, "idle");
    }

    /// Runs all that happens up to and at `until`, and stands there: applications act last.
    pub(crate) fn drive_until(&mut self, until: Time) {
        self.drive_while(|pair| pair.next() <= until);
        self.now = until;
    }

    /// Runs step by step while something is left to happen and `goes_on` holds.
    pub(crate) fn drive_while(&mut self, goes_on: impl Fn(&Self) -> bool) {
        for _ in 0..MAX_STEPS {
            if self.next() == Time::MAX || !goes_on(self) {
                return;
            }
            self.step();
        }
        panic!("no end after {MAX_STEPS} steps: a live-lock");
    }

    fn step(&mut self) {
        let next = self.next();
        assert!(next >= self.now, "time goes on");
        self.now = next;
        for end in [End::A, End::B] {
            if self.end_mut(end).next_timeout() == next {
                self.end_mut(end).on_timeout(next);
                self.path.on_step(next, &Step::TimedOut(end), &self.a);
                self.drain(end);
                return;
            }
        }
        let Reverse((_, _, to, Carried(segment))) =
            self.under_way.pop().expect("next() saw an arrival");
        self.end_mut(to).on_segment(next, &segment);
        self.path.on_step(next, &Step::Arrived(to, &segment), &self.a);
        self.drain(to);
    }

    fn next(&self) -> Time {
        let arrival = self.under_way.peek().map_or(Time::MAX, |Reverse((at, ..))| *at);
        arrival.min(self.a.next_timeout()).min(self.b.next_timeout())
    }

    fn drain(&mut self, end: End) {
        let now = self.now;
        let mut in_flight = self.end_mut(end).in_flight();
        while let Some(segment) = self.end_mut(end).poll_transmit(now) {
            // What is reported or lost is outstanding too, but a rule that knows of it does not
            // count it.
            let (counts_pipe, beyond_cwnd) = (self.counts_pipe, self.beyond_cwnd);
            let connection = self.end_mut(end);
            assert!(
                counts_pipe
                    || connection.in_flight() == in_flight
                    || connection.in_flight() <= connection.cwnd() + beyond_cwnd,
                "new data leave within cwnd"
            );
            in_flight = connection.in_flight();
            let fate = self.path.fate(end, &segment);
            self.path.on_step(now, &Step::Sent(end, &segment), &self.a);
            match fate {
                Fate::Arrives => self.carry(end, segment, Span::ZERO),
                Fate::Late(extra) => self.carry(end, segment, extra),
                Fate::Lost => {}
                Fate::Marked => {
                    let mut marked = segment;
                    marked.mark();
                    self.carry(end, marked, Span::ZERO);
                }
                Fate::Braked => self.carry(end, braked(segment), Span::ZERO),
                Fate::Twice(later) => {
                    self.carry(end, segment, Span::ZERO);
                    self.carry(end, segment, later);
                }
            }
        }
        while let Some(event) = self.end_mut(end).poll_event() {
            self.path.on_step(now, &Step::Told(end, event), &self.a);
        }
        let window = self.window.0;
        let connection = self.end_mut(end);
        assert!(connection.next_timeout() > now, "a drained connection does not wake at once");
        assert!(connection.in_flight() <= window, "the window is kept");
    }

    fn carry(&mut self, from: End, segment: Segment, extra: Span) {
        self.sent += 1;
        let at = self.now + self.delay + extra;
        self.under_way.push(Reverse((at, self.sent, from.other(), Carried(segment))));
    }

    fn end_mut(&mut self, end: End) -> &mut Connection<R> {
        match end {
            End::A => &mut self.a,
            End::B => &mut self.b,
        }
    }
}

/// True if a segment is an acknowledgement and nothing else.
pub(crate) fn is_pure_ack(segment: &Segment) -> bool {
    segment.end() == segment.seq && segment.flags.contains(Flags::ACK)
}

/// What one end has been told of what it sent. **Nothing acknowledged, by number or by block, is
/// sent again**, until a timeout makes the end forget the blocks.
#[derive(Debug, Default)]
pub(crate) struct Known {
    acked: u64,
    blocks: Vec<(u64, u64)>,
    /// True under a rule that does not read an ACK below one before, nor its blocks.
    ignores_old_acks: bool,
    /// The latest timestamp: PAWS may discard a segment with an earlier one, unread.
    stamped: u32,
}

impl Known {
    /// News that an end under this rule is told.
    pub(crate) fn under(recovery: &Recovery) -> Self {
        Self { ignores_old_acks: recovery.keeps_log(), ..Self::default() }
    }

    /// What happened to `end`, which sees this.
    pub(crate) fn on_step(&mut self, end: End, step: &Step<'_>) {
        match *step {
            Step::Arrived(to, segment) if to == end && segment.timestamps.value < self.stamped => {}
            Step::Arrived(to, segment) if to == end && !segment.flags.contains(Flags::SYN) => {
                self.stamped = segment.timestamps.value;
                if self.ignores_old_acks && segment.ack < self.acked {
                    return;
                }
                self.acked = self.acked.max(segment.ack);
                self.blocks.extend(segment.sacked());
                self.blocks.retain(|&(_, after)| after > self.acked);
                self.blocks.sort_unstable();
                self.blocks.dedup();
            }
            Step::TimedOut(of) if of == end => self.blocks.clear(),
            Step::Sent(from, segment) if from == end && segment.len > 0 => self.check(segment),
            _ => {}
        }
    }

    fn check(&self, segment: &Segment) {
        let (start, end) = (segment.seq, segment.seq + u64::from(segment.len));
        assert!(start >= self.acked, "{start} was acknowledged, up to {}", self.acked);
        let known = self.blocks.iter().find(|&&(from, to)| from < end && start < to);
        assert!(known.is_none(), "{start}:{end} was reported in {known:?}");
    }
}

/// The segment with ECT(0) if it had ECT(1).
fn braked(segment: Segment) -> Segment {
    let ecn = if segment.ecn == Ecn::L4s { Ecn::Capable } else { segment.ecn };
    Segment { ecn, ..segment }
}

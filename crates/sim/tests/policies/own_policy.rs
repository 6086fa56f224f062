//! Drop policies from outside the crate, before real ports: one that marks cells as they arrive,
//! one that judges frames as they leave, as `CoDel` does.

use cellway_sim::atm::Class;
use cellway_sim::engine::{InPort, Io, Link, LinkId, Network, Node, NodeId};
use cellway_sim::link::{Transmission, Transmitter};
use cellway_sim::pdu::{Cell, CellHead, Frame, Segment};
use cellway_sim::result::{Cause, Ledger, PortCounters, VcCounters};
use cellway_sim::switch::rate::Excess;
use cellway_sim::switch::{
    AckFilter, Admission, BufferSize, Departure, Dequeue, DropPolicy, FrameRule, Framewise,
    InService, Needs, Policy, Port, PortPlan, QueuePlan, QueueState, SchedulerPlan, SchedulerSite,
    Verdict, WfqPlan,
};
use cellway_sim::units::{Span, Time};

/// Marks every cell that finds more than so many in the buffer: EFCI of TM 4.0, or a step of ECN.
#[derive(Debug)]
struct MarksAbove(u64);

impl DropPolicy for MarksAbove {
    fn on_arrival(&mut self, _head: CellHead, queue: &QueueState<'_>) -> Verdict {
        match queue.occupancy {
            _ if !queue.has_space() => Verdict::Discard(Cause::Overflow),
            found if found > self.0 => Verdict::Mark,
            _ => Verdict::Accept,
        }
    }
}

/// A frame that has waited longer than `target` gets `answer`, unless the one before it got it.
#[derive(Debug)]
struct Sojourn {
    target: Span,
    answer: Admission,
    has_answered: bool,
    /// Frames that find more are marked when they arrive.
    marks_above: u64,
    cells: u64,
}

impl FrameRule for Sojourn {
    fn needs(&self) -> Needs {
        Needs { departures: true, dequeues: true, ..Needs::default() }
    }

    fn judge(&mut self, _first: CellHead, queue: &QueueState<'_>) -> Admission {
        if queue.occupancy > self.marks_above { Admission::Mark } else { Admission::Admit }
    }

    fn on_admission(&mut self, _head: CellHead, _slot: u32) {
        self.cells += 1;
    }

    fn on_departure(&mut self, _departure: Departure) {
        self.cells -= 1;
    }

    fn judge_dequeue(&mut self, _first: CellHead, dequeue: &Dequeue) -> Admission {
        assert_eq!(dequeue.occupancy, self.cells, "the one that leaves is still counted");
        let is_late = dequeue.sojourn > self.target;
        self.has_answered = is_late && !self.has_answered;
        if self.has_answered { self.answer } else { Admission::Admit }
    }
}

/// For one VC; waits of more than 3 µs are too long.
fn sojourn(answer: Admission, marks_above: u64) -> Policy {
    let target = Span::from_microseconds(3);
    let rule = Sojourn { target, answer, has_answered: false, marks_above, cells: 0 };
    Policy::Own(Box::new(Framewise::with_rule(rule, 1)))
}

/// A node that does nothing: the port under test borrows its view of the link.
struct Bystander;

impl Node for Bystander {
    fn next_event(&self) -> Time {
        Time::MAX
    }

    fn on_head(&mut self, _port: InPort, _at: Time) {}

    fn advance(&mut self, _until: Time, _io: &mut Io) -> Time {
        Time::MAX
    }
}

/// Cells take a microsecond; weighted fair queueing makes the port a served one.
fn port(policy: Policy, scheduler: SchedulerPlan) -> Port {
    let site = SchedulerSite { rate: 1_000_000, minimum_rates: vec![0], vcs_of_class: 1 };
    let queue = QueuePlan {
        class: Class::Ubr,
        buffer: BufferSize::PerPort(10),
        policy,
        scheduler: scheduler.build(&site),
        ack_filter: AckFilter::None,
        recorder: None,
        has_guaranteed: false,
        vc_recorders: Vec::new(),
    };
    let plan = PortPlan {
        index: 0,
        transmitter: Transmitter::new(
            LinkId(0),
            Span::ZERO,
            Transmission::Cells(Span::from_microseconds(1)),
        ),
        in_service: InService::Counted,
        vcs: vec![0],
        queues: vec![queue],
        recorder: None,
    };
    Port::new(plan, &[Class::Ubr])
}

/// What became of frames 1, 2, … of two cells each and of a raw cell behind them that all arrive at
/// time zero: microsecond, frame and mark of every cell sent, and the counters.
fn fate(mut port: Port, frames: u32) -> (Vec<(i64, u32, bool)>, PortCounters) {
    let mut ledger = Ledger::default();
    ledger.ports.push(PortCounters::default());
    ledger.vcs.push(VcCounters::default());
    let link = Link::new(Span::from_microseconds(1), (NodeId(0), InPort(0)));
    let mut network = Network::new(vec![Bystander], vec![link]);
    let mut sent = Vec::new();
    network.visit(|_, io| {
        let mut arrive =
            |head, io: &mut Io| port.on_arrival(Cell { at: Time::ZERO, head }, 0, None, io);
        for number in 1..=frames {
            let (sent_at, segment) = (Time::ZERO, Segment::default());
            let frame = Frame { direction: 0, number, cells: 2, bytes: 80, sent_at, segment };
            let content = io.frames.insert(frame);
            arrive(CellHead::body(0, number), io);
            arrive(CellHead::end_of_frame(0, content.0), io);
        }
        arrive(CellHead::raw(0), io);
        let end = Time::ZERO + Span::from_seconds(1);
        port.advance_to(end, Class::Ubr, io);
        port.report(end, &mut ledger);
        let mut number = 0;
        while let Some(Cell { at, head }) = io.incoming(LinkId(0)).take_alone() {
            number = if head.is_raw() {
                0
            } else if head.is_end_of_frame() {
                number
            } else {
                head.tag()
            };
            sent.push((at.picoseconds() / 1_000_000, number, head.has_efci()));
        }
    });
    (sent, ledger.ports.remove(0))
}

/// Cells find 0, 1, 2, … in the buffer, whether the port knows departures on arrival or is served.
#[test]
fn a_marked_cell_is_sent_with_efci() {
    let wfq = SchedulerPlan::Wfq(WfqPlan { excess: Excess::ByMcr });
    for scheduler in [SchedulerPlan::Fifo, wfq] {
        let (sent, counters) = fate(port(Policy::Own(Box::new(MarksAbove(4))), scheduler), 3);
        let marked: Vec<bool> = sent.iter().map(|(_, _, is_marked)| *is_marked).collect();
        assert_eq!(marked, [false, false, false, false, false, true, true]);
        assert_eq!((counters.sent, counters.drops.total()), (7, 0));
    }
}

/// Frames begin to leave after 0, 2, 4, … µs. The third has waited too long and takes no time of
/// the line; the fourth leaves in its place.
#[test]
fn a_frame_refused_when_it_leaves_is_discarded_whole() {
    let (sent, counters) = fate(port(sojourn(Admission::Refuse, 10), SchedulerPlan::Fifo), 4);
    let (at, frames): (Vec<i64>, Vec<u32>) =
        sent.iter().map(|&(at, number, _)| (at, number)).unzip();
    assert_eq!((at, frames), (vec![1, 2, 3, 4, 5, 6, 7], vec![1, 1, 2, 2, 4, 4, 0]));
    assert_eq!((counters.sent, counters.drops.early_frame, counters.drops.total()), (7, 2, 2));
    // Nine cells in the buffer for 1, 2, 3, 4, 4, 4, 5, 6, 7 µs.
    assert_eq!((counters.queue_time, counters.max_queue), (36_000_000, 9));
}

/// On its way in a frame is marked if it finds more than five, on its way out if it has waited; the
/// raw cell belongs to no frame.
#[test]
fn a_marked_frame_is_marked_in_all_its_cells() {
    let (sent, counters) = fate(port(sojourn(Admission::Mark, 5), SchedulerPlan::Fifo), 4);
    let marked: Vec<u32> = sent.iter().filter(|cell| cell.2).map(|cell| cell.1).collect();
    assert_eq!(marked, [3, 3, 4, 4]);
    assert_eq!((sent.len(), counters.drops.total()), (9, 0));
}

//! A port with a ring of runs against one with a ring of packets.

use proptest::prelude::*;

use super::*;
use crate::atm::Class;
use crate::engine::{InPort, Link, LinkId, Network, Node, NodeId};
use crate::link::{Transmission, Transmitter};
use crate::pdu::{CellHead, Frame, Segment};
use crate::result::{PortCounters, Recorder, Sampling, Window};
use crate::switch::drop::Tail;
use crate::switch::port::Port;
use crate::switch::scheduler::{AckFilter, FifoPort};
use crate::units::{Framing, Rate};

/// A node that does nothing: the ports under test borrow its view of the links.
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

const VCS: u32 = 3;

/// Time of so many bytes on the line: of one a picosecond, so that ties are frequent.
fn span(bytes: i64) -> Span {
    Span::from_picoseconds(bytes)
}

/// Plans of a port onto link `index`.
fn plans(index: usize, buffer: BufferSize, in_service: InService) -> (PortPlan, QueuePlan) {
    let line_rate = Rate::from_bits_per_second(8_000_000_000_000);
    let transmission = Transmission::Packets { line_rate, framing: Framing::NONE };
    let plan = PortPlan {
        index,
        transmitter: Transmitter::new(LinkId(index as u32), span(1), transmission),
        in_service,
        vcs: (0..VCS).collect(),
        queues: Vec::new(),
        recorder: None,
    };
    let series = Recorder::new("queue".to_owned(), "packet", Sampling::Every(span(13)), 16);
    let queue = QueuePlan {
        class: Class::Ubr,
        buffer,
        policy: Policy::Tail(Tail),
        scheduler: None,
        ack_filter: AckFilter::None,
        recorder: QueueRecorder::wanted(Some(series), None),
        has_guaranteed: false,
        vc_recorders: Vec::new(),
    };
    (plan, queue)
}

fn with_runs(plan: PortPlan, queue: QueuePlan) -> RunsPort {
    let size = RunsPort::size(&plan, &queue).expect("packets under tail drop");
    RunsPort::new(plan, size, queue)
}

/// Next event at a port, so much later.
#[derive(Clone, Copy, Debug)]
enum Step {
    Packet { gap: i64, bytes: u32, slot: u32 },
    Report { gap: i64 },
    Count { gap: i64 },
    BeginMeasurement { gap: i64 },
}

impl Step {
    fn gap(self) -> i64 {
        match self {
            Self::Packet { gap, .. }
            | Self::Report { gap }
            | Self::Count { gap }
            | Self::BeginMeasurement { gap } => gap,
        }
    }
}

fn packet(at: Time, bytes: u32, slot: u32, io: &mut Io) -> Cell {
    let segment = Segment::default();
    let frame = Frame { direction: 0, number: 0, cells: 1, bytes, sent_at: at, segment };
    Cell { at, head: CellHead::end_of_frame(slot, io.frames.insert(frame).0) }
}

fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    ledger.ports.resize_with(2, PortCounters::default);
    ledger.vcs.resize_with(VCS as usize, Default::default);
    ledger
}

/// Both ports get the same packets; they send the same, and report the same whenever they are
/// asked.
fn compare(buffer: BufferSize, in_service: InService, steps: &[Step]) {
    let links = (0..2).map(|input| Link::new(span(1), (NodeId(0), InPort(input))));
    let (plan, queue) = plans(0, buffer, in_service);
    let runs = Port::Runs(with_runs(plan, queue));
    let (plan, queue) = plans(1, buffer, in_service);
    let mut ports = [runs, Port::Fifo(FifoPort::new(plan, queue))];
    let mut now = Time::ZERO;
    Network::new(vec![Bystander], links.collect()).visit(|_, io| {
        for &step in steps {
            now += span(step.gap());
            for port in &mut ports {
                port.sample_through(now, io);
            }
            match step {
                Step::Packet { bytes, slot, .. } => {
                    for port in &mut ports {
                        let packet = packet(now, bytes, slot, io);
                        port.on_arrival(packet, slot, None, io);
                    }
                    let sent = [0, 1].map(|link| io.incoming(LinkId(link)).take_alone());
                    let [left, right] = sent.map(|cell| cell.map(|cell| cell.at));
                    assert_eq!(left, right, "{step:?} at {now:?}");
                }
                Step::Report { .. } => {
                    let mut ledger = ledger();
                    for port in &mut ports {
                        port.report(now, &mut ledger);
                    }
                    assert_eq!(ledger.ports[0], ledger.ports[1], "at {now:?}");
                }
                Step::Count { .. } => {
                    let [left, right] =
                        ports.each_mut().map(|port| port.advance_to(now, Class::default(), io));
                    assert_eq!(left, right, "at {now:?}");
                }
                Step::BeginMeasurement { .. } => {
                    for port in &mut ports {
                        port.begin_measurement(now);
                    }
                }
            }
        }
    });
    let [left, right] = ports.each_mut().map(Port::take_series);
    assert_eq!(left, right);
}

/// Packets one after the other, of one size, of two that take turns, or of any.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let gap = || prop_oneof![6 => 0_i64..24, 2 => Just(0_i64), 2 => Just(10_i64), 1 => 0_i64..200];
    let size = || prop_oneof![4 => Just(10_u32), 2 => Just(20), 2 => Just(1), 1 => 1_u32..30];
    let packets = (gap(), size(), size(), 1_usize..40, any::<bool>());
    let packets = packets.prop_map(|(gap, one, other, count, alternate)| {
        let of = |number| if alternate && number % 2 == 1 { other } else { one };
        let packets = (0..count).map(|number| (number, of(number)));
        packets
            .map(|(number, bytes)| Step::Packet { gap, bytes, slot: number as u32 % VCS })
            .collect()
    });
    let one = |step: fn(i64) -> Step| gap().prop_map(move |gap| vec![step(gap)]);
    let step = prop_oneof![
        8 => packets,
        6 => (gap(), size()).prop_map(|(gap, bytes)| vec![Step::Packet { gap, bytes, slot: 0 }]),
        1 => one(|gap| Step::Report { gap }),
        1 => one(|gap| Step::Count { gap }),
        1 => one(|gap| Step::BeginMeasurement { gap }),
    ];
    let steps = prop::collection::vec(step, 1..40).prop_map(|steps| steps.concat());
    // The last word, also where nothing was asked before.
    steps.prop_map(|steps| [steps, vec![Step::Report { gap: 5 }]].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn packets_are_treated_as_by_a_ring_of_single_ones(
        steps in steps(),
        buffer in prop_oneof![
            1 => Just(BufferSize::Infinite),
            1 => Just(BufferSize::PerPort(u64::MAX)),
            1 => Just(BufferSize::PerPort(0)),
            4 => (1_u64..=4).prop_map(BufferSize::PerPort),
            4 => (5_u64..60).prop_map(BufferSize::PerPort),
        ],
        is_counted in any::<bool>(),
    ) {
        let in_service = if is_counted { InService::Counted } else { InService::NotCounted };
        compare(buffer, in_service, &steps);
    }
}

#[test]
fn a_port_that_follows_single_packets_keeps_each() {
    let is_of_runs = |change: fn(&mut QueuePlan)| {
        let (plan, mut queue) = plans(0, BufferSize::PerPort(9), InService::Counted);
        change(&mut queue);
        RunsPort::size(&plan, &queue).is_some()
    };
    assert!(is_of_runs(|_| {}));
    let changes: [fn(&mut QueuePlan); 6] = [
        |queue| queue.buffer = BufferSize::Shared,
        |queue| queue.buffer = BufferSize::PerVc(9),
        |queue| queue.policy = Policy::Own(Box::new(Tail)),
        |queue| queue.has_guaranteed = true,
        |queue| {
            let window = Window { from: Time::ZERO, until: Time::MAX };
            queue.recorder = QueueRecorder::wanted(None, Some(window));
        },
        |queue| {
            let series = Recorder::new("queue".to_owned(), "packet", Sampling::OnChange, 16);
            queue.recorder = QueueRecorder::wanted(Some(series), None);
        },
    ];
    for (index, change) in changes.into_iter().enumerate() {
        assert!(!is_of_runs(change), "change {index}");
    }
}

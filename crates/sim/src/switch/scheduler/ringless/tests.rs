//! A port without a ring against one with it, cell by cell.

mod trains;

use proptest::prelude::*;

use super::*;
use crate::atm::Class;
use crate::engine::{InPort, Link, LinkId, Network, Node, NodeId};
use crate::link::{Transmission, Transmitter};
use crate::pdu::CellHead;
use crate::result::{PortCounters, Recorder, Sampling, Window};
use crate::switch::drop::{Policy, Tail};
use crate::switch::port::{InService, Port};
use crate::switch::scheduler::{AckFilter, FifoPort};

/// A node that does nothing: the ports under test borrow its view of the links.
pub(super) struct Bystander;

impl Node for Bystander {
    fn next_event(&self) -> Time {
        Time::MAX
    }

    fn on_head(&mut self, _port: InPort, _at: Time) {}

    fn advance(&mut self, _until: Time, _io: &mut Io) -> Time {
        Time::MAX
    }
}

pub(super) const VCS: u32 = 3;

/// Plans of a port onto link `index`, whose cells take `cell_time`.
pub(super) fn plans(
    index: usize,
    size: BufferSize,
    in_service: InService,
    cell_time: Span,
) -> (PortPlan, QueuePlan) {
    let plan = PortPlan {
        index,
        transmitter: Transmitter::new(
            LinkId(index as u32),
            Span::from_microseconds(1),
            Transmission::Cells(cell_time),
        ),
        in_service,
        vcs: (0..VCS).collect(),
        queues: Vec::new(),
        recorder: None,
    };
    let queue = QueuePlan {
        class: Class::Ubr,
        buffer: size,
        policy: Policy::Tail(Tail),
        scheduler: None,
        ack_filter: AckFilter::None,
        recorder: None,
        has_guaranteed: false,
        vc_recorders: Vec::new(),
    };
    (plan, queue)
}

pub(super) fn without_ring(plan: PortPlan, queue: QueuePlan) -> RinglessPort {
    let measures = RinglessPort::measures(&plan, &queue).expect("equal cells, not followed");
    RinglessPort::new(plan, measures, queue)
}

/// Adds distributions and a series to a queue. A series of changes makes a port count the
/// distributions from each change.
fn followed(
    mut plans: (PortPlan, QueuePlan),
    window: Window,
    sampling: Sampling,
) -> (PortPlan, QueuePlan) {
    let series = Recorder::new("queue".to_owned(), "cell", sampling, 16);
    plans.1.recorder = QueueRecorder::wanted(Some(series), Some(window));
    plans
}

/// Next event at a port, so many picoseconds later.
#[derive(Clone, Copy, Debug)]
enum Step {
    Cell { gap: i64, slot: u32 },
    Settle { gap: i64 },
    BeginMeasurement { gap: i64 },
}

pub(super) fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    ledger.ports.resize_with(3, PortCounters::default);
    ledger.vcs.resize_with(VCS as usize, Default::default);
    ledger
}

/// Both ports get the same cells; after each step they agree on everything that can be asked.
fn compare(
    size: BufferSize,
    in_service: InService,
    cell_time: Span,
    has_guaranteed: bool,
    steps: &[Step],
) {
    let links =
        (0..2).map(|input| Link::new(Span::from_microseconds(1), (NodeId(0), InPort(input))));
    let mut network = Network::new(vec![Bystander], links.collect());
    let plans = |index| {
        let (plan, queue) = plans(index, size, in_service, cell_time);
        (plan, QueuePlan { has_guaranteed, ..queue })
    };
    let (plan, queue) = plans(0);
    let mut ringless = without_ring(plan, queue);
    let (plan, queue) = plans(1);
    let mut ringed = FifoPort::new(plan, queue);
    let mut now = Time::ZERO;
    network.visit(|_, io| {
        for &step in steps {
            match step {
                Step::Cell { gap, slot } => {
                    now += Span::from_picoseconds(gap);
                    let cell = Cell { at: now, head: CellHead::raw(slot) };
                    assert_eq!(
                        ringless.occupancy(now),
                        ringed.release_until(now),
                        "before {step:?} at {now:?}"
                    );
                    ringless.on_arrival(cell, slot, None, io);
                    ringed.on_arrival(cell, slot, None, io);
                    let [left, right] = [0, 1].map(|link| io.incoming(LinkId(link)).take_alone());
                    assert_eq!(
                        left.map(|cell| cell.at),
                        right.map(|cell| cell.at),
                        "{step:?} at {now:?}"
                    );
                }
                Step::Settle { gap } => {
                    now += Span::from_picoseconds(gap);
                    let [mut left, mut right] = [ledger(), ledger()];
                    ringless.report(now, &mut left);
                    ringed.report(now, &mut right);
                    assert_eq!(left.ports[0], right.ports[1], "at {now:?}");
                    assert_eq!(left.vcs, right.vcs);
                }
                Step::BeginMeasurement { gap } => {
                    now += Span::from_picoseconds(gap);
                    ringless.begin_measurement(now);
                    ringed.begin_measurement(now);
                }
            }
        }
    });
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Gaps around a cell time of 7 ps to 11 ps, so that ties are frequent; long ones empty the
    // buffer.
    let gap = || prop_oneof![6 => 0_i64..16, 2 => Just(0_i64), 2 => Just(7_i64), 1 => 0_i64..400];
    let step = prop_oneof![
        20 => (gap(), 0..VCS).prop_map(|(gap, slot)| Step::Cell { gap, slot }),
        2 => gap().prop_map(|gap| Step::Settle { gap }),
        1 => gap().prop_map(|gap| Step::BeginMeasurement { gap }),
    ];
    prop::collection::vec(step, 1..400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn without_a_ring_the_same_cells_leave_at_the_same_instants(
        steps in steps(),
        cell_time in 7_i64..=11,
        size in prop_oneof![
            1 => Just(BufferSize::Infinite),
            1 => Just(BufferSize::PerPort(u64::MAX)),
            1 => Just(BufferSize::PerPort(0)),
            4 => (1_u64..=4).prop_map(BufferSize::PerPort),
            4 => (5_u64..60).prop_map(BufferSize::PerPort),
        ],
        is_counted in any::<bool>(),
        counts_vcs in any::<bool>(),
    ) {
        let in_service = if is_counted { InService::Counted } else { InService::NotCounted };
        compare(size, in_service, Span::from_picoseconds(cell_time), counts_vcs, &steps);
    }
}

/// The same cells to a port without a ring, to one with a ring, and to one that reports every
/// change: at any instant after the warm-up they have seen the same distributions, and the first
/// two took the same samples. Distributions are read after every `asked_every` cells.
fn compare_distributions(
    size: BufferSize,
    in_service: InService,
    cell_time: Span,
    (gaps, asked_every): (&[i64], usize),
) {
    let length: i64 = gaps.iter().sum();
    let [from, until] = [length / 3, length].map(Time::from_picoseconds);
    let plans = |index, sampling| {
        followed(plans(index, size, in_service, cell_time), Window { from, until }, sampling)
    };
    let links =
        (0..3).map(|input| Link::new(Span::from_microseconds(1), (NodeId(0), InPort(input))));
    let grid = Sampling::Every(Span::from_picoseconds(13));
    let (plan, queue) = plans(0, grid);
    let ringless = Port::Ringless(without_ring(plan, queue));
    let [ringed, following] = [(1, grid), (2, Sampling::OnChange)].map(|(index, sampling)| {
        let (plan, queue) = plans(index, sampling);
        Port::Fifo(FifoPort::new(plan, queue))
    });
    let mut ports = [ringless, ringed, following];
    let (mut now, mut is_begun) = (Time::ZERO, false);
    Network::new(vec![Bystander], links.collect()).visit(|_, io| {
        for (number, &gap) in (1..).zip(gaps) {
            now += Span::from_picoseconds(gap);
            if now >= from && !is_begun {
                is_begun = true;
                for port in &mut ports {
                    port.sample_through(from, io);
                    port.begin_measurement(from);
                }
            }
            for port in &mut ports {
                port.sample_through(now, io);
            }
            if number % asked_every == 0 || number == gaps.len() {
                let mut ledger = ledger();
                for port in &mut ports {
                    port.report(now, &mut ledger);
                }
                assert_eq!(ledger.ports[2].distributions.is_some(), now > from);
                assert_eq!(ledger.ports[0], ledger.ports[2], "at {now:?}");
                assert_eq!(ledger.ports[1], ledger.ports[2], "at {now:?}");
            }
            for port in &mut ports {
                port.on_arrival(Cell { at: now, head: CellHead::raw(0) }, 0, None, io);
            }
            for link in 0..3 {
                io.incoming(LinkId(link)).take();
            }
        }
    });
    let [reported, expected, _] = ports.each_mut().map(Port::take_series);
    assert_eq!(reported, expected);
}

/// Trains of cells at equal gaps: together, at the line's rate, far apart.
fn gaps(trains: usize) -> impl Strategy<Value = Vec<i64>> {
    let gap = prop_oneof![6 => 0_i64..16, 2 => Just(0_i64), 2 => Just(7_i64), 1 => 0_i64..400];
    let length = prop_oneof![3 => Just(1_usize), 1 => 1_usize..400];
    let train = (gap, length).prop_map(|(gap, length)| vec![gap; length]);
    prop::collection::vec(train, 1..trains).prop_map(|trains| trains.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn admissions_alone_tell_for_how_long_a_queue_was_how_long(
        gaps in gaps(40),
        asked_every in prop_oneof![1 => Just(1_usize), 3 => 100_usize..5000],
        cell_time in prop_oneof![3 => 7_i64..=11, 1 => Just(1_i64)],
        size in prop_oneof![
            2 => Just(BufferSize::Infinite),
            2 => (0_u64..=4).prop_map(BufferSize::PerPort),
            4 => (5_u64..60).prop_map(BufferSize::PerPort),
        ],
        is_counted in any::<bool>(),
    ) {
        let in_service = if is_counted { InService::Counted } else { InService::NotCounted };
        let cell_time = Span::from_picoseconds(cell_time);
        compare_distributions(size, in_service, cell_time, (&gaps, asked_every));
    }
}

/// Room for one, T = 10: the cell on the line takes the room until it has left, where it counts;
/// where it does not, one more waits.
#[test]
fn a_cell_that_comes_when_another_leaves_finds_its_place() {
    let arrivals = |in_service, gaps: &[i64]| {
        let (plan, queue) =
            plans(0, BufferSize::PerPort(1), in_service, Span::from_picoseconds(10));
        let mut port = without_ring(plan, queue);
        let link = Link::new(Span::from_microseconds(1), (NodeId(0), InPort(0)));
        let (mut at, mut sent) = (Time::ZERO, Vec::new());
        Network::new(vec![Bystander], vec![link]).visit(|_, io| {
            for &gap in gaps {
                at += Span::from_picoseconds(gap);
                port.on_arrival(Cell { at, head: CellHead::raw(0) }, 0, None, io);
                sent.push(io.incoming(LinkId(0)).take().is_some());
            }
        });
        sent
    };
    assert_eq!(arrivals(InService::Counted, &[0, 9, 1, 0]), [true, false, true, false]);
    assert_eq!(arrivals(InService::NotCounted, &[0, 0, 9, 1, 0]), [true, true, false, true, false]);
}

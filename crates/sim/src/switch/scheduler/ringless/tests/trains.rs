//! A port that gets trains against one with a ring that gets the same cells one by one, under the
//! same policy.

use proptest::prelude::*;

use super::{Bystander, VCS, ledger, plans, without_ring};
use crate::engine::{InPort, Io, Link, LinkId, Network, NodeId, Stream, TrainOrder};
use crate::pdu::{Cell, CellHead, ContentId, Frame, Segment, Train};
use crate::switch::drop::{
    Average, Dfba, DfbaVc, Epd, Fba, Framewise, Policy, Ppd, PriorityDrop, RandomDrop, Red, Rule,
};
use crate::switch::merger::Begun;
use crate::switch::port::{BufferSize, InService, QueuePlan};
use crate::switch::scheduler::FifoPort;
use crate::switch::scheduler::ringless::RinglessPort;
use crate::units::{Span, Time};

/// Cells of a VC, whole frames or a part of one.
#[derive(Clone, Copy, Debug)]
struct Piece {
    gap: i64,
    count: u32,
    /// True if the last one is the last of its frame.
    is_ended: bool,
    is_low: bool,
}

/// Next arrival at a port, so many picoseconds later.
#[derive(Clone, Debug)]
enum Step {
    Train {
        after: i64,
        slot: u32,
        piece: Piece,
    },
    /// Pieces of equal gap and count, the cells of all of them in turn.
    Rounds {
        after: i64,
        offsets: Vec<i64>,
        piece: Piece,
        ends: u32,
    },
    Settle {
        after: i64,
    },
}

fn policy(kind: u32) -> Policy {
    let vcs = VCS as usize;
    let red = || {
        let average = Average::new(0.5, Span::from_picoseconds(50));
        let stream = Stream::new(1, "port.drop");
        Red::new(average, RandomDrop::new(3, 20, 0.5).with_ecn(true), stream)
    };
    let dfba = || {
        let of_vcs = vec![DfbaVc { weight: 1.0, z: 1.0 }; vcs];
        Dfba::new(5, 15, 0.5, of_vcs, 0.0, Stream::new(1, "port.drop"))
    };
    match kind {
        0 => Policy::Framewise(Framewise::new(Rule::Ppd(Ppd), vcs)),
        1 => Policy::Framewise(Framewise::new(Epd::new(9), vcs)),
        2 => Policy::Framewise(Framewise::new(Epd::new(0), vcs)),
        3 => Policy::Framewise(Framewise::new(PriorityDrop::new(4, 12), vcs)),
        5 => Policy::Framewise(Framewise::new(Fba::new(6, 0.8), vcs)),
        6 => Policy::Framewise(Framewise::new(dfba(), vcs)),
        _ => Policy::Framewise(Framewise::new(red(), vcs)),
    }
}

fn train(io: &mut Io, at: Time, slot: u32, piece: Piece) -> Train {
    let body = CellHead::body(slot, 1).with_ecn_capable();
    let body = if piece.is_low { body.with_low_priority() } else { body };
    let first = Cell { at, head: body };
    let gap = Span::from_picoseconds(piece.gap);
    if !piece.is_ended {
        return Train::new(first, gap, piece.count);
    }
    let (number, segment) = (1, Segment::default());
    let frame = Frame { direction: 0, number, cells: 1, bytes: 40, sent_at: Time::ZERO, segment };
    let end = body.ending(ContentId(io.frames.insert(frame).0));
    let mut train = Train::frame(at, body, piece.count, end);
    train.gap = gap;
    train
}

/// Cells that left a port, without the numbers of frames, which differ.
fn sent(io: &mut Io, link: u32) -> Vec<(Time, u32, [bool; 2])> {
    let trains = std::iter::from_fn(|| io.incoming(LinkId(link)).take());
    let cells = trains.flat_map(|train| train.cells().collect::<Vec<_>>());
    let told =
        |cell: Cell| (cell.at, cell.head.vc(), [cell.head.is_end_of_frame(), cell.head.has_efci()]);
    let mut sent: Vec<_> = cells.map(told).collect();
    sent.sort_unstable();
    sent
}

/// Gives a step to both ports. Returns the number of rounds that the first one served.
fn take(
    trains: &mut RinglessPort,
    cells: &mut FifoPort,
    now: Time,
    step: &Step,
    io: &mut Io,
) -> u32 {
    match step {
        Step::Train { slot, piece, .. } => {
            let [one, other] = [(); 2].map(|()| train(io, now, *slot, *piece));
            trains.on_train(one, *slot, None, io);
            other.cells().for_each(|cell| cells.on_arrival(cell, *slot, None, io));
            0
        }
        Step::Rounds { offsets, piece, ends, .. } => {
            let begun = |io: &mut Io| -> Vec<Begun> {
                let begin = |(slot, &offset): (u32, &i64)| {
                    let piece = Piece { is_ended: ends >> slot & 1 != 0, ..*piece };
                    let at = now + Span::from_picoseconds(offset);
                    Begun::new(train(io, at, slot, piece), slot, slot, 0)
                };
                (0..).zip(offsets).map(begin).collect()
            };
            let [mut of, other] = [begun(io), begun(io)];
            trains.on_rounds(&mut of, piece.count, io);
            let served = piece.count - of[0].train.count;
            for (cell, slot) in in_order(&of) {
                trains.on_arrival(cell, slot, None, io);
            }
            for (cell, slot) in in_order(&other) {
                cells.on_arrival(cell, slot, None, io);
            }
            served
        }
        Step::Settle { .. } => 0,
    }
}

fn in_order(of: &[Begun]) -> Vec<(Cell, u32)> {
    let some = of.iter().filter(|begun| begun.train.count > 0);
    let cells = some.flat_map(|begun| begun.train.cells().map(|cell| (cell, begun.slot)));
    let mut cells: Vec<_> = cells.collect();
    cells.sort_by_key(|&(cell, slot)| (cell.at, slot));
    cells
}

fn compare(
    (size, in_service): (BufferSize, InService),
    (kind, cell_time): (u32, i64),
    has_guaranteed: bool,
    steps: &[Step],
) -> u32 {
    let cell_time = Span::from_picoseconds(cell_time);
    let link = |port| Link::new(Span::from_microseconds(1), (NodeId(0), InPort(port)));
    let links = vec![link(0).with_trains(TrainOrder::First), link(1)];
    let mut network = Network::new(vec![Bystander], links);
    let under = |index| {
        let (plan, mut queue) = plans(index, size, in_service, cell_time);
        queue.policy = policy(kind);
        (plan, QueuePlan { has_guaranteed, ..queue })
    };
    let (plan, queue) = under(0);
    let mut trains = without_ring(plan, queue);
    let (plan, queue) = under(1);
    let mut cells = FifoPort::new(plan, queue);
    let (mut now, mut in_rounds) = (Time::ZERO, 0);
    network.visit(|_, io| {
        for step in steps {
            let (after, length) = extent(step);
            now += Span::from_picoseconds(after);
            in_rounds += take(&mut trains, &mut cells, now, step, io);
            now += Span::from_picoseconds(length);
            assert_eq!(sent(io, 0), sent(io, 1), "{step:?} until {now:?}");
            let [mut left, mut right] = [ledger(), ledger()];
            trains.report(now, &mut left);
            cells.report(now, &mut right);
            assert_eq!(left.ports[0], right.ports[1], "{step:?} until {now:?}");
            assert_eq!(left.vcs, right.vcs);
        }
    });
    in_rounds
}

/// Time until the step begins, and its length.
fn extent(step: &Step) -> (i64, i64) {
    let length = |piece: &Piece| piece.gap * i64::from(piece.count - 1);
    match step {
        Step::Train { after, piece, .. } => (*after, length(piece)),
        Step::Rounds { after, offsets, piece, .. } => {
            (*after, length(piece) + offsets.last().copied().unwrap_or_default())
        }
        Step::Settle { after } => (*after, 0),
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let after = || prop_oneof![4 => 1_i64..30, 1 => 1_i64..500];
    let piece = (1_i64..30, 1_u32..14, any::<bool>(), any::<bool>())
        .prop_map(|(gap, count, is_ended, is_low)| Piece { gap, count, is_ended, is_low });
    let rounds =
        (after(), prop::collection::vec(1_i64..9, 1..=VCS as usize), piece.clone(), 0_u32..8)
            .prop_map(|(after, steps, piece, ends)| {
                let mut at = 0;
                let offsets: Vec<i64> = steps
                    .into_iter()
                    .map(|step| {
                        at += step;
                        at
                    })
                    .collect();
                // All of a round come before the next one begins.
                let piece = Piece { gap: piece.gap.max(at), count: piece.count + 1, ..piece };
                Step::Rounds { after, offsets, piece, ends }
            });
    let step = prop_oneof![
        5 => (after(), 0..VCS, piece)
            .prop_map(|(after, slot, piece)| Step::Train { after, slot, piece }),
        5 => rounds,
        1 => after().prop_map(|after| Step::Settle { after }),
    ];
    prop::collection::vec(step, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_policy_makes_of_trains_what_it_makes_of_their_cells(
        steps in steps(),
        (kind, counts_vcs) in (0_u32..7, any::<bool>()),
        cell_time in 3_i64..=11,
        size in prop_oneof![
            1 => Just(BufferSize::Infinite),
            1 => Just(BufferSize::PerPort(0)),
            4 => (1_u64..60).prop_map(BufferSize::PerPort),
        ],
        is_counted in any::<bool>(),
    ) {
        let in_service = if is_counted { InService::Counted } else { InService::NotCounted };
        compare((size, in_service), (kind, cell_time), counts_vcs, &steps);
    }
}

/// Three frames that meet, well below the threshold: all but the cells of the last round that are
/// not alike come in rounds, the first cells of the frames among them.
#[test]
fn frames_that_meet_below_the_threshold_are_not_looked_at() {
    let piece = Piece { gap: 30, count: 12, is_ended: true, is_low: false };
    let step = Step::Rounds { after: 30, offsets: vec![0, 8, 16], piece, ends: 7 };
    let port = (BufferSize::PerPort(60), InService::Counted);
    assert_eq!(compare(port, (1, 8), false, &[step.clone(), step.clone()]), 24);
    // A threshold of zero leaves no answer known ahead.
    assert_eq!(compare(port, (2, 8), false, &[step]), 0);
}

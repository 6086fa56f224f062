//! A switch by itself, between links: how much it does in a turn changes nothing.

use super::*;
use crate::engine::{Link, Network, NodeId, TrainOrder};
use crate::link::{Transmission, Transmitter};
use crate::pdu::{CellHead, Train};

const CELL_TIME: Span = Span::from_picoseconds(10);
const CELLS: i64 = 60;

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

/// A switch with one output for two inputs, whose VCs have these classes, and perhaps with memory
/// for so many cells.
fn switch(classes: [Class; 2], memory: Option<u64>) -> Switch {
    let queue = |class| QueuePlan {
        class,
        buffer: if memory.is_some() { BufferSize::Shared } else { BufferSize::Infinite },
        policy: Policy::Tail(Tail),
        scheduler: None,
        ack_filter: AckFilter::None,
        recorder: None,
        has_guaranteed: false,
        vc_recorders: Vec::new(),
    };
    let mut queues: Vec<QueuePlan> = classes.into_iter().map(queue).collect();
    queues.dedup_by_key(|queue| queue.class);
    let plan = PortPlan {
        index: 0,
        transmitter: Transmitter::new(
            LinkId(2),
            Span::from_microseconds(1),
            Transmission::Cells(CELL_TIME),
        ),
        in_service: InService::Counted,
        vcs: vec![0, 1],
        queues,
        recorder: None,
    };
    let routes =
        [0, 1].map(|vc: u32| (vc, Route { port: 0, slot: vc, class: classes[vc as usize] }));
    Switch::new(SwitchPlan {
        inputs: vec![LinkId(0), LinkId(1)],
        routes: Arc::new(Routes::of(&routes)),
        ports: Ports::new(vec![Port::new(plan, &classes)], memory),
        allocations: Vec::new(),
        policer: None,
    })
}

/// Cells that leave the switch, and its turns, of so many steps each. The first input has a burst
/// before the inputs alternate.
fn left(
    classes: [Class; 2],
    in_trains: bool,
    memory: Option<u64>,
    steps: u32,
) -> (Vec<Cell>, usize) {
    let link = |input| {
        let link = Link::new(Span::from_microseconds(1), (NodeId(0), InPort(input)));
        if in_trains && input < 2 { link.with_trains(TrainOrder::First) } else { link }
    };
    let mut network = Network::new(vec![Bystander], (0..3).map(link).collect());
    let mut switch = switch(classes, memory);
    if in_trains {
        switch.expect_trains([false].into_iter());
    }
    let mut turns = 0;
    network.visit(|_, io| {
        for vc in 0..2_u32 {
            for number in 0..CELLS {
                let begin = if vc == 0 { 0 } else { 35 * CELLS / 2 };
                let at = Time::from_picoseconds(1000 + begin + 35 * number + i64::from(vc));
                let cell = Cell { at, head: CellHead::raw(vc) };
                let gap = Span::from_picoseconds(7);
                io.send_train(LinkId(vc), 0, Train::new(cell, gap, 1 + number as u32 % 3));
            }
            switch.on_head(InPort(vc), io.incoming(LinkId(vc)).head());
        }
        let mut next = switch.next_event();
        while next < Time::MAX {
            io.steps_left = steps;
            io.counts_cells = true;
            let until = Time::from_picoseconds(1_000_000);
            let before = next;
            next = switch.advance(until, io);
            assert!(next >= until || (io.steps_left == 0 && next >= before));
            turns += 1;
        }
    });
    let mut cells = Vec::new();
    network.visit(|_, io| cells.extend(std::iter::from_fn(|| io.incoming(LinkId(2)).take_alone())));
    (cells, turns)
}

#[test]
fn a_switch_ends_its_turn_after_so_much_work_and_goes_on_from_there() {
    for classes in [[Class::Ubr; 2], [Class::Vbr, Class::Ubr]] {
        for in_trains in [false, true] {
            if in_trains && classes[0] != classes[1] {
                continue;
            }
            let (whole, turns) = left(classes, in_trains, None, u32::MAX);
            assert_eq!(turns, 1);
            assert_eq!(whole.len() as i64, 2 * (CELLS / 3) * (1 + 2 + 3));
            for steps in [1, 7, 50] {
                let (parts, turns) = left(classes, in_trains, None, steps);
                assert!(parts == whole, "{classes:?} {in_trains} {steps}");
                let work = if in_trains { 2 * CELLS as usize } else { whole.len() };
                let half = work / steps as usize / 2;
                assert!(turns > half, "{turns} turns of {steps} steps for {work}");
            }
        }
    }
}

#[test]
fn shared_memory_admits_the_same_cells_in_a_long_turn_and_in_many_short_ones() {
    for (memory, fits) in [(1000, true), (6, false), (3, false), (1, false)] {
        for in_trains in [false, true] {
            let (whole, turns) = left([Class::Ubr; 2], in_trains, Some(memory), u32::MAX);
            assert_eq!(turns, 1);
            assert_eq!(whole.len() as i64 == 2 * (CELLS / 3) * (1 + 2 + 3), fits, "{memory}");
            for steps in [1, 2, 7] {
                let (parts, _) = left([Class::Ubr; 2], in_trains, Some(memory), steps);
                assert!(parts == whole, "{memory} {in_trains} {steps}");
            }
            let (singly, _) = left([Class::Ubr; 2], false, Some(memory), 1);
            assert!(singly == whole, "{memory} {in_trains}");
        }
    }
}

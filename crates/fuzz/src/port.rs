//! An output port under random cells: every drop policy, buffers per port and per VC, first in
//! first out and schedulers. Every cell leaves in the order of its VC, at the line's pace, or is
//! counted as lost, or is still held.

use std::collections::VecDeque;

use cellway_sim::atm::Class;
use cellway_sim::engine::{InPort, Io, Link, LinkId, Network, Node, NodeId};
use cellway_sim::link::{Transmission, Transmitter};
use cellway_sim::pdu::{Cell, CellHead, Frame, Segment};
use cellway_sim::result::{Ledger, PortCounters, VcCounters};
use cellway_sim::switch::rate::Excess;
use cellway_sim::switch::{
    AckFilter, BufferSize, DropPolicy, DrrPlan, DrrShare, InService, Port, PortPlan, QueuePlan,
    SchedulerPlan, SchedulerSite, WfqPlan,
};
use cellway_sim::units::{Bytes, Span, Time};

use super::dice::Dice;

#[allow(dead_code, reason = "more is used by the tests")]
#[path = "../../sim/tests/policies/listed.rs"]
mod listed;

use listed::{ROOM, VCS, all};

/// Operations of one input, at most.
const MOST: usize = 2000;
const CELL: Span = Span::from_microseconds(1);

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

fn plan(dice: &mut Dice<'_>) -> PortPlan {
    // A policy that writes into packets is at ports of packets alone.
    let policies = all(dice.between(1, 9)).into_iter().filter(|(_, one)| !one.needs().headers);
    let policies: Vec<_> = policies.collect();
    let place = dice.place(policies.len());
    let policy = policies.into_iter().nth(place).expect("a place of the list").1;
    let needs = policy.needs();
    let share = dice.pick(&[DrrShare::Equal, DrrShare::ByMcr]);
    let scheduler = match dice.between(0, 3) {
        _ if needs.dequeues => SchedulerPlan::Fifo,
        0 => SchedulerPlan::Wfq(WfqPlan { excess: Excess::ByMcr }),
        1 => SchedulerPlan::Drr(DrrPlan { quantum: Bytes(480), share }),
        _ => SchedulerPlan::Fifo,
    };
    let minimum_rates = vec![200_000, 100_000, 100_000, 0];
    let site = SchedulerSite { rate: 1_000_000, minimum_rates, vcs_of_class: VCS as u64 };
    let buffer = match dice.between(0, 7) {
        0 => BufferSize::Infinite,
        1 => BufferSize::PerPort(dice.between(1, 9)),
        _ => BufferSize::PerPort(ROOM),
    };
    let queue = QueuePlan {
        class: Class::Ubr,
        buffer,
        policy,
        scheduler: scheduler.build(&site),
        ack_filter: AckFilter::None,
        recorder: None,
        has_guaranteed: dice.one_in(3),
        vc_recorders: Vec::new(),
    };
    let in_service = dice.pick(&[InService::Counted, InService::NotCounted]);
    let transmitter = Transmitter::new(LinkId(0), Span::ZERO, Transmission::Cells(CELL));
    let vcs = (0..VCS as u32).collect();
    PortPlan { index: 0, transmitter, in_service, vcs, queues: vec![queue], recorder: None }
}

/// Cells that have come, by VC, and what the port has done with them.
#[derive(Default)]
struct Books {
    /// Tags of raw and middle cells that may still leave, by VC.
    due: [VecDeque<u32>; VCS],
    arrived: u64,
    left: u64,
    last: Option<Time>,
}

impl Books {
    fn note(&mut self, cell: Cell) {
        let slot = cell.head.vc() as usize;
        self.left += 1;
        if let Some(last) = self.last {
            assert!(cell.at >= last + CELL, "{:?} after {last:?}", cell.at);
        }
        self.last = Some(cell.at);
        // Those before it that have not left are lost.
        let tag = cell.head.tag();
        let found = self.due[slot].iter().position(|due| *due == tag);
        let found = found.unwrap_or_else(|| panic!("cell {tag} of VC {slot} left out of order"));
        self.due[slot].drain(..=found);
    }
}

/// Runs cells through a port.
pub(crate) fn run(octets: &[u8]) {
    let mut dice = Dice::of(octets);
    let mut port = Port::new(plan(&mut dice), &[Class::Ubr; VCS]);
    let mut ledger = Ledger::default();
    ledger.ports.push(PortCounters::default());
    ledger.vcs.extend((0..VCS).map(|_| VcCounters::default()));
    let link = Link::new(Span::from_microseconds(1), (NodeId(0), InPort(0)));
    let mut network = Network::new(vec![Bystander], vec![link]);
    let mut books = Books::default();
    network.visit(|_, io| {
        let mut now = Time::ZERO;
        let mut frames = [0; VCS];
        for number in 1..=MOST as u32 {
            if !dice.has_more() {
                break;
            }
            let slot = dice.place(VCS);
            // Cells back to back, several at one instant, and pauses.
            now += Span::from_picoseconds(dice.pick(&[
                0,
                0,
                1,
                300_000,
                1_000_000,
                1_000_000,
                5_000_000,
                900_000_000,
            ]));
            let is_tagged = dice.one_in(4);
            let head = match dice.between(0, 7) {
                0 => CellHead::raw(slot as u32).with_tag(number),
                1 | 2 => {
                    let sent_at = now;
                    let segment = Segment::default();
                    let cells = frames[slot] + 1;
                    let bytes = 40 * cells;
                    let direction = 0;
                    let frame = Frame { direction, number, cells, bytes, sent_at, segment };
                    frames[slot] = 0;
                    let content = io.frames.insert(frame);
                    CellHead::end_of_frame(slot as u32, content.0)
                }
                _ => {
                    frames[slot] += 1;
                    CellHead::body(slot as u32, number)
                }
            };
            let head = if is_tagged { head.with_low_priority() } else { head };
            books.due[slot].push_back(head.tag());
            books.arrived += 1;
            port.advance_to(now, Class::Ubr, io);
            port.on_arrival(Cell { at: now, head }, slot as u32, None, io);
            while let Some(cell) = io.incoming(LinkId(0)).take_alone() {
                books.note(cell);
            }
        }
        let end = now + Span::from_seconds(10);
        port.advance_to(end, Class::Ubr, io);
        while let Some(cell) = io.incoming(LinkId(0)).take_alone() {
            books.note(cell);
        }
        port.report(end, &mut ledger);
    });
    let counters = &ledger.ports[0];
    assert!(port.held().is_empty(), "nothing is held after so long");
    assert_eq!(counters.sent, books.left, "cells that left");
    assert_eq!(counters.sent + counters.drops.total(), books.arrived, "cells that came");
    let busy = i128::from(books.left) * i128::from(CELL.picoseconds());
    assert_eq!(counters.busy_time, busy, "the line was busy for each of them");
}

//! A port that serves service classes in strict priority, without interrupting a cell that it has
//! begun; within a class in the order of its queue.
//!
//! The next cell is known only when it may begin: the line is free, and a shaper, if the scheduler
//! has one, lets it. So cells wait in a queue per class and the port is served: before every
//! arrival, and at the end of each turn of its switch. At one instant the line first takes a cell
//! that has waited; one that arrives at that instant finds the line busy. A cell that may begin and
//! finds nothing waiting begins at once.

mod admission;

use super::Waiting;
use super::class_queue::ClassQueue;
use super::queue::DropsBySlot;
use crate::atm::Class;
use crate::engine::Io;
use crate::link::Transmitter;
use crate::pdu::{Cell, ContentId, RateHeader, SackOption};
use crate::result::{Cause, ClassCounters, Ledger, Series};
use crate::switch::drop::{DropPolicy, RatePacket, Verdict};
use crate::switch::port::{InService, PortPlan};
use crate::units::{Span, Time};

/// Facts of a packet for a policy with congestion headers.
#[cold]
fn rate_packet(cell: Cell, transmitter: &Transmitter, io: &Io) -> RatePacket {
    let segment = &io.frames.look(ContentId(cell.head.tag())).segment;
    let bits = transmitter.transmission().bits_of(cell.head, &io.frames);
    RatePacket { bits, data: segment.len, header: segment.sack.header() }
}

/// A port with a queue per class.
#[derive(Debug)]
pub struct PriorityPort {
    pub(in crate::switch) plan: PortPlan,
    /// Queues of the classes, in order of priority.
    classes: Vec<ClassQueue>,
    /// Index of the queue of each slot.
    queue_of_slot: Vec<u8>,
    drops: DropsBySlot,
    /// The cell on the line, if it still occupies the buffer: its queue, slot and arrival.
    on_line: Option<(usize, Waiting)>,
    /// Instant before which a shaper lets no waiting cell begin; zero without one.
    gate: Time,
    waiting: u64,
    max_queue: u64,
    busy: Span,
}

impl PriorityPort {
    /// Makes an empty port; `classes` are by slot.
    pub fn new(mut plan: PortPlan, classes: &[Class]) -> Self {
        if let [alone] = plan.queues.as_mut_slice() {
            plan.recorder = alone.recorder.take();
        }
        let queues: Vec<ClassQueue> = std::mem::take(&mut plan.queues)
            .into_iter()
            .map(|plan| ClassQueue::new(plan, classes.len()))
            .collect();
        let place = |class: &Class| {
            let place = queues.iter().position(|one| one.queue.plan.class == *class);
            place.expect("the builder gives every class of a port a queue") as u8
        };
        Self {
            queue_of_slot: classes.iter().map(place).collect(),
            drops: DropsBySlot::new(&plan),
            plan,
            classes: queues,
            on_line: None,
            gate: Time::ZERO,
            waiting: 0,
            max_queue: 0,
            busy: Span::ZERO,
        }
    }

    /// Number of units in shared memory, as of the last service or admission, and of their VCs if
    /// accounts are kept.
    #[inline]
    pub fn shared(&self) -> (u64, u64) {
        let shared = self.classes.iter().map(|class| class.queue.shared(class.occupancy));
        shared.fold((0, 0), |(cells, vcs), (more_cells, more_vcs)| {
            (cells + more_cells, vcs + more_vcs)
        })
    }

    /// Number of units of one class.
    #[inline]
    pub fn waiting_of(&self, class: Class) -> u64 {
        self.classes.iter().find(|one| one.queue.plan.class == class).map_or(0, |one| one.occupancy)
    }

    /// Instant at which the next one leaves the buffer.
    pub fn next_release(&self) -> Time {
        match self.on_line {
            Some(_) => self.plan.transmitter.free_at(),
            None if self.waiting > 0 => self.ready_at(),
            None => Time::MAX,
        }
    }

    /// Instant from which on a cell may begin: the line is free, and the shaper lets it.
    #[inline]
    fn ready_at(&self) -> Time {
        self.plan.transmitter.free_at().max(self.gate)
    }

    /// Instant at which a cell that waits may begin.
    #[inline]
    pub fn next_service(&self) -> Time {
        let on_line = u64::from(self.on_line.is_some());
        if self.waiting == on_line { Time::MAX } else { self.ready_at() }
    }

    /// Puts onto the line every waiting cell that begins by `at`.
    #[inline]
    pub fn serve(&mut self, at: Time, io: &mut Io) {
        while self.plan.transmitter.free_at() <= at {
            if let Some((queue, waiting)) = self.on_line.take() {
                self.release(queue, waiting, self.plan.transmitter.free_at());
            }
            if self.gate > at {
                return;
            }
            let Some(index) = self.classes.iter().position(|class| !class.cells.is_empty()) else {
                return;
            };
            let at = self.ready_at();
            if self.classes[index].is_judged {
                self.serve_judged(index, at, io);
            } else if let Some(waiting) = self.classes[index].cells.pop() {
                self.begin(index, waiting, at, io);
            }
        }
    }

    /// Takes the next cell out of a queue whose policy is asked about it.
    fn serve_judged(&mut self, index: usize, at: Time, io: &mut Io) {
        self.classes[index].set_clock(at);
        let Some(waiting) = self.classes[index].cells.first() else { return };
        self.classes[index].take(&waiting);
        match self.judge_dequeue(index, waiting, at, io) {
            Some(waiting) => {
                self.classes[index].cells.pop();
                self.begin(index, waiting, at, io);
            }
            None => self.classes[index].cells.discard_first(),
        }
    }

    /// Judges a cell that is taken out of its queue at `at`. Returns it as it is sent, unless the
    /// policy discards it.
    fn judge_dequeue(
        &mut self,
        index: usize,
        mut waiting: Waiting,
        at: Time,
        io: &mut Io,
    ) -> Option<Waiting> {
        let Waiting { cell, slot, .. } = waiting;
        let line_over = self.classes[index].line_over;
        let line = line_over.map_or((0, 0.0), |over| self.line_at(cell, at, over, io));
        match self.classes[index].judge_dequeue(&waiting, at, line) {
            Verdict::Accept => {}
            Verdict::Mark => {
                waiting.cell.head = self.classes[index].queue.mark(cell.head, slot);
            }
            Verdict::Discard(cause) => {
                self.release(index, waiting, at);
                self.discard(index, cell, slot, cause, io);
                return None;
            }
        }
        if self.classes[index].has_headers {
            self.write_grant(index, cell, io);
        }
        Some(waiting)
    }

    /// Writes the grant of the policy into the congestion header of a packet, if it has one.
    #[cold]
    fn write_grant(&mut self, index: usize, cell: Cell, io: &mut Io) {
        let packet = rate_packet(cell, &self.plan.transmitter, io);
        let Some(header) = packet.header else { return };
        let grant = self.classes[index].queue.plan.policy.grant(&packet);
        let frame = io.frames.look_mut(ContentId(cell.head.tag()));
        frame.segment.sack = SackOption::of_header(RateHeader { grant, ..header });
    }

    /// Bits of a unit on the wire, and the mean rate of the line over a time that ends, bit/s.
    #[cold]
    fn line_at(&mut self, cell: Cell, at: Time, over: Span, io: &Io) -> (u64, f64) {
        let transmitter = &mut self.plan.transmitter;
        let bits = transmitter.transmission().bits_of(cell.head, &io.frames);
        (bits, transmitter.mean_rate(at, over))
    }

    /// Puts the cell on the line at `start`, from which on it may begin.
    #[inline]
    fn begin(&mut self, index: usize, waiting: Waiting, start: Time, io: &mut Io) {
        let Waiting { cell, .. } = waiting;
        let (start, end) = self.plan.transmitter.send(Cell { at: start, ..cell }, 0, io);
        self.busy += end - start;
        self.classes[index].counters.sent += 1;
        if let Some(gate) = self.classes[index].gate() {
            self.gate = gate;
        }
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.note_passage(cell.at, end);
        }
        match self.plan.in_service {
            InService::Counted => self.on_line = Some((index, waiting)),
            InService::NotCounted => self.release(index, waiting, start),
        }
    }

    /// Releases the cell from the buffer at `at`.
    #[expect(clippy::inline_always, reason = "every cell of a served port; few others call it")]
    #[inline(always)]
    fn release(&mut self, index: usize, waiting: Waiting, at: Time) {
        self.waiting -= 1;
        self.classes[index].release(waiting, at);
        self.note_change(index, at);
    }

    #[cold]
    fn discard(&mut self, index: usize, cell: Cell, slot: u32, cause: Cause, io: &mut Io) {
        self.classes[index].counters.drops.count(cause);
        self.drops.discard(cell, slot, cause, io);
    }

    #[inline]
    fn note_change(&mut self, index: usize, at: Time) {
        let class = &mut self.classes[index];
        class.queue.note_change(at, class.occupancy);
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.on_change(at, self.waiting);
        }
    }

    /// Instant at which the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        let of_all = self.plan.recorder.as_ref().map_or(Time::MAX, |recorder| recorder.due());
        let each = self.classes.iter().map(|class| class.queue.next_sample());
        each.fold(of_all, Time::min)
    }

    /// Takes the grid samples that are due at `due`, up to which the port was served.
    pub fn sample(&mut self, due: Time) {
        for class in &mut self.classes {
            class.queue.sample(due, class.occupancy);
        }
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.sample(due, self.waiting);
        }
    }

    /// Reports the counters at `at`. The port was served up to then when its switch
    /// last had a turn.
    pub fn report(&mut self, at: Time, ledger: &mut Ledger) {
        let free_at = self.plan.transmitter.free_at();
        let is_sending = free_at > at;
        if !is_sending && let Some((queue, waiting)) = self.on_line.take() {
            self.release(queue, waiting, free_at);
        }
        let still_busy = (free_at - at).max(Span::ZERO);
        let port = &mut ledger.ports[self.plan.index];
        let begun: u64 = self.classes.iter().map(|class| class.counters.sent).sum();
        port.sent = begun - u64::from(is_sending);
        port.busy_time = i128::from((self.busy - still_busy).picoseconds());
        port.max_queue = self.max_queue;
        let recorder = self.plan.recorder.as_mut();
        let distributions = recorder.and_then(|recorder| recorder.distributions(at, free_at));
        port.distributions = distributions.map(Box::new);
        // The stay of a cell is counted when it leaves.
        let stay = |Waiting { cell, slot, .. }: Waiting| (slot, at - cell.at);
        let mut stays = Vec::new();
        for (index, class) in self.classes.iter().enumerate() {
            let on_line = self.on_line.filter(|(of, _)| *of == index).map(|(_, waiting)| waiting);
            let waiting = class.cells.waiting();
            let present: Vec<(u32, Span)> =
                waiting.iter().copied().chain(on_line).map(stay).collect();
            let unfinished: i128 =
                present.iter().map(|(_, stay)| i128::from(stay.picoseconds())).sum();
            stays.extend(present);
            let marked = class.queue.marked();
            port.marked =
                marked.map_or(port.marked, |marked| Some(port.marked.unwrap_or(0) + marked));
            let counters = ClassCounters {
                queue_time: class.counters.queue_time + unfinished,
                marked,
                ..class.counters
            };
            port.queue_time += counters.queue_time;
            if self.classes.len() > 1 {
                port.classes.push((class.queue.plan.class, counters));
            }
            for waiting in waiting {
                ledger.vcs[waiting.cell.head.vc() as usize].queued += 1;
            }
        }
        let queue_of = |slot: usize| &self.classes[usize::from(self.queue_of_slot[slot])].queue;
        port.vcs = self.drops.vc_counters(queue_of, stays.into_iter());
        self.drops.report(ledger);
        self.plan.transmitter.report(at, ledger);
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self, at: Time) {
        self.max_queue = self.waiting;
        for class in &mut self.classes {
            class.counters.max_queue = class.occupancy;
            class.queue.begin_measurement(at, self.plan.transmitter.free_at());
        }
    }

    /// Cells that have not been put on the link.
    pub fn held(&self) -> Vec<Cell> {
        let waiting = self.classes.iter().flat_map(|class| class.cells.waiting());
        waiting.map(|waiting| waiting.cell).collect()
    }

    /// The queue series that were recorded, of all classes together first and of single VCs last.
    pub fn take_series(&mut self) -> Vec<Series> {
        let all = self.plan.recorder.take().and_then(|recorder| recorder.finish());
        let mut series: Vec<Series> = all.into_iter().collect();
        series.extend(self.classes.iter_mut().filter_map(|class| class.queue.take_series()));
        series.extend(self.classes.iter_mut().flat_map(|class| class.queue.accounts.take_series()));
        series
    }
}

//! A port that serves service classes in strict priority, without interrupting a cell that it has
//! begun; within a class in the order of its queue.
//!
//! Which cell goes next is known only when the line is free, so cells wait in a queue per class and
//! the port is served: before every arrival, and at the end of each turn of its switch. At one
//! instant the line first takes a cell that has waited; one that arrives at that instant finds the
//! line busy. A cell that finds the line free and nothing waiting begins at once.

use super::Waiting;
use super::order::Order;
use crate::atm::Class;
use crate::engine::Io;
use crate::pdu::Cell;
use crate::result::{Cause, ClassCounters, Drops, Ledger, PortVcCounters, QueueRecorder, Series};
use crate::switch::accounts::Accounts;
use crate::switch::drop::{Departure, Dequeue, DropPolicy, QueueState, Verdict};
use crate::switch::port::{InService, PortPlan, PortRoom, QueuePlan};
use crate::switch::ports::Pool;
use crate::units::{Span, Time};

/// A port with a queue per class.
#[derive(Debug)]
pub struct PriorityPort {
    plan: PortPlan,
    /// First served first.
    queues: Vec<ClassQueue>,
    /// By slot: which of the queues.
    queue_of_slot: Vec<u8>,
    /// By slot.
    drops: Vec<Drops>,
    /// The cell on the line, if it still occupies the buffer: its queue, slot and arrival.
    on_line: Option<(usize, Waiting)>,
    sent: u64,
    waiting: u64,
    max_queue: u64,
    busy: Span,
}

#[derive(Debug)]
struct ClassQueue {
    plan: QueuePlan,
    cells: Order,
    /// Cells in the buffer, the one on the line included if that counts.
    occupancy: u64,
    accounts: Accounts,
    /// Whether the policy is told of departures.
    is_watched: bool,
    /// Whether the policy is asked about each cell that is taken out.
    is_judged: bool,
    counters: ClassCounters,
}

impl PriorityPort {
    /// An empty port; `classes` by slot.
    pub fn new(mut plan: PortPlan, classes: &[Class]) -> Self {
        if let [alone] = plan.queues.as_mut_slice() {
            plan.recorder = alone.recorder.take();
        }
        let queues: Vec<ClassQueue> = std::mem::take(&mut plan.queues)
            .into_iter()
            .map(|mut plan| ClassQueue {
                cells: Order::new(plan.weights.as_deref()),
                occupancy: 0,
                accounts: plan.take_accounts(classes.len()),
                is_watched: plan.policy.watches_departures(),
                is_judged: plan.policy.judges_dequeues(),
                counters: ClassCounters::default(),
                plan,
            })
            .collect();
        let place = |class: &Class| {
            let place = queues.iter().position(|queue| queue.plan.class == *class);
            place.expect("the builder gives every class of a port a queue") as u8
        };
        Self {
            queue_of_slot: classes.iter().map(place).collect(),
            drops: vec![Drops::default(); classes.len()],
            plan,
            queues,
            on_line: None,
            sent: 0,
            waiting: 0,
            max_queue: 0,
            busy: Span::ZERO,
        }
    }

    /// Its number among all ports of the scenario.
    pub fn index(&self) -> usize {
        self.plan.index
    }

    /// How many are in shared memory, as of the last service or admission, and of how many VCs if
    /// accounts are kept.
    #[inline]
    pub fn shared(&self) -> (u64, u64) {
        let sharing =
            self.queues.iter().filter(|queue| matches!(queue.plan.room, PortRoom::Shared));
        sharing.fold((0, 0), |(cells, vcs), queue| {
            (cells + queue.occupancy, vcs + queue.accounts.active())
        })
    }

    /// How many of one class.
    #[inline]
    pub fn waiting_of(&self, class: Class) -> u64 {
        self.queues
            .iter()
            .find(|queue| queue.plan.class == class)
            .map_or(0, |queue| queue.occupancy)
    }

    /// When the next one leaves the buffer.
    pub fn next_release(&self) -> Time {
        if self.waiting == 0 { Time::MAX } else { self.plan.transmitter.free_at() }
    }

    /// When the line is free for a cell that waits.
    #[inline]
    pub fn next_service(&self) -> Time {
        let on_line = u64::from(self.on_line.is_some());
        if self.waiting == on_line { Time::MAX } else { self.plan.transmitter.free_at() }
    }

    /// Puts onto the line every waiting cell that begins by `at`.
    #[inline]
    pub fn serve(&mut self, at: Time, io: &mut Io) {
        while self.plan.transmitter.free_at() <= at {
            if let Some((queue, waiting)) = self.on_line.take() {
                self.release(queue, waiting, self.plan.transmitter.free_at());
            }
            let Some(index) = self.queues.iter().position(|queue| !queue.cells.is_empty()) else {
                return;
            };
            let Some(waiting) = self.queues[index].cells.pop() else { return };
            self.dequeue(index, waiting, self.plan.transmitter.free_at(), io);
        }
    }

    /// The cell is taken out of its queue at `at`, and begins unless the policy discards it.
    #[inline]
    fn dequeue(&mut self, index: usize, mut waiting: Waiting, at: Time, io: &mut Io) {
        if self.queues[index].is_judged {
            match self.judge_dequeue(index, &waiting, at) {
                Verdict::Accept => {}
                Verdict::Mark => waiting.cell.head = waiting.cell.head.with_efci(),
                Verdict::Discard(cause) => {
                    self.release(index, waiting, at);
                    return self.discard(index, waiting.cell, waiting.slot, cause, io);
                }
            }
        }
        self.begin(index, waiting, at, io);
    }

    fn judge_dequeue(&mut self, index: usize, waiting: &Waiting, now: Time) -> Verdict {
        let queue = &mut self.queues[index];
        let Waiting { cell, slot } = *waiting;
        let dequeue = Dequeue { now, sojourn: now - cell.at, occupancy: queue.occupancy, slot };
        queue.plan.policy.on_dequeue(cell.head, &dequeue)
    }

    /// The cell begins at `start`, which is when the line is free or later.
    #[inline]
    fn begin(&mut self, index: usize, waiting: Waiting, start: Time, io: &mut Io) {
        let Waiting { cell, .. } = waiting;
        let (start, end) = self.plan.transmitter.send(Cell { at: start, ..cell }, io);
        self.busy += end - start;
        self.sent += 1;
        self.queues[index].counters.sent += 1;
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.note_passage(cell.at, end);
        }
        match self.plan.in_service {
            InService::Counted => self.on_line = Some((index, waiting)),
            InService::NotCounted => self.release(index, waiting, start),
        }
    }

    /// The cell leaves the buffer at `at`.
    #[inline]
    fn release(&mut self, index: usize, waiting: Waiting, at: Time) {
        let queue = &mut self.queues[index];
        queue.occupancy -= 1;
        let sojourn = i128::from((at - waiting.cell.at).picoseconds());
        queue.counters.queue_time += sojourn;
        self.waiting -= 1;
        if queue.accounts.are_kept() {
            queue.accounts.release(waiting.slot);
            queue.accounts.add_sojourn(waiting.slot, sojourn);
            queue.accounts.note(waiting.slot, at);
        }
        if queue.is_watched {
            let ends_frame = waiting.cell.head.is_end_of_frame();
            let departure = Departure { at, slot: waiting.slot, ends_frame };
            queue.plan.policy.on_departure(departure);
        }
        self.note_change(index, at);
    }

    /// A cell of the VC at `slot` stands before its queue at `cell.at`.
    #[inline(never)]
    pub fn on_arrival(&mut self, cell: Cell, slot: u32, pool: Option<&Pool>, io: &mut Io) {
        self.serve(cell.at, io);
        let index = usize::from(self.queue_of_slot[slot as usize]);
        let queue = &mut self.queues[index];
        let (occupancy, active) = (queue.occupancy, queue.accounts.active());
        let (occupancy, room, active) = match queue.plan.room {
            PortRoom::Infinite => (occupancy, u64::MAX, active),
            PortRoom::PerPort(room) => (occupancy, room, active),
            PortRoom::PerVc(room) => (queue.accounts.of(slot), room, active),
            PortRoom::Shared => {
                pool.map_or((occupancy, 0, 0), |pool| (pool.occupancy, pool.room, pool.active))
            }
        };
        let line_free_at = self.plan.transmitter.free_at();
        let accounts = &queue.accounts;
        let state =
            QueueState { now: cell.at, occupancy, room, slot, active, line_free_at, accounts };
        match queue.plan.policy.on_arrival(cell.head, &state) {
            Verdict::Accept => self.admit(index, Waiting { cell, slot }, io),
            Verdict::Mark => {
                let cell = Cell { head: cell.head.with_efci(), ..cell };
                self.admit(index, Waiting { cell, slot }, io);
            }
            Verdict::Discard(cause) => self.discard(index, cell, slot, cause, io),
        }
    }

    #[inline]
    fn admit(&mut self, index: usize, waiting: Waiting, io: &mut Io) {
        let at = waiting.cell.at;
        let queue = &mut self.queues[index];
        queue.occupancy += 1;
        self.waiting += 1;
        if queue.accounts.are_kept() {
            queue.accounts.admit(waiting.slot);
        }
        if self.plan.transmitter.free_at() <= at {
            queue.cells.pass(waiting.slot);
            self.dequeue(index, waiting, at, io);
        } else {
            queue.cells.push(waiting, io);
        }
        let queue = &mut self.queues[index];
        queue.counters.max_queue = queue.counters.max_queue.max(queue.occupancy);
        if queue.accounts.are_kept() {
            queue.accounts.note(waiting.slot, at);
        }
        self.max_queue = self.max_queue.max(self.waiting);
        self.note_change(index, at);
    }

    #[cold]
    fn discard(&mut self, index: usize, cell: Cell, slot: u32, cause: Cause, io: &mut Io) {
        self.drops[slot as usize].count(cause);
        self.queues[index].counters.drops.count(cause);
        io.discard(cell);
    }

    #[inline]
    fn note_change(&mut self, index: usize, at: Time) {
        let queue = &mut self.queues[index];
        if let Some(recorder) = &mut queue.plan.recorder {
            recorder.on_change(at, queue.occupancy);
        }
        if let Some(recorder) = &mut self.plan.recorder {
            recorder.on_change(at, self.waiting);
        }
    }

    fn recorders(&self) -> impl Iterator<Item = &Box<QueueRecorder>> {
        self.queues.iter().map(|queue| &queue.plan.recorder).chain([&self.plan.recorder]).flatten()
    }

    /// When the next grid sample is due.
    pub fn next_sample(&self) -> Time {
        let of_vcs = self.queues.iter().map(|queue| queue.accounts.next_sample());
        self.recorders().map(|recorder| recorder.due()).chain(of_vcs).min().unwrap_or(Time::MAX)
    }

    /// Takes every grid sample that is due by `at`.
    pub fn sample_through(&mut self, at: Time, io: &mut Io) {
        while self.next_sample() <= at {
            let due = self.next_sample();
            self.serve(due, io);
            let all = (&mut self.plan.recorder, self.waiting);
            let each =
                self.queues.iter_mut().map(|queue| (&mut queue.plan.recorder, queue.occupancy));
            for (recorder, occupancy) in each.chain([all]) {
                if let Some(recorder) = recorder.as_mut().filter(|recorder| recorder.due() <= due) {
                    recorder.sample(due, occupancy);
                }
            }
            for queue in &mut self.queues {
                queue.accounts.sample(due);
            }
        }
    }

    /// Reports the counters as they stand at `at`. The port was served up to then when its switch
    /// last had a turn.
    pub fn settle(&mut self, at: Time, ledger: &mut Ledger) {
        if self.plan.transmitter.free_at() <= at
            && let Some((queue, waiting)) = self.on_line.take()
        {
            self.release(queue, waiting, self.plan.transmitter.free_at());
        }
        let is_sending = self.plan.transmitter.free_at() > at;
        let still_busy = if is_sending { self.plan.transmitter.free_at() - at } else { Span::ZERO };
        let port = &mut ledger.ports[self.plan.index];
        port.sent = self.sent - u64::from(is_sending);
        port.busy_time = i128::from((self.busy - still_busy).picoseconds());
        port.max_queue = self.max_queue;
        let recorder = self.plan.recorder.as_mut();
        port.distributions = recorder.and_then(|recorder| recorder.distributions(at)).map(Box::new);
        for (index, queue) in self.queues.iter().enumerate() {
            let on_line = self.on_line.filter(|(of, _)| *of == index).map(|(_, waiting)| waiting);
            let present = queue.cells.iter().copied().chain(on_line);
            let unfinished: i128 =
                present.map(|waiting| i128::from((at - waiting.cell.at).picoseconds())).sum();
            let counters = ClassCounters {
                queue_time: queue.counters.queue_time + unfinished,
                ..queue.counters
            };
            port.queue_time += counters.queue_time;
            if self.queues.len() > 1 {
                port.classes.push((queue.plan.class, counters));
            }
            for waiting in queue.cells.iter() {
                ledger.vcs[waiting.cell.head.vc() as usize].queued += 1;
            }
        }
        for (drops, vc) in self.drops.iter().zip(&self.plan.vcs) {
            port.drops.add(drops);
            ledger.vcs[*vc as usize].drops.add(drops);
        }
        port.vcs = self.vc_counters(at);
        self.plan.transmitter.settle(ledger);
    }

    /// What single VCs had here, where it is told; the stay of a cell is counted when it leaves.
    fn vc_counters(&self, at: Time) -> Vec<(u32, PortVcCounters)> {
        let queue_of = |slot: usize| &self.queues[usize::from(self.queue_of_slot[slot])];
        let told = self.drops.iter().enumerate().map(|(slot, drops)| {
            let counters = queue_of(slot).accounts.counters(slot as u32)?;
            Some(PortVcCounters { drops: *drops, ..counters })
        });
        let mut told: Vec<Option<PortVcCounters>> = told.collect();
        let waiting = self.queues.iter().flat_map(|queue| queue.cells.iter().copied());
        for Waiting { cell, slot } in waiting.chain(self.on_line.map(|(_, waiting)| waiting)) {
            if let Some(counters) = &mut told[slot as usize] {
                counters.queue_time += i128::from((at - cell.at).picoseconds());
            }
        }
        let by_vc = self.plan.vcs.iter().copied().zip(told);
        by_vc.filter_map(|(vc, counters)| Some((vc, counters?))).collect()
    }

    /// Forgets the extremes seen so far.
    pub fn begin_measurement(&mut self) {
        self.max_queue = self.waiting;
        for queue in &mut self.queues {
            queue.counters.max_queue = queue.occupancy;
            queue.accounts.begin_measurement();
        }
    }

    /// Cells that have not been put on the link.
    pub fn held(&self) -> Vec<Cell> {
        self.queues
            .iter()
            .flat_map(|queue| queue.cells.iter().map(|waiting| waiting.cell))
            .collect()
    }

    /// The queue series that were recorded, of all classes together first and of single VCs last.
    pub fn take_series(&mut self) -> Vec<Series> {
        let all = self.plan.recorder.take();
        let each = self.queues.iter_mut().filter_map(|queue| queue.plan.recorder.take());
        let mut series: Vec<Series> =
            all.into_iter().chain(each).filter_map(|recorder| recorder.finish()).collect();
        series.extend(self.queues.iter_mut().flat_map(|queue| queue.accounts.take_series()));
        series
    }
}

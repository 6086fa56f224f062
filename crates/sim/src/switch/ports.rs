//! The output ports of a node, and the memory that they share, if they do.
//!
//! Only where memory is shared must every port be brought up to date before one of them admits a
//! cell, and there only if it matters: a count that still includes units that have left is as good
//! as the true one while the policy admits at either. The ports are in a tournament by their next
//! releases, so that only those are touched that release a cell. Ports change through [`Ports`]
//! alone, which keeps the count of units in the memory.

use super::merger::Begun;
use super::port::Port;
use crate::atm::Class;
use crate::engine::{Io, Tournament};
use crate::pdu::{Cell, Train};
use crate::units::Time;

/// All ports of a switch, or of an edge onto links of packets.
#[derive(Debug)]
pub struct Ports {
    ports: Vec<Port>,
    pool: Option<Pool>,
}

/// A shared buffer.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Cells or packets that fit.
    pub size: u64,
    /// Cells or packets at all ports together, as of the present arrival, or earlier if that makes
    /// no difference to it.
    pub occupancy: u64,
    /// VCs with units in it, likewise; counted where ports keep accounts.
    pub active: u64,
    /// True if all cells on their way find room, in whatever order they arrive.
    is_roomy: bool,
    /// Occupancy up to which every arrival at a port is treated alike, by port.
    alike: Vec<u64>,
    /// Minimum of these.
    alike_everywhere: u64,
    /// Number of units of each port when it was last noted.
    held: Vec<u64>,
    /// Number of VCs of these units, by port.
    held_of: Vec<u64>,
    releases: Tournament,
}

impl Ports {
    /// Makes the ports of a node, with shared memory of this size, if they share it.
    pub fn new(ports: Vec<Port>, shared_size: Option<u64>) -> Self {
        let pool = shared_size.map(|size| Pool::new(size, &ports));
        Self { ports, pool }
    }

    /// The ports, in order.
    #[inline]
    pub fn all(&self) -> &[Port] {
        &self.ports
    }

    /// A cell or packet of the VC at `slot` arrives at the queue of a port at `cell.at`.
    #[expect(
        clippy::inline_always,
        reason = "the loop over cells of a switch; edges call it too, so it has several callers"
    )]
    #[inline(always)]
    pub fn on_arrival(&mut self, index: usize, cell: Cell, slot: u32, io: &mut Io) {
        if let Some(pool) = &mut self.pool
            && pool.occupancy > pool.alike[index]
        {
            pool.release_until(cell.at, &mut self.ports, io);
        }
        self.ports[index].on_arrival(cell, slot, self.pool.as_ref(), io);
        self.note_arrival(index);
    }

    /// The same where ports share no memory.
    #[expect(clippy::inline_always, reason = "the loop over packets of a switch")]
    #[inline(always)]
    pub fn on_arrival_alone(&mut self, index: usize, cell: Cell, slot: u32, io: &mut Io) {
        self.ports[index].on_arrival(cell, slot, None, io);
    }

    /// True if the ports share memory.
    pub fn share_memory(&self) -> bool {
        self.pool.is_some()
    }

    /// True if trains may arrive: every port takes them, and shared memory can tell that it has
    /// room for all of them.
    pub fn take_trains(&self) -> bool {
        let tells_room = |port: &Port| matches!(port, Port::Ringless(_)) && port.admits_up_to() > 0;
        self.ports.iter().all(Port::takes_trains)
            && (!self.share_memory() || self.ports.iter().all(tells_room))
    }

    /// Cells that shared memory certainly admits from `at` on, in any order.
    pub(super) fn room_at(&mut self, at: Time, io: &mut Io) -> u64 {
        let Some(pool) = &mut self.pool else { return u64::MAX };
        pool.release_until(at, &mut self.ports, io);
        pool.alike_everywhere.saturating_sub(pool.occupancy)
    }

    /// True if shared memory certainly admits all cells that are on their way; if not, they must
    /// come in their order, one by one. The first comes at `at`, and `are_within` tells if they are
    /// at most a number.
    pub fn expect(&mut self, are_within: impl Fn(u64) -> bool, at: Time, io: &mut Io) -> bool {
        let Some(pool) = &mut self.pool else { return true };
        pool.is_roomy = pool.has_room_for(&are_within);
        if !pool.is_roomy {
            pool.release_until(at, &mut self.ports, io);
            pool.is_roomy = pool.has_room_for(&are_within);
        }
        pool.is_roomy
    }

    /// Takes a train of the VC at `slot` to the queue of a port. Ports that do not take trains get
    /// its cells.
    #[inline]
    pub fn on_train(&mut self, index: usize, train: Train, slot: u32, io: &mut Io) {
        let is_roomy = self.pool.as_ref().is_none_or(|pool| pool.is_roomy);
        match &mut self.ports[index] {
            Port::Ringless(port) if is_roomy => {
                port.on_train(train, slot, self.pool.as_ref(), io);
                self.note_arrival(index);
            }
            Port::Fifo(port) => port.on_train(train, slot, io),
            Port::Ringless(_) | Port::Runs(_) | Port::Priority(_) => {
                self.on_cells(index, train.cells().map(|cell| (cell, slot)), io);
            }
        }
    }

    /// Takes cells one by one, each of the VC at a slot.
    #[inline]
    pub fn on_cells(
        &mut self,
        index: usize,
        cells: impl Iterator<Item = (Cell, u32)>,
        io: &mut Io,
    ) {
        match &mut self.ports[index] {
            Port::Ringless(port) if self.pool.is_none() => {
                cells.for_each(|(cell, slot)| port.on_arrival(cell, slot, None, io));
            }
            _ => cells.for_each(|(cell, slot)| self.on_arrival(index, cell, slot, io)),
        }
    }

    /// Takes at most `most` rounds of cells, one of each train after the other; the trains keep the
    /// rest. True if it takes any.
    #[inline]
    pub(super) fn on_rounds(
        &mut self,
        index: usize,
        of: &mut [Begun],
        most: u32,
        io: &mut Io,
    ) -> bool {
        match &mut self.ports[index] {
            Port::Ringless(port) if self.pool.as_ref().is_none_or(|pool| pool.is_roomy) => {
                let is_served = port.on_rounds(of, most, io);
                self.note_arrival(index);
                is_served
            }
            Port::Ringless(_) | Port::Runs(_) | Port::Fifo(_) | Port::Priority(_) => false,
        }
    }

    #[expect(clippy::inline_always, reason = "every cell and train; it has several callers")]
    #[inline(always)]
    fn note_arrival(&mut self, index: usize) {
        if let Some(pool) = &mut self.pool {
            pool.note_arrival(index, &self.ports[index]);
        }
    }

    /// Does everything at a port that is due by `at`. Returns the number of cells of the class that
    /// then wait.
    #[inline]
    pub fn advance_to(&mut self, index: usize, at: Time, class: Class, io: &mut Io) -> u64 {
        let waiting = self.ports[index].advance_to(at, class, io);
        if let Some(pool) = &mut self.pool {
            pool.note(index, &self.ports[index]);
        }
        waiting
    }

    /// Visits every port.
    pub fn for_each(&mut self, mut visit: impl FnMut(usize, &mut Port)) {
        for (index, port) in self.ports.iter_mut().enumerate() {
            visit(index, port);
            if let Some(pool) = &mut self.pool {
                pool.note(index, port);
            }
        }
    }
}

impl Pool {
    fn new(size: u64, ports: &[Port]) -> Self {
        let count = ports.len();
        // A full memory is not like others: the next cell finds no room.
        let alike = ports.iter().map(|port| port.admits_up_to().min(size.saturating_sub(1)));
        let alike: Vec<u64> = alike.collect();
        Self {
            size,
            occupancy: 0,
            active: 0,
            is_roomy: false,
            alike_everywhere: alike.iter().copied().min().unwrap_or(0),
            alike,
            held: vec![0; count],
            held_of: vec![0; count],
            releases: Tournament::new(count),
        }
    }

    /// True if the cells to come make no difference to what is admitted.
    fn has_room_for(&self, are_within: impl Fn(u64) -> bool) -> bool {
        self.alike_everywhere.checked_sub(self.occupancy).is_some_and(are_within)
    }

    /// Releases all units that leave by `at`.
    fn release_until(&mut self, at: Time, ports: &mut [Port], io: &mut Io) {
        loop {
            let (next, index) = self.releases.min();
            if next > at {
                return;
            }
            ports[index].advance_to(at, Class::default(), io);
            self.note(index, &ports[index]);
        }
    }

    /// Notes the units of the port at `index`, which may have changed.
    fn note(&mut self, index: usize, port: &Port) {
        self.count(index, port);
        self.releases.set(index, port.next_release());
    }

    /// Notes an arrival at the port at `index`. If the port released others, its time in the
    /// tournament is past, which [`release_until`](Self::release_until) corrects.
    #[inline]
    fn note_arrival(&mut self, index: usize, port: &Port) {
        self.count(index, port);
        self.releases.lower(index, port.next_release());
    }

    #[inline]
    fn count(&mut self, index: usize, port: &Port) {
        let (held, held_of) = port.shared();
        self.occupancy = self.occupancy + held - self.held[index];
        self.held[index] = held;
        self.active = self.active + held_of - self.held_of[index];
        self.held_of[index] = held_of;
    }
}

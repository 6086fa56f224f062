//! Memory that all ports of a switch share.
//!
//! Only here must every port be brought up to date before one of them admits a cell. The ports stand in a tournament by
//! when each next lets go of a cell, so that only those are touched that do.

use super::port::Port;
use crate::atm::Class;
use crate::engine::{Io, Tournament};
use crate::units::Time;

/// A shared buffer.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Cells or packets that fit.
    pub room: u64,
    /// Cells or packets at all ports together, as of the present arrival.
    pub occupancy: u64,
    /// VCs with something in it, as of the present arrival; counted where ports keep accounts.
    pub active: u64,
    /// By port: how many it held when it was last noted.
    held: Vec<u64>,
    /// By port: of how many VCs.
    held_of: Vec<u64>,
    releases: Tournament,
}

impl Pool {
    /// An empty buffer of `room`, for `ports`.
    pub fn new(room: u64, ports: usize) -> Self {
        let [held, held_of] = [vec![0; ports], vec![0; ports]];
        Self { room, occupancy: 0, active: 0, held, held_of, releases: Tournament::new(ports) }
    }

    /// Lets go of everything that leaves by `at`.
    pub(crate) fn release_until(&mut self, at: Time, ports: &mut [Port], io: &mut Io<'_>) {
        loop {
            let (next, index) = self.releases.min();
            if next > at {
                return;
            }
            ports[index].bring_to(at, Class::default(), io);
            self.note(index, &ports[index]);
        }
    }

    /// What the port at `index` holds may have changed.
    pub(crate) fn note(&mut self, index: usize, port: &Port) {
        let (held, held_of) = port.shared();
        self.occupancy = self.occupancy + held - self.held[index];
        self.held[index] = held;
        self.active = self.active + held_of - self.held_of[index];
        self.held_of[index] = held_of;
        self.releases.set(index, port.next_release());
    }
}

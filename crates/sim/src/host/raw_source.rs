//! A source of raw cells at its interface.

use crate::result::Ledger;
use crate::traffic::Instants;

/// A source of raw cells, and the place where its cells are sent.
#[derive(Debug)]
pub struct RawSource {
    /// Its virtual circuit.
    pub vc: u32,
    /// Its interface.
    pub nic: usize,
    /// True if its cells are sent in trains, on a link that carries some.
    pub sends_trains: bool,
    /// Instants of its cells.
    pub cells: Instants,
}

impl RawSource {
    /// Reports the counter.
    pub fn report(&self, ledger: &mut Ledger) {
        ledger.vcs[self.vc as usize].sent = self.cells.sent();
    }
}

//! Content of packets that are under way, by index.

use std::collections::BTreeMap;

/// Number of packets from which on the store asks to be swept.
const FEW: usize = 4096;

/// Content by index. A packet may arrive more than once, or never: content is lent, and only
/// [`sweep`](Self::sweep) frees it.
#[derive(Debug, Default)]
pub struct Store {
    held: BTreeMap<u64, Box<[u8]>>,
    next: u64,
    /// Number of packets after the last sweep.
    left: usize,
}

impl Store {
    /// Keeps a packet; returns its index.
    pub fn keep(&mut self, packet: &[u8]) -> u64 {
        let index = self.next;
        self.held.insert(index, packet.into());
        self.next += 1;
        index
    }

    /// Content of a packet under way.
    ///
    /// # Panics
    ///
    /// If the index is not of a packet that is under way.
    pub fn lend(&self, index: u64) -> &[u8] {
        self.held.get(&index).expect("a packet that arrives was under way at the last sweep")
    }

    /// Number of packets whose content is kept.
    pub fn kept(&self) -> usize {
        self.held.len()
    }

    /// True once the store has twice the packets that the last sweep left.
    pub fn is_due(&self) -> bool {
        self.held.len() >= (2 * self.left).max(FEW)
    }

    /// Frees all content but that of the packets `inside`.
    pub fn sweep(&mut self, inside: impl Iterator<Item = u64>) {
        let mut inside: Vec<u64> = inside.collect();
        inside.sort_unstable();
        self.held.retain(|index, _| inside.binary_search(index).is_ok());
        self.left = self.held.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_lent_until_a_sweep_finds_its_packet_gone() {
        let mut store = Store::default();
        let (first, second) = (store.keep(&[1, 2]), store.keep(&[3]));
        assert_eq!([store.lend(first), store.lend(first)], [[1, 2], [1, 2]]);
        store.sweep([second, second].into_iter());
        assert_eq!((store.held.len(), store.lend(second)), (1, &[3][..]));
        assert_ne!(store.keep(&[4]), first);
    }

    #[test]
    fn a_sweep_is_due_when_the_store_has_doubled() {
        let mut store = Store::default();
        let fill = |store: &mut Store, number: usize| {
            for _ in 0..number {
                assert!(!store.is_due());
                store.keep(&[]);
            }
        };
        fill(&mut store, FEW);
        assert!(store.is_due());
        store.sweep(0..FEW as u64 - 96);
        fill(&mut store, FEW - 96);
        assert!(store.is_due());
        store.sweep([].into_iter());
        fill(&mut store, FEW);
        assert!(store.is_due());
    }
}

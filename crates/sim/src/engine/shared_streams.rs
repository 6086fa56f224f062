//! Owners of the bytes of a shared connection, beside the bytes, as frames are beside their cells.
//!
//! The writer of a shared connection appends here what it writes; the reader takes it from the
//! front. The reader reads only bytes that have arrived, hence were written at an earlier instant.
//! The writer may be ahead in time: what it has appended since is behind these bytes.

use std::collections::{BTreeMap, VecDeque};

/// Consecutive bytes that belong to one flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowBytes {
    /// The flow, by its number in the scenario.
    pub of: usize,
    /// Number of bytes.
    pub bytes: u64,
}

/// Bytes that are written and not read, by the number of the flow whose connection is shared.
#[derive(Debug, Default)]
pub struct SharedStreams(BTreeMap<usize, VecDeque<FlowBytes>>);

impl SharedStreams {
    /// Appends bytes that are written to the connection of flow `over`.
    pub fn push(&mut self, over: usize, part: FlowBytes) {
        let written = self.0.entry(over).or_default();
        match written.back_mut() {
            Some(last) if last.of == part.of => last.bytes += part.bytes,
            _ => written.push_back(part),
        }
    }

    /// Bytes that are read next from the connection of flow `over`.
    pub fn front(&self, over: usize) -> Option<FlowBytes> {
        self.0.get(&over)?.front().copied()
    }

    /// Removes the first `bytes`, which are read.
    pub fn take(&mut self, over: usize, bytes: u64) {
        let Some(written) = self.0.get_mut(&over) else { return };
        let Some(front) = written.front_mut() else { return };
        front.bytes -= bytes;
        if front.bytes == 0 {
            written.pop_front();
        }
    }

    /// Number of bytes, by the flow whose connection is shared and the flow that they belong to.
    pub fn bytes(&self) -> BTreeMap<(usize, usize), u64> {
        let mut bytes = BTreeMap::new();
        for (&over, written) in &self.0 {
            for part in written {
                *bytes.entry((over, part.of)).or_default() += part.bytes;
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_in_the_order_in_which_they_are_written() {
        let mut shared_streams = SharedStreams::default();
        for (of, bytes) in [(1, 100), (1, 50), (2, 30), (1, 5)] {
            shared_streams.push(9, FlowBytes { of, bytes });
        }
        assert_eq!(shared_streams.bytes(), BTreeMap::from([((9, 1), 155), ((9, 2), 30)]));
        assert_eq!(shared_streams.front(9), Some(FlowBytes { of: 1, bytes: 150 }));
        shared_streams.take(9, 149);
        assert_eq!(shared_streams.front(9), Some(FlowBytes { of: 1, bytes: 1 }));
        shared_streams.take(9, 1);
        assert_eq!(shared_streams.front(9), Some(FlowBytes { of: 2, bytes: 30 }));
        shared_streams.take(9, 30);
        shared_streams.take(9, 5);
        assert_eq!((shared_streams.front(9), shared_streams.front(8)), (None, None));
    }
}

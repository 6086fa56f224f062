//! The data that one segment takes from the sender's sequence space.

/// A range of sequence space to send in one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) seq: u64,
    /// Bytes of data.
    pub(super) len: u64,
    pub(super) fin: bool,
    pub(super) sending: Sending,
}

/// The occasion on which a piece is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sending {
    /// It begins with data, or a FIN, that were never sent before.
    First,
    /// It begins with data that were sent before.
    Again,
    /// A byte beyond a closed window.
    Probe,
}

impl Piece {
    /// The sequence number after it.
    #[inline]
    pub(super) fn end(self) -> u64 {
        self.seq + self.len + u64::from(self.fin)
    }
}

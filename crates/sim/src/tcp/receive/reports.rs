//! Reports that few ACKs have: data that arrived twice, and an ACK of data before a changed mark.

use super::echo::Earlier;

/// Reports of one receiver; a pointer, for most receivers never have any.
#[derive(Clone, Debug, Default)]
pub(super) struct Reports(Option<Box<Waiting>>);

/// Reports that wait for the ACK that carries them.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    duplicate: Option<(u64, u64)>,
    earlier: Option<Earlier>,
}

impl Reports {
    /// Has the next ACK report that the data of `range` arrived twice (RFC 2883).
    #[cold]
    pub(super) fn note_duplicate(&mut self, range: (u64, u64)) {
        self.0.get_or_insert_default().duplicate = Some(range);
    }

    /// Has `earlier` leave before the data behind it are acknowledged.
    #[cold]
    pub(super) fn note_earlier(&mut self, earlier: Earlier) {
        self.0.get_or_insert_default().earlier = Some(earlier);
    }

    /// True if an ACK of earlier data leaves first.
    #[inline]
    pub(super) fn has_earlier(&self) -> bool {
        self.0.as_ref().is_some_and(|waiting| waiting.earlier.is_some())
    }

    /// The ACK of earlier data, if there is one.
    #[cold]
    pub(super) fn take_earlier(&mut self) -> Option<Earlier> {
        self.0.as_mut()?.earlier.take()
    }

    /// The range that arrived twice since the latest ACK, if there is one.
    pub(super) fn take_duplicate(&mut self) -> Option<(u64, u64)> {
        self.0.as_mut()?.duplicate.take()
    }
}

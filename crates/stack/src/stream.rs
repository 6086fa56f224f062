//! The end of the other end's stream.

use cellway_sim::pdu::{Flags, Segment};

/// The other end's stream, as far as segments have said where it ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stream {
    /// Number of its FIN.
    fin: Option<u64>,
    /// Number after all data.
    end: u64,
}

impl Stream {
    /// A segment without data behind the FIN (RFC 9293 §3.10.7.4, seventh); `None` for one of
    /// those alone, and one whose FIN contradicts others: it is before data, or at another number.
    pub(crate) fn bounded(&mut self, mut segment: Segment) -> Option<Segment> {
        if segment.flags.contains(Flags::FIN) {
            let number = segment.end() - 1;
            if number < self.end || self.fin.is_some_and(|fin| fin != number) {
                return None;
            }
            self.fin = Some(number);
        }
        let has_data = segment.len > 0;
        if let Some(fin) = self.fin {
            segment.len =
                segment.len.min(u16::try_from(fin.saturating_sub(segment.seq)).unwrap_or(u16::MAX));
        }
        self.end = self.end.max(segment.seq + u64::from(segment.len));
        (segment.len > 0 || !has_data).then_some(segment)
    }
}

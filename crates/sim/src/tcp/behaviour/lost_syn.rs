//! Effect of a SYN that timed out, or whose answer did, on the first data: `flow.tcp.lost_syn`.
//!
//! * `rfc5681` (§3.1), the default: cwnd is one segment; `fine` timers begin with 3 s (RFC 6298
//!   §5.7).
//! * `linux`: cwnd is one segment after two timeouts, and the initial window after one (RFC 6928
//!   §2). If the ACK echoes the timestamp of the first SYN, that one had arrived: the timeouts were
//!   spurious, and the initial window stays. Any echo is a sample of the timeout, in place of the 3
//!   s; slow start is none after a timeout. Measured beside Linux 6.18, at both ends.
//!
//! Departure: the first five timeouts of a SYN have one length in Linux, and each doubles here.

use crate::language::part::prelude::*;
use crate::units::Span;

variants! {
    /// Effect of a SYN that timed out, or whose answer did, on the first data.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LostSyn {
        /// One segment, and 3 s as their timeout with `fine` timers (RFC 5681 section 3.1, RFC 6298
        /// section 5.7).
        Rfc5681 = "rfc5681",
        /// One segment after two timeouts (RFC 6928 section 2), unless a timestamp shows that the
        /// first SYN arrived; an echoed timestamp is a sample of the timeout. As in Linux.
        Linux = "linux",
    }
}

/// Timestamp that the ACK of a SYN echoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct SynEcho {
    /// Its age.
    pub(in crate::tcp) age: Span,
    /// True if it is that of the first SYN.
    pub(in crate::tcp) is_first: bool,
}

impl LostSyn {
    /// True if the first data are one segment after so many timeouts of the SYN.
    pub(in crate::tcp) fn leaves_one_segment(self, timeouts: u32, echo: Option<SynEcho>) -> bool {
        match self {
            Self::Rfc5681 => timeouts > 0,
            Self::Linux => timeouts > 1 && !echo.is_some_and(|echo| echo.is_first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows of Linux 6.18 after 0, 1, 2 and 3 timeouts: without timestamps, with the echo of a
    /// later SYN, and with that of the first. RFC 5681 has one segment whatever the echo.
    #[test]
    fn a_second_timeout_leaves_one_segment_unless_it_was_spurious() {
        let echo = |is_first| Some(SynEcho { age: Span::from_milliseconds(40), is_first });
        for (echo, linux) in [
            (None, [false, false, true, true]),
            (echo(false), [false, false, true, true]),
            (echo(true), [false; 4]),
        ] {
            let leaves = |rule: LostSyn| [0, 1, 2, 3].map(|n| rule.leaves_one_segment(n, echo));
            assert_eq!(leaves(LostSyn::Linux), linux, "{echo:?}");
            assert_eq!(leaves(LostSyn::Rfc5681), [false, true, true, true], "{echo:?}");
        }
    }
}

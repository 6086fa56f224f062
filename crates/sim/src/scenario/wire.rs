//! Sizes of TCP segments on the wire, and rates of sources there.

use super::resolved::{Carries, Link};
use crate::atm::aal5;
use crate::pdu::IpVersion;
use crate::traffic::SourceLoad;

/// Cells of the AAL5 frame around a segment with `payload` bytes of data and no options.
pub(crate) const fn cells_of_segment(payload: u64, ip: IpVersion) -> u64 {
    aal5::cells_of(payload + ip.tcp_headers())
}

/// Bits that a segment with `payload` bytes of data takes on `link`, at the rate that [`rate_of`]
/// gives.
pub(crate) fn bits_of_segment(payload: u64, ip: IpVersion, link: &Link) -> u64 {
    link.carries.bits_of(payload + ip.tcp_headers())
}

/// Bits per second that a source takes of `link` while it sends, at the rate that [`rate_of`]
/// gives.
pub(crate) fn peak_on(load: &SourceLoad, link: &Link) -> f64 {
    match link.carries {
        Carries::Cells { .. } => load.offered.bits_of_cells(),
        Carries::Packets { framing, .. } => load.offered.bits_of_line(framing),
    }
}

/// Average of the bits per second that a source takes of `link`.
pub(crate) fn mean_on(load: &SourceLoad, link: &Link) -> f64 {
    load.busy_part * peak_on(load, link)
}

/// The rate at which a link takes cells or packets.
pub(crate) fn rate_of(link: &Link) -> u64 {
    link.carries.rate().bits_per_second()
}

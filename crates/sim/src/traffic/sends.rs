//! Units that a source sends, and the time from one to the next: raw cells, UDP datagrams, or
//! writes to a TCP connection.
//!
//! A rate of cells counts their bits, `of cell` or `of payload`; a rate of datagrams and writes
//! counts those of the payload alone, since headers, cells and framing differ from link to link.
//! Datagrams of random size are as far apart as those of their mean size.

use super::size::{DATAGRAM_SIZE, Size, WRITE_SIZE};
use crate::atm::aal5;
use crate::language::fault::At;
use crate::language::part::prelude::*;
use crate::language::rate_of_cells::{MAX_ERROR, cell_rate, check_cell_time, of_line};
use crate::pdu::IpVersion;
use crate::units::{CELL_BITS, CELL_PAYLOAD_BYTES, Framing, Layer, LayeredRate, Rate, Span};

part! {
    /// Raw cells, datagrams or writes at a rate.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Sends {
        /// Mean rate, with bursts that within a burst: of raw cells `of cell` or `of payload`; of
        /// datagrams and writes `of payload`, which is that of UDP or of the writes.
        rate: LayeredRate = required("\"9.36 Mbit/s of payload\""),
        /// UDP payload of each datagram, which 28 B of headers make a packet; datagrams are equally
        /// far apart whatever their size.
        datagram: Option<Size> = absent("raw cells, or writes", "\"160 B\"") as DATAGRAM_SIZE,
        /// Size of each write to the connection, with `tcp`; writes are equally far apart whatever
        /// their size.
        write: Option<Size> = absent("raw cells, or datagrams", "\"10 kB\"") as WRITE_SIZE,
    }
    finish Sends::checked;
}

impl Sends {
    /// Makes raw cells at this rate.
    pub const fn cells(cell_rate: Rate) -> Self {
        Self {
            rate: LayeredRate { rate: cell_rate, layer: Layer::Cell },
            datagram: None,
            write: None,
        }
    }

    /// Makes datagrams with payload of this size, at this rate of payload.
    pub const fn datagrams(payload_rate: Rate, size: Size) -> Self {
        let rate = LayeredRate { rate: payload_rate, layer: Layer::Payload };
        Self { rate, datagram: Some(size), write: None }
    }

    /// Makes writes of this size, at this rate.
    pub const fn writes(rate: Rate, size: Size) -> Self {
        let rate = LayeredRate { rate, layer: Layer::Payload };
        Self { rate, datagram: None, write: Some(size) }
    }

    /// Bytes of each datagram or write; `None` for raw cells.
    pub(super) fn size(&self) -> Option<&Size> {
        self.datagram.as_ref().or(self.write.as_ref())
    }

    /// Checks the units, and converts the rate to their layer.
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        let written = section.spanned::<LayeredRate>("rate")?;
        let place = format!("{}.rate", section.place());
        if self.datagram.is_some() && self.write.is_some() {
            let message = format!(
                "`{}` has both `datagram` and `write`; expected one of them",
                section.place()
            );
            return Err(Fault::new(&section.spanned::<Size>("write")?.at, message));
        }
        if self.size().is_none() {
            let rate = cell_rate(self.rate).ok_or_else(|| of_line(&written, &place))?;
            return Ok(Self::cells(rate));
        }
        if self.rate.layer == Layer::Payload {
            return Ok(self);
        }
        let message = format!(
            "`{place}`: {}s are no cells, and what frames them differs from link to link; \
             expected the rate of their payload, such as `64 kbit/s of payload`",
            self.word()
        );
        Err(Fault::new(&written.at, message))
    }

    /// Checks that the constant distance from one unit to the next is a whole number of
    /// picoseconds.
    pub(super) fn check_steady(&self, section: &Section<'_>) -> Result<(), Fault> {
        let place = format!("{}.rate", section.place());
        let written: At<LayeredRate> = section.spanned("rate")?;
        if self.size().is_none() {
            return check_cell_time(self.rate.rate, &written, &place).map(|_| ());
        }
        let exact = self.mean_seconds() * 1e12;
        if (self.interval().picoseconds() as f64 / exact - 1.0).abs() <= MAX_ERROR {
            return Ok(());
        }
        let message = format!(
            "`{place}`: a {} in {exact:.3} ps is not one in a whole number of picoseconds; \
             expected a lower rate",
            self.word()
        );
        Err(Fault::new(&written.at, message))
    }

    /// The word of its units in faults.
    pub(super) const fn word(&self) -> &'static str {
        match (&self.datagram, &self.write) {
            (Some(_), _) => "datagram",
            (None, Some(_)) => "write",
            (None, None) => "cell",
        }
    }

    /// Mean time from one unit to the next, in seconds.
    pub(super) fn mean_seconds(&self) -> f64 {
        match self.size() {
            None => 1.0 / self.rate.rate.cells_per_second_f64(),
            Some(size) => 8.0 * size.mean() / self.rate.rate.bits_per_second() as f64,
        }
    }

    /// Time from one unit to the next, to the nearest picosecond and never zero.
    pub(super) fn interval(&self) -> Span {
        match self.size() {
            None => self.rate.rate.cell_time(),
            Some(_) => Span::from_picoseconds((self.mean_seconds() * 1e12 + 0.5).max(1.0) as i64),
        }
    }

    /// Load of a link while it sends.
    pub(super) fn load(&self, ip: IpVersion) -> Offered {
        match (&self.datagram, &self.write) {
            (None, None) => Offered::Cells(self.rate.rate),
            (None, Some(size)) => {
                Offered::Writes { rate: self.rate.rate, is_random: size.is_random() }
            }
            (Some(size), _) => Offered::Datagrams {
                per_second: 1.0 / self.mean_seconds(),
                payload_bytes: size.mean(),
                headers: ip.udp_headers(),
                cells: mean_cells(size, ip),
                is_random: size.is_random(),
            },
        }
    }
}

/// Mean number of cells of the AAL5 frame around a datagram: P(cells > k), summed over k.
fn mean_cells(size: &Size, ip: IpVersion) -> f64 {
    let headers = ip.udp_headers() + aal5::LLC_SNAP_BYTES + aal5::TRAILER_BYTES;
    let payload_of = |cells: u64| (cells * CELL_PAYLOAD_BYTES).checked_sub(headers);
    let above = |cells| payload_of(cells).map_or(1.0, |payload| size.probability_above(payload));
    let max = aal5::cells_of(size.max() + ip.udp_headers());
    (0..max).map(above).sum()
}

/// Load of a link by a source while it sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offered {
    /// Whole cells.
    Cells(Rate),
    /// Datagrams, of mean size where sizes are drawn.
    Datagrams {
        /// Datagrams per second.
        per_second: f64,
        /// Bytes of UDP payload in each, on average.
        payload_bytes: f64,
        /// Bytes of the IP and UDP headers of each.
        headers: u64,
        /// Cells of each where it is an AAL5 frame, on average.
        cells: f64,
        /// True if sizes are drawn.
        is_random: bool,
    },
    /// Writes to a connection, which sends them as it can.
    Writes {
        /// Rate of the writes.
        rate: Rate,
        /// True if sizes are drawn.
        is_random: bool,
    },
}

impl Offered {
    /// Bits of whole cells per second, on a link of cells; zero for writes, whose load only their
    /// connection knows.
    pub fn bits_of_cells(&self) -> f64 {
        match *self {
            Self::Cells(rate) => rate.bits_per_second() as f64,
            Self::Datagrams { per_second, cells, .. } => per_second * cells * CELL_BITS as f64,
            Self::Writes { .. } => 0.0,
        }
    }

    /// True if sizes are drawn.
    pub const fn has_random_sizes(&self) -> bool {
        matches!(
            self,
            Self::Datagrams { is_random: true, .. } | Self::Writes { is_random: true, .. }
        )
    }

    /// Bits of the line per second, on a link of packets with this framing; zero for raw cells, and
    /// for writes, whose load only their connection knows.
    pub fn bits_of_line(&self, framing: Framing) -> f64 {
        match *self {
            Self::Cells(_) | Self::Writes { .. } => 0.0,
            Self::Datagrams { per_second, payload_bytes, headers, .. } => {
                let framed = payload_bytes + (headers + u64::from(framing.bytes)) as f64;
                per_second * 8.0 * framed * framing.bits_per_bit()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;
    use crate::traffic::{ExponentialSize, Mix, SizeDistribution};
    use crate::units::Bytes;

    /// Bytes of one cell: 4 of payload, 28 of headers and 16 of AAL5.
    #[test]
    fn the_cells_of_a_datagram() {
        let cells = |ip| {
            let of = |size| mean_cells(&Size::Fixed(Bytes(size)), ip) as u64;
            [4, 5, 32, 33, 52, 53, 1472].map(of)
        };
        assert_eq!(cells(IpVersion::V4), [1, 2, 2, 2, 2, 3, 32]);
        // 20 bytes more of header.
        assert_eq!(cells(IpVersion::V6), [2, 2, 2, 3, 3, 3, 32]);
    }

    #[test]
    fn the_mean_cells_of_drawn_datagrams_are_those_of_many() {
        const DRAWS: u32 = 100_000;
        let mix = Mix::new(vec![(Bytes(12), 7), (Bytes(548), 4), (Bytes(1472), 1)]);
        let exponential = ExponentialSize { mean: Bytes(500) };
        for size in [SizeDistribution::Mix(mix), SizeDistribution::Exponential(exponential)] {
            let (size, mut stream) = (Size::Drawn(size), Stream::new(1, "sizes"));
            let drawn = (0..DRAWS).map(|_| aal5::cells_of(28 + size.draw(&mut stream)));
            let mean = drawn.sum::<u64>() as f64 / f64::from(DRAWS);
            // The deviation is 10 cells at most: four standard errors.
            assert!(
                (mean - mean_cells(&size, IpVersion::V4)).abs() < 0.13,
                "{mean} {}",
                mean_cells(&size, IpVersion::V4)
            );
        }
    }

    #[test]
    fn a_rate_of_payload_counts_nothing_else() {
        let rate = Rate::from_bits_per_second(8_000_000);
        let sends = Sends::datagrams(rate, Size::Fixed(Bytes(1000)));
        assert_eq!(sends.interval(), Span::from_milliseconds(1));
        // 22 cells, and 1000 + 28 + 38 B.
        let offered = sends.load(IpVersion::V4);
        assert!((offered.bits_of_cells() - 9_328_000.0).abs() < 1e-3);
        assert!(
            (offered.bits_of_line(Framing { bytes: 38, cell_headers: false }) - 8_528_000.0).abs()
                < 1e-3
        );
    }
}

//! Header error control of a cell (ITU-T I.432.1, 4.3.2): the receiving end of one direction of a
//! link corrects a single wrong bit of the header, or discards the cell.
//!
//! The receiver begins in correction mode. There a single wrong bit is corrected and more are
//! detected; either changes it to detection mode. There every header with an error is discarded,
//! until one without errors changes it back.
//!
//! Departure: the CRC-8 detects all double errors and nearly all others; here it detects all, so
//! that no cell goes to a wrong VC.

/// Bits of a cell's header, including the HEC octet.
pub(super) const HEADER_BITS: u64 = 40;

/// The receiver of one direction of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HeaderCheck {
    /// Mode in which a single wrong bit is corrected.
    #[default]
    Correction,
    /// Mode in which no error is corrected.
    Detection,
}

impl HeaderCheck {
    /// True if a cell with so many wrong bits in its header is accepted.
    pub(super) fn accepts(&mut self, errors: u64) -> bool {
        let is_accepted = errors == 0 || (errors == 1 && *self == Self::Correction);
        *self = if errors == 0 { Self::Correction } else { Self::Detection };
        is_accepted
    }
}

/// Probability that `cells` back to back are all accepted and have no error in their payload, if
/// each bit is wrong with probability `rate`.
pub(super) fn intact(cells: u64, rate: f64) -> f64 {
    let right = |bits: u64| libm::pow(1.0 - rate, bits as f64);
    let (clean, payload) = (right(HEADER_BITS), right(crate::units::CELL_BITS - HEADER_BITS));
    let single = HEADER_BITS as f64 * rate * right(HEADER_BITS - 1);
    // The cell before, idle or not, left the receiver in correction mode if its header was clean.
    let (mut correcting, mut detecting) = (clean, 1.0 - clean);
    for _ in 0..cells {
        let accepted = (correcting + detecting) * clean * payload;
        (correcting, detecting) = (accepted, correcting * single * payload);
    }
    correcting + detecting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Stream;
    use crate::link::chance::Chance;

    #[test]
    fn after_an_error_the_next_one_is_not_corrected() {
        let mut receiver = HeaderCheck::default();
        let wrong_bits = [0, 1, 1, 0, 1, 0, 2, 1, 3, 0, 1, 0, 0, 1];
        let accepted = wrong_bits.map(|errors| u8::from(receiver.accepts(errors)));
        assert_eq!(accepted, [1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(receiver, HeaderCheck::Detection);
    }

    /// After a clean header more than one wrong bit is discarded, after another any.
    #[test]
    fn headers_are_discarded_as_often_as_independent_errors_say() {
        let rate = 0.01_f64;
        let clean = libm::pow(1.0 - rate, 40.0);
        let single = 40.0 * rate * libm::pow(1.0 - rate, 39.0);
        let mut bits = Chance::new(rate, Stream::new(1, "bits"));
        let mut receiver = HeaderCheck::default();
        // Numbers of cells and of discarded cells, after a clean header and after another.
        let mut found = [(0.0, 0.0); 2];
        let mut behind = 0;
        for _ in 0..200_000 {
            let errors = bits.count(HEADER_BITS);
            let (cells, discarded) = &mut found[behind];
            *cells += 1.0;
            *discarded += f64::from(u8::from(!receiver.accepts(errors)));
            behind = usize::from(errors > 0);
        }
        for ((cells, discarded), p) in found.into_iter().zip([1.0 - clean - single, 1.0 - clean]) {
            let deviation = (cells * p * (1.0 - p)).sqrt();
            assert!((discarded - cells * p).abs() < 4.0 * deviation, "{discarded} of {cells}, {p}");
        }
    }

    #[test]
    fn of_one_cell_the_probability_is_that_of_its_bits() {
        let rate = 1e-3;
        let right = |bits: i32| libm::pow(1.0 - rate, f64::from(bits));
        let (clean, single) = (right(40), 40.0 * rate * right(39));
        let expected = (clean + clean * single) * right(384);
        assert!((intact(1, rate) - expected).abs() < 1e-15);
        assert!((intact(7, 0.0) - 1.0).abs() < 1e-15 && intact(7, 1.0) < 1e-15);
    }
}

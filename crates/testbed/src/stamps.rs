//! Instants at which packets of one end enter the path.
//!
//! The kernel answers an arrival while the packet is handed to it, so the answer has the computed
//! instant of the arrival, however late that was. Lateness of the driver then does not add up over
//! round trips. All other packets have the instant of the clock. Instants of one end never
//! decrease: packets would overtake one another.

use cellway_sim::units::Time;

/// The latest stamp of an end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stamps {
    last: Time,
}

impl Stamps {
    /// Stamp of a packet that is found at `at`, the instant of an arrival or of the clock.
    pub(crate) fn stamp(&mut self, at: Time) -> Time {
        self.last = self.last.max(at);
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_the_instant_of_the_arrival_but_never_an_earlier_one_than_before() {
        let at = Time::from_picoseconds;
        let mut stamps = Stamps::default();
        assert_eq!(stamps.stamp(at(5)), at(5));
        // By the clock, which is late.
        assert_eq!(stamps.stamp(at(9)), at(9));
        // An answer to an arrival that was due before.
        assert_eq!(stamps.stamp(at(7)), at(9));
        assert_eq!(stamps.stamp(at(11)), at(11));
    }
}

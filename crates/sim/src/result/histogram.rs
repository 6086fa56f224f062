//! Counts of whole numbers in bounded memory: exact while they are small, with a fixed relative
//! error beyond.
//!
//! Source: G. Tene's HDR histogram (hdrhistogram.org): numbers below 2^11 have a bin each, and
//! every octave above is cut into 2^10 bins of equal width, so that a bin is never wider than a
//! thousandth (2^-10) of its numbers. A large number costs the bins up to it: 1024 for each
//! doubling.
//!
//! Decided here: a quantile is the greatest number of its bin, so it is never too low, and too high
//! by less than a thousandth. The sum is counted separately, so the mean has no such error.

/// log2 of the number of bins in an octave.
pub(super) const PRECISION: u32 = 10;

/// Whole numbers, each with a weight: its count, or its time.
#[derive(Clone, Debug)]
pub struct Histogram {
    bins: Vec<u64>,
    weight: u64,
    sum: u128,
    min: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { bins: Vec::new(), weight: 0, sum: 0, min: u64::MAX, max: 0 }
    }
}

impl Histogram {
    /// Adds a `number` with this `weight`.
    #[inline]
    pub fn add(&mut self, number: u64, weight: u64) {
        if weight == 0 {
            return;
        }
        let bin = bin_of(number);
        if bin >= self.bins.len() {
            self.grow(bin + 1);
        }
        self.min = self.min.min(number);
        self.bins[bin] += weight;
        self.weight += weight;
        self.sum += u128::from(number) * u128::from(weight);
        self.max = self.max.max(number);
    }

    /// Adds each of the `numbers` once.
    pub fn add_all(&mut self, numbers: &[u64]) {
        if let Some(number) = the_same(numbers) {
            return self.add(number, numbers.len() as u64);
        }
        let (mut sum, mut min, mut max) = (0, u64::MAX, 0);
        for &number in numbers {
            sum += u128::from(number);
            min = min.min(number);
            max = max.max(number);
        }
        if bin_of(max) >= self.bins.len() {
            self.grow(bin_of(max) + 1);
        }
        for &number in numbers {
            let bin = &mut self.bins[bin_of(number)];
            *bin = bin.wrapping_add(1);
        }
        self.weight += numbers.len() as u64;
        self.sum += sum;
        self.min = self.min.min(min);
        self.max = self.max.max(max);
    }

    #[cold]
    fn grow(&mut self, bins: usize) {
        self.bins.resize(bins, 0);
    }

    /// Sum of all weights.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// The smallest number, if there is one.
    pub fn min(&self) -> Option<u64> {
        (self.weight > 0).then_some(self.min)
    }

    /// The greatest number; 0 without numbers.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The mean, if there are numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.weight > 0).then(|| self.sum as f64 / self.weight as f64)
    }

    /// The numbers in ascending order.
    pub fn ascent(&self) -> Ascent<'_> {
        Ascent { histogram: self, bins: self.min().map_or(0, bin_of), weight: 0 }
    }
}

/// One pass through a histogram: its calls must be in ascending order.
#[derive(Clone, Debug)]
pub struct Ascent<'a> {
    histogram: &'a Histogram,
    /// Number of bins that were passed.
    bins: usize,
    /// Sum of the weights in these bins.
    weight: u64,
}

impl Ascent<'_> {
    /// The smallest number that at least `fraction` of the weight does not exceed; `None` without
    /// numbers.
    pub fn quantile(&mut self, fraction: f64) -> Option<u64> {
        let Histogram { ref bins, weight, max, .. } = *self.histogram;
        let wanted = fraction * weight as f64;
        while self.weight == 0 || (self.weight as f64) < wanted {
            self.weight += bins.get(self.bins)?;
            self.bins += 1;
        }
        Some(greatest_of(self.bins - 1).min(max))
    }

    /// The fraction of the weight above `number`; 0 without numbers. Numbers in the bin of `number`
    /// are not above it.
    pub fn above(&mut self, number: u64) -> f64 {
        let Histogram { ref bins, weight, .. } = *self.histogram;
        let end = (bin_of(number) + 1).min(bins.len());
        while self.bins < end {
            self.weight += bins[self.bins];
            self.bins += 1;
        }
        if weight == 0 { 0.0 } else { (weight - self.weight) as f64 / weight as f64 }
    }
}

/// The common value of the `numbers`, if they are all equal; as a rule a difference is found at
/// once.
pub(super) fn the_same(numbers: &[u64]) -> Option<u64> {
    let (first, others) = numbers.split_first()?;
    others.iter().all(|other| other == first).then_some(*first)
}

#[inline]
fn bin_of(number: u64) -> usize {
    let shift = (number | 1 << PRECISION).ilog2() - PRECISION;
    ((u64::from(shift) << PRECISION) + (number >> shift)) as usize
}

fn greatest_of(bin: usize) -> u64 {
    let bin = bin as u64;
    let shift = (bin >> PRECISION).saturating_sub(1);
    ((bin - (shift << PRECISION) + 1) << shift) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below this have a bin each.
    const EXACT: u64 = 2 << PRECISION;

    #[test]
    fn a_bin_ends_where_the_next_one_begins() {
        for bin in 0..20_000 {
            assert_eq!(bin_of(greatest_of(bin)), bin);
            assert_eq!(bin_of(greatest_of(bin) + 1), bin + 1);
        }
        assert_eq!(bin_of(u64::MAX >> 1), bin_of(1 << 62) + (EXACT as usize / 2 - 1));
    }

    #[test]
    fn no_bin_is_wider_than_a_thousandth_of_what_it_holds() {
        for number in (0..60).map(|octave| (1_u64 << octave) + (1 << octave) / 3) {
            let excess = greatest_of(bin_of(number)) - number;
            assert!(excess as f64 <= number as f64 / 1024.0, "{number}: {excess}");
            assert!(number >= EXACT || excess == 0);
        }
    }

    #[test]
    fn quantiles_and_tails_of_a_hundred_numbers() {
        let mut numbers = Histogram::default();
        (1..=100).for_each(|number| numbers.add(number, 3));
        let mut ascent = numbers.ascent();
        let quantiles = [0.0, 0.5, 0.5, 0.99, 0.999, 1.0].map(|fraction| ascent.quantile(fraction));
        assert_eq!(quantiles, [1, 50, 50, 99, 100, 100].map(Some));
        let mut ascent = numbers.ascent();
        let above = [0, 90, 90, 100, 5000].map(|number| ascent.above(number));
        assert_eq!(above.as_slice(), [1.0, 0.1, 0.1, 0.0, 0.0]);
        assert_eq!((numbers.mean(), numbers.max(), numbers.weight()), (Some(50.5), 100, 300));
    }

    #[test]
    fn many_at_once_count_as_one_by_one() {
        let numbers = [7_u64, 3, 1_234_567_890_123, 2048, 3, 5_000_001];
        let [mut at_once, mut one_by_one] = [Histogram::default(), Histogram::default()];
        at_once.add_all(&numbers[..2]);
        at_once.add_all(&[]);
        at_once.add_all(&numbers[2..]);
        at_once.add_all(&[5, 5, 5]);
        for number in numbers.into_iter().chain([5, 5, 5]) {
            one_by_one.add(number, 1);
        }
        assert_eq!(format!("{at_once:?}"), format!("{one_by_one:?}"));
    }

    #[test]
    fn of_nothing_there_is_no_quantile() {
        let nothing = Histogram::default();
        let mut ascent = nothing.ascent();
        assert_eq!((ascent.quantile(0.5), nothing.mean(), ascent.above(0)), (None, None, 0.0));
    }

    #[test]
    fn a_long_delay_keeps_its_mean_and_its_largest() {
        let mut delays = Histogram::default();
        delays.add(1_234_567_890_123, 1);
        delays.add(3, 1);
        assert_eq!(delays.mean(), Some(617_283_945_063.0));
        assert_eq!(
            (delays.min(), delays.ascent().quantile(1.0)),
            (Some(3), Some(1_234_567_890_123))
        );
    }
}

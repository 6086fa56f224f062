//! Draws that depend on a number alone: `SplitMix64` (Steele, Lea, Flood 2014).

/// The draws of one network.
pub(crate) struct Dice(u64);

impl Dice {
    /// Those of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Self(seed);
        // Neighbouring seeds begin far apart.
        dice.0 = dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Others, which leave those that follow as they are.
    pub(crate) fn apart(&self) -> Self {
        Self::new(!self.0)
    }

    /// From `least` to `most`, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }

    /// A place in a list of so many.
    pub(crate) fn place(&mut self, of: usize) -> usize {
        self.between(0, of as u64 - 1) as usize
    }

    /// Once in so many.
    pub(crate) fn one_in(&mut self, many: u64) -> bool {
        self.next().is_multiple_of(many)
    }

    /// One of these.
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.place(of.len())]
    }
}

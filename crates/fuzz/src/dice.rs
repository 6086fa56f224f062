//! Draws from octets, so that an engine that changes octets changes single draws. Where the octets
//! end, draws go on with `SplitMix64` (Steele, Lea, Flood 2014).

/// Draws of one input, with the methods of the dice of random networks.
#[derive(Clone, Debug)]
pub(crate) struct Dice<'o> {
    octets: &'o [u8],
    state: u64,
}

impl<'o> Dice<'o> {
    /// Draws of these octets.
    pub(crate) fn of(octets: &'o [u8]) -> Self {
        Self { octets, state: 0 }
    }

    /// Draws of a seed alone.
    pub(crate) fn new(seed: u64) -> Self {
        Self { octets: &[], state: seed }
    }

    /// True as long as draws come from the input.
    pub(crate) fn has_more(&self) -> bool {
        !self.octets.is_empty()
    }

    /// A number of so many octets.
    fn next(&mut self, wanted: usize) -> u64 {
        if let Some((taken, rest)) = self.octets.split_at_checked(wanted) {
            self.octets = rest;
            return taken.iter().fold(0, |number, octet| number << 8 | u64::from(*octet));
        }
        self.octets = &[];
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Others, which leave those that follow as they are.
    pub(crate) fn apart(&self) -> Self {
        Self { octets: self.octets, state: !self.state }
    }

    /// From `least` to `most`, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        let wanted = match most - least {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        };
        let drawn = self.next(wanted);
        (most - least).checked_add(1).map_or(drawn, |count| least + drawn % count)
    }

    /// A place in a list of so many.
    pub(crate) fn place(&mut self, of: usize) -> usize {
        self.between(0, of as u64 - 1) as usize
    }

    /// Once in so many.
    pub(crate) fn one_in(&mut self, many: u64) -> bool {
        self.between(0, many - 1) == 0
    }

    /// One of these.
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.place(of.len())]
    }
}

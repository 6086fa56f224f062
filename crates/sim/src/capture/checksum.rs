//! The Internet checksum (RFC 1071): the ones' complement of the ones' complement sum of
//! sixteen-bit words. Zeros add nothing, so a payload of zeros counts by its length alone.

/// A sum of words. Octets that are left at the end are the upper part of their word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum(u64);

impl Sum {
    /// Adds octets.
    #[inline]
    pub(super) fn with(self, octets: &[u8]) -> Self {
        // Words of 32 bits have the same sum (RFC 1071 §2, parallel summation).
        let (whole, rest) = octets.as_chunks::<4>();
        let sum: u64 = whole.iter().map(|word| u64::from(u32::from_be_bytes(*word))).sum();
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        Self(self.0 + sum + u64::from(u32::from_be_bytes(last)))
    }

    /// Adds a number of sixteen bits.
    #[inline]
    pub(super) fn with_word(self, word: u16) -> Self {
        Self(self.0 + u64::from(word))
    }

    /// Returns the checksum; carries are added at the end (RFC 1071 §2).
    #[inline]
    pub(super) fn checksum(self) -> u16 {
        let mut sum = self.0;
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        !(sum as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    /// RFC 1071 §3: the words 0001 f203 f4f5 f6f7 come to ddf2.
    #[test]
    fn the_example_of_the_standard() {
        let sum = Sum::default().with(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]);
        assert_eq!(sum.checksum(), !0xddf2);
        assert_eq!(Sum::default().with(&[1, 2, 3]).checksum(), !0x0402);
        assert_eq!(Sum::default().with_word(0xffff).with_word(1).checksum(), !1);
    }
}

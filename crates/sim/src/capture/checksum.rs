//! The Internet checksum (RFC 1071): the ones' complement of the ones' complement sum of sixteen-bit
//! words. Zeros add nothing, so a payload of zeros counts by its length alone.

/// A sum of octets in pairs. A last octet without a partner is the upper one of its word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum(u64);

impl Sum {
    /// With these octets added. Only the last call may have an odd number of them.
    pub(super) fn with(self, octets: &[u8]) -> Self {
        let mut words = octets.chunks_exact(2);
        let sum: u64 =
            words.by_ref().map(|word| u64::from(word[0]) << 8 | u64::from(word[1])).sum();
        let last = words.remainder().first().map_or(0, |&octet| u64::from(octet) << 8);
        Self(self.0 + sum + last)
    }

    /// With a number of sixteen bits added.
    pub(super) fn with_word(self, word: u16) -> Self {
        Self(self.0 + u64::from(word))
    }

    /// The checksum of what was added: carries are added at the end (RFC 1071 §2).
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

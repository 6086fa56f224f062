//! Arrays in the format NPY, version 1.0.
//!
//! Source: `NumPy`, `numpy.lib.format`: the magic string, the version, the length of the header in
//! two octets, and a header that is a Python dictionary, padded with spaces so that data begin at a
//! multiple of 64 octets; then the data, little endian.

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
const ALIGNMENT: usize = 64;

/// A vector of numbers.
pub(crate) fn numbers(values: &[f64]) -> Vec<u8> {
    let data = values.iter().flat_map(|value| value.to_le_bytes());
    array("<f8", &format!("({},)", values.len()), data)
}

/// An array without dimensions that is a whole number.
pub(crate) fn whole(value: u64) -> Vec<u8> {
    array("<u8", "()", value.to_le_bytes().into_iter())
}

/// An array without dimensions that is a text: a code point in four octets each.
pub(crate) fn text(value: &str) -> Vec<u8> {
    // NumPy has no text of length zero: it pads with the code point 0, and strips it.
    let length = value.chars().count().max(1);
    let points = value.chars().map(u32::from).chain([0]).take(length);
    array(&format!("<U{length}"), "()", points.flat_map(u32::to_le_bytes))
}

fn array(kind: &str, shape: &str, data: impl Iterator<Item = u8>) -> Vec<u8> {
    let said = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let end = (MAGIC.len() + 2 + said.len() + 1).next_multiple_of(ALIGNMENT);
    let header = format!("{said:<0$}\n", end - MAGIC.len() - 3);
    let mut written = MAGIC.to_vec();
    written.extend((header.len() as u16).to_le_bytes());
    written.extend(header.bytes());
    written.extend(data);
    written
}

#[cfg(test)]
mod tests {
    use super::{numbers, text, whole};

    /// `numpy.lib.format.write_array` of `numpy.array([1.0, -2.5])`, looked at with `xxd`.
    #[test]
    fn vector_begins_at_a_multiple_of_64_octets() {
        let written = numbers(&[1.0, -2.5]);
        assert_eq!(&written[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2,)";
        assert!(written[10..].starts_with(header));
        assert_eq!(written[127], b'\n');
        assert_eq!(&written[128..136], &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
        assert_eq!(&written[136..], &[0, 0, 0, 0, 0, 0, 0x04, 0xc0]);
    }

    #[test]
    fn text_has_four_octets_a_letter() {
        let written = text("µs");
        assert!(written[10..].starts_with(b"{'descr': '<U2', 'fortran_order': False, 'shape': ()"));
        assert_eq!(&written[128..], b"\xb5\0\0\0s\0\0\0");
        assert_eq!(&text("")[128..], b"\0\0\0\0");
    }

    #[test]
    fn whole_number_has_no_dimensions() {
        assert_eq!(&whole(258)[128..], b"\x02\x01\0\0\0\0\0\0");
    }
}

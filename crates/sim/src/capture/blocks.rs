//! Blocks of a pcapng file (draft-ietf-opsawg-pcapng), little-endian: section header, interface
//! description, name resolution, enhanced packet.

use std::net::IpAddr;

const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION: u32 = 1;
const NAME_RESOLUTION: u32 = 4;
const ENHANCED_PACKET: u32 = 6;
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;

const OPT_COMMENT: u16 = 1;
const SHB_USERAPPL: u16 = 4;
const IF_NAME: u16 = 2;
const IF_TSRESOL: u16 = 9;
const EPB_FLAGS: u16 = 2;
const RECORD_IPV4: u16 = 1;
const RECORD_IPV6: u16 = 2;
/// Ends the options of a block, and the records of names.
const END: [u8; 4] = [0; 4];

/// Time stamps count nanoseconds, 10^-9 s.
const NANOSECONDS: u8 = 9;

/// Direction in which a packet passed its interface: `epb_flags`, its lowest two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    Inbound = 1,
    Outbound = 2,
}

/// Writes the first block: the program that wrote the file, and a comment on the run.
pub(super) fn section_header(application: &str, comment: &str, out: &mut Vec<u8>) {
    block(SECTION_HEADER, out, |out| {
        out.extend(BYTE_ORDER_MAGIC.to_le_bytes());
        out.extend([1_u16, 0].into_iter().flat_map(u16::to_le_bytes));
        // The length of the section is not known.
        out.extend(u64::MAX.to_le_bytes());
        option(OPT_COMMENT, comment.as_bytes(), out);
        option(SHB_USERAPPL, application.as_bytes(), out);
        out.extend(END);
    });
}

/// Writes an interface; packets name it by its place among these blocks.
pub(super) fn interface(name: &str, link_type: u16, out: &mut Vec<u8>) {
    block(INTERFACE_DESCRIPTION, out, |out| {
        out.extend(link_type.to_le_bytes());
        out.extend([0; 2]);
        // No limit on the length that is kept of a packet.
        out.extend(0_u32.to_le_bytes());
        option(IF_NAME, name.as_bytes(), out);
        option(IF_TSRESOL, &[NANOSECONDS], out);
        out.extend(END);
    });
}

/// Writes the names of addresses.
pub(super) fn names<'n>(names: impl Iterator<Item = (IpAddr, &'n str)>, out: &mut Vec<u8>) {
    block(NAME_RESOLUTION, out, |out| {
        for (address, name) in names {
            let record = |octets: &[u8]| [octets, name.as_bytes(), &[0]].concat();
            match address {
                IpAddr::V4(address) => option(RECORD_IPV4, &record(&address.octets()), out),
                IpAddr::V6(address) => option(RECORD_IPV6, &record(&address.octets()), out),
            }
        }
        out.extend(END);
    });
}

/// Writes a packet of `length` octets, of which `kept` writes those that are kept.
pub(super) fn packet(
    interface: u32,
    nanoseconds: u64,
    length: u32,
    passage: Passage,
    out: &mut Vec<u8>,
    kept: impl FnOnce(&mut Vec<u8>),
) {
    out.reserve(256);
    let start = out.len();
    let [upper, lower] = [(nanoseconds >> 32) as u32, nanoseconds as u32];
    // The lengths of the block and of the kept part are filled in when they are known.
    out.extend_from_slice(&words::<7, 28>([
        ENHANCED_PACKET,
        0,
        interface,
        upper,
        lower,
        0,
        length,
    ]));
    let first = out.len();
    kept(out);
    let count = (out.len() - first) as u32;
    pad(first, out);
    let block = (out.len() - start + 16) as u32;
    let flags = u32::from(EPB_FLAGS) | 4 << 16;
    out.extend_from_slice(&words::<4, 16>([flags, passage as u32, 0, block]));
    out[start + 4..start + 8].copy_from_slice(&block.to_le_bytes());
    out[start + 20..start + 24].copy_from_slice(&count.to_le_bytes());
}

/// Converts words to octets in one piece, since a capture is as fast as its packets are written.
#[inline]
fn words<const WORDS: usize, const OCTETS: usize>(words: [u32; WORDS]) -> [u8; OCTETS] {
    let mut octets = [0; OCTETS];
    for (place, word) in octets.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    octets
}

/// Writes a block with its length before and after its body.
fn block(kind: u32, out: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend(kind.to_le_bytes());
    out.extend([0; 4]);
    body(out);
    let length = ((out.len() - start + 4) as u32).to_le_bytes();
    out[start + 4..start + 8].copy_from_slice(&length);
    out.extend(length);
}

/// Writes an option, or a record of the same form. A value that is too long is cut.
fn option(code: u16, value: &[u8], out: &mut Vec<u8>) {
    let value = &value[..value.len().min(usize::from(u16::MAX))];
    out.extend(code.to_le_bytes());
    out.extend((value.len() as u16).to_le_bytes());
    let start = out.len();
    out.extend(value);
    pad(start, out);
}

/// Pads with zeros up to a whole number of words from `start` on.
fn pad(start: usize, out: &mut Vec<u8>) {
    let length = out.len() - start;
    out.resize(start + length.next_multiple_of(4), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of the sections 4.1 and 4.2 of the draft, filled by hand.
    #[test]
    fn the_head_of_a_file() {
        let mut out = Vec::new();
        section_header("cellway", "ab", &mut out);
        interface("a.x", 101, &mut out);
        let expected: [&[u8]; 16] = [
            &[0x0a, 0x0d, 0x0d, 0x0a],
            &[52, 0, 0, 0],
            &[0x4d, 0x3c, 0x2b, 0x1a],
            &[1, 0, 0, 0],
            &[0xff; 8],
            &[1, 0, 2, 0, b'a', b'b', 0, 0],
            &[4, 0, 7, 0, b'c', b'e', b'l', b'l', b'w', b'a', b'y', 0],
            &[0, 0, 0, 0],
            &[52, 0, 0, 0],
            &[1, 0, 0, 0, 40, 0, 0, 0],
            &[101, 0, 0, 0],
            &[0, 0, 0, 0],
            &[2, 0, 3, 0, b'a', b'.', b'x', 0],
            &[9, 0, 1, 0, 9, 0, 0, 0],
            &[0, 0, 0, 0],
            &[40, 0, 0, 0],
        ];
        assert_eq!(out, expected.concat());
    }

    #[test]
    fn names_of_addresses() {
        let mut out = Vec::new();
        names([(IpAddr::from([10, 0, 0, 1]), "ku")].into_iter(), &mut out);
        let record = [1, 0, 7, 0, 10, 0, 0, 1, b'k', b'u', 0, 0];
        let expected = [&[4, 0, 0, 0, 28, 0, 0, 0][..], &record, &END, &[28, 0, 0, 0]].concat();
        assert_eq!(out, expected);
    }

    /// 4.3: three octets of a packet of five, 2^32 + 1 ns after the epoch.
    #[test]
    fn a_packet_of_which_less_is_kept() {
        let mut out = Vec::new();
        let kept = |out: &mut Vec<u8>| out.extend([7, 8, 9]);
        packet(2, (1 << 32) + 1, 5, Passage::Outbound, &mut out, kept);
        let expected: [&[u8]; 8] = [
            &[6, 0, 0, 0, 48, 0, 0, 0],
            &[2, 0, 0, 0],
            &[1, 0, 0, 0, 1, 0, 0, 0],
            &[3, 0, 0, 0, 5, 0, 0, 0],
            &[7, 8, 9, 0],
            &[2, 0, 4, 0, 2, 0, 0, 0],
            &[0, 0, 0, 0],
            &[48, 0, 0, 0],
        ];
        assert_eq!(out, expected.concat());
    }
}

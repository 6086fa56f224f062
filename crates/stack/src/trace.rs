//! Hash of the packets of a run, so that two runs can be compared by one number.

use cellway_sim::pdu::FlowEnd;
use cellway_sim::units::Time;

/// Hash of packets so far: FNV-1a of 64 bits over instants, ends, lengths and octets.
#[derive(Clone, Copy, Debug)]
pub struct Trace(u64);

impl Default for Trace {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Trace {
    /// Adds a packet that an end sends.
    pub fn add(&mut self, at: Time, from: FlowEnd, octets: &[u8]) {
        let is_origin = matches!(from, FlowEnd::Origin(_));
        let end = 2 * from.flow() as u64 + u64::from(!is_origin);
        for word in [at.picoseconds() as u64, end, octets.len() as u64] {
            self.hash(&word.to_le_bytes());
        }
        self.hash(octets);
    }

    /// The hash as text: sixteen hexadecimal digits.
    pub fn text(self) -> String {
        format!("{:016x}", self.0)
    }

    fn hash(&mut self, octets: &[u8]) {
        let step =
            |hash: u64, octet: &u8| (hash ^ u64::from(*octet)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = octets.iter().fold(self.0, step);
    }
}

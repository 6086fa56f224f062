//! Amounts of data. Bytes, cells and packets are different units and never convert silently.

/// Bytes of an ATM cell on the line: 5 header and 48 payload (ITU-T I.361).
pub const CELL_BYTES: u64 = 53;
/// Payload bytes of an ATM cell.
pub const CELL_PAYLOAD_BYTES: u64 = 48;
/// Bits of an ATM cell on the line.
pub const CELL_BITS: u64 = 8 * CELL_BYTES;

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A number of ATM cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cells(pub u64);

/// A number of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packets(pub u64);

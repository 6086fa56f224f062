//! Quantities that cannot be mixed up: instants and spans, rates and their layer, bytes, cells and packets.

mod rate;
mod size;
mod time;

pub use rate::{Layer, LayeredRate, Pace, Rate};
pub use size::{Bytes, CELL_BITS, CELL_BYTES, CELL_PAYLOAD_BYTES, Cells, Packets};
pub use time::{Span, Time};

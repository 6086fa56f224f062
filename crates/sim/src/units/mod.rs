//! Quantities that cannot be mixed up: instants and spans, rates and their layer, bytes, cells and
//! packets.

mod decimal;
mod dimension;
mod framing;
mod measured;
mod rate;
mod size;
mod text;
mod time;

pub use framing::Framing;
pub(crate) use measured::{Measured, measured};
pub use rate::{CellRate, Layer, LayeredRate, Rate};
pub use size::{Bytes, CELL_BITS, CELL_BYTES, CELL_PAYLOAD_BYTES, Cells, Packets};
pub use text::quoted;
pub use text::{CellsOrPackets, QuantityError, propagation};
pub use time::{Span, Time};

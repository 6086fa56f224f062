//! ATM: cutting frames into cells and putting them together again, resource-management cells, and the ABR end systems.

pub mod aal5;
pub mod abr;
mod rm_cell;

pub use aal5::{Reassembled, Reassembly};
pub use rm_cell::{Direction, EncodedRate, Header, RmCell, RmCellError};

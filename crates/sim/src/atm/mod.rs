//! ATM: cutting frames into cells and putting them together again, resource-management cells, the ABR end systems, and the tests of
//! the guaranteed frame rate service.

pub mod aal5;
pub mod abr;
pub mod gfr;
mod rm_cell;

pub use aal5::{Reassembled, Reassembly};
pub use rm_cell::{Direction, EncodedRate, Header, RmCell, RmCellError};

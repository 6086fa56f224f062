//! ATM: cutting frames into cells and putting them together again, service classes, the ABR end
//! systems, and the tests of the guaranteed frame rate service.

pub mod aal5;
pub mod abr;
mod class;
pub mod gfr;

pub use aal5::{Reassembled, Reassembly};
pub use class::Class;

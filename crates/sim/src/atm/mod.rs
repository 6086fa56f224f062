//! ATM: cutting frames into cells, and putting them together again.

pub mod aal5;

pub use aal5::{Reassembled, Reassembly};

//! The rate of a line that varies: a path through time, in pieces of constant rate.
//!
//! The path is exogenous: it depends on its process and its random stream alone, never on traffic.
//! So it is drawn as far ahead as anybody asks, whoever sends knows on arrival when a unit will be
//! through, and two instances with the same stream, a line's and an allocator's, have one path.
//!
//! Bits are sent at the rate of each instant: a unit that begins at s is through at the first
//! picosecond e with ∫ rate over (s, e) ≥ its bits, which is calculated in integers. A change
//! while a unit is on the line counts from its instant on. At rate zero the line stands still.
//! A constant path does what a constant rate does, rounded up to the picosecond.

mod path;
mod process;
mod two_state;

pub use path::Capacity;
pub use process::Process;
pub use two_state::TwoState;

//! The guaranteed frame rate service (ATM Forum TM 4.1, af-tm-0121.000): the test of cells, the
//! test of frames for the guarantee, and two ways to mark the result in CLP bits. Pure: instants
//! in, verdicts out.

mod frame_gcra;
mod gcra;
mod marker;

pub use frame_gcra::FrameGcra;
pub use gcra::Gcra;
pub use marker::Marker;

//! The guaranteed frame rate service (ATM Forum TM 4.1, af-tm-0121.000): which cells conform, which
//! frames the guarantee is for, and two ways to say so in their CLP bits. Pure: instants in,
//! verdicts out.

mod frame_gcra;
mod gcra;
mod marker;

pub use frame_gcra::FrameGcra;
pub use gcra::Gcra;
pub use marker::Marker;

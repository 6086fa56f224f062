//! Data that are sent and not acknowledged: the ranges that ACKs have reported (`scoreboard`), and
//! for detection and laws that ask for it a log of every segment (`log`, `record`) with samples of
//! the delivery rate (`delivery`).

mod delivery;
mod log;
mod record;
mod scoreboard;

pub use delivery::{Delivered, RateSample};
pub use log::Log;
pub use record::{Loss, Record, RecordState};
pub use scoreboard::{DUP_ACK_THRESHOLD, Hole, Scoreboard};

//! The guaranteed frame rate service and weighted fair queueing, in whole runs.

mod keys;
mod policer;
#[path = "../common/running.rs"]
mod running;
mod scheduling;

use running::{scenario, summary};

//! ABR: the end systems rule by rule, allocators against hand arithmetic, and rates against max-min
//! fairness.

mod allocations;
mod allocators;
mod buffers;
mod classes;
mod feedback_shares;
#[path = "../common/running.rs"]
mod running;
mod sources;

use running::summary;

//! What a run says: counters, time series, and the summary made of them.

mod ledger;
mod mean;
mod series;
mod summary;

pub use ledger::{
    AbrCounters, AllocationCounters, Cause, ClassCounters, Drops, FlowCounters, GfrCounters, Ledger,
    PortCounters, PortVcCounters, VcCounters,
};
pub use mean::Mean;
pub use series::{Recorder, Sampling, Series};
pub use summary::{
    AbrSummary, AllocationSummary, ClassSummary, FlowLife, FlowSummary, GfrSummary, LinkSummary, PortSummary,
    PortVcSummary, RttSummary, Summary, VcSummary,
};

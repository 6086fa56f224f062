//! What a run says: counters, time series, and the summary made of them.

mod ledger;
mod series;
mod summary;

pub use ledger::{Cause, Drops, FlowCounters, Ledger, PortCounters, VcCounters};
pub use series::{Recorder, Sampling, Series};
pub use summary::{FlowSummary, LinkSummary, PortSummary, RttSummary, Summary, VcSummary};

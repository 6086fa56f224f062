//! Ends of a measured flow that write.

use cellway_sim::scenario::{Flow, Traffic};

/// Ends at which a flow writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// Its sender, whose send buffer is always full, to the end of the run.
    Endless,
    /// Its sender, as its application does.
    Sender,
    /// Both: requests and responses.
    Both,
}

impl Writing {
    /// Writing ends of a flow.
    pub(crate) fn of(flow: &Flow) -> Self {
        if flow.traffic.has_responses() {
            Self::Both
        } else if flow.stop.is_none() && is_bulk(&flow.traffic) {
            Self::Endless
        } else {
            Self::Sender
        }
    }
}

/// True for traffic that always has more to send.
fn is_bulk(traffic: &Traffic) -> bool {
    match traffic {
        Traffic::Greedy => true,
        Traffic::Ttcp(plan) => plan.total.is_none(),
        _ => false,
    }
}

//! State that the connections of a proxy leave to each other: cwnd, ssthresh and the round trip
//! (RFC 9040: TCP Control Block Interdependence, 2021).
//!
//! * `kept` (section 6, temporal sharing): a connection begins with the state of the latest one
//!   between the same two hosts all of whose data are acknowledged.
//! * `shared` (section 7, ensemble sharing): the same, and while others between these hosts have
//!   data in flight, each of them and the new one have an equal part of their windows together.
//!
//! The end at the proxy begins so when data are first written to it, whoever opened the connection.
//! Decided here: the RFC leaves open how an ensemble divides its window; ssthresh and the round
//! trip are those of the latest connection. Departures: the state does not age, and the part of a
//! connection that has ended goes to no other. A law that follows a model of the path sets its own
//! window with the first ACK.

use std::collections::BTreeMap;

use super::Endpoint;
use crate::language::part::prelude::*;
use crate::tcp::{Connection, PathState};

variants! {
    /// `proxy.windows`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum WindowSharing {
        /// A connection begins with cwnd, ssthresh and round trip of the latest one between the
        /// same hosts whose data are all acknowledged.
        Kept = "kept",
        /// Likewise; connections with data in flight and a new one between the same hosts divide
        /// their windows equally.
        Shared = "shared",
    }
}

/// Connections of a proxy by the other host.
#[derive(Clone, Debug)]
pub struct PathWindows {
    sharing: WindowSharing,
    /// The other host of each end.
    others: Vec<usize>,
    /// Ends that have had data, by the other host, in the order of their first.
    begun: BTreeMap<usize, Vec<usize>>,
}

impl PathWindows {
    /// Makes the state before any connection; `others` has the other host of each end.
    pub fn new(sharing: WindowSharing, others: Vec<usize>) -> Self {
        Self { sharing, others, begun: BTreeMap::new() }
    }

    /// Prepares an end to which data are written for the first time.
    pub(super) fn begin(&mut self, endpoint: usize, endpoints: &mut [Endpoint]) {
        let begun = self.begun.entry(self.others[endpoint]).or_default();
        let state = match self.sharing {
            WindowSharing::Kept => latest(begun, endpoints),
            WindowSharing::Shared => divided(begun, endpoints).or_else(|| latest(begun, endpoints)),
        };
        begun.push(endpoint);
        if let Some(state) = state {
            endpoints[endpoint].connection.resume(&state);
        }
    }
}

/// State of the latest of these ends all of whose data are acknowledged.
fn latest(begun: &[usize], endpoints: &[Endpoint]) -> Option<PathState> {
    let mut begun = begun.iter().rev().map(|&one| &endpoints[one].connection);
    begun.find(|one| one.is_all_acked()).map(Connection::path_state)
}

/// State for one more connection beside those with data in flight, which give it a part; `None` if
/// there is none.
fn divided(begun: &[usize], endpoints: &mut [Endpoint]) -> Option<PathState> {
    let mut sum = 0;
    let mut busy = Vec::new();
    for &one in begun.iter().filter(|&&one| !endpoints[one].connection.is_all_acked()) {
        sum += endpoints[one].connection.cwnd();
        busy.push(one);
    }
    let state = endpoints[*busy.last()?].connection.path_state();
    let cwnd = sum / (busy.len() as u64 + 1);
    for one in busy {
        endpoints[one].connection.limit_cwnd(cwnd);
    }
    Some(PathState { cwnd, ..state })
}

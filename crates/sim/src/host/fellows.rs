//! Connections that carry one flow together: an event at one of them may leave something to do for
//! the applications of the others at the same host.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Endpoint;
use crate::units::Time;

/// Ends at one host, by the flow that they carry together.
#[derive(Clone, Debug)]
pub struct Fellows {
    of_endpoint: BTreeMap<usize, Arc<[usize]>>,
}

impl Fellows {
    /// Makes groups of ends, by number; `None` without any.
    pub fn new(groups: impl IntoIterator<Item = Vec<usize>>) -> Option<Self> {
        let mut of_endpoint = BTreeMap::new();
        for group in groups {
            let group: Arc<[usize]> = group.into();
            of_endpoint.extend(group.iter().map(|&one| (one, Arc::clone(&group))));
        }
        (!of_endpoint.is_empty()).then_some(Self { of_endpoint })
    }

    /// Calls the applications that have something to do since an event at one end. Returns their
    /// ends, which may send, in order.
    pub(super) fn call(&self, now: Time, at: usize, endpoints: &mut [Endpoint]) -> Vec<usize> {
        let group = self.of_endpoint.get(&at).map_or(&[][..], |group| group);
        let others = group.iter().copied().filter(|&other| other != at);
        others.filter(|&other| endpoints[other].call(now)).collect()
    }
}

//! Input queues of hosts that overflow: a limit that is no rate.

use std::collections::BTreeMap;

use super::capacity::mean_rate;
use super::tcp::{acks_per_segment, payload_share, receiver_limit};
use crate::scenario::resolved::Scenario;

/// A line for each host with an input queue whose CPU takes segments more slowly than a link may
/// bring them.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let mut found = BTreeMap::new();
    for flow in &scenario.flows {
        let (Some(tcp), Some(&last)) = (&flow.tcp, flow.path.last()) else { continue };
        let host = &scenario.hosts[flow.sink];
        let Some(queue) = host.input_queue else { continue };
        let limit = receiver_limit(host, tcp.full_segment(), acks_per_segment(tcp));
        let link = &scenario.links[last];
        let brought = mean_rate(scenario, link) * payload_share(tcp, link);
        if limit.is_some_and(|limit| limit < brought) {
            found.entry(flow.sink).or_insert_with(|| line(&host.name, queue.0, &link.name));
        }
    }
    found.into_values().collect()
}

fn line(host: &str, queue: u64, link: &str) -> String {
    format!(
        "host {host} takes segments more slowly than link {link} may bring them, and `input_queue` \
         lets {queue} of them wait: bursts that are longer lose segments there, and the rates of \
         its flows are limits without such losses"
    )
}

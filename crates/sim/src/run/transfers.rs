//! Summary of transfers from end to end, and the check that proxies lose no byte.

use crate::engine::SharedStreams;
use crate::result::{Ledger, TransferSummary};
use crate::scenario::Scenario;
use crate::scenario::starts::start_of;
use crate::units::Time;

/// Summary of the transfer of a flow, if it is timed.
pub(super) fn summary(
    scenario: &Scenario,
    index: usize,
    ledger: &Ledger,
) -> Option<TransferSummary> {
    let progress = ledger.flows[index].progress?;
    let origin = origin(scenario, index);
    let (flow, written) = (&scenario.flows[origin], &ledger.flows[origin]);
    // Once the origin has finished, the acknowledged bytes are all bytes.
    let is_complete = written.finished_at.is_some() && progress.bytes == written.acked_bytes;
    let start = start_of(scenario, flow).max(Time::ZERO);
    Some(TransferSummary {
        origin: flow.name.clone(),
        bytes: progress.bytes,
        time_s: (is_complete && progress.bytes > 0).then(|| (progress.at - start).seconds_f64()),
    })
}

/// The flow whose application wrote the bytes that arrive on a flow: another one if that flow
/// relays it alone.
fn origin(scenario: &Scenario, mut flow: usize) -> usize {
    // Relays in a circle have no origin.
    for _ in 0..scenario.flows.len() {
        match scenario.flows[flow].relay.as_deref() {
            Some(relay) if relay.of.len() == 1 => flow = relay.of[0],
            _ => return flow,
        }
    }
    flow
}

/// Checks that a relay has written the bytes that it has read of its flows. For a shared
/// connection, bytes written to it and not yet read at its end are subtracted. A missing byte is a
/// bug of ours.
pub(super) fn check_relays(scenario: &Scenario, ledger: &Ledger, shared_streams: &SharedStreams) {
    let waiting = shared_streams.bytes();
    for (flow, counters) in scenario.flows.iter().zip(&ledger.flows) {
        let (Some(relay), Some(counters)) = (flow.relay.as_deref(), counters.relay) else {
            continue;
        };
        let read: u64 = relay.of.iter().map(|&of| ledger.flows[of].read_bytes).sum();
        let waiting_of = |over| relay.of.iter().filter_map(|&of| waiting.get(&(over, of))).sum();
        let between: u64 = relay.over.map_or(0, waiting_of);
        assert_eq!(
            read,
            counters.carried_bytes + between,
            "bytes of `{}` are not conserved: {counters:?}, {between} between proxies",
            flow.name
        );
    }
}

//! Summary of transfers from end to end, and the check that proxies lose no byte.

use crate::engine::SharedStreams;
use crate::result::{FlowCounters, Ledger, TransferSummary};
use crate::scenario::Scenario;
use crate::scenario::journey::origin;
use crate::scenario::starts::start_of;
use crate::units::Time;

/// Summary of the transfer of a flow, if it is timed.
pub(super) fn summary(
    scenario: &Scenario,
    index: usize,
    ledger: &Ledger,
) -> Option<TransferSummary> {
    let flow = &scenario.flows[index];
    scenario.observe.as_ref().filter(|observe| observe.times_transfer(&flow.name))?;
    if flow.is_from_proxy() {
        return None;
    }
    // The transfer of a flow that proxies split is over at its last connection.
    let last = flow.leg.as_ref().map_or(index, |leg| leg.last);
    let progress = ledger.flows[last].progress?;
    let origin = origin(&scenario.flows, index);
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

/// Counters of a flow from end to end: those of its connection, and of one that proxies split the
/// bytes that have come to its receiving host, and the instant at which the last of them was read.
pub(super) fn end_to_end(scenario: &Scenario, index: usize, ledger: &Ledger) -> FlowCounters {
    let own = &ledger.flows[index];
    let Some(leg) = scenario.flows[index].leg.as_deref().filter(|leg| leg.of == index) else {
        return own.clone();
    };
    let last = &ledger.flows[leg.last];
    let is_complete = last.read_bytes == own.acked_bytes;
    let read_at = last.progress.map_or(Time::ZERO, |progress| progress.at);
    FlowCounters {
        acked_bytes: last.acked_bytes,
        delivered_bytes: last.delivered_bytes,
        read_bytes: last.read_bytes,
        finished_at: own.finished_at.filter(|_| is_complete).map(|at| at.max(read_at)),
        ..own.clone()
    }
}

/// Checks that a relay has written the bytes that it has read of its flows. For a shared
/// connection, bytes written to it and not yet read at its end are subtracted. A missing byte is a
/// bug of ours.
pub(super) fn check_relays(scenario: &Scenario, ledger: &Ledger, shared_streams: &SharedStreams) {
    let waiting = shared_streams.bytes();
    for (index, (flow, counters)) in scenario.flows.iter().zip(&ledger.flows).enumerate() {
        let (Some(relay), Some(counters)) = (flow.relay.as_deref(), counters.relay.as_ref()) else {
            continue;
        };
        if let Some(answers) = counters.answers {
            let read = ledger.flows[index].answer_bytes_read;
            assert_eq!(
                read, answers.carried_bytes,
                "answers of `{}` are not conserved: {answers:?}",
                flow.name
            );
        }
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

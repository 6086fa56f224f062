//! One flow in the summary of a run. Its throughput is a rate over the time in which it was active.

use serde::Serialize;

use super::{
    BlockSummary, DatagramSummary, DelaySummary, FlowCounters, JitterSummary, LossSummary,
    PageSummary, PlaybackSummary, RelaySummary, Shaped, TransactionSummary, TransferSummary,
};
use crate::units::{Span, Time};

/// Summary of one flow.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct FlowSummary {
    /// Application bytes acknowledged in order, in bits per second of the part of the measurement
    /// in which the flow was active: from its start to its last acknowledgement if it is finite or
    /// stops. For a raw cell source: delivered cells, 424 bits each, from its start to its stop;
    /// cells in the network when it stops count once they are delivered. For datagrams likewise,
    /// their payload. The throughputs of flows that are active at different times do not add up.
    pub throughput_bits_per_second: f64,
    /// Rate of the same bits over the whole measurement, one interval for all flows: these rates
    /// add up, and to no more than a line carries.
    pub measured_bits_per_second: f64,
    /// Start of its traffic as drawn, seconds, without a random part of a cell time; absent if it
    /// is not before the end of the run, or of its raw cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_s: Option<f64>,
    /// Stop of the application, raw cells or datagrams, seconds, likewise; absent without `stop`
    /// and `duration`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_s: Option<f64>,
    /// Instant of the acknowledgement of the last byte of a finite transfer, or of a flow that
    /// stopped, seconds; absent while there is more to send.
    pub finished_s: Option<f64>,
    /// Instant at which the connection gave up after its last retransmission, seconds; absent
    /// unless it did.
    pub aborted_s: Option<f64>,
    /// Bytes acknowledged in order.
    pub acked_bytes: u64,
    /// Bytes delivered in order to the receiving application.
    pub delivered_bytes: u64,
    /// Data segments sent, retransmissions included.
    pub segments_sent: u64,
    /// Data segments sent again.
    pub retransmitted_segments: u64,
    /// Bytes sent again.
    pub retransmitted_bytes: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Fast retransmits.
    pub fast_retransmits: u64,
    /// Duplicate acknowledgements that arrived.
    pub duplicate_acks: u64,
    /// Pure acknowledgements that the receiver sent.
    pub acks_sent: u64,
    /// Probes of a closed window that the sender sent, a byte each.
    pub window_probes: u64,
    /// Segments that either end discarded because their timestamp was older than one before (PAWS).
    pub paws_discards: u64,
    /// Congestion marks; absent without `tcp.ecn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<EcnSummary>,
    /// Probes of the sender and losses that were none; absent without a log of segments, which
    /// `tcp.recovery` `rack` and `thresholds` keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<RecoverySummary>,
    /// Round-trip times of timed segments.
    pub rtt: RttSummary,
    /// Delay from the sending host's interface, its queue included, to the receiving host, of all
    /// packets with data that arrived whole, if `observe.distributions` names the flow; absent
    /// elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_way_delay: Option<DelaySummary>,
    /// Changes of that delay from packet to packet, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<JitterSummary>,
    /// Units that never arrive, likewise; also for raw cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<LossSummary>,
    /// Requests and responses of the flow; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transactions: Option<TransactionSummary>,
    /// Pages of the flow; absent unless it loads pages. Each is a transaction, too, whose response
    /// time is the load time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageSummary>,
    /// Playback of the flow; absent unless it plays adaptive video. Each segment is a transaction,
    /// too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playback: Option<PlaybackSummary>,
    /// Blocks of the flow if its application counts them; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<BlockSummary>,
    /// Bytes carried by a relay; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relay: Option<RelaySummary>,
    /// Transfer from end to end, if `observe.transfers` names the flow; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer: Option<TransferSummary>,
    /// Datagrams of the flow; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datagrams: Option<DatagramSummary>,
}

/// Congestion marks of one flow (RFC 3168).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct EcnSummary {
    /// Data segments that reached the receiver with CE.
    pub marks_received: u64,
    /// Number of reductions of the window by the sender because of an echoed mark.
    pub reductions: u64,
}

/// Probes of a sender, and reductions that it took back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Shaped)]
pub struct RecoverySummary {
    /// Tail loss probes (RFC 8985 section 7).
    pub tail_probes: u64,
    /// Repairs of losses that were none, whose reduction was taken back (D-SACK, RFC 3708).
    pub undone_repairs: u64,
    /// Timeouts that were spurious, whose reduction was taken back (F-RTO, RFC 5682; D-SACK).
    pub undone_timeouts: u64,
}

/// Round-trip times as the sender saw them; retransmitted segments are never timed (Karn).
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct RttSummary {
    /// Number of segments that were timed.
    pub samples: u64,
    /// Mean, seconds; absent without samples.
    pub mean_s: Option<f64>,
    /// Smallest, seconds, over the whole run.
    pub min_s: Option<f64>,
    /// Largest, seconds, over the whole run.
    pub max_s: Option<f64>,
}

/// Active time and measured time of a flow.
#[derive(Clone, Copy, Debug)]
pub struct FlowTimes {
    /// Start of its traffic.
    pub start: Span,
    /// Stop of its application, raw cells or datagrams, if they stop.
    pub stop: Option<Span>,
    /// True if the flow lasts until its last acknowledgement, false if until its stop.
    pub has_transport: bool,
    /// End of the warm-up and end of the run: the same for all flows.
    pub measured: (Time, Time),
}

impl FlowSummary {
    /// Summary of a flow between two readings. `source_bits` are the delivered bits of a source
    /// without a connection.
    pub fn between(
        earlier: &FlowCounters,
        later: &FlowCounters,
        source_bits: u64,
        times: FlowTimes,
    ) -> Self {
        let FlowTimes { start, stop, has_transport, measured } = times;
        let from = (Time::ZERO + start).max(measured.0);
        let stopped_at = stop.map_or(Time::MAX, |stop| Time::ZERO + stop);
        let begins = Time::ZERO + start < measured.1.min(stopped_at);
        let ends_at =
            if has_transport { later.finished_at.unwrap_or(Time::MAX) } else { stopped_at };
        let to_end = ends_at.min(measured.1);
        // A flow that ended before the measurement has no rate in it.
        let active = to_end.max(from) - from;
        let acked_bytes = later.acked_bytes - earlier.acked_bytes;
        let bits = (8 * acked_bytes + source_bits) as f64;
        let (from, to) = (&earlier.sender, &later.sender);
        let samples = to.rtt.count - from.rtt.count;
        let seconds = |span: Span| (to.rtt.count > 0).then(|| span.seconds_f64());
        Self {
            throughput_bits_per_second: if active.is_zero() {
                0.0
            } else {
                bits / active.seconds_f64()
            },
            measured_bits_per_second: bits / (measured.1 - measured.0).seconds_f64(),
            start_s: begins.then(|| start.seconds_f64()),
            stop_s: stop.map(Span::seconds_f64),
            finished_s: later.finished_at.map(Time::seconds_f64),
            aborted_s: later.aborted_at.map(Time::seconds_f64),
            acked_bytes,
            delivered_bytes: later.delivered_bytes - earlier.delivered_bytes,
            segments_sent: to.segments_sent - from.segments_sent,
            retransmitted_segments: to.retransmitted_segments - from.retransmitted_segments,
            retransmitted_bytes: to.retransmitted_bytes - from.retransmitted_bytes,
            timeouts: to.timeouts - from.timeouts,
            fast_retransmits: to.fast_retransmits - from.fast_retransmits,
            duplicate_acks: to.dup_acks_received - from.dup_acks_received,
            acks_sent: later.receiver.acks_sent - earlier.receiver.acks_sent,
            window_probes: to.window_probes - from.window_probes,
            paws_discards: to.paws_discards + later.receiver.paws_discards
                - from.paws_discards
                - earlier.receiver.paws_discards,
            ecn: EcnSummary::between(earlier, later),
            recovery: RecoverySummary::between(earlier, later),
            rtt: RttSummary {
                samples,
                mean_s: (samples > 0)
                    .then(|| (to.rtt.sum - from.rtt.sum).seconds_f64() / samples as f64),
                min_s: seconds(to.rtt.min),
                max_s: seconds(to.rtt.max),
            },
            one_way_delay: later.one_way.as_ref().map(|one_way| one_way.delay.clone()),
            jitter: later.one_way.as_ref().map(|one_way| one_way.jitter),
            loss: loss(earlier, later),
            transactions: TransactionSummary::between(earlier, later, measured.1 - measured.0),
            pages: later.pages.as_deref().map(|later| {
                PageSummary::between(&earlier.pages.as_deref().cloned().unwrap_or_default(), later)
            }),
            playback: later.playback.as_deref().map(|later| {
                let earlier = earlier.playback.as_deref().copied().unwrap_or_default();
                PlaybackSummary::between(&earlier, later, measured)
            }),
            blocks: later.blocks.map(|later| {
                BlockSummary::between(&earlier.blocks.unwrap_or_default(), &later, active)
            }),
            relay: later
                .relay
                .map(|later| RelaySummary::between(earlier.relay.unwrap_or_default(), later)),
            transfer: None,
            datagrams: later.datagrams.as_deref().map(|later| {
                let earlier = earlier.datagrams.as_deref().copied().unwrap_or_default();
                DatagramSummary::between(&earlier, later)
            }),
        }
    }
}

/// Losses of segments or datagrams, where they are counted.
fn loss(earlier: &FlowCounters, later: &FlowCounters) -> Option<LossSummary> {
    let one_way = later.one_way.as_deref()?;
    if let Some(later) = later.datagrams.as_deref() {
        let earlier = earlier.datagrams.as_deref().copied().unwrap_or_default();
        let of = DatagramSummary::between(&earlier, later);
        return Some(LossSummary::new("datagram", [of.sent, of.delivered, of.lost, of.inside]));
    }
    let before = earlier.one_way.as_ref().map_or(0, |one_way| one_way.arrived);
    let lost = |counters: &FlowCounters, arrived: u64| {
        counters.handed_segments.saturating_sub(arrived + counters.inside_segments)
    };
    let counts = [
        later.handed_segments - earlier.handed_segments,
        one_way.arrived - before,
        lost(later, one_way.arrived).saturating_sub(lost(earlier, before)),
        later.inside_segments,
    ];
    Some(LossSummary::new("segment", counts))
}

impl EcnSummary {
    fn between(earlier: &FlowCounters, later: &FlowCounters) -> Option<Self> {
        let (sender, receiver) = (later.sender.ecn?, later.receiver.ecn?);
        let [sent_before, received_before] =
            [earlier.sender.ecn, earlier.receiver.ecn].map(Option::unwrap_or_default);
        Some(Self {
            marks_received: receiver.marks_received - received_before.marks_received,
            reductions: sender.reductions - sent_before.reductions,
        })
    }
}

impl RecoverySummary {
    fn between(earlier: &FlowCounters, later: &FlowCounters) -> Option<Self> {
        let (from, to) = (earlier.sender.recovery.unwrap_or_default(), later.sender.recovery?);
        Some(Self {
            tail_probes: to.tail_probes - from.tail_probes,
            undone_repairs: to.undone_repairs - from.undone_repairs,
            undone_timeouts: to.undone_timeouts - from.undone_timeouts,
        })
    }
}

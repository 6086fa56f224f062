"""Types of `Run.summary` and of `Scenario.explain`, made by tools/result-types.

They are for editors and type checkers: there is no such module when a program runs, so import them
under `typing.TYPE_CHECKING`. What may lack is `NotRequired`. A unit of `cell` is a packet
where the part counts packets.
"""

from typing import NotRequired, TypedDict

class Summary(TypedDict):
    cell_hops: int
    """Cells (or packets) that crossed a link, all links together, from the start of the run."""
    channels: dict[str, ChannelSummary]
    """Use of links with data of flows, by name of the link, with ` back` for the second
    direction."""
    connections: NotRequired[dict[str, FlowSummary]]
    """Further connections of flows that proxies split, by name: `FLOW behind PROXY`. The numbers of
    the flow itself are those of its first connection, except its bytes, rates and times, which are
    from end to end. Absent without a proxy."""
    duration_s: float
    """Length of the run, seconds. Unit: s."""
    flows: dict[str, FlowSummary]
    """Flows by name."""
    groups: Groups
    """Groups of flows: their goodput and its fairness."""
    hosts: NotRequired[dict[str, HostSummary]]
    """Hosts with an `input_queue` by name; absent without any."""
    links: dict[str, LinkSummary]
    """Links by name, with ` back` for the second direction of a duplex link."""
    measured_s: float
    """Length of the measurement, seconds. Unit: s."""
    ports: dict[str, PortSummary]
    """Ports by `switch.link`, or `edge.link` for packets."""
    scenario: str
    """Name of the scenario."""
    seed: int
    """Root of all random streams."""
    vcs: dict[str, VcSummary]
    """Circuits by name of the flow, or of a shared circuit, with ` back` for the other direction.
    Where a flow is cells on a part of its path only, its packets before and after have the names
    `flow to edge` and `flow from edge`."""
    version: str
    """Version of cellway."""
    warm_up_s: float
    """Start of the measurement, seconds. Unit: s."""

class ChannelSummary(TypedDict):
    efficiency: float
    """Sum of each flow's goodput over the highest that the line carries in its segments or
    datagrams: for equal segments, goodput over the highest payload rate of the line. Bytes that
    came before the measurement may be acknowledged in it; below 100 segments it is at most 1. Unit:
    1."""
    flows: int
    """Number of flows with data on it."""
    goodput_bits_per_second: float
    """Goodput of the flows with a transport or of datagrams. Unit: bit/s."""
    utilisation: NotRequired[float]
    """Fraction of the measurement in which it was sending anything; for packets the number of its
    port, absent where a host sends them. Unit: 1."""

class FlowSummary(TypedDict):
    aborted_s: float | None
    """Instant at which the connection gave up after its last retransmission, seconds; absent unless
    it did. Unit: s."""
    acked_bytes: int
    """Bytes acknowledged in order. Unit: B."""
    acks_sent: int
    """Pure acknowledgements that the receiver sent."""
    blocks: NotRequired[BlockSummary]
    """Blocks of the flow if its application counts them; absent for others."""
    datagrams: NotRequired[DatagramSummary]
    """Datagrams of the flow; absent for others."""
    delivered_bytes: int
    """Bytes delivered in order to the receiving application. Unit: B."""
    duplicate_acks: int
    """Duplicate acknowledgements that arrived."""
    ecn: NotRequired[EcnSummary]
    """Congestion marks; absent without `tcp.ecn`."""
    fast_retransmits: int
    """Fast retransmits."""
    finished_s: float | None
    """Instant of the acknowledgement of the last byte of a finite transfer, or of a flow that
    stopped, seconds; absent while there is more to send. Unit: s."""
    jitter: NotRequired[JitterSummary]
    """Changes of that delay from packet to packet, likewise."""
    loss: NotRequired[LossSummary]
    """Units that never arrive, likewise; also for raw cells."""
    measured_bits_per_second: float
    """Rate of the same bits over the whole measurement, one interval for all flows: these rates add
    up, and to no more than a line carries. Unit: bit/s."""
    one_way_delay: NotRequired[DelaySummary]
    """Delay from the sending host's interface, its queue included, to the receiving host, of all
    packets with data that arrived whole, if `observe.distributions` names the flow; absent
    elsewhere."""
    pages: NotRequired[PageSummary]
    """Pages of the flow; absent unless it loads pages. Each is a transaction, too, whose response
    time is the load time."""
    paws_discards: int
    """Segments that either end discarded because their timestamp was older than one before
    (PAWS)."""
    playback: NotRequired[PlaybackSummary]
    """Playback of the flow; absent unless it plays adaptive video. Each segment is a transaction,
    too."""
    recovery: NotRequired[RecoverySummary]
    """Probes of the sender and losses that were none; absent without a log of segments, which
    `tcp.recovery` `rack` and `thresholds` keep."""
    relay: NotRequired[RelaySummary]
    """Bytes carried by a relay; absent for others."""
    retransmitted_bytes: int
    """Bytes sent again. Unit: B."""
    retransmitted_segments: int
    """Data segments sent again."""
    rtt: RttSummary
    """Round-trip times of timed segments."""
    segments_sent: int
    """Data segments sent, retransmissions included."""
    start_s: NotRequired[float]
    """Start of its traffic as drawn, seconds, without a random part of a cell time; absent if it is
    not before the end of the run, or of its raw cells. Unit: s."""
    stop_s: NotRequired[float]
    """Stop of the application, raw cells or datagrams, seconds, likewise; absent without `stop` and
    `duration`. Unit: s."""
    throughput_bits_per_second: float
    """Application bytes acknowledged in order, in bits per second of the part of the measurement in
    which the flow was active: from its start to its last acknowledgement if it is finite or stops.
    For a raw cell source: delivered cells, 424 bits each, from its start to its stop; cells in the
    network when it stops count once they are delivered. For datagrams likewise, their payload. The
    throughputs of flows that are active at different times do not add up. Unit: bit/s."""
    timeouts: int
    """Retransmission timeouts."""
    transactions: NotRequired[TransactionSummary]
    """Requests and responses of the flow; absent for others."""
    transfer: NotRequired[TransferSummary]
    """Transfer from end to end, if `observe.transfers` names the flow; absent elsewhere."""
    window_probes: int
    """Probes of a closed window that the sender sent, a byte each."""

class BlockSummary(TypedDict):
    bytes: int
    """Bytes of these writes. Unit: B."""
    elapsed_s: float
    """Time in which the flow was active, over which its throughput is calculated. Unit: s."""
    missed: int
    """Periods whose block was skipped, since the write before had not returned."""
    waiting: int
    """Writes that have not returned at the end: one that had begun, and later ones that wait for
    it."""
    written: int
    """Writes that have returned: their last byte is in the send buffer, or has been sent if that
    has no limit and is kept full."""

class DatagramSummary(TypedDict):
    delivered: int
    """Datagrams that arrived whole, each counted once."""
    duplicates: int
    """Datagrams that arrived again."""
    inside: int
    """Datagrams on their way at the end."""
    jitter_s: float
    """Interarrival jitter of RFC 3550 at the end of the run. Unit: s."""
    late: NotRequired[int]
    """Datagrams delivered more than `deadline` after they were sent; absent without a deadline."""
    late_or_lost: NotRequired[float]
    """Fraction late or lost of the datagrams that were delivered or lost, from 0 to 1: those of no
    use to a listener or player; absent without a deadline, or if there are none. Unit: 1."""
    lost: int
    """Datagrams discarded or lost on the way by the end, whole or in part."""
    mean_delay_s: float | None
    """Mean one-way delay of delivered datagrams, from the sending host's interface, its queue
    included; absent if none was delivered. Unit: s."""
    out_of_order: int
    """Datagrams delivered after one that was sent later."""
    sent: int
    """Datagrams handed to the sending host's interface."""
    sent_bytes: int
    """Bytes of payload sent. Unit: B."""

class EcnSummary(TypedDict):
    marks_received: int
    """Data segments that reached the receiver with CE."""
    reductions: int
    """Number of reductions of the window by the sender because of an echoed mark."""

class JitterSummary(TypedDict):
    interarrival_s: float
    """Interarrival jitter of RFC 3550 at the end of the run. Unit: s."""
    max_difference_s: float | None
    """Maximum size of the changes; likewise. Unit: s."""
    mean_difference_s: float | None
    """Mean size of the changes; absent below two packets. Unit: s."""

class LossSummary(TypedDict):
    delivered: int
    """Units that arrived whole."""
    fraction: float | None
    """Fraction lost of the units that were lost or delivered, from 0 to 1; absent if there are
    none. Unit: 1."""
    inside: int
    """Units on their way at the end."""
    lost: int
    """Units discarded or lost on the way, whole or in part."""
    sent: int
    """Units handed to the sending host's interface, retransmissions included."""
    unit: str
    """`segment` with data, `datagram` or `cell`."""

DelaySummary = TypedDict(
    "DelaySummary",
    {
        # Pairs: a delay, and the fraction of the units that took longer; 16 for each doubling, and
        # 64 between the shortest and the longest, or as many as there are bins.
        "above": list[list[float]],
        # Longest. Unit: s.
        "max": float | None,
        # Mean; this and the following are absent without samples. Unit: s.
        "mean": float | None,
        # Shortest. Unit: s.
        "min": float | None,
        # Median: half of the units took no longer. Unit: s.
        "p50": float | None,
        # Quantile of 90 % of the units. Unit: s.
        "p90": float | None,
        # Quantile of 99 % of the units. Unit: s.
        "p99": float | None,
        # Quantile of 99.9 % of the units. Unit: s.
        "p99.9": float | None,
        # Number of units that were counted.
        "samples": int,
        # Unit of the following times.
        "unit": str,
    },
)

class PageSummary(TypedDict):
    loaded: int
    """Pages that were loaded."""
    max_load_s: float | None
    """Longest load time. Unit: s."""
    mean_load_s: float | None
    """Mean load time; this and the following are absent without a loaded page. Unit: s."""
    objects: int
    """Objects that were requested, apart from the HTML."""
    p50_load_s: float | None
    """Median of the load times. Unit: s."""
    p95_load_s: float | None
    """Quantile of 95 % of the load times. Unit: s."""

class PlaybackSummary(TypedDict):
    mean_bits_per_second: float | None
    """Mean of their bit rates; absent without a segment. Unit: bit/s."""
    rebuffering_s: float
    """Time in stalls; that before playback began is none. Unit: s."""
    segments: int
    """Segments that have arrived."""
    stalls: int
    """Stalls that began: the buffer was empty, and segments were missing."""
    start_up_s: float | None
    """Time from the start of the flow until playback began; absent if it did not. Unit: s."""
    switches: int
    """Segments whose bit rate differs from that of the one before."""

class RecoverySummary(TypedDict):
    tail_probes: int
    """Tail loss probes (RFC 8985 section 7)."""
    undone_repairs: int
    """Repairs of losses that were none, whose reduction was taken back (D-SACK, RFC 3708)."""
    undone_timeouts: int
    """Timeouts that were spurious, whose reduction was taken back (F-RTO, RFC 5682; D-SACK)."""

class RelaySummary(TypedDict):
    answers: NotRequired[AnswersSummary]
    """Answers that the proxy carries the other way; absent for one-way traffic."""
    carried_bytes: int
    """Bytes read from other connections and written to this one. Unit: B."""
    held_bytes: int
    """Bytes in the proxy at the end: arrived on other connections and not read, or written and not
    acknowledged. Unit: B."""
    max_held_bytes: int
    """Maximum of these at once. Unit: B."""

class AnswersSummary(TypedDict):
    carried_bytes: int
    """Bytes read from this connection and written to the one that it relays. Unit: B."""
    held_bytes: int
    """Bytes in the proxy at the end: arrived on this connection and not read, or written to the
    other and not acknowledged. Unit: B."""
    max_held_bytes: int
    """Maximum of these at once. Unit: B."""

class RttSummary(TypedDict):
    max_s: float | None
    """Largest, seconds, over the whole run. Unit: s."""
    mean_s: float | None
    """Mean, seconds; absent without samples. Unit: s."""
    min_s: float | None
    """Smallest, seconds, over the whole run. Unit: s."""
    samples: int
    """Number of segments that were timed."""

class TransactionSummary(TypedDict):
    completed: int
    """Responses that arrived whole."""
    response_bits_per_second: float
    """Rate of these bytes over the whole measurement. Unit: bit/s."""
    response_bytes: int
    """Bytes of responses that arrived in order. Unit: B."""
    response_time: DelaySummary
    """Time from writing a request until the last byte of its response has arrived."""
    retransmitted_segments: int
    """Segments of these that were sent again."""
    segments_sent: int
    """Segments with data that the server sent, retransmissions included."""
    timeouts: int
    """Retransmission timeouts of the server."""

class TransferSummary(TypedDict):
    bytes: int
    """Bytes that the last receiver has read. Unit: B."""
    origin: str
    """The flow whose application wrote the bytes; another one if they come through relays."""
    time_s: float | None
    """Time from its start until its last byte was read; absent while there is more to come, or for
    a flow that never ends. Unit: s."""

class Groups(TypedDict):
    families: dict[str, GroupSummary]
    """Flows by name, without the number of a member: `bulk` of `bulk[1]` and `bulk[2]`."""
    protocols: dict[str, GroupSummary]
    """Flows by TCP: the rule of recovery, behind the law of the window if that is not Reno's, such
    as `sack` or `cubic sack`; datagrams are `udp`, raw cells `cells`."""
    tcp: NotRequired[GroupSummary]
    """All flows with a transport; absent without any."""

class GroupSummary(TypedDict):
    bottleneck: NotRequired[str]
    """The link on which that efficiency is highest."""
    efficiency: NotRequired[float]
    """Efficiency of the flows on their bottleneck: each flow's goodput over the highest goodput of
    that line with its segments, added up. Absent for raw cells. Unit: 1."""
    fairness: float | None
    """Jain's index of these rates: the square of the sum over `flows` times the sum of squares, 1
    for equal ones. Absent if all are zero, and where equal shares are no aim: flows with different
    traffic, or with slowest lines of different rates. Unit: 1."""
    flows: int
    """Number of flows."""
    goodput: GoodputSummary
    """Their rates, the `measured_bits_per_second` of each."""

class GoodputSummary(TypedDict):
    max_bits_per_second: float
    """Highest rate of a flow. Unit: bit/s."""
    mean_bits_per_second: float
    """Mean of the flows. Unit: bit/s."""
    min_bits_per_second: float
    """Lowest rate of a flow. Unit: bit/s."""
    standard_deviation_bits_per_second: float | None
    """Standard deviation between flows, with n − 1; absent for a single flow. Unit: bit/s."""
    sum_bits_per_second: float
    """Sum over all flows. Unit: bit/s."""

class HostSummary(TypedDict):
    input_drops: int
    """Segments that arrived while the queue in front of the CPU was full, and were lost; their VCs
    have delivered them."""

class LinkSummary(TypedDict):
    capacity: NotRequired[CapacitySummary]
    """Its rates during the measurement; absent where the rate does not vary."""
    impairments: NotRequired[dict[str, ImpairmentSummary]]
    """Effects of its impairments by name; absent without impairments."""
    sent: int
    """Cells or packets sent onto it, lost ones included, from the start of the run."""

class CapacitySummary(TypedDict):
    changes: int
    """Number of changes of the rate."""
    max_bits_per_second: float
    """Highest rate. Unit: bit/s."""
    mean_bits_per_second: float
    """Time average of the rate. Unit: bit/s."""
    min_bits_per_second: float
    """Lowest rate. Unit: bit/s."""

class ImpairmentSummary(TypedDict):
    corrupted: int
    """Cells that arrived with bit errors."""
    delayed: NotRequired[int]
    """Units that waited for it, or were held back; absent without."""
    duplicated: NotRequired[int]
    """Packets that arrived twice; absent without."""
    lost: int
    """Units that did not arrive."""
    units: int
    """Units that met it: sent, and not lost to an earlier one of the link."""

class PortSummary(TypedDict):
    allocation: NotRequired[AllocationSummary]
    """Measurements of the allocator of ABR rates, if there is one that measures."""
    classes: NotRequired[dict[str, ClassSummary]]
    """Service classes by name, where several pass; absent otherwise."""
    delay: NotRequired[DelaySummary]
    """Delay from the arrival of a unit until its last bit has left, likewise."""
    drops: DropSummary
    """Units lost, by cause."""
    marked: NotRequired[int]
    """Units sent with a congestion mark of the drop policy; absent where it marks nothing."""
    max_queue: int
    """Largest number in the buffer. Unit: cell."""
    mean_queue: float
    """Time average of the number in the buffer. Unit: cell."""
    queue_distribution: NotRequired[QueueDistributionSummary]
    """Distribution of the number in the buffer, weighted by time, if `observe.distributions` names
    the port; absent elsewhere."""
    sent: int
    """Units whose last bit left."""
    unit: str
    """Unit that is counted: `cell` or `packet`."""
    utilisation: float
    """Fraction of the time in which the line was busy. Unit: 1."""
    vcs: NotRequired[dict[str, PortVcSummary]]
    """VCs by name, as in `vcs` of the summary, where the cells of single VCs are counted: where
    buffers are per VC, the drop policy compares them, or a GFR VC passes; absent elsewhere."""

class AllocationSummary(TypedDict):
    intervals: int
    """Measuring intervals that ended."""
    mean_active: float | None
    """Mean over the intervals of the active VCs counted; absent without intervals. Unit: 1."""
    mean_overload: float | None
    """Mean of the overload factor over the intervals with capacity; absent without any. Unit: 1."""
    out_of_phase_intervals: int
    """Intervals in which no ABR cell came forward while RM cells went back: the out-of-phase
    effect."""

class ClassSummary(TypedDict):
    drops: DropSummary
    """Cells lost, by cause."""
    marked: NotRequired[int]
    """Cells sent with a congestion mark of the drop policy; absent where it marks nothing."""
    max_queue: int
    """Largest number of cells in the buffer. Unit: cell."""
    mean_queue: float
    """Time average of the number of cells in the buffer. Unit: cell."""
    sent: int
    """Cells that were sent onto the line."""

class DropSummary(TypedDict):
    early_frame: int
    """The whole frame was refused."""
    overflow: int
    """The buffer was full."""
    partial_frame: int
    """An earlier cell of the frame was lost."""
    redundant_acks: NotRequired[int]
    """ACKs that a later one replaces, at a port with an ACK filter; absent without any."""

QueueDistributionSummary = TypedDict(
    "QueueDistributionSummary",
    {
        # Fraction of the time with more in the queue, by number: every number to 100, every tenth
        # to 1000, and so on. Unit: 1.
        "above": dict[str, float],
        # Longest queue that lasted for any time. Unit: cell.
        "max": int,
        # Time average. Unit: cell.
        "mean": float,
        # Median: for half of the time the queue was not longer. Unit: cell.
        "p50": int,
        # Quantile of 90 % of the time. Unit: cell.
        "p90": int,
        # Quantile of 99 % of the time. Unit: cell.
        "p99": int,
        # Quantile of 99.9 % of the time. Unit: cell.
        "p99.9": int,
    },
)

class PortVcSummary(TypedDict):
    drops: DropSummary
    """Units lost, by cause."""
    marked: NotRequired[int]
    """Units sent with a congestion mark of the drop policy; absent where it marks nothing."""
    max_queue: int
    """Largest number in the buffer. Unit: cell."""
    mcr_cells_per_second: NotRequired[float]
    """MCR of a GFR VC; absent for others. Unit: cell/s."""
    mean_queue: float
    """Time average of the number in the buffer. Unit: cell."""
    mean_queue_over_mcr_s: NotRequired[float]
    """Time that its mean queue takes at its MCR, seconds; absent without MCR. Unit: s."""

class VcSummary(TypedDict):
    abr: NotRequired[AbrSummary]
    """Source of an ABR VC."""
    delivered: int
    """Units that reached the destination."""
    dropped: int
    """Units lost at switches."""
    duplicated: NotRequired[int]
    """Packets that arrive twice, once more than they were sent; absent without any."""
    frames_broken: int
    """Frames that arrived incomplete or mixed."""
    frames_delivered: int
    """Frames that arrived whole."""
    gfr: NotRequired[GfrSummary]
    """Treatment of a GFR VC at the first switch that it passes."""
    inside: int
    """Units in the network at the end."""
    lost_on_links: NotRequired[int]
    """Units lost on links to impairments; absent without any."""
    pacing: NotRequired[PacingSummary]
    """Source of the data of a flow with `pacing`."""
    sent: int
    """Units handed to the network."""

class AbrSummary(TypedDict):
    acr_cells_per_second: float
    """Allowed cell rate at the end of the run. Unit: cell/s."""
    backward_rm: int
    """In-rate backward RM cells returned."""
    dropped: int
    """Cells lost at the segmentation buffer."""
    forward_rm: int
    """In-rate forward RM cells sent."""
    max_queue: int
    """Maximum number of cells in the segmentation buffer. Unit: cell."""
    mean_acr_cells_per_second: float
    """Time average of the allowed cell rate. Unit: cell/s."""
    mean_queue: float
    """Time average of the cells in the segmentation buffer. Unit: cell."""
    out_of_rate_rm: int
    """Out-of-rate RM cells of both kinds."""

class GfrSummary(TypedDict):
    dropped: int
    """Cells discarded because their frame did not conform."""
    eligible_frames: int
    """Frames that are guaranteed: those that passed the F-GCRA."""
    frames: int
    """Frames that arrived."""
    mark_probability: NotRequired[float]
    """Probability of CLP = 0 at the end of the run; absent without `pme`. Unit: 1."""
    non_conforming_cells: int
    """Cells above PCR, beyond MFS or of another CLP than their frame."""
    tagged_frames: int
    """Frames that were given CLP = 1."""

class PacingSummary(TypedDict):
    dropped: int
    """Units lost at the segmentation buffer."""
    max_queue: int
    """Maximum number of units in the segmentation buffer. Unit: cell."""
    mean_queue: float
    """Time average of the units in the segmentation buffer. Unit: cell."""

class Explanation(TypedDict):
    alike: list[AlikeFlows]
    """The same flows by name, in groups of alike ones."""
    duration_seconds: float
    """End of the run. Unit: s."""
    flows: list[FlowFacts]
    """Every flow, in file order."""
    links: list[LinkFacts]
    """Every direction of every link, in file order."""
    observes: bool
    """True if a run may record time series."""
    ports: list[PortFacts]
    """Every output port of a switch, and of an edge for packets, in the order of the links."""
    scenario: str
    """The scenario's name."""
    warnings: list[str]
    """Warnings to a reader of the results, one line each."""

class AlikeFlows(TypedDict):
    differ_in: list[str]
    """Differences from the first of their family, if they have one: keys such as `tcp.window` or
    `from.cpu_per_segment`, parts of the path such as `link access[*]`, else numbers such as
    `tcp.fair_share_bits_per_second`. Empty for the first."""
    flows: list[str]
    """Their names, in file order."""
    name: str
    """Name of the family, or of the first flow."""

class FlowFacts(TypedDict):
    abr: AbrFacts | None
    """Facts of a flow on ABR."""
    bottleneck: Bottleneck
    """The link or pace that limits the rate of cells or packets if the flow is alone."""
    datagrams: NotRequired[DatagramFacts]
    """Facts of a flow of datagrams; absent for others."""
    hops: list[Hop]
    """Links from the sender to the receiver."""
    loss: NotRequired[SegmentLoss]
    """Effect of the path's impairments on its segments; absent without transport, or without
    any."""
    max_propagation_rtt_seconds: NotRequired[float]
    """Propagation there and back with the longest delays; absent where no delay varies. Unit: s."""
    name: str
    """The flow's name."""
    path: list[str]
    """Nodes from the sender to the receiver."""
    propagation_rtt_seconds: float | None
    """Propagation there and back; absent for raw cells without ABR, which nothing answers. Unit:
    s."""
    propagation_seconds: float
    """Propagation from the sender to the receiver. Unit: s."""
    raw: RawFacts | None
    """Facts of a flow of raw cells."""
    relay: NotRequired[RelayFacts]
    """Facts of a relay; absent for others."""
    share: ShareFacts | None
    """Rate that the flow may expect beside the others; absent in scenarios without ABR."""
    tcp: TcpFacts | None
    """Facts of a flow with a transport."""

class AbrFacts(TypedDict):
    bottleneck: AbrBottleneck
    """The link that limits the flow beside the others; if none does, the link that would limit it
    if it were greedy and alone."""
    ceiling: Ceiling | None
    """The goodput of a TCP that is alone; absent without a transport."""
    feedback_delay_cells: float | None
    """Feedback delay in cells of the bottleneck's link. Unit: cell."""
    feedback_delay_seconds: float | None
    """Propagation from the bottleneck's switch back to the source and from the source to that
    switch: the age of the feedback of a switch when the rate obeys it. Absent if the bottleneck is
    the source's own interface. Unit: s."""
    icr_bits_per_second: float
    """ICR in bits of whole cells. Unit: bit/s."""
    icr_cells_per_second: float
    """Initial cell rate: as given, but at most TBE per FRTT and PCR, and at least MCR. Unit:
    cell/s."""
    mcr_bits_per_second: float
    """MCR in bits of whole cells. Unit: bit/s."""
    mcr_cells_per_second: float
    """Minimum cell rate. Unit: cell/s."""
    pcr_bits_per_second: float
    """PCR in bits of whole cells. Unit: bit/s."""
    pcr_cells_per_second: float
    """Peak cell rate, at most that of the first link. Unit: cell/s."""
    propagation_rtt_cells: float
    """Propagation there and back, in cells of the bottleneck's link. Unit: cell."""
    source_buffer_cells: int | None
    """Buffer with which the source loses nothing, whatever its rate: one window; absent without a
    transport. Unit: cell."""
    source_buffers_at_bottleneck_cells: int
    """Sum of the source buffers of all flows with this bottleneck. Unit: cell."""
    window_cells: int | None
    """A full window of TCP in cells; absent without a transport. Unit: cell."""

class AbrBottleneck(TypedDict):
    abr_cells_per_second: float
    """Rate that ABR may use of the link. Unit: cell/s."""
    allocator: str
    """Allocator of the rates of the sources."""
    cells_per_millisecond: float
    """The link's rate in cells per millisecond. Unit: cell/ms."""
    cells_per_second: float
    """The link's rate in cells per second. Unit: cell/s."""
    flows: int
    """ABR flows with this bottleneck."""
    link: str
    """The link's name."""
    switch: str | None
    """The switch whose output it is; absent for a host's."""

class Ceiling(TypedDict):
    at: str
    """The link, or `pcr` for the peak cell rate."""
    bits_per_second: float
    """Product of the factors: application data per second. Unit: bit/s."""
    factors: list[Factor]
    """A rate in bits of whole cells, and shares of it."""

class Factor(TypedDict):
    name: str
    """Name of the factor."""
    value: float
    """Value of the factor."""

class Bottleneck(TypedDict):
    at: str
    """The link's name, `pace` for the pacing of the source of its cells, or `pcr` for its peak cell
    rate."""
    bits_per_second: float
    """Rate of the bottleneck: of whole cells, for packets of the line, for ABR the rest. Unit:
    bit/s."""

class DatagramFacts(TypedDict):
    cells: float | None
    """Mean cells of a datagram where it is an AAL5 frame; absent if it never is. Unit: cell."""
    load: float
    """Load of the link on which it takes the largest part of the rate. Unit: 1."""
    offered_bits_per_second: float
    """Offered rate of the source, in bits of payload. Unit: bit/s."""
    payload_bytes: float
    """Mean UDP payload. Unit: B."""
    peak_load: float
    """Load of that link while a source with bursts is in one. Unit: 1."""
    per_second: float
    """Datagrams per second on average. Unit: datagram/s."""

class Hop(TypedDict):
    cell_bits_per_second: float | None
    """Rate of the bits of whole cells; absent for packets. Unit: bit/s."""
    line_bits_per_second: float
    """Rate of all bits on the wire. Unit: bit/s."""
    link: str
    """The link's name."""
    payload_bits_per_second: float | None
    """Rate of the bits of the payload of cells; absent for packets. Unit: bit/s."""

class SegmentLoss(TypedDict):
    ack: float
    """Probability that the ACK of a segment is lost or spoilt on its way. Unit: 1."""
    links: list[LinkLoss]
    """Links with an effect on either, in order."""
    segment: float
    """Probability that a full data segment is lost or spoilt on its way. Unit: 1."""

class LinkLoss(TypedDict):
    link: str
    """The link's name."""
    of: str
    """`data`, or `acks` on the way back."""
    probability: float
    """Probability that a full data segment, or an ACK, is lost or spoilt here. Unit: 1."""

class RawFacts(TypedDict):
    load: float
    """Offered rate over the rate of the bottleneck. Unit: 1."""
    offered_bits_per_second: float
    """Offered rate of the source, in bits of whole cells. Unit: bit/s."""
    offered_cells_per_second: float
    """Offered rate of whole cells. Unit: cell/s."""

class RelayFacts(TypedDict):
    at: str
    """The host at which it reads and writes."""
    holds_bytes: NotRequired[int]
    """Send buffer: bytes that it reads ahead of the other end's acknowledgements; absent without a
    limit. Unit: B."""
    of: list[str]
    """The flows whose bytes it relays."""
    over: NotRequired[str]
    """The shared connection on which they arrive; absent if they arrive on their own."""
    waits_bytes: int
    """Sum of the receive buffers of the connections that it reads, in which bytes wait before the
    windows close. Unit: B."""

ShareFacts = TypedDict(
    "ShareFacts",
    {
        # Rate of the bits of whole cells. Unit: bit/s.
        "bits_per_second": float,
        # Rate of whole cells; on ABR, RM cells included. Unit: cell/s.
        "cells_per_second": float,
        # Class of the flow: `vbr`, which includes CBR, `abr` or `ubr`.
        "class": str,
        # Limit of the share.
        "limited_by": str,
        # The link that limits it; absent for other limits.
        "link": str | None,
    },
)

class TcpFacts(TypedDict):
    ack_path_limit_bits_per_second: float
    """The rate at which the ACKs of the flow, with those of others, fill their way back, none lost
    and no data beside them; where ACKs are lost, those that arrive acknowledge more. Unit:
    bit/s."""
    bandwidth_delay_bytes: float
    """Application bytes in flight when the ceiling is kept up over an unloaded round trip. Unit:
    B."""
    bandwidth_delay_cells: float | None
    """Cells in flight at the bottleneck's rate over an unloaded round trip; absent where that
    passes packets. Unit: cell."""
    bottleneck_bits_per_second: float
    """The bottleneck's rate of cells or packets, pacing included; for ABR the rest of it. Unit:
    bit/s."""
    ceiling_bits_per_second: float
    """`bottleneck_bits_per_second` × `payload_share`: neither window nor processor can raise it.
    Unit: bit/s."""
    cells_per_ack: int | None
    """Cells of the AAL5 frame of a pure ACK, where it is cells; absent on a path of packets
    only."""
    cells_per_segment: int | None
    """Cells of the AAL5 frame of a full segment, where it is cells; absent on a path of packets
    only."""
    congestion: str
    """Law of the window's growth and reduction: the word of the language."""
    expected_bits_per_second: float
    """The smallest of the limits. If a window has an odd number of segments, the last waits for a
    delayed ACK, and this is the mean rate that remains. Unit: bit/s."""
    fair_share_bits_per_second: float
    """The ceiling if every link and paced circuit were shared equally with the other flows on it;
    where ABR passes, the flow's max-min share. Unit: bit/s."""
    limited_by: str
    """The limit that is smallest."""
    long_path: LongPathFacts
    """Window, slow start and loss of a long path."""
    mss_bytes: int
    """Largest TCP payload of a segment. Unit: B."""
    payload_share: float
    """TCP payload over bits on the wire of a full segment, on ABR with its fraction of an RM cell,
    at the bottleneck: the factor between the two rates below. Unit: 1."""
    receive_buffer_bytes: int
    """The receive buffer: the window of the receiver without other limits. Unit: B."""
    receiver_cpu_limit_bits_per_second: float | None
    """Limit of the receiver's processor, shared by the flows of the host; absent if it takes no
    time. Unit: bit/s."""
    recovery: str
    """Rule by which losses are found and repaired: the word of the language."""
    sender_cpu_limit_bits_per_second: float | None
    """Limit of the sender's processor, shared by the flows of the host; absent if it takes no time.
    Unit: bit/s."""
    timeout_seconds: float
    """Shortest retransmission timeout at an unloaded round trip. Unit: s."""
    unloaded_rtt_seconds: float
    """Time from a segment's first step at the sender to its ACK there, with all queues empty:
    propagation, serialisation, switching, segmentation and processing at both ends, ACK included.
    Calculated for a full segment, if the window has one. Unit: s."""
    window_bytes: int
    """The effective window: at most the send buffer, and without window scaling 65 535 bytes. Unit:
    B."""
    window_limit_bits_per_second: float
    """The window's data per unloaded round trip, in whole segments if it has room for one; short
    ones may add the rest. Unit: bit/s."""
    window_over_propagation_bits_per_second: float | None
    """The window over the round trip of propagation alone, as rules of thumb have it; absent
    without propagation. Unit: bit/s."""
    window_segments: int
    """Whole segments in the window; 0 if only one short segment fits."""

class LongPathFacts(TypedDict):
    halving_loss: HalvingLossFacts
    """Losses per segment at which half of the throughput remains."""
    slow_start: SlowStartFacts | None
    """Slow start to that window, or to the receiver's, or to the initial slow-start threshold if
    these are smaller; absent if the initial window is as large, or the law opens otherwise."""
    window_needed_bytes: int
    """The fewest whole segments that fill the path for an unloaded round trip, bytes. Unit: B."""

class HalvingLossFacts(TypedDict):
    bits_per_second: float
    """Half of the throughput without loss. Unit: bit/s."""
    cubic: NotRequired[float]
    """Halving loss by RFC 9438; absent with other laws than CUBIC. Unit: 1."""
    pftk: float | None
    """Halving loss by PFTK: Reno with timeouts and the receiver's window. Unit: 1."""
    square_root: float | None
    """Halving loss by the square-root law: each loss halves the window, and nothing times out.
    Unit: 1."""

class SlowStartFacts(TypedDict):
    first_ack_wait_seconds: float
    """Wait for the acknowledgement of a lone first segment, part of `seconds`. Unit: s."""
    round_trips_delayed: int
    """Round trips with delayed acknowledgements."""
    round_trips_every_segment: int
    """Round trips with an acknowledgement for every segment."""
    seconds: float
    """Duration of slow start with the flow's own rule of acknowledgements. Unit: s."""
    segments: int
    """Window at the end of slow start, whole segments."""

LinkFacts = TypedDict(
    "LinkFacts",
    {
        # Rate that ABR may use; absent if no ABR flow passes.
        "abr": AbrLinkFacts | None,
        # Flows whose ACKs take this direction.
        "ack_flows": int,
        # Variation of its rate; absent where it does not vary.
        "capacity": NotRequired[CapacityFacts],
        # Unit that it carries: `cells` or `packets`.
        "carries": str,
        # Rate of the bits of whole cells; absent for packets. Unit: bit/s.
        "cell_bits_per_second": float | None,
        # Rate of whole cells; absent for packets. Unit: cell/s.
        "cells_per_second": float | None,
        # Shortest one-way propagation delay. Unit: s.
        "delay_seconds": float,
        # Rate that they leave, divided by the flows with a transport; where ABR passes, the rate
        # that ABR may use, divided by its flows. Absent if there are none. Unit: bit/s.
        "fair_share_bits_per_second": float | None,
        # Flows whose data take this direction.
        "flows": int,
        # Sending node.
        "from": str,
        # Impairments of its units besides delay, in order; absent without any.
        "impairments": NotRequired[list[ImpairmentFacts]],
        # Rate of all bits on the wire. Unit: bit/s.
        "line_bits_per_second": float,
        # Longest one-way propagation delay; absent where it does not vary. Unit: s.
        "max_delay_seconds": NotRequired[float],
        # The link's name; both directions of a duplex link share it.
        "name": str,
        # Rate of the bits of the payload of cells; absent for packets. Unit: bit/s.
        "payload_bits_per_second": float | None,
        # Load of sources of raw cells and of datagrams: bits of whole cells, or of the line. Unit:
        # bit/s.
        "raw_offered_bits_per_second": float,
        # Receiving node.
        "to": str,
    },
)

class AbrLinkFacts(TypedDict):
    allocator: str
    """Allocator of the rates of the sources: `none` where a host sends."""
    bits_per_second: float
    """Rate that is left to ABR. Unit: bit/s."""
    cells_per_second: float
    """Rate that is left to ABR in whole cells. Unit: cell/s."""
    countable_vcs: float | None
    """Maximum number of VCs that the allocator can find active, for the cells of its measuring
    interval; absent for one that does not measure. Unit: 1."""
    delta: float | None
    """Maximum excess of rates over the target, as a fraction of it: δ of ERICA and ERICA+; absent
    for others. Unit: 1."""
    flows: int
    """ABR flows whose data take this direction."""
    higher_classes_bits_per_second: float
    """Mean rate of CBR and VBR. Unit: bit/s."""
    target_utilisation: float
    """U of ERICA; 1 for others. Unit: 1."""
    vcs: int
    """ABR VCs with cells of the user's in this direction: those flows, and the transports whose
    ACKs take it."""

class CapacityFacts(TypedDict):
    key: str
    """Key of the capacity's process."""
    law: list[PartOfTime]
    """The stationary law, the slowest rate first."""
    max_bits_per_second: float
    """The greatest rate. Unit: bit/s."""
    mean_bits_per_second: float
    """Mean of the stationary law; for a list that does not repeat, over the run. Unit: bit/s."""
    min_bits_per_second: float
    """The smallest rate. Unit: bit/s."""

class PartOfTime(TypedDict):
    bits_per_second: float
    """The rate. Unit: bit/s."""
    part: float
    """Part of the time for which the link has the rate. Unit: 1."""

class ImpairmentFacts(TypedDict):
    key: str
    """Key of the impairment."""
    mean_burst_units: NotRequired[float]
    """Units lost in a row, in the mean, on a full line; absent where losses are independent. Unit:
    cell."""
    unit_loss: float
    """Probability that a cell, or a packet of 1500 bytes, is lost or spoilt. Unit: 1."""

class PortFacts(TypedDict):
    drop: str
    """The drop policy of all its queues."""
    link: str
    """The link that it sends on."""
    name: str
    """Name as in the summary of a run: `switch.link` or `edge.link`."""
    node: str
    """The switch or the edge."""
    policy: str
    """The drop policy with its parameters, as TOML."""
    queues: list[QueueFacts]
    """Queues of the service classes that pass, in the order of service."""
    unit: str
    """Unit that is counted here: `cell` or `packet`."""

QueueFacts = TypedDict(
    "QueueFacts",
    {
        # Room in the buffer.
        "buffer": BufferFacts,
        # Name of the class: `vbr`, which includes CBR, `abr` or `ubr`, which includes GFR and
        # packets.
        "class": str,
        # The thresholds of the drop policy by their keys, in cells or packets; `None` for a part of
        # an infinite buffer. Unit: cell.
        "thresholds": dict[str, int | None],
        # The VCs of the class that pass, as in the summary of a run: `bulk`, and `bulk back` for
        # its other direction.
        "vcs": list[str],
        # Queue that windows make; absent where no transport is narrowed, and for classes without
        # such flows.
        "windows": NotRequired[WindowsFacts],
    },
)

class BufferFacts(TypedDict):
    kind: str
    """Kind: `per_port`, `per_vc`, `shared` by all ports of the node, or `infinite`."""
    size: int | None
    """Size in cells or packets; absent if it is infinite. Unit: cell."""

class WindowsFacts(TypedDict):
    flows: int
    """Transports that this port narrows, apart from those of requests and responses."""
    largest_queue: float
    """The longest queue that they make without a limit: the units that the path does not hold, or
    those that slow start brings at once if they are more, for all flows at the same time. An
    estimate to within a segment or two of each flow. Unit: cell."""
    on_the_path: float
    """Number of these units that the path holds at the rate of the link. Unit: cell."""
    overshoot: float
    """Units that slow start adds for every unit that is acknowledged while a queue overflows: 1, or
    0.5 with delayed ACKs, or as much less as the links before it let pass; the maximum of several
    flows. Unit: 1."""
    units: int
    """Cells or packets of their full windows. Unit: cell."""
    units_per_segment: int
    """Cells or packets of their largest full segment. Unit: cell."""

//! Every section and key of a scenario file, with defaults, limits and one-sentence meanings.
//!
//! This is the only place where a default stands: an absent key is read from the text given here.

use crate::language::keys::{Key, Kind, Variant};
use crate::language::kinds::{ABOVE_ZERO_TO_ONE, ANY_TIME, COUNT, LARGEST_PACKET, POSITIVE_TIME};
use crate::language::part::{Part, Typed};
use crate::scenario::language::edge::{EDGE, VC};
use crate::scenario::language::rate_control::{ABR, RATE_ALLOCATOR};
use crate::scenario::part::gfr::Gfr;
use crate::switch::{PolicyPlan, SchedulerPlan};
use crate::tcp::{Config as Tcp, SOME_BYTES};
use crate::units::Span;

/// The top level of a file.
pub(crate) const SCENARIO: &[Key] = &[
    Key::required("run", Kind::Section(RUN), "{ duration = \"20 s\" }", "Run control."),
    Key::optional(
        "host",
        Kind::Named(HOST),
        "no hosts",
        "{ ku = {} }",
        "End systems; they never forward.",
    ),
    Key::optional(
        "switch",
        Kind::Named(SWITCH),
        "no switches",
        "{ an2 = {} }",
        "Nodes that forward.",
    ),
    Key::optional(
        "edge",
        Kind::Named(EDGE),
        "no edges",
        "{ west = {} }",
        "Routers between links of packets and links of cells: they end virtual circuits.",
    ),
    Key::optional(
        "link",
        Kind::Named(LINK),
        "no links",
        "{ x = { between = [\"ku\", \"an2\"], rate = \"OC-3c\", delay = \"1 ms\" } }",
        "Connections between nodes.",
    ),
    Key::optional(
        "vc",
        Kind::Named(VC),
        "every flow has virtual circuits of its own",
        "{ trunk = { between = [\"west\", \"east\"] } }",
        "Virtual circuits between two edges that several flows share.",
    ),
    Key::optional(
        "flow",
        Kind::Named(FLOW),
        "no flows",
        "{ bulk = { from = \"ku\", to = \"edc\", traffic = \"greedy\", tcp = {} } }",
        "Traffic from one host to another.",
    ),
    Key::optional(
        "observe",
        Kind::Section(OBSERVE),
        "no time series",
        "{}",
        "What to record as time series.",
    ),
];

/// Everything a scenario file may say, as JSON: one entry per key with its type, default, limits
/// and meaning.
///
/// `NAME` in a key stands for a name of the user's. A variant is selected by its name as a string
/// if `as_string` says so, and always by a table with its name as the only key.
pub fn schema() -> String {
    crate::language::schema::reference(SCENARIO)
}

/// When something begins.
const ANY_INSTANT: Kind = Kind::RandomTime { least: Span::ZERO, distributions: INSTANTS };
/// When something ends.
const LATER_INSTANT: Kind =
    Kind::RandomTime { least: Span::from_picoseconds(1), distributions: LATER_INSTANTS };
/// Longer than this a "transfer of so many bytes" is not one.
const LARGEST_TOTAL: u64 = 1_000_000_000_000_000;

const RUN: &[Key] = &[
    Key::required("duration", POSITIVE_TIME, "\"20 s\"", "When the run ends."),
    Key::with_default("warm_up", ANY_TIME, "0 s", "\"2 s\"", "Counters and averages start here."),
    Key::with_default(
        "seed",
        // What a TOML integer can hold.
        Kind::Integer { least: 0, most: i64::MAX as u64 },
        "1",
        "7",
        "Root of every random stream.",
    ),
    Key::with_default(
        "phase",
        Kind::Variants(PHASE),
        "random",
        "\"none\"",
        "Where sources and timers start.",
    ),
];

const PHASE: &[Variant] = &[
    Variant::word("random", "Sources start within one cell time, host timers within one tick."),
    Variant::word("none", "Everything starts at zero; for known-answer tests."),
];

const HOST: &[Key] = &[
    COUNT,
    Key::with_default(
        "cpu_per_segment",
        ANY_INSTANT,
        "0 s",
        "{ uniform = [\"200 us\", \"300 us\"] }",
        "CPU time to create a segment for sending or to process a received one; a distribution is \
         drawn from for each.",
    ),
    Key::with_default(
        "ack_cost",
        Kind::Variants(ACK_COST),
        "charged",
        "\"included\"",
        "Whether an outgoing pure ACK costs CPU time of its own.",
    ),
    Key::with_default(
        "cpu_order",
        Kind::Variants(CPU_ORDER),
        "arrival",
        "\"output_first\"",
        "Which segment the CPU takes next.",
    ),
    Key::with_default(
        "sar",
        Kind::Variants(SAR),
        "{ per_cell = \"0 s\" }",
        "{ per_cell = \"0.2 us\" }",
        "How long segmentation and reassembly is busy with a frame, each way.",
    ),
];

const ACK_COST: &[Variant] = &[
    Variant::word("charged", "It costs `cpu_per_segment`, like any segment."),
    Variant::word("included", "Receiving a segment includes answering it."),
];

const CPU_ORDER: &[Variant] = &[
    Variant::word("arrival", "First come, first served, both ways together."),
    Variant::word(
        "output_first",
        "What is to be sent goes first, as when tcp_input calls tcp_output.",
    ),
];

const SAR: &[Variant] = &[
    Variant::value("per_cell", ANY_TIME, "\"0.2 us\"", "This long for every cell of the frame."),
    Variant::value(
        "per_frame",
        ANY_TIME,
        "\"100 us\"",
        "This long for the frame, whatever its length.",
    ),
];

const SWITCH: &[Key] = &[
    COUNT,
    Key::with_default(
        "delay",
        ANY_TIME,
        "0 s",
        "\"4 us\"",
        "Processing delay from input to output queue, the same for every cell.",
    ),
    Key::with_default(
        "buffer",
        Kind::Variants(BUFFER),
        "infinite",
        "{ per_vc = \"256 cell\" }",
        "How much may wait at an output, in the unit that the links carry.",
    ),
    Key::with_default(
        "in_service",
        Kind::Variants(IN_SERVICE),
        "counted",
        "\"not_counted\"",
        "Whether the cell being transmitted occupies the buffer.",
    ),
    Key::with_default(
        "drop",
        PolicyPlan::KIND,
        "tail",
        "{ epd = { threshold = 0.8 } }",
        "What happens to an arriving cell.",
    ),
    Key::optional(
        "vbr_buffer",
        Kind::Variants(CLASS_BUFFER),
        "as `buffer`",
        "{ per_port = \"1000 cell\" }",
        "How many cells of CBR and VBR flows may wait at an output; every service class has a \
         queue of its own.",
    ),
    Key::optional(
        "abr_buffer",
        Kind::Variants(CLASS_BUFFER),
        "as `buffer`",
        "{ per_port = \"8 kcell\" }",
        "How many cells of ABR flows may wait at an output.",
    ),
    Key::with_default(
        "rate_allocator",
        Kind::Variants(RATE_ALLOCATOR),
        "none",
        "{ erica_plus = { target_delay = \"500 us\" } }",
        "What each output tells the ABR sources whose cells pass it.",
    ),
    Key::with_default(
        "scheduler",
        SchedulerPlan::KIND,
        "fifo",
        "{ wfq = { excess = \"equal\" } }",
        "In which order an output serves the cells of one class.",
    ),
];

const CLASS_BUFFER: &[Variant] = &[
    Variant::word("infinite", "No limit."),
    Variant::value("per_port", Kind::Cells, "\"1000 cell\"", "Each output port has its own."),
    Variant::value("per_vc", Kind::Cells, "\"256 cell\"", "Each VC has its own at each port."),
];

const BUFFER: &[Variant] = &[
    Variant::word("infinite", "No limit."),
    Variant::value("per_port", Kind::Room, "\"1000 cell\"", "Each output port has its own."),
    Variant::value("per_vc", Kind::Room, "\"256 cell\"", "Each VC has its own at each port."),
    Variant::value("shared", Kind::Room, "\"8 kcell\"", "One memory for all ports of the switch."),
];

const IN_SERVICE: &[Variant] = &[
    Variant::word("counted", "A cell leaves the buffer when its last bit has been sent."),
    Variant::word("not_counted", "A cell leaves the buffer when its first bit is sent."),
];

const LINK: &[Key] = &[
    COUNT,
    Key::optional(
        "between",
        Kind::Nodes,
        "`from` and `to` are given",
        "[\"ku\", \"an2\"]",
        "The two ends of a duplex link.",
    )
    .instead_of("from"),
    Key::optional(
        "from",
        Kind::Node,
        "`between` is given",
        "\"ku\"",
        "Sending end of a one-way link.",
    )
    .instead_of("between"),
    Key::optional(
        "to",
        Kind::Node,
        "`between` is given",
        "\"an2\"",
        "Receiving end of a one-way link.",
    ),
    Key::required(
        "rate",
        Kind::LinkRate,
        "\"OC-3c\"",
        "How fast: a standard line, or a rate `of cell`, `of payload` or, for packets, `of line`.",
    ),
    Key::with_default(
        "carries",
        Kind::Variants(CARRIES),
        "cells",
        "\"packets\"",
        "What travels on it.",
    ),
    Key::optional(
        "delay",
        ANY_TIME,
        "`distance` is given",
        "\"2.2 ms\"",
        "One-way propagation; serialisation is added.",
    )
    .instead_of("distance"),
    Key::optional(
        "distance",
        Kind::Distance,
        "`delay` is given",
        "\"440 km\"",
        "Length, for a propagation delay of 5 us/km.",
    )
    .instead_of("delay"),
];

const CARRIES: &[Variant] = &[
    Variant::word("cells", "53-byte ATM cells."),
    Variant::table("packets", PACKETS, "Packets of variable length."),
];

const PACKETS: &[Key] = &[Key::with_default(
    "overhead",
    Kind::Size { least: 0, most: LARGEST_PACKET },
    "0 B",
    "\"18 B\"",
    "Framing bytes added to each IP packet on the wire.",
)];

const FLOW: &[Key] = &[
    COUNT,
    Key::required("from", Kind::Node, "\"ku\"", "The sending host."),
    Key::required("to", Kind::Node, "\"edc\"", "The receiving host."),
    Key::with_default(
        "start",
        ANY_INSTANT,
        "0 s",
        "{ uniform = [\"0 s\", \"0.1 s\"] }",
        "When its traffic begins; of a distribution, every member draws its own. After the end of \
         the run is never.",
    ),
    Key::optional(
        "stop",
        LATER_INSTANT,
        "the end of the run",
        "\"2 s\"",
        "When traffic of raw cells ends, drawn like `start`; a transport's ends with its `total`.",
    ),
    Key::required("traffic", Kind::Variants(TRAFFIC), "\"greedy\"", "What the application does."),
    Key::with_default(
        "service",
        Kind::Variants(SERVICE),
        "ubr",
        "{ ubr = { pace = \"70 Mbit/s of payload\" } }",
        "How the network carries its cells; packets know no service.",
    )
    .instead_of("vc"),
    Key::optional(
        "vc",
        Kind::Vc,
        "a virtual circuit of its own",
        "\"trunk\"",
        "The shared virtual circuit that its cells travel in.",
    )
    .instead_of("service"),
    Key::optional(
        "tcp",
        Kind::Section(Tcp::KEYS),
        "the traffic is raw cells",
        "{ window = \"128 KiB\" }",
        "The transport: required for `ttcp` and, but on ABR, for `greedy`; not possible for the \
         others.",
    ),
];

const INSTANTS: &[Variant] = &[
    Variant::value(
        "uniform",
        Kind::TimeRange { least: Span::ZERO },
        "[\"0 s\", \"0.1 s\"]",
        "Anything from the first time to the second.",
    ),
    Variant::table(
        "exponential",
        EXPONENTIAL,
        "Exponential beyond an offset; without an upper bound.",
    ),
];

const LATER_INSTANTS: &[Variant] = &[
    Variant::value(
        "uniform",
        Kind::TimeRange { least: Span::from_picoseconds(1) },
        "[\"1 s\", \"2 s\"]",
        "Anything from the first time to the second.",
    ),
    Variant::table(
        "exponential",
        EXPONENTIAL,
        "Exponential beyond an offset; without an upper bound.",
    ),
];

const EXPONENTIAL: &[Key] = &[
    Key::required("mean", POSITIVE_TIME, "\"50 ms\"", "Mean of what is above the offset."),
    Key::with_default("offset", ANY_TIME, "0 s", "\"1 s\"", "The least."),
];

const TRAFFIC: &[Variant] = &[
    Variant::word("greedy", "Always more to send."),
    Variant::table("ttcp", TTCP, "The send buffer is kept full by blocks of one size."),
    Variant::table("cbr", RAW_CELLS, "Cells at a constant rate, without a transport."),
    Variant::table("poisson", RAW_CELLS, "Cells of a Poisson process, without a transport."),
    Variant::table("on_off", ON_OFF, "Cells in bursts of one length, without a transport."),
    Variant::table(
        "exponential_on_off",
        EXPONENTIAL_ON_OFF,
        "Cells in bursts of random length, without a transport.",
    ),
];

const AMPLITUDE: Key = Key::required(
    "rate",
    Kind::Rate,
    "\"124.416 Mbit/s of cell\"",
    "The rate within a burst, `of cell` or `of payload`.",
);

const ON_OFF: &[Key] = &[
    AMPLITUDE,
    Key::required(
        "period",
        POSITIVE_TIME,
        "\"10 ms\"",
        "From the beginning of one burst to that of the next.",
    ),
    Key::required(
        "duty_cycle",
        Kind::Number(ABOVE_ZERO_TO_ONE),
        "0.8",
        "The part of a period that the burst lasts.",
    ),
];

const EXPONENTIAL_ON_OFF: &[Key] = &[
    AMPLITUDE,
    Key::required("on", POSITIVE_TIME, "\"5 ms\"", "Mean length of a burst."),
    Key::required("off", POSITIVE_TIME, "\"5 ms\"", "Mean length of the gap between bursts."),
];

const TTCP: &[Key] = &[
    Key::with_default(
        "write",
        SOME_BYTES,
        "64 KiB",
        "\"8 KiB\"",
        "Size of one write. The send buffer is always full, so only `total` depends on it: whole \
         writes are sent.",
    ),
    Key::optional(
        "total",
        Kind::Size { least: 1, most: LARGEST_TOTAL },
        "until the run ends",
        "\"10 MB\"",
        "Bytes to send in all.",
    ),
];

const RAW_CELLS: &[Key] = &[Key::required(
    "rate",
    Kind::Rate,
    "\"9.36 Mbit/s of cell\"",
    "The (mean) rate, `of cell` or `of payload`.",
)];

pub(crate) const SERVICE: &[Variant] = &[
    Variant::table("ubr", UBR, "Unspecified bit rate; served last."),
    Variant::table(
        "abr",
        ABR,
        "Available bit rate: the source obeys the rate that the network allows; served second.",
    ),
    Variant::table(
        "gfr",
        Gfr::KEYS,
        "Guaranteed frame rate: whole frames, a minimum cell rate; shares the queue of UBR.",
    ),
    Variant::word("vbr", "Variable bit rate; served first."),
    Variant::word("cbr", "Constant bit rate; served first, together with VBR."),
];

const UBR: &[Key] = &[Key::optional(
    "pace",
    Kind::Rate,
    "as fast as the first link",
    "\"70 Mbit/s of payload\"",
    "Cell-level pacing at the source, `of cell` or `of payload`.",
)];

const OBSERVE: &[Key] = &[
    Key::optional(
        "series",
        Kind::Words(SERIES),
        "all but `vc_queue`",
        "[\"queue\", \"cwnd\"]",
        "Which quantities.",
    ),
    Key::optional(
        "interval",
        Kind::SamplingInterval,
        "a thousandth of the duration",
        "\"10 ms\"",
        "When a point is taken: on this grid, or whenever the value changes.",
    ),
    Key::with_default(
        "limit",
        Kind::Integer { least: 16, most: 100_000_000 },
        "10000",
        "1000",
        "Most points kept per series; beyond it a grid keeps every second one, and of changes the \
         least, the largest, the last and \
         the exact time mean of each stretch stay.",
    ),
    Key::optional(
        "distributions",
        Kind::Section(DISTRIBUTIONS),
        "none",
        "{}",
        "Whose distributions to count, from the warm-up on; `*` in a name stands for any part of \
         it.",
    ),
];

const DISTRIBUTIONS: &[Key] = &[
    Key::optional(
        "ports",
        Kind::Names,
        "no port",
        "[\"an2.*\"]",
        "Output ports, `switch.link`: for how long the queue was how long, and the delay of units \
         from arrival to last bit.",
    ),
    Key::optional(
        "flows",
        Kind::Names,
        "no flow",
        "[\"*\"]",
        "Flows with packets: the delay from the sending host's interface, its queue included, to \
         the receiving host.",
    ),
];

const SERIES: &[Variant] = &[
    Variant::word("queue", "Cells or packets at each switch port."),
    Variant::word("vc_queue", "Those of each VC at each switch port: as many series as VCs pass."),
    Variant::word("cwnd", "Congestion window, bytes."),
    Variant::word("ssthresh", "Slow-start threshold, bytes."),
    Variant::word("in_flight", "Bytes sent and not yet acknowledged."),
    Variant::word("rtt", "Round-trip time of each timed segment, seconds."),
    Variant::word("acked", "Bytes acknowledged in order."),
    Variant::word("acr", "Allowed cell rate of each direction of each ABR flow, cells per second."),
    Variant::word("er", "Explicit rate given last by each allocator, cells per second."),
    Variant::word("fair_share", "Fair share of each allocator, cells per second."),
    Variant::word("overload", "Overload factor z of each allocator; without capacity it has none."),
    Variant::word("active", "Active VCs N that each allocator counts."),
    Variant::word("abr_capacity", "Capacity that each allocator shares out, cells per second."),
];

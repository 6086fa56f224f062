//! The keys of ABR: what a source is told when its VC is set up, and the allocators of rates of the
//! switches.

use crate::language::keys::{Bound, Interval, Key, Kind, Variant};
use crate::language::kinds::{ABOVE_ZERO_TO_ONE, POSITIVE_TIME, ZERO_TO_ONE};

/// TM 4.0 table 5-3: 15 powers of two.
const RATE_FACTOR: Kind = Kind::PowerFraction { deepest: 15, or_zero: false };

/// `service.abr`; names, ranges and defaults of TM 4.0 table 5-3.
pub(crate) const ABR: &[Key] = &[
    Key::optional(
        "pcr",
        Kind::Rate,
        "the rate of the first link, for each direction",
        "\"149.76 Mbit/s of cell\"",
        "Peak cell rate.",
    ),
    Key::optional(
        "mcr",
        Kind::Rate,
        "0",
        "\"1 Mbit/s of cell\"",
        "Minimum cell rate, which is guaranteed.",
    ),
    Key::optional(
        "icr",
        Kind::Rate,
        "PCR",
        "\"10 Mbit/s of cell\"",
        "Initial cell rate, also after a pause of ADTF.",
    ),
    Key::with_default(
        "tbe",
        Kind::Cells,
        "16777215 cell",
        "\"1024 cell\"",
        "Transient buffer exposure: ICR is at most TBE per FRTT.",
    ),
    Key::optional(
        "frtt",
        POSITIVE_TIME,
        "the propagation delay of the path, there and back",
        "\"30 ms\"",
        "Fixed round-trip time.",
    ),
    Key::with_default("rif", RATE_FACTOR, "1/16", "\"1/32\"", "Rate increase factor, of PCR."),
    Key::with_default("rdf", RATE_FACTOR, "1/16", "\"1/32768\"", "Rate decrease factor, of ACR."),
    Key::with_default(
        "nrm",
        Kind::PowerOfTwo { least: 2, most: 256 },
        "32",
        "64",
        "Most cells per forward RM cell.",
    ),
    Key::with_default(
        "trm",
        POSITIVE_TIME,
        "100 ms",
        "\"50 ms\"",
        "Longest time between forward RM cells of an active source.",
    ),
    Key::optional(
        "crm",
        Kind::Integer { least: 1, most: 16_777_215 },
        "TBE/Nrm",
        "32",
        "Forward RM cells without an answer after which ACR is cut.",
    ),
    Key::with_default(
        "cdf",
        Kind::PowerFraction { deepest: 6, or_zero: true },
        "1/16",
        "\"0\"",
        "Cutoff decrease factor, of ACR; 0 switches the cut off.",
    ),
    Key::with_default(
        "adtf",
        POSITIVE_TIME,
        "500 ms",
        "\"1 s\"",
        "ACR decrease time factor: after this long without a forward RM cell ACR falls to ICR.",
    ),
    Key::with_default(
        "tcr",
        Kind::Rate,
        "10 cell/s",
        "\"20 cell/s\"",
        "Rate of out-of-rate RM cells.",
    ),
    Key::with_default(
        "use_it_or_lose_it",
        Kind::Variants(USE_IT_OR_LOSE_IT),
        "retain",
        "{ time_based = { tof = 4 } }",
        "What becomes of a rate that is not used.",
    ),
    Key::with_default(
        "quantised",
        Kind::Boolean,
        "false",
        "true",
        "Whether rates in RM cells are cut to the standard's 16 bits.",
    ),
    Key::with_default(
        "buffer",
        Kind::Variants(SEGMENTATION_BUFFER),
        "infinite",
        "{ tail = \"1000 cell\" }",
        "How many cells of the VC may wait at its source, for each direction.",
    ),
];

const USE_IT_OR_LOSE_IT: &[Variant] = &[
    Variant::word("retain", "It is kept until ADTF."),
    Variant::table(
        "time_based",
        TIME_BASED,
        "It falls to the rate used when a forward RM cell is late.",
    ),
    Variant::table(
        "count_based",
        COUNT_BASED,
        "It falls to the rate used plus ICR when it is far above it.",
    ),
];

const TIME_BASED: &[Key] = &[Key::with_default(
    "tof",
    Kind::Number(Interval { least: Bound::From(1.0), most: Bound::From(1000.0) }),
    "4",
    "2",
    "How many times later than Nrm cells at ACR a forward RM cell must be.",
)];

const COUNT_BASED: &[Key] = &[Key::required(
    "headroom",
    Kind::Rate,
    "\"10 Mbit/s of cell\"",
    "How much of an unused rate is left alone.",
)];

const SEGMENTATION_BUFFER: &[Variant] = &[
    Variant::word("infinite", "No limit."),
    Variant::value(
        "tail",
        Kind::Cells,
        "\"1000 cell\"",
        "Cells that find so many waiting are lost.",
    ),
    Variant::value(
        "back_pressure",
        Kind::Cells,
        "\"100 cell\"",
        "The transport waits while so many cells wait: nothing is lost.",
    ),
];

/// `switch.rate_allocator`.
pub(crate) const RATE_ALLOCATOR: &[Variant] = &[
    Variant::word("none", "Nothing."),
    Variant::table("efci", EFCI, "Data cells are marked above a threshold."),
    Variant::table(
        "relative_rate",
        RELATIVE_RATE,
        "Backward RM cells are marked above thresholds.",
    ),
    Variant::table("erica", ERICA, "ERICA: explicit rates for a fixed target utilisation."),
    Variant::table("erica_plus", ERICA_PLUS, "ERICA+: explicit rates for a target queueing delay."),
];

const EFCI: &[Key] = &[Key::required(
    "threshold",
    Kind::Cells,
    "\"300 cell\"",
    "ABR cells waiting above which data cells are marked.",
)];

const RELATIVE_RATE: &[Key] = &[
    Key::required(
        "no_increase",
        Kind::Cells,
        "\"300 cell\"",
        "ABR cells waiting above which sources must not increase (NI = 1).",
    ),
    Key::required(
        "congestion",
        Kind::Cells,
        "\"600 cell\"",
        "ABR cells waiting above which sources must decrease (CI = 1).",
    ),
];

const INTERVAL_CELLS: Key = Key::with_default(
    "interval_cells",
    Kind::Integer { least: 1, most: 1_000_000_000 },
    "100",
    "500",
    "A measuring interval ends after so many ABR cells, or after `interval`, whichever comes \
     first.",
);
const INTERVAL: Key = Key::with_default(
    "interval",
    POSITIVE_TIME,
    "1 ms",
    "\"5 ms\"",
    "A measuring interval ends after this time, or after `interval_cells`, whichever comes first.",
);
const ACTIVITY_DECAY: Key = Key::optional(
    "activity_decay",
    Kind::Number(Interval { least: Bound::Beyond(0.0), most: Bound::Beyond(1.0) }),
    "a VC is active in an interval in which a cell of it was seen",
    "0.9",
    "An: a silent VC's activity falls by this factor per interval.",
);
const OVERLOAD_AVERAGE: Key = Key::with_default(
    "overload_average",
    Kind::Variants(OVERLOAD_AVERAGES),
    "none",
    "{ ratio = { weight = 0.2 } }",
    "How the overload factor z is averaged over intervals.",
);
const BACKWARD_ACTIVITY: Key = Key::with_default(
    "backward_activity",
    Kind::Boolean,
    "false",
    "true",
    "Whether a VC that sends data is active too when a backward RM cell returns to it.",
);
const CCR: Key = Key::with_default(
    "ccr",
    Kind::Variants(CCR_FROM),
    "rm_cell",
    "\"measured\"",
    "Where the rate of a VC is known from.",
);
const EXCESS: Key = Key::with_default(
    "excess",
    Kind::Variants(EXCESSES),
    "equal",
    "\"by_mcr\"",
    "How what is above the minimum cell rates is shared.",
);

const DELTA: Key = Key::with_default(
    "delta",
    Kind::Number(ZERO_TO_ONE),
    "0.1",
    "0.05",
    "Up to an overload factor of 1 plus this every VC may have the largest rate given in the \
     interval before.",
);

const ERICA: &[Key] = &[
    Key::with_default(
        "target_utilisation",
        Kind::Number(ABOVE_ZERO_TO_ONE),
        "0.9",
        "0.95",
        "U: the part of the link that is used.",
    ),
    Key::with_default(
        "target_of",
        Kind::Variants(TARGET_OF),
        "link",
        "\"remainder\"",
        "What the target utilisation is a part of.",
    ),
    INTERVAL_CELLS,
    INTERVAL,
    ACTIVITY_DECAY,
    OVERLOAD_AVERAGE,
    BACKWARD_ACTIVITY,
    CCR,
    EXCESS,
    DELTA,
];

const ERICA_PLUS: &[Key] = &[
    Key::with_default(
        "target_delay",
        POSITIVE_TIME,
        "500 us",
        "\"1 ms\"",
        "T0: how long a cell should wait for its turn.",
    ),
    Key::with_default(
        "queue_control",
        Kind::Variants(QUEUE_CONTROL),
        "hyperbolic",
        "{ hyperbolic = { a = 1.3, b = 1.01, qdlf = 0.4 } }",
        "Which part of the ABR capacity is given out at which queue.",
    ),
    Key::with_default(
        "drain_rate",
        Kind::Variants(DRAIN_RATE),
        "abr_capacity",
        "\"link\"",
        "The rate that turns the queue into a delay.",
    ),
    INTERVAL_CELLS,
    INTERVAL,
    ACTIVITY_DECAY,
    OVERLOAD_AVERAGE,
    BACKWARD_ACTIVITY,
    CCR,
    EXCESS,
    DELTA,
];

const TARGET_OF: &[Variant] = &[
    Variant::word("link", "U of the link, less what higher classes send."),
    Variant::word("remainder", "U of what higher classes leave of the link."),
];

const OVERLOAD_AVERAGES: &[Variant] = &[
    Variant::word("none", "Each interval counts by itself."),
    Variant::table(
        "exponential",
        AVERAGE,
        "Of the ratio, begun anew whenever it is zero or infinite.",
    ),
    Variant::table("ratio", AVERAGE, "Of input and capacity, each by itself."),
];

const AVERAGE: &[Key] = &[Key::with_default(
    "weight",
    Kind::Number(ABOVE_ZERO_TO_ONE),
    "0.2",
    "0.5",
    "Az: the weight of the newest interval.",
)];

const CCR_FROM: &[Variant] = &[
    Variant::word("rm_cell", "The CCR field of its forward RM cells."),
    Variant::word("measured", "Its cells in the last interval."),
];

const EXCESSES: &[Variant] = &[
    Variant::word("equal", "In equal parts."),
    Variant::word(
        "by_mcr",
        "In proportion to the minimum cell rates; in equal parts if there are none.",
    ),
];

const DRAIN_RATE: &[Variant] = &[
    Variant::word("abr_capacity", "What higher classes left in the interval."),
    Variant::word("link", "The link's."),
];

const CURVATURE: Interval = Interval { least: Bound::Beyond(1.0), most: Bound::From(100.0) };
const CURVE_A: Key = Key::with_default(
    "a",
    Kind::Number(CURVATURE),
    "1.15",
    "1.3",
    "Curvature, or 1 plus the slope, beyond the queue `q1`.",
);
const CURVE_B: Key = Key::with_default(
    "b",
    Kind::Number(CURVATURE),
    "1.05",
    "1.01",
    "Curvature, or 1 plus the slope, below the target queue.",
);
const POLE: Key = Key::with_default(
    "a",
    Kind::Number(CURVATURE),
    "23",
    "16.5",
    "How many `q1` beyond `q1` the pole of the hyperbola is.",
);
const TARGETS: Interval = Interval { least: Bound::From(1.0), most: Bound::From(1000.0) };
const CURVE_Q1: Key = Key::with_default(
    "q1",
    Kind::Number(TARGETS),
    "1",
    "4",
    "From the target queue to so many targets all is given out.",
);
const QDLF: Key = Key::with_default(
    "qdlf",
    Kind::Number(ABOVE_ZERO_TO_ONE),
    "0.5",
    "0.4",
    "Queue drain limit factor: the least part that is given out.",
);

const QUEUE_CONTROL: &[Variant] = &[
    Variant::table(
        "hyperbolic",
        CURVED,
        "Two hyperbolas, from the target queue down and from `q1` up.",
    ),
    Variant::table(
        "inverse_hyperbolic",
        INVERSE,
        "Beyond `q1` an inverse hyperbola: it falls little at first, then steeply down to `qdlf`.",
    ),
    Variant::table("linear", CURVED, "Two straight lines; `a` and `b` are 1 plus their slopes."),
    Variant::table("step", STEP, "Four steps: `b`, 1, `a`, `qdlf`, at the target, `q1` and `q2`."),
];

const CURVED: &[Key] = &[CURVE_A, CURVE_B, CURVE_Q1, QDLF];
const INVERSE: &[Key] = &[POLE, CURVE_B, CURVE_Q1, QDLF];
const STEP: &[Key] = &[
    Key::optional(
        "a",
        Kind::Number(ABOVE_ZERO_TO_ONE),
        "halfway from 1 to `qdlf`",
        "0.95",
        "Part that is given out between `q1` and `q2`.",
    ),
    Key::with_default(
        "b",
        Kind::Number(CURVATURE),
        "1.05",
        "1.01",
        "Part that is given out below the target queue.",
    ),
    Key::with_default(
        "q1",
        Kind::Number(TARGETS),
        "2",
        "4",
        "Up to so many targets all is given out.",
    ),
    Key::with_default(
        "q2",
        Kind::Number(TARGETS),
        "4",
        "26",
        "Up to so many targets `a` is given out.",
    ),
    QDLF,
];

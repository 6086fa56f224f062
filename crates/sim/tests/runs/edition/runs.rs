//! The fixed set of runs: the scenarios of the benchmarks, and every model of the language's lists
//! on a path where it decides something.

/// Base of runs, the key that is set, and its values: a run for each.
pub(super) type Variants = (&'static str, &'static str, &'static [&'static str]);

/// Text of a base by its name, with settings that hold for all its runs.
pub(super) type Base = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

macro_rules! bench {
    ($name:literal) => {
        include_str!(concat!("../../../benches/scenarios/", $name, ".toml"))
    };
}

const SECONDS: (&str, &str) = ("run.duration", "'4 s'");

pub(super) const BASES: [Base; 13] = [
    ("multiplexer", bench!("b1-cbr-multiplexer"), &[("run.duration", "'500 ms'")]),
    ("wan", bench!("b2-tcp-wan"), &[SECONDS, ("switch.west.buffer.per_port", "'2000 cell'")]),
    ("large-frames", bench!("b3-tcp-large-frames"), &[("run.duration", "'1 s'")]),
    ("satellite", bench!("b4-tcp-satellite"), &[("run.duration", "'20 s'")]),
    ("lan", bench!("b5-tcp-lan"), &[("run.duration", "'600 ms'")]),
    ("hundred", bench!("b6-tcp-hundred"), &[("run.duration", "'600 ms'")]),
    ("abr", bench!("b7-abr-beside-vbr"), &[("run.duration", "'1 s'")]),
    ("gfr", bench!("b8-gfr-dfba"), &[SECONDS, ("switch.near.buffer.per_port", "'6 kcell'")]),
    ("acts", bench!("b9-tcp-acts"), &[("run.duration", "'30 s'")]),
    ("access", bench!("c3-unlike-access-lines"), &[SECONDS]),
    ("router", include_str!("router.toml"), &[]),
    ("relay", include_str!("relay.toml"), &[]),
    ("memory", include_str!("memory.toml"), &[]),
];

const CONGESTED: &[&str] = &[
    "'ppd'",
    "{ epd = { threshold = 0.7 } }",
    "{ selective_drop = { threshold = 0.7 } }",
    "{ fba = { threshold = 0.7, z = 0.5 } }",
    "{ red = { min_threshold = 0.2, max_threshold = 0.8, weight = 0.01 } }",
    "{ fred = { min_threshold = 0.2, max_threshold = 0.8, weight = 0.01, min_per_vc = 0.02 } }",
    "{ virtual_queuing = { threshold = 0.7 } }",
    "{ vq_dynamic_epd = { threshold = 0.7 } }",
    "{ codel = { target = '1 ms', interval = '20 ms' } }",
    "{ pie = { target = '1 ms', update = '1 ms', max_burst = '5 ms' } }",
];

const GUARANTEED: &[&str] = &[
    "{ vq_mcr = { threshold = 0.5 } }",
    "{ ered = { min_threshold = 0.2, max_threshold = 0.6, weight = 0.01 } }",
    "{ priority = { low = 0.3, high = 0.7 } }",
    "{ dfba = { low = 0.5, high = 0.8, z = 'one' } }",
    "{ dfba = { low = 0.5, high = 0.8, z = 'one_minus_share' } }",
    "{ dfba = { low = 0.5, high = 0.8, z = 'one_minus_share_squared' } }",
    "{ dfba = { low = 0.5, high = 0.8, z = 'per_vc' } }",
    "{ dfba = { low = 0.5, high = 0.8, z.constant = 0.3, alpha = 0.2 } }",
];

const ALLOCATORS: &[&str] = &[
    "{ efci = { threshold = '200 cell' } }",
    "{ relative_rate = { no_increase = '100 cell', congestion = '300 cell' } }",
    "{ erica = { overload_average.ratio.weight = 0.3, ccr = 'measured', delta = 0 } }",
    "{ erica = { overload_average = 'exponential', activity_decay = 0.9, target_of = \
     'remainder' } }",
    "{ erica_plus = { queue_control = 'inverse_hyperbolic', excess = 'by_mcr' } }",
    "{ erica_plus = { queue_control = 'linear', backward_activity = true } }",
    "{ erica_plus = { queue_control = 'step' } }",
    "'instcap'",
    "'effcap'",
];

const IMPAIRMENTS: &[&str] = &[
    "{ loss = 0.01 }",
    "{ periodic_loss = 97 }",
    "{ bit_errors = 1e-6 }",
    "{ gilbert_elliott = { sojourn.transitions = { to_bad = 0.01, to_good = 0.3 } } }",
    "{ gilbert_elliott = { sojourn.units = { good = 200, bad = 4 }, bad_loss = 0.5 } }",
    "{ gilbert_elliott = { sojourn.times = { good = '1 s', bad = '9 ms' } } }",
    "{ script.'greedy[1]' = { segments = [9, 20, 21], acks = [30] } }",
    "{ outages.when.periodic = { every = '700 ms', lasts = '40 ms' } }",
    "{ outages = { when.listed = [['500 ms', '90 ms']], units = 'wait' } }",
    "{ reorder = { probability = 0.02, extra_delay = '6 ms' } }",
    "{ duplicate = 0.02 }",
];

const CAPACITIES: &[&str] = &[
    "{ two_state = { high = '10 Mbit/s of line', low = '2 Mbit/s of line', mean_high = '600 ms', \
     mean_low = '100 ms' } }",
    "{ markov = { rates = ['10 Mbit/s of line', '4 Mbit/s of line'], generator = [[-8, 8], [5, \
     -5]] } }",
    "{ slotted = { rates = ['10 Mbit/s of line', '3 Mbit/s of line'], transitions = [[0.7, 0.3], \
     [0.4, 0.6]], slot = '20 ms' } }",
    "{ steps = { rates = [['0 s', '10 Mbit/s of line'], ['800 ms', '5 Mbit/s of line']] } }",
    "{ mahimahi.opportunities = [2, 5, 7, 11, 19, 22] }",
];

const RECOVERIES: &[&str] = &[
    "'tahoe'",
    "'vanilla'",
    "'reno'",
    "'new_reno'",
    "'new_reno_steady'",
    "'hoe'",
    "'sack_pipe'",
    "'sack'",
    "'rack'",
    "{ rack = { reduction = 'at_once', undo = 'f_rto', tail_probe = false } }",
    "'thresholds'",
    "{ thresholds = { reduction = 'prr', undo = 'd_sack' } }",
];

const LAWS: &[&str] =
    &["'cubic'", "'vegas'", "'westwood'", "'hybla'", "'dctcp'", "'copa'", "'bbr1'"];

const TRAFFIC: &[&str] = &[
    "{ ttcp = { total = '100 kB' } }",
    "{ full = { block = '30 kB', repeats = 9 } }",
    "{ schedule.writes = [['10 ms', '200 kB'], ['1 s', '30 kB']] }",
    "{ request_response = { request = '200 B', response = '20 kB' } }",
    "'www'",
    "{ cbr = { rate = '1 Mbit/s of payload', write = '1 kB' } }",
    "{ poisson = { rate = '1 Mbit/s of payload', write = '1 kB' } }",
    "{ bernoulli = { rate = '1 Mbit/s of payload', write = '1 kB', probability = 0.5 } }",
    "{ on_off = { rate = '4 Mbit/s of payload', write = '1 kB', period = '50 ms', duty_cycle = \
     0.5 } }",
    "{ exponential_on_off = { rate = '4 Mbit/s of payload', write = '1 kB', on = '50 ms', off = \
     '50 ms' } }",
    "{ burst = { block = '90 kB', period = '1 s' } }",
    "{ burstq = { block = '90 kB', period = '30 ms' } }",
    "'ftp'",
    "'mpeg'",
    "'videoconference'",
    "'voice'",
];

/// Runs beside that of each base as it stands.
pub(super) const VARIANTS: [Variants; 16] = [
    ("wan", "switch.west.drop", CONGESTED),
    ("wan", "flow.bulk.tcp.recovery", RECOVERIES),
    ("wan", "flow.bulk.tcp.congestion", LAWS),
    ("wan", "run.seed", &["2"]),
    ("gfr", "switch.near.drop", GUARANTEED),
    ("gfr", "switch.near.scheduler", &["'wfq'", "{ drr = { share = 'by_mcr' } }"]),
    ("abr", "switch.near.rate_allocator", ALLOCATORS),
    ("access", "switch.west.buffer", &["{ per_vc = '100 cell' }", "{ shared = '900 cell' }"]),
    (
        "router",
        "switch.router.drop",
        &[
            "{ fq_codel = { target = '2 ms', interval = '30 ms', queues.hashed = 8 } }",
            "{ fq_codel = { queues = 'per_flow', ecn = true } }",
            "{ red = { min_threshold = 0.2, max_threshold = 0.9, weight = 0.02, ecn = true } }",
            "{ pie = { target = '3 ms', ecn = true, derandomise = true } }",
        ],
    ),
    ("router", "switch.router.scheduler", &["{ drr = { quantum = '600 B' } }"]),
    ("router", "link.bottleneck.impairments", IMPAIRMENTS),
    ("router", "link.bottleneck.capacity", CAPACITIES),
    (
        "router",
        "flow.greedy.tcp",
        &[
            "{ window = '64 KiB', congestion = 'cubic', ecn = true, timestamps = true, recovery = \
             'sack' }",
            "{ window = '64 KiB', restart_after_idle = 'never', timers = 'fine', nagle = false }",
        ],
    ),
    ("router", "flow.other.traffic", TRAFFIC),
    (
        "router",
        "flow.greedy.pacing",
        &[
            "{ link = 'bottleneck', rate = 'instcap' }",
            "{ link = 'bottleneck', rate = 'effcap' }",
            "{ link = 'bottleneck', rate.constant = '2 Mbit/s of line' }",
        ],
    ),
    ("relay", "flow.trunk.tcp.recovery", &["'new_reno'"]),
];

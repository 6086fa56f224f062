//! The keys of the transport.

use crate::language::keys::{Key, Kind, Variant};
use crate::language::kinds::{LARGEST_PACKET, POSITIVE_TIME};
use crate::scenario::language::sections::SOME_BYTES;

/// An IPv4 packet of 65 535 bytes less 40 of TCP and IP headers.
const LARGEST_MSS: u64 = 65_495;

/// `[flow.NAME.tcp]`.
pub(in crate::scenario) const TCP: &[Key] = &[
    Key::with_default(
        "mtu",
        Kind::Size { least: 41, most: LARGEST_PACKET },
        "9180 B",
        "\"1500 B\"",
        "Largest IP packet; the segment is 40 bytes smaller.",
    )
    .instead_of("mss"),
    Key::optional(
        "mss",
        Kind::Size { least: 1, most: LARGEST_MSS },
        "`mtu` less 40 bytes",
        "\"512 B\"",
        "Largest TCP payload of a segment.",
    )
    .instead_of("mtu"),
    Key::with_default(
        "window",
        SOME_BYTES,
        "64 KiB",
        "\"128 KiB\"",
        "Receive buffer, hence the largest advertised window.",
    ),
    Key::with_default(
        "recovery",
        Kind::Variants(RECOVERY),
        "reno",
        "\"tahoe\"",
        "The rule that turns losses into a window.",
    ),
    Key::with_default(
        "timers",
        Kind::Variants(TIMERS),
        "bsd",
        "{ fine = { granularity = \"1 ms\" } }",
        "Retransmission and delayed-ACK clocks.",
    ),
    Key::with_default(
        "ack",
        Kind::Variants(ACK),
        "delayed",
        "\"every_segment\"",
        "When the receiver acknowledges.",
    ),
    Key::with_default(
        "handshake",
        Kind::Boolean,
        "false",
        "true",
        "Whether SYNs are exchanged; otherwise both ends start established.",
    ),
    Key::with_default(
        "initial_window",
        Kind::Integer { least: 1, most: 65_535 },
        "1",
        "2",
        "Congestion window at the start, in segments.",
    ),
    Key::optional(
        "initial_ssthresh",
        SOME_BYTES,
        "unlimited",
        "\"64 KiB\"",
        "Slow-start threshold at the start.",
    ),
    Key::with_default(
        "avoidance",
        Kind::Variants(AVOIDANCE),
        "standard",
        "\"bsd_extra\"",
        "Growth in congestion avoidance.",
    ),
    Key::with_default(
        "window_scaling",
        Kind::Boolean,
        "true",
        "false",
        "RFC 7323 window scaling; without it a window is at most 65 535 bytes.",
    ),
    Key::optional(
        "limited_transmit",
        Kind::Boolean,
        "true for `new_reno`, `new_reno_steady` and `sack`, else false",
        "true",
        "RFC 3042: the first two duplicate ACKs let one new segment go each. Not with `vanilla`.",
    ),
    Key::optional(
        "fast_retransmit_guard",
        Kind::Boolean,
        "true for `tahoe`, false for `reno`",
        "false",
        "No fast retransmit of what was sent before the last one or a timeout. 4.3BSD has none; without it `tahoe` \
         restores snd_nxt. The other rules leave no choice.",
    ),
];

const RECOVERY: &[Variant] = &[
    Variant::word("vanilla", "Slow start and congestion avoidance only; every loss waits for the timer."),
    Variant::word(
        "tahoe",
        "Fast retransmit, then slow start from there; with `fast_retransmit_guard = false` that of 4.3BSD.",
    ),
    Variant::word("reno", "4.3BSD Reno: fast retransmit and fast recovery."),
    Variant::word(
        "new_reno",
        "RFC 6582: a partial ACK repairs the next hole; only the first restarts the timer.",
    ),
    Variant::word("new_reno_steady", "RFC 6582, slow but steady: every partial ACK restarts the timer."),
    Variant::word("hoe", "Hoe 1996: repairs on partial ACKs, a new segment for every two duplicate ACKs."),
    Variant::word(
        "sack_pipe",
        "Selective ACKs; segments in the network are counted as by Fall and Floyd 1996.",
    ),
    Variant::word("sack", "Selective ACKs as in RFC 6675."),
];

const TIMERS: &[Variant] = &[
    Variant::table("bsd", BSD, "4.3BSD: free-running host ticks."),
    Variant::table("fine", FINE, "RFC 6298; nothing waits for a tick."),
];

const BSD: &[Key] = &[
    Key::with_default(
        "slow",
        POSITIVE_TIME,
        "500 ms",
        "\"250 ms\"",
        "Tick of retransmission and RTT measurement.",
    ),
    Key::with_default("fast", POSITIVE_TIME, "200 ms", "\"100 ms\"", "Tick of the delayed ACK."),
    Key::with_default("min_rto", POSITIVE_TIME, "1 s", "\"0.5 s\"", "Shortest retransmission timeout."),
    Key::with_default("max_rto", POSITIVE_TIME, "64 s", "\"30 s\"", "Longest retransmission timeout."),
];

const FINE: &[Key] = &[
    Key::with_default(
        "granularity",
        POSITIVE_TIME,
        "1 ms",
        "\"10 ms\"",
        "G of RFC 6298: the least that the variance adds to a timeout. Samples and expiries are exact.",
    ),
    Key::with_default("initial_rto", POSITIVE_TIME, "1 s", "\"3 s\"", "Timeout before the first RTT sample."),
    Key::with_default("min_rto", POSITIVE_TIME, "1 s", "\"0.5 s\"", "Shortest retransmission timeout."),
    Key::with_default("max_rto", POSITIVE_TIME, "60 s", "\"30 s\"", "Longest retransmission timeout."),
    Key::with_default("ack_delay", POSITIVE_TIME, "200 ms", "\"40 ms\"", "Longest wait of a delayed ACK."),
];

const ACK: &[Variant] = &[
    Variant::word("delayed", "At least every second full segment, or when the delayed-ACK timer fires."),
    Variant::word("every_segment", "Every segment is acknowledged at once."),
];

const AVOIDANCE: &[Variant] = &[
    Variant::word("standard", "MSS·MSS/cwnd per ACK."),
    Variant::word("bsd_extra", "4.3BSD Reno's further MSS/8 per ACK."),
];

//! Every kind of bad scenario and the one line that it is answered with.
//!
//! The lines stand in `golden/scenario_errors.txt`, to be read and reviewed; `UPDATE_GOLDENS=1`
//! rewrites them.

mod buffer_management;
#[path = "../common/mod.rs"]
mod common;
mod services;

use std::fmt::Write;

use cellway_sim::scenario::{MAX_SCENARIO_BYTES, Scenario, Source};
use common::{EDGES, FAMILIES, MISMATCH, PACKETS};

/// A name, what to replace in the scenario, and by what.
type Case = (&'static str, &'static str, &'static str);

const MISMATCH_CASES: &[Case] = &[
    ("toml syntax", "duration = \"20 s\"", "duration = "),
    ("toml bare word", "recovery = \"reno\"", "recovery = reno"),
    ("duplicate key", "delay = \"4 us\"", "delay = \"4 us\"\ndelay = \"5 us\""),
    ("duplicate section", "[host.edc]", "[host.ku]"),
    ("unknown section", "[observe]", "[observer]"),
    (
        "distribution of no port",
        "interval = \"10 ms\"",
        "distributions = { ports = [\"an2.*\", \"an2.edc\"] }",
    ),
    ("distribution of no flow", "interval = \"10 ms\"", "distributions = { flows = [\"bluk\"] }"),
    ("distributions in one list", "interval = \"10 ms\"", "distributions = [\"an2.edc-side\"]"),
    (
        "a port that is no list",
        "interval = \"10 ms\"",
        "distributions = { ports = \"an2.edc-side\" }",
    ),
    ("unknown key", "delay = \"2.2 ms\"", "dealy = \"2.2 ms\""),
    ("unknown key in a variant", "{ write =", "{ wriet ="),
    (
        "unknown key in a named section",
        "distance = \"440 km\"",
        "delay = \"1 ms\"\ncolour = \"red\"",
    ),
    ("missing key", "rate = \"OC-3c\"", ""),
    ("missing run", "[run]\nduration = \"20 s\"\nwarm_up = \"2 s\"", ""),
    ("missing traffic", "traffic.ttcp = { write = \"64 KiB\" }", ""),
    ("section as a value", "[host.edc]\ncpu_per_segment = \"550 us\"", "[host]\nedc = 5"),
    ("bare number for a time", "delay = \"2.2 ms\"", "delay = 2.2"),
    ("bare number for a size", "window = \"128 KiB\"", "window = 131072"),
    ("array for a rate", "rate = \"OC-3c\"", "rate = [1, 2]"),
    ("string for an integer", "warm_up = \"2 s\"", "seed = \"7\""),
    ("float for an integer", "warm_up = \"2 s\"", "seed = 7.5"),
    ("negative integer", "warm_up = \"2 s\"", "seed = -1"),
    ("integer too large", "warm_up = \"2 s\"", "seed = 99999999999999999999"),
    ("string for a boolean", "timers = \"bsd\"", "handshake = \"yes\""),
    ("misspelt time unit", "delay = \"2.2 ms\"", "delay = \"2.2 msec\""),
    ("unit of another quantity", "delay = \"2.2 ms\"", "delay = \"2.2 KiB\""),
    ("ambiguous kilobyte", "window = \"128 KiB\"", "window = \"128 KB\""),
    ("bits for bytes", "rate = \"OC-3c\"", "rate = \"155 Mb/s of cell\""),
    ("plural unit", "per_vc = \"256 cell\"", "per_vc = \"256 cells\""),
    ("bytes for cells", "per_vc = \"256 cell\"", "per_vc = \"16 KiB\""),
    ("rate without a layer", "rate = \"OC-3c\"", "rate = \"155 Mbit/s\""),
    ("rate of an unknown layer", "rate = \"OC-3c\"", "rate = \"155 Mbit/s of cells\""),
    ("line rate of a cell link", "rate = \"OC-3c\"", "rate = \"155.52 Mbit/s of line\""),
    ("line rate of a pace", "70 Mbit/s of payload", "70 Mbit/s of line"),
    ("unknown preset", "rate = \"OC-3c\"", "rate = \"OC-3\""),
    ("distance in miles", "440 km", "440 miles"),
    ("negative time", "delay = \"2.2 ms\"", "delay = \"-2.2 ms\""),
    ("time finer than a picosecond", "delay = \"2.2 ms\"", "delay = \"0.0001 ns\""),
    ("time beyond a hundred days", "delay = \"2.2 ms\"", "delay = \"101 d\""),
    ("exponent", "delay = \"2.2 ms\"", "delay = \"2e3 us\""),
    ("zero duration", "duration = \"20 s\"\nwarm_up = \"2 s\"", "duration = \"0 s\""),
    ("zero rate", "rate = \"OC-3c\"", "rate = \"0 bit/s of cell\""),
    ("cells of no whole picoseconds", "rate = \"OC-3c\"", "rate = \"9999 Gbit/s of cell\""),
    ("absurd rate", "rate = \"OC-3c\"", "rate = \"10001 Gbit/s of cell\""),
    ("empty buffer", "256 cell", "0 cell"),
    ("zero window", "window = \"128 KiB\"", "window = \"0 B\""),
    ("window beyond its field", "window = \"128 KiB\"", "window = \"2 GiB\""),
    ("mss beyond a packet", "mtu = \"9180 B\"", "mss = \"65496 B\""),
    ("mtu without room", "mtu = \"9180 B\"", "mtu = \"40 B\""),
    ("mtu and mss", "mtu = \"9180 B\"", "mtu = \"9180 B\"\nmss = \"512 B\""),
    ("zero timer", "timers = \"bsd\"", "timers.fine = { granularity = \"0 s\" }"),
    (
        "timeouts crossed",
        "timers = \"bsd\"",
        "timers.bsd = { min_rto = \"2 s\", max_rto = \"1 s\" }",
    ),
    ("limit too small", "interval = \"10 ms\"", "limit = 15"),
    ("zero interval", "interval = \"10 ms\"", "interval = \"0 s\""),
    ("misspelt change", "interval = \"10 ms\"", "interval = \"changes\""),
    ("unknown series", "\"queue\", \"cwnd\"", "\"queue\", \"cnwd\""),
    ("series named twice", "\"queue\", \"cwnd\"", "\"queue\", \"queue\""),
    ("unknown word", "recovery = \"reno\"", "recovery = \"renno\""),
    (
        "limited transmit without fast retransmit",
        "recovery = \"reno\"",
        "recovery = \"vanilla\"\nlimited_transmit = true",
    ),
    (
        "guard that belongs to the rule",
        "recovery = \"reno\"",
        "recovery = \"sack\"\nfast_retransmit_guard = false",
    ),
    (
        "guard that the rule has not",
        "recovery = \"reno\"",
        "recovery = \"hoe\"\nfast_retransmit_guard = true",
    ),
    ("unknown variant", "buffer = { per_vc = \"256 cell\" }", "buffer = { per_vx = \"256 cell\" }"),
    (
        "two variants",
        "buffer = { per_vc = \"256 cell\" }",
        "buffer = { per_vc = \"256 cell\", shared = \"1 kcell\" }",
    ),
    ("no variant", "buffer = { per_vc = \"256 cell\" }", "buffer = {}"),
    ("variant without its parameter", "drop = \"tail\"", "drop = \"epd\""),
    ("variant without its value", "buffer = { per_vc = \"256 cell\" }", "buffer = \"per_vc\""),
    ("variant missing a key", "drop = \"tail\"", "drop = { epd = {} }"),
    ("variant of a wrong type", "drop = \"tail\"", "drop = 3"),
    ("word with parameters", "drop = \"tail\"", "drop = { tail = { size = 3 } }"),
    ("unknown node", "to = \"edc\"", "to = \"edk\""),
    ("unknown node of a link", "[\"ku\", \"an2\"]", "[\"ku\", \"an3\"]"),
    ("three ends", "[\"ku\", \"an2\"]", "[\"ku\", \"an2\", \"edc\"]"),
    ("flow to a switch", "to = \"edc\"", "to = \"an2\""),
    ("flow to itself", "to = \"edc\"", "to = \"ku\""),
    ("link to itself", "[\"ku\", \"an2\"]", "[\"ku\", \"ku\"]"),
    ("no path", "[\"an2\", \"edc\"]", "[\"an2\", \"ku\"]"),
    ("no path back", "between = [\"an2\", \"edc\"]", "from = \"an2\"\nto = \"edc\""),
    ("both delay and distance", "delay = \"2.2 ms\"", "delay = \"2.2 ms\"\ndistance = \"1 km\""),
    ("neither delay nor distance", "delay = \"2.2 ms\"", ""),
    (
        "between and from",
        "between = [\"ku\", \"an2\"]",
        "between = [\"ku\", \"an2\"]\nfrom = \"ku\"",
    ),
    ("between and to", "between = [\"ku\", \"an2\"]", "between = [\"ku\", \"an2\"]\nto = \"an2\""),
    ("no ends", "between = [\"ku\", \"an2\"]", ""),
    ("from without to", "between = [\"ku\", \"an2\"]", "from = \"ku\""),
    ("loop without delay", "distance = \"440 km\"", "distance = \"0 m\""),
    ("same name twice", "[switch.an2]", "[switch.ku]"),
    ("illegal name", "[host.edc]", "[host.\"e dc\"]"),
    ("name with a newline", "[host.edc]", "[host.\"e\\ndc\"]"),
    ("warm-up too long", "warm_up = \"2 s\"", "warm_up = \"20 s\""),
    ("start after the end", "to = \"edc\"", "to = \"edc\"\nstart = \"20 s\""),
    ("pace above the link", "70 Mbit/s of payload", "150 Mbit/s of payload"),
    (
        "threshold above the buffer",
        "drop = \"tail\"",
        "drop = { epd = { threshold = \"257 cell\" } }",
    ),
    ("threshold as too large a part", "drop = \"tail\"", "drop = { epd = { threshold = 1.1 } }"),
    (
        "policy that compares VCs with a buffer per VC",
        "drop = \"tail\"",
        "drop = { fba = { threshold = 0.8 } }",
    ),
    (
        "part of an infinite buffer",
        "buffer = { per_vc = \"256 cell\" }\ndrop = \"tail\"",
        "drop = { priority = { low = 0.5, high = 0.8 } }",
    ),
    (
        "priorities out of order",
        "drop = \"tail\"",
        "drop = { priority = { low = 0.8, high = 0.5 } }",
    ),
    (
        "thresholds of RED out of order",
        "drop = \"tail\"",
        "drop = { red = { min_threshold = \"100 cell\", max_threshold = 0.2 } }",
    ),
    ("buffer in packets", "256 cell", "256 packet"),
    (
        "greedy without tcp",
        "[flow.bulk.tcp]\nmtu = \"9180 B\"\nwindow = \"128 KiB\"\nrecovery = \"reno\"\ntimers = \
         \"bsd\"",
        "",
    ),
    (
        "cbr with tcp",
        "traffic.ttcp = { write = \"64 KiB\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of cell\" }",
    ),
    ("run beyond a hundred days", "duration = \"20 s\"", "duration = \"100 d\""),
    ("queue beyond a hundred days", "rate = \"TAXI-100\"", "rate = \"1 bit/s of cell\""),
    ("processing beyond a hundred days", "\"250 us\"", "\"4 d\""),
    ("path beyond a hundred days", "delay = \"2.2 ms\"", "delay = \"100 d\""),
    (
        "gap beyond a hundred days",
        "traffic.ttcp = { write = \"64 KiB\" }\nservice.ubr = { pace = \"70 Mbit/s of payload\" \
         }\n[flow.bulk.tcp]\n\
         mtu = \"9180 B\"\nwindow = \"128 KiB\"\nrecovery = \"reno\"\ntimers = \"bsd\"",
        "traffic.exponential_on_off = { rate = \"10 Mbit/s of cell\", on = \"1 ms\", off = \"100 \
         d\" }",
    ),
    (
        "interval beyond a hundred days",
        "[switch.an2]",
        "[switch.an2]\nrate_allocator.erica.interval = \"100 d\"",
    ),
    (
        "interval below a cell",
        "[switch.an2]",
        "[switch.an2]\nrate_allocator.erica_plus.interval = \"1 ps\"",
    ),
    ("count of nothing", "[host.edc]", "[host.edc]\ncount = 0"),
    ("count too large", "[host.edc]", "[host.edc]\ncount = 100001"),
    ("family named as one", "[host.edc]", "[host.edc]\ncount = 2"),
    ("star without a family", "to = \"edc\"", "to = \"edc[*]\"\ncount = 2"),
    ("member that is not there", "to = \"edc\"", "to = \"edc[3]\""),
];

const FAMILY_CASES: &[Case] = &[
    ("star without a count", "[link.in]\ncount = 3", "[link.in]"),
    ("star of another count", "[link.in]\ncount = 3", "[link.in]\ncount = 4"),
    ("star over an unknown family", "from = \"src[*]\"", "from = \"scr[*]\""),
    ("member beyond the family", "from = \"src[2]\"", "from = \"src[4]\""),
    (
        "member written out with a count",
        "[switch.mux]",
        "[host.\"src[2]\"]\ncount = 2\n[switch.mux]",
    ),
    ("start after the run", "start = \"1.5 ms\"", "start = { uniform = [\"0 s\", \"2 s\"] }"),
    (
        "start always after the run",
        "start = \"1.5 ms\"",
        "start.exponential = { mean = \"1 s\", offset = \"1 s\" }",
    ),
    ("start of one time", "start = \"1.5 ms\"", "start = { uniform = [\"1 s\"] }"),
    ("start of a single time", "start = \"1.5 ms\"", "start = { uniform = \"1 s\" }"),
    (
        "start from later to sooner",
        "start = \"1.5 ms\"",
        "start = { uniform = [\"2 ms\", \"1 ms\"] }",
    ),
    ("start without a mean", "start = \"1.5 ms\"", "start = \"exponential\""),
    (
        "start of an unknown distribution",
        "start = \"1.5 ms\"",
        "start.unifrom = [\"1 ms\", \"2 ms\"]",
    ),
    ("start of a bare number", "start = \"1.5 ms\"", "start = 1"),
    (
        "stop that may come before the start",
        "start = \"1.5 ms\"",
        "start = { uniform = [\"0 s\", \"2 ms\"] }\nstop = \"1.5 ms\"",
    ),
    ("mean of nothing", "start = \"1.5 ms\"", "start.exponential = { mean = \"0 s\" }"),
    ("member with a count", "[switch.mux]", "[host.\"zzz[2]\"]\ncount = 2\n[switch.mux]"),
    ("brackets in a name", "[switch.mux]", "[host.\"src[]\"]\n[switch.mux]"),
    ("cbr above its link", "9.36 Mbit/s of cell", "150 Mbit/s of cell"),
    (
        "duty cycle of nothing",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.on_off = { rate = \"9.36 Mbit/s of cell\", period = \"1 ms\", duty_cycle = 0 }",
    ),
    (
        "duty cycle above one",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.on_off = { rate = \"9.36 Mbit/s of cell\", period = \"1 ms\", duty_cycle = 1.01 }",
    ),
    (
        "burst above its link",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.exponential_on_off = { rate = \"150 Mbit/s of cell\", on = \"1 ms\", off = \"1 \
         ms\" }",
    ),
    (
        "bursts shorter than a thousandth of a cell",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.exponential_on_off = { rate = \"9.36 Mbit/s of cell\", on = \"1 ps\", off = \"1 \
         ms\" }",
    ),
    (
        "stop at the start",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }\nstop = \"1.5 ms\"",
    ),
    (
        "greedy raw cells without abr",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic = \"greedy\"",
    ),
    ("cbr of line", "9.36 Mbit/s of cell", "9.36 Mbit/s of line"),
    ("raw cells in an unknown rate", "9.36 Mbit/s of cell", "9.36 Mbps of cell"),
    (
        "too many members",
        "[switch.demux]",
        "[host]\na.count = 100000\nb.count = 100000\nc.count = 100000\nd.count = 100000\ne.count = \
         100000\n[switch.demux]",
    ),
];

/// Settings of single members, on [`FAMILIES`].
const MEMBER_CASES: &[(&str, &[(&str, &str)])] = &[
    ("set a member beyond the family", &[("flow.bulk[4].start", "1 ms")]),
    ("set a member of what is no family", &[("flow.cells[1].start", "1 ms")]),
    ("set a member of an unknown name", &[("flow.blk[1].start", "1 ms")]),
    ("set an unknown key of a member", &[("flow.bulk[2].strat", "1 ms")]),
    ("set a member to a bare number", &[("flow.bulk[2].start", "1")]),
    ("set a member to what does not fit", &[("run.seed", "3"), ("flow.bulk[2].to", "src[2]")]),
    ("set a count of a member", &[("flow.bulk[2].count", "2")]),
    ("set all members to what does not fit", &[("run.seed", "3"), ("flow.bulk[*].start", "2 s")]),
    ("set member nought", &[("host.src[0].cpu_per_segment", "1 ms")]),
];

const PACKET_CASES: &[Case] = &[
    (
        "weighted fair queueing of packets",
        "[switch.router]",
        "[switch.router]\nscheduler = \"wfq\"",
    ),
    ("cells and packets mixed", PACKETS, MIXED),
    ("preset of a packet link", "100 Mbit/s of line", "OC-3c"),
    ("buffer in cells", "100 packet", "100 cell"),
    (
        "threshold of cells in a buffer of packets",
        "buffer.per_port = \"100 packet\"",
        "buffer.per_port = \"100 packet\"\ndrop = { epd = { threshold = \"50 cell\" } }",
    ),
    (
        "threshold of cells before links of packets",
        "buffer.per_port = \"100 packet\"",
        "drop = { epd = { threshold = \"50 cell\" } }",
    ),
    ("pace on packets", "to = \"b\"", "to = \"b\"\nservice.ubr.pace = \"1 Mbit/s of cell\""),
    ("transit through a host", PACKETS, TRANSIT),
    ("copies of a link", "[link.left]", "[link.left]\ncount = 2"),
    ("empty file", PACKETS, ""),
    ("no hosts", PACKETS, "[run]\nduration = \"1 s\""),
    ("no flows", PACKETS, "[run]\nduration = \"1 s\"\n[host.a]"),
];

const EDGE_CASES: &[Case] = &[
    ("back-pressure at an edge", "{ tail = \"2 kcell\" }", "{ back_pressure = \"2 kcell\" }"),
    (
        "back-pressure in a flow's own circuit",
        "service.ubr.pace = \"5 Mbit/s of cell\"",
        "service.abr.buffer.back_pressure = \"2 kcell\"",
    ),
    ("unknown vc", "vc = \"trunk\"", "vc = \"trnk\""),
    (
        "vc between other edges",
        "[vc.trunk]\nbetween = [\"west\", \"east\"]",
        "[edge.north]\n[vc.trunk]\nbetween = [\"west\", \"north\"]",
    ),
    ("vc and service", "vc = \"trunk\"", "vc = \"trunk\"\nservice = \"vbr\""),
    ("vc to a host", "between = [\"west\", \"east\"]", "between = [\"west\", \"b[1]\"]"),
    ("vc to itself", "between = [\"west\", \"east\"]", "between = [\"west\", \"west\"]"),
    ("vc without flows", "[vc.trunk]", "[vc.spare]\nbetween = [\"west\", \"east\"]\n[vc.trunk]"),
    ("vc named as a flow", "[vc.trunk]", "[vc.alone]"),
    ("vc with a count", "[vc.trunk]", "[vc.trunk]\ncount = 2"),
    ("vc above its link", "30 Mbit/s of cell", "41 Mbit/s of cell"),
    ("pace above its link", "5 Mbit/s of cell", "150 Mbit/s of cell"),
    (
        "cells on both sides of an edge",
        "[switch.atm]\ndelay = \"4 us\"\nrate_allocator = \"erica\"",
        "[edge.atm]",
    ),
    (
        "cells a second time",
        "[link.far]\ncount = 2\nbetween = [\"east\", \"b[*]\"]",
        "[edge.south]\n[edge.north]\n[link.more]\nbetween = [\"east\", \"south\"]\n\
         rate = \"10 Mbit/s of line\"\ncarries = \"packets\"\ndelay = \"5 us\"\n[link.again]\n\
         between = [\"south\", \"north\"]\nrate = \"OC-3c\"\ndelay = \"1 ms\"\n\
         [link.far]\ncount = 2\nbetween = [\"north\", \"b[*]\"]",
    ),
    ("raw cells through an edge", "tcp = { mtu = \"1500 B\" }\n[observe]", "[observe]"),
    ("edge buffer in cells", "50 packet", "50 cell"),
    (
        "threshold of cells at an edge without limit",
        "[edge.east]",
        "[edge.east]\ndrop = { epd = { threshold = \"50 cell\" } }",
    ),
    ("unknown policy of an edge", "[edge.east]", "[edge.east]\ndrop = \"pdd\""),
    ("flow to an edge", "to = \"b[1]\"", "to = \"east\""),
    ("edge named as a switch", "[edge.east]", "[edge.east]\n[edge.atm]"),
    (
        "abr without cells",
        "from = \"b[2]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nvc = \"trunk\"",
        "from = \"a[1]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nservice = \"abr\"",
    ),
    (
        "gfr without cells",
        "from = \"b[2]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nvc = \"trunk\"",
        "from = \"a[1]\"\nto = \"a[2]\"\ntraffic = \"greedy\"\nservice.gfr.mcr = \"1 Mbit/s of \
         cell\"",
    ),
    (
        "minimum rates of abr and gfr above a link",
        "service.abr = { pcr = \"30 Mbit/s of cell\", buffer = { tail = \"2 kcell\" } }",
        "service.abr.mcr = \"20 Mbit/s of cell\"\n\
         [flow.more]\nfrom = \"a[2]\"\nto = \"b[1]\"\ntraffic = \"greedy\"\ntcp = {}\n\
         service.gfr.mcr = \"30 Mbit/s of cell\"",
    ),
];

const MIXED: &str = r#"
[run]
duration = "1 s"
[host]
a = {}
b = {}
[switch.router]
[link.left]
between = ["a", "router"]
rate = "100 Mbit/s of line"
carries = "packets"
delay = "1 ms"
[link.right]
between = ["router", "b"]
rate = "DS-3"
delay = "1 ms"
[flow.x]
from = "a"
to = "b"
traffic = "greedy"
tcp = {}
"#;

const TRANSIT: &str = r#"
[run]
duration = "1 s"
[host]
a = {}
b = {}
c = {}
[link.left]
between = ["a", "b"]
rate = "OC-3c"
delay = "1 ms"
[link.right]
between = ["b", "c"]
rate = "OC-3c"
delay = "1 ms"
[flow.x]
from = "a"
to = "c"
traffic = "greedy"
tcp = {}
"#;

/// A path and a value that the command line sets.
const SET_CASES: &[(&str, &[(&str, &str)])] = &[
    ("set unknown section", &[("lnk.ku-side.delay", "1 ms")]),
    ("set unknown name", &[("link.ku-sied.delay", "1 ms")]),
    ("set unknown key", &[("link.ku-side.dealy", "1 ms")]),
    ("set unknown variant", &[("flow.bulk.traffic.tctp.write", "1 KiB")]),
    ("set unknown parameter", &[("flow.bulk.traffic.ttcp.wriet", "1 KiB")]),
    ("set below a value", &[("link.ku-side.delay.x", "1 ms")]),
    ("set a section", &[("link.ku-side", "1 ms")]),
    ("set no path", &[("link..delay", "1 ms")]),
    ("set a bad value", &[("link.ku-side.delay", "10 parsec")]),
    ("set a bare number", &[("link.ku-side.delay", "10")]),
    ("set what does not fit", &[("run.seed", "3"), ("run.warm_up", "1 min")]),
    ("set a word that is none", &[("flow.bulk.tcp.recovery", "cubic")]),
    ("set a pattern of no name", &[("link.taxi*.delay", "1 ms")]),
    ("set a pattern for a key", &[("link.ku-side.de*", "1 ms")]),
    ("set a pattern for a section", &[("li*.ku-side.delay", "1 ms")]),
    ("set all links as sections", &[("link.*", "1 ms")]),
    ("set a bad value by a pattern", &[("run.seed", "3"), ("link.*-side.delay", "10 parsec")]),
    (
        "set what does not fit by a pattern",
        &[("run.seed", "3"), ("link.e*.rate", "9 Mbit/s of line")],
    ),
];

fn message(text: &str, sets: &[(String, String)]) -> String {
    match Scenario::parse(Source { origin: "case.toml", text }, sets) {
        Ok(_) => "ACCEPTED".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn write_cases(out: &mut String, base: &str, cases: &[Case]) {
    for (name, old, new) in cases {
        assert!(base.contains(old), "case `{name}` replaces nothing");
        writeln!(out, "{name}\n    {}", message(&base.replacen(old, new, 1), &[]))
            .expect("a string");
    }
}

fn all_messages() -> String {
    let mut out = String::new();
    write_cases(&mut out, MISMATCH, MISMATCH_CASES);
    write_cases(&mut out, MISMATCH, buffer_management::DROP);
    write_cases(&mut out, MISMATCH, services::ABR);
    write_cases(&mut out, MISMATCH, services::GFR);
    write_cases(&mut out, FAMILIES, FAMILY_CASES);
    write_cases(&mut out, PACKETS, PACKET_CASES);
    write_cases(&mut out, EDGES, EDGE_CASES);
    write_set_cases(&mut out, MISMATCH, SET_CASES);
    write_set_cases(&mut out, FAMILIES, MEMBER_CASES);
    out
}

fn write_set_cases(out: &mut String, base: &str, cases: &[(&str, &[(&str, &str)])]) {
    for (name, sets) in cases {
        let sets: Vec<(String, String)> =
            sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
        writeln!(out, "{name}\n    {}", message(base, &sets)).expect("a string");
    }
}

#[test]
fn every_bad_scenario_gets_its_line() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/scenario_errors.txt");
    let found = all_messages();
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(path, &found).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(path).expect("the golden file is there");
    for (found, golden) in found.lines().zip(golden.lines()) {
        assert_eq!(found, golden);
    }
    assert_eq!(found.lines().count(), golden.lines().count());
}

#[test]
fn every_error_is_one_line_at_a_place() {
    let text = all_messages();
    for line in text.lines().filter(|line| line.starts_with("    ")) {
        let line = line.trim();
        assert!(line.starts_with("case.toml:") || line.starts_with("--set "), "{line}");
        assert!(line.len() < 600, "{line}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let error =
        Scenario::parse_bytes("x.toml", b"[run]\nseed = \xff1", &[]).expect_err("not UTF-8");
    assert_eq!((error.line, error.column), (2, 8));
    let long = vec![b'#'; MAX_SCENARIO_BYTES + 1];
    let error = Scenario::parse_bytes("x.toml", &long, &[]).expect_err("too long");
    assert_eq!(error.to_string(), "x.toml: the text has 1048577 bytes; expected at most 1048576");
}

//! Relays of connections, and pacing by the link of a relay.

use super::Case;

/// From `here` to a proxy `near`, from there to `far`, and on to `there`.
pub(crate) const PROXIES: &str = r#"
[run]
duration = "10 s"

[host]
here = {}
near = {}
far = {}
there = {}

[link]
lan = {between = ["here","near"], rate = "10 Mbit/s of line", carries = "packets", delay = "1 ms"}
wide = {between = ["near","far"], rate = "1 Mbit/s of line", carries = "packets", delay = "0.1 s"}
last = {between = ["far","there"], rate = "10 Mbit/s of line", carries = "packets", delay = "1 ms"}
by = {between = ["here","far"], rate = "10 Mbit/s of line", carries = "packets", delay = "1 ms"}

[flow.local]
count = 2
from = "here"
to = "near"
traffic.ttcp.total = "100 kB"
tcp = {}

[flow.aside]
from = "here"
to = "far"
traffic = "greedy"
tcp = {}

[flow.trunk]
from = "near"
to = "far"
traffic.relay = { of = "local" }
tcp.send_buffer = "64 KiB"

[flow.out]
count = 2
from = "far"
to = "there"
traffic.relay = { of = "local[*]", over = "trunk" }
tcp.send_buffer = "64 KiB"
"#;

pub(crate) const RELAYS: &[Case] = &[
    ("a relay of nothing", "traffic.relay = { of = \"local\" }", "traffic = \"relay\""),
    ("a relay of an unknown flow", "of = \"local\" }", "of = \"locla\" }"),
    ("a relay over an unknown flow", "over = \"trunk\"", "over = \"trukn\""),
    ("a relay over a family", "over = \"trunk\"", "over = \"local\""),
    ("a relay of a flow that ends elsewhere", "of = \"local\" }", "of = \"aside\" }"),
    (
        "a relay over a flow that ends elsewhere",
        "from = \"far\"\nto = \"there\"",
        "from = \"near\"\nto = \"far\"",
    ),
    ("a relay over what does not carry it", "over = \"trunk\"", "over = \"aside\""),
    (
        "a relay of what is relayed already",
        "over = \"trunk\"",
        "over = \"trunk\", block = \"1 KiB\" }\ntcp = {}\n[flow.more]\nfrom = \"far\"\n\
         to = \"there\"\ntraffic.relay = { of = \"local[1]\", over = \"trunk\"",
    ),
    (
        "a shared connection that is not read whole",
        "count = 2\nfrom = \"far\"\nto = \"there\"\ntraffic.relay = { of = \"local[*]\"",
        "from = \"far\"\nto = \"there\"\ntraffic.relay = { of = \"local[1]\"",
    ),
    (
        "a relay of raw datagrams",
        "traffic.ttcp.total = \"100 kB\"\ntcp = {}",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = \"100 B\" }",
    ),
    (
        "a relay of requests",
        "traffic.ttcp.total = \"100 kB\"",
        "traffic.request_response = { request = \"1 kB\", response = \"1 kB\" }",
    ),
    (
        "a relayed flow with a reader",
        "total = \"100 kB\"\ntcp = {}",
        "total = \"100 kB\"\ntcp.reader.paced.rate = \"1 Mbit/s of payload\"",
    ),
    (
        "a start of a relay with over",
        "count = 2\nfrom = \"far\"",
        "count = 2\nstart = \"1 s\"\nfrom = \"far\"",
    ),
    ("a relay without a connection", "tcp.send_buffer = \"64 KiB\"\n\n[flow.out]", "\n[flow.out]"),
    ("a block of nothing", "of = \"local\" }", "of = \"local\", block = \"0 B\" }"),
    ("transfers of a stranger", "[flow.trunk]", "[observe]\ntransfers = [\"outt*\"]\n[flow.trunk]"),
    ("transfers of a family", "[flow.trunk]", "[observe]\ntransfers = [\"out\"]\n[flow.trunk]"),
    (
        "pacing by a link behind the next relay",
        "tcp = {}\n\n[flow.aside]",
        "tcp = {}\npacing = { link = \"last\", rate = \"instcap\" }\n\n[flow.aside]",
    ),
    (
        "pacing of unknown segments",
        "tcp = {}\n\n[flow.aside]",
        "tcp = {}\npacing = { link = \"wide\", rate = \"instcap\", \
         paces = \"acks\" }\n\n[flow.aside]",
    ),
];

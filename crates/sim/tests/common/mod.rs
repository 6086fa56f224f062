//! Scenarios that several tests read.

/// Two hosts behind one switch: every kind of section, and variants both as words and as tables.
pub(crate) const MISMATCH: &str = r#"[run]
duration = "20 s"
warm_up = "2 s"

[host.ku]
cpu_per_segment = "250 us"
sar = { per_cell = "0.2 us" }
[host.edc]
cpu_per_segment = "550 us"

[switch.an2]
delay = "4 us"
buffer = { per_vc = "256 cell" }
drop = "tail"

[link.ku-side]
between = ["ku", "an2"]
rate = "OC-3c"
delay = "2.2 ms"
[link.edc-side]
between = ["an2", "edc"]
rate = "TAXI-100"
distance = "440 km"

[flow.bulk]
from = "ku"
to = "edc"
traffic.ttcp = { write = "64 KiB" }
service.ubr = { pace = "70 Mbit/s of payload" }
[flow.bulk.tcp]
mtu = "9180 B"
window = "128 KiB"
recovery = "reno"
timers = "bsd"

[observe]
series = ["queue", "cwnd"]
interval = "10 ms"
"#;

/// Families of hosts, links and flows, one-way links and raw cells.
pub(crate) const FAMILIES: &str = r#"
[run]
duration = "1 s"
seed = 7
phase = "none"
[host.src]
count = 3
ack_cost = "included"
[host.dst]
count = 3
sar = { per_frame = "1 us" }
[switch.mux]
buffer = { shared = "8 kcell" }
in_service = "not_counted"
drop = { epd = { threshold = "6 kcell" } }
[switch.demux]
drop = "ppd"
[link.in]
count = 3
between = ["src[*]", "mux"]
rate = "149 Mbit/s of cell"
delay = "5 us"
[link.trunk]
from = "mux"
to = "demux"
rate = "135 Mbit/s of payload"
distance = "1000 km"
[link.back]
from = "demux"
to = "mux"
rate = "DS-3"
delay = "0 s"
[link.out]
count = 3
between = ["demux", "dst[*]"]
rate = "OC-12c"
delay = "0.1 us"
[flow.bulk]
count = 3
from = "src[*]"
to = "dst[*]"
traffic = "greedy"
tcp = { mss = "512 B", timers = "fine", initial_ssthresh = "64 KiB", ack = "every_segment" }
[flow.cells]
from = "src[2]"
to = "dst[1]"
start = "1.5 ms"
traffic.cbr = { rate = "9.36 Mbit/s of cell" }
[flow.noise]
from = "src[3]"
to = "dst[3]"
traffic.poisson.rate = "1 Mbit/s of payload"
[observe]
interval = "change"
"#;

/// Packets all the way.
pub(crate) const PACKETS: &str = r#"
[run]
duration = "1 s"
[host]
a = {}
b = {}
[switch.router]
buffer.per_port = "100 packet"
[link.left]
between = ["a", "router"]
rate = "100 Mbit/s of line"
carries = "packets"
delay = "1 ms"
[link.right]
between = ["router", "b"]
rate = "10 Mbit/s of line"
carries = { packets = { overhead = "18 B" } }
delay = "1 ms"
[flow.x]
from = "a"
to = "b"
traffic = { ttcp = { total = "10 MB" } }
[flow.x.tcp]
mtu = "1500 B"
handshake = true
window_scaling = false
avoidance = "bsd_extra"
timers = { bsd = { min_rto = "500 ms" } }
"#;

/// Packets, cells, and packets again: two flows in a shared circuit, one each way, and one with
/// circuits of its own.
pub(crate) const EDGES: &str = r#"
[run]
duration = "1 s"
[host.a]
count = 2
[host.b]
count = 2
[switch.lan]
buffer.per_port = "100 packet"
[switch.atm]
delay = "4 us"
rate_allocator = "erica"
[edge.west]
delay = "20 us"
buffer.per_port = "50 packet"
[edge.east]
[link.desk]
count = 2
between = ["a[*]", "lan"]
rate = "100 Mbit/s of line"
carries = { packets = { overhead = "38 B" } }
delay = "5 us"
[link.uplink]
between = ["lan", "west"]
rate = "100 Mbit/s of line"
carries = { packets = { overhead = "38 B" } }
delay = "5 us"
[link.up]
between = ["west", "atm"]
rate = "OC-3c"
delay = "1 ms"
[link.down]
between = ["atm", "east"]
rate = "DS-3"
delay = "1 ms"
[link.far]
count = 2
between = ["east", "b[*]"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "5 us"
[vc.trunk]
between = ["west", "east"]
service.abr = { pcr = "30 Mbit/s of cell", buffer = { tail = "2 kcell" } }
[flow.there]
from = "a[1]"
to = "b[1]"
traffic = "greedy"
vc = "trunk"
tcp = { mtu = "1500 B" }
[flow.back]
from = "b[2]"
to = "a[2]"
traffic = "greedy"
vc = "trunk"
tcp = { mtu = "1500 B" }
[flow.alone]
from = "a[1]"
to = "b[2]"
traffic = "greedy"
service.ubr.pace = "5 Mbit/s of cell"
tcp = { mtu = "1500 B" }
[observe]
interval = "10 ms"
"#;

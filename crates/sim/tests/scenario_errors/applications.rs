//! What is written to connections: sizes, lists, requests and responses.

use super::Case;

/// On [`FAMILIES`](super::common::FAMILIES).
pub(crate) const APPLICATION: &[Case] = &[
    (
        "writes without tcp",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", write = \"1 kB\" }",
    ),
    (
        "writes and datagrams",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of payload\", datagram = \"1 kB\", write = \"1 kB\" }",
    ),
    (
        "writes at a rate of cells",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.cbr = { rate = \"1 Mbit/s of cell\", write = \"1 kB\" }\ntcp = {}",
    ),
    (
        "schedule without tcp",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.schedule.writes = [[\"0 s\", \"1 kB\"]]",
    ),
    (
        "schedule that goes back",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.schedule.writes = [[\"1 s\", \"1 kB\"], [\"0.5 s\", \"1 kB\"]]\ntcp = {}",
    ),
    (
        "schedule of nothing",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.schedule.writes = [[\"0 s\", \"0 B\"]]\ntcp = {}",
    ),
    (
        "requests without tcp",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.request_response = { request = \"300 B\", response = \"1 kB\" }",
    ),
    (
        "responses of nothing",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.request_response = { request = \"300 B\", response = \"0 B\" }\ntcp = {}",
    ),
    (
        "no transactions",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.request_response = { request = \"300 B\", response = \"1 kB\", \
         transactions = 0 }\ntcp = {}",
    ),
    (
        "responses of a bad shape",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.request_response = { request = \"300 B\", response.pareto = { min = \"1 kB\", \
         shape = 0 } }\ntcp = {}",
    ),
    (
        "responses with a maximum below the minimum",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.request_response = { request = \"300 B\", response.pareto = { min = \"1 kB\", \
         max = \"1 kB\" } }\ntcp = {}",
    ),
    (
        "responses with a maximum below the median",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.request_response = { request = \"300 B\", response.lognormal = { \
         median = \"1 kB\", max = \"500 B\" } }\ntcp = {}",
    ),
    (
        "think times of a bare number",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.request_response = { request = \"300 B\", response = \"1 kB\", think = 1 }\n\
         tcp = {}",
    ),
    (
        "a reader of cells",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic = \"greedy\"\ntcp.reader.paced.rate = \"8 Mbit/s of cell\"",
    ),
    (
        "a reader without a period",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic = \"greedy\"\ntcp.reader.periodic.block = \"8 KiB\"",
    ),
    (
        "a send buffer of nothing",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic = \"greedy\"\ntcp.send_buffer = \"0 B\"",
    ),
    (
        "a window beyond the scale limit",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic = \"greedy\"\ntcp.window = \"1 GiB\"",
    ),
    (
        "a burst without a period",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.burst = { block = \"1 kB\" }",
    ),
    (
        "a burst in no time",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.burstq = { block = \"1 kB\", period = \"0 s\" }",
    ),
    (
        "blocks too long for datagrams",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.burst = { block = \"70 kB\", period = \"10 ms\" }",
    ),
    (
        "drawn blocks too long for datagrams",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.burstq = { block.exponential.mean = \"2 kB\", period = \"10 ms\" }",
    ),
    (
        "full without tcp",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.full.duration = \"1 s\"",
    ),
    (
        "no repeats",
        "traffic.cbr = { rate = \"9.36 Mbit/s of cell\" }",
        "traffic.full.repeats = 0\ntcp = {}",
    ),
];

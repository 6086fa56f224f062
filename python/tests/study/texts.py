"""A study file and a scenario with chance, which several tests run."""

from common import SMALL

STUDY = """\
[study]
scenario = "small.toml"
replications = 3
[set]
"run.duration" = "200 ms"
[factor.window]
key = "flow.bulk.tcp.window"
levels = ["16 KiB", "64 KiB"]
[factor.drop]
key = "switch.s.drop"
levels = ["tail", { epd = { threshold = "100 cell" } }]
[response.throughput]
quantity = "flows.*.throughput_bits_per_second"
reduce = "sum"
unit = "Mbit/s"
"""
"""Of `SMALL` in the same folder: two windows and two drop policies."""

CHANCE = """\
run.duration = "100 ms"
host = { a = {}, noise = {}, b = {} }
switch.s.buffer.per_port = "150 cell"
link.left = { between = ["a", "s"], rate = "OC-3c", delay = "1 ms" }
link.side = { between = ["noise", "s"], rate = "OC-3c", delay = "1 ms" }
link.right = { between = ["s", "b"], rate = "OC-3c", delay = "1 ms" }
flow.poisson = { from = "noise", to = "b", traffic.poisson.rate = "60 Mbit/s of cell" }
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { window = "64 KiB", mtu = "1500 B" }
[observe]
interval = "100 us"
"""
"""Poisson cells beside a connection: every seed gives another result."""

BESIDE = f"""\
{SMALL}[flow.others]
from = "a"
to = "b"
traffic.poisson = {{ rate = "40 Mbit/s of cell" }}
"""
"""Poisson cells beside the TCP of `SMALL`, so that runs differ and no mean is ever exact."""


def lasting(duration: str, text: str = SMALL) -> str:
    """A scenario of another length."""
    return text.replace('duration = "1 s"', f'duration = "{duration}"')

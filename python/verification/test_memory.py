"""What runs of many parts take, against what they may take: refused or ended in time, or within.

Measured is by how much the process grows from before the scenario is read to its largest.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 100
"""MB; some hundred times what a small run takes."""
SLACK = 1.3
"""By how much memory may exceed what is counted: scenario, summary, allocator."""
MEASURE = """
import sys, cellway, cellway.runs.runs, numpy
def said(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1000
text = open(sys.argv[1]).read()
before = said("VmRSS:")
try:
    cellway.run(cellway.Scenario.parse(text))
    print("ended")
except cellway.RunError as error:
    print(error)
print(said("VmHWM:") - before)
"""


def text(run: str, *parts: str) -> str:
    return "\n".join([f'run = {{ {run}, memory_limit = "{LIMIT} MB" }}', *parts])


def link(ends: str, count: int = 1, name: str = "one") -> str:
    several = f"count = {count}, " if "[*]" in ends else ""
    keys = f'between = [{ends}], rate = "OC-3c", delay = "1 ms"'
    return f"link.{name} = {{ {several}{keys} }}"


def flows(count: int, ends: tuple[str, str], tcp: str = "") -> str:
    keys = f'from = "{ends[0]}", to = "{ends[1]}", traffic = "greedy", tcp = {{ {tcp} }}'
    return f"flow.f = {{ count = {count}, {keys} }}"


def shared(count: int, duration: str, *more: str, tcp: str = "") -> str:
    """Flows between two hosts."""
    parts = ["host = { a = {}, b = {} }", link('"a", "b"'), flows(count, ("a", "b"), tcp)]
    return text(f'duration = "{duration}"', *parts, *more)


def star(count: int, duration: str) -> str:
    """Hosts around one."""
    parts = [f"host = {{ a.count = {count}, b = {{}} }}", link('"a[*]", "b"', count)]
    return text(f'duration = "{duration}"', *parts, flows(count, ("a[*]", "b")))


def crossing(count: int, duration: str, *more: str) -> str:
    """Pairs of hosts at one switch."""
    hosts = f"host = {{ a.count = {count}, b.count = {count} }}\nswitch.s = {{}}"
    links = [link('"a[*]", "s"', count), link('"s", "b[*]"', count, "other")]
    parts = [hosts, *links, flows(count, ("a[*]", "b[*]"))]
    return text(f'duration = "{duration}"', *parts, *more)


def observed(keys: str) -> str:
    return f"observe = {{ limit = 100000000, {keys} }}"


COUNTED = 'distributions = { flows = ["f[*]"], ports = ["*"] }'
SCENARIOS = {
    "flows of two hosts": shared(7_000, "10 ms"),
    "more flows of two hosts": shared(20_000, "10 ms"),
    "hosts around one": star(5_500, "5 ms"),
    "more hosts around one": star(20_000, "5 ms"),
    "hosts at a switch": crossing(2_900, "5 ms"),
    "delays of many": crossing(150, "50 ms", f"observe.{COUNTED}"),
    "delays of too many": crossing(400, "50 ms", f"observe.{COUNTED}"),
    "series on a grid": shared(
        10, "2800 ms", observed('series = ["cwnd", "rtt"], interval = "10 us"')
    ),
    "series of many flows": shared(
        5_000, "10 ms", observed('series = ["cwnd", "rtt"], interval = "50 us"')
    ),
    "series of too many flows": shared(
        5_000, "10 ms", observed('series = ["cwnd", "rtt"], interval = "10 us"')
    ),
    "series on change": shared(10, "300 s", observed('series = ["acked"], interval = "change"')),
    "logs of segments": shared(1, "2000 s", observed('series = ["rtt"], segments = {}')),
    "large windows": shared(2_000, "300 ms", tcp='window = "4 MiB", recovery = "sack"'),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_run_takes_what_it_may(name: str, tmp_path: Path) -> None:
    """Hosts, connections, logs and distributions counted nothing: 2 GB under a limit of 1 GB."""
    file = tmp_path / "scenario.toml"
    file.write_text(SCENARIOS[name])
    found = subprocess.run(
        [sys.executable, "-c", MEASURE, str(file)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    said, grown = found.stdout.splitlines()
    print(f"{name}: {float(grown):.0f} MB; {said}")  # noqa: T201
    assert said == "ended" or f"more than the {LIMIT} MB of `run.memory_limit`" in said
    assert float(grown) < SLACK * LIMIT

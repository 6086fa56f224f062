"""Paths, a small scenario and types that several tests share."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cellway import CatalogueError
from cellway.catalogue import load_paper

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))

SMALL = """\
[run]
duration = "1 s"

[host.a]
[host.b]
[switch.s]
buffer = { per_vc = "256 cell" }

[link.left]
between = ["a", "s"]
rate = "OC-3c"
delay = "1 ms"
[link.right]
between = ["s", "b"]
rate = "TAXI-100"
delay = "1 ms"

[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { window = "128 KiB" }

[observe]
interval = "10 ms"
"""
"""Loses cells, so that every quantity moves."""

Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]
Make = Callable[[str], Path]


def refusal(paper: Path) -> tuple[str, str]:
    """What is said against the data in the folder `paper`, and the text from the place where it is said."""
    data = paper / "published.toml"
    with pytest.raises(CatalogueError) as refused:
        load_paper(paper)
    said = re.fullmatch(rf"{re.escape(str(data))}:(\d+):(\d+): (.+)", str(refused.value))
    assert said is not None, str(refused.value)
    lines = data.read_text().splitlines(keepends=True)[int(said[1]) - 1 :]
    return said[3], "".join(lines)[int(said[2]) - 1 :]


PUBLISHED = """\
[paper]
id = "small-2001"
title = "A small paper | with a bar"
authors = ["A. N. Author"]
venue = "Here"
year = 2001
notes = "Nothing to note."

[[row]]
code = "T1-R1"
table = "T1"
label = "paced"
scenario = "small.toml"
set = { "flow.bulk.service.ubr.pace" = "20 Mbit/s of payload" }
quantity = "flows.bulk.throughput_bits_per_second"
unit = "Mbit/s"
published = { simulated = 19.0, measured = 18.0 }
compare = "simulated"
tolerance = { relative = 0.10, reason = "slow start takes part of the second" }
replications = 3

[[row]]
code = "T1-R2"
table = "T1"
label = "cells lost"
scenario = "small.toml"
quantity = "ports.s.right.drops.overflow"
unit = "cell"
published = { simulated = 1.0 }
compare = "simulated"
tolerance = { relative = 0.5, reason = "made up" }
replications = 2
because = { text = "the number is made up" }

[[row]]
code = "T2-R1"
table = "T2"
label = "ceiling"
scenario = "small.toml"
quantity = "explain:flows.bulk.tcp.ceiling_bits_per_second"
unit = "Mbit/s"
published = { measured = 10.0 }
compare = "measured"
tolerance = { relative = 0.1, reason = "made up" }
replications = 1

[[row]]
code = "T2-R2"
table = "T2"
label = "no pacing"
scenario = "small.toml"
quantity = "flows.bulk.throughput_bits_per_second"
unit = "Mbit/s"
replications = 2
note = "nothing was published"

[[choice]]
what = "buffer"
value = "256*1 cells"
reason = "not said"

[[sensitivity]]
name = "window"
why = "not said"
rows = ["T1-R1"]
alternatives = [{ label = "8 KiB", set = { "flow.bulk.tcp.window" = "8 KiB" } }]
"""
"""A paper on `SMALL`: a row that agrees, one that differs because, one that differs, one not judged."""

CLAIMS = """
[[claim]]
code = "C1"
table = "T2"
text = "pacing leaves a fifth of the ceiling"
names = { paced = "T1-R1", ceiling = "T2-R1" }
value = "100 * paced / ceiling"
unit = "%"
expected = { least = 15, most = 25, reason = "20 of 88 Mbit/s, less the start" }
note = "of two tables"

[[claim]]
code = "C2"
table = "C"
text = "nothing is lost | ever"
names = { lost = "T1-R2" }
value = "lost"
unit = "cell"
expected = { most = 0, reason = "the buffer was said to be large" }
because = { text = "it is not", run = "cellway run small.toml" }

[[claim]]
code = "C3"
table = "C"
text = "pacing makes it twice as fast"
names = { paced = "T1-R1", plain = "T2-R2" }
value = "paced / plain"
unit = "times"
expected = { least = 1.5, most = 2.5, reason = "made up" }
"""
"""On `PUBLISHED`: a claim that agrees, seed by seed; one that differs, because; one on means that differs."""

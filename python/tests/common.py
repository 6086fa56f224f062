"""Paths, a small scenario and types that several tests share."""

import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from cellway import CatalogueError
from cellway.catalogue import load_paper
from cellway.catalogue.criteria import load_criteria

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*.toml"))
WHOLE = ("gfr-access", "proxy", "proxy-none")
"""Not cut by tests: transfers begin, or first segments arrive, until the end."""

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


def shows_colour(file: Path) -> bool:
    """Whether a PNG has more than black, white and grey: data, in whatever shades."""
    from matplotlib.image import imread  # noqa: PLC0415

    pixels = imread(file)[..., :3]
    return bool((pixels.max(axis=2) - pixels.min(axis=2) > 0.2).any())


def plotted_colours(file: Path) -> set[str]:
    """The colours of lines and markers that a PNG shows, without grey, which text has, too."""
    from matplotlib.image import imread  # noqa: PLC0415

    from cellway.plot.style import COLOURS  # noqa: PLC0415

    pixels = (imread(file)[..., :3] * 255.0).round().astype(int)
    shown = set((pixels @ [1 << 16, 1 << 8, 1]).ravel().tolist())
    return {colour for colour in COLOURS if colour != COLOURS[-1] and int(colour[1:], 16) in shown}


Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]
Files = Mapping[str, str]
"""The files of a paper by name, with what they say."""
Make = Callable[..., Path]
"""Writes `Files` as a paper and returns its folder; see `write_paper`."""

UNSEALED = "put in by write_paper"


def write_paper(folder: Path, files: Files, *, sealed: bool = True) -> Path:
    """Writes a paper into the new `folder`.

    The hash of the last edition becomes that of the criteria, unless `sealed` is false or they are
    faulty.
    """
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    if sealed:
        seal(folder)
    return folder


def seal(folder: Path) -> None:
    """Puts the right hash where the criteria in `folder` have `UNSEALED`."""
    try:
        load_criteria(folder)
    except CatalogueError as refused:
        if right := re.search(r'sha256 = "([0-9a-f]{64})"', str(refused)):
            criteria = folder / "criteria.toml"
            criteria.write_text(criteria.read_text().replace(UNSEALED, right[1]))


def joined(*papers: Files) -> dict[str, str]:
    """The files of several papers, each behind those of the same name."""
    files: dict[str, str] = {}
    for paper in papers:
        for name, text in paper.items():
            files[name] = files.get(name, "") + text
    return files


def changed(files: Files, name: str, old: str, new: str) -> dict[str, str]:
    """The same files with `new` for the first `old` in the file `name`, which must be there."""
    assert old in files[name]
    return {**files, name: files[name].replace(old, new, 1)}


def refusal(paper: Path, name: str = "published.toml") -> tuple[str, str]:
    """The fault of the file `name` of the folder `paper`, and the text from its place on."""
    data = paper / name
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

[[rows]]
code = "T1-R1"
table = "T1"
label = "paced"
scenario = "small.toml"
set = { "flow.bulk.service.ubr.pace" = "20 Mbit/s of payload" }
quantity = "flows.bulk.throughput_bits_per_second"
unit = "Mbit/s"
published = { simulated = 17.5, measured = 16.5 }
compare = "simulated"
replications = 8

[[rows]]
code = "T1-R2"
table = "T1"
label = "cells lost"
scenario = "small.toml"
quantity = "ports.s.right.drops.overflow"
unit = "cell"
published = { simulated = 1.0 }
compare = "simulated"
replications = 2

[[rows]]
code = "T2-R1"
table = "T2"
label = "ceiling"
scenario = "small.toml"
quantity = "explain:flows.bulk.tcp.ceiling_bits_per_second"
unit = "Mbit/s"
published = { measured = 10.0 }
compare = "measured"
replications = 1

[[rows]]
code = "T2-R2"
table = "T2"
label = "no pacing"
scenario = "small.toml"
quantity = "flows.bulk.throughput_bits_per_second"
unit = "Mbit/s"
replications = 4
note = "nothing was published"

[[derived]]
code = "T1-D1"
table = "T1"
label = "paced, of the ceiling"
names = { paced = "T1-R1", ceiling = "T2-R1" }
value = "100 * paced / ceiling"
unit = "%"
published = { simulated = 19.0 }
compare = "simulated"
"""

CRITERIA = f"""\
[[edition]]
date = 2001-02-03
sha256 = "{UNSEALED}"
results = "unknown"
why = "written before anything was run"
changed = []

[[tolerance]]
rows = ["T1-R1"]
relative = 0.10
reason = "slow start takes part of the second"

[[tolerance]]
rows = ["T1-R2"]
absolute = 1.5
reason = "a share of one cell says nothing"

[[tolerance]]
rows = ["T2-R1"]
relative = 0.1
reason = "made up"

[[tolerance]]
rows = ["T1-D1"]
relative = 0.05
reason = "made up"

[[score]]
code = "T-S1"
table = "T1"
text = "throughput"
rows = ["T1-R1", "T2-R1"]
scale = "linear"
nulls = [{{ label = "the other way round", numbers = [10, 17.5] }}]
"""

CHOICES = """\
[[choice]]
what = "buffer"
value = "256*1 cells"
reason = "not said"
kind = "ours"

[[choice]]
what = "start"
value = "0 to 1 ms"
reason = "not said"
kind = "drawn"

[[choice]]
what = "pace"
value = "20 Mbit/s"
reason = "tried"
kind = "fitted"
combinations = 3

[[sensitivity]]
name = "window"
why = "not said"
rows = ["T1-R1"]
alternatives = [{ label = "8 KiB", set = { "flow.bulk.tcp.window" = "8 KiB" } }]
"""

REASONS = """\
[[reason]]
of = "T1-R2"
text = "the sender does not pace"
without = "pacing at 20 Mbit/s"
set = { "flow.bulk.service.ubr.pace" = "20 Mbit/s of payload" }
also = ["T1-R1", "T1-D1"]
"""

FIGURES = """\
[[figure]]
code = "F-T1"
title = "Throughput"
kind = "groups"
x = "row"
y = "throughput"
groups = [{ label = "all", rows = ["T1-R1", "T2-R1"] }]

[[figure]]
code = "F-P1"
title = "Where the published number lies"
kind = "places"
rows = ["T1-R1"]

[[figure]]
code = "F-O1"
title = "Bytes over time"
kind = "over_time"
scenario = "small.toml"
lines = [
    { label = "8 KiB", set = { "flow.bulk.tcp.window" = "8 KiB" }, published = 10 },
    { label = "16 KiB", set = { "flow.bulk.tcp.window" = "16 KiB" } },
]
series = "*.acked"
window = "100 ms"
y = "throughput"
unit = "Mbit/s"
"""

PAPER: Files = {
    "published.toml": PUBLISHED,
    "criteria.toml": CRITERIA,
    "choices.toml": CHOICES,
    "reasons.toml": REASONS,
    "figures.toml": FIGURES,
    "small.toml": SMALL,
}
"""A paper on `SMALL`: a row that agrees, one that differs because, one that differs, one not
judged, and a derived number that is undecided."""

CLAIMS: Files = {
    "published.toml": """
[[claim]]
code = "C1"
table = "T2"
text = "pacing leaves a fifth of the ceiling"
names = { paced = "T1-R1", ceiling = "T2-R1" }
value = "100 * paced / ceiling"
unit = "%"
published = 20
note = "of two tables"

[[claim]]
code = "C2"
table = "C"
text = "nothing is lost | ever"
names = { lost = "T1-R2" }
value = "lost"
unit = "cell"

[[claim]]
code = "C3"
table = "C"
text = "pacing makes it twice as fast"
names = { paced = "T1-R1", plain = "T2-R2" }
value = "paced / plain"
unit = "times"
published = 2
""",
    "criteria.toml": """
[[expected]]
claim = "C1"
min = 15
max = 25
reason = "20 of 88 Mbit/s, less the start"

[[expected]]
claim = "C2"
max = 0
reason = "the buffer was said to be large"

[[expected]]
claim = "C3"
min = 1.5
max = 2.5
reason = "made up"
""",
    "reasons.toml": """
[[reason]]
of = "C2"
text = "the window is larger than the buffer"
without = "a window of 8 KiB"
set = { "flow.bulk.tcp.window" = "8 KiB" }
also = ["T1-R1", "T2-R1"]
run = "cellway run small.toml"
""",
}
"""To be joined to `PAPER`: a claim that agrees, one that differs because, and one that differs."""


Fault = tuple[str, str, str, str]
"""What is replaced, by what, the text at the place of the fault, and the start of the message."""


def fault_ids(faults: Sequence[Fault]) -> list[str]:
    """Names for tests of `faults`: what the fault is, numbered."""
    return [
        f"{at} {new.strip() or f'no {old.strip()}'}" for at, (old, new, _, _) in enumerate(faults)
    ]

"""A small paper with everything that pages show, and a reproduction of it made by hand."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cellway.catalogue import Finding, Paper, Reproduction, Result, load_paper
from cellway.catalogue.published import Derived, Row
from cellway.catalogue.reason_tests import ReasonTest
from cellway.catalogue.scoring import scored
from cellway.catalogue.verdict import Verdict, judge
from cellway.statistics import Estimate, estimate
from common import SMALL, UNSEALED, Files, write_paper

PUBLISHED = """\
[paper]
id = "pages-2001"
title = "A paper | with a bar"
authors = ["A. N. Author", "B. Other"]
venue = "Here"
year = 2001
notes = "Nothing to note."
""" + "".join(
    f"""
[[rows]]
code = "P-T1-R{number}"
table = "P-T1"
label = "window of {8 * number} KiB: throughput"
scenario = "small.toml"
quantity = "flows.bulk.throughput_bits_per_second"
unit = "Mbit/s"
published = {{ simulated = {published} }}
compare = "simulated"
replications = 4
set = {{ "flow.bulk.tcp.window" = "{8 * number} KiB" }}
"""
    for number, published in ((1, 10.0), (2, 20.0), (3, 40.0), (4, 80.0))
)
MORE = """
[[rows]]
code = "P-T2-R1"
table = "P-T2"
label = "the first row again"
scenario = "small.toml"
quantity = "flows.bulk.throughput_bits_per_second"
unit = "Mbit/s"
published = { simulated = 10.0 }
compare = "simulated"
replications = 4
repeats = "P-T1-R1"

[[rows]]
code = "P-T2-R2"
table = "P-T2"
label = "cells lost"
scenario = "small.toml"
quantity = "ports.s.right.drops.overflow"
unit = "cell"
replications = 4
note = "of no table"

[[derived]]
code = "P-T2-D"
table = "P-T2"
label = "rows two and one: their ratio"
names = { one = "P-T1-R1", two = "P-T1-R2" }
value = "two / one"
unit = "1"
published = { simulated = 2.0 }
compare = "simulated"

[[claim]]
code = "P-C1"
table = "P-C"
text = "the second is twice as fast"
names = { one = "P-T1-R1", two = "P-T1-R2" }
value = "two / one"
unit = "times"
published = 2.0

[[claim]]
code = "P-C2"
table = "P-C"
text = "the first is slow"
names = { one = "P-T1-R1" }
value = "one"
unit = "Mbit/s"
"""
CRITERIA = f"""\
[[edition]]
date = 2001-02-03
sha256 = "{UNSEALED}"
results = "unknown"
why = "the first"
changed = []

[[edition]]
date = 2001-03-04
sha256 = "{UNSEALED}"
results = "known"
why = "a fifth was too much"
changed = ["P-T1-R4"]

[[tolerance]]
rows = ["P-T1-R1", "P-T1-R2", "P-T1-R3", "P-T1-R4", "P-T2-R1", "P-T2-D"]
relative = 0.1
reason = "made up"

[[expected]]
claim = "P-C1"
min = 1.8
max = 2.2
reason = "a tenth"

[[expected]]
claim = "P-C2"
max = 15
reason = "made up"

[[score]]
code = "P-T1"
table = "P-T1"
text = "throughput by window"
rows = ["P-T1-R1", "P-T1-R2", "P-T1-R3", "P-T1-R4"]
scale = "log"
nulls = [{{ label = "the square root", numbers = [3.2, 4.5, 6.3, 8.9] }}]

[[score]]
code = "P-T2"
table = "P-T2"
text = "what is derived"
rows = ["P-T2-R1", "P-T2-D"]
scale = "linear"
nulls = [{{ label = "as published", numbers = [10.0, 2.0] }}]
"""
CHOICES = """\
[[choice]]
what = "start"
value = "0 to 8 ms"
reason = "not said"
kind = "drawn"

[[choice]]
what = "timer"
value = "a tick of 50*10 ms"
reason = "not said"
kind = "fitted"
combinations = 12

[[choice]]
what = "buffer"
value = "256 cells"
reason = "not said"
kind = "ours"
"""
REASONS = """\
[[reason]]
of = "P-T1-R3"
text = "the window is scaled"
without = "no scaling"
set = { "flow.bulk.tcp.window" = "32 KiB" }
also = ["P-T1-R1", "P-T1-R2"]
run = "cellway explain small.toml"

[[reason]]
of = "P-T1-R4"
text = "the sun shone"
without = "rain"
set = { "flow.bulk.tcp.window" = "48 KiB" }
also = ["P-T1-R1"]
"""
PACED = '{ "flow.bulk.service.ubr.pace" = "20 Mbit/s of payload" }'
FIGURES = """\
[[figure]]
code = "P-F-G"
title = "By window"
kind = "groups"
x = "window"
y = "throughput"
scale = "log"
groups = [{ label = "table 1", rows = ["P-T1-R1", "P-T1-R2", "P-T1-R3", "P-T1-R4"] }]

[[figure]]
code = "P-F-P"
title = "Where they lie"
kind = "places"
scale = "linear"
rows = ["P-T1-R1", "P-T1-R3", "P-T2-R2"]

[[figure]]
code = "P-F-O"
title = "Over time"
kind = "over_time"
scenario = "small.toml"
series = "*.acked"
window = "100 ms"
y = "throughput"
unit = "Mbit/s"
lines = [
    { label = "paced", published = 19.0, set = PACED },
    { label = "not paced", set = {} },
]
""".replace("PACED", PACED)


PAGES: Files = {
    "published.toml": PUBLISHED + MORE,
    "criteria.toml": CRITERIA,
    "choices.toml": CHOICES,
    "reasons.toml": REASONS,
    "figures.toml": FIGURES,
    "small.toml": SMALL,
}
"""A paper of whose numbers pages show each verdict."""


OURS = {
    "P-T1-R1": (9.9, 10.0, 10.1, 10.2),
    "P-T1-R2": (18.0, 20.0, 22.0, 24.0),
    "P-T1-R3": (50.0, 50.1, 50.2, 50.3),
    "P-T1-R4": (40.0, 40.1, 40.2, 40.3),
    "P-T2-R1": (10.0, 10.1, 10.2, 10.3),
    "P-T2-R2": (5.0, 6.0, 7.0, 8.0),
    "P-T2-D": (1.9, 2.0, 2.1, 2.2),
}
"""By code. Agrees, undecided, differs with a reason that holds, differs with one that fails;
agrees; nothing was published; agrees or not by the ratio."""


def result(number: Row | Derived, values: Sequence[float]) -> Result:
    """What the values of some runs come to."""
    ours, published = estimate(values), number.published
    if published is None or number.tolerance is None:
        return Result(
            number, tuple(values), ours, None, Verdict.NOT_JUDGED, finished=True, runs=number.code
        )
    reach = number.tolerance.reach(published)
    verdict = judge(ours, published - reach, published + reach)
    difference = (ours.mean - published) / published
    return Result(number, tuple(values), ours, difference, verdict, finished=True, runs=number.code)


def made(paper: Paper) -> Reproduction:
    """A reproduction with every verdict, without a run."""
    results = {number.code: result(number, OURS[number.code]) for number in paper.numbers}
    third, fourth = (paper.number(code) for code in ("P-T1-R3", "P-T1-R4"))
    spoiled = result(paper.number("P-T1-R1"), (30.0, 30.1, 30.2, 30.3))
    kept = result(paper.number("P-T1-R2"), (19.9, 20.0, 20.1, 20.2))
    tests = (
        ReasonTest(
            reason=paper.reasons[0],
            chosen=result(third, (50.0, 50.1) * 10),
            without=result(third, (40.0, 40.1) * 10),
            also_chosen=(results["P-T1-R1"], results["P-T1-R2"]),
            also_without=(spoiled, kept),
        ),
        ReasonTest(
            reason=paper.reasons[1],
            chosen=result(fourth, (40.0, 40.1) * 10),
            without=result(fourth, (41.0, 41.1) * 10),
            also_chosen=(results["P-T1-R1"],),
            also_without=(results["P-T1-R1"],),
        ),
    )
    results["P-T1-R3"] = replace(results["P-T1-R3"], verdict=Verdict.BECAUSE)
    times = Estimate(2.05, 0.1, 4)
    findings = (
        Finding(paper.claims[0], (2.0, 2.1), times, judge(times, 1.8, 2.2)),
        Finding(paper.claims[1], (10.0,), Estimate(10.0, None, 1), Verdict.AGREES),
    )
    return Reproduction(
        paper=paper,
        results=tuple(results.values()),
        quick=False,
        complete=True,
        findings=findings,
        scores=scored(paper.scores, paper, results, {}),
        reason_tests=tests,
    )


def loaded(shelf: Path) -> Paper:
    """The paper, written below `shelf` and read."""
    return load_paper(write_paper(shelf / "pages-2001", PAGES))

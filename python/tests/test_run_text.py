"""Text of a run: a note on goodput above the line, and the table of responses."""

from pathlib import Path

import pytest

from cellway import Scenario, run
from cellway.cli.families import families_of
from cellway.cli.groups import above_ceiling
from cellway.cli.report_run import run_page
from cellway.cli.running import OF_REQUESTS, report
from cellway.report.blocks import Table
from cellway.runs.quantity import Quantity
from common import Command, known, text_of


def test_bytes_behind_a_hole_that_are_read_after_the_warm_up_are_told(
    cellway: Command, folder: Path
) -> None:
    """A window of 0.8 s that waits for one segment is read at once: 121 % of the line in 1 s."""
    (folder / "hole.toml").write_text(
        """
run = { duration = "9.8 s", warm_up = "8.8 s" }
host = { a = {}, b = {} }
[link.line]
between = ["a", "b"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "250 ms"
impairments.script.bulk.segments = [4000]
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { preset = "linux", window = "1 MiB" }
""",
        encoding="utf-8",
    )
    told = "goodput is 121.0 % of what line carries: bytes that had crossed it before 8.8 s"
    assert told in cellway("run", "hole.toml").stdout
    whole = cellway("run", "hole.toml", "--set", 'run.warm_up="0 s"').stdout
    assert "of what line carries" not in whole


def test_responses_have_a_table_of_their_own(cellway: Command, folder: Path) -> None:
    """The row of the flow has the rate of its requests: 4 of 500 B, for 4 pages of 30 kB."""
    (folder / "pages.toml").write_text(
        """
run = { duration = "8 s" }
host = { a = {}, b = {} }
link.line = { between = ["a", "b"], rate = "DS-3", delay = "1 ms" }
[flow.page]
from = "a"
to = "b"
traffic.request_response = { request = "500 B", response = "30 kB", transactions = 4 }
tcp.preset = "linux"
""",
        encoding="utf-8",
    )
    said = cellway("run", "pages.toml").stdout.splitlines()
    head = next(at for at, line in enumerate(said) if line.startswith("requests"))
    # 4 · 30 kB in 8 s are 0.12 Mbit/s, in 4 · 21 segments of 1448 B.
    assert said[head + 2].split() == ["page", "4", "0.1200", "84", "0", "0"]
    assert said[head + 3] == OF_REQUESTS


def test_an_efficiency_above_1_of_a_stack_is_told_with_its_reason() -> None:
    """Of 1500 B a scenario with timestamps has 1448 B of payload, and a stack without them 1460."""
    group = {"efficiency": 1460 / 1448, "bottleneck": "line"}
    summary = {"groups": {"tcp": group}, "warm_up_s": 1.0}
    (note,) = above_ceiling(summary, {"web", "bulk"})
    assert note.startswith("goodput is 100.8 % of what line carries in segments of the scenario's")
    assert "a stack drives bulk, web, and its segments may carry more payload" in note
    group["efficiency"] = 1.001
    assert "100.1 %" in above_ceiling(summary, {"bulk"})[0]
    assert above_ceiling(summary) == []
    group["efficiency"] = 1.0
    assert above_ceiling(summary, {"bulk"}) == []


def test_times_of_transfers_are_the_same_in_a_run_its_report_and_a_study() -> None:
    """Of 100 times the 95 % quantile lies 0.05 of the way from the 95th to the 96th."""
    made = run(Scenario.parse(text_of("pages.toml")))
    quantity = Quantity("flows.*.transfer.time_s", "p95")
    times = sorted(
        known(flow["transfer"]["time_s"]) for flow in made.flows.values() if "transfer" in flow
    )
    assert len(times) == 100
    by_hand = 0.95 * times[94] + 0.05 * times[95]
    assert quantity.of(made.summary) == pytest.approx(by_hand, rel=1e-12)
    families = families_of([one["flows"] for one in made.scenario.explain()["alike"]])
    (row,) = [
        line.split()
        for line in report(made.summary, families)
        if " 100 of 100 " in line and line.startswith("out[1..100]")
    ]
    assert row[7] == f"{by_hand:.4g}"
    (results,) = [one for one in run_page(made).sections if one.title == "Results"]
    (transfers,) = [
        one for one in results.blocks if isinstance(one, Table) and one.header[0] == "transfer"
    ]
    assert transfers.rows[0][transfers.header.index("p95 s")] == row[7]

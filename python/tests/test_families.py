"""Families in the text of a run, of notes and of errors; times of transfers and their quantiles."""

import random
import re
from typing import Any

import numpy as np
import pytest

import cellway
from cellway.cli.families import families_of, folded, spread
from cellway.cli.running import report
from cellway.runs.pooled import pooled_quantile
from cellway.runs.quantity import NoNumberError, NothingThereError, Quantity
from cellway.statistics import quantile
from common import ROOT, shipped, text_of

PAGES = text_of("pages.toml")


def scenario(duration: str = "60 s") -> cellway.Scenario:
    return cellway.Scenario.parse(PAGES.replace("60 s", duration), "pages.toml")


@pytest.fixture(scope="module")
def pages() -> cellway.Run:
    return cellway.run(scenario())


def times(run: cellway.Run) -> list[float]:
    flows: Any = run.flows
    return [flows[f"out[{number}]"]["transfer"]["time_s"] for number in range(1, 101)]


def test_a_hundred_relays_are_one_note() -> None:
    warnings = scenario().explain()["warnings"]
    endless = [line for line in warnings if "send_buffer" in line]
    assert [line.partition(":")[0] for line in endless] == [
        "flow.out[1..100] relays without `tcp.send_buffer`"
    ]


def test_members_that_are_alike_are_one_row_with_its_spread(pages: cellway.Run) -> None:
    lines = report(pages.summary, families_of(pages.scenario.alike_and_warnings()[0]))
    assert len(lines) < 40
    rows = [re.split(r"  +", line) for line in lines]
    (timed,) = [row for row in rows if row[:2] == ["out[1..100]", "100 of 100"]]
    found = times(pages)
    expected = [np.mean(found), *np.quantile(found, [0.5, 0.95, 0.99]), min(found), max(found)]
    assert [float(cell) for cell in timed[3:]] == pytest.approx(expected, rel=1e-3)
    (flow,) = [row for row in rows if row[0] == "page[1..100]" and len(row) == 9]
    assert flow[-1].startswith("100 of 100 done, the last at ")


def test_an_unlike_member_stays_a_row() -> None:
    unlike = scenario("6 s").with_set("flow.page[7].tcp.mtu", "576 B")
    lines = report(cellway.run(unlike).summary, families_of(unlike.alike_and_warnings()[0]))
    names = [line.split("  ")[0] for line in lines]
    assert "page[1..6, 8..100]" in names
    assert "page[7]" in names


def test_without_families_every_member_is_a_row(pages: cellway.Run) -> None:
    names = [line.split("  ")[0] for line in report(pages.summary)]
    assert {f"page[{number}]" for number in range(1, 101)} <= set(names)


def test_quantiles_of_transfer_times_are_quantities(pages: cellway.Run) -> None:
    path, found = "flows.out[*].transfer.time_s", times(pages)
    for p, quantity in (
        (0.5, Quantity(path, "p50")),
        (0.95, Quantity(path, "p95")),
        (0.99, Quantity(path, "quantile", quantile=0.99)),
    ):
        assert quantity.of(pages.summary) == pytest.approx(np.quantile(found, p))


def test_a_transfer_that_goes_on_is_no_number_and_says_why() -> None:
    run = cellway.run(scenario("6 s"))
    with pytest.raises(NoNumberError, match=r"the transfer did not end within the run$"):
        Quantity("flows.out[*].transfer.time_s", "p95").of(run.summary)


@pytest.mark.parametrize(
    ("reduce", "part", "words"),
    [
        ("quantile", None, "`quantile`, from 0 to 1, is for"),
        ("mean", 0.5, "`quantile`, from 0 to 1, is for"),
        ("quantile", 1.5, "`quantile` is 1.5; 0 to 1 is accepted"),
    ],
)
def test_a_quantile_and_its_part_need_each_other(
    reduce: str, part: float | None, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Quantity("flows.*.timeouts", reduce, quantile=part)


def test_quantiles_are_those_of_definition_7() -> None:
    values = [5.0, 1.0, 4.0, 2.5, 9.0, 9.0]
    for p in (0.0, 0.1, 0.5, 0.95, 1.0):
        assert quantile(values, p) == pytest.approx(np.quantile(values, p))


def test_a_family_is_asked_for_by_a_pattern() -> None:
    with pytest.raises(cellway.ScenarioError) as caught:
        scenario().with_set("observe.transfers", ["page"])
    assert "`out[1]` to `out[100]`" in str(caught.value)
    assert str(caught.value).endswith("did you mean `page[*]`?")


def test_shipped_texts_have_no_note_on_old_defaults() -> None:
    for path in sorted((ROOT / "scenarios").glob("*.toml")):
        if "flow" in path.read_text():
            warnings = cellway.Scenario.load(path).explain()["warnings"]
            assert not [line for line in warnings if "1990s" in line], path


@pytest.mark.parametrize(
    ("more", "loads"),
    [(0, ["2.000", "1.000", "4.400", "5.000"]), (1, ["2.000", "–", "–", "5.000"])],
)
def test_load_times_of_a_family_are_those_of_its_pages(more: int, loads: list[str]) -> None:
    """Three pages of 1 s and one of 5 s are 2 s a page, and 3 s a flow.

    By definition 7 of quantiles 95 % of 1, 1, 1 and 5 s is 1 + 0.85 · (5 - 1) s. Of transactions
    that are not the pages there is no quantile.
    """
    run = cellway.run(scenario("6 s"))
    flows = {
        f"page[{number}]": {
            **next(iter(run.flows.values())),
            "pages": {
                "loaded": loaded,
                "objects": loaded,
                **dict.fromkeys(("mean_load_s", "p50_load_s", "p95_load_s", "max_load_s"), load),
            },
            "transactions": {"response_time": distribution([load] * (loaded + more))},
        }
        for number, loaded, load in ((1, 3, 1.0), (2, 1, 5.0))
    }
    lines = spread(folded(flows, [[*flows]]))
    row = next(line for line in lines if line.startswith("page[1..2]") and "2.000" in line)
    assert row.split()[3:] == loads


def distribution(values: list[float]) -> dict[str, Any]:
    """The table of these times in a summary, with steps of a sixteenth of an octave."""
    ends = [2.0 ** (at / 16 - 8) for at in range(16 * 16)]
    least = max(end for end in ends if end < min(values))
    most = min(end for end in ends if end > max(values))
    above = [
        (end, sum(value > end for value in values) / len(values))
        for end in ends
        if least <= end <= most
    ]
    return {"samples": len(values), "min": min(values), "max": max(values), "above": above}


@pytest.mark.parametrize("count", [1, 2, 3, 30, 400])
def test_pooled_quantiles_are_within_half_a_step_of_those_of_all_samples(count: int) -> None:
    chance = random.Random(count)
    flows = [[chance.lognormvariate(0.0, 0.7) for _ in range(count)] for _ in range(7)]
    every = [value for values in flows for value in values]
    for p in (0.0, 0.05, 0.5, 0.95, 1.0):
        found = pooled_quantile(map(distribution, flows), p)
        width = 1e-12 if count < 3 else 2 ** (1 / 32) - 1
        assert found == pytest.approx(np.quantile(every, p), rel=width)


@pytest.mark.parametrize("connections", [1, 6])
def test_load_times_of_runs_are_found_in_their_distributions(connections: int) -> None:
    """The simulator has the exact quantiles of one flow, of single times."""
    key = "flow.page.traffic.page.connections"
    base = shipped("household", {"run.duration": "100 s", "flow.page.count": 3, key: connections})
    flows: Any = cellway.run(base).flows
    for number in (1, 2, 3):
        pages = flows[f"page[{number}]"]["pages"]
        times = flows[f"page[{number}]"]["transactions"]["response_time"]
        assert times["samples"] == pages["loaded"] > 5
        for name, p in (("p50_load_s", 0.5), ("p95_load_s", 0.95), ("max_load_s", 1.0)):
            assert pooled_quantile([times], p) == pytest.approx(pages[name], rel=1 / 32)


def test_a_quantile_of_distributions_is_that_of_all_their_samples() -> None:
    """A mean over flows of each flow's quantile is 3 s, and a quantile of flows' means 4.8 s."""
    flows = {f"page[{at + 1}]": {"response_time": distribution(one)} for at, one in
             enumerate(([1.0, 1.0, 1.0], [5.0]))}  # fmt: skip
    path = "flows.page[*].response_time"
    assert Quantity(path, "p95").of({"flows": flows}) == pytest.approx(4.4)
    assert Quantity(path, "quantile", quantile=0.25).of({"flows": flows}) == 1.0
    with pytest.raises(NothingThereError, match="has samples, min, max, above"):
        Quantity(path, "mean").of({"flows": flows})
    none: dict[str, Any] = {"samples": 0, "min": None, "max": None, "above": []}
    flows["page[3]"] = {"response_time": none}
    assert Quantity(path, "p95").of({"flows": flows}) == pytest.approx(4.4)
    with pytest.raises(NoNumberError, match="no transaction was finished"):
        Quantity(path, "p95").of({"flows": {"page[1]": {"response_time": none}}})

"""Many flows and many ports: what a run costs beside its traffic grows as their number.

Counted where it can be counted; else CPU time of four times as many, of which a quadratic part
makes sixteen times as much: that of the program alone, since the kernel's for new pages differs
from machine to machine by more. Each of these was quadratic once.
"""

import resource
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import cellway
from cellway.cli import families
from cellway.cli.text import natural
from cellway.plot.runs import plot_run
from cellway.runs.runs import restored_run
from cellway.runs.saved import SavedRun
from common import text_of

FEW, MANY = 4000, 16000


def many(name: str, count: int) -> str:
    """A scenario for 1000, built and not run, with so many of what it has 1000 of."""
    return text_of(name).replace("1000", str(count))


def bottleneck(count: int, west: str = "", flow: str = "") -> str:
    """So many pairs of hosts beside two switches, with a flow each."""
    return many("bottleneck.toml", count).replace("# west", west).replace("# flow", flow)


SHARED = 'buffer.shared = "20000 cell"'
PACED = 'pacing = { link = "trunk", rate = "effcap" }'
KINDS: dict[str, Callable[[int], str]] = {
    "hosts": bottleneck,
    "shared memory": lambda count: bottleneck(count, west=SHARED),
    "paced": lambda count: bottleneck(count, flow=PACED),
    "proxies": lambda count: many("proxied.toml", count),
}


def cpu_seconds(text: str) -> float:
    """Of checking, building, and the summary; the least of two."""

    def once() -> float:
        began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        cellway.run(cellway.Scenario.parse(text))
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime - began

    return min(once() for _ in range(2))


@pytest.mark.parametrize("kind", KINDS)
def test_four_times_as_many_flows_are_no_more_than_eight_times_the_work(kind: str) -> None:
    text = KINDS[kind]
    assert cpu_seconds(text(MANY)) < 8.0 * cpu_seconds(text(FEW))


def test_what_resolves_can_be_read_again_however_many_share_a_link() -> None:
    """1001 flows once were more sharers than a file could say."""
    scenario = cellway.Scenario.parse(bottleneck(1001, flow=PACED))
    text = scenario.to_toml().encode()
    assert cellway.Scenario("resolved", text, resolved=True) == scenario


class Counted(dict[str, Any]):
    """Counts how often all of it is walked."""

    walks = 0

    def __iter__(self) -> Iterator[str]:
        self.walks += 1
        return super().__iter__()

    def keys(self):  # type: ignore[no-untyped-def]
        self.walks += 1
        return super().keys()


def user_seconds(call: Callable[[], object]) -> float:
    """The least of two."""

    def once() -> float:
        began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        call()
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime - began

    return min(once() for _ in range(2))


def test_the_text_of_a_run_asks_for_no_whole_explanation() -> None:
    """The groups of flows and the warnings took half as long as the run that they describe."""
    scenario = cellway.Scenario.parse(bottleneck(FEW))
    explained = scenario.explain()
    expected = [alike["flows"] for alike in explained["alike"]], explained["warnings"]
    assert scenario.alike_and_warnings() == expected
    assert user_seconds(scenario.alike_and_warnings) < 0.8 * user_seconds(scenario.explain)


def test_ports_are_in_the_order_of_their_numbers() -> None:
    names = ["a.b[10]", "a.b[2]", "a.b", "a[1].b", "a[01].a", "a.c[1]x[11]", "a.c[1]x[2]", "7"]
    expected = ["7", "a.b", "a.b[2]", "a.b[10]", "a.c[1]x[2]", "a.c[1]x[11]", "a[01].a", "a[1].b"]
    assert sorted(names, key=natural) == expected


def walks(count: int) -> int:
    """Over the table of ports, by a figure of a run with so many queues."""
    text = bottleneck(count, flow='[observe]\nseries = ["queue"]').replace("1 ps", "20 ms")
    run = cellway.run(cellway.Scenario.parse(text))
    recorded = {name: run.series(name) for name in run.series_names}
    restored = restored_run(SavedRun(run.scenario, run.summary_json, recorded, ""))
    ports = Counted(run.summary["ports"])
    restored.summary["ports"] = ports
    plot_run(restored)
    return ports.walks


def test_a_figure_does_not_walk_all_ports_for_each_of_them() -> None:
    assert walks(40) <= walks(10)


def test_flows_that_only_names_tell_apart_are_all_there() -> None:
    """The facts of equal neighbours are handed over once; every flow has them under its name."""
    flows = cellway.Scenario.parse(text_of("alike.toml")).explain()["flows"]
    assert [flow["name"] for flow in flows] == ["x[1]", "x[2]", "x[3]", "odd", "y"]
    first, *others = [{**flow, "name": ""} for flow in flows]
    assert [flow == first for flow in others] == [True, True, False, True]


def test_a_family_is_named_once_and_not_for_each_member(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[int] = []

    def together(names: Sequence[str]) -> str:
        named.append(len(names))
        return "bulk"

    monkeypatch.setattr(families, "together", together)
    members = [f"bulk[{number}]" for number in range(1, 51)]
    flows: dict[str, dict[str, Any]] = {name: {"cwnd": 1.0} for name in [*members, "alone"]}
    assert families.folded(flows, [members]) == {"bulk": {"cwnd": 1.0}, "alone": {"cwnd": 1.0}}
    assert named == [50]

"""What `explain` says of ports, beside what runs say of the same ports."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import cellway
from cellway.plot.allocations import allocating_ports, plot_allocation
from cellway.plot.ports import buffer_limits, dfba_thresholds, receive_windows
from common import SCENARIOS, SMALL, WHOLE, shipped


def classes(port: Mapping[str, Any]) -> set[str]:
    """The VCs of the summary at ports with more than one."""
    return set(port.get("classes", ()))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_run_has_the_ports_queues_and_circuits_that_were_explained(path: Path) -> None:
    cut = [] if path.stem in WHOLE else [("run.duration", "1.1 s"), ("run.warm_up", "0 s")]
    scenario = cellway.Scenario.load(path).with_sets(
        [*cut, ("observe.series", ["queue", "vc_queue"])]
    )
    explained = {port["name"]: port for port in scenario.explain()["ports"]}
    run = cellway.run(scenario)
    assert set(explained) == set(run.ports)
    for name, port in run.ports.items():
        found = explained[name]
        queues = {queue["class"] for queue in found["queues"]}
        assert found["unit"] == port["unit"]
        assert classes(port) in (queues, set())
        assert len(queues) == 1 or classes(port) == queues
        recorded = [
            one
            for one in run.series_names
            if one.startswith(f"{name}.") and one.endswith(".vc_queue")
        ]
        through = {vc for queue in found["queues"] for vc in queue["vcs"]}
        assert {one[len(name) + 1 : -len(".vc_queue")] for one in recorded} == through


def test_buffers_are_named_and_as_high_as_the_scenario_says() -> None:
    scenario = cellway.Scenario.parse(SMALL)
    assert buffer_limits(scenario, ["s.right"], 100.0) == [("buffer: 256 cells per VC", 256.0)]
    assert buffer_limits(scenario, ["s.right"], 85.0) == []
    shared = scenario.with_set("switch.s.buffer", {"shared": "2 kcell"})
    assert buffer_limits(shared, ["s.right", "s.left"], 5000.0) == [
        ("buffer: 2000 cells shared", 2000.0)
    ]
    assert buffer_limits(scenario.with_set("switch.s.buffer", "infinite"), ["s.right"], 1e9) == []


def test_a_class_with_a_buffer_of_its_own_is_plotted_with_that_one() -> None:
    """The buffer of the switch is for UBR alone; no ABR passes."""
    scenario = cellway.Scenario.parse(SMALL).with_set("switch.s.abr_buffer", {"per_port": "9 cell"})
    assert buffer_limits(scenario, ["s.right"], 256.0) == [("buffer: 256 cells per VC", 256.0)]
    on_abr = scenario.with_set("flow.bulk.service", {"abr": {}})
    assert buffer_limits(on_abr, ["s.right"], 256.0) == [("buffer: 9 cells per port", 9.0)]


def test_windows_of_receivers_are_written_as_in_the_scenario() -> None:
    scenario = cellway.Scenario.parse(SMALL)
    assert receive_windows(scenario, ["bulk"]) == [("window of the receiver, 128 KiB", 131072.0)]
    gigabyte = scenario.with_set("flow.bulk.tcp.window", "1 GB")
    assert receive_windows(gigabyte, ["bulk"]) == [("window of the receiver, 1 GB", 1e9)]


def test_thresholds_in_parts_of_the_buffer_are_in_cells() -> None:
    scenario = cellway.Scenario.parse(SMALL).with_sets(
        [
            ("switch.s.buffer", {"per_port": "1001 cell"}),
            ("switch.s.drop", {"dfba": {"low": 0.5, "high": 0.9}}),
        ]
    )
    assert dfba_thresholds(scenario, "s.right") == (501.0, 901.0)


def test_the_rate_of_a_circuit_that_flows_share_is_plotted_at_the_ports_that_it_passes() -> None:
    """Nothing of ABR is called by the name of one of these flows."""
    short = {"run.duration": "1 s", "run.warm_up": "0 s", "observe.series": ["acr"]}
    run = cellway.run(shipped("edge-router", short))
    assert set(allocating_ports(run)) == {"backbone.up", "backbone.down"}
    above = plot_allocation(run, "backbone.down").axes[0]
    legend = above.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["ACR of the only VC"]

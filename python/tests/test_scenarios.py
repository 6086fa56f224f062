"""Every scenario that is shipped, alone and on the shelf of papers, is accepted and runs."""

import tomllib
from pathlib import Path

import pytest

import cellway
from cellway.catalogue import paper, paper_ids
from cellway.cli.describe import explain
from common import SCENARIOS, WHOLE, shipped

LONGEST = 2.0
"""Seconds that a scenario is cut to here."""


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_shipped_scenario_is_toml_and_runs(file: Path) -> None:
    assert tomllib.loads(file.read_text())["run"]["duration"]
    scenario = cellway.Scenario.load(file)
    explained = scenario.explain()
    assert explained["flows"]
    assert not [said for said in explained["warnings"] if "start together" in said]
    if explained["duration_seconds"] > LONGEST and file.stem not in WHOLE:
        scenario = scenario.with_sets([("run.duration", f"{LONGEST} s"), ("run.warm_up", "0 s")])
    run = cellway.run(scenario)
    assert all(flow["throughput_bits_per_second"] > 0 for flow in run.flows.values())
    # That there were no timeouts is said by a series without any.
    for name in [name for name in run.series_names if "timeout" not in name]:
        assert len(run.series(name)) > 0


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_a_shipped_scenario_is_explained_in_words(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    explain(file)
    flows = cellway.Scenario.load(file).explain()["flows"]
    said = capsys.readouterr().out
    # Of a family that is alike, one entry has all.
    assert all(f"flow {flow['name'].partition('[')[0]}" in said for flow in flows)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_resolved_text_says_the_same(file: Path) -> None:
    scenario = cellway.Scenario.load(file)
    again = cellway.Scenario.parse(scenario.to_toml())
    assert again == scenario
    assert again.to_toml() == scenario.to_toml()


@pytest.mark.parametrize("identifier", paper_ids())
def test_every_row_and_alternative_of_a_paper_is_a_scenario(identifier: str) -> None:
    found = paper(identifier)
    assert found.rows
    for row in found.rows:
        cellway.Scenario.load(row.scenario).with_sets(row.sets)
    for sensitivity in found.sensitivities:
        for code in sensitivity.rows:
            for alternative in (one for one in sensitivity.alternatives if one.concerns(code)):
                row = found.row(code)
                cellway.Scenario.load(row.scenario).with_sets([*row.sets, *alternative.sets])


def test_examples_in_the_reference_are_accepted_at_their_place_alone() -> None:
    base = shipped("rate-mismatch")
    plain = shipped("packet-router")
    tried = 0
    for key in cellway.schema()["keys"]:
        is_section = key["type"] == "table"
        if (
            key["key"].startswith(("flow.NAME.tcp.", "observe."))
            and key["key"].count(".") <= 3
            and not is_section
        ):
            # Keys of Reno exclude another law: it is tried where none of them is.
            is_law = key["key"].endswith((".congestion", ".preset"))
            scenario, flow = (plain, "flow.download") if is_law else (base, "flow.bulk")
            if key["key"].endswith((".full_ack", ".reduces")):
                scenario = base.with_set("flow.bulk.tcp.recovery", "new_reno")
            place = key["key"].replace("flow.NAME", flow)
            scenario.with_set(place, tomllib.loads(f"value = {key['example']}")["value"])
            tried += 1
    assert tried >= 12

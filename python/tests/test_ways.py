"""`compare SCENARIO --measure`: the ways side by side, by a stand-in for the kernel."""

import json
from pathlib import Path
from typing import Any

import pytest

from cellway import Scenario
from cellway.cli.comparison import comparison
from cellway.cli.exits import BAD_INPUT, guarded
from cellway.prediction import predict
from cellway.prediction.effects import effects
from cellway.prediction.ways import MAX_FLOWS, beside_ways, ways_study
from common import Command, known, refused
from study.measured import KERNEL, PATH, StandIn, facts, stand_in, without_root

SLOWER = PATH.replace('"10 Mbit/s of line"', '"5 Mbit/s of line"').replace(
    "[observe]",
    '[observe]\ndistributions = { flows = ["bulk"], ports = ["router.line"] }',
)
SEVERAL = (
    PATH.replace("near = {}", "near = { count = 7 }")
    .replace("[link.near]", "[link.near]\ncount = 7")
    .replace('["near", "router"]', '["near[*]", "router"]')
    .replace("[flow.bulk]", "[flow.bulk]\ncount = 7")
    .replace('from = "near"', 'from = "near[*]"')
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    return stand_in(monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "path.toml"
    written.write_text(PATH)
    return written


def cells(text: str, *begin: str) -> list[str]:
    """The cells of the row of a table that begins with these."""
    rows = [
        [cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.split("\n")
    ]
    return next(row for row in rows if row[: len(begin)] == [*begin])


def test_ways_stand_side_by_side(
    made: StandIn, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made.other = lambda _: Scenario.parse(SLOWER)._core
    comparison(file, runs=3, measure=True, paths=3)
    said = capsys.readouterr().out
    assert f"measured: 3 runs, Linux {KERNEL}, 2023-11-14" in said
    goodput = cells(said, "flow bulk", "goodput, Mbit/s")
    assert "(3)" in goodput[-3]
    assert float(goodput[-2].removesuffix(" %")) < -20.0
    assert cells(said, "port router.line", "waiting, 99th percentile, ms")
    assert "round trips" in said


def test_numbers_of_pairs_and_effects_are_json(
    made: StandIn, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made.marks = {1: ["packets were lost outside the path"]}
    made.offered = 30000
    comparison(file, runs=2, measure=True, as_json=True)
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    goodput = next(one for one in said["numbers"] if one["name"] == "goodput")
    assert goodput["simulated"]["mean"] == goodput["measured"]["mean"]
    assert (goodput["difference"]["mean"], goodput["difference"]["n"]) == (0.0, 2)
    assert goodput["relative"] == 0.0
    told = {one["name"]: one["said"] for one in said["effects"]}
    assert told["window (bulk)"].startswith("40960 B asked for, at most 30000 B offered")
    assert "25.0%" in told["window (bulk)"].replace(" ", "")
    assert "other" in told["chance"]
    assert said["measured"]["not_to_be_trusted"][0]["replication"] == 1


def test_runs_that_are_kept_are_not_made_again(
    made: StandIn, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = file.parent / "out"
    comparison(file, runs=2, measure=True, out=out)
    assert "2 runs to measure" in capsys.readouterr().err
    comparison(file, runs=3, measure=True, out=out)
    assert "1 run to measure in real time" in capsys.readouterr().err
    assert made.seeds == [1, 2, 3]
    comparison(file, runs=3, measure=True, out=out, again=True)
    assert made.seeds == [1, 2, 3, 1, 2, 3]


def test_effects_are_those_of_the_scenario(made: StandIn) -> None:
    def named(text: str) -> set[str]:
        scenario = Scenario.parse(text)
        study = ways_study(scenario, predict(scenario), 2)
        return {one.name for one in effects(scenario, study.run())}

    usual = named(PATH)
    assert "chance" in usual
    assert "chance" not in named(PATH.replace("impairments = { loss = 0.01 }\n", ""))
    assert "no TCP (call)" in named(
        PATH.replace(
            "[observe]",
            '[flow.call]\nfrom = "near"\nto = "home"\n'
            'traffic = { cbr = { rate = "64 kbit/s of payload", datagram = "160 B" } }\n[observe]',
        )
    )
    rule = PATH.replace('preset = "linux", ', 'preset = "linux", handshake = false, ')
    assert named(rule) - usual == {"handshake (bulk)"}
    assert len(made.seeds) == 8


def test_many_flows_are_families(made: StandIn) -> None:
    scenario = Scenario.parse(SEVERAL)
    theory = predict(scenario)
    found = beside_ways(scenario, theory, ways_study(scenario, theory, 2).run())
    places = [one.number.of for one in found]
    assert len(scenario.explain()["flows"]) > MAX_FLOWS
    assert "flows bulk" in places
    assert not any(place.startswith("flow ") for place in places)
    together, family = (
        next(one for one in found if (one.number.of, one.number.name) == (of, "goodput"))
        for of in ("all TCP", "flows bulk")
    )
    assert known(together.measured).mean == pytest.approx(known(family.measured).mean)
    assert made.seeds == [1, 2]


def test_options_of_measurements_need_one(file: Path, cellway: Command) -> None:
    assert refused(cellway, "compare", file, "--paths", "3") == "--paths: expected --measure\n"
    said = refused(cellway, "compare", file.parent, file.parent, "--measure")
    assert said == "--measure: expected a scenario, not two studies\n"


def test_without_root_there_is_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    why = without_root(monkeypatch)
    out = file.parent / "out"
    assert guarded(lambda: comparison(file, measure=True, runs=2, out=out)) == BAD_INPUT
    assert capsys.readouterr() == ("", f"{why}\n")
    assert not out.exists()
    assert facts()["marks"] == []

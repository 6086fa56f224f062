"""A study may be given in shorter forms than it is kept in, and stays as it is."""

import dataclasses
import json
from pathlib import Path

import pytest

from cellway import Scenario, Study, StudyError
from cellway.study import Factor, Response
from common import SMALL

WINDOW = "flow.bulk.tcp.window"
SENT = "flows.bulk.throughput_bits_per_second"


def test_a_file_keys_with_levels_and_paths_are_a_scenario_factors_and_responses(
    tmp_path: Path,
) -> None:
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    short = Study(
        file, {WINDOW: ["16 KiB", "64 KiB"]}, responses={"sent": SENT}, recorded=["s.right.queue"]
    )
    assert short.base == Scenario.load(file)
    assert short.factors == (Factor.of(WINDOW, [WINDOW], ["16 KiB", "64 KiB"]),)
    assert [type(one) for one in short.responses] == [Response]
    assert short.recorded == ("s.right.queue",)
    full = Study(short.base, short.factors, responses=short.responses, recorded=short.recorded)
    assert full == short
    assert hash(full) == hash(short)


def test_what_is_left_out_is_nothing_varied_once_and_the_throughput_of_all() -> None:
    made = Study(Scenario.parse(SMALL))
    assert (made.factors, made.replications, made.recorded, made.sets) == ((), 1, (), ())
    assert [one.name for one in made.responses] == ["throughput"]
    with pytest.raises(TypeError, match="base"):
        Study()


def test_a_copy_with_other_attributes_is_checked_again_and_the_study_stays() -> None:
    made = Study(Scenario.parse(SMALL), {WINDOW: ["16 KiB", "64 KiB"]}, replications=5, name="five")
    one = dataclasses.replace(made, replications=1)
    assert (one.replications, one.name, one.factors) == (1, "five", made.factors)
    assert made.replaced(replications=1) == one
    assert made.replications == 5
    with pytest.raises(StudyError, match="no responses"):
        dataclasses.replace(made, responses=[])
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.factors = ()  # type: ignore[misc]


def test_a_study_is_reported_as_data_before_it_runs() -> None:
    made = Study(Scenario.parse(SMALL, "small"), {WINDOW: ["16 KiB", "64 KiB"]}, replications=3)
    reported = json.loads(json.dumps(made.as_data()))
    assert reported["factors"] == [
        {"name": WINDOW, "levels": ["16 KiB", "64 KiB"], "sampled": False}
    ]
    assert (reported["points"], reported["runs"], reported["max_replications"]) == (2, 6, 3)
    assert reported["parameters"] == [{WINDOW: "16 KiB"}, {WINDOW: "64 KiB"}]

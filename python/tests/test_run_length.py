"""Runs that are short against their correlation: the warning, and where a study has it."""

import json
from pathlib import Path

import numpy as np
import pytest

from cellway import Scenario, Study
from cellway.cli.study_results import report
from cellway.runs.quantity import Quantity
from cellway.statistics import RunLength, worth
from cellway.study import Factor, Reduction, Response
from study.texts import BESIDE

QUEUE = "s.right.queue"


def test_several_runs_are_worth_the_harmonic_mean_of_theirs() -> None:
    """Correlation times of 1/20 and 1/60 of a run have a mean of 1/30."""
    found = RunLength.of([20.0, 60.0])
    assert (round(found.worth, 9), found.runs) == (30.0, 2)


@pytest.mark.parametrize(
    ("length", "expected"),
    [(9, "85 to 90"), (28, "89 to 94"), (99, "92 to 95"), (100, "")],
)
def test_short_runs_say_how_many_intervals_hold(length: int, expected: str) -> None:
    said = RunLength(length, 10).warning
    assert said == (
        expected
        and f"a run is worth {length} independent values: of intervals of 95 % over 10 runs "
        f"below 100 expect {expected} % to hold"
    )


@pytest.mark.parametrize(("runs", "enough"), [(5, 1000), (10, 2000)])
def test_behind_mser5_more_runs_need_longer_ones(runs: int, enough: int) -> None:
    """The bias stays, and the half-width goes down."""
    assert f"below {enough} expect 85 to 94" in RunLength(enough - 1, runs, truncated=True).warning
    assert not RunLength(enough, runs, truncated=True).warning


def test_independent_values_are_worth_nearly_their_number() -> None:
    values = np.random.default_rng(1).normal(size=10_000).tolist()
    assert 9000 < worth(values) <= 10_000
    held = [value for value in values[:1000] for _ in range(10)]
    assert 700 < worth(held) < 1100


def study(**changes: object) -> Study:
    mean = Response("mean", Reduction(QUEUE, "mean"), "cell")
    given = Study(
        Scenario.parse(BESIDE).with_set("run.duration", "50 ms"),
        replications=4,
        responses=[
            mean,
            Response("over time", Reduction(QUEUE, "time_mean"), "cell"),
            Response("largest", Reduction(QUEUE, "max"), "cell"),
            Response("of the summary", Quantity("ports.s.right.mean_queue"), "cell"),
        ],
    )
    return given.replaced(**changes) if changes else given


def test_a_study_over_short_runs_warns_of_means_of_series_alone(tmp_path: Path) -> None:
    """Of a maximum nothing is known, nor of a number of the summary."""
    results = study().run(tmp_path / "study")
    found = {name: results.estimate(name, 0) for name in ("mean", "over time", "largest")}
    assert all(one is not None and one.half_width is not None for one in found.values())
    assert {name for name, one in found.items() if one and one.warning} == {"mean", "over time"}
    lines = [line for line in report(results) if line.startswith("warning: ")]
    named = [line.partition(": a run is worth ")[0] for line in lines]
    assert named == ["warning: mean", "warning: over time"]
    (point,) = json.loads(json.dumps(results.as_data()))["points"]
    assert "independent values" in point["responses"]["mean"]["warning"]
    assert "warning" not in point["responses"]["of the summary"]


def test_the_shortest_of_several_points_is_named() -> None:
    window = Factor.of("window", ["flow.bulk.tcp.window"], ["16 KiB", "64 KiB"])
    results = study(factors=[window], responses=study().responses[:1]).run()
    assert len(results.short_runs("mean")) == 2
    (line,) = [line for line in report(results) if line.startswith("warning: ")]
    assert "the shortest of 2 points); make runs longer" in line


def test_one_run_has_no_such_warning() -> None:
    results = study(replications=1).run()
    assert not results.short_runs("mean")

"""Responses judged by their logarithm: geometric means, ratios, and effects on it."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from cellway import Scenario, Study, load_study
from cellway.cli.study_results import report
from cellway.statistics import estimate
from cellway.study import Results, TwoLevel
from cellway.study.own_files import STUDY as FROZEN
from common import SMALL, known
from study.texts import CHANCE, STUDY

WINDOW = "flow.bulk.tcp.window"
NUMBERS = [[1.0, 2.0, 4.0], [100.0, 300.0, 900.0]]
"""Of two points; the second ones are 129.8 times as large: (100 · 300 · 900 / 8) to the third."""


def results(numbers: list[list[float]] = NUMBERS) -> Results:
    """As if runs had given these numbers."""
    study = Study(
        Scenario.parse(CHANCE).with_set("run.duration", "2 ms"),
        {WINDOW: ["32 KiB", "64 KiB"]},
        replications=3,
        compared=WINDOW,
    )
    found = study.run()
    response = replace(study.responses[0], unit="1", transform="log")
    runs = tuple(
        tuple(
            replace(record, metrics={response.definition: number})
            for record, number in zip(point, column, strict=True)
        )
        for point, column in zip(found.runs, numbers, strict=True)
    )
    return replace(found, study=study.replaced(responses=(response,)), runs=runs)


def test_means_are_geometric_and_intervals_those_of_the_logarithms() -> None:
    found = known(results().estimate("throughput", 0))
    logs = known(estimate([math.log(value) for value in NUMBERS[0]]).interval)
    assert found.mean == pytest.approx(2.0)
    assert found.interval == pytest.approx([math.exp(end) for end in logs])
    assert str(found).startswith("2 ×/÷ 5.59 (n=3)")


def test_comparisons_are_ratios_by_pairs() -> None:
    """Ratios 100, 150 and 225: their geometric mean is 150."""
    ((_, found),) = results().comparisons("throughput")
    assert found["64 KiB"].mean == pytest.approx(150.0)
    logs = estimate([math.log(ratio) for ratio in (100.0, 150.0, 225.0)])
    assert found["64 KiB"].factor == pytest.approx(math.exp(logs.half_width or 0.0))
    said = "\n".join(report(results()))
    assert "throughput: ratio to the first level" in said
    assert "no difference shown" not in said
    alike = "\n".join(report(results([NUMBERS[0], [2.0, 1.0, 4.5]])))
    assert "no difference shown" in alike


def test_a_number_without_a_logarithm_leaves_no_mean_and_is_said() -> None:
    found = results([[0.0, 2.0, 4.0], NUMBERS[1]])
    assert found.estimate("throughput", 0) is None
    assert "note: throughput: 1 runs have no logarithm: 0 or less" in report(found)


def test_a_study_file_has_it_and_its_copy_too(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "study.toml").write_text(f'{STUDY}transform = "log"\n')
    study = load_study(tmp_path / "study.toml")
    assert study.responses[0].transform == "log"
    study.run(tmp_path / "kept")
    assert load_study(tmp_path / "kept" / FROZEN).responses[0].transform == "log"
    assert any(line.startswith("logarithm of throughput: analysis") for line in report(study.run()))


def test_an_analysis_of_unlike_variances_warns() -> None:
    """Fifteen thousand times as much in one point as in another once went unsaid."""
    tiny = [[1.0, 1.0001, 1.0002], [100.0, 300.0, 900.0]]
    raw = results(tiny)
    assert known(raw.spread("throughput")).is_unlike
    plain = [replace(raw.study.responses[0], transform=None)]
    raw = replace(raw, study=raw.study.replaced(responses=plain, design=TwoLevel()))
    (said,) = [line for line in report(raw) if line.startswith("warning: standard deviations")]
    assert said.endswith('try `transform = "log"`')

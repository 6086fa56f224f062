"""Sensitivity indices against exact ones, and in a study."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from cellway import Scenario, Study
from cellway.cli.study_results import report
from cellway.errors import StudyError
from cellway.runs.quantity import Quantity
from cellway.statistics import saltelli_rows, sensitivity_indices
from cellway.study import Design, Factor, Response, Saltelli, Span, load_study, sensitivity
from cellway.study.frozen import study_toml
from common import SMALL, text_of
from study.test_study_files import written
from study.texts import lasting

A, B = 7.0, 0.1


def ishigami(x: float, y: float, z: float) -> float:
    """T. Ishigami and T. Homma, 1990; -π to π each."""
    return math.sin(x) + A * math.sin(y) ** 2 + B * z**4 * math.sin(x)


def exact() -> tuple[list[float], list[float]]:
    """First and total indices, from the integrals of the function."""
    alone = [0.5 * (1 + B * math.pi**4 / 5) ** 2, A**2 / 8, 0.0]
    together = B**2 * math.pi**8 * (1 / 18 - 1 / 50)  # Of x and z.
    variance = sum(alone) + together
    total = [alone[0] + together, alone[1], together]
    return [one / variance for one in alone], [one / variance for one in total]


def test_ishigami() -> None:
    names = ["x", "y", "z"]
    span = Span(-3.141593, 3.141593, "")
    factors = [Factor.spanning(name, ["run.duration"], span, 2) for name in names]
    points = Saltelli(4096).points(factors, seed=1)
    assert len(points) == Saltelli(4096).count(factors) == 4096 * 5
    values = np.array([ishigami(*(level.value for level in point)) for point in points])
    found = sensitivity_indices(names, values)
    first, total = exact()
    assert first == pytest.approx([0.3139, 0.4424, 0.0], abs=1e-4)  # As published.
    assert total == pytest.approx([0.5576, 0.4424, 0.2437], abs=1e-4)
    assert [one.first for one in found] == pytest.approx(first, abs=0.03)
    assert [one.total for one in found] == pytest.approx(total, abs=0.03)
    assert all(0.0 < one.first_half_width < 0.1 for one in found)
    assert all(0.0 < one.total_half_width < 0.1 for one in found)


def test_a_row_of_the_plan_changes_one_factor_at_a_time() -> None:
    assert saltelli_rows([[1, 2, 3, 10, 20, 30]]) == [
        [1, 2, 3], [10, 2, 3], [1, 20, 3], [1, 2, 30], [10, 20, 30],
    ]  # fmt: skip


def test_another_number_of_values_or_no_variance_is_refused() -> None:
    with pytest.raises(ValueError, match="a multiple of 4 is expected for 2 factors"):
        sensitivity_indices(["a", "b"], np.arange(10.0))
    with pytest.raises(ValueError, match="no variance to share"):
        sensitivity_indices(["a", "b"], np.ones(8))


def study_of(**changed: object) -> Study:
    """A ceiling by the window over the round trip: only the window and the delay matter."""
    given = Study(
        Scenario.parse(lasting("200 ms", SMALL)),
        [
            Factor.spanning(
                "window", ["flow.bulk.tcp.window"], Span(4096, 16384, "B", whole=True), 2
            ),
            Factor.spanning("delay", ["link.left.delay"], Span(5, 10, "ms"), 2),
            Factor.spanning(
                "buffer", ["switch.s.buffer.per_vc"], Span(900, 999, "cell", whole=True), 2
            ),
        ],
        design=Saltelli(32),
        responses=[Response("rate", Quantity("flows.bulk.throughput_bits_per_second"), "Mbit/s")],
    )
    return given.replaced(**changed)


def test_a_study_finds_the_factors_that_matter(tmp_path: Path) -> None:
    results = study_of().run(tmp_path)
    assert len(results.records) == 32 * 5
    window, delay, buffer = sensitivity(results, "rate")
    assert window.total > delay.total > 0.05
    assert buffer.total == pytest.approx(0.0, abs=1e-6)
    assert window.first + delay.first == pytest.approx(1.0, abs=0.2)
    text = "\n".join(report(results))
    assert "rate: sensitivity indices, shares of the variance of the means" in text
    assert load_study(tmp_path / "study.toml").design == Saltelli(32)


def test_another_design_has_none() -> None:
    with pytest.raises(StudyError, match="exist for the design saltelli"):
        sensitivity(study_of(design=Design()).run(), "rate")


def test_without_salib_the_means_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    results = study_of(design=Saltelli(2)).run()
    monkeypatch.setitem(sys.modules, "SALib.analyze", None)
    assert any(
        line == "rate: no sensitivity indices: SALib is not installed; "
        "pip install 'cellway[sensitivity]'"
        for line in report(results)
    )


def test_the_file_and_its_copy(tmp_path: Path) -> None:
    text = text_of("window.toml")
    study = load_study(
        written(
            tmp_path, text.replace("replications = 3", "design = { saltelli = { points = 4 } }")
        )
    )
    assert (study.design, study.count) == (Saltelli(4), 16)
    assert "saltelli" in study_toml(study)
    with pytest.raises(StudyError, match="6 points; a power of two is expected"):
        study.replaced(design=Saltelli(6))
    with pytest.raises(StudyError, match="1 factors; two or more are expected"):
        study.replaced(factors=study.factors[:1])

"""Levels as numbers in the table of runs and in xarray."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cellway import Scenario, Study
from cellway.errors import CellwayError
from cellway.study import Factor, LatinHypercube, Results, Span
from cellway.study.results import RUNS
from study.texts import BESIDE, lasting

BASE = Scenario.parse(lasting("20 ms", BESIDE))
WINDOW = Factor.of("window", ["flow.bulk.tcp.window"], ["16 KiB", "64 KiB"])
DROP = Factor.of("mss", ["flow.bulk.tcp.initial_window"], [1, 2, 4])


def results_of(folder: Path) -> Results:
    return Study(BASE, [WINDOW, DROP], replications=2).run(folder)


def test_levels_with_a_unit_are_numbers_beside_what_was_written(tmp_path: Path) -> None:
    results = results_of(tmp_path)
    table = pl.read_parquet(tmp_path / RUNS)
    assert table["window"].unique(maintain_order=True).to_list() == ["16 KiB", "64 KiB"]
    assert table["window_number"].unique(maintain_order=True).to_list() == [16.0, 64.0]
    assert table["window_unit"].unique().to_list() == ["KiB"]
    assert "mss_number" not in table.columns
    assert table.drop("window_number", "window_unit").equals(results.to_polars())


def test_units_of_one_kind_become_one(tmp_path: Path) -> None:
    factor = Factor.of("window", ["flow.bulk.tcp.window"], ["16384 B", "64 KiB"])
    Study(BASE, [factor]).run(tmp_path)
    table = pl.read_parquet(tmp_path / RUNS)
    assert table["window_number"].to_list() == [16.0, 64.0]


def test_xarray_has_the_runs_at_their_levels(tmp_path: Path) -> None:
    pytest.importorskip("xarray", reason="xarray is not installed")
    results = results_of(tmp_path)
    arrays = results.to_xarray()
    assert dict(arrays.sizes) == {"window": 2, "mss": 3, "replication": 2}
    assert arrays["window"].attrs["units"] == "KiB"
    assert arrays["throughput"].attrs["units"] == "Mbit/s"
    for point, condition in enumerate(results.conditions):
        window, mss = str(condition.parameters["window"]), condition.parameters["mss"]
        found = arrays["throughput"].sel(window=float(window.split(maxsplit=1)[0]), mss=mss)
        assert found.values.tolist() == results.values("throughput", point)
    means = arrays["throughput"].mean("replication")
    expected = [np.mean(results.values("throughput", point)) for point in range(6)]
    assert np.allclose(means.values.ravel(), expected)


def test_a_sampled_design_has_points(tmp_path: Path) -> None:
    pytest.importorskip("xarray", reason="xarray is not installed")
    span = Span.between("16 KiB", "64 KiB", logarithmic=False, whole=True)
    factor = Factor.spanning("window", ["flow.bulk.tcp.window"], span, 2)
    results = Study(BASE, [factor], design=LatinHypercube(3)).run(tmp_path)
    arrays = results.to_xarray()
    assert dict(arrays.sizes) == {"point": 3, "replication": 1}
    assert arrays["window"].dims == ("point",)
    assert 16.0 <= arrays["window"].values.min() < arrays["window"].values.max() <= 64.0


def test_a_response_called_as_the_dimension_of_points_is_a_variable() -> None:
    pytest.importorskip("xarray", reason="xarray is not installed")
    loss = Factor.spanning("loss", ["link.right.impairments.loss"], Span(0.001, 0.01, ""), steps=2)
    responses = {"point": "flows.bulk.throughput_bits_per_second"}
    study = Study(BASE, [loss], design=LatinHypercube(3), replications=2, responses=responses)
    arrays = study.run().to_xarray()
    assert arrays["point"].dims == ("design_point", "replication")
    assert [*arrays.data_vars] == ["point"]


def test_xarray_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = Study(BASE).run(tmp_path)
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(CellwayError, match=r"pip install 'cellway\[xarray\]'"):
        results.to_xarray()

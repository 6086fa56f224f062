"""Series of a run as arrays and as tables of other libraries."""

import sys

import numpy as np
import pytest

import cellway
from cellway import CellwayError, Quantity, Run, Scenario
from common import SMALL


@pytest.fixture(scope="module")
def run() -> Run:
    return cellway.run(Scenario.parse(SMALL, "small"))


def test_times_and_values_are_arrays_of_one_shape(run: Run) -> None:
    queue = run.series("s.right.queue")
    assert queue.times.shape == queue.values.shape == (len(queue),)
    assert queue.times.dtype == queue.values.dtype == np.float64
    assert queue.time is queue.times
    assert queue.value is queue.values


def test_polars_has_a_row_for_each_point_and_the_columns_of_csv(run: Run) -> None:
    table = run.to_polars()
    assert table.columns == ["series", "unit", "time_s", "value", "mean", "thinned"]
    assert table.height == sum(len(run.series(name)) for name in run.series_names)
    window = table.filter(series="bulk.cwnd")
    assert window["value"].to_list() == run.series("bulk.cwnd").values.tolist()
    assert window["unit"].unique().to_list() == ["byte"]
    assert window["mean"].null_count() == window.height


def test_means_of_a_thinned_series_are_a_column() -> None:
    on_change = {"interval": "change", "limit": 100}
    run = cellway.run(Scenario.parse(SMALL).with_set("observe", on_change))
    name = next(iter(run.thinned))
    table = run.to_polars().filter(series=name)
    means = run.series(name).means
    assert means is not None
    np.testing.assert_array_equal(table["mean"].to_numpy(), means)
    assert table["thinned"].unique().to_list() == [run.thinned[name]]
    np.testing.assert_array_equal(run.to_xarray()[f"{name}.mean"].values, means)


def test_pandas_has_the_values_of_polars(run: Run) -> None:
    table = run.to_pandas()
    np.testing.assert_array_equal(table["value"], run.to_polars()["value"])
    assert table.groupby("series").size()["bulk.cwnd"] == len(run.series("bulk.cwnd"))


def test_xarray_has_units_and_one_axis_for_equal_instants(run: Run) -> None:
    windows = run.only(["bulk.cwnd", "bulk.ssthresh"]).to_xarray()
    assert windows["bulk.cwnd"].dims == ("time",)
    assert windows["bulk.cwnd"].attrs == {"units": "byte", "thinned": 0}
    assert windows["time"].attrs == {"units": "s"}
    assert windows.attrs["seed"] == run.summary["seed"]
    assert windows["bulk.cwnd"].sel(time=0.5) == run.series("bulk.cwnd").values[50]


def test_xarray_has_an_axis_for_each_series_on_change() -> None:
    run = cellway.run(Scenario.parse(SMALL).with_set("observe.interval", "change"))
    several = run.to_xarray()
    assert several["bulk.cwnd"].dims == ("bulk.cwnd.time",)
    assert several.sizes["s.right.queue.time"] == len(run.series("s.right.queue"))


def test_a_run_without_series_gives_empty_tables() -> None:
    run = cellway.run(Scenario.parse(SMALL.partition("[observe]")[0]))
    assert run.to_polars().is_empty()
    assert not run.to_xarray().variables


@pytest.mark.parametrize("package", ["pandas", "xarray"])
def test_an_absent_package_is_named_with_the_way_out(
    run: Run, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CellwayError, match=rf"{package} is not installed; pip install .*Polars"):
        getattr(run, f"to_{package}")()


def test_a_quantity_is_read_from_a_summary(run: Run) -> None:
    found = Quantity("flows.bulk.timeouts").of(run.summary)
    assert found == run.flows["bulk"]["timeouts"]


def test_a_whole_section_is_set_at_once() -> None:
    linux = Scenario.parse(SMALL).with_set("flow.bulk.tcp", {"preset": "linux"})
    with_text = Scenario.parse(SMALL.replace('{ window = "128 KiB" }', '{ preset = "linux" }'))
    assert linux == with_text

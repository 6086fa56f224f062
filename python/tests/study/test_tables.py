"""Tables of runs, as Polars, pandas, CSV and Parquet, and what other programs make of the files."""

import csv
import errno
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from cellway.errors import CellwayError
from cellway.runs.tables import to_pandas
from cellway.study import tables
from cellway.study.store import Store
from study.runs import VERSION, key, record, series

FACTORS = ("window", "hosts", "loss", "pacing", "mixed")
RESPONSES = ("throughput", "rtt")
RECORDS = [
    record(
        1,
        parameters=dict(zip(FACTORS, ("64 KiB", 3, 1, True, 1), strict=True)),
        metrics={"throughput": 0.1 + 0.2, "rtt": 1e-9},
    ),
    record(
        2,
        parameters=dict(zip(FACTORS, ('a "b", µ', 10, 0.1, False, "one"), strict=True)),
        metrics={"throughput": 1e308, "rtt": None},
        warnings=(),
        replication=2,
    ),
    record(
        3,
        parameters=dict(zip(FACTORS, ("64 KiB", 3, 0.0, True, [1, 2.5]), strict=True)),
        metrics={},
        status="failed",
        summary="",
    ),
]
"""Two that were done and one that failed, which has no metrics."""


@pytest.fixture
def frame() -> pl.DataFrame:
    return tables.to_polars(RECORDS, FACTORS, RESPONSES)


def test_columns_and_their_types(frame: pl.DataFrame) -> None:
    text, whole, number = pl.String, pl.Int64, pl.Float64
    factors = [text, whole, number, text, text]
    assert frame.dtypes[:9] == [*factors, whole, whole, number, number]
    assert frame.dtypes[9:] == [text, number, number, *[text] * 5]
    assert list(frame.columns) == [*FACTORS, "replication", "seed", *RESPONSES, *tables.RUN_COLUMNS]


def test_values(frame: pl.DataFrame) -> None:
    assert frame["key"].to_list() == [key(1), key(2), key(3)]
    assert frame["loss"].to_list() == [1.0, 0.1, 0.0]
    assert frame["pacing"].to_list() == ["true", "false", "true"]
    assert frame["mixed"].to_list() == ["1", "one", "[1, 2.5]"]
    assert frame["throughput"].to_list() == [0.1 + 0.2, 1e308, None]
    assert frame["rtt"].to_list() == [1e-9, None, None]
    assert frame["seed"].to_list() == [2**63 - 1] * 3
    assert frame["warnings"].to_list() == ['first; the "second"', "", 'first; the "second"']


def test_a_table_of_no_runs_has_its_columns() -> None:
    frame = tables.to_polars([], FACTORS, RESPONSES)
    assert frame.shape == (0, len(FACTORS) + len(RESPONSES) + 10)
    assert frame.schema["rtt"] == pl.Float64


@pytest.mark.parametrize(
    ("factors", "responses"), [(["seed"], []), ([], ["key"]), (["x"], ["x"]), (["x", "x"], [])]
)
def test_two_columns_of_one_name_are_our_own_bug(factors: list[str], responses: list[str]) -> None:
    with pytest.raises(AssertionError):
        tables.to_polars(RECORDS, factors, responses)


def test_pandas_has_the_same_values(frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    # Users have pandas without PyArrow, too.
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    made = to_pandas(frame)
    assert list(made.columns) == frame.columns
    assert made["hosts"].dtype == "int64"
    assert made["throughput"].tolist()[:2] == [0.1 + 0.2, 1e308]
    assert made["rtt"].isna().tolist() == [False, True, True]
    assert made["window"].tolist() == ["64 KiB", 'a "b", µ', "64 KiB"]


def test_without_pandas_the_way_out_is_named(
    frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    said = "pandas is not installed; pip install pandas, or use the Polars"
    with pytest.raises(CellwayError, match=said):
        to_pandas(frame)


def test_csv_keeps_every_float(frame: pl.DataFrame, tmp_path: Path) -> None:
    tables.to_csv(frame, tmp_path / "runs.csv")
    with (tmp_path / "runs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["window"] for row in rows] == ["64 KiB", 'a "b", µ', "64 KiB"]
    for name in ("throughput", "rtt", "loss", "cpu_seconds"):
        assert [float(row[name]) if row[name] else None for row in rows] == frame[name].to_list()


@pytest.mark.parametrize("write", [tables.to_csv, tables.to_parquet])
def test_a_table_that_cannot_be_written_leaves_the_old_one(
    frame: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[..., None]
) -> None:
    old = tmp_path / "runs"
    old.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        write(frame, old)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("runs", b"old")]


def by_duckdb(path: Path) -> list[tuple[Any, ...]]:
    # Nothing may be fetched: Parquet has to be part of DuckDB itself.
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with duckdb.connect(config=offline) as database:
        built_in = database.execute(
            "SELECT install_mode FROM duckdb_extensions() WHERE extension_name = 'parquet' AND "
            "loaded"
        ).fetchall()
        assert built_in == [("STATICALLY_LINKED",)]
        return database.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchall()


def by_polars(path: Path) -> list[tuple[Any, ...]]:
    return pl.read_parquet(path).rows()


READERS = pytest.mark.parametrize("reader", [by_duckdb, by_polars])


@READERS
def test_runs_are_read_by(
    frame: pl.DataFrame, tmp_path: Path, reader: Callable[[Path], list[tuple[Any, ...]]]
) -> None:
    tables.to_parquet(frame, tmp_path / "runs.parquet")
    assert reader(tmp_path / "runs.parquet") == frame.rows()


@READERS
def test_series_are_read_by(
    tmp_path: Path, reader: Callable[[Path], list[tuple[Any, ...]]]
) -> None:
    recorded = [series("s.right.queue", 30), series("bulk.cwnd", 20, "byte")]
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(), recorded)
    assert reader(tmp_path / "series" / f"{key(1)}.parquet") == [
        (one.name, one.unit, time, value, None, 0)
        for one in recorded
        for time, value in zip(one.time.tolist(), one.value.tolist(), strict=True)
    ]

"""The store of a study: what goes in comes out, and only one process writes."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from cellway import Series
from cellway.errors import StoreError
from cellway.study.store import Store
from study.runs import VERSION, key, record, series, stored


def committed(folder: Path) -> int:
    """Rows that another process would see."""
    with closing(sqlite3.connect(folder / "runs.sqlite")) as database:
        ((count,),) = database.execute("SELECT count(*) FROM runs").fetchall()
    return int(count)


def test_a_run_comes_back_as_it_went_in(tmp_path: Path) -> None:
    done = record(1)
    failed = record(2, status="failed", metrics={}, summary="", warnings=())
    with Store.open(tmp_path, VERSION) as store:
        store.add(done)
        store.add(failed)
    with Store.open(tmp_path, VERSION) as store:
        assert store.get(key(1)) == done
        assert store.get(key(2)) == failed
        assert store.get(key(3)) is None
        assert store.keys() == {key(1)}
        assert store.keys("failed") == {key(2)}


def test_runs_are_read_in_the_order_of_the_plan(tmp_path: Path) -> None:
    with Store.open(tmp_path, VERSION) as store:
        for number in (1, 2, 3):
            store.add(record(number))
        plan = [key(3), key(9), key(1), key(2)]
        assert [found.key for found in store.records(plan)] == [key(3), key(1), key(2)]


def test_series_come_back_bit_by_bit(tmp_path: Path) -> None:
    # −0, the smallest subnormal, infinity and a NaN with a payload: what comparing as numbers would
    # miss.
    odd = np.array([-0.0, 5e-324, np.inf, np.nan, 0.1 + 0.2])
    odd[3:4].view(np.uint64)[0] |= 0x1234
    recorded = [
        series("s.right.queue", 1000),
        Series("bulk.cwnd", "byte", np.arange(5.0), odd),
        Series("bulk.rtt", "second", np.empty(0), np.empty(0)),
        series("an2.left.queue", 3, "packet"),
    ]
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(), recorded)
        found = store.series(key(1))
    assert list(found) == [one.name for one in recorded]
    for one in recorded:
        again = found[one.name]
        assert (again.name, again.unit) == (one.name, one.unit)
        assert again.time.tobytes() == one.time.tobytes()
        assert again.value.tobytes() == one.value.tobytes()
        for array in (again.time, again.value):
            assert array.dtype == np.float64
            assert not array.flags.writeable


def test_a_run_without_series_has_none_and_an_unknown_run_is_a_key_error(tmp_path: Path) -> None:
    with Store.open(tmp_path, VERSION) as store:
        store.add(record())
        assert store.series(key(1)) == {}
        with pytest.raises(KeyError):
            store.series(key(2))
        with pytest.raises(KeyError):
            store.set_metrics(key(2), {}, ())


def test_json_has_sorted_keys_and_never_nan(tmp_path: Path) -> None:
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(parameters={"b": 1, "a": [True, "x"]}))
        for bad in (float("nan"), float("inf")):
            with pytest.raises(ValueError, match="not JSON compliant"):
                store.add(record(2, metrics={"rtt": bad}), [series()])
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as database:
        rows = database.execute("SELECT parameters, metrics, warnings FROM runs").fetchall()
    assert rows == [
        (
            '{"a": [true, "x"], "b": 1}',
            '{"cells": 9007199254740993, "rtt": null, "throughput": 0.30000000000000004}',
            json.dumps(["first", 'the "second"']),
        )
    ]
    assert not (tmp_path / "series").exists()


def test_metrics_and_warnings_are_replaced_and_nothing_else(tmp_path: Path) -> None:
    with Store.open(tmp_path, VERSION) as store:
        store.add(record())
        store.set_metrics(key(1), {"goodput": 2.5, "rtt": None}, ["no rtt"])
        assert committed(tmp_path) == 1
        found = store.get(key(1))
    assert found == record(metrics={"goodput": 2.5, "rtt": None}, warnings=("no rtt",))


def test_commits_are_grouped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("cellway.study.store.time.monotonic", lambda: now)
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(1))
        now = 100.19
        store.add(record(2))
        assert committed(tmp_path) == 0
        now = 100.2
        store.add(record(3))
        assert committed(tmp_path) == 3
        now = 100.39
        store.add(record(4))
        assert committed(tmp_path) == 3
        store.commit()
        assert committed(tmp_path) == 4
        store.add(record(5))
    assert committed(tmp_path) == 5


def test_no_transaction_stays_open(tmp_path: Path) -> None:
    with Store.open(tmp_path, VERSION) as store:
        for number in (1, 2):
            store.add(record(number))
        reading = store.records([key(1), key(2)])
        next(reading)
        with closing(sqlite3.connect(tmp_path / "runs.sqlite", timeout=0)) as other:
            # First column: 1 when a reader or writer was in the way.
            ((blocked, _, _),) = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        assert blocked == 0
        assert len(list(reading)) == 1


def test_a_failed_run_done_again_takes_its_place(tmp_path: Path) -> None:
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(status="failed", metrics={}, summary=""))
        store.add(record(), [series()])
        assert store.keys("failed") == set()
        assert store.get(key(1)) == record()
        assert list(store.series(key(1))) == ["s.right.queue"]


@pytest.mark.parametrize("committed_between", [True, False])
def test_series_go_with_the_run_that_had_them(tmp_path: Path, committed_between: bool) -> None:
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(), [series()])
        if committed_between:
            store.commit()
        store.add(record())
        store.commit()
        assert store.series(key(1)) == {}
        assert list((tmp_path / "series").iterdir()) == []
        store.add(record())
        store.add(record(), [series()])
        store.commit()
        assert len(store.series(key(1))["s.right.queue"]) == 1000


def test_leftovers_are_removed_when_the_store_is_opened(tmp_path: Path) -> None:
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(1), [series()])
        store.add(record(2))
    of_series = tmp_path / "series"
    kept = of_series / f"{key(1)}.parquet"
    leftovers = [of_series / f"{key(number)}.parquet" for number in (2, 3)]
    leftovers.append(of_series / f".{key(3)}.parquet.x1.partial")
    leftovers.append(tmp_path / ".runs.parquet.x2.partial")
    others = [tmp_path / name for name in ("study.toml", "runs.parquet", ".mine.partial")]
    mine = ("notes.txt", ".mine.parquet.x3.partial", "mine.parquet", "1996-10-01.parquet")
    others += [of_series / name for name in mine]
    for file in leftovers + others:
        file.write_bytes(b"x")
    with Store.open(tmp_path, VERSION) as store:
        assert not any(file.exists() for file in leftovers)
        assert all(file.exists() for file in [kept, *others])
        assert len(store.series(key(1))["s.right.queue"]) == 1000


@pytest.mark.parametrize("content", [None, b"not Parquet"])
def test_series_that_were_lost_are_named(tmp_path: Path, content: bytes | None) -> None:
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(), [series()])
        file = tmp_path / "series" / f"{key(1)}.parquet"
        if content is None:
            file.unlink()
        else:
            file.write_bytes(content)
        said = f"{key(1)}.parquet: (cannot be read: No such|damaged)"
        with pytest.raises(StoreError, match=said):
            store.series(key(1))


def test_another_model_version_is_refused(tmp_path: Path) -> None:
    stored(tmp_path, 1, 2)
    leftover = tmp_path / "series" / f"{key(3)}.parquet"
    leftover.touch()
    with pytest.raises(StoreError) as refused:
        Store.open(tmp_path, "0.5.0")
    assert str(refused.value) == (
        f"{tmp_path}: holds runs of another model (2 of 0.4.0), to which none of this one, 0.5.0, "
        "are added; choose another folder with --out for new runs"
    )
    assert leftover.exists()
    with Store.open(tmp_path, VERSION) as store:
        assert len(store.keys()) == 2


def test_a_version_without_runs_hinders_nobody(tmp_path: Path) -> None:
    Store.open(tmp_path, VERSION).close()
    Store.open(tmp_path, "0.5.0").close()


def test_a_file_that_is_not_sqlite_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    file.write_bytes(b"A shopping list. " * 1000)
    refusal = r"runs\.sqlite: not a file of runs that cellway wrote; move it away"
    with pytest.raises(StoreError, match=refusal):
        Store.open(tmp_path, VERSION)
    with pytest.raises(StoreError, match=refusal):
        Store.read(tmp_path)
    assert file.read_bytes() == b"A shopping list. " * 1000


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE runs (distance REAL)")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="not a file of runs that cellway wrote"):
        Store.open(tmp_path, VERSION)
    assert file.read_bytes() == before


def test_another_format_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path, VERSION).close()
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as database:
        database.execute("PRAGMA user_version=7")
    said = "format 7, but this cellway reads format 3; use the cellway that"
    with pytest.raises(StoreError, match=said):
        Store.open(tmp_path, VERSION)


SECOND = """
import sys
from pathlib import Path
from cellway.errors import StoreError
from cellway.study.store import Store
try:
    Store.open(Path(sys.argv[1]), sys.argv[2]).close()
except StoreError as refused:
    print(refused)
"""


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    def second() -> str:
        command = [sys.executable, "-c", SECOND, str(tmp_path), VERSION]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    with Store.open(tmp_path, VERSION):
        assert second() == (
            f"{tmp_path}: another process is writing this study; wait for it or stop it, "
            "or choose another folder with --out\n"
        )
    assert second() == ""


def test_reading_continues_while_another_writes(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no study has stored runs here"):
        Store.read(tmp_path)
    with Store.open(tmp_path, VERSION) as writer:
        with Store.read(tmp_path) as reader:
            writer.add(record(), [series()])
            assert reader.keys() == set()
            writer.commit()
            assert reader.keys() == {key(1)}
            assert len(reader.series(key(1))["s.right.queue"]) == 1000
        writer.add(record(2))
    with Store.read(tmp_path) as reader:
        assert len(reader.keys()) == 2


def test_nothing_is_left_beside_the_runs(tmp_path: Path) -> None:
    with Store.open(tmp_path / "deep" / "study", VERSION) as store:
        store.add(record(1))
        store.add(record(2), [series()])
    names = sorted(file.name for file in (tmp_path / "deep" / "study").iterdir())
    assert names == ["runs.sqlite", "series"]

"""A study that is killed at any moment, `kill -9`: every row that is there has its series."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from cellway.study.store import Store
from common import ROOT
from study.runs import VERSION, key, record, series

WRITER = """
import sys
from pathlib import Path
sys.path.append(sys.argv[4])
from cellway.study import store as store_module
from study.runs import VERSION, record, series

folder, first, store_module.COMMIT_AFTER = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
store = store_module.Store.open(folder, VERSION)
print("open", flush=True)
for number in range(first, 1_000_000):
    store.add(record(number), [series(points=1 + 37 * (number % 50))] if number % 4 else [])
    # A run that had series is done again without, and the other way round.
    if number % 5 == 3:
        store.add(record(number - 2), [] if number % 2 else [series("again", 10)])
"""
TESTS = str(ROOT / "python" / "tests")


def rows(folder: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(folder / "runs.sqlite")) as database:
        return database.execute("SELECT key, series FROM runs ORDER BY rowid").fetchall()


@pytest.mark.parametrize("commit_after", [0.0, 0.02])
def test_every_row_has_its_series_after_kill_9(tmp_path: Path, commit_after: float) -> None:
    draw = random.Random(9)
    before = 0
    for kill in range(1, 7):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(before), str(commit_after), TESTS]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            time.sleep(draw.uniform(0.0, 0.5))
            writer.send_signal(signal.SIGKILL)
        assert writer.returncode == -signal.SIGKILL
        found = rows(tmp_path)
        with Store.open(tmp_path, VERSION) as store:
            assert store.keys() == {name for name, _ in found}
            for name, units in found:
                assert bool(store.series(name)) == (units != "{}")
                assert all(len(one) > 0 for one in store.series(name).values()), units
        named = {f"{name}.parquet" for name, units in found if units != "{}"}
        assert {file.name for file in (tmp_path / "series").glob("*")} == named
        # Commits keep the order of `add`: a beginning is there, but for one run per kill that was done again.
        numbers = {key(number): number for number in range(len(found) + kill)}
        there = {numbers[name] for name, _ in found}
        assert len(set(range(max(there, default=-1) + 1)) - there) <= kill
        assert max(there, default=-1) + 1 >= before
        before = max(there, default=-1) + 1
    assert before > 0


# A run with series is done again without, and another is added; the process ends at the moment asked for.
ENDING = """
import os, signal, sys
from contextlib import contextmanager
from pathlib import Path
sys.path.append(sys.argv[3])
from cellway.study import store as store_module
from study.runs import VERSION, record, series

def end_at(moment):
    if moment == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

def write_series(*arguments, write=store_module.write_series):
    write(*arguments)
    end_at("before the row")

@contextmanager
def transaction(database, begin=store_module.transaction):
    end_at("before the transaction")
    with begin(database):
        yield
        end_at("before the end of the transaction")
    end_at("after the transaction")

store = store_module.Store.open(Path(sys.argv[1]), VERSION)
store_module.COMMIT_AFTER = 1e9
store.add(record(1), [series()])
store.commit()
store_module.write_series, store_module.transaction = write_series, transaction
store.add(record(1))
store.add(record(2), [series()])
store.commit()
"""


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("before the row", {1: 1}),
        ("before the transaction", {1: 1}),
        ("before the end of the transaction", {1: 1}),
        ("after the transaction", {1: 0, 2: 1}),
    ],
)
def test_killed_at_the_worst_moments(tmp_path: Path, moment: str, expected: dict[int, int]) -> None:
    command = [sys.executable, "-c", ENDING, str(tmp_path), moment, TESTS]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    with Store.open(tmp_path, VERSION) as store:
        assert store.keys() == {key(number) for number in expected}
        for number, count in expected.items():
            assert [len(one) for one in store.series(key(number)).values()] == [1000] * count
    kept = {file.name for file in (tmp_path / "series").iterdir()}
    assert kept == {f"{key(number)}.parquet" for number, count in expected.items() if count}


def test_killed_while_the_tables_are_made(tmp_path: Path) -> None:
    # SQLite has made the file, and the process ended before the first transaction.
    (tmp_path / "runs.sqlite").touch()
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(), [series()])
    with Store.open(tmp_path, VERSION) as store:
        assert store.keys() == {key(1)}

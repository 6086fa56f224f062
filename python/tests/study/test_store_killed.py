"""A study that is killed at any moment, `kill -9`: every row that is there has its series."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cellway.study.record import Record
from cellway.study.store import Store
from common import ROOT
from study.runs import VERSION, key, record, series

WRITER = """
import sys
from pathlib import Path

import polars  # On a busy machine that takes longer than the moments below.

sys.path.append(sys.argv[4])
from cellway.study import store as store_module
from study.runs import VERSION, record, series

folder, first, store_module.COMMIT_AFTER = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
store = store_module.Store.open(folder, VERSION)
print("open", flush=True)
for number in range(first, 1_000_000):
    store.add(record(number, seed=number), [series(points=1 + number % 50)] if number % 4 else [])
    # Every fifth is done again, by turns without series and with others.
    if number % 5 == 3:
        again = [] if number % 2 else [series("again", 100)]
        store.add(record(number - 2, seed=number - 2, host="again"), again)
"""

TESTS = str(ROOT / "python" / "tests")


def recorded_by(run: Record) -> dict[str, int]:
    """Points of each series that the writer gave to this run."""
    if run.host == "again":
        return {} if run.seed % 2 else {"again": 100}
    return {"s.right.queue": 1 + run.seed % 50} if run.seed % 4 else {}


@pytest.mark.parametrize("commit_after", [0.0, 0.02])
def test_every_row_has_its_series_after_kill_9(tmp_path: Path, commit_after: float) -> None:
    draw = random.Random(9)
    following = 0
    lasting: set[int] = set()
    # A busy machine may need more than these six to write anything at all.
    for attempt in range(60):
        if attempt >= 6 and following > 0:
            break
        command = [
            sys.executable,
            "-c",
            WRITER,
            str(tmp_path),
            str(following),
            str(commit_after),
            TESTS,
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            time.sleep(draw.uniform(0.0, 0.5))
            writer.send_signal(signal.SIGKILL)
        assert writer.returncode == -signal.SIGKILL
        with Store.open(tmp_path, VERSION) as store:
            runs = list(store.records(sorted(store.keys())))
            for run in runs:
                assert {
                    one.name: len(one) for one in store.series(run.key).values()
                } == recorded_by(run)
        files = {file.name for file in (tmp_path / "series").glob("*")}
        assert files == {f"{run.key}.parquet" for run in runs if recorded_by(run)}
        # Commits keep the order of `add`: nothing is missing but what was being done again.
        numbers = {run.seed for run in runs}
        assert all(number % 5 == 1 for number in {*range(max(numbers, default=0))} - numbers)
        assert lasting <= numbers
        lasting = {number for number in numbers if number % 5 != 1}
        following = max(numbers, default=-1) + 1
    assert following > 0


# Runs with series are done again without and with others; the process ends at the moment asked for.
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

def write_series(path, recorded, replacing, write=store_module.write_series):
    end_at("before the series")
    digest = write(path, recorded, lambda: (replacing(), end_at("between row and series")))
    end_at("before the row")
    return digest

@contextmanager
def transaction(database, begin=store_module.transaction):
    end_at("before the transaction")
    with begin(database):
        yield
        end_at("before the end of the transaction")
    end_at("after the transaction")

store = store_module.Store.open(Path(sys.argv[1]), VERSION)
store_module.COMMIT_AFTER = 1e9
for number in (1, 2):
    store.add(record(number), [series()])
store.commit()
store_module.write_series, store_module.transaction = write_series, transaction
store.add(record(1))
store.add(record(2), [series("again")])
store.add(record(3))
store.commit()
"""


FIRST = {1: ["s.right.queue"], 2: ["s.right.queue"]}
REPLACING = {1: ["s.right.queue"]}


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("before the series", FIRST),
        ("between row and series", REPLACING),
        ("before the row", REPLACING),
        ("before the transaction", REPLACING),
        ("before the end of the transaction", REPLACING),
        ("after the transaction", {1: [], 2: ["again"], 3: []}),
    ],
)
def test_killed_at_the_worst_moments(
    tmp_path: Path, moment: str, expected: dict[int, list[str]]
) -> None:
    command = [sys.executable, "-c", ENDING, str(tmp_path), moment, TESTS]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    with Store.open(tmp_path, VERSION) as store:
        assert store.keys() == {key(number) for number in expected}
        for number, names in expected.items():
            assert [(one.name, len(one)) for one in store.series(key(number)).values()] == [
                (name, 1000) for name in names
            ]
    kept = {file.name for file in (tmp_path / "series").iterdir()}
    assert kept == {f"{key(number)}.parquet" for number, names in expected.items() if names}


def test_killed_while_the_tables_are_made(tmp_path: Path) -> None:
    # SQLite has made the file, and the process ended before the first transaction.
    (tmp_path / "runs.sqlite").touch()
    with Store.open(tmp_path, VERSION) as store:
        store.add(record(), [series()])
    with Store.open(tmp_path, VERSION) as store:
        assert store.keys() == {key(1)}

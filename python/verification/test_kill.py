"""A study that is killed again and again ends as one that nobody disturbed."""

import multiprocessing
import random
import shutil
import sqlite3
import time
from contextlib import closing
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import polars as pl
import pytest

from cellway.runs.models import MODEL_VERSION
from cellway.study import load_study
from cellway.study.record import Record
from cellway.study.store import Store
from common import SMALL
from killed_study import command

KILLS = 50
RUNS = 200
STUDY = """\
[study]
scenario = "small.toml"
replications = 50
series = "all"

[set]
"run.duration" = "8 s"
"flow.bulk.service.ubr.pace" = "90 Mbit/s of payload"

[factor.window]
key = "flow.bulk.tcp.window"
levels = ["32 KiB", "64 KiB"]
[factor.delay]
keys = ["link.left.delay", "link.right.delay"]
levels = ["2 ms", "5 ms"]

[response.throughput]
quantity = "flows.*.throughput_bits_per_second"
reduce = "sum"
unit = "Mbit/s"
[response.queue]
series = "s.right.queue"
reduce = "max"
unit = "cell"
"""
"""Some 50 ms of work a run: two workers do a handful between two kills."""


PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["cellway.cli.arguments", "cellway.cli.studies"])
"""A study is a fork of a process that has the program loaded: kills hit work, not imports."""


def start(folder: Path, out: Path) -> ForkServerProcess:
    process = PROCESSES.Process(target=command, args=(folder, out))
    process.start()
    return process


def finish(folder: Path, out: Path) -> None:
    process = start(folder, out)
    process.join(300)
    assert process.exitcode == 0, (folder / "said.txt").read_text()


def kill_at_random(folder: Path, out: Path, chance: random.Random, longest: float) -> bool:
    """Kills a study within `longest` seconds of its start; whether it was still at work."""
    process = start(folder, out)
    time.sleep(chance.uniform(0.0, longest))
    alive = process.is_alive()
    process.kill()
    process.join()
    return alive


def seconds_to_first_row(folder: Path, out: Path) -> float:
    """Seconds from a study's start until its first run is stored; the study is then killed."""
    began = time.monotonic()
    process = start(folder, out)
    while rows(out) == 0 and process.is_alive():
        time.sleep(0.005)
    took = time.monotonic() - began
    process.kill()
    process.join()
    shutil.rmtree(out)
    return took


def content(folder: Path, out: Path) -> dict[str, tuple[object, ...]]:
    """What a study is about, without what differs between two machines or moments."""
    study = load_study(folder / "study.toml")
    keys = [
        study.planned(condition, replication).key
        for condition in study.conditions()
        for replication in range(1, 51)
    ]
    with Store.open(out, MODEL_VERSION) as store:
        records = list(store.records(keys))
        assert store.keys() == set(keys)
        return {record.key: (said(record), kept(store, record)) for record in records}


def said(record: Record) -> tuple[object, ...]:
    return (
        record.parameters,
        record.seed,
        record.status,
        record.metrics,
        record.summary,
        record.warnings,
    )


def kept(store: Store, record: Record) -> dict[str, tuple[str, bytes, bytes]]:
    return {
        name: (series.unit, series.time.tobytes(), series.value.tobytes())
        for name, series in store.series(record.key).items()
    }


@pytest.mark.timeout(900)
def test_killed_fifty_times_and_resumed_it_has_the_rows_of_an_undisturbed_study(
    tmp_path: Path,
) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "small.toml").write_text(SMALL)
    finish(tmp_path, tmp_path / "undisturbed")
    undisturbed = content(tmp_path, tmp_path / "undisturbed")
    assert len(undisturbed) == RUNS

    # However fast the machine is: one kill in two meets a study that has started to work.
    longest = 2 * seconds_to_first_row(tmp_path, tmp_path / "first")
    chance = random.Random(1996)
    out, kills, partly = tmp_path / "killed", 0, 0
    while kills < KILLS:
        if kill_at_random(tmp_path, out, chance, longest):
            kills += 1
            partly += 0 < rows(out) < RUNS
        else:
            assert content(tmp_path, out) == undisturbed
            shutil.rmtree(out)
    assert partly > KILLS // 4, "the kills hardly ever met a study at work"
    finish(tmp_path, out)
    assert content(tmp_path, out) == undisturbed
    table = pl.read_parquet(out / "runs.parquet")
    assert len(table) == RUNS
    assert table["key"].n_unique() == RUNS
    assert {file.stem for file in (out / "series").iterdir()} == set(undisturbed)


def rows(out: Path) -> int:
    """How many runs are safe after a kill; none before the store is there."""
    if not (out / "runs.sqlite").exists():
        return 0
    with closing(sqlite3.connect(out / "runs.sqlite")) as connection:
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return connection.execute("SELECT count(*) FROM runs").fetchone()[0] if tables[0] else 0

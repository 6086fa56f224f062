"""Partitions of a large study: the answers of the rows, and never those of a damaged file."""

import random
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from cellway import Scenario, Study, load_results
from cellway.cli.study_results import report
from cellway.runs.quantity import Quantity
from cellway.study import Response, Results, compare, merge
from cellway.study.part import Part
from cellway.study.partitions import sound_partitions
from cellway.study.point_runs import KeptRuns
from common import Command
from study.texts import BESIDE, lasting

WINDOW = "flow.bulk.tcp.window"
THROUGHPUT = Response("throughput", Quantity("flows.*.throughput_bits_per_second", "sum"), "Mbit/s")
QUEUE = Response("queue", Quantity("ports.s.right.max_queue"), "cell")


def study_of(*windows: str, responses: Sequence[Response] = (THROUGHPUT,)) -> Study:
    """Four runs at each window, no two alike."""
    return Study(
        Scenario.parse(lasting("20 ms", BESIDE)),
        {WINDOW: windows or ("16 KiB", "64 KiB")},
        replications=4,
        responses=responses,
        compared=WINDOW,
    )


def partitions(folder: Path) -> list[Path]:
    return sorted((folder / "runs").glob("*"))


def answers(results: Results) -> Any:
    """All that is said of a study."""
    points = range(len(results.conditions))
    names = [response.name for response in results.study.responses]
    return (
        report(results),
        results.as_data(),
        results.to_polars().rows(),
        [list(results.comparisons(name)) for name in names],
        [
            (results.values(name, point), results.deterministic(point))
            for name in names
            for point in points
        ],
        results.models,
        results.warnings,
        results.failed,
        results.marked,
        results.dates,
    )


def by_rows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    """The results without the columns."""
    with monkeypatch.context() as patch:
        patch.setattr("cellway.study.campaign.whole_results", lambda *_: None)
        return load_results(folder)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rows a partition."""
    monkeypatch.setattr("cellway.study.columnar.ROWS", 3)


@pytest.mark.usefixtures("few")
def test_columns_answer_as_rows_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study_of(responses=(THROUGHPUT, QUEUE)).run(tmp_path)
    assert len(partitions(tmp_path)) == 2
    found, expected = load_results(tmp_path), by_rows(tmp_path, monkeypatch)
    assert isinstance(found.runs, KeptRuns)
    assert not isinstance(expected.runs, KeptRuns)
    assert answers(found) == answers(expected)
    records, others = list(found.records), list(expected.records)
    assert [found.records[at].key for at in (0, 5, -1)] == [others[at].key for at in (0, 5, -1)]
    assert records == others


@pytest.mark.usefixtures("few")
def test_two_studies_are_compared_as_by_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    study_of("16 KiB", "64 KiB").run(one)
    study_of("64 KiB", "16 KiB").replaced(seed=3).run(other)
    found = compare(load_results(one), load_results(other))
    expected = compare(by_rows(one, monkeypatch), by_rows(other, monkeypatch))
    assert [one.as_data() for one in found] == [one.as_data() for one in expected]


@pytest.mark.usefixtures("few")
def test_new_runs_are_appended_and_written_partitions_stay(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    before = {file: file.read_bytes() for file in partitions(tmp_path)}
    grown = study_of("16 KiB", "64 KiB", "256 KiB").run(tmp_path, force=True)
    assert grown.complete
    assert {file: file.read_bytes() for file in partitions(tmp_path)}.items() > before.items()
    assert len(partitions(tmp_path)) == 4
    table = pl.concat([pl.read_parquet(file) for file in partitions(tmp_path)])
    assert sorted(table["key"]) == sorted(one.key for one in load_results(tmp_path).records)


@pytest.mark.usefixtures("few")
def test_a_response_of_later_is_answered_by_new_partitions(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    before = partitions(tmp_path)
    found = study_of(responses=(THROUGHPUT, QUEUE)).run(tmp_path, force=True)
    assert None not in found.estimates("queue")
    assert not {*before} & {*partitions(tmp_path)}
    assert isinstance(load_results(tmp_path).runs, KeptRuns)


def test_an_older_folder_gets_partitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = study_of().run(tmp_path)
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as database:
        database.execute("DROP INDEX runs_by_model")
    monkeypatch.setattr("cellway.study.columnar.ROWS", 3)
    assert not isinstance(load_results(tmp_path).runs, KeptRuns)
    study_of().run(tmp_path)
    assert len(partitions(tmp_path)) == 2
    found = load_results(tmp_path)
    assert isinstance(found.runs, KeptRuns)
    assert answers(found) == answers(expected)


@pytest.mark.usefixtures("few")
def test_merged_folders_have_partitions(tmp_path: Path) -> None:
    whole = study_of().run(tmp_path / "whole")
    for number in (1, 2):
        study_of().replaced(part=Part(number, 2)).run(tmp_path / f"part-{number}")
    merge(tmp_path / "joined", [tmp_path / "part-1", tmp_path / "part-2"])
    found = load_results(tmp_path / "joined")
    assert isinstance(found.runs, KeptRuns)
    drop = ("wall_seconds", "cpu_seconds")
    assert found.to_polars().drop(drop).equals(whole.to_polars().drop(drop))


@pytest.mark.usefixtures("few")
def test_a_damaged_partition_is_said_and_written_again(folder: Path, cellway: Command) -> None:
    out = folder / "out"
    expected = answers(study_of().run(out))
    first = partitions(out)[0]
    whole = first.read_bytes()
    chance = random.Random(1998)
    for _ in range(20):
        at = chance.randrange(len(whole))
        flipped = bytes([whole[at] ^ 1 << chance.randrange(8)])
        first.write_bytes(whole[:at] + flipped + whole[at + 1 :])
        found = load_results(out)
        assert found.notes == (
            f"{first}: damaged, not as it was written; its runs are taken from the database",
        )
        assert answers(found) == expected
    compared = cellway("compare", out, out)
    assert f"note: {first.relative_to(folder)}: damaged" in compared.stderr.replace(
        f"{folder}/", ""
    )
    assert "Traceback" not in compared.stderr
    study_of().run(out)
    assert first.read_bytes() == whole
    assert load_results(out).notes == ()


@pytest.mark.usefixtures("few")
def test_a_partition_of_another_study_counts_for_nothing(tmp_path: Path) -> None:
    expected = answers(study_of().run(tmp_path / "one"))
    study_of("8 KiB", "4 KiB").run(tmp_path / "other")
    for file in partitions(tmp_path / "other"):
        shutil.copy(file, tmp_path / "one" / "runs")
    assert answers(load_results(tmp_path / "one")) == expected
    study_of().run(tmp_path / "one")
    for file in sound_partitions(tmp_path / "one")[0]:
        assert pl.read_parquet(file).height == 3
    assert len(partitions(tmp_path / "one")) == 4  # Nothing was written: nothing was renewed.


@pytest.mark.usefixtures("few")
def test_a_row_that_is_gone_from_the_database_is_no_run(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    key = load_results(tmp_path).records[0].key
    with closing(sqlite3.connect(tmp_path / "runs.sqlite", isolation_level=None)) as database:
        database.execute("DELETE FROM runs WHERE key = ?", (key,))
    assert not load_results(tmp_path).complete
    again = study_of().run(tmp_path)
    assert again.complete
    assert len(again.records) == 8
    assert isinstance(load_results(tmp_path).runs, KeptRuns)

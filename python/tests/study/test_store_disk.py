"""Disks that are full or read-only: one clear line, and nothing lost that was committed."""

import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from cellway.errors import StoreError
from cellway.study.store import Store
from disks import SIZE, ReadOnly
from study.runs import VERSION, key, record, series

LONG = '"' + "x" * 20_000 + '"'
"""A summary."""


def fill(store: Store, recorded: int) -> str:
    """Adds runs until the disk is full; what was said then."""
    for number in range(1000):
        try:
            store.add(record(number, summary=LONG), [series(points=recorded)] if recorded else [])
            store.commit()
        except StoreError as full:
            return str(full)
    raise AssertionError("the disk never became full")


def safe_in(message: str, folder: Path) -> int:
    said = re.fullmatch(
        rf"{folder}: the disk is full; (\d+) runs are safe; free some space and start the study "
        rf"again",
        message,
    )
    assert said is not None, message
    return int(said[1])


@pytest.mark.parametrize("points", [0, 2000])
def test_a_full_disk_loses_nothing_that_was_committed(small_disk: Path, points: int) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (SIZE // 3))
    folder = small_disk / "study"
    store = Store.open(folder, VERSION)
    safe = safe_in(fill(store, points), folder)
    assert safe > 0
    # The last run may still be waiting, or find its place now.
    with suppress(StoreError):
        store.close()
    filler.unlink()
    with Store.open(folder, VERSION) as store:
        assert len(store.keys()) in {safe, safe + 1}
        for number in range(safe):
            assert store.get(key(number)) == record(number, summary=LONG)
            assert [len(one) for one in store.series(key(number)).values()] == (
                [points] if points else []
            )
        store.add(record(5000), [series()])
    with Store.open(folder, VERSION) as store:
        assert store.get(key(5000)) == record(5000)


def test_what_waited_for_space_is_committed_when_there_is_some(small_disk: Path) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (SIZE // 3))
    folder = small_disk / "study"
    with Store.open(folder, VERSION) as store:
        safe = safe_in(fill(store, 0), folder)
        filler.unlink()
        store.commit()
        assert store.keys() == {key(number) for number in range(safe + 1)}


def test_a_full_disk_does_not_let_a_store_be_opened_and_leaves_it_whole(small_disk: Path) -> None:
    folder = small_disk / "study"
    with Store.open(folder, VERSION) as store:
        store.add(record(1))
    filler = small_disk / "filler"
    with filler.open("wb") as file, pytest.raises(OSError, match="No space left"):
        file.write(b"x" * 2 * SIZE)
    with pytest.raises(StoreError) as full:
        Store.open(folder, VERSION)
    assert str(full.value) == (
        f"{folder}: the disk is full; runs stored before are safe; free some space and start the "
        "study again"
    )
    with pytest.raises(
        StoreError, match="the disk is full; no runs are stored yet; free some space"
    ):
        Store.open(small_disk / "another", VERSION)
    with Store.read(folder) as store:
        assert store.get(key(1)) == record(1)
    filler.unlink()
    for where, expected in ((folder, {key(1)}), (small_disk / "another", set())):
        with Store.open(where, VERSION) as store:
            assert store.keys() == expected


def test_what_a_kill_left_unfinished_makes_space_to_open(small_disk: Path) -> None:
    folder = small_disk / "study"
    Store.open(folder, VERSION).close()
    with (folder / ".runs.parquet.x1.partial").open("wb") as file, suppress(OSError):
        file.write(b"x" * 2 * SIZE)
    assert shutil.disk_usage(folder).free == 0
    with Store.open(folder, VERSION) as store:
        store.add(record(1))


def test_a_commit_that_failed_for_good_leaves_no_series_without_a_row(small_disk: Path) -> None:
    folder = small_disk / "study"
    store = Store.open(folder, VERSION)
    safe = safe_in(fill(store, 100), folder)
    with (small_disk / "filler").open("wb") as file, suppress(OSError):
        file.write(b"x" * 2 * SIZE)
    with pytest.raises(StoreError, match="the disk is full"):
        store.close()
    with Store.read(folder) as read:
        assert len(read.keys()) == safe
        assert {file.stem for file in (folder / "series").iterdir()} == read.keys()


def test_a_read_only_place_is_refused_and_can_be_read(place: tuple[Path, ReadOnly]) -> None:
    folder, read_only = place
    with Store.open(folder / "old", VERSION) as store:
        store.add(record(), [series()])
    with read_only():
        with pytest.raises(StoreError) as refused:
            Store.open(folder / "new", VERSION)
        assert re.fullmatch(
            rf"{folder}/new: cannot be written: (Read-only file system|Permission denied); "
            "no runs are stored yet; make it writable, or choose another with --out",
            str(refused.value),
        )
        with pytest.raises(
            StoreError, match=f"{folder}/old: cannot be written: .*; runs stored before are safe; "
        ):
            Store.open(folder / "old", VERSION)
        with Store.read(folder / "old") as store:
            assert store.get(key(1)) == record()
            assert len(store.series(key(1))["s.right.queue"]) == 1000
    with Store.open(folder / "old", VERSION) as store:
        assert store.get(key(1)) == record()


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "study").touch()
    with pytest.raises(
        StoreError, match=f"{tmp_path}/study: (File exists|Not a directory); no runs are stored"
    ):
        Store.open(tmp_path / "study", VERSION)

"""Runs saved while the disk fills up, while others save theirs, and until they are killed."""

import time
from pathlib import Path

import pytest

from cellway import Run
from cellway.cli.exits import BadInputError, require_writable
from disks import SIZE, ReadOnly
from interrupted import kill_again_and_again, require_whole, saved_runs, stop, writer


def test_killed_at_any_moment_the_folder_has_one_whole_run(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, 4)


def test_of_four_writers_at_once_the_folder_has_one_whole_run(tmp_path: Path) -> None:
    runs = saved_runs(tmp_path, 4)
    out = Run.load(runs[0]).save(tmp_path / "out")
    writers = [writer(out, [one]) for one in runs]
    end = time.monotonic() + 1.0
    found = {require_whole(out, runs)}
    while time.monotonic() < end:
        found.add(require_whole(out, runs))
    for process in writers:
        stop(process)
    found.add(require_whole(out, runs))
    assert len(found) > 1


def test_a_full_disk_keeps_the_run_that_was_there(small_disk: Path, tmp_path: Path) -> None:
    runs = saved_runs(tmp_path, 2)
    out = Run.load(runs[0]).save(small_disk / "run")
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    filler = small_disk / "filler"
    with filler.open("wb") as file, pytest.raises(OSError, match="No space left"):
        file.write(b"x" * 2 * SIZE)
    with pytest.raises(OSError, match="No space left"):
        Run.load(runs[1]).save(out)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before
    assert require_whole(out, runs) == 1
    filler.unlink()
    Run.load(runs[1]).save(out)
    assert require_whole(out, runs) == 2


def test_a_read_only_folder_is_read_and_not_written(
    place: tuple[Path, ReadOnly], tmp_path: Path
) -> None:
    folder, read_only = place
    runs = saved_runs(tmp_path, 2)
    out = Run.load(runs[0]).save(folder / "run")
    with read_only():
        assert require_whole(out, runs) == 1
        with pytest.raises(OSError, match=r"[Rr]ead-only|[Pp]ermission"):
            Run.load(runs[1]).save(out)
        with pytest.raises(BadInputError, match="cannot be written"):
            require_writable("--out", out)
        assert require_whole(out, runs) == 1

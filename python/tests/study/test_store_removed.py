"""Files removed during or after a study, and a study that can no longer be written."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from cellway import Scenario, StoreError, Study
from cellway.runs.series import Series
from cellway.study.record import Record
from cellway.study.store import Store
from common import Command
from disks import ReadOnly
from study.runs import VERSION, record, series
from study.texts import lasting

SHORT = lasting("20 ms")


@pytest.mark.parametrize("removed", ["runs.sqlite", "."])
def test_rows_do_not_go_into_a_file_that_was_removed(tmp_path: Path, removed: str) -> None:
    folder = tmp_path / "study"
    store = Store.open(folder, VERSION)
    store.add(record(1))
    store.commit()
    gone = folder / removed
    gone.unlink() if gone.is_file() else shutil.rmtree(gone)
    store.add(record(2))
    with pytest.raises(StoreError, match=r"runs\.sqlite: removed or replaced while the study ran"):
        store.commit()
    with pytest.raises(StoreError, match=r"runs\.sqlite: removed or replaced while the study ran"):
        store.close()


def test_a_run_whose_series_were_removed_is_done_again(tmp_path: Path) -> None:
    study = Study(Scenario.parse(SHORT), recorded=None, replications=2)
    study.run(tmp_path)
    before = {file.name: file.read_bytes() for file in (tmp_path / "series").iterdir()}
    shutil.rmtree(tmp_path / "series")
    study.run(tmp_path)
    assert {file.name: file.read_bytes() for file in (tmp_path / "series").iterdir()} == before


def test_a_run_whose_series_were_damaged_is_done_again(folder: Path, cellway: Command) -> None:
    """One flipped bit in each place of a file: Polars reads many of these as other numbers."""
    study = Study(Scenario.parse(SHORT), recorded=None, replications=2)
    study.run(folder / "kept")
    (file, other) = sorted((folder / "kept" / "series").iterdir())
    whole = file.read_bytes()
    with Store.read(folder / "kept") as store:
        for at in range(0, len(whole), 37):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
            assert store.has_lost_series(file.stem)
            with pytest.raises(StoreError, match="damaged, not as it was written; start the study"):
                store.series(file.stem)
        assert not store.has_lost_series(other.stem)
    again = cellway("study", "kept")
    assert again.returncode == 0, again
    assert "repeated: 1 with a damaged or missing row or series" in again.stdout
    assert file.read_bytes() == whole
    assert ": repeated" not in cellway("study", "kept").stdout


def test_series_that_are_removed_while_the_study_runs_are_missed(tmp_path: Path) -> None:
    store = Store.open(tmp_path, VERSION)
    store.add(record(1), [series()])
    store.commit()
    shutil.rmtree(tmp_path / "series")
    with pytest.raises(StoreError, match=r"series: removed or replaced while the study ran"):
        store.add(record(2), [series()])
    store.close()


def test_a_study_whose_series_are_removed_file_by_file_does_not_end_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`rm -r` meets a folder that fills again: 641 of 900 files were left, and all was fine."""
    study = Study(Scenario.parse(SHORT), recorded=None, replications=2)
    add = Store.add

    def removed_after_one(store: Store, run: Record, recorded: Sequence[Series] = ()) -> None:
        add(store, run, recorded)
        for file in sorted((tmp_path / "series").iterdir())[1:]:
            file.unlink()

    monkeypatch.setattr(Store, "add", removed_after_one)
    with pytest.raises(StoreError, match=r"series: series of 1 runs were removed while the study"):
        study.run(tmp_path, workers=1)
    monkeypatch.undo()
    assert study.run(tmp_path).complete
    assert len([*(tmp_path / "series").iterdir()]) == 2


def test_a_finished_study_on_a_read_only_disk_is_shown(
    place: tuple[Path, ReadOnly], folder: Path, cellway: Command
) -> None:
    kept, read_only = place
    (folder / "base.toml").write_text(SHORT)
    (folder / "s.toml").write_text('[study]\nscenario = "base.toml"\n')
    written = cellway("study", "s.toml", "--out", kept / "s")
    with read_only():
        for arguments in ([kept / "s"], ["s.toml", "--out", kept / "s"]):
            shown = cellway("study", *arguments)
            assert (shown.returncode, shown.stderr) == (0, "")
            *said, last = shown.stdout.splitlines()
            assert said == written.stdout.splitlines()[:-1]
            assert last == f"all runs were in {kept / 's'}, which is read-only"
        (folder / "s.toml").write_text(
            '[study]\nname = "s"\nscenario = "base.toml"\nreplications = 2\n'
        )
        assert "cannot be written" in cellway("study", "s.toml", "--out", kept / "s").stderr

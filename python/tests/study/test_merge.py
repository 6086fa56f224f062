"""Parts of a study, and folders of several machines, joined: nothing lost, nothing twice."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

import cellway
from cellway import Study
from cellway.disk.network import is_on_network
from cellway.errors import StoreError
from cellway.statistics import Precision
from cellway.study import Part, merge
from cellway.study.database import FILE
from cellway.study.record import digest_of
from cellway.study.rows import ALL
from cellway.study.store import Store
from common import Command, refused
from started import MAIN, outcome, process_of
from study.test_executors import study_of, tables
from study.texts import BESIDE, lasting


def in_parts(folder: Path, of: int, given: Study | None = None) -> list[Path]:
    """The parts of a study, each run in a folder of its own."""
    given = given or study_of()
    for number in range(1, of + 1):
        results = given.replaced(part=Part(number, of)).run(folder / f"part-{number}")
        assert results.part_done
        assert not results.complete
    return [folder / f"part-{number}" for number in range(1, of + 1)]


def keys(folder: Path) -> set[str]:
    with Store.read(folder) as store:
        return store.keys()


@pytest.mark.parametrize("of", [1, 3, 5])
def test_parts_have_every_run_once_and_the_tables_of_the_whole(of: int, tmp_path: Path) -> None:
    whole = study_of().run(tmp_path / "whole", workers=1)
    parts = in_parts(tmp_path, of)
    found = [keys(part) for part in parts]
    assert sum(map(len, found)) == len(set().union(*found)) == 12
    assert max(map(len, found)) - min(map(len, found)) <= 1
    merged = merge(tmp_path / "joined", parts)
    assert (merged.added, merged.equal, merged.results.complete) == (12, 0, True)
    assert tables(merged.results, tmp_path) == tables(whole, tmp_path)
    assert keys(tmp_path / "joined") == keys(tmp_path / "whole")


def test_a_stopping_rule_deals_out_whole_points(tmp_path: Path) -> None:
    given = study_of(Precision(1e-9, min=2, max=5))
    whole = given.run(tmp_path / "whole")
    merged = merge(tmp_path / "joined", in_parts(tmp_path, 2, given))
    assert tables(merged.results, tmp_path) == tables(whole, tmp_path)


def test_series_come_with_their_runs(tmp_path: Path) -> None:
    merge(tmp_path / "joined", in_parts(tmp_path, 2))
    with Store.read(tmp_path / "joined") as store:
        for key in store.every_key():
            assert store.series(key)
            assert not store.has_lost_series(key)


def test_a_part_is_resumed_from_its_own_folder_and_does_no_other_run(tmp_path: Path) -> None:
    (part,) = in_parts(tmp_path, 3)[:1]
    before = keys(part)
    assert cellway.load_study(part / "study.toml").part == Part(1, 3)
    lost = min(before)
    with sqlite3.connect(part / FILE) as database:
        database.execute("DELETE FROM runs WHERE key = ?", (lost,))
    again = cellway.load_study(part / "study.toml").run(part)
    assert again.part_done
    assert keys(part) == before


def test_a_part_keeps_no_log_that_processes_share(tmp_path: Path) -> None:
    """A write-ahead log is not safe on NFS."""
    (part,) = in_parts(tmp_path, 1)
    with sqlite3.connect(part / FILE) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    merge(tmp_path / "joined", [part])
    assert not list(tmp_path.rglob("*-wal"))


def test_the_same_merge_again_adds_nothing(tmp_path: Path) -> None:
    parts = in_parts(tmp_path, 2)
    first = merge(tmp_path / "joined", parts)
    table = (tmp_path / "joined" / "runs.parquet").read_bytes()
    again = merge(tmp_path / "joined", parts)
    assert (first.added, again.added, again.equal) == (12, 0, 12)
    assert (tmp_path / "joined" / "runs.parquet").read_bytes() == table


def test_parts_come_one_after_the_other(tmp_path: Path) -> None:
    one, two = in_parts(tmp_path, 2)
    first = merge(tmp_path / "joined", [one])
    assert (first.added, first.results.complete) == (6, False)
    assert merge(tmp_path / "joined", [two]).results.complete


def test_two_folders_with_the_same_run_have_it_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        study_of().run(tmp_path / name)
    merged = merge(tmp_path / "joined", [tmp_path / "one", tmp_path / "two"])
    assert (merged.added, merged.equal, len(merged.results.records)) == (12, 12, 12)


def changed(folder: Path, **values: object) -> None:
    """Writes other values into the last row of a store, as if its machine had found them."""
    with sqlite3.connect(folder / FILE) as database:
        row = database.execute(f"SELECT {', '.join(ALL)} FROM runs ORDER BY key").fetchone()
        new = [values.get(name, old) for name, old in zip(ALL, row, strict=True)]
        said = ", ".join(f"{name} = ?" for name in (*ALL, "digest"))
        database.execute(f"UPDATE runs SET {said} WHERE key = ?", (*new, digest_of(new), row[0]))


def metrics_of(folder: Path) -> dict[str, float]:
    with sqlite3.connect(folder / FILE) as database:
        found: dict[str, float] = json.loads(
            database.execute("SELECT metrics FROM runs ORDER BY key").fetchone()[0]
        )
        return found


def test_other_numbers_for_one_run_are_an_error_that_names_both(tmp_path: Path) -> None:
    for name in ("one", "two"):
        study_of().run(tmp_path / name)
    number = {name: value + 1.0 for name, value in metrics_of(tmp_path / "two").items()}
    changed(tmp_path / "two", metrics=json.dumps(number))
    with pytest.raises(StoreError, match="have other numbers for one run, seed") as raised:
        merge(tmp_path / "joined", [tmp_path / "one", tmp_path / "two"])
    assert str(tmp_path / "one") in str(raised.value)
    assert str(tmp_path / "two") in str(raised.value)
    assert not (tmp_path / "joined").exists()


def test_a_run_that_failed_in_one_folder_is_taken_from_the_other(tmp_path: Path) -> None:
    for name in ("one", "two"):
        study_of().run(tmp_path / name)
    changed(tmp_path / "one", status="failed", metrics="{}", summary="")
    merged = merge(tmp_path / "joined", [tmp_path / "one", tmp_path / "two"])
    assert not merged.results.failed
    assert merged.results.complete


def test_a_damaged_run_is_left_out_and_counted(tmp_path: Path) -> None:
    parts = in_parts(tmp_path, 2)
    with sqlite3.connect(parts[0] / FILE) as database:
        database.execute("UPDATE runs SET metrics = '{}' WHERE rowid = 1")
    lost = next((parts[1] / "series").iterdir())
    lost.unlink()
    merged = merge(tmp_path / "joined", parts)
    assert [merged.damaged[part] for part in parts] == [1, 1]
    assert len(merged.results.records) == 10


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (study_of(5), "their study files differ"),
        (study_of(text=lasting("21 ms", BESIDE)), "their scenarios differ"),
        (study_of().replaced(name="another"), "their names, 'study' and 'another', differ"),
    ],
)
def test_folders_of_other_studies_are_refused(other: Study, said: str, tmp_path: Path) -> None:
    study_of().run(tmp_path / "one")
    other.run(tmp_path / "two")
    with pytest.raises(StoreError, match=said):
        merge(tmp_path / "joined", [tmp_path / "one", tmp_path / "two"])
    assert not (tmp_path / "joined").exists()


def test_runs_of_two_models_are_refused(tmp_path: Path) -> None:
    one, two = in_parts(tmp_path, 2)
    changed(two, model_version="3-other")
    with pytest.raises(StoreError, match="runs of one model are expected, nothing was merged"):
        merge(tmp_path / "joined", [one, two])


def test_a_folder_is_not_merged_into_itself(tmp_path: Path) -> None:
    (part,) = in_parts(tmp_path, 1)
    with pytest.raises(StoreError, match="name it once"):
        merge(part, [part])


KILL = """
import os, signal
from cellway.study import rows
write = rows.Rows.write
def killed(self, given):
    def some():
        for number, row in enumerate(given):
            if number == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            yield row
    write(self, some())
rows.Rows.write = killed
"""


def test_a_merge_that_is_killed_leaves_nothing_and_may_be_repeated(tmp_path: Path) -> None:
    parts = in_parts(tmp_path, 2)
    said = outcome(KILL + MAIN, ["merge", "joined", *parts], tmp_path)
    assert said.returncode == -signal.SIGKILL
    assert len(list((tmp_path / "joined" / "series").iterdir())) > 0
    merged = merge(tmp_path / "joined", parts)
    assert (merged.added, merged.results.complete) == (12, True)
    assert len(list((tmp_path / "joined" / "series").iterdir())) == 12


def test_a_part_that_was_killed_in_a_commit_can_be_read(tmp_path: Path) -> None:
    """A rollback journal is undone by who reads next, if the folder can be written."""
    (part,) = in_parts(tmp_path, 1)
    code = (
        "import os, sqlite3, sys\n"
        "one = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "one.execute('PRAGMA cache_spill = 1'); one.execute('PRAGMA cache_size = 1')\n"
        "one.execute('BEGIN IMMEDIATE')\n"
        'one.execute("UPDATE runs SET summary = summary || hex(zeroblob(90000))")\n'
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(part / FILE)], check=True)
    assert (part / f"{FILE}-journal").stat().st_size > 0
    with Store.read(part) as store:
        assert len(list(store.records(store.every_key()))) == 12
        assert not store.damaged


def written(folder: Path) -> None:
    (folder / "small.toml").write_text(lasting("20 ms", BESIDE))
    (folder / "mine.toml").write_text(
        '[study]\nscenario = "small.toml"\nreplications = 2\n'
        '[factor.window]\nkey = "flow.bulk.tcp.window"\nlevels = ["16 KiB", "32 KiB"]\n'
    )


def test_the_commands(folder: Path, cellway: Command) -> None:
    written(folder)
    whole = cellway("study", "mine.toml", "--out", "whole").stdout
    for part in ("1/2", "2/2"):
        said = cellway("study", "mine.toml", "--part", part)
        assert (said.returncode, said.stderr) == (0, "")
        assert f"part {part} of the study; cellway merge joins the folders" in said.stdout
    said = cellway("merge", "joined", "out/mine-part-1-of-2", "out/mine-part-2-of-2")
    assert said.stdout.replace("written to joined: 4 runs added", "written to whole") == whole
    again = cellway("study", "out/mine-part-1-of-2")
    assert (again.returncode, "2 of 4 runs" in again.stdout) == (0, True)
    assert "i from 1 to n" in refused(cellway, "study", "mine.toml", "--part", "3/2")
    assert "holds part 1/2" in refused(cellway, "study", "out/mine-part-1-of-2", "--part", "2/2")
    assert "no such folder" in refused(cellway, "merge", "joined", "nothing")


def test_the_array_job_runs_all_parts_and_the_merge(folder: Path, cellway: Command) -> None:
    written(folder)
    place = folder / "my runs"
    place.mkdir()
    out = place / "it's"
    said = cellway("study", "mine.toml", "--out", out, "--slurm-array", "3", "--set", "run.seed=1")
    assert said.returncode == 2
    duration = "run.duration=30 ms"
    said = cellway("study", "mine.toml", "--out", out, "--slurm-array", "3", "--set", duration)
    assert (said.returncode, said.stderr) == (0, "")
    script = place / "it's.sbatch"
    assert str(script) in said.stdout
    text = script.read_text()
    assert text.startswith("#!/bin/bash\n#SBATCH --job-name=")
    assert "#SBATCH --array=1-3\n" in text
    _run_as_slurm_does(script, folder, [1, 2, 3])
    whole = cellway("study", "mine.toml", "--out", "whole", "--set", duration).stdout
    shown = cellway("study", out).stdout
    assert shown.replace(str(out), "whole") == whole


def _run_as_slurm_does(script: Path, folder: Path, tasks: Sequence[int]) -> None:
    """Every task of the array, then the merge, by a shell with the variables of Slurm."""
    program = folder / "bin" / "cellway"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\n{MAIN}\n")
    program.chmod(0o755)
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    for task in tasks:
        variables = {**env, "SLURM_ARRAY_TASK_ID": str(task), "SLURM_CPUS_PER_TASK": "1"}
        subprocess.run(["bash", script], cwd=folder, env=variables, check=True, capture_output=True)
    subprocess.run(["bash", script, "merge"], cwd=folder, env=env, check=True, capture_output=True)


def test_set_is_kept_in_the_frozen_study_and_names_other_runs(
    folder: Path, cellway: Command
) -> None:
    written(folder)
    cellway("study", "mine.toml", "--out", "one")
    said = cellway("study", "mine.toml", "--out", "two", "--set", "run.duration=40 ms")
    assert said.returncode == 0
    assert '[set]\n"run.duration" = "40 ms"\n' in (folder / "two" / "study.toml").read_text()
    assert not keys(folder / "one") & keys(folder / "two")
    shown = cellway("study", "two")
    assert shown.stdout == said.stdout
    assert "run.duratoin" in refused(
        cellway, "study", "mine.toml", "--out", "three", "--set", "run.duratoin=1 s"
    )
    assert not (folder / "three").exists()
    assert "not KEY=VALUE" in refused(cellway, "study", "mine.toml", "--set", "run.duration")
    over = cellway("study", "mine.toml", "--set", "flow.bulk.tcp.window=48 KiB")
    assert "`flow.bulk.tcp.window` of [set] has no effect where factor `window`" in over.stdout


def test_a_network_file_system_is_found_by_its_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    place = str(tmp_path.resolve()).replace(" ", "\\040")
    mounts.write_text(
        "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        f"21 20 0:40 / {place} rw,relatime shared:1 - nfs4 server:/home rw\n"
        f"22 21 8:2 / {place}/near rw - xfs /dev/sdb1 rw\n"
    )
    (tmp_path / "near").mkdir()
    assert is_on_network(tmp_path, mounts)
    assert not is_on_network(tmp_path / "near", mounts)
    assert not is_on_network(tmp_path.parent, mounts)
    assert not is_on_network(tmp_path, tmp_path / "missing")


def test_a_part_that_is_killed_goes_on_and_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(lasting("2 s", BESIDE))
    (tmp_path / "mine.toml").write_text(
        '[study]\nscenario = "small.toml"\nreplications = 60\n'
        '[factor.window]\nkey = "flow.bulk.tcp.window"\nlevels = ["16 KiB", "32 KiB"]\n'
    )
    words = ["study", "mine.toml", "--workers", "1", "--part"]
    killed = process_of(MAIN, [*words, "1/2", "--out", "one"], tmp_path)
    database = tmp_path / "one" / FILE
    while not (database.exists() and _count(database)):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    kept = _count(database)
    assert 0 < kept < 60
    for part, folder in (("1/2", "one"), ("2/2", "two")):
        assert outcome(MAIN, [*words, part, "--out", folder], tmp_path).returncode == 0
    merged = merge(tmp_path / "joined", [tmp_path / "one", tmp_path / "two"])
    assert (merged.added, merged.equal, merged.results.complete) == (120, 0, True)
    whole = cellway.load_study(tmp_path / "mine.toml").run(tmp_path / "whole")
    assert tables(merged.results, tmp_path) == tables(whole, tmp_path)


def _count(database: Path) -> int:
    """Runs in a database, as its writer has committed them."""
    with closing(sqlite3.connect(database)) as reader:
        try:
            ((count,),) = reader.execute("SELECT count(*) FROM runs").fetchall()
        except sqlite3.OperationalError:  # The table is not there yet, or is being written.
            return 0
        return int(count)


def test_a_merge_goes_into_the_folder_of_a_plain_study(folder: Path, cellway: Command) -> None:
    """Its write-ahead log becomes a rollback journal, which SQLite refuses beside a reader."""
    written(folder)
    shown = cellway("study", "mine.toml").stdout
    for part in ("1/2", "2/2"):
        cellway("study", "mine.toml", "--part", part)
    said = cellway("merge", "out/mine", "out/mine-part-1-of-2", "out/mine-part-2-of-2")
    assert (said.returncode, said.stderr) == (0, "")
    counted = "out/mine: 0 runs added; 4 runs were in several folders"
    assert said.stdout == shown.replace("out/mine", counted)
    with sqlite3.connect(folder / "out" / "mine" / FILE) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_another_study_of_the_same_name_is_not_merged_over(tmp_path: Path) -> None:
    study_of(5).run(tmp_path / "joined")
    before = (tmp_path / "joined" / "study.toml").read_bytes()
    with pytest.raises(StoreError, match=r"another study than .*joined: their study files differ"):
        merge(tmp_path / "joined", in_parts(tmp_path, 2))
    assert (tmp_path / "joined" / "study.toml").read_bytes() == before
    assert len(keys(tmp_path / "joined")) == 15


def test_an_array_job_makes_the_folder_of_its_script(folder: Path, cellway: Command) -> None:
    written(folder)
    said = cellway("study", "mine.toml", "--slurm-array", "3")
    assert (said.returncode, said.stderr) == (0, "")
    assert [file.name for file in (folder / "out").iterdir()] == ["mine.sbatch"]
    both = ("--slurm-array", "3", "--part", "1/3")
    assert "expected without --part" in refused(cellway, "study", "mine.toml", *both)

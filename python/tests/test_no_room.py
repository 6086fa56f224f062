"""Disks that are full or read-only, under every command that writes: one line, and all as before.

A limit on the size of files stands for a full disk where mounting takes rights that tests lack.
"""

import re
import shutil
from pathlib import Path

import pytest

from common import ROOT, SMALL, Command, Result, content, text_of
from disks import SIZE, ReadOnly
from started import Starter

SHORT = SMALL.replace('duration = "1 s"', 'duration = "100 ms"')
OTHER = SHORT.replace("128 KiB", "64 KiB")
TEXTS = {"small.toml": SHORT, "other.toml": OTHER, "means.toml": text_of("means.toml")}
RATES = ["--link", "bottleneck", "--to"]
WRITERS = {
    "run": ["run", "{work}/other.toml", "--out", "{disk}/run"],
    "pcap": ["run", "{work}/other.toml", "--pcap", "{disk}/packets.pcapng"],
    "study": ["study", "{work}/means.toml", "--out", "{disk}/study"],
    "csv": ["study", "{work}/means.toml", "--out", "{work}/kept", "--csv", "{disk}/runs.csv"],
    "plot": ["plot", "{work}/other.toml", "--out", "{disk}/figure.svg"],
    "reproduce": ["reproduce", "magic-1997", "S4-T2-R2", "--quick", "--markdown", "{disk}/page.md"],
    "store": ["reproduce", "magic-1997", "S4-T2-R2", "--quick", "--store", "{disk}/store"],
    "init": ["init", "rate-mismatch", "--out", "{disk}"],
    "capacity": ["capacity", "{work}/varying.toml", *RATES, "{disk}/line.csv"],
}
FEW = 2 << 10
"""Bytes of a file that holds the words of a command, and none of what the commands above write."""
LIMIT = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0})); "
    "from cellway.cli import main; main()"
)


@pytest.fixture
def work(folder: Path) -> Path:
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    shutil.copy(ROOT / "scenarios/varying-capacity.toml", folder / "varying.toml")
    return folder


def words(name: str, work: Path, disk: Path) -> list[str]:
    return [word.format(work=work, disk=disk) for word in WRITERS[name]]


def beside_runs(disk: Path) -> dict[str, bytes]:
    """All files but those of SQLite, which has room of its own beside the runs."""
    return {name: text for name, text in content(disk).items() if "sqlite" not in name}


def refused(result: Result) -> None:
    assert result.returncode == 2, result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    reason = "no space left|disk is full|file too large|disk i/o error|cannot be written"
    assert re.search(reason, result.stderr.lower()), result.stderr


@pytest.fixture(scope="module")
def earlier(starter: Starter, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, a figure and a file of the user's own."""
    folder = tmp_path_factory.mktemp("earlier")
    (folder / "mine.txt").write_text("mine")
    (folder.parent / "small.toml").write_text(SHORT)
    for arguments in (["run"], ["plot"]):
        out = folder / ("run" if arguments == ["run"] else "figure.svg")
        arguments += [str(folder.parent / "small.toml"), "--out", str(out)]
        made = starter.run("from cellway.cli import main; main()", arguments, folder)
        assert made.returncode == 0, made.stderr
    return folder


def written_before(disk: Path, earlier: Path) -> dict[str, bytes]:
    """What is on the disk, files of the user among them."""
    shutil.copytree(earlier, disk, dirs_exist_ok=True)
    return beside_runs(disk)


@pytest.mark.parametrize("name", WRITERS)
def test_a_limit_on_files_leaves_all_as_it_was(
    name: str, work: Path, earlier: Path, starter: Starter, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    before = written_before(disk, earlier)
    result = starter.run(LIMIT.format(FEW), words(name, work, disk), work)
    if name == "init":  # Short enough to be written whole.
        assert (disk / "rate-mismatch.toml").exists() == (result.returncode == 0)
        return
    refused(result)
    after = beside_runs(disk)
    assert {file: after[file] for file in before} == before
    assert not [file for file in after if "partial" in file]


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_all_as_it_was(
    name: str, work: Path, earlier: Path, cellway: Command, small_disk: Path
) -> None:
    before = written_before(small_disk, earlier)
    filler = small_disk / "filler"
    with filler.open("wb") as file, pytest.raises(OSError, match="No space left"):
        file.write(b"x" * 2 * SIZE)
    refused(cellway(*words(name, work, small_disk)))
    filler.unlink()
    after = beside_runs(small_disk)
    assert {file: after[file] for file in before} == before
    assert not [file for file in after if "partial" in file]
    assert cellway(*words(name, work, small_disk)).returncode == 0


@pytest.mark.parametrize("name", WRITERS)
def test_a_read_only_disk_leaves_all_as_it_was(
    name: str, work: Path, earlier: Path, cellway: Command, place: tuple[Path, ReadOnly]
) -> None:
    disk, read_only = place
    before = written_before(disk, earlier)
    with read_only():
        refused(cellway(*words(name, work, disk)))
        assert beside_runs(disk) == before

"""Files that are whole or not there: what killed writers leave, and what others still write."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cellway.disk import files
from cellway.disk.files import whole_file

WRITES = """
import os, sys
from pathlib import Path
from cellway.disk import files
if sys.argv[2] == "named":
    files._nameless = lambda folder: None
with files.whole_file(Path(sys.argv[1])) as file:
    file.write(b"half of it")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""
HOW = ["nameless", "named"]
"""Whether a file has no name until it is whole, or one that says that it is not."""


def writing(path: Path, how: str) -> "subprocess.Popen[str]":
    """A process that has written half of `path` and goes on when its stdin is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITES, str(path), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


@pytest.fixture(params=HOW)
def here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of this process are written in each way."""
    if request.param == "named":
        monkeypatch.setattr(files, "_nameless", lambda _: None)


def break_off(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("how", HOW)
def test_what_a_killed_writer_left_goes_with_the_next_one(tmp_path: Path, how: str) -> None:
    """`kill -9` of `plot` left a hidden file each time, for ever."""
    path = tmp_path / "plot.png"
    path.write_bytes(b"before")
    process = writing(path, how)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert path.read_bytes() == b"before"
    left = names(tmp_path)
    assert len(left) == (2 if how == "named" else 1), left
    with whole_file(path) as file:
        file.write(b"after")
    assert path.read_bytes() == b"after"
    assert names(tmp_path) == ["plot.png"]


@pytest.mark.parametrize("how", HOW)
def test_what_another_process_still_writes_stays(tmp_path: Path, how: str) -> None:
    path = tmp_path / "plot.png"
    process = writing(path, how)
    with whole_file(path) as file:
        file.write(b"mine")
    assert path.read_bytes() == b"mine"
    process.communicate()
    assert process.returncode == 0
    assert path.read_bytes() == b"half of it"
    assert names(tmp_path) == ["plot.png"]


@pytest.mark.usefixtures("here")
def test_files_of_other_names_stay(tmp_path: Path) -> None:
    others = [".plot.png.partial", ".plot.svg.abcdefgh.partial", ".plot.png.abcdefgh.partial.txt"]
    for name in others:
        (tmp_path / name).write_text("mine")
    with whole_file(tmp_path / "plot.png") as file:
        file.write(b"ours")
    assert names(tmp_path) == sorted([*others, "plot.png"])


@pytest.mark.usefixtures("here")
def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "plot.png"
    path.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt):
        break_off(path)
    assert path.read_bytes() == b"before"
    assert names(tmp_path) == ["plot.png"]
    free = os.dup(0)
    os.close(free)
    with whole_file(path) as file:
        file.write(b"after")
    again = os.dup(0)
    os.close(again)
    assert again == free, "a file stays open"


@pytest.mark.usefixtures("here")
def test_a_new_file_has_the_permissions_of_any(tmp_path: Path) -> None:
    with whole_file(tmp_path / "ours") as file:
        file.write(b"")
    (tmp_path / "mine").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "mine").stat().st_mode

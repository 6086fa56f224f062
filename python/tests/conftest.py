"""What several tests share: the command as a user calls it, and a small scenario."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from browser import Tab, browser
from built import SITE, is_newer
from cellway.catalogue import Reproduction, load_paper, reproduce
from cellway.disk.signals import ENDING
from common import CLAIMS, PAPER, ROOT, SMALL, Command, Files, Make, Result, joined, write_paper
from disks import SIZE, ReadOnly, mount
from started import Starter
from study.texts import STUDY

# Who starts the tests in the background has these ignored, and so would have whatever they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """At its end the command ignores signals, which tests that call it would hand on."""
    before = {number: signal.getsignal(number) for number in ENDING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A page in headless Chromium, the same for all tests of a file."""
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make site` has built it, or a new one if a source is newer."""
    if is_newer(ROOT / "site/index.html", SITE):
        return ROOT / "site"
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "tools/site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder that the command runs in."""
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture(scope="session", autouse=True)
def one_list_of_fonts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One folder of Matplotlib for all tests and their processes: a new one lists fonts again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLCONFIGDIR", str(tmp_path_factory.getbasetemp() / "matplotlib"))
        yield


@pytest.fixture(scope="session")
def starter(one_list_of_fonts: None) -> Iterator[Starter]:
    """Starts processes, as if on a terminal of 60 columns."""
    del one_list_of_fonts
    with Starter({"COLUMNS": "60"}) as starter:
        yield starter


@pytest.fixture
def cellway(starter: Starter, folder: Path) -> Command:
    """Calls `cellway` with arguments, in `folder`, as a process of its own."""

    def call(*arguments: str | Path) -> Result:
        return starter.run("from cellway.cli import main; main()", arguments, folder)

    return call


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a paper into a folder of its own; returns that."""

    def write(files: Files = PAPER, *, sealed: bool = True) -> Path:
        number = len(list(tmp_path.glob("papers-*")))
        return write_paper(tmp_path / f"papers-{number}" / "small-2001", files, sealed=sealed)

    return write


@pytest.fixture(scope="session")
def small_done(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    """`PAPER` with `CLAIMS`, run with its sensitivities; frozen, so that tests can share it."""
    folder = write_paper(tmp_path_factory.mktemp("papers") / "small-2001", joined(PAPER, CLAIMS))
    return reproduce(load_paper(folder), sensitivity=True)


@pytest.fixture
def small(folder: Path) -> Path:
    """A file with the scenario `SMALL`, named relative to nothing."""
    file = folder / "small.toml"
    file.write_text(SMALL)
    return file


@pytest.fixture
def window(small: Path) -> Path:
    """A file beside `small` with the study `STUDY` of two windows and two drop policies."""
    file = small.with_name("window.toml")
    file.write_text(STUDY)
    return file


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if not mount("-t", "tmpfs", "-o", f"size={SIZE}", "none", disk):
        pytest.skip("a small disk takes the right to mount")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[Path, ReadOnly]]:
    """A folder, and what makes it read-only for a while: for root only a mount does."""
    folder = tmp_path / "place"
    folder.mkdir()
    mounted = mount("-t", "tmpfs", "none", folder)
    if not mounted and (not hasattr(os, "geteuid") or os.geteuid() == 0):
        pytest.skip("a read-only folder takes a user who is not root, or the right to mount")

    @contextmanager
    def read_only() -> Iterator[None]:
        if mounted:
            assert mount("-o", "remount,ro", folder)
        else:
            modes = {path: path.stat().st_mode for path in [folder, *folder.rglob("*")]}
            for path, mode in modes.items():
                path.chmod(mode & ~0o222)
        try:
            yield
        finally:
            if mounted:
                assert mount("-o", "remount,rw", folder)
            else:
                for path, mode in modes.items():
                    path.chmod(mode)

    try:
        yield folder, read_only
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)

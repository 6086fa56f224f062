"""A run that a Rust program drove and saved is read, drawn and compared like any other."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cellway import Run, build_info

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.timeout(1800)
"""A busy machine builds for long."""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the example of `crates/folder`."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not here; it builds the example that saves a run")
    folder = tmp_path_factory.mktemp("rust") / "ping"
    example = ("cargo", "run", "-q", "--locked", "-p", "cellway-folder", "--example", "ping_saved")
    subprocess.run([*example, "--", str(folder)], cwd=ROOT, check=True)
    return folder


def test_series_and_summary_are_read(saved: Path) -> None:
    found = Run.load(saved)
    assert found.model == build_info()["model"]
    queue = found.series("near.trunk.queue")
    assert (queue.unit, len(queue)) == ("cell", 201)
    assert 1900 < queue.value.max() <= found.ports["near.trunk"]["max_queue"]
    assert queue.time[-1] == found.summary["duration_s"]
    assert found.summary["vcs"]["ping back"]["frames_delivered"] == 40


def test_it_is_drawn_and_not_overwritten(saved: Path) -> None:
    command = Path(sys.executable).with_name("cellway")
    subprocess.run([command, "plot", saved], check=True)
    assert (saved / "plot.png").stat().st_size > 10_000
    assert Run.load(saved).flows["bulk"]["timeouts"] == 0

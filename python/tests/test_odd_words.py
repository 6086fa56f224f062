"""Words of the command line and files that are no text, and streams that nobody reads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cellway import Scenario, ScenarioError, StudyError, load_study
from common import SMALL


def call(folder: Path, redirected: str, *arguments: bytes) -> subprocess.CompletedProcess[bytes]:
    """`cellway` behind a shell that closes streams."""
    command = [sys.executable, "-c", "from cellway.cli import main; main()"]
    shell = ["sh", "-c", f'exec "$@" {redirected}', "sh", *command]
    (folder / "small.toml").write_text(SMALL.replace('duration = "1 s"', 'duration = "20 ms"'))
    return subprocess.run(
        [*map(os.fsencode, shell), *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_a_file_whose_name_is_not_utf_8_is_read(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"odd\xff.toml")).write_text(SMALL)
    except (OSError, UnicodeError):
        pytest.skip("this system takes names in UTF-8 only")
    assert call(tmp_path, "", b"validate", b"odd\xff.toml").returncode == 0
    study = tmp_path / os.fsdecode(b"s\xff.toml")
    study.write_text('[study]\nscenario = "small.toml"\n')
    said = call(tmp_path, "", b"study", b"s\xff.toml")
    assert said.returncode == 2
    assert said.stderr.count(b"\n") == 1
    assert b"has a character that cannot be written" in said.stderr


def test_a_setting_that_is_not_utf_8_is_refused_in_one_line(tmp_path: Path) -> None:
    said = call(tmp_path, "", b"run", b"small.toml", b"--set", b"run.seed=\xff")
    assert (said.returncode, said.stderr.count(b"\n")) == (2, 1)
    assert said.stderr.endswith(b": not UTF-8; text in UTF-8 is expected\n")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        Scenario.parse(SMALL).with_set("flow.bulk.from", "\ud800")
    with pytest.raises(ScenarioError, match="in UTF-8 is expected"):
        Scenario.parse(f"{SMALL}# \ud800")


def test_no_file_is_called_nul(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('[study]\nscenario = "\\u0000"\n')
    with pytest.raises(StudyError, match=r"s\.toml:2:12: scenario .* no file has this name"):
        load_study(file)
    with pytest.raises(ScenarioError, match="no file has this name"):
        Scenario.load("\0")


@pytest.mark.parametrize(("redirected", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0)])
def test_streams_that_are_closed_are_no_fault(tmp_path: Path, redirected: str, code: int) -> None:
    said = call(tmp_path, redirected, b"run", b"small.toml")
    assert (said.returncode, said.stderr) == (code, b"")
    assert call(tmp_path, redirected, b"run", b"nowhere.toml").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_behind_stdout_is_one_line(tmp_path: Path) -> None:
    """It was `[Errno 28]` and nothing that says of what."""
    said = call(tmp_path, ">/dev/full", b"validate", b"small.toml")
    assert said.returncode == 2
    assert said.stderr == b"reading or writing failed: no space left on device\n"

"""The commands of docs/first-study.md, as a newcomer types them in an empty folder."""

import re
from pathlib import Path

from common import ROOT, Command

PAGE = (ROOT / "docs" / "first-study.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_works(cellway: Command, folder: Path) -> None:
    commands = [
        line.split()
        for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
        for line in block.splitlines()
    ]
    (study,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (folder / "mine.toml").write_text(study)
    assert len(commands) == 8
    for name, *arguments in commands:
        assert name == "cellway"
        done = cellway(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments
    assert (folder / "run" / "plot.png").exists()
    assert (folder / "out" / "mine" / "plot.png").exists()
    assert "cellway study mine.toml" in PAGE


def test_what_the_page_says_of_the_result_is_so(cellway: Command) -> None:
    """Without a pacer a fraction of the path is used, with one nearly all of it."""
    cellway("init", "rate-mismatch")
    bound = cellway("explain", "rate-mismatch.toml").stdout
    assert "expected without loss" in bound
    plain = cellway("run", "rate-mismatch.toml", "--set", "run.duration=5 s").stdout
    rows = [line.split() for line in plain.splitlines() if line.startswith("bulk ")]
    assert float(rows[0][1]) < 10.0

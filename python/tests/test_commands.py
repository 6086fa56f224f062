"""The command line when all is well, and when it is stopped."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cellway as package
from cellway.plot.colours import COLOURS
from cellway.runs.models import MODEL_VERSION
from common import Command, plotted_colours, refused, text_of
from started import Starter


@pytest.fixture
def panel(small: Path) -> Path:
    """`small` with a single panel, which is quickly plotted."""
    small.write_text(small.read_text() + 'series = ["queue"]\n')
    return small


def test_run_prints_flows_and_ports(cellway: Command, small: Path) -> None:
    result = cellway("run", small)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(r"^bulk +\d", result.stdout, re.MULTILINE)
    assert re.search(r"^s\.right +cell", result.stdout, re.MULTILINE)


@pytest.fixture(scope="module")
def wide() -> Iterator[Starter]:
    """Starts processes as if on a terminal of 300 columns."""
    with Starter({"COLUMNS": "300"}) as starter:
        yield starter


def test_text_is_neither_wrapped_nor_cut_nor_coloured(
    cellway: Command, wide: Starter, small: Path
) -> None:
    for command in ("run small.toml", "explain small.toml", "schema", "reproduce magic-1997 S4-T2"):
        words = command.split()
        text = cellway(*words).stdout
        assert "\x1b" not in text
        assert not re.search("[\u2500-\u257f\u2026]", text.replace("= …", ""))
        other = wide.run("from cellway.cli import main; main()", words, small.parent)
        assert other.stdout == text


def test_json_is_the_summary_and_only_that(cellway: Command, small: Path) -> None:
    scenario = package.Scenario.load(small).with_set("run.seed", 7)
    result = cellway("run", small, "--seed", "7", "--json")
    assert result.stdout == package.run(scenario).summary_json + "\n"
    assert json.loads(cellway("explain", small, "--json").stdout) == scenario.explain()


def test_set_changes_the_run_and_the_last_one_wins(cellway: Command, small: Path) -> None:
    def rate(*sets: str) -> float:
        summary = json.loads(cellway("run", small, "--json", *sets).stdout)
        return float(summary["flows"]["bulk"]["throughput_bits_per_second"])

    pace = 'flow.bulk.service.ubr.pace="{} Mbit/s of payload"'
    paced = rate("--set", pace.format(50), "--set", pace.format(20))
    assert 15e6 < paced < 20e6
    assert rate() != paced


def test_out_holds_what_was_printed(cellway: Command, folder: Path, small: Path) -> None:
    result = cellway("run", small, "--json", "--out", "a/b")
    names = sorted(file.name for file in (folder / "a/b").iterdir())
    assert names == ["cellway.json", "scenario.toml", "series.npz", "summary.json"]
    assert (folder / "a/b/summary.json").read_text() == result.stdout
    again = cellway("run", "a/b/scenario.toml", "--json")
    assert json.loads(again.stdout)["flows"] == json.loads(result.stdout)["flows"]


@pytest.mark.parametrize(
    ("form", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_plot_writes_each_format(
    cellway: Command, folder: Path, panel: Path, form: str, magic: bytes
) -> None:
    cellway("run", panel, "--out", "run")
    assert cellway("plot", "run", "--format", form).returncode == 0
    assert cellway("plot", panel, "--out", f"again.{form}").returncode == 0
    written = (folder / f"run/plot.{form}").read_bytes()
    assert written.startswith(magic)
    assert (folder / f"again.{form}").read_bytes() == written
    assert form != "png" or plotted_colours(folder / "run/plot.png") == {COLOURS[0]}


def test_plots_of_parts_do_not_take_the_place_of_the_whole(
    cellway: Command, folder: Path, panel: Path
) -> None:
    cellway("run", panel, "--out", "run")
    said = [cellway("plot", "run").stdout]
    whole = (folder / "run/plot.png").read_bytes()
    windows = (["--from", "0.25"], ["--to", "0.5"], ["--from", "0.25", "--to", "0.5"])
    said += [cellway("plot", "run", *window).stdout for window in windows]
    names = ["plot.png", "plot-from-0.25.png", "plot-to-0.5.png", "plot-from-0.25-to-0.5.png"]
    assert said == [f"written to run/{name}\n" for name in names]
    assert sorted(file.name for file in (folder / "run").glob("*.png")) == sorted(names)
    assert (folder / "run/plot.png").read_bytes() == whole


def test_a_study_has_no_part_in_time(cellway: Command, folder: Path, small: Path) -> None:
    (folder / "s.toml").write_text(f'[study]\nscenario = "{small.name}"\n')
    said = refused(cellway, "plot", "s.toml", "--from", "1")
    assert said == "--from, --to: s.toml is a study, plotted over its factors; expected a run\n"


def test_a_run_without_series_says_which_command_plots_it(cellway: Command, small: Path) -> None:
    small.write_text(small.read_text().partition("[observe]")[0])
    again = "`cellway plot bare/scenario.toml`"
    said = cellway("run", small, "--out", "bare").stdout.splitlines()
    assert said[-2] == "written to bare"
    assert said[-1].startswith(f"no time series, as the scenario has no [observe]; {again}")
    assert again in cellway("plot", "bare").stderr
    assert cellway("plot", "bare/scenario.toml").stdout == "written to scenario.png\n"
    small.write_text(small.read_text() + "[observe]\nseries = []\n")
    assert cellway("run", small, "--out", "none").stdout.endswith("written to none\n")
    assert "cellway plot" not in cellway("plot", "none").stderr


def test_version_and_help(cellway: Command) -> None:
    version = package.__version__
    assert cellway("--version").stdout == f"cellway {version} (model {MODEL_VERSION})\n"
    bare = cellway()
    assert bare.returncode == 0
    for command in ("run", "explain", "validate", "schema", "plot", "reproduce"):
        assert re.search(rf"^  {command} ", bare.stdout, re.MULTILINE)
        asked, short = cellway(command, "--help"), cellway(command, "-h")
        assert (asked.returncode, short.returncode) == (0, 0)
        assert asked.stdout == short.stdout
    assert cellway("-h").stdout == cellway("--help").stdout == bare.stdout
    assert cellway("help").stderr == "no such command: help; did you mean cellway --help?\n"


def test_a_reader_that_stops_is_no_error() -> None:
    command = f"{sys.executable} -c 'from cellway.cli import main; main()' schema | head -n 1"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


TWO = text_of("two.toml")


def test_all_together_is_over_one_interval(cellway: Command, folder: Path) -> None:
    """A late flow has its rate over its active time: the sum of such rates exceeded the line."""
    (folder / "two.toml").write_text(TWO)
    text = cellway("run", "two.toml", "--set", "flow.bulk[2].start=3 s").stdout
    rows = [line.split() for line in text.splitlines()]
    together = next(float(row[2]) for row in rows if row[:2] == ["all", "together"])
    own = {
        row[0]: (float(row[1]), float(row[2])) for row in rows if row and row[0].startswith("bulk[")
    }
    assert [start for start, _ in own.values()] == [0.0, 3.0]
    assert together < 9.1 < sum(rate for _, rate in own.values())
    assert (
        "rate of a flow: over the time in which it was active; all together: over the 4 s measured"
        in text
    )


@pytest.mark.parametrize("command", ["run", "explain"])
def test_synchronised_flows_are_named(cellway: Command, folder: Path, command: str) -> None:
    (folder / "two.toml").write_text(TWO)
    together = cellway(command, "two.toml").stdout
    assert "note: flows bulk[1] and bulk[2] are the same, start together" in together
    spread = cellway(command, "two.toml", "--set", 'flow.bulk.start={ uniform = ["0 s", "10 ms"] }')
    assert (spread.returncode, "note:" in spread.stdout) == (0, False)

"""`cellway study`, and what `explain`, `validate` and `plot` make of studies."""

import json
import re
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from cellway.cli.study_results import report
from cellway.statistics import ALL_THE_SAME
from cellway.study import load_results
from common import ROOT, WHOLE, Command, refused, shows_colour, text_of
from disks import mount
from faults import listed
from study.texts import STUDY

STUDIES = sorted((ROOT / "scenarios" / "studies").glob("*.toml"))
LONGEST = 2.5
"""A study above these estimated seconds has two runs of `CUT` per point here."""
CUT = "0.3 s"
LATEST = "6 s"
"""The same for a study or a scenario that says when flows start: later than every start."""


def cut(file: Path, folder: Path) -> Path:
    """The same study with short runs, fewer of them, and none that is measured."""
    text = re.sub(r"(?m)^replications = .*", "replications = 2", file.read_text())
    text = text.replace('"simulate", "measure"', '"simulate"').replace('compare = "way"\n', "")
    named = file.parent / tomllib.loads(text)["study"]["scenario"]
    scenario = named.read_text()
    starts = re.search(r'(?m)^key = ".*\.start"|^start = ', text + scenario)
    duration = LATEST if starts else CUT
    text = re.sub(r'(?m)^"(run\.(duration|warm_up)|.*\.start)" = (\[[^]]*\]|.*)\n', "", text)
    head, _, rest = text.partition("[set]\n")
    if named.stem not in WHOLE:
        text = f'{head}[set]\n"run.duration" = "{duration}"\n"run.warm_up" = "0 s"\n{rest}'
    shorter = folder / file.name
    shorter.write_text(text.replace('scenario = "..', f'scenario = "{file.parents[1]}'))
    return shorter


@pytest.mark.parametrize("file", STUDIES, ids=lambda file: file.stem)
def test_a_shipped_study_is_explained_run_and_plotted(
    file: Path, cellway: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cellway("validate", file).returncode == 0
    assert f"{file.stem}: " in cellway("explain", file).stdout
    explained = json.loads(cellway("explain", file, "--json").stdout)
    if explained["estimated_cpu_seconds"] > LONGEST or explained["measured_runs"]:
        file = cut(file, folder)
    done = cellway("study", file)
    assert done.returncode == 0, done.stderr
    assert f"written to out/{file.stem}" in done.stdout
    plotted = cellway("plot", f"out/{file.stem}")
    assert plotted.returncode == 0, plotted.stderr
    figures = list((folder / "out" / file.stem).glob("plot*.png"))
    assert figures
    assert all(map(shows_colour, figures))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for columns in (80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = report(load_results(folder / "out" / file.stem))
        assert max(len(line) for line in lines if "  " in line) <= columns


def test_a_study_answers_with_means_intervals_and_tables(
    cellway: Command, window: Path, folder: Path
) -> None:
    done = cellway("study", window, "--csv", "runs.csv", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert "window: 12 runs, 4 points of a full design" in done.stdout
    assert "throughput: analysis of variance" in done.stdout
    assert "± " in done.stdout
    table = pl.read_csv(folder / "runs.csv")
    assert table.shape[0] == 12
    assert set(table["window"]) == {"16 KiB", "64 KiB"}
    kept = pl.read_parquet(folder / "out" / "window" / "runs.parquet")
    assert kept["throughput"].to_list() == table["throughput"].to_list()
    reported = json.loads(cellway("study", "out/window", "--json").stdout)
    assert reported["complete"]
    known = [point["responses"]["throughput"] for point in reported["points"]]
    assert [one["n"] for one in known] == [3] * 4
    assert {one["method"] for one in known} == {"Student t", ALL_THE_SAME}
    assert all((one["half_width"] is None) == (one["method"] == ALL_THE_SAME) for one in known)


NO_CHANCE = text_of("no_chance.toml")
"""One small window at a time: nothing is lost, and every seed gives the same."""


def test_nothing_is_judged_against_replications_that_repeat_each_other(
    cellway: Command, window: Path
) -> None:
    window.write_text(NO_CHANCE)
    said = cellway("study", window).stdout
    assert (
        "deterministic: the seed changes nothing at any point, so there is no error term: no F and"
        in said
    )
    analysis = said.partition("throughput: analysis of variance")[2]
    (delay,) = (line for line in analysis.splitlines() if line.startswith("delay   "))
    assert delay.split()[3:] == ["–", "–", "100.0", "%"]


def test_where_all_runs_are_equal_there_is_no_variation_to_analyse(
    cellway: Command, window: Path
) -> None:
    text = NO_CHANCE.replace("link.left.delay", "switch.s.delay")
    window.write_text(text.replace('ms", "2 ms', 'ns", "2 ns'))
    said = cellway("study", window).stdout
    assert "throughput: analysis of variance\nno variation: every run gave 6.554\n" in said


def test_what_cannot_be_analysed_is_said_and_the_rest_shown(cellway: Command, window: Path) -> None:
    """One level has no effect; a mean round-trip time of a flow that never starts is no number."""
    text = STUDY.replace('"200 ms"', '"1 ms"')
    window.write_text(text.replace('["16 KiB", "64 KiB"]', '["16 KiB"]'))
    assert "analysis of variance" not in cellway("study", window, "--out", "one").stdout
    rtt = '[response.rtt]\nquantity = "flows.bulk.rtt.mean_s"\n'
    window.write_text(text + rtt)
    said = "rtt: not analysed: response 'rtt': no replication has a number at every point"
    assert said in cellway("study", window, "--out", "two").stdout


@pytest.mark.parametrize(
    ("rule", "said"),
    [("4", "12 of 16 runs"), ("{ relative_half_width = 0.1, min = 4 }", "12 of 16 or more runs")],
)
def test_runs_that_are_missing_are_counted_exactly_without_a_stopping_rule(
    cellway: Command, window: Path, folder: Path, rule: str, said: str
) -> None:
    assert cellway("study", window, "--out", "kept").returncode == 0
    file = folder / "kept" / "study.toml"
    file.write_text(file.read_text().replace("replications = 3", f"replications = {rule}"))
    assert report(load_results(folder / "kept"))[0].startswith(f"window: {said}, 4 points")


def test_plot_and_compare_say_alike_that_a_row_is_damaged(
    cellway: Command, window: Path, folder: Path
) -> None:
    assert cellway("study", window, "--out", "kept").returncode == 0
    with closing(sqlite3.connect(folder / "kept" / "runs.sqlite")) as database, database:
        database.execute("UPDATE runs SET metrics = '{}' WHERE rowid = 1")
    note = "note: kept: not complete; cellway study kept continues\n"
    plotted = cellway("plot", "kept", "--format", "svg")
    assert (plotted.returncode, plotted.stderr) == (0, note)
    assert cellway("compare", "kept", "kept").stderr == 2 * note
    assert cellway("study", "kept").returncode == 0
    assert not cellway("plot", "kept", "--format", "svg").stderr


def test_the_keys_of_a_study_file_are_printed(cellway: Command) -> None:
    reported = cellway("schema", "--study").stdout
    for keys in ("[study] replications", "[factor.window] log_range", "[response.queue] warm_up"):
        assert all(key in reported for key in keys.split())


def test_the_keys_of_a_study_file_are_not_passed_off_as_json(cellway: Command) -> None:
    said = refused(cellway, "schema", "--study", "--json")
    assert said == "--json: the keys of a study file are text; leave out --json, or --study\n"


def test_explain_shows_the_design_before_anything_runs(
    cellway: Command, window: Path, folder: Path
) -> None:
    reported = cellway("explain", window)
    assert reported.returncode == 0
    assert "window: 12 runs of " in reported.stdout
    assert "4 points of a full design, 3 each" in reported.stdout
    assert "about " in reported.stdout
    facts = json.loads(cellway("explain", window, "--json").stdout)
    assert (facts["points"], facts["runs"], facts["replications"]) == (4, 12, 3)
    assert facts["estimated_cpu_seconds"] > 0
    assert not (folder / "out").exists()


@pytest.mark.parametrize(("words", "said"), listed("studies"))
def test_bad_input_is_one_line_and_2(cellway: Command, window: Path, words: str, said: str) -> None:
    assert window.exists()
    assert refused(cellway, *words.split()).startswith(said)


def test_a_full_disk_is_said_in_one_line_and_the_study_continues_when_there_is_room(
    cellway: Command, window: Path, small_disk: Path
) -> None:
    text = STUDY.replace("replications = 3", 'replications = 40\nseries = "all"')
    window.write_text(text.replace('"200 ms"', '"500 ms"\n"observe.interval" = "1 ms"'))
    said = refused(cellway, "study", window, "--out", small_disk / "study")
    assert said.startswith(f"{small_disk / 'study'}: the disk is full; ")
    kept = {record.key for record in load_results(small_disk / "study").records}
    assert 0 < len(kept) < 160
    assert mount("-o", "remount,size=100m", small_disk)
    assert cellway("study", window, "--out", small_disk / "study").returncode == 0
    assert cellway("study", window).returncode == 0
    folders = (small_disk / "study", window.parent / "out" / "window")
    resumed, undisturbed = map(load_results, folders)
    assert kept <= {record.key for record in resumed.records}
    assert [(one.key, one.metrics) for one in resumed.records] == [
        (one.key, one.metrics) for one in undisturbed.records
    ]

"""Results of another tool as a study: tables, analyses, figures and comparisons with ours."""

import csv
import json
import random
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy import stats

import cellway
from cellway.cli.study_results import report
from cellway.errors import StudyError
from cellway.study import compare, import_results
from common import Command, known, refused, shows_colour
from study.texts import BESIDE, lasting

HEADER = "buffer,tcp,run,goodput_mbps,loss"
LEVELS = ("16", "32")


def ns3_table(folder: Path, runs: int = 4) -> Path:
    """A table as a script around ns-3 writes it: a line for each run."""
    draw = random.Random(7)
    rows = [
        [buffer, tcp, run, f"{int(buffer) / 8 + 3 * (tcp == 'cubic') + draw.random():.6f}", 0.01]
        for buffer in LEVELS
        for tcp in ("reno", "cubic")
        for run in range(1, runs + 1)
    ]
    file = folder / "ns3.csv"
    with file.open("w", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(HEADER.split(","))
        writer.writerows(rows)
    return file


def imported(folder: Path, **changed: object) -> cellway.study.Results:
    given = {
        "factors": ["buffer", "tcp"],
        "responses": ["goodput_mbps"],
        "units": {"buffer": "KiB", "goodput_mbps": "Mbit/s"},
        "names": {"buffer": "window", "goodput_mbps": "throughput"},
        **changed,
    }
    file = ns3_table(folder)
    return import_results(file, out=folder / "out", **given)  # type: ignore[arg-type]


def test_means_and_intervals_are_those_of_the_column(tmp_path: Path) -> None:
    results = imported(tmp_path)
    table = pl.read_csv(tmp_path / "ns3.csv")
    for point, condition in enumerate(results.conditions):
        window, tcp = condition.parameters["window"], condition.parameters["tcp"]
        column = table.filter(buffer=int(window.split()[0]), tcp=tcp)["goodput_mbps"]
        found = known(results.estimate("throughput", point))
        low, high = stats.t.interval(0.95, len(column) - 1, column.mean(), stats.sem(column))
        assert found.mean == pytest.approx(column.mean())
        assert found.half_width == pytest.approx((high - low) / 2)


def test_the_folder_gives_the_same_results_again(tmp_path: Path) -> None:
    results = imported(tmp_path)
    again = cellway.load_results(tmp_path / "out")
    assert report(again) == report(results)
    assert again.to_polars().equals(results.to_polars())
    kept = pl.read_parquet(tmp_path / "out" / "runs.parquet")
    assert kept.drop("window_number", "window_unit").equals(results.to_polars())
    assert again.models == ("another tool, ns3.csv",)


def test_an_analysis_of_variance_finds_the_factors(tmp_path: Path) -> None:
    effects = {row.name: row for row in imported(tmp_path).anova("throughput").effects}
    assert effects["window"].p < 0.01  # type: ignore[operator]
    assert effects["tcp"].p < 0.01  # type: ignore[operator]


def test_parquet_is_read_too(tmp_path: Path) -> None:
    table = pl.read_csv(ns3_table(tmp_path))
    table.write_parquet(tmp_path / "ns3.parquet")
    given = (["tcp"], ["goodput_mbps"])
    one = import_results(tmp_path / "ns3.csv", *given, tmp_path / "one", name="x")
    two = import_results(tmp_path / "ns3.parquet", *given, tmp_path / "two", name="x")
    assert [e for p in (0, 1) if (e := one.estimate("goodput_mbps", p))] == [
        e for p in (0, 1) if (e := two.estimate("goodput_mbps", p))
    ]


def test_a_cell_without_a_number_is_a_number_that_the_run_lacks(tmp_path: Path) -> None:
    file = tmp_path / "few.csv"
    file.write_text("a,b\n1,2.5\n1,\n2,3.5\n")
    results = import_results(file, ["a"], ["b"], tmp_path / "out")
    assert [results.values("b", point) for point in (0, 1)] == [[2.5], [3.5]]
    assert len(results.records) == 3


def test_points_need_not_be_a_full_design(tmp_path: Path) -> None:
    file = tmp_path / "few.csv"
    file.write_text("a,b,c\n1,x,2.5\n2,y,3.5\n2,y,3.7\n")
    import_results(file, ["a", "b"], ["c"], tmp_path / "out")
    results = cellway.load_results(tmp_path / "out")
    assert [dict(one.parameters) for one in results.conditions] == [
        {"a": 1, "b": "x"},
        {"a": 2, "b": "y"},
    ]
    with pytest.raises(StudyError, match="full factorial designs"):
        results.anova("c")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"factors": ["bufer"]}, "no column 'bufer'; did you mean buffer?; there are buffer, tcp"),
        ({"responses": []}, "no responses; a column with numbers is expected"),
        ({"responses": ["tcp"], "factors": [], "units": {}, "names": {}}, "row 2: tcp is 'reno'"),
        ({"factors": ["goodput_mbps", "buffer"]}, "column 'goodput_mbps' is given twice"),
        ({"units": {"loss": "1"}}, "column 'loss' is neither a factor nor a response"),
        ({"names": {"buffer": "seed"}}, "`seed` is a column of every table of runs"),
    ],
)
def test_a_wrong_column_is_named(changed: dict[str, object], said: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError) as raised:
        imported(tmp_path, **changed)
    assert said in str(raised.value)
    assert not (tmp_path / "out").exists()


def study_beside(folder: Path) -> cellway.study.Results:
    """A study of cellway at levels that the table has, one of them in another unit."""
    base = cellway.Scenario.parse(lasting("50 ms", BESIDE))
    factor = cellway.study.Factor.of("window", ["flow.bulk.tcp.window"], ["16 KiB", "32768 B"])
    (folder / "ours").mkdir(exist_ok=True)
    return cellway.Study(base, [factor], replications=4).run(folder / "ours")


def test_a_comparison_with_ours_is_by_all_runs_of_both(tmp_path: Path) -> None:
    ours = study_beside(tmp_path)
    file = ns3_table(tmp_path)
    units = {"buffer": "KiB", "goodput_mbps": "Mbit/s"}
    names = {"buffer": "window", "goodput_mbps": "throughput"}
    theirs = import_results(
        file, ["buffer"], ["goodput_mbps"], tmp_path / "ns3", units=units, names=names
    )
    (found,) = compare(ours, theirs)
    assert len(found.differences) == 2
    for point, one in enumerate(found.differences):
        columns = [results.values("throughput", point) for results in (theirs, ours)]
        welch = stats.ttest_ind(*columns, equal_var=False)
        low, high = welch.confidence_interval(1 - 0.05 / 2)
        assert one.change.mean == pytest.approx(sum(columns[0]) / 8 - sum(columns[1]) / 4)
        assert one.change.half_width == pytest.approx((high - low) / 2)
        assert "Welch" in one.change.method


def test_the_commands(folder: Path, cellway: Command) -> None:
    ns3_table(folder)
    words = ["--factor", "buffer", "--unit", "buffer=KiB", "--rename", "buffer=window"]
    words += ["--response", "goodput_mbps", "--unit", "goodput_mbps=Mbit/s"]
    words += ["--rename", "goodput_mbps=throughput"]
    done = cellway("import", "ns3.csv", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "made by another tool, ns3.csv" in done.stdout
    assert "written to out/ns3" in done.stdout
    left_out = "note: not imported, neither factor nor response: tcp, run, loss\n"
    assert left_out in done.stdout
    assert cellway("import", "ns3.csv", *words, "--json").stderr == left_out
    every = [*words, "--factor", "tcp", "--response", "run", "--response", "loss"]
    assert "not imported" not in cellway("import", "ns3.csv", *every, "--out", "all").stdout
    study_beside(folder)
    said = cellway("compare", "ours", "out/ns3")
    assert (said.returncode, said.stderr) == (0, "")
    assert "the second of another tool, ns3.csv" in said.stdout
    assert said.stdout.count("±") == 2
    assert "Welch" in said.stdout
    assert cellway("plot", "out/ns3").returncode == 0
    assert shows_colour(folder / "out" / "ns3" / "plot.png")
    assert cellway("report", "out/ns3").returncode == 0
    page = (folder / "out" / "ns3" / "report.html").read_text()
    assert "another tool, ns3.csv" in page
    assert "The path of the first point" not in page
    shown = cellway("study", "out/ns3")
    assert (shown.returncode, "16 KiB" in shown.stdout) == (0, True)
    assert "results of another tool" in refused(cellway, "theory", "out/ns3")
    assert "about" not in cellway("explain", "out/ns3").stdout
    assert "not COLUMN=VALUE" in refused(cellway, "import", "ns3.csv", "--unit", "KiB")
    again = cellway("import", "ns3.csv", *words)
    assert again.returncode == 0


@pytest.mark.parametrize(
    "levels",
    [
        ["1", "1.0", "01"],
        ["10", "9", "2"],
        ["", "a,b", 'a "b"'],
        ["nan", "1e400", "9" * 400],
        ["true", "1"],
        [True, False],
        [1.0, 2.5, 1e-9],
        [2**62, -1],
        [date(2024, 2, 1), date(2024, 1, 2)],
    ],
)
def test_levels_are_the_same_when_they_are_read_again(levels: list[Any], tmp_path: Path) -> None:
    pl.DataFrame({"x": levels, "y": range(len(levels))}).write_parquet(tmp_path / "a.parquet")
    results = import_results(tmp_path / "a.parquet", ["x"], ["y"], tmp_path / "out")
    again = cellway.load_results(tmp_path / "out")
    assert len(results.conditions) == len(levels)
    for one, other in zip(results.conditions, again.conditions, strict=True):
        assert repr(dict(one.parameters)) == repr(dict(other.parameters))
    assert again.to_polars().equals(results.to_polars())


def test_a_table_without_factors_is_one_point(tmp_path: Path) -> None:
    results = imported(tmp_path, factors=[], units={}, names={})
    again = cellway.load_results(tmp_path / "out")
    assert [len(runs) for runs in results.runs] == [len(runs) for runs in again.runs] == [16]


@pytest.mark.parametrize(
    ("columns", "names", "said"),
    [
        ({"x": [1.0, float("nan")]}, {}, "row 3: x is nan; a finite level is expected"),
        ({"x": [[1], [2]]}, {}, "column 'x' has lists or structures"),
        ({"x": [1, 2]}, {"x": "z"}, "columns 'x' and 'z' are both named 'z'"),
        ({"x": [1, 2]}, {"x": "y"}, "columns 'x' and 'y' are both named 'y'"),
    ],
)
def test_a_column_that_cannot_be_imported_leaves_no_folder(
    columns: dict[str, list[Any]], names: dict[str, str], said: str, tmp_path: Path
) -> None:
    table = pl.DataFrame({**columns, "z": [3, 4], "y": [1.0, 2.0]})
    table.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(StudyError) as raised:
        import_results(tmp_path / "a.parquet", ["x", "z"], ["y"], tmp_path / "out", names=names)
    assert said in str(raised.value)
    assert not (tmp_path / "out").exists()


def test_results_of_another_tool_have_no_parts_and_no_merge(folder: Path, cellway: Command) -> None:
    (folder / "a.csv").write_text("x,y\n1,2\n")
    cellway("import", "a.csv", "--factor", "x", "--response", "y")
    said = "results of another tool; a study to run is expected"
    assert said in refused(cellway, "merge", "joined", "out/a")
    assert f"--part: {said}" in refused(cellway, "study", "out/a", "--part", "1/2")
    assert f"--slurm-array: {said}" in refused(cellway, "study", "out/a", "--slurm-array", "2")
    assert not (folder / "joined").exists()


def test_settings_and_responses_of_one_study_alone_are_said(cellway: Command, folder: Path) -> None:
    for name, levels in (("one", (16, 64, 128)), ("two", (16, 64, 256))):
        rows = "".join(f"{level},{level + run},1\n" for level in levels for run in (0, 1))
        other = "delay" if name == "one" else "loss"
        (folder / f"{name}.csv").write_text(f"buffer,rate,{other}\n{rows}")
        import_results(folder / f"{name}.csv", ["buffer"], ["rate", other], folder / name)
    done = cellway("compare", "one", "two")
    assert done.stdout.splitlines()[-4:] == [
        "not compared, only in one: buffer = 128",
        "responses only in one: delay in 1",
        "not compared, only in two: buffer = 256",
        "responses only in two: loss in 1",
    ]
    said = json.loads(cellway("compare", "one", "two", "--json").stdout)["left_out"]
    assert said[1] == {"settings": [{"buffer": 256}], "responses": ["loss in 1"]}


@pytest.mark.parametrize(
    ("column", "unit", "said"),
    [
        ("goodput_mbps", "Mbps", "is no unit of responses; did you mean Mbit/s?; one of 1, %, bit"),
        ("goodput_mbps", "µs", "is no unit of responses; did you mean us?; one of"),
        # Bytes and multiples are no misspelling of another unit.
        ("goodput_mbps", "MB/s", "is no unit of responses; one of 1, %"),
        ("goodput_mbps", "Gbit/s", "is no unit of responses; one of 1, %"),
        ("goodput_mbps", '{ name = "s" }', "numbers are converted to s; s alone is expected"),
        ("goodput_mbps", "{ name = 1 }", 'a unit or { name = "octet" } is expected'),
        ("buffer", "kib", "is no unit of levels; did you mean KiB?; one of 1, %"),
        ("buffer", "KiB of line", "is no unit of levels; one of 1, %"),
    ],
)
def test_an_unknown_unit_is_refused(column: str, unit: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError) as raised:
        imported(tmp_path, units={column: unit})
    assert f"ns3.csv: column {column!r}: " in str(raised.value)
    assert said in str(raised.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("unit", ["Mbit/s of line", "km", "min", "GB"])
def test_levels_have_the_units_of_scenarios(unit: str, tmp_path: Path) -> None:
    results = imported(tmp_path, units={"buffer": unit}, names={})
    assert set(results.column("buffer")) == {f"{level} {unit}" for level in LEVELS}


def test_another_unit_is_a_name_that_is_not_converted(cellway: Command, folder: Path) -> None:
    ns3_table(folder)
    words = ["--response", "loss", "--unit", 'loss={ name = "octet" }']
    done = cellway("import", "ns3.csv", *words)
    said = "note: loss is in octet, which is not converted: compared only with the same word\n"
    assert said in done.stdout
    assert said in cellway("import", "ns3.csv", *words, "--json").stderr
    assert (
        import_results(
            folder / "ns3.csv", [], ["loss"], folder / "a", units={"loss": '{ name = "octet" }'}
        ).values("loss", 0)
        == [0.01] * 16
    )
    refused(cellway, "import", "ns3.csv", "--response", "loss", "--unit", "loss=octets")


def test_other_separators_are_named(tmp_path: Path) -> None:
    file = tmp_path / "semi.csv"
    file.write_text("a;b\n1;2,5\n")
    with pytest.raises(
        StudyError, match=r"semi\.csv:1:1: columns end with `;`; commas are expected"
    ):
        import_results(file, ["a"], ["b"], tmp_path / "out")

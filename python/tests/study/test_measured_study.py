"""Studies whose runs are measured, with a stand-in for the kernel: kept, resumed, never mixed."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cellway import MeasurementError, Scenario, StoreError, Study, StudyError, load_results
from cellway.cli import studies
from cellway.cli.exits import BAD_INPUT, guarded
from cellway.cli.study_design import explanation
from cellway.cli.study_results import report
from cellway.study import Factor
from cellway.study.measuring import missing_measurements, real_time
from cellway.study.plan import WAY
from cellway.study.store import Store
from common import Command, refused
from study.measured import KERNEL, PATH, StandIn, on_kernel, stand_in, without_root

BOTH = {WAY: ["simulate", "measure"]}
FILE = """
[study]
scenario = "path.toml"
replications = 3
[factor.way]
key = "way"
levels = ["simulate", "measure"]
"""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    return stand_in(monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "path.toml").write_text(PATH)
    written = tmp_path / "ways.toml"
    written.write_text(FILE)
    return written


def study(**changes: object) -> Study:
    base = Study(Scenario.parse(PATH), BOTH, replications=3, compared=WAY, name="ways")
    return base.replaced(**changes)


def test_the_way_is_a_factor_and_seeds_pair(made: StandIn, tmp_path: Path) -> None:
    results = study().run(tmp_path / "out")
    assert sorted(made.seeds) == [1, 2, 3]
    assert results.values("throughput", 0) == results.values("throughput", 1)
    assert len(set(results.values("throughput", 0))) == 3
    ((_, differences),) = results.comparisons("throughput")
    assert (differences["measure"].mean, differences["measure"].n) == (0.0, 3)
    assert results.kernels == (KERNEL,)
    assert results.dates == ("2023-11-14T22:13:20+00:00",) * 3
    assert [record.kernel for record in results.runs[0]] == ["", "", ""]


def test_measured_runs_are_kept_with_kernel_and_date(made: StandIn, tmp_path: Path) -> None:
    study().run(tmp_path / "out")
    frame = load_results(tmp_path / "out").to_polars()
    assert frame["kernel"].to_list() == [""] * 3 + [KERNEL] * 3
    assert frame["date"].to_list() == [""] * 3 + ["2023-11-14T22:13:20+00:00"] * 3
    again = study().run(tmp_path / "out")
    assert len(made.seeds) == 3
    assert again.complete
    with Store.read(tmp_path / "out") as store:
        kept = [record for record in store.records(store.keys()) if record.kernel]
    assert all(json.loads(record.summary)["measured"]["kernel"] == KERNEL for record in kept)


def test_every_run_may_be_measured(made: StandIn) -> None:
    results = study(factors=(), sets=((WAY, "measure"),), compared=None).run()
    assert sorted(made.seeds) == [1, 2, 3]
    assert not results.deterministic(0)


def test_a_zip_joins_the_way_with_other_keys(made: StandIn) -> None:
    columns = {
        WAY: ["simulate", "simulate", "measure"],
        "flow.bulk.tcp.recovery": ["sack", "rack", "rack"],
    }
    factor = Factor.zipped("stack", columns, ["SACK", "simulated", "measured"])
    results = study(factors=[factor], compared=None).run()
    assert [one.is_measured for one in results.conditions] == [False, False, True]
    assert len(made.seeds) == 3


def test_measurements_are_side_by_side_and_after_simulations(made: StandIn) -> None:
    made.lasts = 0.1
    assert study(replications=6).run(paths=3).complete
    assert made.side_by_side == 3
    made.side_by_side = 0
    assert study().run(workers=4).complete
    assert made.side_by_side == 1


def test_a_stopped_study_goes_on_where_it_was(made: StandIn, tmp_path: Path) -> None:
    def stop(number: int) -> None:
        if number == 3:
            raise KeyboardInterrupt

    made.breaks = stop
    with pytest.raises(KeyboardInterrupt):
        study(replications=5).run(tmp_path / "out")
    assert made.seeds == [1, 2, 3]
    assert not load_results(tmp_path / "out").complete
    assert study(replications=5).run(tmp_path / "out").complete
    assert made.seeds == [1, 2, 3, 3, 4, 5]


def test_another_kernel_adds_nothing(
    made: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study().run(tmp_path / "out")
    on_kernel(monkeypatch, "6.9.0")
    kept = load_results(tmp_path / "out")
    assert (kept.complete, kept.kernels) == (True, (KERNEL,))
    with pytest.raises(StoreError, match=rf"3 by Linux {KERNEL}.*Linux 6\.9\.0.*--again"):
        study(replications=4).run(tmp_path / "out")
    assert len(made.seeds) == 3
    assert study().run(tmp_path / "other").kernels == ("6.9.0",)


def test_a_finished_study_is_shown_with_any_kernel_and_without_root(
    made: StandIn,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = file.parent / "out"
    studies.study(file, out)
    without_root(monkeypatch)
    studies.study(file, out)
    on_kernel(monkeypatch, "6.9.0")
    capsys.readouterr()
    studies.study(out)
    assert f"measured: 3 runs, Linux {KERNEL}, 2023-11-14" in capsys.readouterr().out
    assert len(made.seeds) == 3


def test_runs_of_two_kernels_have_no_mean(
    made: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that somebody joined from two is refused."""
    assert made.seeds == []
    study(replications=2).run(tmp_path / "out")
    on_kernel(monkeypatch, "6.9.0")
    later = study(seed=2, replications=2).run(tmp_path / "later")
    with Store.read(tmp_path / "later") as store:
        records = [*store.records(record.key for record in later.runs[1])]
    with Store.open(tmp_path / "out", later.models[0]) as joined:
        for record in records:
            joined.add(record)
    (tmp_path / "out" / "study.toml").write_text(
        (tmp_path / "out" / "study.toml")
        .read_text()
        .replace("replications = 2", "replications = 3")
    )
    with pytest.raises(StudyError, match=rf"{KERNEL} and 6\.9\.0"):
        load_results(tmp_path / "out")


def test_measuring_again_discards_measured_runs_only(
    made: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = study(recorded=None)
    before = given.run(tmp_path / "out")
    on_kernel(monkeypatch, "6.9.0")
    after = given.run(tmp_path / "out", again=True)
    assert made.seeds == [1, 2, 3, 1, 2, 3]
    assert after.kernels == ("6.9.0",)
    assert [one.wall_seconds for one in after.runs[0]] == [
        one.wall_seconds for one in before.runs[0]
    ]
    assert len([*(tmp_path / "out" / "series").iterdir()]) == 6


def test_without_root_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = stand_in(monkeypatch)
    why = without_root(monkeypatch)
    with pytest.raises(MeasurementError, match=why):
        study().run(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert made.seeds == []


def test_the_command_says_what_is_missing_and_how_long_it_takes(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch)
    studies.study(file, file.parent / "out", paths=2)
    assert capsys.readouterr().err == "3 runs to measure in real time, 2 side by side: 1.0 s\n"
    studies.study(file, file.parent / "out", paths=2)
    assert capsys.readouterr().err == ""
    why = without_root(monkeypatch)
    assert guarded(lambda: studies.study(file, file.parent / "other")) == BAD_INPUT
    assert capsys.readouterr().err == f"{why}\n"


def test_marked_and_failed_runs_are_named(made: StandIn, tmp_path: Path) -> None:
    def fail(number: int) -> None:
        if number == 3:
            raise MeasurementError("a packet was 2 s late")

    made.marks = {2: ["packets were lost outside the path"]}
    made.breaks = fail
    results = study().run(tmp_path / "out")
    lines = report(load_results(tmp_path / "out"))
    text = "\n".join(lines)
    assert "measure, replication 2: not to be trusted: packets were lost outside the path" in lines
    assert "failed: measure, replication 3: a packet was 2 s late" in lines
    assert "again: cellway measure" in text
    row = next(line for line in lines if line.strip().startswith("measure  "))
    assert row.split()[-6:] == ["1", "of", "3", "1", "of", "3"]
    assert results.as_data()["measured"]["not_to_be_trusted"] == [
        {
            "parameters": {"way": "measure"},
            "replication": 2,
            "marks": ["packets were lost outside the path"],
        }
    ]


def test_a_point_that_the_kernel_cannot_follow_is_named_before(made: StandIn) -> None:
    rules = {"flow.bulk.tcp.congestion": ["cubic", "copa"]}
    given = study(factors={**BOTH, **rules}, compared=None)
    with pytest.raises(StudyError, match=r"way = measure, flow\.bulk\.tcp\.congestion = copa"):
        given.run()
    assert made.seeds == []


def test_a_series_that_was_not_kept_measures_nothing_silently(
    made: StandIn, tmp_path: Path
) -> None:
    study().run(tmp_path / "out")
    with pytest.raises(StoreError, match=r"kept without a series.*--again"):
        study(recorded=("bulk.cwnd",)).run(tmp_path / "out")
    assert len(made.seeds) == 3
    assert study(recorded=("bulk.cwnd",)).run(tmp_path / "out", again=True).complete


def test_a_damaged_run_is_announced_and_measured_again(made: StandIn, tmp_path: Path) -> None:
    given = study(recorded=None)
    results = given.run(tmp_path / "out")
    first, second, _ = results.runs[1]
    (tmp_path / "out" / "series" / f"{first.key}.parquet").unlink()
    with closing(sqlite3.connect(tmp_path / "out" / "runs.sqlite")) as database, database:
        database.execute("UPDATE runs SET metrics = '{}' WHERE key = ?", (second.key,))
    missing = missing_measurements(given, given.conditions(), tmp_path / "out")
    assert [run.seed for run in missing] == [1, 2]
    assert given.run(tmp_path / "out").restored == 2
    assert sorted(made.seeds) == [1, 1, 2, 2, 3]


def test_what_the_kernel_cannot_follow_is_named_before(
    made: StandIn, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = '[factor.rule]\nkey = "flow.bulk.tcp.recovery"\nlevels = ["rack", "sack"]\n'
    file.write_text(FILE + rules)
    studies.study(file, file.parent / "out")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("6 runs to measure")
    assert "by the kernel: recovery: " in lines[1]
    assert lines[1].endswith(" (at 1 of 2 points)")
    assert len(made.seeds) == 6


def test_the_time_is_told_before(made: StandIn) -> None:
    given = study(sets=(("run.duration", "600 s"),), replications=10)
    measured = [given.planned(given.conditions()[1], number) for number in range(10)]
    assert real_time(measured, 5).seconds == pytest.approx(1200.6)
    assert real_time(measured, 100).seconds == pytest.approx(600.3)
    assert "of these 10 measured in real time: 100 min one after the other" in "\n".join(
        explanation(given)
    )
    assert made.seeds == []


def test_a_way_that_there_is_not(file: Path, cellway: Command) -> None:
    with pytest.raises(StudyError, match="way=guess: expected `simulate` or `measure`"):
        study(factors={WAY: ["guess"]})
    file.write_text(FILE.replace('"measure"', '"measured"'))
    said = refused(cellway, "study", file)
    assert said.endswith(":7:23: way=measured: expected `simulate` or `measure`\n")

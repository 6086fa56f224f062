"""Runs that break: they are kept with their reason, and the others go on; nothing is hidden."""

import json
import shlex
from pathlib import Path

import pytest

from cellway import Scenario, SimulationFault, Study, load_results, run
from cellway.cli.study_results import report
from cellway.errors import RunError
from cellway.plot.studies import plot_study
from cellway.study import Factor, Results
from common import SMALL, Command, breaking

SHORT = SMALL.replace('duration = "1 s"', 'duration = "20 ms"').replace(
    "tcp = {", 'tcp = { timers = "fine",'
)
WINDOW = "flow.bulk.tcp.window"
BROKEN = "cells of VC 3 are not conserved; please report it"


def break_seed(patch: pytest.MonkeyPatch, seed: int, error: BaseException) -> None:
    """From now on runs with 16 KiB and this seed raise `error`."""
    breaking(patch, error, "16 KiB", f"seed = {seed}\n")


def study(**changes: object) -> Study:
    window = Factor.of("window", [WINDOW], ["16 KiB", "32 KiB"])
    given = Study(Scenario.parse(SHORT, "small.toml"), [window], replications=3, compared="window")
    return given.replaced(**changes) if changes else given


def statuses(results: Results) -> list[str]:
    return [record.status for record in results.records]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SimulationFault(BROKEN), BROKEN),
        (RunError("more than\n1000000000 bytes"), "more than 1000000000 bytes"),
        (ZeroDivisionError("a bug of ours"), "ZeroDivisionError: a bug of ours"),
        (MemoryError(), "MemoryError:"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_run_that_breaks_is_kept_with_its_reason_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: BaseException, reason: str
) -> None:
    break_seed(monkeypatch, 2, error)
    found = study().run(tmp_path)
    assert found.complete
    assert statuses(found) == ["done", "failed", "done", "done", "done", "done"]
    (failure,) = found.failures
    assert (failure.point, failure.record.replication, failure.reason) == (0, 2, reason)
    read = load_results(tmp_path)
    assert (read.complete, statuses(read)) == (True, statuses(found))


def test_the_command_that_is_printed_repeats_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cellway: Command
) -> None:
    with monkeypatch.context() as patch:
        break_seed(patch, 2, SimulationFault(BROKEN))
        found = study().run(tmp_path / "a study")
    (failure,) = found.failures
    program, *arguments = shlex.split(failure.command)
    assert (program, arguments[-2:]) == ("cellway", ["--seed", "2"])
    said = json.loads(cellway(*arguments, "--json").stdout)
    expected = json.loads(run(found.conditions[0].scenario(2)).summary_json)
    assert (said["seed"], said["flows"]) == (2, expected["flows"])


def test_the_table_says_which_points_have_failed_runs_and_json_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    break_seed(monkeypatch, 2, SimulationFault(BROKEN))
    found = study().run()
    said = report(found)
    (header,) = (line for line in said if line.startswith("window"))
    assert header.endswith("failed")
    assert [line.rpartition("  ")[2] for line in said if line.lstrip().startswith("16 KiB")] == [
        "1 of 3"
    ]
    assert f"failed: 16 KiB, replication 2: {BROKEN}" in said
    assert f"  again: cellway run small.toml --set '{WINDOW}=16 KiB' --seed 2" in said
    assert not any(line.startswith("note") for line in said)
    reported = found.as_data()
    assert reported["failed"] == 1
    assert reported["failed_runs"][0]["reason"] == BROKEN
    assert plot_study(found).axes


def test_pairs_of_what_is_left_are_compared_and_no_analysis_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    break_seed(monkeypatch, 2, SimulationFault(BROKEN))
    delay = Factor.of("delay", ["link.left.delay"], ["1 ms", "2 ms"])
    found = study(factors=[*study().factors, delay]).run()
    counts = [one["32 KiB"].n for _, one in found.comparisons("throughput")]
    assert counts == [2, 2]
    assert "throughput: not analysed: 2 of its runs failed" in report(found)


def test_a_point_of_which_all_runs_fail_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    break_seed(monkeypatch, 1, SimulationFault(BROKEN))
    found = study(replications=1).run()
    assert found.estimate("throughput", 0) is None
    assert found.estimate("throughput", 1) is not None
    assert not found.deterministic(0)


def test_the_next_start_tries_failed_runs_again_once_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    break_seed(monkeypatch, 2, SimulationFault(BROKEN))
    assert study().run(tmp_path).retried == 0
    again = study().run(tmp_path)
    assert (again.retried, len(again.failed)) == (1, 1)
    assert "repeated: 1 that had failed before" in report(again)
    monkeypatch.undo()
    mended = study().run(tmp_path)
    assert (mended.retried, mended.failed) == (1, [])
    assert study().run(tmp_path).retried == 0


def test_one_seed_that_fails_shows_that_the_seed_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    break_seed(monkeypatch, 2, SimulationFault(BROKEN))
    found = study().run()
    assert [found.deterministic(point) for point in (0, 1)] == [False, True]


def test_ctrl_c_is_no_failed_run(monkeypatch: pytest.MonkeyPatch) -> None:
    break_seed(monkeypatch, 2, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        study().run(workers=1)

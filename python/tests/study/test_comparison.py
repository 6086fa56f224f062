"""Two studies compared: which runs make pairs, and what is said."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cellway import Scenario, Study, StudyError
from cellway.cli.comparison import Outcome, outcome
from cellway.runs.quantity import Quantity
from cellway.statistics import bonferroni, estimate, paired_difference
from cellway.study import Factor, Reduction, Response, compare
from common import Command, refused
from study.texts import BESIDE, lasting

SENT = Response("sent", Quantity("ports.s.right.sent"), "cell")


def study(*windows: str, delay: str = "1 ms", **changes: object) -> Study:
    factor = Factor.of("window", ["flow.bulk.tcp.window"], windows or ("16 KiB", "64 KiB"))
    base = Scenario.parse(lasting("50 ms", BESIDE)).with_set("link.left.delay", delay)
    return Study(base, [factor], replications=4, responses=[SENT], name=delay).replaced(**changes)


def test_a_study_and_itself_differ_in_nothing() -> None:
    results = study().run()
    (found,) = compare(results, results)
    windows = [one.parameters["window"] for one in found.differences]
    assert windows == ["16 KiB", "64 KiB"]
    for one in found.differences:
        assert (one.change.mean, one.change.half_width, one.change.n) == (0, None, 4)
        assert one.change.repeated


def test_each_interval_is_that_of_the_paired_differences_and_all_hold_together() -> None:
    first, second = study().run(), study(delay="3 ms").run()
    (found,) = compare(first, second)
    for point, one in enumerate(found.differences):
        ours, theirs = first.values("sent", point), second.values("sent", point)
        assert one.change == paired_difference(theirs, ours, bonferroni(0.95, 2))
        assert one.second - one.first == pytest.approx(one.change.mean)


def test_only_equal_levels_and_equal_seeds_count() -> None:
    """Seeds 1 to 4 and 3 to 6 share two; of the windows one is in both."""
    first, second = study().run(), study("64 KiB", "8 KiB", delay="3 ms", seed=3).run()
    ((one,),) = (found.differences for found in compare(first, second))
    assert one.parameters == {"window": "64 KiB"}
    ours, theirs = first.values("sent", 1)[2:], second.values("sent", 0)[:2]
    assert one.change == replace(paired_difference(theirs, ours), left_out=4)
    assert (one.first, one.second) == (float(np.mean(ours)), float(np.mean(theirs)))


def test_without_a_pair_nothing_is_made_up() -> None:
    (found,) = compare(study().run(), study(seed=100).run())
    assert found.differences == ()
    assert found.unpaired == ({"window": "16 KiB"}, {"window": "64 KiB"})


def test_what_explain_says_has_no_interval() -> None:
    ceiling = Response(
        "ceiling", Quantity("flows.bulk.tcp.ceiling_bits_per_second"), explained=True
    )
    results = study(responses=[ceiling]).run()
    (found,) = compare(results, results)
    assert {(one.change.mean, one.change.half_width) for one in found.differences} == {(0.0, None)}


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            {"factors": [Factor.of("w", ["flow.bulk.tcp.window"], ["16 KiB"])]},
            "vary window and w; the same",
        ),
        ({"factors": study("1 KiB").factors}, "no setting of their factors in common"),
        (
            {"responses": [Response("sent", Reduction("s.right.queue", "max"), "packet")]},
            "no response is in both studies with its unit; they have sent in cell and sent in pack",
        ),
    ],
)
def test_what_cannot_be_compared_is_said(other: dict[str, object], said: str) -> None:
    with pytest.raises(StudyError, match=said):
        compare(study().run(), study().replaced(**other).run())


def test_the_command(cellway: Command, folder: Path) -> None:
    study().run(folder / "near")
    study(delay="3 ms").run(folder / "far")
    reported = cellway("compare", "near", "far")
    assert (reported.returncode, reported.stderr) == (0, "")
    assert reported.stdout.startswith(
        "differences are far minus near, from pairs of runs with equal seeds or, where noted, from "
        "all runs; intervals of a table together at 95 %\n"
    )
    assert "sent, cell:" in reported.stdout
    data = json.loads(cellway("compare", "near", "far", "--json").stdout)
    (response,) = data["responses"]
    assert [point["n"] for point in response["points"]] == [4, 4]
    for point in response["points"]:
        assert point["difference"] == pytest.approx(point["second"] - point["first"])
    itself = cellway("compare", "near", "near").stdout
    assert "no difference shown" in itself
    assert "the scenarios have the same value of every key" in itself
    nothing = "no such file or folder; expected a folder that `cellway study` left\n"
    assert refused(cellway, "compare", "near", "nowhere") == f"nowhere: {nothing}"
    # It is there; what it lacks is not.
    (folder / "empty").mkdir()
    assert refused(cellway, "compare", "empty", "near") == f"empty/study.toml: {nothing}"


def test_what_differs_and_what_one_lacks_is_said(cellway: Command, folder: Path) -> None:
    """Levels of one study alone were left out without a word."""
    study().run(folder / "near")
    study("64 KiB", "8 KiB", delay="3 ms").run(folder / "far")
    lines = cellway("compare", "near", "far").stdout.splitlines()
    (delay,) = [line.split() for line in lines if line.startswith("link.left.delay ")]
    assert delay == ["link.left.delay", '"1', 'ms"', '"3', 'ms"']
    assert "not compared, only in near: window = 16 KiB" in lines
    assert "not compared, only in far: window = 8 KiB" in lines
    data = json.loads(cellway("compare", "near", "far", "--json").stdout)
    assert data["settings"] == {"link.left.delay": ['"1 ms"', '"3 ms"']}
    assert [one["settings"] for one in data["left_out"]] == [
        [{"window": "16 KiB"}],
        [{"window": "8 KiB"}],
    ]


def test_settings_at_which_a_study_is_larger_are_counted(cellway: Command, folder: Path) -> None:
    """A window of 16 KiB fills the shorter path alone; equal studies are told apart nowhere."""
    study().run(folder / "near")
    study(delay="3 ms").run(folder / "far")
    (found,) = json.loads(cellway("compare", "near", "far", "--json").stdout)["responses"]
    less = sum(one["difference"] + one["half_width"] < 0 for one in found["points"])
    more = sum(one["difference"] - one["half_width"] > 0 for one in found["points"])
    assert more + less > 0
    words = {"larger in far at": more, "larger in near at": less}
    words |= {"not told apart at": 2 - more - less}
    said = ", ".join(f"{text} {count}" for text, count in words.items() if count)
    lines = cellway("compare", "near", "far").stdout.splitlines()
    assert f"sent, at 2 combinations of levels: {said}" in lines
    assert any(line.split()[:3] == ["window", "near", "far"] for line in lines)
    same = cellway("compare", "near", "near").stdout
    assert "sent, at 2 combinations of levels: not told apart at 2" in same


def test_outcomes_that_no_interval_shows_are_apart() -> None:
    """Identical runs are the same; numbers that repeat each other are judged only where equal."""
    changes = {
        Outcome.SAME: estimate([0.0] * 3, deterministic=True),
        Outcome.MORE: estimate([2.0] * 3, deterministic=True),
        Outcome.OPEN: estimate([0.0] * 3),
        Outcome.UNKNOWN: estimate([2.0] * 3),
        Outcome.LESS: estimate([-2.0, -2.1, -1.9]),
    }
    assert [outcome(one) for one in changes.values()] == [*changes]

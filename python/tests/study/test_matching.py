"""Studies beside each other: levels that are spelt otherwise, and responses defined otherwise."""

import json
from pathlib import Path

import pytest

from cellway import Scenario, Study, StudyError
from cellway.study import Factor, Results, compare, import_results
from cellway.study.joined import STUDY_FACTOR, joined
from cellway.study.matching import shared_points, spelt_otherwise
from common import Command, known, refused, shows_colour
from study.texts import BESIDE, lasting

WINDOWS = ["16 KiB", "64 KiB"]


def ours(*labels: str, replications: int = 2) -> Results:
    """A study whose factor `queue` has these levels; they only label windows."""
    factor = Factor.of("queue", ["flow.bulk.tcp.window"], WINDOWS, labels or ("tail", "fq_codel"))
    return Study(
        Scenario.parse(lasting("50 ms", BESIDE)), [factor], replications=replications, name="ours"
    ).run()


def theirs(folder: Path, *levels: str) -> Results:
    """Numbers of another tool: 3 and 5 at the first of `levels`, 4 and 6 at the second."""
    rows = [f"{level},{at + 3 + 2 * run}" for at, level in enumerate(levels) for run in (0, 1)]
    file = folder / "iperf3.csv"
    file.write_text("\n".join(["queue,mbps", *rows, ""]))
    return import_results(
        file,
        ["queue"],
        ["mbps"],
        folder / "theirs",
        units={"mbps": "Mbit/s"},
        names={"mbps": "throughput"},
    )


def test_words_differ_in_case_and_in_signs_between_them(tmp_path: Path) -> None:
    first, second = ours(), theirs(tmp_path, "Tail", "FQ-CoDel")
    assert spelt_otherwise(first, second) == {"queue": {"Tail": "tail", "FQ-CoDel": "fq_codel"}}
    assert shared_points(first, second) == [(0, 0), (1, 1)]
    (found,) = compare(first, second)
    assert [one.second for one in found.differences] == [4.0, 5.0]
    assert [one.parameters["queue"] for one in found.differences] == ["tail", "fq_codel"]


@pytest.mark.parametrize(
    ("one", "other", "matched"),
    [
        (("tail", "fq_codel"), ("tail", "FQ Codel"), [(0, 0), (1, 1)]),
        (("tail", "fq_codel"), ("FQ-CoDel", "tail"), [(0, 1), (1, 0)]),
        # Two levels of one study have these letters: neither is taken for the other's.
        (("tail", "fq_codel"), ("tail", "FQCODEL", "FQ-CoDel"), [(0, 0)]),
        (("fqcodel", "fq_codel"), ("fqcodel", "FQ-CoDel"), [(0, 0)]),
        # Signs of numbers and of variants with parameters are not spelling.
        (("tail", "-1"), ("tail", "1"), [(0, 0)]),
        (("tail", "{ red = { min = -1 } }"), ("tail", "{ red = { min = 1 } }"), [(0, 0)]),
    ],
)
def test_levels_match_only_without_doubt(
    one: tuple[str, ...], other: tuple[str, ...], matched: list[tuple[int, int]], tmp_path: Path
) -> None:
    assert shared_points(ours(*one), theirs(tmp_path, *other)) == matched


def test_levels_of_both_sides_are_listed_where_none_match(tmp_path: Path) -> None:
    with pytest.raises(StudyError) as raised:
        compare(ours(), theirs(tmp_path, "droptail", "fq"))
    assert str(raised.value) == (
        "the studies have no setting of their factors in common; queue is tail, fq_codel in the "
        "first and droptail, fq in the second; equal levels are expected"
    )


def test_a_response_that_is_defined_otherwise_is_joined_by_name_and_unit(tmp_path: Path) -> None:
    first, second = ours(replications=3), theirs(tmp_path, "FQ-CoDel", "tail")
    both = joined({"ours": first, "theirs": second})
    means = {
        tuple(condition.parameters.values()): known(both.estimate("throughput", point)).mean
        for point, condition in enumerate(both.conditions)
    }
    assert means == {
        ("ours", "tail"): known(first.estimate("throughput", 0)).mean,
        ("ours", "fq_codel"): known(first.estimate("throughput", 1)).mean,
        ("theirs", "fq_codel"): 4.0,
        ("theirs", "tail"): 5.0,
    }
    (queue, study) = both.study.factors
    assert [level.value for level in queue.levels] == ["tail", "fq_codel"]
    assert [level.value for level in study.levels] == ["ours", "theirs"]
    axes = both.plot().axes[0]
    assert axes.get_xlabel() == "queue"
    legends = [text.get_text() for one in axes.figure.legends for text in one.texts]
    assert legends[:2] == [f"{STUDY_FACTOR} = ours", f"{STUDY_FACTOR} = theirs"]
    # Two runs of the other tool are all of its runs: none is missing.
    assert not any("missing" in text for text in legends)


def test_the_commands_say_what_they_take_as_equal(cellway: Command, folder: Path) -> None:
    first = ours()
    first.study.run(folder / "ours")
    theirs(folder, "tail", "FQ-CoDel")
    line = "levels taken as equal: queue FQ-CoDel = fq_codel"
    assert f"note: {line}\n" in cellway("compare", "ours", "theirs").stdout
    data = json.loads(cellway("compare", "ours", "theirs", "--json").stdout)
    assert data["taken_as_equal"] == {"queue": {"FQ-CoDel": "fq_codel"}}
    assert [one["settings"] for one in data["left_out"]] == [[], []]
    drawn = cellway("plot", "ours", "theirs")
    assert (drawn.returncode, drawn.stdout) == (0, "written to ours-theirs.png\n")
    assert f"note: theirs: {line}\n" in drawn.stderr
    definition = first.response("throughput").definition
    assert f"note: theirs: throughput is of {definition}, against column mbps\n" in drawn.stderr
    assert shows_colour(folder / "ours-theirs.png")
    theirs(folder, "a", "b")
    assert "queue is tail, fq_codel in the first and a, b" in refused(
        cellway, "compare", "ours", "theirs"
    )

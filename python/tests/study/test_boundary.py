"""Boundaries between two alternatives against known ones."""

import json
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from cellway import load_study
from cellway.errors import StudyError
from cellway.figures import draw
from cellway.statistics import Estimate, bonferroni, estimate
from cellway.study import Factor
from cellway.study.boundary import Search
from cellway.study.bracket import Bracket, most_places, sign
from common import SMALL, Command, known, refused, text_of
from study.texts import BESIDE, lasting

TEXT = text_of("boundary.toml")
EXACT = 8.0
"""Delay in ms at which 8 KiB over 1 ms more, and 16 KiB over 10 ms more, are equally fast: a window
over twice the delay, 8 / (d + 1) = 16 / (d + 10)."""
OTHER = 0.1
"""Bound in ms of the times that the windows wait for cells, alike on both paths."""


def bisected(where: float, noise: float, seed: int, within: float = 0.02) -> Bracket:
    """A search along a straight difference with normal deviations, six pairs at each place."""
    chance, bracket = random.Random(seed), Bracket(within)
    confidence = bonferroni(0.95, most_places(within))
    while (place := bracket.next_place()) is not None:
        pairs = [chance.gauss(place - where, noise) for _ in range(6)]
        bracket.found[place] = estimate(pairs, confidence)
    return bracket


def test_the_interval_has_a_known_boundary_in_95_of_100_searches() -> None:
    held = 0
    for seed in range(500):
        found = bisected(0.37, 0.05, seed)
        low, high = (0.0 if found.low is None else found.low), known(found.high)
        held += found.has_boundary and low <= 0.37 <= high
        assert len(found.found) <= most_places(0.02)
    assert held >= 0.95 * 500


def test_without_chance_the_interval_is_as_narrow_as_asked() -> None:
    found = bisected(0.37, 1e-9, 1, within=0.001)
    low, high = known(found.low), known(found.high)
    assert low <= 0.37 <= high <= low + 0.001
    assert found.crossing == pytest.approx(0.37, abs=1e-6)


def test_undecided_places_are_searched_on_both_sides() -> None:
    bracket = Bracket(0.1)
    places = []
    while (place := bracket.next_place()) is not None:
        places.append(place)
        decided = abs(place - 0.5) > 0.2
        bracket.found[place] = Estimate(place - 0.5, 0.01 if decided else 1.0, 5)
    assert places[:3] == [0.0, 1.0, 0.5]
    assert known(bracket.low) == pytest.approx(0.25)
    assert known(bracket.high) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("ends", "middle", "exists"),
    [((1.0, 1.0), None, False), ((0.0, 0.0), None, False), ((-1.0, 1.0), 0.5, True)],
)
def test_ends_alike_have_no_boundary(
    ends: tuple[float, float], middle: float | None, exists: bool
) -> None:
    bracket = Bracket(0.1, {0.0: Estimate(ends[0], 0.1, 5), 1.0: Estimate(ends[1], 0.1, 5)})
    assert bracket.has_boundary is exists
    assert bracket.next_place() == middle


def test_a_winner_that_changes_twice_ends_the_search() -> None:
    signs = {0.0: -1.0, 1.0: 1.0, 0.5: 1.0, 0.75: -1.0}
    bracket = Bracket(0.1, {at: Estimate(mean, 0.1, 5) for at, mean in signs.items()})
    assert not bracket.has_boundary
    assert bracket.next_place() is None


def test_equal_differences_are_decided_unless_they_are_0() -> None:
    assert sign(estimate([2.0, 2.0])) == 1
    assert sign(estimate([0.0, 0.0])) == 0
    assert sign(estimate([2.0])) == 0


@pytest.fixture
def study(folder: Path) -> Path:
    (folder / "small.toml").write_text(SMALL)
    (folder / "boundary.toml").write_text(TEXT)
    return folder / "boundary.toml"


def stored(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "runs.sqlite")) as database:
        return int(database.execute("SELECT count(*) FROM runs").fetchone()[0])


def test_the_command_finds_where_two_paths_are_equally_fast(cellway: Command, study: Path) -> None:
    done = cellway("boundary", "boundary.toml", "--plot", "boundary.svg", "--json")
    assert done.stderr == ""
    (line,) = json.loads(done.stdout)["lines"]
    low, high, crossing = (float(line[key].split()[0]) for key in ("low", "high", "crossing"))
    assert low <= EXACT - OTHER < EXACT <= high
    assert high - low < 0.1 * 19.0
    assert crossing == pytest.approx(EXACT, abs=0.4)
    assert line["winners"] == ["near", "far"]
    ends = line["differences"][0], line["differences"][-1]
    assert [(one["at"], one["better"]) for one in ends] == [("1 ms", "near"), ("20 ms", "far")]
    assert (study.parent / "boundary.svg").stat().st_size > 1000
    runs = stored(study.parent / "out" / "boundary-boundary")
    assert runs == line["runs"]
    again = cellway("boundary", "boundary.toml")
    assert "near   " in again.stdout
    assert "the interval holds at 95 % if a line has one boundary" in again.stdout
    assert stored(study.parent / "out" / "boundary-boundary") == runs


def test_a_second_factor_has_a_boundary_at_each_level(cellway: Command, study: Path) -> None:
    study.write_text(
        f'{TEXT}[factor.line]\nkey = "link.right.rate"\nlevels = ["TAXI-100", "OC-3c"]\n'
    )
    done = cellway("boundary", "boundary.toml", "--within", "0.1", "--plot", "boundary.png")
    assert done.stderr == ""
    rows = [line for line in done.stdout.splitlines() if line.startswith(("TAXI-100", "OC-3c"))]
    assert len(rows) == 2
    assert all(" near " in row and " far " in row for row in rows)


def test_ratios_have_the_boundary_of_differences(cellway: Command, study: Path) -> None:
    """Equal alternatives have ratio 1, at the same delay as difference 0.

    At 1 ms the ratio is (16 / 11) / (8 / 2) = 0.364, at 20 ms (16 / 30) / (8 / 21) = 1.4.
    """
    study.write_text(f'{TEXT}transform = "log"\n')
    done = cellway("boundary", "boundary.toml", "--plot", "boundary.svg", "--json")
    assert done.stderr == ""
    (line,) = json.loads(done.stdout)["lines"]
    low, high, crossing = (float(line[key].split()[0]) for key in ("low", "high", "crossing"))
    assert low <= EXACT - OTHER < EXACT <= high
    assert crossing == pytest.approx(EXACT, abs=0.4)
    assert line["winners"] == ["near", "far"]
    ends = line["differences"][0], line["differences"][-1]
    assert [one["ratio"] for one in ends] == pytest.approx([4 / 11, 1.4], rel=0.05)
    assert all({"difference", "half_width"}.isdisjoint(one) for one in ends)
    assert "rate, ratio of far to near" in (study.parent / "boundary.svg").read_text()
    said = cellway("boundary", "boundary.toml").stdout
    assert "far against near along delay, by the ratio of geometric means" in said
    less = json.loads(cellway("boundary", "boundary.toml", "--less", "--json").stdout)["lines"]
    assert less[0]["winners"] == ["far", "near"]
    assert less[0]["differences"][0]["ratio"] == ends[0]["ratio"]


def test_numbers_without_a_logarithm_are_refused_by_name(cellway: Command, study: Path) -> None:
    study.write_text(TEXT.replace("throughput_bits_per_second", "timeouts")
                     .replace('unit = "Mbit/s"', 'transform = "log"'))  # fmt: skip
    said = refused(cellway, "boundary", "boundary.toml")
    assert "response 'rate': 10 runs gave 0 or less, which has no logarithm" in said
    assert "a response without `transform` is expected" in said


def limited(study: Path, most: int) -> None:
    """Cells of a Poisson process make rates vary, more than so many runs can tell apart."""
    rule = f"replications = {{ difference_half_width = 1e-6, min = 2, max = {most} }}"
    text = TEXT.replace('compare = "path"', f'compare = "path"\n{rule}')
    study.write_text(text.replace("10 ms", "2.5 ms"))
    (study.parent / "small.toml").write_text(lasting("200 ms", BESIDE))


def test_a_search_that_the_most_runs_end_says_so_and_where(cellway: Command, study: Path) -> None:
    limited(study, 2)
    said = cellway("boundary", "boundary.toml", "--within", "0.05").stdout
    assert "not as narrow as asked: max, 2 runs each, left the difference undecided at " in said
    (line,) = json.loads(cellway("boundary", "boundary.toml", "--within", "0.05", "--json").stdout)[
        "lines"
    ]
    assert not line["within"]
    assert line["alike"] == []
    assert ", ".join(line["undecided"]) in said


def test_a_search_that_the_width_ends_names_no_max(cellway: Command, study: Path) -> None:
    done = cellway("boundary", "boundary.toml", "--within", "0.3")
    assert "as narrow as asked" not in done.stdout
    (line,) = Search(load_study(study), None, 0.3).run(None).lines
    assert (line.within, line.undecided, line.alike) == (True, (), ())


def test_a_difference_too_small_for_the_rule_is_no_fault_of_max(
    cellway: Command, study: Path
) -> None:
    """Intervals of the whole mean are narrow enough where the difference is not told from 0."""
    limited(study, 4)
    study.write_text(study.read_text().replace("1e-6", "0.9"))
    said = cellway("boundary", "boundary.toml", "--within", "0.05").stdout
    assert "the difference is smaller than the rule asks to see at " in said
    assert "max" not in said


def test_progress_counts_runs_of_all_places_and_the_places(study: Path) -> None:
    told: list[tuple[int, int, str]] = []
    found = Search(load_study(study), None, 0.2).run(None, progress=lambda *one: told.append(one))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[-1][1] == found.lines[0].runs
    assert told[0][2] == f"0 places judged of at most {most_places(0.2)}"
    judged = len(found.lines[0].differences)
    assert told[-1][2].startswith(f"{judged - 1} places judged")


def test_less_may_be_better_and_differences_keep_their_sign(study: Path) -> None:
    """At 1 ms a window of 8 KiB over 2 ms is the faster, 2.2 times as fast as 16 KiB over 11 ms."""
    less = Search(load_study(study), None, 0.2, less=True).run(None).lines[0]
    more = Search(load_study(study), None, 0.2).run(None).lines[0]
    assert less.winners == ("far", "near")
    assert less.differences == more.differences
    assert less.differences[0][1].mean < 0.0 < less.differences[-1][1].mean
    assert more.better[0] == less.better[-1] == "near"


def test_an_interval_has_three_digits_and_is_rounded_outwards(study: Path) -> None:
    found = Search(load_study(study), None, 0.2).run(None)
    (line,) = found.lines
    rough = replace(line, low="7.65432 ms", high="9.87654 ms", crossing="8.00512 ms")
    assert found.interval(rough) == ("7.65 ms", "9.88 ms")
    assert found.rounded(rough.crossing) == "8.01 ms"
    # Three digits would be 7.65 to 7.66 ms, four times as wide as what is known.
    near = replace(line, low="7.65432 ms", high="7.65654 ms")
    assert found.interval(near) == ("7.6543 ms", "7.6566 ms")
    assert found.interval(replace(line, low=None, high=None)) == ("the lower end", "the upper end")


def test_the_figure_has_units_and_a_point_for_each_judged_value(study: Path) -> None:
    found = Search(load_study(study), None, 0.2).run(None)
    (axes,) = draw("boundary", found).axes
    assert axes.get_xlabel() == "delay [ms]\nlink.left.delay"
    assert axes.get_ylabel() == "rate of far minus near [Mbit/s]"
    low, high = found.interval(found.lines[0])
    assert axes.get_title(loc="left").endswith(f"95 % interval {low} to {high}")
    assert len(axes.containers) == len(found.lines[0].differences)


def test_a_line_without_boundary_is_drawn(study: Path) -> None:
    """From 9 ms on the larger window over the longer path is always the faster one."""
    study.write_text(TEXT.replace('from = "1 ms"', 'from = "12 ms"'))
    found = Search(load_study(study), None, 0.2).run(None)
    (axes,) = draw("boundary", found).axes
    assert axes.get_title(loc="left") == "no boundary: far is better at both ends"
    second = '[factor.line]\nkey = "link.right.rate"\nlevels = ["TAXI-100", "OC-3c"]\n'
    study.write_text(f"{study.read_text()}{second}")
    above, below = draw("boundary", Search(load_study(study), None, 0.2).run(None)).axes
    assert len(below.containers) == 2
    assert [tick.get_text() for tick in above.get_xticklabels()] == ["TAXI-100", "OC-3c"]


def test_what_has_no_boundary_is_refused(cellway: Command, study: Path) -> None:
    given = load_study(study)
    with pytest.raises(StudyError, match="`compare` with a factor of two levels is expected"):
        Search(given.replaced(compared=None), None, 0.1)
    window = Factor.of("window", ["flow.bulk.tcp.window"], ["8 KiB", "16 KiB"])
    with pytest.raises(
        StudyError, match="the first with a `range` or `log_range`; there are window"
    ):
        Search(given.replaced(factors=[window, given.factors[1]]), None, 0.1)
    assert "no response 'loss' of runs; there are rate" in refused(
        cellway, "boundary", "boundary.toml", "--response", "loss"
    )
    assert "a share from 0.0001 to below 1 is expected" in refused(
        cellway, "boundary", "boundary.toml", "--within", "2"
    )

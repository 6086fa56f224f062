"""Counts: distinct published numbers and simulations, claims with and without a number."""

from collections.abc import Sequence

import pytest

from cellway.catalogue import Reproduction, Verdict
from cellway.catalogue.rows import Result
from cellway.catalogue.tally import added, simulations, tally
from judged import derived, result, row

NONE = {Verdict.AGREES: 0, Verdict.UNDECIDED: 0, Verdict.BECAUSE: 0, Verdict.DIFFERS: 0}


def of_run(code: str, runs: str, values: Sequence[float], quantity: str = "time") -> Result:
    return result(row(code, quantity=quantity), values, runs=runs)


def test_the_small_paper(small_done: Reproduction) -> None:
    """Three published numbers and one that follows; C1 and C3 with a number; paced and plain."""
    found = small_done.tally
    assert found.numbers == {**NONE, Verdict.AGREES: 1, Verdict.BECAUSE: 1, Verdict.DIFFERS: 1}
    assert found.derived == {**NONE, Verdict.UNDECIDED: 1}
    assert found.claims_with_number == {**NONE, Verdict.AGREES: 1, Verdict.DIFFERS: 1}
    assert found.claims_without == {**NONE, Verdict.BECAUSE: 1}
    assert found.simulations == 2


def test_the_parts_add_up_to_all_verdicts(small_done: Reproduction) -> None:
    found = small_done.tally
    parts = [found.numbers, found.derived, found.claims_with_number, found.claims_without]
    assert added(parts) == small_done.counts


def test_a_number_that_is_in_two_tables_counts_once() -> None:
    first = result(row("R1", 5.0), [5.0], Verdict.AGREES, runs="x")
    again = result(row("R2", 5.0, repeats="R1"), [9.0], Verdict.DIFFERS, runs="y")
    found = tally([first, again], [])
    assert found.numbers == {**NONE, Verdict.AGREES: 1}
    assert found.derived == {**NONE, Verdict.DIFFERS: 1}


def test_what_follows_from_counted_numbers_is_counted_apart_unless_it_says_more() -> None:
    base = result(row("R1", 5.0), [5.0], Verdict.AGREES)
    follows = result(derived("2 * a", {"a": "R1"}, 10.0), [10.0], Verdict.AGREES)
    says_more = result(derived("2 * a", {"a": "R1"}, 10.0, distinct=True), [10.0], Verdict.DIFFERS)
    found = tally([base, follows, says_more], [])
    assert found.numbers == {**NONE, Verdict.AGREES: 1, Verdict.DIFFERS: 1}
    assert found.derived == {**NONE, Verdict.AGREES: 1}


def test_what_was_not_published_is_no_number() -> None:
    found = tally([result(row("R1"), [5.0, 6.0], runs="x")], [])
    assert found.numbers == found.derived == NONE
    assert found.simulations == 1


Rows = list[tuple[str, Sequence[float], str]]
"""The scenario of each row, its numbers by seed, and their quantity."""
LOST, RATE = "lost", "rate"


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        pytest.param([("x", [1, 2], LOST), ("x", [7, 7], RATE)], 1, id="one scenario"),
        # Their texts differ in what changes nothing, such as a threshold that is never reached.
        pytest.param([("x", [1.5, 2.5], RATE), ("y", [1.5, 2.5], RATE)], 1, id="equal in each bit"),
        pytest.param(
            [("x", [1.5, 2.5], RATE), ("y", [1.5, 2.5 + 2**-50], RATE)], 2, id="all bits but one"
        ),
        # Both may fill the same link to the same rate; there is no noise by which to know them.
        pytest.param([("x", [1.5, 1.5], RATE), ("y", [1.5, 1.5], RATE)], 2, id="no seed matters"),
        pytest.param([("x", [1.5, 2.5], LOST), ("y", [1.5, 2.5], RATE)], 2, id="other quantities"),
        # Both lose nothing with one seed, a cell with the next, by chance; their rates differ.
        pytest.param(
            [
                ("x", [0, 1], LOST),
                ("x", [7.1, 7.2], RATE),
                ("y", [0, 1], LOST),
                ("y", [8.1, 8.2], RATE),
            ],
            2,
            id="different in one quantity",
        ),
        pytest.param([("x", [1.5, 2.5, 3.5], RATE), ("y", [1.5, 2.5], RATE)], 1, id="fewer seeds"),
        pytest.param([("x", [1.5, 2.5, 3.5], RATE), ("y", [1.5], RATE)], 2, id="one seed"),
        pytest.param([(name, [1.5, 2.5], RATE) for name in "xyz"], 1, id="three names of one"),
        pytest.param([("", [1.5], RATE)], 0, id="nothing to run"),
    ],
)
def test_systems_that_cannot_be_told_apart_are_one_simulation(rows: Rows, count: int) -> None:
    found = [of_run(f"R{at}", *one) for at, one in enumerate(rows)]
    assert simulations(found) == simulations(found[::-1]) == count


def test_what_follows_is_no_simulation() -> None:
    follows = result(derived("a", {"a": "R1"}), [1.5, 2.5], runs="x")
    assert simulations([follows]) == 0


def test_counts_of_several_papers_are_added() -> None:
    one = {**NONE, Verdict.AGREES: 3, Verdict.DIFFERS: 1}
    assert added([one, one, NONE]) == {**NONE, Verdict.AGREES: 6, Verdict.DIFFERS: 2}

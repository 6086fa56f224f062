"""Counts: distinct published numbers and simulations, claims with and without a number."""

from collections.abc import Sequence

import pytest

from cellway.catalogue import Reproduction, Verdict
from cellway.catalogue.rows import Result
from cellway.catalogue.tally import added, simulations, tally
from common import text_of
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


SIMULATIONS = text_of("simulations.txt").split("\n[")[1:]


@pytest.mark.parametrize("case", SIMULATIONS, ids=lambda case: case.partition("]")[0])
def test_systems_that_cannot_be_told_apart_are_one_simulation(case: str) -> None:
    rows, _, count = case.partition("\n= ")
    found: list[Result] = []
    for line in rows.splitlines()[1:]:
        scenario, quantity, *values = line.split()
        found.append(of_run(f"R{len(found)}", scenario.strip("-"), [*map(float, values)], quantity))
    assert simulations(found) == simulations(found[::-1]) == int(count.split()[0])


def test_what_follows_is_no_simulation() -> None:
    follows = result(derived("a", {"a": "R1"}), [1.5, 2.5], runs="x")
    assert simulations([follows]) == 0


def test_counts_of_several_papers_are_added() -> None:
    one = {**NONE, Verdict.AGREES: 3, Verdict.DIFFERS: 1}
    assert added([one, one, NONE]) == {**NONE, Verdict.AGREES: 6, Verdict.DIFFERS: 2}

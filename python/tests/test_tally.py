"""Counts: distinct published numbers and simulations, claims with and without a number."""

from collections.abc import Sequence

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


def test_rows_of_one_scenario_are_one_simulation() -> None:
    rows = [of_run("R1", "x", [1.0, 2.0], "queue"), of_run("R2", "x", [7.0, 7.0], "rate")]
    assert simulations(rows) == 1


def test_two_scenarios_whose_numbers_are_equal_bit_for_bit_are_one_simulation() -> None:
    """Their texts differ in what changes nothing, such as a threshold that is never reached."""
    assert simulations([of_run("R1", "x", [1.5, 2.5]), of_run("R2", "y", [1.5, 2.5])]) == 1
    assert simulations([of_run("R1", "x", [1.5, 2.5]), of_run("R2", "y", [1.5, 2.5 + 2**-50])]) == 2


def test_two_scenarios_that_no_seed_changes_are_two_though_their_numbers_are_equal() -> None:
    """Both may fill the same link to the same rate; there is no noise by which to know them."""
    assert simulations([of_run("R1", "x", [1.5, 1.5]), of_run("R2", "y", [1.5, 1.5])]) == 2


def test_different_quantities_that_are_equal_say_nothing() -> None:
    assert (
        simulations([of_run("R1", "x", [1.5, 2.5], "queue"), of_run("R2", "y", [1.5, 2.5], "rate")])
        == 2
    )


def test_systems_that_differ_in_any_quantity_are_two() -> None:
    """Both lose nothing with one seed, a cell with the next, by chance; their rates differ."""
    one = [of_run("R1", "x", [0.0, 1.0], "lost"), of_run("R2", "x", [7.1, 7.2], "rate")]
    other = [of_run("R3", "y", [0.0, 1.0], "lost"), of_run("R4", "y", [8.1, 8.2], "rate")]
    assert simulations([*one, *other]) == 2


def test_systems_with_different_numbers_of_replications_are_compared_in_those_they_share() -> None:
    assert simulations([of_run("R1", "x", [1.5, 2.5, 3.5]), of_run("R2", "y", [1.5, 2.5])]) == 1
    assert simulations([of_run("R1", "x", [1.5, 2.5, 3.5]), of_run("R2", "y", [1.5])]) == 2


def test_three_names_of_one_system_are_one_simulation() -> None:
    rows = [of_run(f"R{at}", runs, [1.5, 2.5]) for at, runs in enumerate("xyz")]
    assert simulations(rows) == 1
    assert simulations(rows[::-1]) == 1


def test_what_needs_no_run_is_no_simulation() -> None:
    assert simulations([of_run("R1", "", [1.5])]) == 0
    follows = result(derived("a", {"a": "R1"}), [1.5, 2.5], runs="x")
    assert simulations([follows]) == 0


def test_counts_of_several_papers_are_added() -> None:
    one = {**NONE, Verdict.AGREES: 3, Verdict.DIFFERS: 1}
    assert added([one, one, NONE]) == {**NONE, Verdict.AGREES: 6, Verdict.DIFFERS: 2}

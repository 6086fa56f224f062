"""Quantities by name: where a path leads, and how several numbers become one."""

import re

import pytest

from cellway.runs.quantity import NoNumberError, Quantity
from common import text_of
from faults import listed

TREE = {
    "flows": {
        "bulk[1]": {"rate": 4.0, "timeouts": 1, "finished_s": 2.0},
        "bulk[2]": {"rate": 1.0, "timeouts": 0, "finished_s": None},
        "raw": {"sent": 7},
    },
    "ports": {
        "s.left": {"unit": "cell", "drops": {"overflow": 3}},
        "s.right": {"unit": "cell", "drops": {"overflow": 5}},
    },
    "links": [
        {"name": "left", "delay": 1},
        {"name": "left", "delay": 2},
        {"name": "right", "delay": 4},
    ],
}


def test_the_beginning_of_a_name_and_what_others_call_it_say_what_was_meant() -> None:
    summary = {"flows": {"a": {"throughput_bits_per_second": 1.0, "drops": {"tail": 3, "x": "y"}}}}
    for word, meant in (
        ("throughput", "throughput_bits_per_second"),
        ("goodput", "throughput_bits_per_second"),
        ("lost", "drops.tail"),
    ):
        with pytest.raises(ValueError, match=rf"; did you mean `{meant}`\?$"):
            Quantity(f"flows.a.{word}").of(summary)


def test_a_path_without_a_star_names_one_number_and_names_may_have_dots() -> None:
    assert Quantity("ports.s.right.drops.overflow").of(TREE) == 5
    assert Quantity("flows.bulk[1].rate").of(TREE) == 4.0
    assert Quantity("links.left.delay").of(TREE) == 1


@pytest.mark.parametrize("line", text_of("quantities.txt").splitlines())
def test_a_star_names_several_which_are_joined(line: str) -> None:
    """Fairness of 4 and 1 is 5²/(2 · 17)."""
    quantity, value = line.split(" = ")
    reduce, path = quantity.split(" of ")
    assert Quantity(path, reduce).of(TREE) == pytest.approx(float(value))


ABOVE = {"0": 0.5, "1": 0.2, "99": 0.1, "100": 0.05, "110": 0.0}


@pytest.mark.parametrize(
    ("number", "value"), [("1", 0.2), ("100", 0.05), ("110", 0.0), ("120", 0.0), ("1000", 0.0)]
)
def test_a_queue_was_never_longer_than_what_is_beyond_the_maximum_listed(
    number: str, value: float
) -> None:
    tree = {"ports": {"s.right": {"queue_distribution": {"above": ABOVE}}, "s.left": {}}}
    assert Quantity(f"ports.s.right.queue_distribution.above.{number}").of(tree) == value
    assert Quantity(f"ports.*.queue_distribution.above.{number}", "sum").of(tree) == value


@pytest.mark.parametrize(
    ("number", "neighbours"),
    [("105", "100 and 110"), ("119", "110 and 120"), ("9990", "9900 and 10000")],
)
@pytest.mark.parametrize("above", [ABOVE, {"0": 0.0}])
def test_a_number_between_listed_steps_is_refused(
    number: str, neighbours: str, above: dict[str, float]
) -> None:
    path = f"ports.s.queue_distribution.above.{number}"
    said = f"^the summary has no number at '{re.escape(path)}': .* {neighbours} can be asked for$"
    with pytest.raises(ValueError, match=said):
        Quantity(path).of({"ports": {"s": {"queue_distribution": {"above": above}}}})


def test_other_tables_called_above_have_the_numbers_that_they_have() -> None:
    with pytest.raises(ValueError, match="no number at"):
        Quantity("ports.above.7").of({"ports": {"above": {"5": 1.0}}})


RATES = {"one[1]": 1.0, "two[1]": 3.0, "one[2]": 2.0, "two[2]": 3.0}
SITES = {"flows": {name: {"rate": rate} for name, rate in RATES.items()}}


def test_members_of_a_family_count_as_one() -> None:
    assert Quantity("flows.*.rate", "min", families=True).of(SITES) == 3.0
    jain = Quantity("flows.*.rate", "jain", families=True).of(SITES)
    assert jain == pytest.approx(9.0**2 / (2 * 45.0))


def test_a_number_may_be_multiplied_by_a_fraction() -> None:
    """48/53 of a line is left where cells have headers."""
    assert Quantity("flows.one[1].rate", times=(48, 53)).of(SITES) == 48 / 53
    mean = Quantity("flows.*.rate", "mean", times=(1, 3))
    assert mean.of(SITES) == 0.75
    assert str(mean) == "1/3 of mean of flows.*.rate"
    assert str(Quantity("flows.one[1].rate", times=(2, 2))) == "flows.one[1].rate"
    with pytest.raises(ValueError, match="whole numbers from 1"):
        Quantity("flows.one[1].rate", times=(0, 53))


@pytest.mark.parametrize("path", ["flows.*[*].rate", "flows.one[*].rate"])
def test_members_count_as_one_also_where_the_star_is_for_their_numbers(path: str) -> None:
    assert Quantity(path, "min", families=True).of(SITES) == 1.0 + 2.0


@pytest.mark.parametrize(
    ("weights", "compared", "value"),
    [
        ({"one": 1, "two": 2}, "share_error", 0.0),
        ({"two": 1, "one": 1}, "share_error", 1 / 6),
        ({"one": 1, "two": 0}, "share_error", 2 / 3),
        ({"one": 3.0, "two": 6.0}, "min_ratio", 1.0),
        ({"one": 2.0, "two": 8.0}, "min_ratio", 0.75),
        ({"one": 6.0, "two": 1.0}, "min_ratio", 0.5),
    ],
)
def test_shares_are_compared_with_what_is_due(
    weights: dict[str, float], compared: str, value: float
) -> None:
    """The sites get 3 and 6: what would have to change hands, and who is served worst."""
    due = tuple(weights.items())
    found = Quantity("flows.*.rate", compared, families=True, weights=due).of(SITES)
    assert found == pytest.approx(value)


def test_a_guarantee_of_nothing_has_no_ratio() -> None:
    weights = (("one", 0.0), ("two", 1.0))
    compared = Quantity("flows.*.rate", "min_ratio", families=True, weights=weights)
    with pytest.raises(ValueError, match="weights are above zero"):
        compared.of(SITES)


def test_correlation_is_1_for_what_grows_in_proportion() -> None:
    weights = (("bulk[1]", 40.0), ("bulk[2]", 10.0))
    assert Quantity("flows.*.rate", "correlation", weights=weights).of(TREE) == pytest.approx(1.0)


def test_weights_name_what_is_there() -> None:
    compared = Quantity("flows.*.rate", "share_error", weights=(("bulk[1]", 1.0),))
    said = "`weights` are for bulk[1], and the summary has bulk[1], bulk[2]"
    with pytest.raises(ValueError, match=re.escape(said)):
        compared.of(TREE)


@pytest.mark.parametrize(("reduce", "weights"), [("sum", (("a", 1.0),)), ("share_error", ())])
def test_weights_are_for_what_compares(reduce: str, weights: tuple[tuple[str, float], ...]) -> None:
    said = "`weights` are for share_error, min_ratio, correlation, which need them"
    with pytest.raises(ValueError, match=said):
        Quantity("flows.*.rate", reduce, weights=weights)


def test_fairness_is_1_among_equals_and_1_over_n_when_one_has_everything() -> None:
    """The two ends of the index in Jain, Chiu, Hawe 1984."""
    fairness = Quantity("*", "jain")
    assert fairness.of({"a": 3, "b": 3, "c": 3}) == pytest.approx(1.0)
    assert fairness.of({"a": 3, "b": 0, "c": 0}) == pytest.approx(1.0 / 3.0)
    with pytest.raises(NoNumberError, match=re.escape("the summary has no jain of *: all are 0")):
        fairness.of({"a": 0, "b": 0})


def test_rates_are_added_over_one_interval() -> None:
    """Two flows over 10 Mbit/s for 40 s, one from 20 s on: 7.5 and 5 while active, 10 in all."""
    flows = {
        "bulk[1]": {"throughput_bits_per_second": 7.5e6, "measured_bits_per_second": 7.5e6},
        "bulk[2]": {"throughput_bits_per_second": 5.0e6, "measured_bits_per_second": 2.5e6},
    }
    path = "flows.*.throughput_bits_per_second"
    assert Quantity(path, "sum").of({"flows": flows}) == 10e6
    assert Quantity(path, "max", families=True).of({"flows": flows}) == 10e6
    assert Quantity(path, "mean").of({"flows": flows}) == 6.25e6
    assert Quantity("flows.bulk[2].throughput_bits_per_second").of({"flows": flows}) == 5e6
    weighted = Quantity(path, "min_ratio", families=True, weights=(("bulk", 5e6),))
    assert weighted.of({"flows": flows}) == 2.0


@pytest.mark.parametrize(
    ("path", "reduce", "words"),
    [
        ("flows.*.rate", None, "`reduce` is needed, one of sum, mean, min, max, p50, p95, jain"),
        ("flows.a.rate", "sum", "has no `*`"),
        ("flows.*.rate", "median", "accepted are sum, mean"),
        ("flows..rate", None, "empty name"),
        ("", None, "empty name"),
    ],
)
def test_a_star_and_a_reduction_need_each_other(path: str, reduce: str | None, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Quantity(path, reduce)


@pytest.mark.parametrize(("asked", "words"), listed("quantities"))
def test_what_is_no_number_is_named(asked: str, words: str) -> None:
    """Of several flows, one has not ended."""
    path, _, reduce = asked.partition(" ")
    with pytest.raises(ValueError, match=f"^the summary has no number at {re.escape(words)}"):
        Quantity(path, reduce or None).of(TREE)

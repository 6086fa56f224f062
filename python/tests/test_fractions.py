"""Confounding against the tables of two textbooks."""

from collections.abc import Mapping
from math import prod

import pytest

from cellway.statistics import aliases, sign_table


def short(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.replace(" × ", "") for name in names)


def test_half_a_design_of_four_factors() -> None:
    """Jain, section 19.3, D = ABC: I = ABCD; A = BCD, AB = CD, AC = BD, AD = BC; resolution IV."""
    found = aliases("ABC", {"D": "ABC"})
    assert short(found.words) == ("ABCD",)
    assert found.resolution == 4
    chains = ["A = BCD", "B = ACD", "C = ABD", "AB = CD", "AC = BD", "AD = BC", "D = ABC"]
    assert [" = ".join(short(chain)) for chain in found.chains.values()] == chains
    assert short(tuple(found.chains)) == ("A", "B", "C", "AB", "AC", "BC", "ABC")


def test_the_other_half_is_worse() -> None:
    """Jain, section 19.4: with D = AB, I = ABD and the resolution is III."""
    found = aliases("ABC", {"D": "AB"})
    assert (short(found.words), found.resolution) == (("ABD",), 3)


def test_a_quarter_of_a_design_of_six_factors() -> None:
    """Montgomery, table 8.8: 2^(6-2) with I = ABCE = BCDF = ADEF."""
    found = aliases("ABCD", {"E": "ABC", "F": "BCD"})
    assert set(short(found.words)) == {"ABCE", "BCDF", "ADEF"}
    assert found.resolution == 4
    assert short(found.chains["A"]) == ("A", "BCE", "DEF", "ABCDF")
    assert short(found.chains["A × B"]) == ("AB", "CE", "ACDF", "BDEF")
    assert short(found.chains["A × D"]) == ("AD", "EF", "ABCF", "BCDE")
    assert set(short(found.chains["A × B × D"])) == {"ABD", "CDE", "ACF", "BEF"}


def test_a_saturated_design_of_seven_factors() -> None:
    """Montgomery, section 8.5: 2^(7-4) III has 15 words: 7 of length 3, 7 of 4, one of 7."""
    found = aliases("ABC", {"D": "AB", "E": "AC", "F": "BC", "G": "ABC"})
    lengths = [len(word) for word in short(found.words)]
    assert [lengths.count(length) for length in range(8)] == [0, 0, 0, 7, 7, 0, 0, 1]
    assert found.resolution == 3
    assert short(found.chains["A"])[:4] == ("A", "BD", "CE", "FG")


def test_a_full_design_confounds_nothing() -> None:
    found = aliases(["cache", "memory"], {})
    assert (found.words, found.resolution) == ((), 3)
    names = ("cache", "memory", "cache × memory")
    assert found.chains == {name: (name,) for name in names}


@pytest.mark.parametrize(
    "generators", [{}, {"E": "ABC", "F": "BCD"}, {"E": "AB", "F": "AC", "G": "BCD", "H": "ABCD"}]
)
def test_aliases_are_the_same_column(generators: Mapping[str, str]) -> None:
    runs = sign_table("ABCD", generators)
    found = aliases("ABCD", generators)
    columns = {}
    for chain in found.chains.values():
        own = {
            tuple(prod(run[factor] for factor in name.split(" × ")) for run in runs)
            for name in chain
        }
        assert len(own) == 1
        columns[own.pop()] = chain
    assert len(columns) == 15
    for word in found.words:
        assert {prod(run[factor] for factor in word.split(" × ")) for run in runs} == {1}
    named = sum(len(chain) for chain in found.chains.values()) + len(found.words)
    assert named == 2 ** (4 + len(generators)) - 1


def test_the_first_factor_changes_fastest() -> None:
    runs = [tuple(run.values()) for run in sign_table(["a", "b"])]
    assert runs == [(-1, -1), (1, -1), (-1, 1), (1, 1)]


@pytest.mark.parametrize(
    ("base", "generators", "message"),
    [
        ("", {}, "no factors"),
        ("ABA", {}, "'A' is named twice"),
        ("AB", {"A": "AB"}, "'A' is named twice"),
        ("AB", {"D": "AC"}, r"generator of 'D': 'C' is no base factor \(A, B\)"),
        ("AB", {"D": "A"}, "two or more different"),
        ("AB", {"D": "ABA"}, "two or more different"),
    ],
)
def test_what_is_no_fraction_is_refused(
    base: str, generators: Mapping[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        aliases(base, generators)
    with pytest.raises(ValueError, match=message):
        sign_table(base, generators)

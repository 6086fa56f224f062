"""Expressions of claims: what they come to, and that nothing but arithmetic gets in."""

import re

import pytest

from cellway.catalogue.expression import Expression, Named
from cellway.theory import TwoRatePath, renewal_throughput
from common import text_of

NUMBERS = {Named("a"): 6.0, Named("b"): 4.0, Named("a", "simulated"): 3.0}


@pytest.mark.parametrize("line", text_of("arithmetic.txt").splitlines()[1:])
def test_arithmetic(line: str) -> None:
    text, value = line.split(" = ")
    assert Expression.parse(text).value(NUMBERS.__getitem__) == float(value)


def test_names_are_listed_once_in_their_order() -> None:
    found = Expression.parse("b / a + a.measured * b")
    assert [str(name) for name in found.names] == ["b", "a", "a.measured"]


@pytest.mark.parametrize(
    "text",
    [
        "a ** b", "a // b", "a % b", "+a", "not a", "a < b", "a if b else 1", "a and b", "~a",
        "a @ b", "open('x')", "print(a)", "a()", "a.b.c", "(1).real", "abs.x", "abs", "a[0]", "[a]",
        "(a, b)", "{a}", "'a'", "True", "None", "1j", "...", "lambda: a", "(a := 1)", "f'{a}'",
        "min(*a)", "min(a, key=b)", "[a for a in b]", "__import__('os')", "a b", "a +", "", "a; b",
        "a = b", "a\0", "1e999", "1" * 400, "(" * 300 + "a", "a" * 501,
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"accepted|beyond"):
        Expression.parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a ** b", "'a ** b' is not accepted; accepted are names, numbers, + - * /"),
        ("abs(a, b)", "abs takes one number"),
        ("max(a)", "max takes at least two numbers"),
        ("a +", "'a +' cannot be read"),
    ],
)
def test_the_refusal_says_what_is_accepted(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Expression.parse(text)


def test_a_formula_of_the_theory() -> None:
    found = Expression.parse("100 * (1 - a / alone_optimistic(40, 20, 10, b))")
    model = renewal_throughput(TwoRatePath(40, 20, 10, high_lasts=4.0), "alone")
    assert found.value(NUMBERS.__getitem__) == 100 * (1 - 6.0 / model.efficiency.optimistic)
    with pytest.raises(ValueError, match="abr_optimistic takes 4"):
        Expression.parse("abr_optimistic(40, 20)")


def test_a_zero_divisor_and_an_overflow_are_errors() -> None:
    with pytest.raises(ZeroDivisionError):
        Expression.parse("a / (b - 4)").value(NUMBERS.__getitem__)
    with pytest.raises(OverflowError):
        Expression.parse("a * 1e308").value(NUMBERS.__getitem__)

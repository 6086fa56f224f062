"""Members of a family, and other like things, folded into one row or entry."""

import re
from collections.abc import Mapping, Sequence

_MEMBER = re.compile(r"(.*?)\[(\d+)\](.*)")
_NUMBER = re.compile(r"\[\d+\]")
MOST_NAMED = 3
"""Number of names that are listed where they are not members of one family."""


def together(names: Sequence[str]) -> str:
    """``bulk[1..2, 4..100]`` for these members of `bulk`; names that have no family are listed."""
    names = list(dict.fromkeys(names))
    members = [_MEMBER.fullmatch(name) for name in names]
    if len(names) > 1 and all(members):
        found = [(one[1], int(one[2]), one[3]) for one in members if one]
        families = {(before, behind) for before, _, behind in found}
        if len(families) == 1:
            ((before, behind),) = families
            return f"{before}[{_ranges(sorted(number for _, number, _ in found))}]{behind}"
    shown = ", ".join(names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _ranges(numbers: Sequence[int]) -> str:
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(f"{low}" if low == high else f"{low}..{high}" for low, high in ranges)


def folded(rows: Sequence[Mapping[str, str]], *names: str) -> list[dict[str, str]]:
    """`rows`, with those joined into one that differ only in the numbers of members.

    Args:
        rows: the cells of a table, by title.
        names: titles of the columns that have names of members.
    """
    groups: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for row in rows:
        cells = (without_numbers(row[title]) if title in names else row[title] for title in row)
        groups.setdefault(tuple(cells), []).append(row)
    return [
        {**group[0], **{name: together([row[name] for row in group]) for name in names}}
        for group in groups.values()
    ]


def without_numbers(text: str) -> str:
    """``src[*] > a`` for ``src[3] > a``."""
    return _NUMBER.sub("[*]", text)


def in_common(first: str, last: str) -> str:
    """Text of the first and last member, with differing numbers as ``[*]``."""
    words, others = first.split(" "), last.split(" ")
    if len(words) != len(others):
        return first
    pairs = zip(words, others, strict=True)
    return " ".join(one if one == other else without_numbers(one) for one, other in pairs)

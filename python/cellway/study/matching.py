"""Responses and points that two studies have in common.

Responses match by name and unit. Levels match if they mean the same, such as 1 and 1.0, or 1000
kbit/s and 1 Mbit/s. Words match, too, if they differ only in case, spaces, `-` and `_`, such as
`FQ-CoDel` and `fq_codel`, and if each study has one level of these letters.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cellway.errors import StudyError
from cellway.study.factors import Factor, in_base
from cellway.study.responses import Response
from cellway.study.results import Results

_MOST = 8
"""Most levels of a factor that a message lists."""
_ASIDE = re.compile(r"[-_\s]")
_PARAMETERS = re.compile(r"[={]")
"""Signs of a variant with parameters, which is no word."""


def shared_responses(first: Results, second: Results) -> list[Response]:
    """Responses of the first study that the second has with the same name and unit.

    Raises:
        StudyError: there are none.
    """
    there = {(one.name, one.unit, one.explained) for one in second.study.responses}
    shared = [one for one in first.study.responses if (one.name, one.unit, one.explained) in there]
    if not shared:
        have = " and ".join(
            ", ".join(f"{one.name} in {one.unit}" for one in results.study.responses)
            for results in (first, second)
        )
        raise StudyError(f"no response is in both studies with its unit; they have {have}")
    return shared


def other_definition(response: Response, first: Results, second: Results) -> str:
    """Both definitions of a shared response, if they differ; else empty."""
    ours, theirs = (results.response(response.name).definition for results in (first, second))
    return "" if ours == theirs else f"{ours}, against {theirs}"


def shared_points(first: Results, second: Results) -> list[tuple[int, int]]:
    """Points of both studies at every setting that both have.

    Raises:
        StudyError: they vary other factors, or have no setting in common.
    """
    require_equal_factors(first, second)
    there = enumerate(in_words_of(first, second).conditions)
    known = {setting(condition.parameters): at for at, condition in there}
    points = [
        (at, known[here])
        for at, condition in enumerate(first.conditions)
        if (here := setting(condition.parameters)) in known
    ]
    if not points:
        raise StudyError(
            f"the studies have no setting of their factors in common; {_both_sides(first, second)};"
            " equal levels are expected"
        )
    return points


def require_equal_factors(first: Results, second: Results) -> None:
    """Refuses studies that vary other factors.

    Raises:
        StudyError: they do; the message has the factors of both.
    """
    ours, theirs = (
        [factor.name for factor in results.study.factors] for results in (first, second)
    )
    if sorted(ours) != sorted(theirs):
        raise StudyError(
            f"the studies vary {', '.join(ours) or 'nothing'} and "
            f"{', '.join(theirs) or 'nothing'}; the same factors are expected"
        )


def setting(parameters: Mapping[str, Any]) -> str:
    """Levels as one text, the same for 1 and 1.0 and for 1000 kbit/s and 1 Mbit/s."""
    return repr(sorted((name, in_base(level)) for name, level in parameters.items()))


def require_shared_levels(first: Results, second: Results) -> None:
    """Refuses studies that have no level of any factor in common.

    Raises:
        StudyError: they have none; the message has the levels of both.
    """
    factors = [factor.name for factor in _common(first, second)]
    shared = [_matched(_levels(first, name), _levels(second, name)) for name in factors]
    if any(shared) or not factors:
        return
    raise StudyError(
        f"the studies share no level; {_both_sides(first, second)}; equal levels are expected"
    )


def in_words_of(first: Results, second: Results) -> Results:
    """The second study, with levels that the first has, too, written as they are there."""
    written = {
        factor.name: _matched(_levels(first, factor.name), _levels(second, factor.name))
        for factor in _common(first, second)
    }
    if all(repr(ours) == repr(theirs) for one in written.values() for theirs, ours in one.items()):
        return second
    return replace(
        second,
        study=second.study.replaced(
            factors=[_rewritten(one, written.get(one.name, {})) for one in second.study.factors]
        ),
        conditions=tuple(
            replace(
                condition,
                parameters={
                    name: written.get(name, {}).get(level, level)
                    for name, level in condition.parameters.items()
                },
            )
            for condition in second.conditions
        ),
    )


def spelt_otherwise(first: Results, second: Results) -> dict[str, dict[str, str]]:
    """By factor, words of the second study with those of the first that are taken as equal."""
    found = {
        factor.name: {
            theirs: ours
            for theirs, ours in _matched(
                _levels(first, factor.name), _levels(second, factor.name)
            ).items()
            if in_base(theirs) != in_base(ours)
        }
        for factor in _common(first, second)
    }
    return {name: words for name, words in found.items() if words}


def taken_as_equal(spelt: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A line on levels that `spelt_otherwise` found; none without any."""
    said = [
        f"{factor} {', '.join(f'{theirs} = {ours}' for theirs, ours in words.items())}"
        for factor, words in spelt.items()
    ]
    return [f"levels taken as equal: {'; '.join(said)}"] if said else []


def letters(word: str) -> str:
    """A word without case, spaces, `-` and `_`."""
    return _ASIDE.sub("", word).casefold()


def _common(first: Results, second: Results) -> list[Factor]:
    there = {factor.name for factor in second.study.factors}
    return [factor for factor in first.study.factors if factor.name in there]


def _levels(results: Results, name: str) -> list[Any]:
    return list(dict.fromkeys(results.column(name)))


def _matched(ours: Iterable[Any], theirs: Iterable[Any]) -> dict[Any, Any]:
    """Levels of `theirs` with the equal one of `ours`."""
    known: dict[str, Any] = {}
    for level in ours:
        known.setdefault(repr(in_base(level)), level)
    words, other = _by_letters(ours), _by_letters(theirs)
    alike = {
        spelt[0]: words[letters][0]
        for letters, spelt in other.items()
        if len(spelt) == 1 == len(words.get(letters, ()))
    }
    equal = {level: known[key] for level in theirs if (key := repr(in_base(level))) in known}
    return {**alike, **equal}


def _by_letters(levels: Iterable[Any]) -> dict[str, list[str]]:
    """Levels that are words, by their letters and digits."""
    found: dict[str, list[str]] = {}
    for level in levels:
        if isinstance(in_base(level)[1], str) and not _PARAMETERS.search(level):
            found.setdefault(letters(level), []).append(level)
    found.pop("", None)
    return found


def _rewritten(factor: Factor, written: Mapping[Any, Any]) -> Factor:
    levels = (
        replace(level, value=written[level.shown]) if level.shown in written else level
        for level in factor.levels
    )
    return replace(factor, levels=tuple(levels))


def _both_sides(first: Results, second: Results) -> str:
    """Levels of both studies, of the factors that have none in common if there are such."""
    levels = {
        factor.name: (_levels(first, factor.name), _levels(second, factor.name))
        for factor in first.study.factors
    }
    apart = [name for name, both in levels.items() if not _matched(*both)]
    return "; ".join(
        f"{name} is {_listed(levels[name][0])} in the first and {_listed(levels[name][1])} in the "
        "second"
        for name in apart or levels
    )


def _listed(levels: list[Any]) -> str:
    more = len(levels) - _MOST
    return ", ".join(map(str, levels[:_MOST])) + (f" and {more} more" if more > 0 else "")

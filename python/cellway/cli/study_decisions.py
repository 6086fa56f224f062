"""Words for differences that a stopping rule over a comparison has decided, or not."""

from collections.abc import Callable, Mapping
from math import exp
from typing import Any

from cellway.cli.text import number
from cellway.statistics import DifferenceRule, Estimate, Finding, logarithmic
from cellway.study import Results
from cellway.study.analysis import settings

Words = Callable[[Mapping[str, Any], Estimate], str]
"""Words on a difference from the first level, at the levels of the other factors."""


def decisions(results: Results, name: str) -> Words:
    """Words on each difference of a response; they are empty without such a rule."""
    rule, factor = results.study.replications, results.study.compared
    if not isinstance(rule, DifferenceRule) or factor is None:
        return lambda _others, _found: ""
    points = {_setting(others): at for others, at in settings(results.conditions, factor)}

    def words(others: Mapping[str, Any], found: Estimate) -> str:
        first, at = next(iter(points[_setting(others)].items()))
        mean = results.estimate(name, at)
        runs = min(len(results.runs[one]) for one in points[_setting(others)].values())
        if mean is None or found.repeated:
            return ""
        if results.response(name).transform:
            logarithm = logarithmic(found)
            most = max(map(abs, logarithm.interval or (logarithm.mean,)))
            by = f"a factor of {number(exp(most))}"
            return _said(rule, rule.finding(logarithm, 1.0), first, by, runs)
        by = number(max(map(abs, found.interval or (found.mean,))))
        return _said(rule, rule.finding(found, mean.mean), first, by, runs)

    return words


def _said(rule: DifferenceRule, is_found: Finding, first: str, by: str, runs: int) -> str:
    if is_found is Finding.OPEN:
        why = f": stopped by max, {rule.max} runs each" if runs >= rule.max else ""
        return f"not decided{why}"
    if is_found is not Finding.NARROW:
        return f"decided: {is_found.value} than {first}"
    return f"decided: differs from {first} by {by} at most, ± as narrow as asked"


def _setting(others: Mapping[str, Any]) -> str:
    return repr(sorted(others.items()))

"""Answers of a study in sentences: the best levels, by how much, and what was not decided."""

import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from cellway.cli.study_in_short import by, largest_change
from cellway.cli.text import number
from cellway.statistics import Estimate, exponential
from cellway.study import Response, Results
from cellway.study.decided import undecided
from cellway.study.ranking import Ranking, rankings

_SETTINGS = 6
"""Most settings of the other factors that have a sentence each."""
_LETTERS = 60
"""Most letters of a level."""
METHOD = (
    "± is half of a 95 % interval that holds for all pairs of levels of a setting together; no "
    "difference is seen where it contains 0, or of ratios 1"
)


def answers(results: Results) -> list[str]:
    """Sentences on each simulated response: highest and lowest level, each against the next.

    They are about the compared factor, or without one about that which changes the response most.
    Sampled and incomplete designs have none, and neither have single runs.
    """
    if results.study.sampled or not results.complete:
        return []
    said = [
        line
        for response in results.study.responses
        if not response.explained
        for line in _of_response(results, response)
    ]
    return [_runs(results), *said, *_undecided(results), METHOD] if said else []


def _factor(results: Results, response: Response) -> str | None:
    """The factor whose levels answer the study: the compared one, the only one, or the largest."""
    if results.study.compared is not None:
        return results.study.compared
    varied = [one.name for one in results.study.factors if len(one.levels) > 1]
    if len(varied) == 1:
        return varied[0]
    change = largest_change(results, response)
    return None if change is None else change.factor


def _runs(results: Results) -> str:
    counts = sorted({len(runs) for runs in results.runs})
    each = " to ".join(str(one) for one in dict.fromkeys((counts[0], counts[-1])))
    failed = f", of which {len(results.failed)} failed" if results.failed else ""
    return f"{len(results.records)} runs, {each} at each of {len(results.runs)} points{failed}"


def _of_response(results: Results, response: Response) -> Iterator[str]:
    every = [one for one in results.estimates(response.name) if one is not None]
    if len(every) > 1 and all(one.repeated and one.mean == every[0].mean for one in every):
        yield f"{response.name}: no difference seen; every run gave {_mean(response, every[0])}"
        return
    factor = _factor(results, response)
    found = [] if factor is None else rankings(results, response.name, factor)
    if factor is not None and len(found) > _SETTINGS:
        yield f"{response.name}: {_over_settings(response, factor, found)}"
    elif factor is not None:
        for one in found:
            yield f"{response.name}{_at(one.others)}: {_of_setting(response, factor, one)}"


def _over_settings(response: Response, factor: str, found: list[Ranking]) -> str:
    """Numbers of settings at which each level is the highest."""
    heads = [next(iter(one.differences.items())) for one in found]
    told = Counter(pair[0] for pair, change in heads if _is_told(response, change))
    said = [f"{_short(level)} in {count}" for level, count in told.most_common()]
    rest = len(found) - sum(told.values())
    said += [f"no difference seen between the two highest in {rest}"] if rest else []
    return f"highest level of {factor} in {len(found)} settings: {', '.join(said)}"


def _of_setting(response: Response, factor: str, found: Ranking) -> str:
    levels = list(found.means)
    said = [_end(response, factor, found, (levels[0], levels[1]), "highest")]
    if len(levels) > 2:  # noqa: PLR2004
        said.append(_end(response, factor, found, (levels[-1], levels[-2]), "lowest"))
    return "; ".join(said)


def _end(response: Response, factor: str, found: Ranking, pair: tuple[str, str], word: str) -> str:
    """The level of one end, and its difference to the next."""
    level, beside = pair
    is_lowest = word == "lowest"
    change = found.differences[(beside, level) if is_lowest else pair]
    mean, reference = found.means[level], found.means[beside]
    head = f"{word} with {factor} = {_short(level)}, {_mean(response, mean)}"
    if not _is_told(response, change):
        more = _more(response, found, pair)
        return f"{head}, but no difference seen to {_short(beside)}: {_change(change)}{more}"
    if response.transform is not None:
        ends = (beside, level) if is_lowest else pair
        return f"{head}; {' is '.join([_short(ends[0]), _change(change)])} times {_short(ends[1])}"
    percent = by(mean.mean, reference.mean)
    where = f"{'below' if is_lowest else 'above'} {_short(beside)}"
    return f"{head}, {_change(change)}{percent} {where}{_judged(change)}"


def _more(response: Response, found: Ranking, pair: tuple[str, str]) -> str:
    """Number of further levels from which nothing tells a level."""
    level, beside = pair
    more = [
        both
        for both, change in found.differences.items()
        if level in both and beside not in both and not _is_told(response, change)
    ]
    return f", nor to {len(more)} more" if more else ""


def _is_told(response: Response, change: Estimate) -> bool:
    """True unless the interval of a difference holds none, or there is no interval."""
    if change.repeated:
        return change.mean != _nothing(response)
    least, most = change.interval or (-math.inf, math.inf)
    return not least <= _nothing(response) <= most


def _nothing(response: Response) -> float:
    return 0.0 if response.transform is None else 1.0


def _judged(change: Estimate) -> str:
    """Remark on a difference that is the same in all runs and not known to be exact."""
    is_judged = not change.repeated or change.deterministic
    return "" if is_judged else ", in all runs alike, so without an interval"


def _change(change: Estimate) -> str:
    digits = 2 if change.factor is None else 3
    return f"{number(abs(change.mean), 3)}{change.width(digits)}"


def _mean(response: Response, found: Estimate) -> str:
    unit = "" if response.unit == "1" else f" {response.unit}"
    return f"{number(found.mean)}{unit}"


def _at(others: Mapping[str, Any]) -> str:
    said = ", ".join(f"{name} = {level}" for name, level in others.items())
    return f" at {said}" if said else ""


def _short(level: str) -> str:
    return textwrap.shorten(level, _LETTERS, placeholder="…")


def _undecided(results: Results) -> Iterator[str]:
    """Differences that a stopping rule left open."""
    for others, name, level, found in undecided(results):
        change = found.differences[name, level]
        first = next(str(one.levels[0].shown) for one in results.study.factors
                     if one.name == results.study.compared)  # fmt: skip
        is_ratio = results.response(name).transform is not None
        change, to = (exponential(change), "to") if is_ratio else (change, "less")
        yield (
            f"not decided after {found.replications} runs each, the most allowed: {name}"
            f"{_at(others)}: {_short(level)} {to} {_short(first)} is "
            f"{number(change.mean, 3)}{change.width(3 if is_ratio else 2)}"
        )

"""Exactness of a study's means: widths, short runs, and points where a stopping rule ended."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cellway.statistics import Decision, Outcome, Precision, RunLength, decide
from cellway.study.point_runs import numbers_of

if TYPE_CHECKING:
    from cellway.study.results import Results


def widest(results: "Results") -> str:
    """The widest relative half-width of each response that is simulated."""
    simulated = [one.name for one in results.study.responses if not one.explained]
    return ", ".join(said for name in simulated if (said := _widest(results, name)))


def _widest(results: "Results", name: str) -> str:
    known = [found for found in results.estimates(name) if found is not None]
    widths = [width for one in known if (width := one.relative_half_width) is not None]
    if widths:
        return f"{name} ± {100 * max(widths):.2g} %"
    return f"{name} does not vary" if any(one.repeated for one in known) else ""


def run_length(results: "Results", name: str, point: int) -> RunLength | None:
    """Length of a point's runs against their correlation; `None` where no series says it.

    It is known of means of series. A run that gave no number does not count.
    """
    response = results.response(name)
    runs = results.runs[point]
    numbers = numbers_of(runs, response.definition)
    every = numbers_of(runs, response.worth_definition)
    worths = [one for one, number in zip(every, numbers, strict=True) if number is not None]
    known = [one for one in worths if one is not None]
    if not known or len(known) < len(worths):
        return None
    return RunLength.of(known, truncated=response.truncated)


def short_runs(results: "Results", name: str) -> dict[int, str]:
    """The points whose runs are short for an interval of a response, shortest runs first."""
    lengths: dict[int, float] = {}
    said: dict[int, str] = {}
    for point, found in enumerate(results.estimates(name)):
        length = run_length(results, name, point)
        if found is not None and found.warning and length is not None:
            lengths[point], said[point] = length.worth, found.warning
    return {point: said[point] for point in sorted(said, key=lambda point: lengths[point])}


def inexact(results: "Results") -> dict[int, str]:
    """The points whose means are less exact than the stopping rule asks, and by how much."""
    found = {}
    for point, said in _decisions(results):
        if said.missed:
            widths = {name: said.estimates[name].relative_half_width or 0.0 for name in said.missed}
            found[point] = ", ".join(
                f"{name} ± {100 * width:.2g} %" for name, width in widths.items()
            )
    return found


def unvaried(results: "Results") -> list[int]:
    """The points where the stopping rule ended because nothing varies."""
    return [point for point, said in _decisions(results) if said.outcome is Outcome.UNVARIED]


def _decisions(results: "Results") -> Iterator[tuple[int, Decision]]:
    """The stopping rule's decision for each point that has an interval or could have one."""
    rule = results.study.replications
    if not isinstance(rule, Precision):
        return
    simulated = [one.name for one in results.study.responses if not one.explained]
    for point in range(len(results.conditions)):
        samples = {name: results.values(name, point) for name in simulated}
        counts = {len(values) for values in samples.values()}
        if len(counts) == 1 and min(counts) >= 2:  # noqa: PLR2004
            yield point, decide(samples, rule)

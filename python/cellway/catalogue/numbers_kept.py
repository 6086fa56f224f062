"""Numbers that a paper's figures show, kept with its entry, and a reproduction made from them.

So figures can be drawn again without a run. Each number keeps its mean, half-width, count and
verdict; single values are kept only where a figure of `figures.toml` shows them.
"""

from collections.abc import Mapping
from typing import Any

from cellway.catalogue.claims import Finding
from cellway.catalogue.figures import Curves, Figure, Groups, Places
from cellway.catalogue.published import Derived, Paper, Row
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.verdict import Verdict
from cellway.statistics import Estimate

Kept = Mapping[str, Any]
"""Kept numbers: under ``"numbers"`` and ``"claims"``, by code, mean, half-width, count, verdict,
method and values, the last ones only if they differ from `_USUAL`; ``"quick"`` is true if
everything had one run."""
DIGITS, HALF_WIDTH_DIGITS = 12, 8
"""Digits of kept numbers, far more than a figure shows."""
_USUAL: tuple[Any, ...] = (Verdict.NOT_JUDGED.value, "Student t", [])


def kept_of(reproduction: Reproduction) -> dict[str, Any]:
    """Numbers to keep of a paper that has been run whole, for JSON."""
    shown = {
        code for one in reproduction.paper.figures if isinstance(one, Places) for code in one.rows
    }
    return {
        "quick": reproduction.quick,
        "numbers": {
            one.code: _line(one.ours, one.verdict, one.values if one.code in shown else ())
            for one in reproduction.results
            if one.ours is not None
        },
        "claims": {
            one.code: _line(one.ours, one.verdict, one.values[:1])
            for one in reproduction.findings
            if one.ours is not None
        },
    }


def _line(ours: Estimate, verdict: Verdict, values: tuple[float, ...]) -> list[Any]:
    half_width = None if ours.half_width is None else _rounded(ours.half_width, HALF_WIDTH_DIGITS)
    line = [_rounded(ours.mean), half_width, ours.n]
    further = [verdict.value, ours.method, [*map(_rounded, values)]]
    while further and further[-1] == _USUAL[len(further) - 1]:
        further.pop()
    return line + further


def _rounded(number: float, digits: int = DIGITS) -> float:
    return float(f"{number:.{digits}g}")


def from_kept(paper: Paper, kept: Kept) -> Reproduction:
    """Reproduction of the kept numbers of `paper`, for its figures alone.

    Raises:
        KeyError, TypeError, ValueError: `kept_of` gives no such data.
    """
    results, findings = [], []
    numbers: list[Row | Derived] = [*paper.rows, *paper.derived]
    for number in numbers:
        if number.code in kept["numbers"]:
            ours, verdict, values = _read(kept["numbers"][number.code])
            published = number.published
            difference = (ours.mean - published) / published if published else None
            results.append(Result(number, values, ours, difference, verdict, finished=True))
    for claim in paper.claims:
        if claim.code in kept["claims"]:
            ours, verdict, values = _read(kept["claims"][claim.code])
            findings.append(Finding(claim, values, ours, verdict))
    return Reproduction(
        paper, tuple(results), bool(kept["quick"]), complete=True, findings=tuple(findings)
    )


def _read(line: list[Any]) -> tuple[Estimate, Verdict, tuple[float, ...]]:
    mean, half_width, n, verdict, method, values = (*line, *_USUAL[len(line) - 3 :])
    return Estimate(mean, half_width, n, method), Verdict(verdict), tuple(values)


def needs_runs(figure: Figure, reproduction: Reproduction) -> bool:
    """True if a figure of `figures.toml` shows more than the kept numbers."""
    if isinstance(figure, Groups | Curves):
        return False
    if isinstance(figure, Places):
        found = [reproduction.result(code) for code in figure.rows]
        return not all(one is not None and one.values for one in found)
    return True

"""Failures that follow from other failures: copies of a number, and what is calculated from it."""

from collections.abc import Mapping

from cellway.catalogue.calculation import behind_of, value_of
from cellway.catalogue.claims import Finding
from cellway.catalogue.published import Claim, Derived, Row
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.catalogue.summary import OUTSIDE, differences
from cellway.errors import RunError


def folded(reproduction: Reproduction) -> dict[str, str]:
    """Codes of failures that follow from others, each with the code of the first of those.

    A number that repeats another follows from it. A derived number or a claim follows from the
    numbers behind it if it would agree with the published ones in place of ours where they differ.
    One that does not count follows from one that does, of the same rows.
    """
    ours = {one.code: one for one in reproduction.results}
    found = {one.code: _cause(one, reproduction, ours) for one in differences(reproduction)}
    return {code: _first(cause, found) for code, cause in found.items() if cause is not None}


def _first(code: str, causes: Mapping[str, str | None]) -> str:
    """The failure at the root of a chain of copies."""
    return code if (cause := causes.get(code)) is None else _first(cause, causes)


def _cause(
    one: Result | Finding, reproduction: Reproduction, ours: Mapping[str, Result]
) -> str | None:
    what = one.claim if isinstance(one, Finding) else one.number
    if isinstance(what, Row):
        before = ours.get(what.repeats or "")
        return before.code if before and before.verdict in OUTSIDE else None
    paper = reproduction.paper
    if isinstance(what, Derived) and not what.distinct:
        twin = _twin(what, reproduction)
        if twin is not None:
            return twin
    behind = [ours[code] for code in behind_of(what, paper) if code in ours]
    failed = {one.code: one.number.published for one in behind if one.verdict in OUTSIDE}
    if not failed or any(paper.study(code) for code in what.names.values()):
        return None

    def number(code: str, _part: str | None) -> float:
        published, mean = failed.get(code), ours[code].ours
        if published is None and mean is None:
            raise RunError(f"{code} has no number")
        return published if published is not None else mean.mean if mean else 0.0

    try:
        value = value_of(what, paper, number, "published numbers")
    except RunError:
        return None
    return next(iter(failed)) if _is_inside(what, value) else None


def _twin(what: Derived, reproduction: Reproduction) -> str | None:
    """A failure that counts, of the same rows."""
    paper = reproduction.paper
    rows = paper.rows_of(what.code)
    return next(
        (
            one.code
            for one in reproduction.results
            if isinstance(one.number, Derived)
            and one.number.distinct
            and one.verdict in OUTSIDE
            and paper.rows_of(one.code) == rows
        ),
        None,
    )


def _is_inside(what: Derived | Claim, value: float) -> bool:
    if isinstance(what, Claim):
        least, most = what.expected.min, what.expected.max
        return (least is None or least <= value) and (most is None or value <= most)
    if what.published is None or what.tolerance is None or what.distinct:
        return False
    return abs(value - what.published) <= what.tolerance.reach(what.published)

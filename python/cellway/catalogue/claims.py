"""Claims: statements of a paper on its numbers, calculated from ours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cellway.catalogue.calculation import behind_of, calculate, name_fault, published_part, value_of
from cellway.catalogue.expression import Named
from cellway.catalogue.published import Claim, Derived, Paper, PublishedStudy
from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import Verdict, judge
from cellway.errors import CatalogueError, RunError
from cellway.statistics import Estimate
from cellway.study import Results
from cellway.text.document import Table


@dataclass(frozen=True)
class Finding:
    """A claim with our value.

    Attributes:
        claim: the claim of the paper.
        values: ours by seed from 1, in `claim.unit`; empty if it was calculated on the means of a
            study.
        ours: their mean with its 95 % half-width, or the value on the means, without one; without
            one, too, if all runs behind it are deterministic; `None` if a row that it needs was
            interrupted or failed.
        verdict: the verdict.
    """

    claim: Claim
    values: tuple[float, ...]
    ours: Estimate | None
    verdict: Verdict

    @property
    def code(self) -> str:
        """Code of the claim."""
        return self.claim.code

    @property
    def finished(self) -> bool:
        """True if all runs that it needs have finished."""
        return self.ours is not None

    @property
    def deterministic(self) -> bool:
        """True if the seed changes nothing in the runs behind it."""
        return self.ours is not None and self.ours.deterministic

    @property
    def on_means(self) -> bool:
        """True if it was calculated on means of a study."""
        return self.finished and not self.values

    def text(self, number: Callable[[float], str]) -> str:
        """Value with its interval, unit and number of seeds, with the mean written by `number`."""
        if self.ours is None:
            return "–"
        width = "" if self.ours.half_width is None else f" ± {self.ours.half_width:.2g}"
        seeds = "of means" if self.on_means else self.ours.counted
        return f"{self.claim.measured(f'{number(self.ours.mean)}{width}')} ({seeds})"

    def as_data(self) -> dict[str, Any]:
        """Claim with our numbers, in its unit, and the verdict, for JSON."""
        claim = self.claim
        return {
            "code": claim.code,
            "table": claim.table,
            "claim": claim.text,
            "names": dict(claim.names),
            "value": claim.value.text,
            "unit": claim.unit,
            "values": list(self.values),
            "mean": self.ours.mean if self.ours else None,
            "half_width": self.ours.half_width if self.ours else None,
            "n": len(self.values),
            "deterministic": self.deterministic,
            "method": self.ours.method if self.ours else None,
            "on_means": self.on_means,
            "published": claim.published,
            "min": claim.expected.min,
            "max": claim.expected.max,
            "verdict": self.verdict.value,
            "finished": self.finished,
        }


def check(what: Claim | Derived, paper: Paper, table: Table) -> None:
    """Refuses names that have no code of `paper`, are not used, or lack a published number.

    Args:
        what: read from `table`.
        paper: the paper that has its names.
        table: the place of the fault.

    Raises:
        CatalogueError: a name is refused; the message has the place and what would be accepted.
    """
    for name, code in what.names.items():
        if (said := name_fault(name, what.value.names)) is not None:
            table.fail_at(("names", name), said, at_key=True)
        try:
            _ = paper.study(code) or paper.number(code)
        except CatalogueError as error:
            table.fail_at(("names", name), str(error))
        if isinstance(what, Derived) and code not in {row.code for row in paper.rows}:
            table.fail_at(("names", name), "a number is derived from rows")
    for named in what.value.names:
        if named.name not in what.names:
            table.fail(
                f"no name {named.name!r} in `names`; it has {', '.join(what.names)}", "value"
            )
        try:
            _check_part(named, what, paper)
        except CatalogueError as error:
            table.fail(str(error), "value")
    if isinstance(what, Claim) and bool(studies_behind(what, paper)) != (what.reduce is not None):
        table.fail(
            "with a study in `value`, and only then, `reduce` says which of its points counts"
        )


def _check_part(named: Named, what: Claim | Derived, paper: Paper) -> None:
    """Checks the text after the dot: a response of a study, or a published number of a row."""
    entry = paper.study(what.names[named.name])
    if entry is None:
        if named.part is not None:
            published_part(paper, what, named)
        return
    known = [response.name for response in entry.study.responses]
    if named.part not in known:
        accepted = ", ".join(f"{named.name}.{name}" for name in known)
        raise CatalogueError(f"study {entry.code} has no {named}; accepted are {accepted}")


def studies_behind(claim: Claim, paper: Paper) -> tuple[PublishedStudy, ...]:
    """The studies whose runs the claim needs."""
    codes = dict.fromkeys(claim.names.values())
    return tuple(entry for code in codes if (entry := paper.study(code)) is not None)


def judge_claim(
    claim: Claim, paper: Paper, results: Mapping[str, Result], studies: Mapping[str, Results]
) -> Finding:
    """Calculates the claim seed by seed, or point by point of a study, and judges it.

    Args:
        claim: of `paper`.
        paper: the paper that has its names.
        results: by code, of all rows and derived numbers behind the claim.
        studies: by code, of all `studies_behind` it.

    Raises:
        RunError: the value divides by zero or is not finite.
    """
    behind = {code: results[code] for code in behind_of(claim, paper)}
    swept = [studies[entry.code] for entry in studies_behind(claim, paper)]
    swept_whole = all(one.complete and not one.failed for one in swept)
    if not swept_whole or not all(result.finished for result in behind.values()):
        return Finding(claim, (), None, Verdict.NOT_JUDGED)
    values: tuple[float, ...] = ()
    if swept:
        at_points = _at_points(claim, paper, behind, studies)
        ours = Estimate(max(at_points) if claim.reduce == "max" else min(at_points), None, 1)
    else:
        values, ours = calculate(claim, paper, behind)
    expected = claim.expected
    verdict = judge(ours, expected.min, expected.max) if expected.judged else Verdict.NOT_JUDGED
    return Finding(claim, values, ours, verdict)


def _at_points(
    claim: Claim, paper: Paper, behind: Mapping[str, Result], studies: Mapping[str, Results]
) -> list[float]:
    """Values at all points of the studies, which have equally many."""
    means = {code: result.ours.mean for code, result in behind.items() if result.ours}
    swept = {entry.code: studies[entry.code] for entry in studies_behind(claim, paper)}
    points = {len(results.conditions) for results in swept.values()}
    if len(points) > 1:
        raise CatalogueError(f"claim {claim.code}: its studies have different numbers of points")

    def at(point: int) -> float:
        def number(code: str, part: str | None) -> float:
            if code not in swept:
                return means[code]
            found = swept[code].estimate(part or "", point)
            if found is None:
                raise RunError(f"claim {claim.code}: point {point + 1} of {code} has no {part}")
            return found.mean

        return value_of(claim, paper, number, f"point {point + 1}")

    return [at(point) for point in range(points.pop())]

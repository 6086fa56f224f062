"""Claims: what a paper says of its numbers, calculated from ours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cellway.catalogue.expression import FUNCTIONS, Named
from cellway.catalogue.published import Claim, Paper, PublishedStudy, Row
from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import Verdict, judge_range
from cellway.document import Table
from cellway.errors import CatalogueError, RunError
from cellway.statistics import Estimate, estimate
from cellway.study import Results

PARTS = ("simulated", "measured")
"""What may stand behind the dot of a name: the numbers that were published."""


@dataclass(frozen=True)
class Finding:
    """A claim with our value.

    Attributes:
        claim: what the paper says.
        values: ours by seed from 1, in `claim.unit`; none when it was calculated on the means.
        ours: their mean with its 95 % half-width, or the value on the means, without one, as where all runs
            behind it are deterministic; `None` when a row that it needs was interrupted or failed.
        verdict: what it comes to.
    """

    claim: Claim
    values: tuple[float, ...]
    ours: Estimate | None
    verdict: Verdict

    @property
    def finished(self) -> bool:
        """Whether all runs that it needs are in."""
        return self.ours is not None

    @property
    def deterministic(self) -> bool:
        """Whether the seed changes nothing in the runs behind it."""
        return self.ours is not None and self.ours.deterministic

    @property
    def on_means(self) -> bool:
        """Whether it was calculated on means: of a study, or of rows with different replications."""
        return self.finished and not self.values

    def text(self, number: Callable[[float], str]) -> str:
        """The value with its interval, unit and number of seeds, the mean written by `number`."""
        if self.ours is None:
            return "–"
        width = "" if self.ours.half_width is None else f" ± {self.ours.half_width:.2g}"
        seeds = "of means" if self.on_means else self.ours.counted
        return f"{self.claim.measured(f'{number(self.ours.mean)}{width}')} ({seeds})"


def check(claim: Claim, paper: Paper, table: Table) -> None:
    """Refuses names that stand for nothing in `paper`, are not used, or lack a published number.

    Args:
        claim: read from `table`.
        paper: where its names are looked up.
        table: where the complaint stands.

    Raises:
        CatalogueError: what is wrong, where, and what would be accepted.
    """
    for name, code in claim.names.items():
        _check_name(name, claim, table)
        try:
            _ = paper.study(code) or paper.row(code)
        except CatalogueError as error:
            table.fail_at(("names", name), str(error))
    for named in claim.value.names:
        if named.name not in claim.names:
            table.fail(f"no name {named.name!r} in `names`; it has {', '.join(claim.names)}", "value")
        try:
            _check_part(named, claim, paper)
        except CatalogueError as error:
            table.fail(str(error), "value")
    if bool(studies_behind(claim, paper)) != (claim.reduce is not None):
        table.fail("with a study in `value`, and only then, `reduce` says which of its points counts")


def _check_name(name: str, claim: Claim, table: Table) -> None:
    said = None
    if not name.isidentifier() or name in FUNCTIONS:
        said = f"{name!r} cannot be a name; words other than {', '.join(FUNCTIONS)} can"
    elif name not in {named.name for named in claim.value.names}:
        said = f"`value` does not use the name {name}; it is not needed in `names`"
    if said is not None:
        table.fail_at(("names", name), said, at_key=True)


def _check_part(named: Named, claim: Claim, paper: Paper) -> None:
    """What stands behind the dot: a response of a study, or a published number of a row."""
    entry = paper.study(claim.names[named.name])
    if entry is None:
        if named.part is not None:
            _published(paper, claim, named)
        return
    known = [response.name for response in entry.study.responses]
    if named.part not in known:
        accepted = ", ".join(f"{named.name}.{name}" for name in known)
        raise CatalogueError(f"study {entry.code} has no {named}; accepted are {accepted}")


def rows_behind(claim: Claim, paper: Paper) -> tuple[Row, ...]:
    """The rows whose runs the claim needs; of others it uses published numbers only."""
    codes = dict.fromkeys(claim.names[named.name] for named in claim.value.names if named.part is None)
    return tuple(paper.row(code) for code in codes if paper.study(code) is None)


def studies_behind(claim: Claim, paper: Paper) -> tuple[PublishedStudy, ...]:
    """The studies whose runs the claim needs."""
    codes = dict.fromkeys(claim.names.values())
    return tuple(entry for code in codes if (entry := paper.study(code)) is not None)


def settle(
    claim: Claim, paper: Paper, results: Mapping[str, Result], studies: Mapping[str, Results]
) -> Finding:
    """The claim, calculated and judged.

    Seed by seed when all its rows have the same number of values, those with a single value aside: runs of
    one seed share their random numbers, so what they share cancels in a quotient or a difference.

    Args:
        claim: of `paper`.
        paper: where its names are looked up.
        results: by code, of all `rows_behind` the claim.
        studies: by code, of all `studies_behind` it.

    Raises:
        RunError: the value divides by zero or is not finite.
    """
    behind = {row.code: results[row.code] for row in rows_behind(claim, paper)}
    swept = [studies[entry.code] for entry in studies_behind(claim, paper)]
    swept_whole = all(one.complete and not one.failed for one in swept)
    if not swept_whole or not all(result.finished for result in behind.values()):
        return Finding(claim, (), None, Verdict.NOT_JUDGED)
    counts = {len(result.values) for result in behind.values()} - {1}
    values: tuple[float, ...] = ()
    if swept:
        at_points = _at_points(claim, paper, behind, studies)
        ours = Estimate(max(at_points) if claim.reduce == "largest" else min(at_points), None, 1)
    elif len(counts) > 1:
        means = {code: result.ours.mean for code, result in behind.items() if result.ours}
        ours = Estimate(_value(claim, paper, _of_rows(means), "the means"), None, 1)
    else:
        values = tuple(
            _value(
                claim,
                paper,
                _of_rows({code: _of_seed(one, at) for code, one in behind.items()}),
                f"seed {at + 1}",
            )
            for at in range(max(counts, default=1))
        )
        exact = [one.deterministic or one.row.explained for one in behind.values()]
        known = any(one.deterministic for one in behind.values()) and all(exact)
        ours = estimate(values, deterministic=known)
    expected = claim.expected
    verdict = judge_range(ours.mean, expected.least, expected.most, explained=claim.because is not None)
    return Finding(claim, values, ours, verdict)


def _at_points(
    claim: Claim, paper: Paper, behind: Mapping[str, Result], studies: Mapping[str, Results]
) -> list[float]:
    """The value at every point of the studies, which have equally many."""
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

        return _value(claim, paper, number, f"point {point + 1}")

    return [at(point) for point in range(points.pop())]


def _of_rows(numbers: Mapping[str, float]) -> Callable[[str, str | None], float]:
    return lambda code, _part: numbers[code]


def _of_seed(result: Result, at: int) -> float:
    return result.values[0 if len(result.values) == 1 else at]


def _value(claim: Claim, paper: Paper, ours: Callable[[str, str | None], float], when: str) -> float:
    """The value with `ours` by code and part, for `when` in messages."""

    def number(named: Named) -> float:
        code = claim.names[named.name]
        if named.part is None or paper.study(code) is not None:
            return ours(code, named.part)
        return _published(paper, claim, named)

    try:
        return claim.value.value(number)
    except (ZeroDivisionError, OverflowError) as error:
        numbers = ", ".join(f"{named} = {number(named):g}" for named in claim.value.names)
        raise RunError(
            f"claim {claim.code}: {claim.value.text} of {when} has no finite value: {numbers}"
        ) from error


def _published(paper: Paper, claim: Claim, named: Named) -> float:
    row = paper.row(claim.names[named.name])
    published = {part: getattr(row, part) for part in PARTS}
    there = [f"{named.name}.{part}" for part in PARTS if published[part] is not None]
    value = published.get(named.part or "")
    if value is None:
        accepted = ", ".join([named.name, *there])
        raise CatalogueError(f"row {row.code} has no {named}; accepted are {accepted}")
    return float(value)

"""Claims: what a paper says of its numbers, calculated from ours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cellway.catalogue.expression import FUNCTIONS, Named
from cellway.catalogue.published import Claim, Paper, Row
from cellway.catalogue.rows import Result
from cellway.catalogue.verdict import Verdict, judge_range
from cellway.document import Table
from cellway.errors import CatalogueError, RunError
from cellway.statistics import Estimate, estimate

PARTS = ("simulated", "measured")
"""What may stand behind the dot of a name: the numbers that were published."""


@dataclass(frozen=True)
class Finding:
    """A claim with our value.

    Attributes:
        claim: what the paper says.
        values: ours by seed from 1, in `claim.unit`; none when it was calculated on the means.
        ours: their mean with its 95 % half-width, or the value on the means, without one; `None` when a row
            that it needs was interrupted.
        verdict: what it comes to.
    """

    claim: Claim
    values: tuple[float, ...]
    ours: Estimate | None
    verdict: Verdict

    @property
    def finished(self) -> bool:
        """Whether all rows that it needs are in."""
        return self.ours is not None

    @property
    def on_means(self) -> bool:
        """Whether it was calculated on means, since its rows have different numbers of replications."""
        return self.finished and not self.values

    def text(self, number: Callable[[float], str]) -> str:
        """The value with its interval, unit and number of seeds, the mean written by `number`."""
        if self.ours is None:
            return "–"
        width = "" if self.ours.half_width is None else f" ± {self.ours.half_width:.2g}"
        seeds = "of means" if self.on_means else str(self.ours.n)
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
            _row(paper, code)
        except CatalogueError as error:
            table.fail_at(("names", name), str(error))
    for named in claim.value.names:
        if named.name not in claim.names:
            table.fail(f"no name {named.name!r} in `names`; it has {', '.join(claim.names)}", "value")
        if named.part is not None:
            try:
                _published(paper, claim, named)
            except CatalogueError as error:
                table.fail(str(error), "value")


def _check_name(name: str, claim: Claim, table: Table) -> None:
    said = None
    if not name.isidentifier() or name in FUNCTIONS:
        said = f"{name!r} cannot be a name; words other than {', '.join(FUNCTIONS)} can"
    elif name not in {named.name for named in claim.value.names}:
        said = f"`value` does not use the name {name}; it is not needed in `names`"
    if said is not None:
        table.fail_at(("names", name), said, at_key=True)


def rows_behind(claim: Claim, paper: Paper) -> tuple[Row, ...]:
    """The rows whose runs the claim needs; of others it uses published numbers only."""
    codes = dict.fromkeys(claim.names[named.name] for named in claim.value.names if named.part is None)
    return tuple(_row(paper, code) for code in codes)


def settle(claim: Claim, paper: Paper, results: Mapping[str, Result]) -> Finding:
    """The claim, calculated and judged.

    Seed by seed when all its rows have the same number of values, those with a single value aside: runs of
    one seed share their random numbers, so what they share cancels in a quotient or a difference.

    Args:
        claim: of `paper`.
        paper: where its names are looked up.
        results: by code, of all `rows_behind` the claim.

    Raises:
        RunError: the value divides by zero or is not finite.
    """
    behind = {row.code: results[row.code] for row in rows_behind(claim, paper)}
    if not all(result.finished for result in behind.values()):
        return Finding(claim, (), None, Verdict.NOT_JUDGED)
    counts = {len(result.values) for result in behind.values()} - {1}
    if len(counts) > 1:
        means = {code: result.ours.mean for code, result in behind.items() if result.ours}
        ours = Estimate(_value(claim, paper, means, "the means"), None, 1)
        values: tuple[float, ...] = ()
    else:
        seeds = range(max(counts, default=1))
        values = tuple(
            _value(claim, paper, {code: _of_seed(one, at) for code, one in behind.items()}, f"seed {at + 1}")
            for at in seeds
        )
        ours = estimate(values)
    expected = claim.expected
    verdict = judge_range(ours.mean, expected.least, expected.most, explained=claim.because is not None)
    return Finding(claim, values, ours, verdict)


def _of_seed(result: Result, at: int) -> float:
    return result.values[0 if len(result.values) == 1 else at]


def _value(claim: Claim, paper: Paper, ours: Mapping[str, float], when: str) -> float:
    """The value with `ours` by code, for `when` in messages."""

    def number(named: Named) -> float:
        return ours[claim.names[named.name]] if named.part is None else _published(paper, claim, named)

    try:
        return claim.value.value(number)
    except (ZeroDivisionError, OverflowError) as error:
        numbers = ", ".join(f"{named} = {number(named):g}" for named in claim.value.names)
        raise RunError(
            f"claim {claim.code}: {claim.value.text} of {when} has no finite value: {numbers}"
        ) from error


def _row(paper: Paper, code: str) -> Row:
    """What a name stands for: the one place that knows what codes names can have."""
    return paper.row(code)


def _published(paper: Paper, claim: Claim, named: Named) -> float:
    row = _row(paper, claim.names[named.name])
    published = {part: getattr(row, part) for part in PARTS}
    there = [f"{named.name}.{part}" for part in PARTS if published[part] is not None]
    value = published.get(named.part or "")
    if value is None:
        accepted = ", ".join([named.name, *there])
        raise CatalogueError(f"row {row.code} has no {named}; accepted are {accepted}")
    return float(value)

"""Boundary between two alternatives over one or two numeric factors of a study, by bisection.

The alternatives are the two levels of the compared factor. The first other factor with a range is
bisected, and a second one is taken at its levels, each with a boundary of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context
from pathlib import Path
from typing import Any

from cellway.errors import StudyError
from cellway.statistics import (
    DifferenceRule,
    Estimate,
    Finding,
    bonferroni,
    exponential,
    logarithmic,
)
from cellway.study.bracket import Bracket, most_places, sign
from cellway.study.campaign import run_studies
from cellway.study.design import Design
from cellway.study.factors import DIGITS as MOST_DIGITS
from cellway.study.factors import Factor, Level
from cellway.study.responses import Response
from cellway.study.results import Results
from cellway.study.study import Progress, Study

RULE = DifferenceRule(0.01, min=5, max=40)
"""Rule of a study without one: a difference of less than 1 % of the mean counts as none."""
WITHIN = 0.02
"""Width of the last gap, as a share of the range."""
DIGITS = 3
"""Significant digits of a boundary."""
WIDER = 1.1
"""Most by which rounding widens an interval."""


@dataclass(frozen=True)
class Line:
    """A boundary along the bisected factor.

    Attributes:
        level: of the second factor; `None` without one.
        low: the last value of the bisected factor at which the alternative of its lower end wins;
            `None` if nothing is decided there.
        high: the first value at which that of its upper end wins; `None` likewise.
        crossing: the value between both at which the interpolated difference is 0.
        winners: the better alternative at the lower and the upper end; `None` for an undecided one.
        exists: false if one alternative wins at both ends, or verdicts change more than once.
        runs: number of runs behind it.
        within: true if the interval is as narrow as asked.
        undecided: values of the bisected factor at which the most runs decided nothing.
        alike: those at which the difference is no larger than the rule asks to see.
        differences: by value of the bisected factor, in its order, the second alternative minus the
            first, in the unit of the response; intervals hold together with all others. Of a
            response with `transform` the ratio of the second to the first.
        better: the better alternative at each of these values; `None` for an undecided one.
    """

    level: Any
    low: Any
    high: Any
    crossing: Any
    winners: tuple[str | None, str | None]
    exists: bool
    runs: int
    within: bool
    undecided: tuple[Any, ...]
    alike: tuple[Any, ...]
    differences: tuple[tuple[Any, Estimate], ...]
    better: tuple[str | None, ...]
    is_ratio: bool = False

    @property
    def why_none(self) -> str:
        """Reason why there is no boundary, where none exists."""
        first, last = self.winners
        if first != last:
            return "several boundaries: the better one changes more than once"
        if first is None:
            return "neither end is decided"
        return f"no boundary: {first} is better at both ends"

    def as_data(self) -> dict[str, Any]:
        """The line for JSON, numbers with all digits."""
        return {
            "level": self.level,
            "low": self.low,
            "high": self.high,
            "crossing": self.crossing,
            "winners": list(self.winners),
            "exists": self.exists,
            "runs": self.runs,
            "within": self.within,
            "undecided": list(self.undecided),
            "alike": list(self.alike),
            "differences": [
                {
                    "at": at,
                    "ratio" if self.is_ratio else "difference": found.mean,
                    **(
                        {"factor": found.factor}
                        if self.is_ratio
                        else {"half_width": found.half_width}
                    ),
                    "n": found.n,
                    "better": better,
                }
                for (at, found), better in zip(self.differences, self.better, strict=True)
            ],
        }


@dataclass(frozen=True)
class Boundary:
    """Boundary between the two levels of the compared factor.

    Attributes:
        response: the compared one.
        factor: the bisected one.
        second: the other one; `None` without.
        levels: the alternatives, the first and the second.
        lines: a boundary for each level of the second factor.
        most: replications after which a place is left undecided.
    """

    response: Response
    factor: Factor
    second: Factor | None
    levels: tuple[str, str]
    lines: tuple[Line, ...]
    most: int

    def interval(self, line: Line) -> tuple[str, str]:
        """Ends of the boundary's interval, rounded outwards, so that it holds as before.

        They have three digits, and more where these would widen it by more than a tenth.
        """
        ends = [None if at is None else self.factor.number(at) for at in (line.low, line.high)]
        low, high = ends
        digits = DIGITS
        if low is not None and high is not None:
            widths = {n: _round(high, n, ROUND_CEILING) - _round(low, n, ROUND_FLOOR)
                      for n in range(DIGITS, MOST_DIGITS + 1)}  # fmt: skip
            narrow = [n for n, width in widths.items() if width <= WIDER * (high - low)]
            digits = narrow[0] if narrow else MOST_DIGITS
        return (
            "the lower end" if low is None else self._with_unit(_round(low, digits, ROUND_FLOOR)),
            "the upper end"
            if high is None
            else self._with_unit(_round(high, digits, ROUND_CEILING)),
        )

    def rounded(self, value: object) -> str:
        """A value of the bisected factor with three digits and its unit."""
        number = self.factor.number(value)
        return "–" if number is None else self._with_unit(_round(number, DIGITS))

    def _with_unit(self, number: float) -> str:
        return f"{number:g} {self.factor.unit}" if self.factor.unit else f"{number:g}"


class Search:
    """A search for a boundary; it makes the runs of one place of each line at a time."""

    def __init__(
        self, study: Study, response: str | None, within: float, *, less: bool = False
    ) -> None:
        """Refuses a study that has no such boundary.

        Args:
            study: it compares two levels, and varies one or two other factors.
            response: name of the response; `None` for the first.
            within: width of the last gap, as a share of the range.
            less: true if less is better.

        Raises:
            StudyError: it has no such factors, or no such response.
        """
        self.compared, self.factor, self.second = _factors(study)
        named = {one.name: one for one in study.responses if not one.explained}
        self.response = response or next(iter(named), "")
        if self.response not in named:
            raise StudyError(f"no response {self.response!r} of runs; there are {', '.join(named)}")
        self._response = named[self.response]
        self._study = study
        self._within = within
        self._sign = -1.0 if less else 1.0
        levels = (None,) if self.second is None else self.second.levels
        self.lines = [(level, Bracket(within)) for level in levels]
        self._runs = [0] * len(self.lines)
        self._findings: list[dict[float, Finding]] = [{} for _ in self.lines]

    @property
    def rule(self) -> DifferenceRule:
        """Rule at each place, with which all verdicts hold together."""
        given = self._study.replications
        rule = given if isinstance(given, DifferenceRule) else RULE
        places = most_places(self._within) * len(self.lines)
        return replace(rule, confidence=bonferroni(rule.confidence, places))

    def run(
        self, out: Path | None, workers: int | None = None, progress: Progress | None = None
    ) -> Boundary:
        """Judges places until the boundary is near enough; runs in `out` are not made again.

        Raises:
            StudyError, StoreError: as `Study.run`.
            KeyboardInterrupt: it was stopped; finished runs are kept.
        """
        while wanted := [
            (at, place)
            for at, (_, bracket) in enumerate(self.lines)
            if (place := bracket.next_place()) is not None
        ]:
            studies = [self._at(self.lines[at][0], place) for at, place in wanted]
            done = run_studies(studies, out, workers, self._told(progress))
            for (at, place), results in zip(wanted, done, strict=True):
                if not results.complete:
                    raise KeyboardInterrupt
                found = self._difference(results)
                self._findings[at][place] = self._finding(found, results)
                self.lines[at][1].found[place] = self._turned(found)
                self._runs[at] += len(results.records)
        return self._boundary()

    def _told(self, progress: Progress | None) -> Progress | None:
        """`progress` with all runs so far, and the number of judged places in place of widths."""
        if progress is None:
            return None
        before, places = sum(self._runs), sum(len(found) for found in self._findings)
        most = most_places(self._within) * len(self.lines)
        text = f"{places} places judged of at most {most}"
        return lambda done, every, _: progress(before + done, before + every, text)

    def _at(self, level: Level | None, place: float) -> Study:
        """The study of both alternatives at one place."""
        pinned = [(self.factor, self.factor.sampled(place))]
        pinned += [(self.second, level)] if self.second is not None and level is not None else []
        factors = [Factor(one.name, (at,), keys=one.keys) for one, at in pinned]
        others = [
            one
            for one in self._study.factors
            if one not in {self.compared, self.factor, self.second}
        ]
        return self._study.replaced(
            design=Design(),
            part=None,
            replications=self.rule,
            factors=[*factors, *others, self.compared],
            responses=[self._response],
        )

    def _turned(self, found: Estimate) -> Estimate:
        """The difference by which more is better."""
        return replace(found, mean=self._sign * found.mean)

    @property
    def _is_ratio(self) -> bool:
        return self._response.transform is not None

    def _difference(self, results: Results) -> Estimate:
        """The second alternative minus the first; with `transform` that of the logarithms."""
        if results.failed:
            first = results.failures[0]
            raise StudyError(f"a run failed: {first.reason}; again: {first.command}")
        if count := results.without_logarithm(self.response):
            raise StudyError(
                f"response {self.response!r}: {count} runs gave 0 or less, which has no logarithm; "
                "a response without `transform` is expected"
            )
        ((_, differences),) = list(results.comparisons(self.response))
        (found,) = differences.values()
        return logarithmic(found) if self._is_ratio else found

    def _finding(self, found: Estimate, results: Results) -> Finding:
        if self._is_ratio:
            return self.rule.finding(found, 1.0)
        first = results.estimate(self.response, 0)
        return Finding.OPEN if first is None else self.rule.finding(found, first.mean)

    def _boundary(self) -> Boundary:
        one, other = (str(level) for level in self.compared.levels)
        every = zip(self.lines, self._runs, self._findings, strict=True)
        lines = tuple(
            self._line(level, bracket, runs, findings) for (level, bracket), runs, findings in every
        )
        return Boundary(
            self._response, self.factor, self.second, (one, other), lines, self.rule.max
        )

    def _line(
        self, level: Level | None, bracket: Bracket, runs: int, findings: Mapping[float, Finding]
    ) -> Line:
        one, other = (str(level) for level in self.compared.levels)
        named = {1: other, -1: one, 0: None}
        ends = (bracket.low, bracket.high, bracket.crossing)
        low, high, crossing = (
            self._shown(at) if at is not None and bracket.has_boundary else None for at in ends
        )
        judged = sorted(bracket.found.items())
        better = tuple(named[sign(found)] for _, found in judged)
        return Line(
            level=None if level is None else level.shown,
            low=low,
            high=high,
            crossing=crossing,
            winners=(better[0], better[-1]),
            exists=bracket.has_boundary,
            runs=runs,
            within=bracket.is_near,
            undecided=self._where(findings, Finding.OPEN),
            alike=self._where(findings, Finding.NARROW),
            differences=tuple(
                (self._shown(at), exponential(change) if self._is_ratio else change)
                for at, found in judged
                for change in [self._turned(found)]
            ),
            better=better,
            is_ratio=self._is_ratio,
        )

    def _shown(self, place: float) -> Any:  # noqa: ANN401
        return self.factor.sampled(place).shown

    def _where(self, findings: Mapping[float, Finding], wanted: Finding) -> tuple[Any, ...]:
        """Values of the bisected factor with this finding, in its order."""
        places = sorted(at for at, found in findings.items() if found is wanted)
        return tuple(map(self._shown, places))


def _round(number: float, digits: int, rounding: str = ROUND_HALF_EVEN) -> float:
    return float(Context(prec=digits, rounding=rounding).create_decimal(repr(number)))


def _factors(study: Study) -> tuple[Factor, Factor, Factor | None]:
    """The compared factor, the bisected one, and the one that is taken at its levels."""
    compared = next((one for one in study.factors if one.name == study.compared), None)
    if compared is None or len(compared.levels) != 2:  # noqa: PLR2004
        raise StudyError(
            f"{study.name}: a boundary lies between two alternatives; `compare` with a factor of "
            "two levels is expected"
        )
    others = [one for one in study.factors if one is not compared and len(one.levels) > 1]
    ranges = [one for one in others if one.span is not None]
    if not ranges or len(others) > 2:  # noqa: PLR2004
        raise StudyError(
            f"{study.name}: a boundary goes over one or two factors beside `{compared.name}`, the "
            "first with a `range` or `log_range`; there are "
            f"{', '.join(one.name for one in others) or 'none'}"
        )
    bisected = ranges[0]
    second = next((one for one in others if one is not bisected), None)
    return compared, bisected, second

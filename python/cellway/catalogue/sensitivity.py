"""Sensitivity entries: their rows under each alternative, beside the numbers as chosen."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cellway.catalogue.choices import Sensitivity
from cellway.catalogue.published import Row
from cellway.catalogue.rows import Case as Studied
from cellway.catalogue.rows import Found, Result, Seeds, case_of

AS_CHOSEN = "as chosen"
ROWS_ACROSS = 4
"""Most rows that fit beside each other; more are listed one per line if they outnumber the
cases."""


@dataclass(frozen=True)
class Case:
    """Results of the rows of an entry under one alternative, or as chosen.

    Attributes:
        label: of the alternative.
        published: the statement of the paper on it.
        results: one per row of the variation; `None` for a row that the alternative does not
            concern.
        changes: (mean - mean as chosen) / abs(mean as chosen), per row; `None` for rows without,
            and as chosen.
        cpu_per_second: CPU seconds per simulated second, over all its runs; `None` without runs.
        cpu_ratio: `cpu_per_second` as a multiple of that of the same rows as chosen.
    """

    label: str
    published: str | None
    results: tuple[Result | None, ...]
    changes: tuple[float | None, ...]
    cpu_per_second: float | None
    cpu_ratio: float | None

    def as_data(self, *, timed: bool) -> dict[str, Any]:
        """Rows, each with its change as a fraction, and CPU times if `timed`, for JSON."""
        rows = [
            {**result.as_data(), "change": change}
            for result, change in zip(self.results, self.changes, strict=True)
            if result is not None
        ]
        data: dict[str, Any] = {"label": self.label, "published": self.published, "rows": rows}
        if timed:
            data["cpu_seconds_per_simulated_second"] = self.cpu_per_second
            data["cpu_ratio"] = self.cpu_ratio
        return data


@dataclass(frozen=True)
class Variation:
    """Results of one sensitivity entry: as chosen first, then under each alternative."""

    sensitivity: Sensitivity
    rows: tuple[Row, ...]
    cases: tuple[Case, ...]

    def as_data(self) -> dict[str, Any]:
        """Entry with its cases, for JSON."""
        entry = self.sensitivity
        cases = [case.as_data(timed=entry.time) for case in self.cases]
        return {"code": entry.code, "name": entry.name, "why": entry.why, "cases": cases}


Line = tuple[str, str | None]
"""Label and published text: alternatives that share both share a line."""


@dataclass(frozen=True)
class Experiment:
    """An entry with those of its rows that are to be run."""

    sensitivity: Sensitivity
    rows: tuple[Row, ...]

    def cases(self) -> list[Studied]:
        """Cases that have to be run."""
        return [case for _, cases in self._lines() for case in cases.values()]

    def variation(self, found: Found) -> Variation:
        """Results of the entry from its runs."""
        lines = self._lines()
        chosen = [found[lines[0][1][row.code]] for row in self.rows]
        tables = [
            (line, [found[cases[row.code]] if row.code in cases else None for row in self.rows])
            for line, cases in lines
        ]
        return Variation(
            self.sensitivity,
            self.rows,
            tuple(_case(line, results, chosen) for line, results in tables),
        )

    def _lines(self) -> list[tuple[Line, dict[str, Studied]]]:
        """Lines of its table with their studies by row code, as chosen first."""
        lines: dict[Line | None, dict[str, Studied]] = {}
        lines[None] = {row.code: case_of(row, (), Seeds.VARIED) for row in self.rows}
        for alternative in self.sensitivity.alternatives:
            concerned = {
                row.code: case_of(row, alternative.sets, Seeds.VARIED)
                for row in self.rows
                if alternative.concerns(row.code)
            }
            if concerned:
                lines.setdefault((alternative.label, alternative.published), {}).update(concerned)
        return [(line or (AS_CHOSEN, None), cases) for line, cases in lines.items()]


@dataclass(frozen=True)
class Grid:
    """A table of texts: a header and lines of as many cells; the first `words` cells are words."""

    header: list[str]
    lines: list[list[str]]
    words: int


def grid(variation: Variation, number: Callable[[Result], str], *, timed: bool = False) -> Grid:
    """Table of a variation.

    It has a line per case and a column per row; or a line per row, with its conditions, if there
    are more rows than cases and too many to fit beside each other.

    Args:
        variation: the results to show.
        number: our number as text.
        timed: true also shows the times that the entry asks for.
    """
    columns = [["choice", *(case.label for case in variation.cases)]]
    if any(case.published for case in variation.cases):
        columns.append(["published", *(case.published or "–" for case in variation.cases)])
    first = len(columns)
    for at, row in enumerate(variation.rows):
        cells = [_cell(case, at, variation, number) for case in variation.cases]
        columns.append([f"{row.code}, {row.unit}", *cells])
    if timed and variation.sensitivity.time:
        columns.append(
            ["CPU s per simulated s", *(_plain(case.cpu_per_second) for case in variation.cases)]
        )
        columns.append(["of that as chosen", *(_plain(case.cpu_ratio) for case in variation.cases)])
    if len(variation.rows) > max(ROWS_ACROSS, len(variation.cases)):
        conditions = {first + at: row.label for at, row in enumerate(variation.rows)}
        lines = [[line[0], conditions.get(at, ""), *line[1:]] for at, line in enumerate(columns)]
        return Grid(["row", "condition", *lines[0][2:]], lines[1:], words=2)
    header, *lines = [list(line) for line in zip(*columns, strict=True)]
    return Grid(header, lines, words=first)


def _case(line: Line, results: Sequence[Result | None], chosen: Sequence[Result]) -> Case:
    first = all(ours is before for ours, before in zip(results, chosen, strict=True))
    pairs = list(zip(results, chosen, strict=True))
    changes = tuple(None if first else _change(ours, before) for ours, before in pairs)
    cpu = _cpu_per_second([ours for ours, _ in pairs if ours is not None])
    before = _cpu_per_second([before for ours, before in pairs if ours is not None])
    return Case(
        *line, tuple(results), changes, cpu, cpu / before if cpu is not None and before else None
    )


def _change(ours: Result | None, chosen: Result) -> float | None:
    if ours is None or ours.ours is None or chosen.ours is None or chosen.ours.mean == 0.0:
        return None
    return (ours.ours.mean - chosen.ours.mean) / abs(chosen.ours.mean)


def _cpu_per_second(results: Sequence[Result]) -> float | None:
    simulated = math.fsum(result.simulated_seconds for result in results)
    return math.fsum(result.cpu_seconds for result in results) / simulated if simulated else None


def _cell(case: Case, at: int, variation: Variation, number: Callable[[Result], str]) -> str:
    result, change = case.results[at], case.changes[at]
    if result is None:
        return "–"
    if variation.sensitivity.shown == "value" or change is None:
        return number(result)
    return f"{number(result)}, {100.0 * change:+.{0 if abs(change) >= 1.0 else 1}f} %"


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"

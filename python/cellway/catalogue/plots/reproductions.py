"""The distance of our numbers from the published ones, row by row; claims in a panel below."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cellway.catalogue import Finding, Reproduction, Result
from cellway.catalogue.markup import NONE, difference_of
from cellway.catalogue.plots.verdicts import BAND, LOOKS, judged_headline, verdict_marks
from cellway.catalogue.sheets import AROUND, Sheet, entry_lines, height, value_lines
from cellway.plot.repeated import half_widths, open_markers, open_markers_note
from cellway.plot.style import MUTED, figure, legend_below, mark, quiet
from cellway.statistics import Estimate

_BAR = 0.15
"""Inches of the band of a tolerance."""
_BEYOND = 1.0
"""Part of the range that the axis of claims has beyond each end."""
_MIN_SPAN = 5.0
"""Per cent that the axis covers on each side at least."""
_MAX_SPAN = 200.0
"""Per cent that it covers at most: an arrow with its number marks numbers beyond."""
_FAR = 3.0
"""Multiple of the third quartile of differences beyond which one may be off the axis,"""
_NEAR = 1.5
"""unless the axis would become longer by at most this factor."""
_WIDTH = 10.6
"""Inches of a figure."""


class Span(NamedTuple):
    """Per cent that an axis covers on each side of the published numbers."""

    per_cent: float

    def holds(self, at: float) -> bool:
        """True if a difference is on the axis."""
        return abs(at) <= self.per_cent


def plot_reproduction(reproduction: Reproduction, sheet: Sheet | None = None) -> Figure:
    """Published simulation and measurement of each number, ours with its interval, the tolerance.

    Units differ, so the axis is the difference from the published number that each is judged
    against, in per cent; the numbers themselves are beside it. The axis covers most differences; an
    arrow with its per cent at the end stands for a larger one. Claims have a panel of their own,
    whose axis is the range in which each was expected.

    Args:
        reproduction: the results to draw.
        sheet: selects numbers and claims; `None` takes all, however tall.

    Raises:
        ValueError: they have no result to show.
    """
    results = [
        one
        for one in reproduction.results
        if one.ours and one.number.published is not None and _is_in(sheet, one.code)
    ]
    findings = [one for one in reproduction.findings if one.ours and _is_in(sheet, one.code)]
    if not results and not findings:
        raise ValueError("no row and no claim has a result; nothing to draw")
    panels = [one for one in (_row_entries(results), _claim_entries(findings)) if one]
    heights = [sum(one.height for one in entries) for entries in panels]
    made = figure(_WIDTH, AROUND - 0.5 * (2 - len(panels)) + sum(heights))
    column = made.subplots(len(panels), squeeze=False, height_ratios=heights)[:, 0]
    for axes, entries in zip(column, panels, strict=True):
        quiet(axes)
        axes.grid(visible=False, axis="y")
        _beside(axes, entries)
    if results:
        _rows(column[0], results, panels[0])
    if findings:
        _claims(column[-1], findings, panels[-1])
    of = f", {sheet.name}" if sheet and sheet.name else ""
    judged_headline(
        made,
        f"{reproduction.paper.id}{of}: published and reproduced",
        [*results, *findings],
        reproduction,
    )
    judged = [one for one in findings if one.claim.expected.judged]
    if results or judged:
        legend_below(made, _legend(results, judged, quick=reproduction.quick))
    return made


def _is_in(sheet: Sheet | None, code: str) -> bool:
    return sheet is None or code in sheet.codes


class Entry(NamedTuple):
    """A line of a panel: words on both sides, and its place in inches from the top."""

    left: str
    right: str
    place: float
    height: float


def _entries(words: Sequence[tuple[list[str], list[str]]]) -> list[Entry]:
    entries, top = [], 0.0
    for left, right in words:
        high = height(max(len(left), len(right)))
        entries.append(Entry("\n".join(left), "\n".join(right), top + high / 2.0, high))
        top += high
    return entries


def _row_entries(results: Sequence[Result]) -> list[Entry]:
    return _entries([(entry_lines(one.code, one.number.label), [_numbers(one)]) for one in results])


def _claim_entries(findings: Sequence[Finding]) -> list[Entry]:
    return _entries(
        [(entry_lines(one.code, one.claim.text), value_lines(_expected(one))) for one in findings]
    )


def _row(axes: Axes, entry: Entry, result: Result, span: Span) -> None:
    row, published = result.number, result.number.published
    if not published or result.ours is None or row.tolerance is None:
        axes.annotate(
            "  published as 0", (0.0, entry.place), ha="left", va="center", fontsize=8, color=MUTED
        )
        return
    band = 100.0 * row.tolerance.reach(published) / abs(published)
    axes.barh(entry.place, 2.0 * band, left=-band, height=_BAR, color=BAND, zorder=1)
    for value, marker in ((row.simulated, "|"), (row.measured, "x")):
        if value is not None:
            at = _percent(value, published)
            axes.plot(at, entry.place, marker, color="black", markersize=8, zorder=3)
    at = _percent(result.ours.mean, published)
    if span.holds(at):
        _mark(axes, entry.place, at, 100.0 / abs(published), result.ours, LOOKS[result.verdict])
    else:
        _arrow(axes, entry.place, math.copysign(span.per_cent, at), result)


def _arrow(axes: Axes, place: float, end: float, result: Result) -> None:
    """Draws an arrow with the difference at an end of the axis, for a number beyond it."""
    colour, _ = LOOKS[result.verdict]
    axes.plot(end, place, ">" if end > 0.0 else "<", color=colour, markersize=6, zorder=4)
    axes.annotate(
        difference_of(result), (0.96 * end, place), ha="right" if end > 0.0 else "left",
        va="center", fontsize=7.5, color="black", zorder=5,
    )  # fmt: skip


def _mark(  # noqa: PLR0913, PLR0917
    axes: Axes, place: float, at: float, scale: float, ours: Estimate, look: tuple[str, str]
) -> None:
    """Draws our number with its interval, times `scale`; hollow if its runs repeat each other."""
    colour, marker = look
    (width,) = half_widths([ours])
    axes.errorbar(
        at, place, xerr=scale * width, fmt=marker, color=colour, capsize=2, markersize=6, zorder=4
    )
    if ours.repeated:
        open_markers(axes, [at], [place], 6.0, zorder=5)


def _rows(axes: Axes, results: Sequence[Result], entries: Sequence[Entry]) -> None:
    span = span_of([far for one in results for far in _extents(one)])
    for entry, result in zip(entries, results, strict=True):
        _row(axes, entry, result, span)
    axes.axvline(0.0, color=MUTED, linewidth=0.8, zorder=2)
    axes.set_xlim(-1.05 * span.per_cent, 1.05 * span.per_cent)
    axes.set_xlabel("difference from the published number in %", fontsize=9)


def span_of(extents: Sequence[float]) -> Span:
    """Span of an axis of differences in per cent: covers nearly all, without far ones."""
    known = sorted(extent for extent in extents if math.isfinite(extent))
    if not known:
        return Span(_MIN_SPAN)
    most = _FAR * max(known[(3 * (len(known) - 1)) // 4], _MIN_SPAN)
    within = max((extent for extent in known if extent <= most), default=_MIN_SPAN)
    within = known[-1] if known[-1] <= _NEAR * within else within
    return Span(min(max(within, _MIN_SPAN), _MAX_SPAN))


def _beside(axes: Axes, entries: Sequence[Entry]) -> None:
    """Writes words on the left and numbers on the right, the first at the top."""
    places = [entry.place for entry in entries]
    axes.set_yticks(places, [entry.left for entry in entries], fontsize=8)
    axes.set_ylim(places[-1] + entries[-1].height / 2.0, 0.0)
    right = axes.secondary_yaxis("right")
    right.set_yticks(places, [entry.right for entry in entries], fontsize=8)
    right.tick_params(right=False)
    axes.tick_params(axis="y", left=False)
    right.spines["right"].set_visible(False)


def _claims(axes: Axes, findings: Sequence[Finding], entries: Sequence[Entry]) -> None:
    """Draws each claim on a scale of its own, on which its range is from 0 to 1."""
    for entry, finding in zip(entries, findings, strict=True):
        _claim(axes, entry.place, finding)
    axes.set_xlim(-_BEYOND - 0.08, 1.0 + _BEYOND + 0.08)
    axes.set_xticks([0.0, 1.0], ["min", "max"], fontsize=8)
    axes.set_xlabel("claims: where in the range expected", fontsize=9)


def _claim(axes: Axes, place: float, finding: Finding) -> None:
    if finding.ours is None:
        return
    expected = finding.claim.expected
    if not expected.judged:
        axes.annotate("not judged", (0.5, place), ha="center", va="center", fontsize=8, color=MUTED)
        return
    left = -2.0 * _BEYOND if expected.min is None else 0.0
    right = 1.0 + 2.0 * _BEYOND if expected.max is None else 1.0
    axes.barh(place, right - left, left=left, height=_BAR, color=BAND, zorder=1)
    ends = [at for at, end in ((0.0, expected.min), (1.0, expected.max)) if end is not None]
    axes.vlines(ends, place - _BAR / 2.0, place + _BAR / 2.0, color=MUTED, linewidth=0.8, zorder=2)
    scale = _scale(finding)
    at = (finding.ours.mean - (expected.min or 0.0)) / scale
    if expected.min is None and expected.max is not None:
        at = 1.0 + (finding.ours.mean - expected.max) / scale
    colour, marker = LOOKS[finding.verdict]
    if -_BEYOND <= at <= 1.0 + _BEYOND:
        _mark(axes, place, at, 1.0 / scale, finding.ours, (colour, marker))
        return
    at, marker = (-_BEYOND, "<") if at < 0.0 else (1.0 + _BEYOND, ">")
    axes.plot(at, place, marker, color=colour, markersize=6, zorder=4)


def _scale(finding: Finding) -> float:
    """Units of the claim between 0 and 1 on the axis; the absolute end of an open range."""
    least, most = finding.claim.expected.min, finding.claim.expected.max
    if least is not None and most is not None and most > least:
        return most - least
    end = most if least is None else least
    return abs(end or (finding.ours.mean if finding.ours else 0.0)) or 1.0


def _extents(result: Result) -> list[float]:
    """Per cent that the marks and the tolerance of a row reach to either side."""
    row, published = result.number, result.number.published
    if not published or result.ours is None or row.tolerance is None:
        return []
    values = [one for one in (row.simulated, row.measured, result.ours.mean) if one is not None]
    at = max(abs(_percent(value, published)) for value in values)
    width = 100.0 * (result.ours.half_width or 0.0) / abs(published)
    return [at + width, 100.0 * row.tolerance.reach(published) / abs(published)]


def _percent(value: float, published: float) -> float:
    return 100.0 * (value - published) / abs(published)


def _expected(finding: Finding) -> str:
    ours = f"ours {finding.text('{:.4g}'.format)}"
    if not finding.claim.expected.judged:
        return f"not judged, {ours}"
    return f"expected {finding.claim.measured(str(finding.claim.expected))}, {ours}"


def _numbers(result: Result) -> str:
    row = result.number
    published = [f"{value:g}" for value in (row.simulated, row.measured) if value is not None]
    ours = f"ours {result.ours.mean:.4g}" if result.ours else ""
    if result.ours and result.ours.half_width is not None:
        ours += f" ± {result.ours.half_width:.2g}"
    unit = "" if row.unit == "1" else f" {row.unit}"
    unit += f" ({result.ours.counted})" if result.ours and result.ours.repeated else ""
    unit += f", {result.one_of}" if result.one_of else ""
    return f"published {' and '.join(published) or NONE}, {ours}{unit}"


def _legend(
    results: Sequence[Result], findings: Sequence[Finding], *, quick: bool
) -> list[Line2D | Patch]:
    found = [result.verdict for result in results] + [finding.verdict for finding in findings]
    numbers = [one.number for one in results]
    published = [
        mark(sign, "black", f"published {what}")
        for sign, what, known in (
            ("|", "simulation", any(one.simulated is not None for one in numbers)),
            ("x", "measurement", any(one.measured is not None for one in numbers)),
        )
        if known
    ]
    band = " and range expected" if results and findings else ""
    return [
        *published,
        Patch(color=BAND, label=f"tolerance{band}" if results else "range expected"),
        *verdict_marks(found, quick=quick),
        *open_markers_note([*(one.ours for one in results), *(one.ours for one in findings)]),
    ]

"""The distance of our numbers from the published ones, row by row; claims in a panel below."""

import math
import textwrap
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cellway.catalogue import Finding, Reproduction, Result
from cellway.plot.repeated import half_widths, hollow, hollow_note
from cellway.plot.style import MUTED, figure, quiet
from cellway.plot.verdicts import BAND, LOOKS, mark, verdict_marks
from cellway.statistics import Estimate

_BEYOND = 1.0
"""The part of the range that the axis of claims has beyond each end."""
_MIN_SPAN = 5.0
"""Per cent that the axis covers on each side at least."""
_MAX_SPAN = 100.0
"""Its maximum: an arrow marks what lies beyond."""
_MANY = 60
"""From so many rows and claims on, each has one line of text instead of two, and rows that nothing
was published of are left out."""


def plot_reproduction(
    reproduction: Reproduction, *, rows: bool = True, claims: bool = True
) -> Figure:
    """Per row the published simulation and measurement, ours with its interval, and the tolerance.

    Rows measure different things in different units, so the axis is the difference from the
    published number that the row is judged against, in per cent; the numbers themselves are
    beside the rows. Claims have a panel of their own, whose axis is the range in which each was
    expected.

    Args:
        reproduction: what to draw.
        rows: whether to draw them.
        claims: whether to draw them.

    Raises:
        ValueError: no row and no claim has anything to show.
    """
    results = [result for result in reproduction.results if result.ours is not None]
    findings = [finding for finding in reproduction.findings if finding.ours is not None]
    results, findings = results if rows else [], findings if claims else []
    many = len(results) + len(findings) >= _MANY
    if many:
        results = [result for result in results if result.number.published is not None]
    heights = [len(shown) for shown in (results, findings) if shown]
    if not heights:
        raise ValueError("no row and no claim has a result; nothing to draw")
    made = figure(
        9.6 if many else 11.0, 1.2 + 0.5 * len(heights) + (0.2 if many else 0.52) * sum(heights)
    )
    panels = made.subplots(len(heights), squeeze=False, height_ratios=heights)[:, 0]
    for axes in panels:
        quiet(axes)
        axes.grid(visible=False, axis="y")
    if results:
        _rows(panels[0], results, many=many)
    if findings:
        _claims(panels[-1], findings, many=many)
    paper = reproduction.paper
    quick = "; quick: one run per row" if reproduction.quick else ""
    made.suptitle(f"{paper.id}: published and reproduced{quick}", x=0.01, ha="left", fontsize=11)
    made.legend(
        handles=_legend(results, findings),
        loc="outside lower left",
        ncols=4,
        fontsize=8,
        frameon=False,
    )
    return made


def _row(axes: Axes, place: int, result: Result) -> None:
    row, published = result.number, result.number.published
    if not published or result.ours is None or row.tolerance is None:
        axes.annotate(
            "  nothing published" if published is None else "  published as 0",
            (0.0, place),
            ha="left",
            va="center",
            fontsize=8,
            color=MUTED,
        )
        return
    band = 100.0 * row.tolerance.reach(published) / abs(published)
    axes.barh(place, 2.0 * band, left=-band, height=0.62, color=BAND, zorder=1)
    for value, marker in ((row.simulated, "|"), (row.measured, "x")):
        if value is not None:
            axes.plot(
                _percent(value, published), place, marker, color="black", markersize=9, zorder=3
            )
    at = _percent(result.ours.mean, published)
    _mark(axes, place, at, 100.0 / abs(published), result.ours, LOOKS[result.verdict])


def _mark(  # noqa: PLR0913, PLR0917
    axes: Axes, place: int, at: float, scale: float, ours: Estimate, look: tuple[str, str]
) -> None:
    """Ours with its interval, times `scale`; hollow if its runs repeat each other."""
    colour, marker = look
    (width,) = half_widths([ours])
    axes.errorbar(
        at, place, xerr=scale * width, fmt=marker, color=colour, capsize=2, markersize=6, zorder=4
    )
    if ours.repeated:
        hollow(axes, [at], [place], 6.0, zorder=5)


def _rows(axes: Axes, results: Sequence[Result], *, many: bool) -> None:
    """All rows on an axis that they fit on, unless they lie far away."""
    for place, result in enumerate(results):
        _row(axes, place, result)
        _beyond(axes, place, result)
    axes.axvline(0.0, color=MUTED, linewidth=0.8, zorder=2)
    span = max([_MIN_SPAN, *(_extent(result) for result in results)])
    span = min(span, _MAX_SPAN)
    axes.set_xlim(-1.08 * span, 1.08 * span)
    axes.set_xlabel("difference from the published number in %", fontsize=9)
    _beside(
        axes,
        [_entry(result.number.code, result.number.label) for result in results],
        [_numbers(result) for result in results],
        many=many,
    )


def _beyond(axes: Axes, place: int, result: Result) -> None:
    """An arrow at the end of the axis for ours beyond it."""
    published = result.number.published
    if published and result.ours is not None:
        at = _percent(result.ours.mean, published)
        if abs(at) > _MAX_SPAN:
            marker = ">" if at > 0.0 else "<"
            axes.plot(
                math.copysign(_MAX_SPAN, at),
                place,
                marker,
                color=LOOKS[result.verdict][0],
                markersize=6,
            )


def _beside(axes: Axes, entries: Sequence[str], numbers: Sequence[str], *, many: bool) -> None:
    """Entries on the left, their numbers on the right, the first at the top."""
    places = range(len(entries))
    if many:
        entries = [textwrap.shorten(entry, 72, placeholder=" …") for entry in entries]
        numbers = [textwrap.shorten(number, 64, placeholder=" …") for number in numbers]
    axes.set_yticks(places, entries, fontsize=8)
    axes.set_ylim(len(entries) - 0.5, -0.5)
    right = axes.secondary_yaxis("right")
    right.set_yticks(places, numbers, fontsize=8)
    right.tick_params(right=False)
    axes.tick_params(axis="y", left=not many)
    right.spines["right"].set_visible(False)


def _claims(axes: Axes, findings: Sequence[Finding], *, many: bool) -> None:
    """Each claim on a scale of its own, 0 and 1 being the ends of its range."""
    for place, finding in enumerate(findings):
        _claim(axes, place, finding)
    axes.set_xlim(-_BEYOND - 0.08, 1.0 + _BEYOND + 0.08)
    axes.set_xticks([0.0, 1.0], ["min", "max"], fontsize=8)
    axes.set_xlabel("claims: where in the range expected", fontsize=9)
    _beside(
        axes,
        [_entry(finding.claim.code, finding.claim.text) for finding in findings],
        [_expected(finding) for finding in findings],
        many=many,
    )


def _claim(axes: Axes, place: int, finding: Finding) -> None:
    if finding.ours is None:
        return
    expected = finding.claim.expected
    left = -2.0 * _BEYOND if expected.min is None else 0.0
    right = 1.0 + 2.0 * _BEYOND if expected.max is None else 1.0
    axes.barh(place, right - left, left=left, height=0.62, color=BAND, zorder=1)
    ends = [at for at, end in ((0.0, expected.min), (1.0, expected.max)) if end is not None]
    axes.vlines(ends, place - 0.31, place + 0.31, color=MUTED, linewidth=0.8, zorder=2)
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
    """The claim's units between 0 and 1 on the axis; the absolute end of an open range."""
    least, most = finding.claim.expected.min, finding.claim.expected.max
    if least is not None and most is not None and most > least:
        return most - least
    end = most if least is None else least
    return abs(end or (finding.ours.mean if finding.ours else 0.0)) or 1.0


def _extent(result: Result) -> float:
    """Per cent that the row reaches to either side."""
    row, published = result.number, result.number.published
    if not published or result.ours is None or row.tolerance is None:
        return 0.0
    values = [
        value for value in (row.simulated, row.measured, result.ours.mean) if value is not None
    ]
    reach = max(abs(_percent(value, published)) for value in values)
    reach += 100.0 * (result.ours.half_width or 0.0) / abs(published)
    band = 100.0 * row.tolerance.reach(published) / abs(published)
    return max(reach, band) if math.isfinite(reach) else 0.0


def _percent(value: float, published: float) -> float:
    return 100.0 * (value - published) / abs(published)


def _entry(code: str, text: str) -> str:
    return f"{code}\n{textwrap.shorten(text, 64, placeholder=' …')}"


def _expected(finding: Finding) -> str:
    expected = finding.claim.measured(str(finding.claim.expected))
    return f"expected {expected}\nours {finding.text('{:.4g}'.format)}"


def _numbers(result: Result) -> str:
    row = result.number
    published = [f"{value:g}" for value in (row.simulated, row.measured) if value is not None]
    ours = f"ours {result.ours.mean:.4g}" if result.ours else ""
    if result.ours and result.ours.half_width is not None:
        ours += f" ± {result.ours.half_width:.2g}"
    unit = "" if row.unit == "1" else f" {row.unit}"
    unit += f" ({result.ours.counted})" if result.ours and result.ours.repeated else ""
    return f"published {' and '.join(published) or '–'}\n{ours}{unit}"


def _legend(results: Sequence[Result], findings: Sequence[Finding]) -> list[Line2D | Patch]:
    found = [result.verdict for result in results] + [finding.verdict for finding in findings]
    published = [
        mark("|", "black", "published simulation"),
        mark("x", "black", "published measurement"),
    ]
    band = " and range expected" if results and findings else ""
    return [
        *(published if results else []),
        Patch(color=BAND, label=f"tolerance{band}" if results else "range expected"),
        *verdict_marks(found),
        *hollow_note([*(one.ours for one in results), *(one.ours for one in findings)]),
    ]

"""Published numbers against ours, a panel per unit: numbers that agree lie on the diagonal."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from cellway.catalogue.plots.verdicts import (
    BAND,
    LOOKS,
    half_width,
    judged_headline,
    several_of,
    spans_decades,
    verdict_marks,
)
from cellway.catalogue.rows import Result
from cellway.catalogue.runner import Reproduction
from cellway.plot.style import MUTED, figure, legend_below, plain_logarithmic, quiet, title

_ACROSS = 3
_SIDE = 3.0
_MARGIN = 0.08
_CLOSE, _FEW = 0.05, 4
"""Part of the numbers that an axis covers, below which labels are long, and how many have room."""


def compared(reproduction: Reproduction) -> list[Result]:
    """Results with a published number and one of ours."""
    return [
        one
        for one in reproduction.results
        if one.number.published is not None and one.ours is not None
    ]


def plot_scatter(reproduction: Reproduction) -> Figure:
    """A panel per unit: ours with its 95 % interval over the published number, and the tolerance.

    The axes are logarithmic where the numbers of a unit lie far apart.

    Raises:
        ValueError: no published number has a result.
    """
    results = compared(reproduction)
    if not results:
        raise ValueError("no published number has a result; nothing to draw")
    units: dict[str, list[Result]] = {}
    for one in results:
        units.setdefault(one.number.unit, []).append(one)
    across = min(_ACROSS, len(units))
    down = -(-len(units) // across)
    made = figure(max(5.2, 0.3 + _SIDE * across), 0.9 + (_SIDE + 0.1) * down)
    panels = list(made.subplots(down, across, squeeze=False).flat)
    for axes, (unit, found) in zip(panels, units.items(), strict=False):
        _panel(axes, unit, found)
    for axes in panels[len(units) :]:
        axes.set_visible(False)
    judged_headline(made, f"{reproduction.paper.id}: published against ours", results, reproduction)
    marks = verdict_marks((one.verdict for one in results), quick=reproduction.quick)
    handles = [*marks, Patch(color=BAND, label="tolerance")]
    legend_below(made, handles)
    return made


def _panel(axes: Axes, unit: str, results: Sequence[Result]) -> None:
    quiet(axes)
    published = [one.number.published or 0.0 for one in results]
    ours = [one.ours.mean for one in results if one.ours]
    logarithmic = spans_decades([*published, *ours])
    low, high = _ends([*published, *ours], logarithmic=logarithmic)
    if logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.plot([low, high], [low, high], color=MUTED, linewidth=0.8, zorder=2)
    for x, y, one in zip(published, ours, results, strict=True):
        reach = one.number.tolerance.reach(x) if one.number.tolerance else 0.0
        ends = [max(x - reach, low), x + reach]
        axes.plot([x, x], ends, color=BAND, linewidth=4.5, solid_capstyle="butt", zorder=1)
        colour, marker = LOOKS[one.verdict]
        width = half_width(one)
        down = min(width, y - low) if logarithmic else width
        axes.errorbar(
            x,
            y,
            yerr=[[down], [width]],
            fmt=marker,
            color=colour,
            markersize=4.5,
            capsize=2,
            zorder=4,
        )
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    if not logarithmic and high - low < _CLOSE * high:
        axes.locator_params(nbins=_FEW)
    for axis in (axes.xaxis, axes.yaxis) if logarithmic else ():
        plain_logarithmic(axis, low, high)
    axes.set_box_aspect(1)
    count = f"{len(results)} number{'' if len(results) == 1 else 's'}"
    title(axes, f"{'without unit' if unit == '1' else f'in {several_of(unit)}'}, {count}")
    axes.set_xlabel("published", fontsize=9)
    axes.set_ylabel("ours", fontsize=9)


def _ends(numbers: Sequence[float], *, logarithmic: bool) -> tuple[float, float]:
    """Ends of both axes, which are the same, with a margin around the points."""
    # Kept numbers have fewer digits; the layout must not depend on the last ones.
    low, high = (float(f"{end:.6g}") for end in (min(numbers), max(numbers)))
    if logarithmic:
        return low / 1.6, high * 1.6
    margin = _MARGIN * ((high - low) or abs(high) or 1.0)
    begin = 0.0 if 0.0 <= low < high / 2 else low - margin
    return (begin - margin if low <= 0.0 else begin), high + margin

"""A study of many named levels: a row for each, with a dot per setting of the other factors."""

from collections.abc import Sequence

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cellway.plot.repeated import bars, is_signed, open_markers, open_markers_note
from cellway.plot.study_choice import settings_beside
from cellway.plot.study_gaps import draw_gaps, gap_marks
from cellway.plot.style import figure, legend_below, plain_logarithmic, quiet, title
from cellway.study.factors import Factor
from cellway.study.responses import Response
from cellway.study.results import Results

MAX_DOTS = 6
"""Most settings of the other factors that a row can hold apart."""
_ACROSS = 3
_DECADES = 30.0
"""Ratio from which an axis is logarithmic, if no number is zero and they have a unit."""
_MARKERS = "osD^vP"


def row_factor(results: Results, max_lines: int) -> Factor | None:
    """The factor whose levels are rows: it has names, and more of them than a figure has lines."""
    named = [factor for factor in results.study.factors if factor.kind == "name"]
    if not named:
        return None
    factor = max(named, key=lambda one: len(one.levels))
    fits = len(settings_beside(results, factor)) <= MAX_DOTS
    return factor if fits and len(factor.levels) > max_lines else None


def plot_rows(
    results: Results, panels: Sequence[Response], factor: Factor, log: str | None = None
) -> Figure:
    """A panel per response, with the levels of `factor` from top to bottom as the study has them.

    The other factors' settings are dots from light to dark, with 95 % intervals; a dot without an
    interval, because its runs repeat each other, is hollow. A response with the reduction
    `min_ratio` has a line at 1.

    Args:
        results: of the study.
        panels: the responses.
        factor: its levels are rows.
        log: the axes that are logarithmic, ``"x"`` or ``"none"``; by default those whose numbers
            lie far apart.

    Raises:
        ValueError: a logarithmic vertical axis, which has names.
    """
    if log in {"y", "xy"}:
        raise ValueError(
            f"--log {log}: the levels of {factor.name} are names, one above the other; expected "
            "x or none, or --x with another factor"
        )
    across = min(_ACROSS, len(panels))
    down = -(-len(panels) // across)
    made = figure(2.0 + 3.6 * across, 1.2 + down * (0.7 + 0.3 * len(factor.levels)))
    grid = made.subplots(down, across, squeeze=False, sharey=True)
    for response, axes in zip(panels, grid.flat, strict=False):
        quiet(axes)
        title(axes, called(response))
        _dots(axes, results, response, factor)
        _scale(axes, results, response, log)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_visible(False)
    names = [str(level.shown) for level in factor.levels]
    grid[0, 0].set_yticks(range(len(names)), names)
    grid[0, 0].set_ylim(len(names) - 0.5, -0.5)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    handles = handles if labels != [""] else []
    handles += open_markers_note(
        [one for response in panels for one in results.estimates(response.name)]
    )
    legend_below(made, [*handles, *gap_marks(results, panels)])
    return made


def _scale(axes: Axes, results: Results, response: Response, log: str | None) -> None:
    """Makes the axis logarithmic, and says so, if asked for or if the means lie far apart."""
    if log == "x" or (log is None and are_far_apart(results, response)):
        axes.set_xscale("log", nonpositive="mask")
        plain_logarithmic(axes.xaxis, *axes.get_xlim())
        axes.set_xlabel("log scale", fontsize=8)


def are_far_apart(results: Results, response: Response) -> bool:
    """True if means differ so much that their axis is logarithmic by default."""
    means = [one.mean for one in results.estimates(response.name) if one is not None]
    least = min(means, default=0.0)
    return least > 0.0 and response.unit not in {"1", "%"} and max(means) > _DECADES * least


def reference_of(response: Response) -> float | None:
    """The number at which a response has a line: 1 of the reduction `min_ratio`."""
    is_ratio = getattr(response.source, "reduce", None) == "min_ratio"
    return 1.0 / response.scale if is_ratio else None


def _dots(axes: Axes, results: Results, response: Response, factor: Factor) -> None:
    rows = [level.shown for level in factor.levels]
    settings = settings_beside(results, factor)
    signed = is_signed(results, response.name)
    shades = colormaps["viridis_r"]
    for number, (name, points) in enumerate(settings.items()):
        found = [(point, results.estimate(response.name, point)) for point in points]
        known = [(point, one) for point, one in found if one is not None]
        offset = 0.7 * ((number + 0.5) / len(settings) - 0.5)
        means = [one.mean for _, one in known]
        at = {
            point: rows.index(results.conditions[point].parameters[factor.name]) + offset
            for point in points
        }
        places = [at[point] for point, _ in known]
        colour = shades(0.15 + 0.85 * number / max(len(settings) - 1, 1))
        draw_gaps(axes, results, response, list(at.items()), colour, along="y")
        axes.errorbar(
            means,
            places,
            xerr=bars([one for _, one in known], is_signed=signed),
            label=name,
            color=colour,
            linestyle="none",
            marker=_MARKERS[number],
            markersize=4.5,
            linewidth=1.0,
        )
        repeated = [
            (one.mean, y) for y, (_, one) in zip(places, known, strict=True) if one.repeated
        ]
        open_markers(axes, [x for x, _ in repeated], [y for _, y in repeated], 4.5)
    for edge in range(1, len(rows)):
        axes.axhline(edge - 0.5, color="#DDDDDD", linewidth=0.6)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    if (reference := reference_of(response)) is not None:
        axes.axvline(reference, color="black", linewidth=0.9, zorder=1)


def called(response: Response) -> str:
    """Name of the response, with the unit if it has one."""
    return response.name if response.unit == "1" else f"{response.name} [{response.unit}]"

"""Several runs over time in one figure: a panel per quantity, with the curves of every run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.curves import owner
from cellway.plot.delays import Cumulative, draw_delays, spread_out
from cellway.plot.panels import Line, Panel, beyond, draw_panel
from cellway.plot.runs import (
    MAX_LINES,
    ROUND_TRIP_TIME,
    THRESHOLD,
    delays_over,
    flow_colours,
    nothing_recorded,
    panels_by_quantity,
)
from cellway.plot.spans import is_part
from cellway.plot.style import figure, headline, legend_beside, share_time, title
from cellway.runs.measured import way_text
from cellway.runs.runs import Run

Span = tuple[float, float]


@dataclass(frozen=True)
class _Palette:
    """Colours of one run, the same for a flow in every panel.

    Attributes:
        run: its name in the legend.
        colours: no other run has them.
        flows: places in `colours`; several flows share one if there are more flows than colours.
    """

    run: str
    colours: Sequence[str]
    flows: Mapping[str, int] = field(default_factory=dict)

    def chosen(self, names: Sequence[str]) -> dict[str, str]:
        """Colours for the curves in `names` of a panel; ports get colours of no flow there."""
        found: dict[str, str] = {}
        for name in sorted(names, key=lambda name: self.flows.get(name, len(self.flows))):
            left = [colour for colour in self.colours if colour not in found.values()]
            place = self.flows.get(name)
            wanted = left[:1] if place is None else [self.colours[place % len(self.colours)]]
            if wanted and wanted[0] in left:
                found[name] = wanted[0]
        return found


def plot_runs(
    runs: Mapping[str, Run],
    start: float = 0.0,
    end: float | None = None,
    series: Sequence[str] = (),
) -> Figure:
    """Recorded series of `runs`, each quantity in one panel; no curve goes beyond its run.

    As many ports or flows of each run are plotted as there are colours for: the longest queues, the
    fastest flows.

    Args:
        runs: by the name that the legend gives them, at most `MAX_LINES`.
        start: beginning of the time axis, seconds.
        end: its end, seconds; `None` for the end of the longest run.
        series: patterns of the series to draw, as `Run.only` has them; empty for all, and delays.

    Raises:
        ValueError: too many runs, one that recorded nothing, or a time beyond all runs.
    """
    if len(runs) > MAX_LINES:
        raise ValueError(f"{len(runs)} runs cannot be told apart; at most {MAX_LINES} are accepted")
    runs = _with_ways(runs)
    if series:
        runs = {name: run.only(series) for name, run in runs.items()}
    span = _span(runs, start, end)
    found = {
        name: panels_by_quantity(run, _within(run, span), idle=True) for name, run in runs.items()
    }
    for name, run in runs.items():
        if not found[name]:
            raise ValueError(f"{name}: {nothing_recorded(run)}")
    quantities = list(dict.fromkeys(key for panels in found.values() for key in panels))
    most = _lines_of_each(runs, found)
    palettes = _palettes(runs, most)
    # All runs count delays in the same way: over the whole of each, or over a part.
    part = any(is_part(run, _within(run, span)) for run in runs.values())
    shown = () if series else runs.values()
    delays = [delays_over(run, _within(run, span), part=part) for run in shown]
    ways = [
        texts
        for texts in dict.fromkeys(texts for texts, _ in delays)
        if spread_out([one for other, several in delays if other == texts for one in several])
    ]
    count = len(quantities) + len(ways)
    made = figure(10.0, 1.0 + 1.9 * count)
    every = list(made.subplots(count, 1, squeeze=False)[:, 0])
    rows = every[: len(quantities)]
    for axes, quantity in zip(rows, quantities, strict=True):
        several = [panels.get(quantity) for panels in found.values()]
        named = [_named(panel, of) for panel, of in zip(several, palettes, strict=True)]
        are_all = all(panel is None or len(_solid(panel)) <= most for panel in several)
        which = "" if are_all else f" (of each run {most} at most: the fastest, the longest)"
        _draw(axes, named, [_within(run, span) for run in runs.values()], which)
    warm_ups = {run.summary["warm_up_s"] for run in runs.values()}
    share_time(rows, span, warm_ups.pop() if len(warm_ups) == 1 else 0.0)
    for axes, counted in zip(every[len(quantities) :], ways, strict=True):
        of_each = [several if texts == counted else [] for texts, several in delays]
        _draw_delays(axes, counted, of_each, palettes)
    for axes in every:
        legend_beside(axes, 0.08 if axes.child_axes else 0.005)
    headline(made, ", ".join(runs))
    made.align_ylabels()
    return made


def _with_ways(runs: Mapping[str, Run]) -> Mapping[str, Run]:
    """`runs` under names that say the way, if some were measured."""
    if all(run.measured is None for run in runs.values()):
        return runs
    return {f"{name} ({way_text(run)})": run for name, run in runs.items()}


def _span(runs: Mapping[str, Run], start: float, end: float | None) -> Span:
    longest = max(run.summary["duration_s"] for run in runs.values())
    last = longest if end is None else end
    if not 0.0 <= start < last <= longest:
        raise ValueError(
            f"nothing lies between {start:g} and {last:g} s; expected a part of the "
            f"{longest:g} s that the longest run has"
        )
    return start, last


def _within(run: Run, span: Span) -> Span:
    """Part of `span` in which `run` has results; an empty one if there is none."""
    end = min(span[1], run.summary["duration_s"])
    return min(span[0], end), end


def _lines_of_each(
    runs: Mapping[str, Run], found: Mapping[str, Mapping[tuple[str, str], Panel]]
) -> int:
    """Number of curves of a run in a panel: one for each of its flows, if there are colours."""
    largest = max(len(_solid(one)) for panels in found.values() for one in panels.values())
    flows = max(len(flow_colours(run)) for run in runs.values())
    return min(max(largest, flows), MAX_LINES // len(found))


def _palettes(runs: Mapping[str, Run], most: int) -> list[_Palette]:
    return [
        _Palette(
            name,
            COLOURS[n * most : (n + 1) * most],
            _places(flow_colours(run), most),
        )
        for n, (name, run) in enumerate(runs.items())
    ]


def _places(colours: Mapping[str, str], most: int) -> dict[str, int]:
    """Places of flows in a palette: the fastest as in other figures, then those without room."""
    names = [*colours]
    first = sorted(names[:most], key=lambda name: COLOURS.index(colours[name]))
    return {name: place for place, name in enumerate([*first, *names[most:]])}


def _solid(panel: Panel) -> list[Line]:
    """Curves of a panel without the thresholds that belong to them."""
    return [line for line in panel.lines if not line.dashed]


def _named(panel: Panel | None, palette: _Palette) -> Panel | None:
    """The first curves of `panel` in the colours of its run; thresholds are left out."""
    if panel is None:
        return None
    chosen = palette.chosen([owner(line.series) for line in _solid(panel)])
    lines = [
        replace(line, label=f"{palette.run}: {line.label}", colour=chosen[owner(line.series)])
        for line in _solid(panel)
        if owner(line.series) in chosen
    ]
    return replace(panel, lines=lines)


def _draw_delays(
    axes: Axes,
    counted: tuple[str, str],
    of_each: Sequence[Sequence[Cumulative]],
    palettes: Sequence[_Palette],
) -> None:
    """Draws distributions that count the same quantity, in the colours of the flows above."""
    drawn = [
        (replace(one, name=f"{palette.run}: {one.name}"), chosen[one.name])
        for several, palette in zip(of_each, palettes, strict=True)
        for chosen in [palette.chosen([one.name for one in several])]
        for name in chosen
        for one in several
        if one.name == name
    ]
    draw_delays(axes, counted, [one for one, _ in drawn], [colour for _, colour in drawn])


def _draw(
    axes: Axes, several: Sequence[Panel | None], spans: Sequence[Span], which: str = ""
) -> None:
    """Panels of one quantity on the same axes; the title says `which` curves are shown."""
    drawn = [(one, span) for one, span in zip(several, spans, strict=True) if one is not None]
    limits: dict[str, float] = {}
    tops: list[float] = []
    rights = {panel.right for panel, _ in drawn}
    for number, (panel, span) in enumerate(drawn):
        fresh = [(name, height) for name, height in panel.limits if limits.get(name) != height]
        limits |= dict(panel.limits)
        right = panel.right if len(rights) == 1 and number == len(drawn) - 1 else None
        draw_panel(axes, replace(panel, limits=fresh, top=None, right=right), span)
        tops.append(panel.top or axes.get_ylim()[1])
    axes.set_ylim(0.0, max(tops))
    first = drawn[0][0]
    are_alike = not which and len({panel.title for panel, _ in drawn}) == 1
    text = (first.title if are_alike else first.quantity).replace(THRESHOLD, "")
    if len({panel.quantity for panel, _ in drawn}) > 1 and text.startswith(ROUND_TRIP_TIME):
        text = ROUND_TRIP_TIME
    title(axes, text + which + beyond(axes, drawn))

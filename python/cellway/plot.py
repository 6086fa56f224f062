"""Pictures: a run over time, and our numbers beside the published ones.

Figures are made without pyplot: nothing is global, so threads and machines without a display are fine.
"""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cellway.run import Run, Series
from cellway.text import in_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cellway.catalogue import Reproduction, Result

MOST_LINES = 8
"""More lines in one panel cannot be told apart."""

WIDTH_INCHES = 10.0
PANEL_INCHES = 2.1


@dataclass(frozen=True)
class Panel:
    """One quantity of a run.

    Attributes:
        title: what it shows.
        label: of the vertical axis, with the unit.
        endings: of the names of the series that belong to it, each with the style of its line.
        scale: from the series' unit to the label's.
        style: how points are joined; a value stays until the next one, a running sum climbs.
    """

    title: str
    label: str
    endings: tuple[tuple[str, str], ...]
    scale: float
    style: str = "steps-post"


PANELS = (
    Panel("Queue at the switch ports", "queue", ((".queue", "-"),), 1.0),
    Panel("Congestion window (solid) and slow-start threshold (dashed)", "KiB", ((".cwnd", "-"), (".ssthresh", "--")), 1 / 1024),
    Panel("Sent and not yet acknowledged", "KiB", ((".in_flight", "-"),), 1 / 1024),
    Panel("Acknowledged in order", "MB", ((".acked", "-"),), 1e-6, "default"),
    Panel("Round-trip time, as last timed", "ms", ((".rtt", "-"),), 1e3),
)


def plot_run(run: Run, start: float = 0.0, end: float | None = None) -> "Figure":
    """Queues, windows, data in flight, progress and round-trip times over time, one panel each.

    Args:
        run: with recorded series.
        start: where the time axis begins, seconds.
        end: where it ends, seconds; `None` for the end of the run.

    Raises:
        ValueError: nothing was recorded, or the two are out of order.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415

    panels = [(panel, found) for panel in PANELS if (found := _lines(run, panel))]
    if not panels:
        raise ValueError("nothing was recorded; add an [observe] table to the scenario")
    last = run.summary["duration_s"] if end is None else end
    if not start < last:
        raise ValueError(f"from {start:g} s to {last:g} s there is nothing to see; a start before the end is accepted")
    height = PANEL_INCHES * len(panels) + 0.9
    figure = Figure(figsize=(WIDTH_INCHES, height), layout="constrained", dpi=120)
    figure.suptitle(_title(run), fontsize=12, x=0.01, ha="left", fontweight="bold")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (panel, lines) in zip(axes, panels, strict=True):
        _draw_panel(axis, panel, [(_between(series, start, last), style) for series, style in lines])
    axes[-1].set_xlabel("time, s")
    axes[-1].set_xlim(start, last)
    return figure


def _title(run: Run) -> str:
    summary = run.summary
    throughput = sum(flow["throughput_bits_per_second"] for flow in run.flows.values())
    flows = f"{len(run.flows)} flows" if len(run.flows) > 1 else next(iter(run.flows))
    return f"{summary['scenario']}, seed {summary['seed']}: {flows}, {throughput / 1e6:.4g} Mbit/s"


def _lines(run: Run, panel: Panel) -> list[tuple[Series, str]]:
    """The series of a panel, each with its line style; ports at which nothing ever waits are left out."""
    found = []
    for ending, style in panel.endings:
        for name in in_order([name for name in run.series_names if name.endswith(ending)]):
            series = run.series(name)
            if len(series) and (ending != ".queue" or series.value.max() > 1):
                found.append((series, style))
    return found


def _between(series: Series, start: float, last: float) -> Series:
    """The points from just before `start` to just behind `last`, so that the vertical axis fits what is shown."""
    first = max(0, int(series.time.searchsorted(start, side="right")) - 1)
    behind = int(series.time.searchsorted(last, side="right")) + 1
    return Series(series.name, series.unit, series.time[first:behind], series.value[first:behind])


def _draw_panel(axis: "Axes", panel: Panel, lines: Sequence[tuple[Series, str]]) -> None:
    owners = list(dict.fromkeys(_owner(series) for series, _ in lines))
    shown = owners[:MOST_LINES]
    for series, style in lines:
        owner = _owner(series)
        if owner in shown:
            main = style == "-"
            axis.plot(
                series.time,
                series.value * panel.scale,
                linestyle=style,
                linewidth=1.1 if main else 0.9,
                alpha=1.0 if main else 0.75,
                color=f"C{shown.index(owner)}",
                drawstyle=panel.style,
                label=owner if main else None,
            )
    unit = lines[0][0].unit
    axis.set_ylabel(f"{panel.label}, {unit}s" if panel.label == "queue" else panel.label)
    hidden = len(owners) - len(shown)
    axis.set_title(panel.title + (f" — and {hidden} more" if hidden else ""), fontsize=10, loc="left")
    axis.set_ylim(bottom=0.0)
    axis.grid(visible=True, alpha=0.25)
    axis.spines[["top", "right"]].set_visible(False)
    if len(shown) > 1 or panel.label == "queue":
        axis.legend(fontsize=8, loc="upper right", ncols=4 if len(shown) > 4 else 2, framealpha=0.85)  # noqa: PLR2004


def _owner(series: Series) -> str:
    return series.name.rpartition(".")[0]


def plot_reproduction(reproduction: "Reproduction") -> "Figure":
    """Our mean and interval beside the published numbers, as a percentage of the one that is compared with.

    The band is the tolerance that was fixed before the run.

    Raises:
        ValueError: no row has both a published number and ours.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415

    results = [result for result in reproduction.results if result.ours is not None and result.row.published]
    if not results:
        raise ValueError("no row has both a published number and ours")
    figure = Figure(figsize=(WIDTH_INCHES, 1.3 + 0.55 * len(results)), layout="constrained", dpi=120)
    axis = figure.subplots()
    for place, result in enumerate(reversed(results)):
        _draw_row(axis, place, result)
    axis.axvline(0.0, color="0.35", linewidth=0.8)
    axis.set_yticks(range(len(results)), [_row_label(result) for result in reversed(results)], fontsize=8)
    axis.set_xlabel("difference from the published number that is compared with, %")
    figure.suptitle(
        f"{reproduction.paper.title} ({reproduction.paper.year})", fontsize=11, x=0.01, ha="left", fontweight="bold"
    )
    axis.spines[["top", "right"]].set_visible(False)
    handles, labels = axis.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    figure.legend(unique.values(), unique.keys(), fontsize=8, loc="outside lower right", ncols=4)
    return figure


def _row_label(result: "Result") -> str:
    row = result.row
    label = textwrap.shorten(row.label, 60, placeholder=" …")
    return f"{row.code}  {label}\n{row.published:g} {row.unit} published, {result.ours.mean:.4g} ours"  # type: ignore[union-attr]


def _draw_row(axis: "Axes", place: int, result: "Result") -> None:
    published, ours, row = result.row.published, result.ours, result.row
    if published is None or ours is None:
        return
    percent: Callable[[float], float] = lambda value: 100.0 * (value - published) / published  # noqa: E731
    if row.tolerance is not None:
        band = 100.0 * row.tolerance.relative
        axis.barh(place, 2 * band, left=-band, height=0.5, color="C2", alpha=0.18, label="tolerance")
    for value, marker, name in ((row.simulated, "s", "published, simulated"), (row.measured, "D", "published, measured")):
        if value is not None:
            axis.plot(percent(value), place, marker, color="0.35", markersize=6, fillstyle="none", label=name)
    width = 100.0 * (ours.half_width or 0.0) / published
    axis.errorbar(percent(ours.mean), place, xerr=width, fmt="o", color="C0", capsize=3, label="ours, 95 %")

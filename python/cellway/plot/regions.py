"""Regions of Differential Fair Buffer Allocation, and the time that each VC was in them.

After R. Goyal, R. Jain, S. Fahmy, B. Vandalore, "Buffer management for the GFR service", ATM Forum
98-0405: with X cells in the buffer, X_i of VC i, its minimum cell rate W_i and W of all, the policy
admits all frames below L (1) and none above H (4). Between them it drops by chance (2) where
X_i W / W_i is above X, elsewhere only frames with CLP = 1 (3).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure

from cellway.plot.curves import Curve, Numbers, curve_of, series_with_points
from cellway.plot.ports import dfba_thresholds
from cellway.plot.spans import asked_span, run_line
from cellway.plot.style import figure, quiet, title
from cellway.plot.vc_queues import VcQueue, minimum_rates, values_at, vc_queues, whole_queue
from cellway.runs.runs import Run

INSTANTS = 4000
"""Number of even instants at which the VCs are sampled: a darker region lasted longer."""

MAX_BESIDE = 3
"""Panels beside each other."""

_RULES = (
    "1: X < L, every frame comes in   2: VC above its share, frames dropped by chance   "
    "3: within its share, CLP = 1 dropped   4: X > H, no frame comes in\n"
    "line: Xᵢ W / Wᵢ = X, the share; per cent: of the time measured; darker: longer there"
)
_LINE = "#333333"


@dataclass(frozen=True)
class Track:
    """Occupancies of one VC at each of the instants.

    Attributes:
        whole: X, cells in the buffer.
        own: X_i W / W_i, its own cells over its share.
        thresholds: L and H, cells.
    """

    whole: Numbers
    own: Numbers
    thresholds: tuple[float, float]

    @cached_property
    def regions(self) -> list[float]:
        """The parts of the time spent in regions 1 to 4."""
        low, high = self.thresholds
        between = (self.whole >= low) & (self.whole <= high)
        above = self.own > self.whole
        inside = [self.whole < low, between & above, between & ~above, self.whole > high]
        return [float(one.mean()) for one in inside]


def plot_regions(run: Run, port: str, start: float = 0.0, end: float | None = None) -> Figure:
    """A panel per VC with a minimum cell rate: its times in the four regions.

    Args:
        run: with recorded series `vc_queue`; with `queue` too, where several service classes pass.
        port: such as ``"first.trunk"``, with the drop policy `dfba`.
        start: beginning of the time looked at, seconds, at least the end of the warm-up.
        end: its end, seconds; `None` for the end of the run.

    Raises:
        ValueError: another policy, no minimum cell rates, no recorded queues, or `end` is not after
            `start`.
    """
    vcs = [vc for vc in vc_queues(run, port) if vc.mcr]
    if not vcs:
        raise ValueError(
            f"no VC at port {port!r} has a minimum cell rate; one with `service.gfr` is needed"
        )
    thresholds = dfba_thresholds(run.scenario, port)
    span = asked_span(run, max(start, run.summary["warm_up_s"]), end)
    tracks = tracks_at(run, port, (vcs, thresholds, span))
    beside = min(MAX_BESIDE, len(vcs))
    below = -(-len(vcs) // beside)
    made = figure(max(3.6 * beside, 8.0), 1.2 + 3.3 * below)
    cells = made.subplots(below, beside, sharex=True, sharey=True, squeeze=False).ravel()
    limits = _limits(tracks, thresholds)
    for axes, vc, track in zip(cells, vcs, tracks, strict=False):
        _panel(axes, vc, track, limits)
    for axes in cells[len(vcs) :]:
        axes.set_axis_off()
    for axes in cells[max(0, len(vcs) - beside) : len(vcs)]:
        axes.tick_params(labelbottom=True)
    made.supxlabel(f"X: cells in the buffer\n{_RULES}", fontsize=8.5)
    made.supylabel("Xᵢ W / Wᵢ: cells of the VC over its part of all MCRs", fontsize=8.5)
    made.suptitle(
        f"{port} in {run_line(run, asked_span(run, start, end))}", x=0.01, ha="left", fontsize=11
    )
    return made


def tracks_at(
    run: Run, port: str, asked: tuple[list[VcQueue], tuple[float, float], tuple[float, float]]
) -> list[Track]:
    """Tracks of the VCs with minimum cell rates; `asked` has them, the thresholds and the span."""
    vcs, thresholds, span = asked
    instants = np.linspace(span[0], span[1], INSTANTS, endpoint=False)
    whole = values_at(_judged_queue(run, port), instants)
    total = minimum_rates(run, port)
    return [
        Track(
            whole,
            values_at(curve_of(vc.series), instants) * (total / (vc.mcr or np.nan)),
            thresholds,
        )
        for vc in vcs
    ]


def _judged_queue(run: Run, port: str) -> Curve:
    """X: the queue of the VCs' class if several classes pass, else the queue of the port."""
    if not run.ports[port].get("classes"):
        return whole_queue(run, port)
    found = series_with_points(run, f"{port}.ubr_queue")
    if found is None:
        raise ValueError(
            f'several classes pass {port}, and theirs was not recorded; "queue" in '
            "`observe.series` records the queue of each"
        )
    return curve_of(found)


def _limits(tracks: list[Track], thresholds: tuple[float, float]) -> tuple[float, float]:
    """Ends of the axes: all of X and H, nearly all of X_i W / W_i and the diagonal."""
    across = max(1.12 * thresholds[1], 1.05 * max(float(track.whole.max()) for track in tracks))
    return across, max(across, 1.05 * max(float(np.quantile(track.own, 0.999)) for track in tracks))


def _panel(axes: Axes, vc: VcQueue, track: Track, limits: tuple[float, float]) -> None:
    quiet(axes)
    axes.grid(visible=False)
    title(axes, vc.label)
    across, up = limits
    low, high = track.thresholds
    axes.hexbin(
        track.whole,
        track.own,
        gridsize=(40, 30),
        extent=(0.0, across, 0.0, up),
        mincnt=1,
        bins="log",
        cmap=_shades(vc.colour),
        linewidths=0.1,
    )
    axes.plot([0.0, across], [0.0, across], color=_LINE, linewidth=1.0, label="share")
    for name, place in (("L", low), ("H", high)):
        axes.axvline(place, color=_LINE, linewidth=1.0, linestyle=(0, (4, 2)), label=name)
        axes.annotate(
            name,
            (place, 1.0),
            (2, -2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            va="top",
            fontsize=9,
        )
    middle = (low + high) / 2.0
    places = [(low / 2.0, 0.88), (middle, 0.88), (middle, 0.06), ((high + across) / 2.0, 0.88)]
    for number, ((place, height), part) in enumerate(zip(places, track.regions, strict=True), 1):
        axes.text(
            place,
            height,
            f"{number}\n{100.0 * part:.0f} %",
            transform=axes.get_xaxis_transform(),
            ha="center",
            va="center",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1.0},
        )
    axes.set_xlim(0.0, across)
    axes.set_ylim(0.0, up)


def _shades(colour: str) -> LinearSegmentedColormap:
    """Colours from a light tint to a dark tone of `colour`: the order stays in grey print."""
    red, green, blue = to_rgb(colour)
    light = [0.7 + 0.3 * part for part in (red, green, blue)]
    dark = [0.55 * part for part in (red, green, blue)]
    return LinearSegmentedColormap.from_list("held", [light, (red, green, blue), dark])

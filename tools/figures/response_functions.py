"""Segments per second against the loss, by simulation and formulas: docs/response-functions.md."""

from collections.abc import Callable

from matplotlib.axes import Axes

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet, title
from cellway.statistics.intervals import Estimate
from cellway.study.results import Results
from cellway.theory import cubic_rate, pftk_rates, square_root_rate
from figures.shared import FOLDER, results_of

ROUND_TRIP = 0.1
TIMEOUT = 1.0
"""Seconds of the timeout with `timers = "fine"` after few samples."""
MEASURED = 500.0
"""Seconds of a run of the study of response functions."""

FORMULAS: dict[str, tuple[str, Callable[[float], float]]] = {
    "Reno": ("PFTK", lambda p: pftk_rates(p, ROUND_TRIP, TIMEOUT).sent),
    "New Reno": ("square root", lambda p: square_root_rate(p, ROUND_TRIP)),
    "SACK": ("square root", lambda p: square_root_rate(p, ROUND_TRIP)),
    "CUBIC": ("RFC 9438", lambda p: cubic_rate(p, ROUND_TRIP)),
}
"""Segments per second, by kind of TCP."""


def response_functions() -> None:
    """Draws segments per second against the loss, and their ratio to each formula."""
    independent = points_of(results_of("random-loss"), "loss", float)
    periodic = points_of(results_of("periodic-loss"), "packets", lambda packets: 1 / packets)
    made = figure(11.5, 3.9)
    rates, random, regular = made.subplots(1, 3, width_ratios=[1.15, 1.0, 1.0])
    random.sharey(regular)
    for colour, (tcp, (name, formula)) in zip(COLOURS, FORMULAS.items(), strict=False):
        losses = sorted(independent[tcp])
        rates.plot(losses, [formula(loss) for loss in losses], color=colour, linewidth=1.0)
        draw_points(rates, independent[tcp], lambda _: 1.0, colour, f"{tcp}, line: {name}")
        for axes, found in ((random, independent), (regular, periodic)):
            draw_points(axes, found[tcp], formula, colour, f"{tcp} / {name}")
    rates.set_yscale("log")
    rates.legend(fontsize=8, frameon=False)
    for axes in (random, regular):
        axes.axhspan(0.85, 1.15, color="#EEEEEE", zorder=0)
        axes.axhline(1.0, color="black", linewidth=0.8)
        axes.set_ylim(0.7, 1.3)
    for axes, text in (
        (rates, "segments per second"),
        (random, "independent losses: simulated / formula"),
        (regular, "losses equally far apart"),
    ):
        axes.set_xscale("log")
        axes.set_xlabel("losses per packet", fontsize=9)
        title(axes, text)
        quiet(axes)
    headline(made, "What TCP sends at a given loss, round trip 100 ms: simulation and formulas")
    save_figure(made, FOLDER / "response-functions.svg", as_text=True)


def points_of(
    results: Results, factor: str, loss: Callable[[float], float]
) -> dict[str, dict[float, Estimate]]:
    """Segments sent per second, by TCP and loss, which is made of the level of `factor`."""
    found: dict[str, dict[float, Estimate]] = {}
    columns = zip(results.column("tcp"), results.column(factor), strict=True)
    for (tcp, level), estimate in zip(columns, results.estimates("sent"), strict=True):
        assert estimate is not None, (tcp, level)
        found.setdefault(str(tcp), {})[loss(level)] = estimate
    return found


def draw_points(
    axes: Axes,
    points: dict[float, Estimate],
    formula: Callable[[float], float],
    colour: str,
    label: str,
) -> None:
    """Draws means with intervals, as parts of the formula, and prints them."""
    losses = sorted(points)
    scales = [1.0 / (MEASURED * formula(loss)) for loss in losses]
    means = [points[loss].mean * scale for loss, scale in zip(losses, scales, strict=True)]
    halves = [
        (points[loss].half_width or 0.0) * scale for loss, scale in zip(losses, scales, strict=True)
    ]
    axes.errorbar(
        losses, means, halves, fmt="o", markersize=3.5, color=colour, capsize=2.5, label=label
    )
    print(label, *(f"{mean:.3f} ± {half:.3f}" for mean, half in zip(means, halves, strict=True)))

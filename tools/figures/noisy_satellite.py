"""Kind of errors that a noisy hop must have had: docs/noisy-satellite.md."""

import itertools
import math

from matplotlib.axes import Axes

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet, title
from cellway.statistics.intervals import Estimate
from cellway.study.results import Results
from cellway.theory import pftk_rates, square_root_rate
from figures.shared import FOLDER, draw_line, results_of

RULES_AT_BIT_ERRORS = ("Tahoe", "Reno", "New Reno", "SACK")
PUBLISHED = {"Reno": 1.235, "New Reno": 1.527, "SACK": 2.059}
"""Mbit/s over a hop with a bit error ratio of 8.9e-4, Charalambous, Frost and Evans 1999."""
SATELLITE_ROUND_TRIP = 0.534
SEGMENT_BITS = 8 * 9140
FRAME_PAYLOAD_BITS = 192 * 384
"""Bits of a frame in which a single error is not corrected."""


def noisy_satellite() -> None:
    """Draws independent bit errors, bursts of 3 ms, and predictions of a fit to one row."""
    errors, bursts = results_of("bit-errors"), results_of("error-bursts")
    made = figure(12.5, 4.0)
    independent, clustered, predicted = made.subplots(1, 3, width_ratios=[1.3, 1.0, 1.0])
    draw_bit_errors(independent, errors)
    goodputs = goodput_of_bursts(bursts)
    draw_bursts(clustered, goodputs)
    draw_predictions(predicted, goodputs)
    headline(made, "A noisy geostationary hop: goodput by recovery rule, 95 % intervals")
    save_figure(made, FOLDER / "noisy-satellite.svg", as_text=True)


def draw_bit_errors(axes: Axes, results: Results) -> None:
    """Draws goodput over the bit error ratio beside two formulas and the measured goodput."""
    found: dict[str, dict[float, Estimate]] = {}
    points = zip(results.column("recovery"), results.column("bit_errors"), strict=True)
    for (rule, ratio), estimate in zip(points, results.estimates("goodput"), strict=True):
        assert estimate is not None, (rule, ratio)
        found.setdefault(str(rule), {})[float(ratio)] = estimate
    for colour, rule in zip(COLOURS, RULES_AT_BIT_ERRORS, strict=False):
        draw_line(axes, found[rule], colour, rule)
    ratios = [10 ** (-10 + step / 20) for step in range(81)]
    losses = [-math.expm1(FRAME_PAYLOAD_BITS * math.log1p(-ratio)) for ratio in ratios]
    square_root = [square_root_rate(p, SATELLITE_ROUND_TRIP, 2) * SEGMENT_BITS for p in losses]
    padhye = [pftk_rates(p, SATELLITE_ROUND_TRIP, 2.0, 2).received * SEGMENT_BITS for p in losses]
    for rates, dashes, label in ((square_root, ":", "square root"), (padhye, "--", "PFTK")):
        mega = [min(rate / 1e6, 134.5) for rate in rates]
        axes.plot(ratios, mega, dashes, color="black", linewidth=1.0, label=label)
    axes.axvline(8.9e-4, color="#999999", linewidth=0.8)
    axes.plot([8.9e-4] * 3, list(PUBLISHED.values()), "kx", markersize=5, label="measured")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(0.005, 300.0)
    axes.set_xlabel("bit errors per bit, independent", fontsize=9)
    axes.legend(fontsize=8, frameon=False, loc="lower left")
    title(axes, "goodput, Mbit/s")
    quiet(axes)


def goodput_of_bursts(results: Results) -> dict[str, dict[str, dict[float, Estimate]]]:
    """Goodputs by mean burst, recovery rule and mean good time in milliseconds."""
    found: dict[str, dict[str, dict[float, Estimate]]] = {}
    columns = (results.column(name) for name in ("burst", "recovery", "apart"))
    for (burst, rule, apart), estimate in zip(
        zip(*columns, strict=True), results.estimates("goodput"), strict=True
    ):
        assert estimate is not None, (burst, rule, apart)
        good_ms = float(str(apart).removesuffix(" ms"))
        found.setdefault(str(burst), {}).setdefault(str(rule), {})[good_ms] = estimate
    return found


def draw_bursts(axes: Axes, goodputs: dict[str, dict[str, dict[float, Estimate]]]) -> None:
    """Draws goodput under bursts of 3 ms against the time between them."""
    for colour, (rule, published) in zip(COLOURS[1:], PUBLISHED.items(), strict=False):
        draw_line(axes, goodputs["3 ms"][rule], colour, rule)
        axes.axhline(published, color=colour, linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis, ticks in ((axes.xaxis, (50, 100, 200, 400, 800, 1600)), (axes.yaxis, (0.3, 1, 3))):
        axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.set_ticks([], minor=True)
    axes.set_xlabel("between bursts of 3 ms, ms; dotted: measured", fontsize=9)
    axes.legend(fontsize=8, frameon=False)
    title(axes, "goodput, Mbit/s")
    quiet(axes)


def draw_predictions(axes: Axes, goodputs: dict[str, dict[str, dict[float, Estimate]]]) -> None:
    """Draws ratios of the other rules to their measured goodput, where Reno has its own."""
    for colour, rule in zip(COLOURS[2:], ("New Reno", "SACK"), strict=False):
        ratios = []
        for by_rule in goodputs.values():
            apart = where(by_rule["Reno"], PUBLISHED["Reno"])
            ratios.append(at(by_rule[rule], apart) / PUBLISHED[rule])
            print(f"{rule}: {ratios[-1]:.3f} of the measured, {apart:.1f} ms between bursts")
        axes.plot(range(len(ratios)), ratios, "o-", color=colour, markersize=4, label=rule)
    axes.axhspan(0.75, 1.25, color="#EEEEEE", zorder=0)
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(goodputs)), list(goodputs))
    axes.set_ylim(0.5, 1.5)
    axes.set_xlabel("mean burst", fontsize=9)
    axes.legend(fontsize=8, frameon=False)
    title(axes, "Reno fitted: others / measured")
    quiet(axes)


def where(points: dict[float, Estimate], level: float) -> float:
    """Place at which the mean, joined by straight lines between logarithms, has this level."""
    places = sorted(points)
    for left, right in itertools.pairwise(places):
        low, high = points[left].mean, points[right].mean
        if low <= level <= high:
            part = math.log(level / low) / math.log(high / low)
            return left * math.pow(right / left, part)
    message = f"{level} is not between the levels of the study"
    raise ValueError(message)


def at(points: dict[float, Estimate], place: float) -> float:
    """Mean at this place, by straight lines between logarithms."""
    places = sorted(points)
    for left, right in itertools.pairwise(places):
        if left <= place <= right:
            part = math.log(place / left) / math.log(right / left)
            low, high = points[left].mean, points[right].mean
            return low * math.pow(high / low, part)
    message = f"{place} is not between the places of the study"
    raise ValueError(message)

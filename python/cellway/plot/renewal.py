"""Efficiency of TCP over a link of two rates, within the bounds of the renewal model."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, quiet
from cellway.theory.renewal import RenewalCurve


def plot_renewal(curves: Sequence[RenewalCurve]) -> Figure:
    """Draws efficiency against the round trips that each rate lasts, on a logarithmic axis.

    Raises:
        ValueError: no curve has a point.
    """
    if not any(curve.psi for curve in curves):
        raise ValueError("no curve has a point; expected at least one value of psi")
    made = figure(6.4, 4.0)
    axes = made.subplots()
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        optimistic = [found.efficiency.optimistic for found in curve.found]
        conservative = [found.efficiency.each_once for found in curve.found]
        axes.fill_between(curve.psi, conservative, optimistic, color=colour, alpha=0.15, lw=0)
        axes.plot(curve.psi, optimistic, color=colour, linestyle="--", linewidth=1.0)
        axes.plot(curve.psi, conservative, color=colour, linewidth=1.4, label=curve.label)
    axes.set_xscale("log")
    axes.set_xlabel("ψ, round trips that each rate lasts", fontsize=9)
    axes.set_ylabel("part of the mean capacity", fontsize=9)
    axes.legend(fontsize=8, frameon=False)
    axes.set_title("solid: conservative, dashed: optimistic", fontsize=9, loc="left")
    quiet(axes)
    return made

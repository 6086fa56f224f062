"""TCP over rate control, measured beside simulated: docs/measured-rate-control.md."""

import csv
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import MUTED, figure, headline
from cellway.statistics import Estimate, estimate
from figures.shared import FOLDER, results_of

STORED = Path("tools/figures/rate_control_measured.csv")
"""Measured runs: an hour of real time at 24 side by side."""
CELLS = 48.0 / 53.0
"""Share of a cell that is no header; TCP alone has none."""
TOLD = {"alone": "TCP alone", "instcap": "INSTCAP", "effcap": "EFFCAP"}
SENDERS = {
    "Linux": "Linux, SACK and RACK",
    "Linux without SACK": "Linux without SACK",
    "Reno": "Reno, simulated",
    "vanilla": "timeouts alone, simulated",
}
"""Senders that are drawn, with what stands above their panels."""

Values = dict[tuple[str, str, float], list[float]]
"""Efficiencies by sender, source and ψ, in the order of their seeds."""


def measured() -> Values:
    """Efficiencies of the stored measurements."""
    found: Values = {}
    with STORED.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = row["sender"], row["told"], float(row["psi"])
            share = 1.0 if row["told"] == "alone" else CELLS
            found.setdefault(key, []).append(share * float(row["efficiency"]))
    return found


def simulated() -> Values:
    """Efficiencies of both studies."""
    found: Values = {}
    for name, told in (("rate-control-alone", "alone"), ("rate-control", None)):
        results = results_of(name)
        sources = [told] * len(results.conditions) if told else results.column("told")
        points = zip(results.column("sender"), sources, results.column("psi"), strict=True)
        for at, (sender, source, psi) in enumerate(points):
            share = 1.0 if source == "alone" else CELLS
            values = [share * one for one in results.values("goodput", at)]
            found[str(sender), str(source), float(psi)] = values
    return found


def points_of(found: Values, sender: str, told: str) -> dict[float, Estimate]:
    """Means by ψ."""
    return {
        psi: estimate(values)
        for (who, source, psi), values in sorted(found.items())
        if (who, source) == (sender, told)
    }


def draw(axes: Axes, sender: str, ours: Values, kernels: Values) -> None:
    """Draws the panel of a sender: lines are simulated, points measured."""
    for colour, told in zip(COLOURS, TOLD, strict=False):
        points = points_of(ours, sender, told)
        axes.plot(list(points), [one.mean for one in points.values()], "-", color=colour)
        points = points_of(kernels, sender, told)
        halves = [one.half_width or 0.0 for one in points.values()]
        means = [one.mean for one in points.values()]
        axes.errorbar(list(points), means, halves, fmt="o", markersize=4, color=colour, capsize=2)
    axes.set_xscale("log")
    axes.set_xticks([0.3, 1, 5, 20, 100], ["0.3", "1", "5", "20", "100"])
    axes.set_ylim(0.4, 0.95)
    axes.minorticks_off()
    axes.set_title(SENDERS[sender], fontsize=9, loc="left")
    axes.set_xlabel("ψ: round trips that a rate lasts", fontsize=8)


def cell_of(values: list[float]) -> str:
    """Mean and half-width as the page has them."""
    one = estimate(values)
    return f"{one.mean:.3f} ± {one.half_width or 0.0:.3f}"


def print_tables(ours: Values, kernels: Values) -> None:
    """Prints the tables of the page: measured beside simulated, and all senders."""
    for sender in ("Linux", "Linux without SACK"):
        print(f"\n{sender}")
        for (who, told, psi), values in sorted(kernels.items()):
            if who == sender:
                pairs = zip(ours[who, told, psi], values, strict=False)
                gaps = estimate([100.0 * (own / kernel - 1.0) for own, kernel in pairs])
                gap = f"{gaps.mean:+.1f} ± {gaps.half_width or 0.0:.1f} %"
                cells = psi, TOLD[told], cell_of(values), cell_of(ours[who, told, psi]), gap
                print("|", *cells, "|", sep=" | ")
    for sender in dict.fromkeys(who for who, _, _ in ours):
        for told, name in TOLD.items():
            points = points_of(ours, sender, told)
            print("|", sender, name, *(f"{one.mean:.3f}" for one in points.values()), sep=" | ")


def rate_control() -> None:
    """Draws a panel for each sender, and prints the tables of the page."""
    ours, kernels = simulated(), measured()
    made = figure(11.0, 3.6)
    panels = made.subplots(1, len(SENDERS), sharey=True)
    for axes, sender in zip(panels, SENDERS, strict=True):
        draw(axes, sender, ours, kernels)
    panels[0].set_ylabel("packets, of the mean capacity")
    lines = [Line2D([], [], color=colour) for colour, _ in zip(COLOURS, TOLD, strict=False)]
    ways = [Line2D([], [], color=MUTED), Line2D([], [], color=MUTED, marker="o", linestyle="")]
    names = [*TOLD.values(), "simulated", "measured"]
    panels[-1].legend([*lines, *ways], names, fontsize=7, loc="lower right")
    headline(made, "One TCP over a rate that varies: the kernel measured, and simulated beside it")
    save_figure(made, FOLDER / "rate-control.svg", as_text=True)
    print_tables(ours, kernels)

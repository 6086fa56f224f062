"""Parts that the figures share: their folder, their studies, means with intervals as a line."""

from pathlib import Path

from matplotlib.axes import Axes

import cellway
from cellway.statistics.intervals import Estimate
from cellway.study.results import Results

FOLDER = Path("docs/figures")
RULES = {"reno": "Reno", "new_reno": "New Reno", "sack": "SACK"}
"""Words of `tcp.recovery` with their names."""


def results_of(name: str) -> Results:
    """Results of the shipped study; does its missing runs."""
    return cellway.load_study(f"scenarios/studies/{name}.toml").run(f"out/figures/{name}")


def draw_line(axes: Axes, points: dict[float, Estimate], colour: str, label: str) -> None:
    """Draws means with intervals, joined by a line."""
    places = sorted(points)
    means = [points[place].mean for place in places]
    halves = [points[place].half_width or 0.0 for place in places]
    axes.errorbar(
        places, means, halves, fmt="o-", markersize=3, linewidth=1.0, color=colour, capsize=2,
        label=label,
    )  # fmt: skip
    print(label, *(f"{mean:.4g} ± {half:.2g}" for mean, half in zip(means, halves, strict=True)))

"""Throughput over the offered load by path and by rule of recovery: docs/offered-load.md."""

from matplotlib.axes import Axes

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet, title
from cellway.statistics.intervals import Estimate
from figures.shared import FOLDER, RULES, draw_line, results_of

FULL_RATE = 403.5
"""Mbit/s that three OC-3c lines carry in segments of 9140 bytes."""
PANELS = (
    ("Reno by path", [("LAN", "reno"), ("WAN", "reno"), ("satellite", "reno")], "center right"),
    ("LAN by recovery", [("LAN", rule) for rule in RULES], "center right"),
    ("WAN by recovery", [("WAN", rule) for rule in RULES], "center right"),
    ("satellite by recovery", [("satellite", rule) for rule in RULES], "upper left"),
)
"""Panels with their lines, and the places for the names of these."""


def offered_load() -> None:
    """Draws panels as figures 3 and 4 of Charalambous, Frost and Evans; dotted lines: full rate."""
    results = results_of("offered-load")
    print(results)
    print(results_of("offered-load-buffers"))
    found: dict[tuple[str, str], dict[float, Estimate]] = {}
    columns = (results.column(name) for name in ("path", "recovery", "offered"))
    for (path, rule, offered), estimate in zip(
        zip(*columns, strict=True), results.estimates("goodput"), strict=True
    ):
        assert estimate is not None, (path, rule, offered)
        load = float(str(offered).removesuffix(" Mbit/s"))
        found.setdefault((str(path), str(rule)), {})[load] = estimate
    made = figure(13.5, 3.9)
    panels = made.subplots(1, len(PANELS), sharey=True)
    for axes, (text, lines, place) in zip(panels, PANELS, strict=True):
        by_path = len({path for path, _ in lines}) > 1
        for colour, (path, rule) in zip(COLOURS, lines, strict=False):
            draw_loads(axes, found[path, rule], colour, path if by_path else RULES[rule])
        axes.legend(fontsize=8, frameon=False, loc=place)
        title(axes, text)
    panels[0].set_ylabel("goodput of all, Mbit/s", fontsize=9)
    headline(made, "Three shaped sources into one OC-3c; dotted: at full rate")
    save_figure(made, FOLDER / "offered-load.svg", as_text=True)


def draw_loads(axes: Axes, points: dict[float, Estimate], colour: str, label: str) -> None:
    """Draws goodput over the load, the diagonal, and the full rate as a level."""
    shaped = {load: estimate for load, estimate in points.items() if load < FULL_RATE}
    draw_line(axes, shaped, colour, label)
    axes.axhline(points[FULL_RATE].mean, color=colour, linewidth=1.0, linestyle=":")
    axes.plot([0.0, 134.5], [0.0, 134.5], color="#999999", linewidth=0.8, zorder=0)
    axes.set_xlim(50.0, 155.0)
    axes.set_ylim(0.0, 140.0)
    axes.set_xlabel("offered, Mbit/s", fontsize=9)
    quiet(axes)

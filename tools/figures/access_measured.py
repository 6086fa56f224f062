"""Queues of an access line under the kernel's TCP beside the simulated: docs/measured-access.md."""

import csv
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import MUTED, figure, headline
from cellway.statistics import Estimate, estimate
from cellway.statistics.paired import paired_difference
from figures.shared import FOLDER

STORED = Path("tools/figures/access_measured.csv")
"""Runs of the study `access-queue-measured`, nine minutes of real time at 9 side by side."""
LAWS, QUEUES = ("Reno", "CUBIC", "BBR"), ("tail", "RED", "CoDel", "FQ-CoDel", "PIE")
COLUMNS = {"goodput": "all, Mbit/s", "delay": "median delay, ms", "delay_p99": "99 % of it, ms"}
"""Responses with a column in the figure."""

Values = dict[tuple[str, str, str], dict[str, list[float]]]
"""Numbers by way, law and queue, by response, in the order of their seeds."""


def stored() -> Values:
    """Numbers of the stored runs."""
    found: Values = {}
    with STORED.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            numbers = found.setdefault((row["way"], row["congestion"], row["queue"]), {})
            for name in list(row)[4:]:
                numbers.setdefault(name, []).append(float(row[name]))
    return found


def draw(axes: Axes, runs: Values, law: str, response: str) -> None:
    """Draws a panel: the queues of a law, measured and simulated."""
    ways = (
        ("simulate", COLOURS[0], "white", 0.12),
        ("measure", COLOURS[1], COLOURS[1], -0.12),
    )
    for way, colour, fill, shift in ways:
        means = [estimate(runs[way, law, queue][response]) for queue in QUEUES]
        axes.errorbar(
            [one.mean for one in means],
            [at + shift for at in range(len(QUEUES))],
            xerr=[one.half_width or 0.0 for one in means],
            fmt="o",
            markersize=5,
            color=colour,
            markerfacecolor=fill,
            capsize=2,
        )
    axes.set_yticks(range(len(QUEUES)), QUEUES, fontsize=8)
    axes.invert_yaxis()
    if response == "goodput":
        axes.set_xlim(9.2, 9.8)
    else:
        axes.set_xscale("log")
        axes.set_xlim(5, 300)
        axes.set_xticks([5, 10, 20, 50, 100, 200], ["5", "10", "20", "50", "100", "200"])
        axes.minorticks_off()
    axes.tick_params(axis="x", labelsize=8)


def told(values: list[float]) -> str:
    """Mean and half-width as the page has them."""
    one = estimate(values)
    return f"{one.mean:.3g} ± {one.half_width or 0.0:.2g}"


def gap(runs: Values, law: str, queue: str, response: str) -> Estimate:
    """Measured less simulated, in per cent of the simulated."""
    simulated, measured = (runs[way, law, queue][response] for way in ("simulate", "measure"))
    base = estimate(simulated).mean / 100.0
    return paired_difference([one / base for one in measured], [one / base for one in simulated])


def print_table(runs: Values) -> None:
    """Prints the table of the page: measured, and the difference to simulated."""
    for law in LAWS:
        for queue in QUEUES:
            cells = []
            for response in ("goodput", "delay", "delay_p99", "call_p99"):
                found = gap(runs, law, queue, response)
                cells.append(told(runs["measure", law, queue][response]))
                cells.append(f"{found.mean:+.1f} ± {found.half_width or 0.0:.1f} %")
            print("", law, queue, *cells, "", sep=" | ")


def access_measured() -> None:
    """Draws a row for each law and a column for each response, and prints the table."""
    runs = stored()
    made = figure(11.0, 7.2)
    panels = made.subplots(len(LAWS), len(COLUMNS), sharey=True)
    for row, law in zip(panels, LAWS, strict=True):
        for axes, response in zip(row, COLUMNS, strict=True):
            draw(axes, runs, law, response)
        row[0].set_ylabel(law)
    for axes, title in zip(panels[-1], COLUMNS.values(), strict=True):
        axes.set_xlabel(title, fontsize=8)
    ways = [
        Line2D([], [], color=COLOURS[0], marker="o", markerfacecolor="white", linestyle=""),
        Line2D([], [], color=COLOURS[1], marker="o", linestyle=""),
    ]
    panels[0][0].legend(ways, ["simulated", "measured"], fontsize=7, labelcolor=MUTED)
    headline(made, "Five queues at 10 Mbit/s: the TCP of Linux measured, and simulated beside it")
    save_figure(made, FOLDER / "access-measured.svg", as_text=True)
    print_table(runs)

"""Share of BBR beside CUBIC over the buffer: the table of docs/against-ns3.md as a figure."""

import re
from pathlib import Path

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet, title
from cellway.statistics.intervals import Estimate
from figures.shared import FOLDER, draw_line

PAGE = Path("docs/against-ns3.md")
NUMBER = r"(\d\.\d+)"
ROW = re.compile(
    rf"\| (\d+) \| ([\d.]+) \| \d+ \| {NUMBER} ± {NUMBER} \| {NUMBER} ± {NUMBER} \| {NUMBER} \|"
)
SEEDS = 6


def bbr_shares() -> None:
    """Draws a panel for each number of CUBIC flows, a line for each simulator and the formula."""
    rows = [tuple(map(float, row)) for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]
    counts = list(dict.fromkeys(count for count, *_ in rows))
    made = figure(9.0, 3.8)
    for axes, count in zip(made.subplots(1, len(counts), sharey=True), counts, strict=True):
        panel = [row[1:] for row in rows if row[0] == count]
        for colour, name, at in zip(COLOURS, ("ns-3", "cellway"), (1, 3), strict=False):
            points = {row[0]: Estimate(row[at], row[at + 1], SEEDS) for row in panel}
            draw_line(axes, points, colour, name)
        buffers = [row[0] for row in panel]
        shares = [row[5] for row in panel]
        axes.plot(buffers, shares, "--", color="#555555", linewidth=1.0, label="formula")
        axes.set_xscale("log")
        axes.xaxis.set_ticks(buffers, [f"{buffer:g}" for buffer in buffers])
        axes.xaxis.set_ticks([], minor=True)
        axes.set_ylim(0.0, 1.0)
        axes.set_xlabel("buffer, bandwidth-delay products", fontsize=9)
        title(axes, f"beside {count:g} CUBIC")
        quiet(axes)
    axes.legend(fontsize=8, frameon=False)
    headline(made, "BBR version 1 on 10 Mbit/s and 40 ms: its part of all goodput")
    save_figure(made, FOLDER / "bbr-shares.svg", as_text=True)

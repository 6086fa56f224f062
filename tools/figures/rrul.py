"""A ping beside four downloads and four uploads through seven queues: docs/rrul.md."""

import numpy as np
from numpy.typing import NDArray

import cellway
from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, legend_below, plain_logarithmic, title
from cellway.runs.runs import Run
from cellway.text.units import SCALES, per
from figures.shared import FOLDER

QUEUES = {
    "tail": "tail drop", "codel": "CoDel", "pie": "PIE", "dual_pi2": "DualPI2",
    "fq_codel": "FQ-CoDel", "fq_pie": "FQ-PIE", "cake": "CAKE",
}  # fmt: skip
BIN = 2.0
"""Seconds of a point."""
LOW, HIGH = 25.0, 500.0
"""Round trips that are shown, ms."""

Numbers = NDArray[np.float64]


def rrul() -> None:
    """Draws totals down and up, and round trips of the ping, over time."""
    made = figure(11.0, 9.5)
    rows = made.subplots(3, 1, sharex=True)
    base = cellway.Scenario.load("scenarios/rrul.toml")
    for colour, (queue, name) in zip(COLOURS, QUEUES.items(), strict=False):
        run = cellway.run(base.with_set("switch.*.drop", queue))
        for axes, family in zip(rows, ("download", "upload"), strict=False):
            axes.plot(*_rate(run, f"arrived.{family}[*]"), color=colour, linewidth=1.0)
        rows[2].plot(*_round_trip(run), color=colour, linewidth=1.0, label=name)
    for axes, text in zip(rows, ("four downloads", "four uploads", "ping"), strict=True):
        title(axes, text)
    rows[0].set_ylabel("Mbit/s")
    rows[1].set_ylabel("Mbit/s")
    rows[0].set_ylim(0.0, 22.0)
    rows[1].set_ylim(0.0, 5.5)
    rows[2].set_yscale("log")
    plain_logarithmic(rows[2].yaxis, LOW, HIGH)
    rows[2].set_ylim(LOW, HIGH)
    rows[2].set_ylabel("round trip, ms")
    rows[2].set_xlabel("time, s")
    legend_below(made, rows[2].get_lines())
    headline(made, "Four downloads and four uploads: what is left for a ping, by queue")
    save_figure(made, FOLDER / "rrul.svg", as_text=True)


def _bins(time: Numbers, value: Numbers) -> tuple[Numbers, list[Numbers]]:
    """Middles of the bins, and the values in each."""
    ends = np.arange(BIN, time[-1] + BIN / 2, BIN)
    parts = np.split(value, np.searchsorted(time, ends[:-1], side="right"))
    return ends - BIN / 2, parts


def _rate(run: Run, name: str) -> tuple[Numbers, Numbers]:
    """Mbit/s that arrive in each bin."""
    series = run.series(name)
    middles, parts = _bins(series.time, np.diff(series.value, prepend=0.0))
    bits = np.array([8.0 * part.sum() for part in parts])
    return middles, bits / BIN / SCALES["Mbit/s"]


def _round_trip(run: Run) -> tuple[Numbers, Numbers]:
    """Milliseconds there and back, the mean of each bin."""
    there, back = (run.series(f"{name}.one_way_delay") for name in ("ping", "pong"))
    middles, parts = _bins(there.time, there.value + back.value)
    return middles, np.array([np.nanmean(part) * per("ms") for part in parts])

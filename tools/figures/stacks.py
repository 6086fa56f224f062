"""QUIC beside our CUBIC over paths that the scenarios have: docs/stacks.md."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

import cellway
from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, legend_beside, quiet, title
from figures.shared import FOLDER

EXAMPLE = Path("crates/stack/examples/quic")
PROGRAM = EXAMPLE / "target/release/cellway-quic"
STEP = 1.0
"""Seconds that a point of the goodput is the mean of."""
PATHS = {
    "satellite": ("transfer", "9180 B", "1 MiB", "Geostationary, DS-3, a window of 1 MiB"),
    "leo-hand-overs": ("download", "1500 B", "1 MiB", "Low orbits, 50 Mbit/s, hand-overs"),
    "lossy-access": ("f", "1500 B", "1 MiB", "Access, 10 Mbit/s that lose 1 % of packets"),
}
"""Scenarios with their flow, its MTU and window, and what stands above the panel."""


def stacks() -> None:
    """Draws the goodput of both in a panel for each path."""
    if not PROGRAM.exists():
        command = f"cargo build --release --locked --manifest-path {EXAMPLE}/Cargo.toml"
        raise SystemExit(f"{PROGRAM} is not built: {command}")
    made = figure(10.0, 7.0)
    for axes, (name, (flow, mtu, window, text)) in zip(
        made.subplots(len(PATHS), 1), PATHS.items(), strict=True
    ):
        sender = {"preset": "linux", "mtu": mtu, "window": window}
        scenario = cellway.Scenario.load(f"scenarios/{name}.toml").with_sets(
            [
                (f"flow.{flow}.tcp", sender),
                (f"flow.{flow}.start", "0 s"),
                ("run.duration", "60 s"),
                ("run.warm_up", "0 s"),
                ("observe.series", ["acked"]),
                ("observe.interval", "100 ms"),
            ]
        )
        runs = {
            "CUBIC, simulated": cellway.run(scenario),
            "QUIC, quinn's CUBIC": cellway.run(scenario, stacks={flow: str(PROGRAM)}),
        }
        for colour, (label, run) in zip(COLOURS, runs.items(), strict=False):
            _draw(axes, run, flow, colour, label)
            rate = run.flows[flow]["throughput_bits_per_second"] / 1e6
            print(name, label, f"{rate:.3f} Mbit/s", run.stacks and run.stacks["trace"])
        title(axes, f"{text}: goodput, Mbit/s")
        axes.set_ylim(bottom=0.0)
        axes.set_xlim(0.0, 60.0)
        quiet(axes)
        legend_beside(axes)
    axes.set_xlabel("s")
    headline(made, "QUIC of quinn-proto over three scenarios, beside the simulated CUBIC")
    save_figure(made, FOLDER / "stacks.svg", as_text=True)


def _draw(axes: Axes, run: cellway.Run, flow: str, colour: str, label: str) -> None:
    """Draws what was acknowledged in each second."""
    series = run.series(f"{flow}.acked")
    edges = np.arange(0.0, 60.0 + STEP / 2, STEP)
    acked = np.interp(edges, np.asarray(series.time), np.asarray(series.value))
    rates = np.diff(acked) * 8e-6 / STEP
    axes.stairs(rates, edges, color=colour, linewidth=1.2, label=label, baseline=None)

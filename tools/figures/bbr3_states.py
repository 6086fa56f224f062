"""States of BBR version 3 with the series that show them: docs/models/bbr3.md."""

import numpy as np
from matplotlib.axes import Axes

import cellway
from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, legend_beside, quiet, share_time, title
from figures.shared import FOLDER

STATES = ("Startup", "Drain", "DOWN", "CRUISE", "REFILL", "UP", "ProbeRTT")
SPAN = (0.0, 8.0)
SEGMENT = 1460.0
PER_MEGABIT = 1e-6


def bbr3_states() -> None:
    """Draws state, rates and flight of a flow alone, behind a buffer of half a product."""
    run = cellway.run(_scenario())
    made = figure(10.0, 7.0)
    rows = made.subplots(4, 1, sharex=True)
    _draw(rows[0], run, {"law.state": "state"}, 1.0)
    rows[0].yaxis.set_ticks(range(len(STATES)), STATES)
    rates = {"law.pacing_rate": "paced", "law.max_bandwidth": "largest delivery rate"}
    _draw(rows[1], run, rates, PER_MEGABIT)
    rows[1].set_ylim(0.0, 14.0)
    flights = {
        "in_flight": "not acknowledged",
        "cwnd": "cwnd",
        "law.inflight_longterm": "long-term bound",
    }
    _draw(rows[2], run, flights, 1.0 / SEGMENT)
    _draw(rows[3], run, {"queue": "waiting"}, 1.0)
    texts = ("State", "Rates, Mbit/s", "Volumes, segments", "Queue, packets")
    for axes, text in zip(rows, texts, strict=True):
        title(axes, text)
        quiet(axes)
        legend_beside(axes)
    share_time(list(rows), SPAN, 0.0)
    flow = run.flows["bbr"]
    headline(
        made,
        "BBR version 3 alone on 10 Mbit/s and 40 ms, a buffer of 17 packets: "
        f"{flow['retransmitted_segments']} segments sent again",
    )
    save_figure(made, FOLDER / "bbr3-states.svg", as_text=True)


def _scenario() -> cellway.Scenario:
    base = cellway.Scenario.load("scenarios/bbr-beside-cubic.toml")
    return base.with_sets(
        [
            ("flow.bbr.tcp.congestion", "bbr3"),
            ("flow.bbr.start", "0 s"),
            ("flow.cubic.start", "7.99 s"),
            ("switch.router.buffer.per_port", "17 packet"),
            ("run.duration", "8 s"),
            ("run.warm_up", "0 s"),
            ("observe.interval", "5 ms"),
            ("observe.series", ["queue", "cwnd", "in_flight", "law"]),
        ]
    )


def _draw(axes: Axes, run: cellway.Run, names: dict[str, str], scale: float) -> None:
    """Draws series as steps; `queue` is that before the line."""
    for colour, (name, label) in zip(COLOURS, names.items(), strict=False):
        series = run.series("router.line.queue" if name == "queue" else f"bbr.{name}")
        axes.step(
            series.time, np.asarray(series.value) * scale, where="post", color=colour,
            linewidth=1.0, label=label,
        )  # fmt: skip

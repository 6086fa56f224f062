"""The same losses under three rules of recovery: docs/loss-episode.md."""

import cellway
from cellway.cli.figure_files import save_figure
from cellway.plot.style import figure, headline, legend_beside, share_time, title
from cellway.plot.time_sequence import draw_time_sequence
from figures.shared import FOLDER, RULES

EPISODE = (1.46, 2.06)
"""Seconds of the loss episode."""
EPISODE_BYTES = (205.0, 335.0)
"""kB that are sent in it."""


def loss_episode() -> None:
    """Draws the same three losses under three rules of recovery, on one time axis."""
    made = figure(11.0, 12.5)
    rows = made.subplots(len(RULES), 1, sharex=True, sharey=True)
    base = cellway.Scenario.load("scenarios/loss-episode.toml")
    for axes, (rule, name) in zip(rows, RULES.items(), strict=True):
        run = cellway.run(base.with_set("flow.bulk.tcp.recovery", rule))
        draw_time_sequence(axes, run, "bulk", EPISODE)
        flow = run.flows["bulk"]
        resent = run.series("bulk.resent")
        at = ", ".join(f"{at:.2f}" for at in resent.time)
        title(axes, f"{name}: sent again at {at} s, {flow['timeouts']} by a timeout")
        axes.set_ylim(EPISODE_BYTES)
        print(name, "sent again at", *(f"{at:.3f}" for at in resent.time))
    legend_beside(rows[-1])
    share_time(rows, EPISODE, 0.0)
    headline(made, "Three segments of one window are lost: what three rules of recovery do")
    save_figure(made, FOLDER / "loss-episode.svg", as_text=True)

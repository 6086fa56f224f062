"""Queue disciplines in front of an access line: docs/access-queues.md."""

from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, quiet
from figures.shared import FOLDER, results_of

PANELS = (
    ("goodput", "goodput of all, Mbit/s"),
    ("near", "a near download, Mbit/s"),
    ("far", "a far download, Mbit/s"),
    ("delay", "median delay at the queue, ms"),
    ("delay_p99", "99 % of delays at the queue, ms"),
    ("call_p99", "99 % of delays of the call, ms"),
    ("call_lost", "datagrams of the call lost of 2000"),
)
"""Responses of the study of access queues, with their names."""


def access_queues() -> None:
    """Draws a panel for each response, a row for each queue, a colour for each rule."""
    results = results_of("access-queue")
    queues = list(dict.fromkeys(results.column("queue")))
    laws = list(dict.fromkeys(results.column("congestion")))
    made = figure(15.0, 3.6)
    panels = made.subplots(1, len(PANELS), sharey=True)
    for axes, (response, text) in zip(panels, PANELS, strict=True):
        for shift, (law, colour) in enumerate(zip(laws, COLOURS, strict=False)):
            for point, estimate in enumerate(results.estimates(response)):
                if results.column("congestion")[point] != law or estimate is None:
                    continue
                row = queues.index(results.column("queue")[point]) + 0.3 * shift - 0.15
                label = law if not axes.get_legend_handles_labels()[1].count(law) else None
                axes.errorbar(
                    estimate.mean,
                    row,
                    xerr=estimate.half_width or 0.0,
                    fmt="o",
                    markersize=3.5,
                    color=colour,
                    capsize=2,
                    label=label,
                )
        axes.set_title(text, fontsize=8, loc="left")
        quiet(axes)
        axes.set_xlim(left=0.0)
    panels[0].set_yticks(range(len(queues)), queues)
    panels[0].invert_yaxis()
    panels[0].set_xlim(9.5, 9.8)
    for axes in panels[3:6]:
        axes.set_xscale("log")
        axes.set_xlim(5.0, 400.0)
    panels[0].legend(fontsize=8, frameon=False, loc="lower left")
    headline(
        made, "Queues in front of 10 Mbit/s with room for 200 packets: 95 % intervals of 10 runs"
    )
    save_figure(made, FOLDER / "access-queues.svg", as_text=True)

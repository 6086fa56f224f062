"""Times of pages over a geostationary hop, with and without proxies: docs/geo-page-load.md."""

import numpy as np

import cellway
from cellway.cli.figure_files import save_figure
from cellway.plot.colours import COLOURS
from cellway.plot.style import figure, headline, legend_below, title
from figures.shared import FOLDER

PROXIES = {
    "no proxy": (False, False),
    "in the gateway": (True, False),
    "at both ends of the hop": (True, True),
}
SIZES = {"30 kB": "pages of 30 kB, median", "300 kB": "pages of 300 kB, median"}
SEEDS = range(1, 11)
PARTS = np.arange(0.0, 101.0)
"""Percentages of pages whose times are drawn."""
LONGEST = 7.0
"""Page times that are shown, seconds."""


def geo_pep() -> None:
    """Draws the distributions of page times, all pages of ten seeds together."""
    made = figure(11.0, 5.5)
    rows = made.subplots(1, 2, sharey=True)
    base = cellway.Scenario.load("scenarios/geo-pep.toml")
    for axes, (size, name) in zip(rows, SIZES.items(), strict=True):
        title(axes, name)
        for colour, (label, switches) in zip(COLOURS, PROXIES.items(), strict=False):
            times = np.percentile(_times(base, size, switches), PARTS)
            axes.plot(times, PARTS, color=colour, linewidth=1.2, label=label)
        axes.set_xlim(0.0, LONGEST)
        axes.set_ylim(0.0, 100.0)
        axes.set_xlabel("time of a page, s")
    rows[0].set_ylabel("pages that took no longer, %")
    legend_below(made, rows[0].get_lines())
    headline(made, "Pages over a geostationary hop, by the proxies that split TCP")
    save_figure(made, FOLDER / "geo-page-load.svg", as_text=True)


def _times(base: cellway.Scenario, size: str, switches: tuple[bool, bool]) -> list[float]:
    """Seconds of every page."""
    median = "flow.page.traffic.request_response.response.lognormal.median"
    scenario = base.with_set(median, size)
    for proxy, is_on in zip(("pep", "modem-pep"), switches, strict=True):
        scenario = scenario.with_set(f"proxy.{proxy}.enabled", is_on)
    runs = [cellway.run(scenario.with_set("run.seed", seed)) for seed in SEEDS]
    flows = [flow for run in runs for flow in run.summary["flows"].values()]
    return [flow["transactions"]["response_time"]["mean"] for flow in flows]

"""The one way from results to their figures.

`plot/` knows runs and studies, and neither knows `plot/`: their methods ask for a figure by its
name. Only then are its module, NumPy and Matplotlib loaded.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FigureName = Literal[
    "run",
    "runs",
    "port",
    "occupancy",
    "distributions",
    "regions",
    "time sequence",
    "time sequences",
    "study",
    "renewal",
    "sweep",
    "boundary",
]

SizeName = Literal["slide", "column", "page"]
"""Sizes for which a figure can be laid out again; `plot/sizes.py` has them."""

MADE_BY: Mapping[FigureName, str] = {
    "run": "cellway.plot.runs:plot_run",
    "runs": "cellway.plot.compared:plot_runs",
    "port": "cellway.plot.allocations:plot_allocation",
    "occupancy": "cellway.plot.occupancy:plot_occupancy",
    "distributions": "cellway.plot.distributions:plot_distributions",
    "regions": "cellway.plot.regions:plot_regions",
    "time sequence": "cellway.plot.time_sequence:plot_time_sequence",
    "time sequences": "cellway.plot.time_sequence:plot_time_sequences",
    "study": "cellway.plot.studies:plot_study",
    "boundary": "cellway.plot.boundaries:plot_boundary",
    "renewal": "cellway.plot.renewal:plot_renewal",
    "sweep": "cellway.plot.sweeps:plot_sweep",
}
"""The module that draws each figure, and the function there."""


def draw(name: FigureName, *asked: object, **options: object) -> "Figure":
    """Draws the figure `name` from `asked` and `options`.

    Raises:
        ValueError: there is nothing to draw; the message names the data that it needs.
    """
    module, _, function = MADE_BY[name].partition(":")
    figure: Figure = getattr(import_module(module), function)(*asked, **options)
    return figure

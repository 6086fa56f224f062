"""Figures that a paper asks for, each by its kind."""

from matplotlib.figure import Figure

from cellway.catalogue import figures
from cellway.catalogue.runner import Reproduction
from cellway.plot.conditions import plot_curves
from cellway.plot.groups import plot_groups
from cellway.plot.over_time import plot_over_time
from cellway.plot.places import plot_places


def draw(asked: figures.Figure, reproduction: Reproduction) -> Figure:
    """The figure `asked`, from the results of `reproduction` or from runs of its own.

    Raises:
        ValueError: none of its rows has a result.
        CatalogueError, RunError, ScenarioError, OSError: one of its runs cannot be done.
    """
    if isinstance(asked, figures.Groups):
        return plot_groups(asked, reproduction)
    if isinstance(asked, figures.Places):
        return plot_places(asked, reproduction)
    if isinstance(asked, figures.Curves):
        return plot_curves(asked, reproduction)
    return plot_over_time(asked)

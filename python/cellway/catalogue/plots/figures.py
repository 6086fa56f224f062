"""Figures that a paper asks for, each by its kind."""

from matplotlib.figure import Figure

from cellway.catalogue import figures
from cellway.catalogue.plots.conditions import plot_curves
from cellway.catalogue.plots.groups import plot_groups
from cellway.catalogue.plots.over_time import plot_over_time
from cellway.catalogue.plots.places import plot_places
from cellway.catalogue.runner import Reproduction


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

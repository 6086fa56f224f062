"""Runs to be plotted, and what a figure shows of them: panels, titles, units and legends."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import cellway
from cellway.scenario.scenario import SettableValue
from common import SMALL, shipped

Set = tuple[str, SettableValue]


def small_run(*sets: Set) -> cellway.Run:
    """A run of `SMALL` with these keys."""
    return cellway.run(cellway.Scenario.parse(SMALL).with_sets(sets))


def shipped_run(name: str, *sets: Set) -> cellway.Run:
    """A run of a scenario that is shipped, with these keys."""
    return cellway.run(shipped(name, dict(sets)))


def titles(figure: Figure) -> list[str]:
    """The title of each panel."""
    return [axes.get_title(loc="left") for axes in figure.axes]


def units(figure: Figure) -> list[str]:
    """Label of the vertical axis of each panel."""
    return [axes.get_ylabel() for axes in figure.axes]


def panel(figure: Figure, start: str) -> Axes:
    """The first panel whose title begins so."""
    return next(axes for axes in figure.axes if axes.get_title(loc="left").startswith(start))


def legend(axes: Axes) -> list[str]:
    """The entries of the legend of a panel, if it has one."""
    found = axes.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]

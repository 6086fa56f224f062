"""The one way from results to their pages in a notebook.

A class has `_repr_html_`, which a notebook calls, and asks here for its page by name. Only then are
the module that makes the page, NumPy and Matplotlib loaded.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Literal

PageName = Literal["run", "scenario", "study", "reproduction"]

PAGES: Mapping[PageName, str] = {
    "run": "cellway.cli.report_run:run_page",
    "scenario": "cellway.cli.report_scenario:scenario_page",
    "study": "cellway.cli.report_study:results_page",
    "reproduction": "cellway.cli.reproduction_report:page_of",
}
"""The module that makes each page, and the function there."""
FRAME = "cellway.cli.notebook:frame"
"""The function that shows a page within another."""


def display(name: PageName, shown: object) -> str:
    """The page `name` of `shown` as an element of HTML, a frame that needs nothing else."""
    html: str = _found(FRAME)(_found(PAGES[name]), shown)
    return html


def _found(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found

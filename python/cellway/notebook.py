"""The one way from results to their pages in a notebook.

A class has `_repr_html_`, which a notebook calls, and asks here for its page. Only then are the
modules that make pages, NumPy and Matplotlib loaded.
"""

from importlib import import_module

_FRAMES = "cellway.cli.notebook"
"""The module whose `frame` makes pages of results."""


def display(shown: object) -> str:
    """The page of a result as an element of HTML, a frame that needs nothing else."""
    html: str = import_module(_FRAMES).frame(shown)
    return html

"""Pages of results within a notebook: a frame that runs its own scripts and asks for nothing."""

from collections.abc import Callable
from html import escape as escaped

from cellway.cli.text import of_any_width
from cellway.report import html
from cellway.report.blocks import Page

HEIGHT = 640
"""Height of a frame, CSS pixels; its lower edge can be drawn."""
_STYLE = "width:100%;border:1px solid #8888;resize:vertical"


def frame(make: Callable[[object], Page], shown: object) -> str:
    """The page that `make` makes of `shown`, as an `iframe` that has it in itself.

    The frame has an origin of its own: its scripts reach nothing of the notebook. Links within it
    would be taken for links of the notebook, so that it has none.
    """
    with of_any_width():
        page = make(shown)
    title = html.escape(f"Report of {page.title}")
    return (
        f'<iframe title="{title}" sandbox="allow-scripts" height="{HEIGHT}" style="{_STYLE}" '
        f'srcdoc="{escaped(html.html(page, contents=False))}"></iframe>'
    )

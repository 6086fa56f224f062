"""Pages of the server: a laboratory, and the list of those that it offers."""

from collections.abc import Iterable
from urllib.parse import quote

from cellway.errors import ScenarioError
from cellway.lab import bundle
from cellway.lab.jobs import Offered
from cellway.plot.colours import COLOURS, SLOWEST
from cellway.report.frames import FRAMES
from cellway.report.html import escape, inline
from cellway.runs.models import MODEL_VERSION
from cellway.text.document import parse_document
from cellway.text.opening import opening


def laboratory(offered: Offered) -> bytes:
    """The page of one scenario."""
    return bundle.laboratory(f"{offered.name}: laboratory", told(offered)).encode()


def told(offered: Offered) -> dict[str, object]:
    """Data of the page of one scenario that need neither a run nor a reader."""
    return {
        "name": offered.name,
        "file": offered.origin,
        "shipped": offered.files is not None,
        "text": offered.text,
        "question": opening(offered.text),
        "model": MODEL_VERSION,
        "frames": FRAMES,
        "colours": {"most": len(COLOURS), "slowest": SLOWEST},
    }


def index(offered: Iterable[Offered]) -> bytes:
    """The page that offers several scenarios, those with a question first.

    Each has its question and the beginning of its comment.
    """
    asked = [(_question(one), one) for one in offered]
    rows = [
        f'<li><a href="lab/{quote(one.name, safe="")}">{escape(question or one.name)}</a> '
        f"{inline(opening(one.text))}</li>"
        for question, one in sorted(asked, key=lambda pair: not pair[0])
    ]
    head = '<header><h1>Laboratory</h1><p class="lead">Scenarios that come with cellway.</p>'
    parts = [f"{head}</header>", '<main><ul class="index">', *rows, "</ul></main>"]
    return bundle.page("Laboratory", parts).encode()


def _question(offered: Offered) -> str:
    """The question of a shipped scenario; empty if its text has none."""
    document = parse_document(offered.text.encode(), offered.origin, ScenarioError)
    return document.table("lab").text("title", "") if document.has("lab") else ""

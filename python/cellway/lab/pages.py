"""Pages of the server: a laboratory, and the list of those that it offers."""

from collections.abc import Iterable
from urllib.parse import quote

from cellway.errors import ScenarioError
from cellway.lab import bundle
from cellway.lab.jobs import Bench
from cellway.plot.colours import COLOURS, SLOWEST
from cellway.report.frames import FRAMES
from cellway.report.html import escape, inline
from cellway.runs.models import MODEL_VERSION
from cellway.text.document import parse_document
from cellway.text.opening import opening


def laboratory(bench: Bench) -> bytes:
    """The page of one scenario."""
    return bundle.laboratory(f"{bench.name}: laboratory", told(bench)).encode()


def told(bench: Bench) -> dict[str, object]:
    """Data of the page of one scenario that need neither a run nor a reader."""
    return {
        "name": bench.name,
        "file": bench.origin,
        "shipped": bench.files is not None,
        "text": bench.text,
        "question": opening(bench.text),
        "model": MODEL_VERSION,
        "frames": FRAMES,
        "colours": {"most": len(COLOURS), "slowest": SLOWEST},
    }


def shelf(benches: Iterable[Bench]) -> bytes:
    """The page that offers several scenarios, those with a question first.

    Each has its question and the beginning of its comment.
    """
    asked = [(_question(one), one) for one in benches]
    rows = [
        f'<li><a href="lab/{quote(one.name, safe="")}">{escape(question or one.name)}</a> '
        f"{inline(opening(one.text))}</li>"
        for question, one in sorted(asked, key=lambda pair: not pair[0])
    ]
    head = '<header><h1>Laboratory</h1><p class="lead">Scenarios that come with cellway.</p>'
    parts = [f"{head}</header>", '<main><ul class="shelf">', *rows, "</ul></main>"]
    return bundle.page("Laboratory", parts).encode()


def _question(bench: Bench) -> str:
    """The question of a shipped scenario; empty if its text has none."""
    document = parse_document(bench.text.encode(), bench.origin, ScenarioError)
    return document.table("lab").text("title", "") if document.has("lab") else ""

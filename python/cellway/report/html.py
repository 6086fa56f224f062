"""A report as one HTML file that asks for nothing, from wherever it is opened.

A policy in the page allows no request at all, and only the script and the style that it has. Data
of charts are in an element that no browser runs.
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape as escaped
from pathlib import Path

from cellway.plot.colours import COLOURS, ON_DARK
from cellway.report.blocks import (
    Block,
    Charts,
    Code,
    Dots,
    Drawing,
    Page,
    Picture,
    Section,
    StudyCharts,
    Table,
    Text,
)
from cellway.report.dot_rows import dot_rows

GENERATOR = '<meta name="generator" content="cellway report">'
"""Mark of a report of ours."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that no page may have, or that turn the direction of writing."""
_CODE = re.compile("`([^`]+)`")
_POLYLINE = re.compile(rb"[ML] [\d.-]+ [\d.-]+(?:\s+L [\d.-]+ [\d.-]+)+")
_TAG = re.compile(rb"<(?:path|use) [^>]*>")
_NUMBER = re.compile(rb"\d+\.\d{2,}")
_HERE = Path(__file__).parent
_STYLES = ("uplot/uPlot.min.css", "page.css")
_UPLOT = ("uplot/uPlot.iife.min.js", "stored.js", "chart_parts.js")
_SCRIPTS: dict[type[Block], tuple[str, ...]] = {
    Charts: ("charts.js", "path.js", "page.js"),
    StudyCharts: ("study_charts.js",),
}
"""Scripts that blocks need after those of `_UPLOT`."""


def html(page: Page, *, contents: bool = True) -> str:
    """The page as HTML, with links to its sections if `contents`; equal pages have equal text."""
    sections = [one for one in page.sections if one.blocks]
    kinds = {type(block) for one in sections for block in one.blocks}
    drawing = [name for kind, names in _SCRIPTS.items() if kind in kinds for name in names]
    style = "".join(_asset(name) for name in (_STYLES if drawing else _STYLES[-1:])) + palette()
    scripts = [_asset(name) for name in ((*_UPLOT, *drawing) if drawing else ())]
    title = escape(page.title)
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            policy(style, scripts, {}),
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            GENERATOR,
            f"<title>{title}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            f"<header><h1>{title}</h1>",
            *(f'<p class="lead">{inline(text)}</p>' for text in page.lead),
            *(_contents(sections) if contents else ()),
            "</header>",
            "<main>",
            *(line for number, one in enumerate(sections) for line in _section(number, one)),
            "</main>",
            *(f"<script>{script}</script>" for script in scripts),
            "</body>",
            "</html>",
            "",
        ]
    )


def escape(text: str) -> str:
    """`text` as it is shown in a page, where control characters have their numbers."""
    return escaped(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def inline(text: str) -> str:
    """`text` in a paragraph, where words between backticks are code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def policy(style: str, scripts: Sequence[str], more: Mapping[str, Sequence[str]]) -> str:
    """The policy of a page: no request, pictures from itself, this style and these scripts.

    `more` has further sources, by directive.
    """
    allowed = {
        "default-src": ["'none'"],
        "img-src": ["data:"],
        "style-src": [_hash(style)],
        "script-src": [_hash(script) for script in scripts] or ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }
    for name, sources in more.items():
        allowed[name] = [*allowed.get(name, []), *sources]
    content = "; ".join(" ".join((name, *values)) for name, values in allowed.items())
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def palette() -> str:
    """Colours of flows and lines as properties of a style, `--flow0` for the first."""
    usual = "".join(f"--flow{at}:{one};" for at, one in enumerate(COLOURS))
    dark = "".join(f"--flow{COLOURS.index(one)}:{lighter};" for one, lighter in ON_DARK.items())
    return f":root{{{usual}}}\n@media (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _contents(sections: list[Section]) -> Iterator[str]:
    yield '<nav aria-label="Sections"><ul>'
    for number, one in enumerate(sections):
        yield f'<li><a href="#s{number}">{escape(one.title)}</a></li>'
    yield "</ul></nav>"


def _section(number: int, section: Section) -> Iterator[str]:
    yield f'<section id="s{number}"><h2>{escape(section.title)}</h2>'
    for block in section.blocks:
        yield from _block(block)
    yield "</section>"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Text(text, kind):
            yield f'<p class="{kind}">{inline(text)}</p>' if kind else f"<p>{inline(text)}</p>"
        case Table():
            yield from _table(block)
        case Code(title, text):
            yield f"<details><summary>{escape(title)}</summary>"
            yield f'<pre tabindex="0">{escape(text)}</pre></details>'
        case Drawing(svg, words):
            yield f'<div class="wide" tabindex="0" role="group" aria-label="{escape(words)}">'
            yield f"{svg}</div>"
        case Picture():
            yield _image(block)
        case Dots():
            yield from dot_rows(block, escape)
        case Charts(data, otherwise):
            yield from _drawn("charts", data, [otherwise])
        case StudyCharts(data, pictures):
            yield from _drawn("study-charts", data, pictures)


def _drawn(name: str, data: str, otherwise: Sequence[Picture]) -> Iterator[str]:
    """The place of charts, the pictures without scripts, and the data."""
    yield f'<div id="{name}"></div>'
    yield f"<noscript>{''.join(map(_image, otherwise))}</noscript>"
    yield f'<script type="application/octet-stream" id="data">{data}</script>'


def _image(picture: Picture) -> str:
    content = base64.b64encode(_shorter(picture.svg)).decode()
    words = escape(picture.words)
    image = f'<img class="picture" alt="{words}" src="data:image/svg+xml;base64,{content}">'
    return f'<div class="wide" tabindex="0" role="group" aria-label="{words}">{image}</div>'


def _shorter(svg: bytes) -> bytes:
    """The picture with tenths of its units, and each polyline as one command."""
    lines = _POLYLINE.sub(lambda found: found[0][:1] + found[0][1:].replace(b"L ", b""), svg)
    tenths = _TAG.sub(lambda tag: _NUMBER.sub(lambda one: b"%.1f" % float(one[0]), tag[0]), lines)
    return tenths.replace(b" \n", b"\n")


def _table(table: Table) -> Iterator[str]:
    words = escape(table.caption or " ".join(table.header[:1]) or "facts")
    yield f'<div class="wide" tabindex="0" role="group" aria-label="{words}"><table>'
    if table.caption:
        yield f"<caption>{escape(table.caption)}</caption>"
    if table.header:
        cells = _cells("th", ' scope="col"', table.header, table.sides)
        yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        first = _cells("th", ' scope="row"', row[:1], table.sides)
        yield f"<tr>{first}{_cells('td', '', row[1:], table.sides[1:])}</tr>"
    yield "</tbody></table></div>"


def _cells(element: str, more: str, cells: Sequence[str], sides: str) -> str:
    return "".join(
        f"<{element}{more}{' class=n' if side == '>' else ''}>{escape(cell)}</{element}>"
        for cell, side in zip(cells, sides, strict=False)
    )

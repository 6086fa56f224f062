"""Joins scripts and styles into one page.

A script is classic, or a module of `export` declarations at the beginning of a line and of `import
{ names } from "./file.js";`. Modules follow those that they import, in one function, so that no
name of theirs is one of the browser's.
"""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cellway.report.html import escape, palette, policy

GENERATOR = '<meta name="generator" content="cellway lab">'
"""Mark of a laboratory of ours."""
_HERE = Path(__file__).parent
_REPORT = _HERE.parent / "report"
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
_NAME = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_STYLES = ("uplot/uPlot.min.css", "page.css")
_CLASSIC = ("uplot/uPlot.iife.min.js",)
_SHARED = ("chart_parts.js", "charts.js", "path.js")
"""Scripts of reports, whose functions the modules call."""


class BundleError(Exception):
    """Scripts that cannot be joined: a bug of ours."""


@dataclass(frozen=True)
class Engine:
    """The part of a page that answers its jobs.

    Attributes:
        name: of the engine in `engines` of `engine.js`, which the page's data choose.
        module: file that registers it.
        allowed: sources that the policy of the page has for it, by directive.
        assets: octets that it finds in the page, by the `id` of their element.
    """

    name: str
    module: str
    allowed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    assets: Mapping[str, bytes] = field(default_factory=dict)


SERVED = Engine("served", "served.js", {"connect-src": ["'self'"]})
"""The simulator of this process, behind the address of the page."""


def laboratory(title: str, data: Mapping[str, object], engine: Engine = SERVED) -> str:
    """The page of a laboratory, with its data and its engine."""
    told = _element("lab", "application/json", _json({**data, "engine": engine.name}))
    assets = [
        _element(name, "application/octet-stream", base64.b64encode(content).decode())
        for name, content in engine.assets.items()
    ]
    roots = [engine.module, "app.js"]
    skeleton = (_HERE / "page.html").read_text(encoding="utf-8")
    return page(title, [skeleton, told, *assets], modules(roots, _HERE), engine.allowed)


def page(
    title: str,
    body: Sequence[str],
    script: str = "",
    allowed: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """A page under a policy that allows its own scripts and style, and what `allowed` says.

    Args:
        title: shown by the browser.
        body: elements.
        script: run when they are there, behind the scripts of reports; empty for no script.
        allowed: sources by directive of the policy.
    """
    classic = [(_REPORT / name).read_text(encoding="utf-8") for name in _CLASSIC]
    scripts = [*classic, script] if script else []
    if any("</script" in one.lower() for one in scripts):
        raise BundleError("a script has `</script` inside")
    style = "".join((_REPORT / name).read_text(encoding="utf-8") for name in _STYLES)
    style += (_HERE / "style.css").read_text(encoding="utf-8") + palette()
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            policy(style, scripts, allowed or {}),
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            GENERATOR,
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            *body,
            *(f"<script>{one}</script>" for one in scripts),
            "</body>",
            "</html>",
            "",
        ]
    )


def modules(roots: Sequence[str], folder: Path) -> str:
    """The modules that `roots` reach, each once, behind those that it imports.

    Raises:
        BundleError: a circle of imports, a name in two modules, or a form that is not known here.
    """
    shared = [(_REPORT / name).read_text(encoding="utf-8") for name in _SHARED]
    found: dict[str, str] = {}
    for root in roots:
        _reach(root, folder, found, ())
    texts = [*shared, *found.values()]
    names = [name for text in texts for name in _NAME.findall(text)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BundleError(f"in two modules: {', '.join(twice)}")
    return "\n".join(["(function () {", '"use strict";', *texts, "})();"])


def _reach(name: str, folder: Path, found: dict[str, str], path: tuple[str, ...]) -> None:
    if name in path:
        raise BundleError(f"imports in a circle: {' → '.join((*path, name))}")
    if name in found:
        return
    text = (folder / name).read_text(encoding="utf-8")
    for other in _IMPORT.findall(text):
        _reach(other, folder, found, (*path, name))
    bare = _EXPORT.sub("", _IMPORT.sub("", text))
    if left := _LEFT.search(bare):
        raise BundleError(f"{name}: not understood: {left[0]}")
    found[name] = bare


def _element(name: str, kind: str, text: str) -> str:
    return f'<script type="{kind}" id="{name}">{text}</script>'


def _json(data: object) -> str:
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")

"""Fences with the word `lab`: a sentence with controls, and curves of the run that they ask for.

    ```lab
    scenario = "shared-router"              # or `unit`, for the setting of a unit of the course
    text = "With a buffer of {buffer} the line carries {goodput}."
    curves = ["router.line.queue"]
    title = "Queue of the line"
    until = 20                            # s, the end of the curves; by default that of the run

    [set]
    "run.duration" = "10 s"

    [control.buffer]
    key = "switch.router.buffer.per_port"
    levels = ["10 packet", "50 packet"]
    at = 2                                # counted from 1, where the control begins

    [number.goodput]
    quantity = "groups.all.goodput_bits_per_second"
    unit = "Mbit/s"                       # a scale, or with `per` a divisor of one's own
    ```

A control may have `keys` in place of `key`, a `title`, and `labels` of its levels. Without `at` it
begins where the scenario has one of its levels, otherwise with the first. A control that the text
names and the fence does not describe is that of the scenario's section `[lab]`.
"""

import base64
import html
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, relpath
from typing import Any

from cellway.course import unit
from cellway.course.setting import text_of
from cellway.errors import CellwayError
from cellway.lab import bundle
from cellway.lab.jobs import Offered
from cellway.lab.offline import MODULE, offline
from cellway.runs.quantity import Quantity
from cellway.runs.runs import run
from cellway.scenario.scenario import Scenario, toml_value
from cellway.scenario.shipped import Shipped, called, shipped
from cellway.text.units import SCALES

_HERE = Path(__file__).parent
_LAB = Path(bundle.__file__).parent
_FENCE = re.compile(r"^```lab\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"\{(\w+)\}")
_KNOWN = {"scenario", "unit", "text", "curves", "title", "until", "set", "control", "number"}
_MODULES = ("engine.js", "web.js", "placing.js")
_WITHOUT = """!!! note

    A laboratory stands here where the site is built with the simulator as WebAssembly: `make lab`,
    then `make site`.
"""


class FenceError(Exception):
    """Fence that is none of a laboratory."""


@dataclass(frozen=True)
class Fence:
    """A laboratory in a page.

    Attributes:
        name: of its scenario.
        data: as `laboratory.js` reads them.
        sentence: HTML with an element for each control and number.
    """

    name: str
    data: Mapping[str, Any]
    sentence: str


def fenced(text: str, page: str) -> str:
    """The text of a page with elements in place of the fences.

    Raises:
        FenceError: a fence cannot be accepted.
    """

    def one(found: re.Match[str]) -> str:
        try:
            fence = read(found[1])
        except (CellwayError, FenceError, KeyError, TypeError, ValueError) as error:
            raise FenceError(f"{page}: lab: {type(error).__name__}: {error}") from error
        return _element(fence, page) if MODULE.exists() else _WITHOUT

    return _FENCE.sub(one, text)


def read(text: str) -> Fence:
    """A fence; every level of its controls is tried, and one run says that its numbers are there.

    Raises:
        FenceError: a key, a control or a number is not known.
        CellwayError: the scenario does not take a level.
    """
    given = tomllib.loads(text)
    if left := given.keys() - _KNOWN:
        raise FenceError(f"not known: {', '.join(sorted(left))}")
    found = _found(given)
    scenario = found.scenario()
    controls = {name: _control(one, scenario) for name, one in _described(given, found).items()}
    numbers = {name: _number(one) for name, one in given.get("number", {}).items()}
    quantities = sorted({curve.rpartition(".")[2] for curve in given["curves"]})
    sets = [*given.get("set", {}).items(), ("observe.series", quantities)]
    based = scenario.with_sets(sets)
    for control in controls.values():
        for level in control["levels"]:
            based.with_sets([(key, level["value"]) for key in control["keys"]])
    begun = [
        (key, one["levels"][one["at"]]["value"]) for one in controls.values() for key in one["keys"]
    ]
    names = [*found.files]
    data = {
        "text": found.files[names[0]],
        "files": {name: found.files[name] for name in names[1:]},
        "file": names[0],
        "set": [[key, toml_value(value)] for key, value in sets],
        "curves": given["curves"],
        "title": given["title"],
        "until": given.get("until"),
        "controls": {name: _told(one) for name, one in controls.items()},
        "numbers": numbers,
        "drawn": {"quantities": quantities, "losses": []},
        "observed": [],
    }
    initial = based.with_sets(begun)
    summary = run(initial).summary
    for one in numbers.values():
        Quantity(one["quantity"], reduce="sum" if "*" in one["quantity"] else None).of(summary)
    sentence = _sentence(given["text"], controls, numbers)
    return Fence(found.name, data, sentence)


def _found(given: Mapping[str, Any]) -> Shipped:
    """The scenario of a fence: a shipped one, or the setting of a unit."""
    if ("unit" in given) is ("scenario" in given):
        raise FenceError("expected a scenario or a unit")
    if "unit" not in given:
        return called(given["scenario"])
    name = unit(given["unit"]).setting
    return Shipped(name, "", {name: text_of(name)})


def _described(given: Mapping[str, Any], found: Shipped) -> dict[str, Any]:
    """The controls of a fence, and those of `[lab]` that its text names."""
    declared = tomllib.loads(next(iter(found.files.values()))).get("lab", {}).get("control", {})
    named = {*_PLACE.findall(given["text"])}
    of_lab = {name: one for name, one in declared.items() if name in named}
    return of_lab | given.get("control", {})


def _control(given: Mapping[str, Any], scenario: Scenario) -> dict[str, Any]:
    keys = given.get("keys") or [given["key"]]
    labels = given.get("labels") or [_in_words(str(level)) for level in given["levels"]]
    levels = [
        {"value": level, "label": label}
        for level, label in zip(given["levels"], labels, strict=True)
    ]
    own = [
        scenario.with_sets([(key, level) for key in keys]) == scenario for level in given["levels"]
    ]
    at = given["at"] - 1 if "at" in given else own.index(True) if True in own else 0
    return {"keys": keys, "levels": levels, "at": at, "title": given.get("title")}


def _in_words(level: str) -> str:
    """A quantity of cells or packets as a sentence has it."""
    return re.sub(r"(cell|packet)$", r"\1s", level)


def _told(control: Mapping[str, Any]) -> dict[str, Any]:
    levels = [[toml_value(one["value"]), one["label"]] for one in control["levels"]]
    return {"keys": control["keys"], "levels": levels, "at": control["at"]}


def _number(given: Mapping[str, Any]) -> dict[str, Any]:
    unit = given.get("unit", "")
    if unit not in SCALES and "per" not in given and unit:
        raise FenceError(f"unit {unit!r} has no scale; expected one of {', '.join(SCALES)}, or per")
    return {
        "quantity": given["quantity"],
        "unit": _in_words(unit),
        "per": given.get("per", SCALES.get(unit, 1)),
    }


def _sentence(text: str, controls: Mapping[str, Any], numbers: Mapping[str, Any]) -> str:
    def one(found: re.Match[str]) -> str:
        name = found[1]
        if name in numbers:
            return f'<output data-number="{name}">…</output>'
        if name not in controls:
            raise FenceError(f"{{{name}}} is neither a control nor a number")
        levels, at = controls[name]["levels"], controls[name]["at"]
        label = html.escape(controls[name]["title"] or name.replace("_", " "))
        return (
            f'<span class="knob"><input type="range" min="0" max="{len(levels) - 1}" value="{at}" '
            f'data-control="{name}" aria-label="{label}"> '
            f'<b data-shown="{name}">{html.escape(levels[at]["label"])}</b></span>'
        )

    return _PLACE.sub(one, html.escape(" ".join(text.split()), quote=False))


def _element(fence: Fence, page: str) -> str:
    """The element of a fence. It has no empty line, which would end it in Markdown."""
    data = json.dumps(fence.data, ensure_ascii=False).replace("<", "\\u003c")
    whole = relpath(place_of(fence.name), dirname(page) or ".")
    more = (
        f' <a href="{whole}">The whole laboratory of {html.escape(fence.name)}</a>'
        if fence.name in whole_names()
        else ""
    )
    return (
        '\n<figure class="lab">'
        f'<p class="lab-text">{fence.sentence}</p>'
        '<div class="lab-chart"></div>'
        '<p class="lab-said"><span role="status"></span>'
        f" Scenario <code>{html.escape(fence.name)}</code>.{more}</p>"
        f'<script type="application/json">{data}</script>'
        "</figure>\n"
    )


def place_of(name: str) -> str:
    """The page of a whole laboratory."""
    return f"laboratories/{name}.html"


def whole_names() -> list[str]:
    """Names of the scenarios that ask a question in a section `[lab]`."""
    return [one.name for one in shipped() if "\n[lab]\n" in next(iter(one.files.values()))]


def whole_laboratories() -> dict[str, str]:
    """Pages of whole laboratories by place; none where the simulator is not built for pages."""
    if not MODULE.exists():
        return {}
    return {place_of(one.name): offline(_offered(one)) for one in map(called, whole_names())}


def _offered(one: Shipped) -> Offered:
    (path, text), *others = one.files.items()
    return Offered(one.name, path, text, dict(others))


def list_page() -> str:
    """The page that lists the whole laboratories."""
    rows = []
    for one in map(called, whole_names()):
        title = tomllib.loads(next(iter(one.files.values())))["lab"].get("title", one.name)
        link = f"[{title}]({place_of(one.name)})" if MODULE.exists() else title
        rows.append(f"| {link} | `cellway lab {one.name}` |")
    return "\n".join(
        [
            "# Laboratories",
            "",
            "Each is a page with the simulator inside: sliders of two settings, side by side, and",
            "the packets of both on their paths. [The laboratory](lab.md) explains it. The command",
            "opens the same page on your machine; `--out lab.html` writes it.",
            "",
            "| question | command |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def assets(folder: Path, parts: Path) -> None:
    """Writes the script of the fences, and the simulator as a script that a page loads.

    Args:
        folder: of the assets.
        parts: a new folder for the modules that are joined.
    """
    parts.mkdir()
    for name in _MODULES:
        (parts / name).write_text((_LAB / name).read_text(encoding="utf-8"), encoding="utf-8")
    own = (_HERE / "laboratory.js").read_text(encoding="utf-8")
    (parts / "laboratory.js").write_text(own, encoding="utf-8")
    joined = bundle.modules(["web.js", "laboratory.js"], parts)
    (folder / "laboratory.js").write_text(joined, encoding="utf-8")
    if MODULE.exists():
        kept = {"module": MODULE, "worker": _LAB / "worker.js"}
        calls = [
            f'cellwayKeeps("{name}", "{base64.b64encode(file.read_bytes()).decode()}");'
            for name, file in kept.items()
        ]
        (folder / "simulator.js").write_text("\n".join(calls), encoding="utf-8")

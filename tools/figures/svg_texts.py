"""Texts of SVG: their places, sizes and pieces, and how many of them are written together."""

import re
from collections import Counter
from dataclasses import dataclass
from html import escape
from xml.etree import ElementTree

from figures.svg_paths import PER_POINT, times

COLUMN = 6
"""Labels of one column or row for which a group is shorter."""


@dataclass
class Label:
    """Words at a place, or in pieces or turned by `transform`."""

    words: str
    x: int
    y: int
    transform: str = ""

    def text(self, name: str = "", apart: str = "xy") -> str:
        """The element, with those of its places that it has apart from others."""
        place = {"transform": self.transform} if self.transform else {
            side: str(getattr(self, side)) for side in apart
        }  # fmt: skip
        return f"<text{name} {attributes(place)}>{self.words}</text>\n"


def attributes(named: dict[str, str]) -> str:
    """Attributes as they are written."""
    return " ".join(f'{name}="{escape(value)}"' for name, value in named.items())


def style_of(*texts: str | None) -> dict[str, str]:
    """Properties of styles, the later ones first in rank."""
    found = {}
    for text in filter(None, texts):
        found.update(re.findall(r"([\w-]+)\s*:\s*([^;]+)", text))
    return found


def place_of(one: ElementTree.Element) -> tuple[int, int, float]:
    """The place of a text, and the degrees that it is turned by."""
    x, y, angle = float(one.get("x", 0)), float(one.get("y", 0)), 0.0
    for name, inside in re.findall(r"(\w+)\(([^)]*)\)", one.get("transform", "")):
        first, *others = map(float, re.split("[ ,]+", inside))
        if name == "translate":
            x, y = x + first, y + others[0]
        elif name == "rotate":
            angle = first
        else:
            raise SystemExit(f"shorten-figures: unknown place {name} of a text")
    return round(PER_POINT * x), round(PER_POINT * y), angle


def size_of(style: dict[str, str]) -> float:
    """Points of the letters of a text."""
    found = re.search(r"([\d.]+)px", style.get("font-size", "") or style.get("font", ""))
    return float(found[1]) if found else 12.0


def raised(part: ElementTree.Element) -> str:
    """A part of a text at a place of its own."""
    given = {
        name: times(value, PER_POINT) for name, value in part.attrib.items() if name != "style"
    }
    if size := style_of(part.get("style")).get("font-size"):
        given["font-size"] = times(size, PER_POINT)
    return f"<tspan {attributes(given)}>{escape(part.text or '', quote=False)}</tspan>"


def lined(labels: list[Label]) -> str:
    """Labels as elements; many of one column or row have its place from a group."""
    text, left = "", labels
    while True:
        places = Counter(
            (side, getattr(one, side)) for one in left if not one.transform for side in "xy"
        )
        (side, place), many = places.most_common(1)[0] if places else (("x", 0), 0)
        if many < COLUMN:
            return text + "".join(one.text() for one in left)
        shared = [one for one in left if not one.transform and getattr(one, side) == place]
        left = [one for one in left if one not in shared]
        apart = "y" if side == "x" else "x"
        where = f"0 {place}" if side == "y" else str(place)
        inner = "".join(one.text(apart=apart) for one in shared)
        text += f'<g transform="translate({where})">\n{inner}</g>\n'

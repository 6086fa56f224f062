"""Drawing of a path: hosts and switches from left to right, links with rates, delays and queues.

Members of a family are one box, and their links one line, as long as no link joins two of them.
The column of a box is its greatest distance from a source along the flows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any

from cellway.text.units import SCALES, per

_MEMBER = re.compile(r"\[\d+\]")
_BOX = (40.0, 8.5)
"""Height of a box, and width of a letter in it."""
_LETTER = 6.6
"""Width of a letter of a label."""
_GAP, _ROW, _MARGIN = 110.0, 92.0, 14.0
"""Least room between columns, beside labels; between rows, and around everything."""
_LINE = 15.0
"""Height of a line of text."""


@dataclass
class _Link:
    """Links of one family between the same boxes, there and back."""

    start: str
    end: str
    count: int = 0
    there: list[Mapping[str, Any]] = field(default_factory=list)
    back: list[Mapping[str, Any]] = field(default_factory=list)
    queues: dict[str, None] = field(default_factory=dict)
    is_tight: bool = False


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    width: float


def topology(explained: Mapping[str, Any]) -> str:
    """The path that `explain` describes, as an element of a page; empty without links."""
    folded = _folded_names(explained)
    links = _links(explained, folded)
    if not links:
        return ""
    members = _members(explained, folded)
    names = {name: _shown(name, count) for name, count in members.items()}
    columns = _columns(explained, folded, links, list(members))
    boxes = _placed(columns, names, links)
    width = max(box.x + box.width / 2 for box in boxes.values()) + _MARGIN
    height = max(box.y for box in boxes.values()) + _BOX[0] / 2 + _MARGIN
    parts = [part for one in links for part in _line(one, boxes)]
    parts += [part for one in links for part in _label(one, boxes)]
    parts += [part for name, box in boxes.items() for part in _drawn(names[name], box)]
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg class="path" {size} aria-hidden="true">{"".join(parts)}</svg>'


def _folded_names(explained: Mapping[str, Any]) -> dict[str, str]:
    """The box of each host and switch: its family, unless a link joins two members of it."""
    ends = [(link["from"], link["to"]) for link in explained["links"]]
    joined = {_family(one) for one, other in ends if _family(one) == _family(other)}
    names = dict.fromkeys(name for pair in ends for name in pair)
    return {name: name if _family(name) in joined else _family(name) for name in names}


def _family(name: str) -> str:
    return _MEMBER.sub("[*]", name)


def _members(explained: Mapping[str, Any], folded: Mapping[str, str]) -> dict[str, int]:
    ends = (name for link in explained["links"] for name in (link["from"], link["to"]))
    counts: dict[str, int] = {}
    for name in dict.fromkeys(ends):
        counts[folded[name]] = counts.get(folded[name], 0) + 1
    return counts


def _shown(name: str, count: int) -> str:
    return name if "[*]" not in name else f"{name.replace('[*]', '')} × {count}"


def _links(explained: Mapping[str, Any], folded: Mapping[str, str]) -> list[_Link]:
    found: dict[tuple[str, str, str], _Link] = {}
    for link in explained["links"]:
        name, start, end = _family(link["name"]), folded[link["from"]], folded[link["to"]]
        if (name, end, start) in found:
            found[name, end, start].back.append(link)
            continue
        one = found.setdefault((name, start, end), _Link(start, end))
        one.there.append(link)
        one.count += 1
    tight = _tight(explained)
    ports = {(port["node"], port["link"]): port for port in explained["ports"]}
    for one in found.values():
        for link in (*one.there, *one.back):
            port = ports.get((link["from"], link["name"]))
            if port is not None and link["flows"]:
                one.queues |= dict.fromkeys(_queues(port))
            one.is_tight = one.is_tight or (link["name"], link["from"]) in tight
    return list(found.values())


def _tight(explained: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The link, and its start, that leaves each flow the least share."""
    links = {(link["name"], link["from"]): link for link in explained["links"]}
    tight = set()
    for flow in explained["flows"]:
        hops = [
            (hop["link"], start) for hop, start in zip(flow["hops"], flow["path"], strict=False)
        ]
        shares = {
            hop: links[hop]["fair_share_bits_per_second"] or links[hop]["line_bits_per_second"]
            for hop in hops
            if hop in links
        }
        if shares:
            tight.add(min(shares, key=lambda hop: shares[hop]))
    return tight


def _queues(port: Mapping[str, Any]) -> list[str]:
    """Buffer and policy of a port, a text for each queue."""
    policy = re.split(r"[ =]", port["policy"].strip('"{ '))[0]
    texts = []
    for queue in port["queues"]:
        size, kind = queue["buffer"]["size"], queue["buffer"]["kind"]
        of = " per VC" if kind == "per_vc" else ""
        room = "no limit" if size is None else f"{size:g} {port['unit']}s{of}"
        texts.append(f"{policy}: {room}")
    return texts


def _columns(
    explained: Mapping[str, Any],
    folded: Mapping[str, str],
    links: Sequence[_Link],
    names: Sequence[str],
) -> dict[str, int]:
    steps: dict[tuple[str, str], None] = {}
    for flow in explained["flows"]:
        path = [folded.get(name, name) for name in flow["path"]]
        for one, other in pairwise(path):
            if one != other and (other, one) not in steps:
                steps[one, other] = None
    for link in links:
        if (link.start, link.end) not in steps and (link.end, link.start) not in steps:
            steps[link.start, link.end] = None
    column = dict.fromkeys(names, 0)
    for _ in names:
        for one, other in steps:
            if one in column and other in column and column[one] < len(names):
                column[other] = max(column[other], column[one] + 1)
    return {name: min(place, len(names)) for name, place in column.items()}


def _placed(
    columns: Mapping[str, int], names: Mapping[str, str], links: Sequence[_Link]
) -> dict[str, _Box]:
    """Boxes in their columns, each in the order of the boxes before it, around one middle."""
    used = sorted(set(columns.values()))
    groups = [[name for name in columns if columns[name] == place] for place in used]
    tallest = max(map(len, groups))
    boxes: dict[str, _Box] = {}
    left = _MARGIN
    for place, group in zip(used, groups, strict=True):
        order = sorted(group, key=lambda name: _middle(name, boxes, links))
        width = max(_width(names[name]) for name in group)
        top = _MARGIN + _BOX[0] / 2 + (tallest - len(group)) * _ROW / 2
        for row, name in enumerate(order):
            boxes[name] = _Box(left + width / 2, top + row * _ROW, _width(names[name]))
        near = [one for one in links if place in (columns[one.start], columns[one.end])]
        later = [one for one in near if max(columns[one.start], columns[one.end]) > place]
        left += width + max([_GAP, *(_LETTER * _longest(one) + 40.0 for one in later)])
    return boxes


def _middle(name: str, boxes: Mapping[str, _Box], links: Sequence[_Link]) -> float:
    near = [boxes[one.start].y for one in links if one.end == name and one.start in boxes]
    near += [boxes[one.end].y for one in links if one.start == name and one.end in boxes]
    return sum(near) / len(near) if near else 0.0


def _width(text: str) -> float:
    return max(60.0, _BOX[1] * len(text) + 16.0)


def _drawn(name: str, box: _Box) -> list[str]:
    left, top = box.x - box.width / 2, box.y - _BOX[0] / 2
    size = f'width="{box.width:.1f}" height="{_BOX[0]:.0f}"'
    return [
        f'<rect x="{left:.1f}" y="{top:.1f}" {size} rx="5"/>',
        f'<text class="name" x="{box.x:.1f}" y="{box.y + 4:.1f}">{escape(name)}</text>',
    ]


def _line(link: _Link, boxes: Mapping[str, _Box]) -> list[str]:
    one, other = boxes[link.start], boxes[link.end]
    tight = ' class="tight"' if link.is_tight else ""
    ends = f'x1="{one.x:.1f}" y1="{one.y:.1f}" x2="{other.x:.1f}" y2="{other.y:.1f}"'
    return [f"<line{tight} {ends}/>"]


def _label(link: _Link, boxes: Mapping[str, _Box]) -> list[str]:
    """Name, rate, delay and queues of a link, around its middle between the two boxes."""
    one, other = sorted((boxes[link.start], boxes[link.end]), key=lambda box: box.x)
    left, right = one.x + one.width / 2, other.x - other.width / 2
    part = 0.5 if right <= left else ((left + right) / 2 - one.x) / (other.x - one.x)
    x, y = one.x + part * (other.x - one.x), one.y + part * (other.y - one.y)
    texts = _texts(link)
    widest = _LETTER * _longest(link)
    size = f'width="{widest:.1f}" height="15"'
    parts = [f'<rect class="label" x="{x - widest / 2:.1f}" y="{y - 19:.1f}" {size}/>']
    for at, (of, text) in enumerate(texts):
        place = y - 7 if at == 0 else y + _LINE * at + 1
        style = f' class="{of}"' if of else ""
        parts.append(f'<text{style} x="{x:.1f}" y="{place:.1f}">{escape(text)}</text>')
    return parts


def _texts(link: _Link) -> list[tuple[str, str]]:
    """Kinds and texts of the lines of a label."""
    name = _shown(_family(link.there[0]["name"]), link.count)
    name = link.there[0]["name"] if link.count == 1 else name
    kind = "queue tight" if link.is_tight else "queue"
    first = f"{name}: {_rates(link)}, {_delays(link)}"
    return [("", first), *((kind, text) for text in list(link.queues)[:2])]


def _longest(link: _Link) -> int:
    return max(len(text) for _, text in _texts(link))


def _rates(link: _Link) -> str:
    there = _span([one["line_bits_per_second"] / SCALES["Mbit/s"] for one in link.there])
    back = _span([one["line_bits_per_second"] / SCALES["Mbit/s"] for one in link.back])
    return f"{there} Mbit/s" if back in ("", there) else f"{there} / {back} Mbit/s"


def _delays(link: _Link) -> str:
    return f"{_span([one['delay_seconds'] * per('ms') for one in link.there])} ms"


def _span(values: Sequence[float]) -> str:
    if not values:
        return ""
    low, high = f"{min(values):.4g}", f"{max(values):.4g}"
    return low if low == high else f"{low} to {high}"

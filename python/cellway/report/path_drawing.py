"""Drawing of a path as SVG, with places for what a script shows of an instant.

Below the name, rate, delay and queues of each edge there is room for a bar and two lines of text,
and below each box for two lines; a script finds them by the numbers of edges and boxes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations

from cellway.report.frames import Frames
from cellway.report.topology import Edge, Topology

_BOX, _WORD = 40.0, 8.5
"""Height of a box, and width of a letter in it."""
_LETTER, _LINE = 6.6, 14.0
"""Width of a letter of a label, and height of a line of it."""
_GAP, _ROW, _MARGIN = 90.0, 100.0, 14.0
"""Least room between columns, between rows, and around everything."""
_LIVE = 36.0
"""Height of a bar and two lines of text."""
_NOW = 116.0
"""Width of the text of an instant: twenty letters."""
_ROWS, _WORDS = 13.0, 96.0
"""Height of a line of it, and width of a line below a box."""
_PLACES = (0.5, 0.4, 0.6, 0.32, 0.68, 0.2, 0.8)
"""Parts of an edge at which its label may stand, the best first."""
_MOST = 100
"""Edges of the largest path that is drawn."""
_STRETCHES = (1.0, 1.4, 1.8)
"""Multiples of the distance of rows that are tried until nothing overlaps."""
_LIFT = 30.0
"""Greatest distance of a label from a slanting edge."""
_BEND = 110.0
"""Height of the bend of an edge that would cross a box, twice its own."""


@dataclass(frozen=True)
class _Rect:
    left: float
    top: float
    right: float
    bottom: float

    def common(self, other: "_Rect") -> float:
        """Area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    width: float

    @property
    def rect(self) -> _Rect:
        half = self.width / 2
        return _Rect(self.x - half, self.y - _BOX / 2, self.x + half, self.y + _BOX / 2)


@dataclass(frozen=True)
class _Label:
    """Lines above and below an edge; each with the class of its text."""

    above: Sequence[tuple[str, str]]
    below: Sequence[tuple[str, str]]
    live: float = 0.0
    has_bar: bool = False

    @property
    def width(self) -> float:
        longest = max(len(text) for _, text in (*self.above, *self.below))
        return max(_LETTER * longest, _NOW if self.live else 0.0) + 6.0

    def rect(self, x: float, y: float) -> _Rect:
        half, bottom = self.width / 2, y + 4.0 + _LINE * len(self.below) + self.live
        return _Rect(x - half, y - 4.0 - _LINE * len(self.above), x + half, bottom)


def path_drawing(path: Topology, frames: Frames | None = None) -> str:
    """The path as an element of a page, with room for what `frames` tell.

    It is empty without edges, and with more than `_MOST`, among which nobody would find one.
    """
    if not 0 < len(path.edges) <= _MOST:
        return ""
    told = frames or {"edges": {}, "boxes": {}}
    labels = [
        _label(one, path, told["edges"].get(str(at), {})) for at, one in enumerate(path.edges)
    ]
    for stretch in _STRETCHES:
        boxes = _placed(path, labels, stretch)
        taken, points = _arranged(path, labels, boxes, told)
        if not any(one.common(other) for one, other in combinations(taken, 2)):
            break
    shapes = [_shape(one, boxes) for one in path.edges]
    parts = [
        f'<path{_tight(one)} data-part="edge{at}" '
        f'data-from="{_number(path, _begin(one, shape, boxes))}" d="{_line(shape)}"/>'
        for at, (one, shape) in enumerate(zip(path.edges, shapes, strict=True))
    ]
    for at, (label, point) in enumerate(zip(labels, points, strict=True)):
        parts += _texts(at, label, *point)
    for name, box in boxes.items():
        at_box = _number(path, name)
        parts += _drawn(path.names[name], box)
        if at_box in told["boxes"]:
            parts += _told(at_box, box)
    left, top = min(one.left for one in taken) - _MARGIN, min(one.top for one in taken) - _MARGIN
    width = max(one.right for one in taken) + _MARGIN - left
    height = max(one.bottom for one in taken) + _MARGIN - top
    size = f'width="{width:.0f}" height="{height:.0f}"'
    view = f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}"'
    return f'<svg class="path" {size} {view} aria-hidden="true">{"".join(parts)}</svg>'


def _arranged(
    path: Topology, labels: Sequence[_Label], boxes: Mapping[str, _Box], told: Frames
) -> tuple[list[_Rect], list[tuple[float, float]]]:
    """Areas of boxes, with their room, and of labels; and the points of the edges with labels."""
    taken = []
    for name, box in boxes.items():
        is_told = _number(path, name) in told["boxes"]
        half = max(box.width, _WORDS * is_told) / 2
        bottom = box.rect.bottom + 2.0 * _ROWS * is_told
        taken.append(_Rect(box.x - half, box.rect.top, box.x + half, bottom))
    points = []
    for edge, label in zip(path.edges, labels, strict=True):
        x, y = _free(label, _shape(edge, boxes), taken)
        points.append((x, y))
        taken.append(label.rect(x, y))
    return taken, points


def _number(path: Topology, name: str) -> str:
    """Number of a box, as frames have it."""
    return str([*path.columns].index(name))


def _label(edge: Edge, path: Topology, told: Frames) -> _Label:
    """Name, rate and delay of the first link above the edge; its queues, and others, below."""
    lines: list[list[tuple[str, str]]] = []
    for link in edge.links:
        forward = path.columns[link.start] <= path.columns[link.end]
        way = "" if link.back or len(edge.links) == 1 else " →" if forward else " ←"
        kind = "queue tight" if link.is_tight else "queue"
        named = [("", f"{link.name}{way}"), ("", link.speed)]
        lines += [named, [(kind, text) for text in link.queues]]
    above, *below = lines
    live = _LIVE if told.keys() & {"queue", "lost"} else 0.0
    return _Label(above, [line for some in below for line in some], live, "queue" in told)


def _placed(path: Topology, labels: Sequence[_Label], stretch: float) -> dict[str, _Box]:
    """Boxes in their columns, each in the order of the boxes before it, around one middle."""
    columns = path.columns
    groups = [
        [name for name in columns if columns[name] == place]
        for place in sorted({*columns.values()})
    ]
    tallest = max(map(len, groups))
    heights = (label.rect(0, 0).bottom - label.rect(0, 0).top for label in labels)
    row = stretch * max([_ROW, *(20.0 + height for height in heights)])
    boxes: dict[str, _Box] = {}
    left = 0.0
    for group in groups:
        place = columns[group[0]]
        order = sorted(group, key=lambda name: _middle(name, boxes, path.edges))
        width = max(_width(path.names[name]) for name in group)
        top = (tallest - len(group)) * row / 2
        for at, name in enumerate(order):
            boxes[name] = _Box(left + width / 2, top + at * row, _width(path.names[name]))
        ends = [sorted((columns[one.start], columns[one.end])) for one in path.edges]
        after = [
            label.width + 24.0
            for label, (low, high) in zip(labels, ends, strict=True)
            if low <= place < high
        ]
        left += width + max([_GAP, *after])
    return boxes


def _middle(name: str, boxes: Mapping[str, _Box], edges: Sequence[Edge]) -> float:
    near = [boxes[one.start].y for one in edges if one.end == name and one.start in boxes]
    near += [boxes[one.end].y for one in edges if one.start == name and one.end in boxes]
    return sum(near) / len(near) if near else 0.0


def _width(text: str) -> float:
    return max(60.0, _WORD * len(text) + 16.0)


_Shape = tuple[_Box, _Box, float]
"""Boxes at the ends, the left one first, and how far up the edge bends."""


def _shape(edge: Edge, boxes: Mapping[str, _Box]) -> _Shape:
    one, other = sorted((boxes[edge.start], boxes[edge.end]), key=lambda box: (box.x, box.y))
    between = [box.rect for box in boxes.values() if box not in (one, other)]
    crosses = any(
        rect.left < x < rect.right and rect.top - 6 < y < rect.bottom + 6
        for rect in between
        for x, y in (_at((one, other, 0.0), step / 100) for step in range(101))
    )
    return one, other, _BEND if crosses else 0.0


def _begin(edge: Edge, shape: _Shape, boxes: Mapping[str, _Box]) -> str:
    """The box at which the line of an edge begins."""
    return edge.start if boxes[edge.start] is shape[0] else edge.end


def _at(shape: _Shape, part: float) -> tuple[float, float]:
    """The point at a part of the way."""
    one, other, bend = shape
    x, y = one.x + part * (other.x - one.x), one.y + part * (other.y - one.y)
    return x, y - 2.0 * bend * part * (1.0 - part)


def _line(shape: _Shape) -> str:
    one, other, bend = shape
    middle = f"{(one.x + other.x) / 2:.1f} {(one.y + other.y) / 2 - bend:.1f}"
    return f"M{one.x:.1f} {one.y:.1f}Q{middle} {other.x:.1f} {other.y:.1f}"


def _free(label: _Label, shape: _Shape, taken: Sequence[_Rect]) -> tuple[float, float]:
    """Point of the edge, between its boxes, where its label covers the least."""
    one, other, bend = shape
    low, high = one.rect.right, other.rect.left
    if high <= low:
        return _at(shape, 0.5)
    whole = other.x - one.x
    places = [_at(shape, (low + part * (high - low) - one.x) / whole) for part in _PLACES]
    if bend:
        places = places[:1]
    elif not label.below and not label.live:
        # A label that has nothing below stands clear of a slanting edge.
        lift = min(_LIFT, abs(other.y - one.y) / whole * label.width / 2)
        places = [(x, y - lift) for x, y in places]
    return min(places, key=lambda at: sum(label.rect(*at).common(other) for other in taken))


def _tight(edge: Edge) -> str:
    return ' class="tight"' if edge.is_tight else ""


def _texts(at: int, label: _Label, x: float, y: float) -> Iterator[str]:
    rect = label.rect(x, y)
    lines = [(rect.top + 11.0 + _LINE * row, one) for row, one in enumerate(label.above)]
    lines += [(y + 15.0 + _LINE * row, one) for row, one in enumerate(label.below)]
    for row, (place, (of, text)) in enumerate(lines):
        style = f' class="{of}"' if of else ""
        own = f'{style} data-part="label{at}-{row}" x="{x:.1f}" y="{place:.1f}"'
        yield f"<text{own}>{escape(text)}</text>"
    if label.live:
        top, wide = rect.bottom - _LIVE, label.width - 8.0
        bar = f'x="{x - wide / 2:.1f}" y="{top + 3:.1f}" height="6"'
        if label.has_bar:
            yield f'<rect class="live room" {bar} width="{wide:.1f}"/>'
            yield f'<rect class="live fill" data-part="fill{at}" {bar} width="{wide:.1f}"/>'
        for row in range(2):
            place = top + 20.0 + _ROWS * row
            own = f'data-part="now{at}-{row}" x="{x:.1f}" y="{place:.1f}"'
            yield f'<text class="live" {own}></text>'


def _drawn(name: str, box: _Box) -> Iterator[str]:
    rect = box.rect
    size = f'width="{box.width:.1f}" height="{_BOX:.0f}"'
    yield f'<rect x="{rect.left:.1f}" y="{rect.top:.1f}" {size} rx="5"/>'
    yield f'<text class="name" x="{box.x:.1f}" y="{box.y + 4:.1f}">{escape(name)}</text>'


def _told(at: str, box: _Box) -> Iterator[str]:
    """Two lines below a box for what a script shows."""
    for row in range(2):
        place = box.rect.bottom + 12.0 + _ROWS * row
        own = f'data-part="box{at}-{row}" x="{box.x:.1f}" y="{place:.1f}"'
        yield f'<text class="live" {own}></text>'

"""Paths of SVG as commands with whole points: read, made simpler, and written short."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from math import hypot

PER_POINT = 10
"""Units of a figure in a point."""
NEAR = 1.5
"""Units, a fifth of a pixel, that a line may be beside one of its points."""

Box = tuple[float, float, float, float]
Point = tuple[int, int]
Command = tuple[str, list[Point]]


def number(value: float) -> str:
    """A number without digits that say nothing."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{round(value, 2):.7g}")


def pairs(numbers: Iterable[float]) -> str:
    """Numbers behind each other, apart where a sign does not part them."""
    return re.sub(" -", "-", " ".join(map(number, numbers)))


def times(text: str, factor: float) -> str:
    """The numbers of a text multiplied."""
    return re.sub(r"-?\d*\.?\d+", lambda found: number(factor * float(found[0])), text)


def steps(d: str, per_point: float, at: Point = (0, 0)) -> Iterator[Command]:
    """Commands of a path, with their points in whole units, so many per point."""
    for letter, rest in re.findall(r"([MLCQz])([^MLCQz]*)", d):
        values = [round(float(one) * per_point) for one in rest.split()]
        yield (
            letter,
            [(x + at[0], y + at[1]) for x, y in zip(values[::2], values[1::2], strict=True)],
        )


def away(point: Point, start: Point, end: Point) -> float:
    """The distance of a point from the line between two others."""
    (x, y), (dx, dy) = ((one[0] - start[0], one[1] - start[1]) for one in (point, end))
    along = dx * dx + dy * dy
    part = min(max((x * dx + y * dy) / along, 0.0), 1.0) if along else 0.0
    return hypot(x - part * dx, y - part * dy)


def turns(points: list[Point]) -> list[Point]:
    """The points of a line without those that lie on it, as far as anybody sees."""
    kept, open_parts = {0, len(points) - 1}, [(0, len(points) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        inner = range(first + 1, last)
        distances = [away(points[at], points[first], points[last]) for at in inner]
        if max(distances, default=0.0) >= NEAR:
            at = inner[distances.index(max(distances))]
            kept.add(at)
            open_parts += [(first, at), (at, last)]
    return [points[at] for at in sorted(kept)]


def simpler(commands: list[Command]) -> list[Command]:
    """The commands, each run of lines with its turns alone."""
    kept: list[Command] = []
    for letter, run in groupby(commands, lambda command: command[0]):
        found = list(run)
        if letter == "L" and kept and kept[-1][1]:
            line = turns([kept[-1][1][-1], *(points[0] for _, points in found)])
            found = [("L", [point]) for point in line[1:]]
        kept += found
    return kept


def written(commands: list[Command], unit: float = 1.0) -> str:
    """The path with each point relative to the one before, the first one to `0 0`."""
    text, here, start, before = "", (0, 0), (0, 0), ""
    for letter, points in commands:
        if letter == "z":
            text, here, before = text + "z", start, ""
            continue
        flat = [(x - here[0], y - here[1]) for x, y in points]
        name, values = letter.lower(), [unit * value for pair in flat for value in pair]
        if letter == "L" and 0 in flat[0]:
            name, values = ("h", values[:1]) if flat[0][1] == 0 else ("v", values[1:])
        said = pairs(values)
        repeats = name == before
        text += said if repeats and said[0] == "-" else f" {said}" if repeats else name + said
        here = points[-1]
        before, start = ("l", here) if letter == "M" else (name, start)
    return text


def nearer(commands: list[Command]) -> list[Command]:
    """The same lines, those between two points from their end where that is shorter to write."""
    parts: list[list[Command]] = []
    for command in commands:
        if command[0] == "M":
            parts.append([])
        parts[-1].append(command)
    here, kept = (0, 0), list[Command]()
    for part in parts:
        first, last = part[0][1][0], (part[-1][1] or part[0][1])[-1]
        line = [letter for letter, _ in part] == ["M", "L"]
        away, back = (len(pairs((x - here[0], y - here[1]))) for x, y in (first, last))
        turned = line and back < away
        kept += [("M", [last]), ("L", [first])] if turned else part
        here = first if turned else last
    return kept


def box_of(commands: list[Command]) -> Box:
    """The box of the points, without its rim: neighbours that only touch do not overlap."""
    xs, ys = zip(*(point for _, points in commands for point in points), strict=True)
    rims = [min(0.1, (max(side) - min(side)) / 2) for side in (xs, ys)]
    return (min(xs) + rims[0], min(ys) + rims[1], max(xs) - rims[0], max(ys) - rims[1])


def overlap(some: list[Box], others: list[Box]) -> bool:
    """True if boxes of both share a place."""
    return any(
        one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
        for one in some
        for other in others
    )

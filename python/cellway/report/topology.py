"""Boxes and edges of a path: hosts and switches from left to right, and what joins them.

Members of a family are one box, and their links one edge, as long as no link joins two of them.
Links between the same boxes share an edge. The column of a box is its greatest distance from a
source along the flows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

from cellway.text.units import SCALES, per

_MEMBER = re.compile(r"\[\d+\]")
_QUEUES = 2
"""Most queues of a link whose buffers are shown."""

Explained = Mapping[str, Any]
"""Derived numbers, as `explain` has them."""


@dataclass
class Link:
    """Links of one family between the same boxes, there and back.

    Attributes:
        ports: output ports, as `explain` has them, into which some flow sends.
    """

    start: str
    end: str
    there: list[Mapping[str, Any]] = field(default_factory=list)
    back: list[Mapping[str, Any]] = field(default_factory=list)
    ports: list[Mapping[str, Any]] = field(default_factory=list)
    is_tight: bool = False

    @property
    def name(self) -> str:
        """The name, with the number of members where there are several."""
        name = str(self.there[0]["name"])
        return name if len(self.there) == 1 else shown(family(name), len(self.there))

    @property
    def speed(self) -> str:
        """Rate and delay; two rates where the way back has another."""
        there, back = (
            _span([one["line_bits_per_second"] / SCALES["Mbit/s"] for one in way])
            for way in (self.there, self.back)
        )
        delay = _span([one["delay_seconds"] * per("ms") for one in self.there])
        return f"{there if back in ('', there) else f'{there} / {back}'} Mbit/s, {delay} ms"

    @property
    def queues(self) -> list[str]:
        """Policies and buffers, each once."""
        return [*dict.fromkeys(text for port in self.ports for text in _queues(port))][:_QUEUES]


@dataclass
class Edge:
    """All links between two boxes."""

    start: str
    end: str
    links: list[Link] = field(default_factory=list)

    @property
    def is_tight(self) -> bool:
        """True if it leaves some flow the least."""
        return any(link.is_tight for link in self.links)

    @property
    def ports(self) -> list[Mapping[str, Any]]:
        """Output ports into which some flow sends."""
        return [port for link in self.links for port in link.ports]


@dataclass(frozen=True)
class Topology:
    """A path.

    Attributes:
        explained: what `explain` says of it.
        box_of: the box of each host and switch.
        names: of the boxes, with numbers of members.
        columns: of the boxes, from the left.
        edges: what joins them.
    """

    explained: Explained
    box_of: Mapping[str, str]
    names: Mapping[str, str]
    columns: Mapping[str, int]
    edges: Sequence[Edge]


def topology_of(explained: Explained) -> Topology:
    """The path that `explain` describes; without edges where it has no links."""
    box_of = _boxes(explained)
    ends = dict.fromkeys(one[end] for one in explained["links"] for end in ("from", "to"))
    members: dict[str, int] = {}
    for name in ends:
        members[box_of[name]] = members.get(box_of[name], 0) + 1
    links = _links(explained, box_of)
    edges: dict[frozenset[str], Edge] = {}
    for link in links:
        pair = frozenset((link.start, link.end))
        edges.setdefault(pair, Edge(link.start, link.end)).links.append(link)
    names = {name: shown(name, count) for name, count in members.items()}
    columns = _columns(explained, box_of, links, list(members))
    return Topology(explained, box_of, names, columns, [*edges.values()])


def _boxes(explained: Explained) -> dict[str, str]:
    """The box of each host and switch: its family, unless a link joins two members of it."""
    ends = [(link["from"], link["to"]) for link in explained["links"]]
    joined = {family(one) for one, other in ends if family(one) == family(other)}
    names = dict.fromkeys(name for pair in ends for name in pair)
    return {name: name if family(name) in joined else family(name) for name in names}


def family(name: str) -> str:
    """The name with `*` for its numbers."""
    return _MEMBER.sub("[*]", name)


def shown(name: str, count: int) -> str:
    """The name of a family with its number of members."""
    return name if "[*]" not in name else f"{name.replace('[*]', '')} × {count}"


def _links(explained: Explained, box_of: Mapping[str, str]) -> list[Link]:
    found: dict[tuple[str, str, str], Link] = {}
    for link in explained["links"]:
        name, start, end = family(link["name"]), box_of[link["from"]], box_of[link["to"]]
        if (name, end, start) in found and start != end:
            found[name, end, start].back.append(link)
        else:
            found.setdefault((name, start, end), Link(start, end)).there.append(link)
    tight = _tight(explained)
    ports = {(port["node"], port["link"]): port for port in explained["ports"]}
    for one in found.values():
        for link in (*one.there, *one.back):
            port = ports.get((link["from"], link["name"]))
            if port is not None and link["flows"]:
                one.ports.append(port)
            one.is_tight = one.is_tight or (link["name"], link["from"]) in tight
    return [*found.values()]


def _tight(explained: Explained) -> set[tuple[str, str]]:
    """The link, and its start, that leaves each flow the least share."""
    links = {(link["name"], link["from"]): link for link in explained["links"]}
    tight = set()
    for flow in explained["flows"]:
        shares = {
            hop: links[hop]["fair_share_bits_per_second"] or links[hop]["line_bits_per_second"]
            for hop in hops_of(flow)
            if hop in links
        }
        if shares:
            tight.add(min(shares, key=lambda hop: shares[hop]))
    return tight


def hops_of(flow: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The links of a flow, each with the node that sends into it."""
    return [(hop["link"], start) for hop, start in zip(flow["hops"], flow["path"], strict=False)]


def _queues(port: Mapping[str, Any]) -> list[str]:
    """Buffer and policy of a port, a text for each queue."""
    policy = re.split(r"[ =]", port["policy"].strip('"{ '))[0]
    texts = []
    for queue in port["queues"]:
        size, kind = queue["buffer"]["size"], queue["buffer"]["kind"]
        of = " per VC" if kind == "per_vc" else ""
        room = "no limit" if size is None else f"{size:.15g} {port['unit']}s{of}"
        texts.append(f"{policy}: {room}")
    return texts


def _columns(
    explained: Explained,
    box_of: Mapping[str, str],
    links: Sequence[Link],
    names: Sequence[str],
) -> dict[str, int]:
    steps: dict[tuple[str, str], None] = {}
    for flow in explained["flows"]:
        path = [box_of.get(name, name) for name in flow["path"]]
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


def _span(values: Sequence[float]) -> str:
    if not values:
        return ""
    low, high = _short(min(values)), _short(max(values))
    return low if low == high else f"{low} to {high}"


def _short(value: float) -> str:
    """Four digits, and no power of ten."""
    return f"{Decimal(f'{value:.4g}'):f}"

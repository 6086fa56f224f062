"""Places of a run's quantities on its drawn path, and the way of every flow along it."""

from collections.abc import Mapping
from typing import Any

from cellway.report.path_drawing import path_drawing
from cellway.report.topology import Edge, Explained, Link, Topology, hops_of, topology_of

_ROOM = {"unit": "", "v": []}
"""Mark of a quantity for which the drawing leaves room."""


def places_of(explained: Explained) -> dict[str, Any] | None:
    """The drawing, and the series that belong to its edges and boxes; `None` if nothing is drawn.

    An edge has the `ports` of its queues with the buffer that fills them (`full`, cells or packets;
    `None` without a limit), its `rate` (bit/s), the `flows` that cross it, and the `losses`: names
    of links and ports in series of losses. Its `labels` tell of which links, each with its sender,
    or of which ports a line of its text is; names have none. A box has the `flows` that begin
    there. `ways` has for each flow its `hops`: edge, the box before it, delay (s), and bit/s there
    and back; and the number of the hop before which it `waits`: that which leaves it the least, or
    of ABR the first.
    """
    path = topology_of(explained)
    edges = [_edge(path, edge) for edge in path.edges]
    boxes = {
        str(at): {"flows": begun}
        for at, name in enumerate(path.columns)
        if (begun := _from(path, name))
    }
    told = {
        "edges": {
            str(at): {"queue": _ROOM} if edge["ports"] else {"lost": _ROOM}
            for at, edge in enumerate(edges)
        },
        "boxes": boxes,
    }
    drawn = path_drawing(path, told)
    if not drawn:
        return None
    return {"svg": drawn, "edges": edges, "boxes": boxes, "ways": _ways(path)}


def _edge(path: Topology, edge: Edge) -> dict[str, Any]:
    ends = {
        (link["name"], link["from"])
        for family in edge.links
        for link in (*family.there, *family.back)
    }
    names = {name for name, _ in ends} | {f"{start}.{name}" for name, start in ends}
    lines = [one["line_bits_per_second"] for link in edge.links for one in link.there]
    flows = [one["name"] for one in path.explained["flows"] if not ends.isdisjoint(hops_of(one))]
    return {
        "ports": [
            {"name": port["name"], "unit": port["unit"], "full": _full(port)} for port in edge.ports
        ],
        "rate": sum(lines),
        "labels": [line for link in edge.links for line in _labels(link)],
        "flows": flows,
        "losses": sorted(names),
        "tight": edge.is_tight,
    }


def _labels(link: Link) -> list[dict[str, Any] | None]:
    """Sources of the lines of a link: its name, its rate and delay, and its queues."""
    ways = {"there": link.there, "back": link.back}
    speed = {way: [[one["name"], one["from"]] for one in links] for way, links in ways.items()}
    ports = [port["name"] for port in link.ports]
    return [None, speed, *({"ports": ports, "at": at} for at in range(len(link.queues)))]


def _full(port: Mapping[str, Any]) -> float | None:
    buffers = [queue["buffer"] for queue in port["queues"]]
    known = [one["size"] for one in buffers if one["kind"] == "per_port" and one["size"]]
    return max(known) if known and len(known) == len(buffers) else None


def _from(path: Topology, box: str) -> list[str]:
    return [
        one["name"] for one in path.explained["flows"] if path.box_of.get(one["path"][0]) == box
    ]


def _ways(path: Topology) -> dict[str, dict[str, Any]]:
    links = {(link["name"], link["from"]): link for link in path.explained["links"]}
    found: dict[tuple[str, str], int] = {}
    for at, edge in enumerate(path.edges):
        for family in edge.links:
            for link in (*family.there, *family.back):
                found[link["name"], link["from"]] = at
    numbers = {name: at for at, name in enumerate(path.columns)}
    ways = {}
    for flow in path.explained["flows"]:
        hops, shares = [], []
        for (name, start), end in zip(hops_of(flow), flow["path"][1:], strict=False):
            link = links[name, start]
            back = links.get((name, end), link)
            rates = link["line_bits_per_second"], back["line_bits_per_second"]
            box = numbers[path.box_of[start]]
            hops.append([found[name, start], box, link["delay_seconds"], *rates])
            shares.append(link["fair_share_bits_per_second"] or rates[0])
        # A source of ABR keeps what the path does not take.
        waits = shares.index(min(shares)) if hops and not flow["abr"] else 0
        ways[flow["name"]] = {"hops": hops, "waits": waits}
    return ways

"""Blocks of a report from the lines that other commands print."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from cellway.cli.alike import together
from cellway.cli.fitting import TableLine
from cellway.cli.text import megabits, milliseconds, number, visible
from cellway.report.blocks import Block, Code, Drawing, Section, Table, Text
from cellway.report.topology import hops_of
from cellway.runs.models import MODEL_VERSION
from cellway.text.opening import is_resolved, opening
from cellway.text.units import SCALES

_WARNS = ("note:", "note,", "warning:", "violated,", "failed:", "less exact")
"""Beginnings of lines that warn."""
_UNTRUSTED = ": not to be trusted: "
"""Words of a line on a measured run that has marks."""
_CELL = 53
"""Bytes of a cell."""


def blocks_of(lines: Sequence[str]) -> Iterator[Block]:
    """Tables and paragraphs of the lines of a text; a line above a table is its caption."""
    caption = ""
    for is_table, group in groupby(lines, lambda line: isinstance(line, TableLine)):
        if is_table:
            yield from _tables([one for one in group if isinstance(one, TableLine)], caption)
            caption = ""
            continue
        *before, caption = group
        yield from (paragraph(line) for line in before if line)
        if not _may_be_caption(caption, [*before, caption]):
            yield from (paragraph(line) for line in [caption] if line)
            caption = ""
    if caption:
        yield paragraph(caption)


def _may_be_caption(line: str, group: Sequence[str]) -> bool:
    return bool(line) and not line.startswith(_WARNS) and [*group][-2:] in ([line], ["", line])


def paragraph(line: str) -> Text:
    """A line of a text, marked if it warns."""
    kind = "note" if line.startswith(_WARNS) or _UNTRUSTED in line else ""
    text = visible(line.removeprefix("note: ").strip())
    return Text(text[:1].upper() + text[1:] if kind else text, kind)


def _tables(lines: Sequence[TableLine], caption: str) -> Iterator[Table]:
    """The tables in lines that follow each other; each begins with a header, or has none."""
    header: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []
    for line in lines:
        if line.is_head and rows:
            yield _table(header, rows, lines, caption)
            rows, caption = [], ""
        if line.is_head:
            header = line.cells
        elif line.cells:
            rows.append(line.cells)
    yield _table(header, rows, lines, caption)


def _table(
    header: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    lines: Sequence[TableLine],
    caption: str,
) -> Table:
    width = len(header or rows[0])
    sides = next(line.sides for line in lines if len(line.cells) == width)
    # A page has no room for a column without a word.
    used = [at for at in range(width) if any(row[at] for row in rows) or not rows]
    kept = [tuple(row[at] for at in used) for row in rows]
    titles = tuple(header[at] for at in used) if header else ()
    return Table(kept, "".join(sides[at] for at in used), titles, visible(caption))


def warnings_section(texts: Sequence[str]) -> Section:
    """Section of warnings, before the numbers."""
    said = [Text(visible(text[:1].upper() + text[1:]), "note") for text in texts]
    return Section("Before you rely on it", said)


def region_warning(beside: Sequence[str]) -> list[str]:
    """Warning that formulas do not hold, from lines that set them beside numbers."""
    count = sum(line.startswith("violated") for line in beside)
    if not count:
        return []
    those = "an assumption" if count == 1 else f"{count} assumptions"
    return [f"the scenario violates {those} of the formulas beside it; their section says which"]


def how_section(command: Sequence[str | Path], facts: Mapping[str, str]) -> Section:
    """The command that writes the page again, if there is one, versions, and the machine."""
    import platform  # noqa: PLC0415

    from cellway._core import build_info  # noqa: PLC0415

    said = {
        **({"command": shlex.join(map(str, command))} if command else {}),
        **facts,
        "cellway": f"{build_info()['version']}, model {MODEL_VERSION}",
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    return Section("How it was made", [Table([*said.items()], "<<")])


def question(text: str) -> str:
    """The first paragraph of a file, if it is a comment: what it is for; else empty."""
    return visible(opening(text))


def scenario_text(text: str) -> Code:
    """The text of a scenario, folded below a line that says who wrote it."""
    if is_resolved(text):
        return Code("The scenario with all its defaults, as a saved run has it", text)
    return Code("The scenario as it was written", text)


def path_blocks(drawn: str, explained: Mapping[str, Any]) -> list[Block]:
    """A drawing of the path, if it has links, and its derived numbers."""
    drawings = [Drawing(drawn, words_of(explained))] if drawn else []
    return [*drawings, *derived(explained)]


def derived(explained: Mapping[str, Any]) -> Iterator[Table]:
    """Numbers that follow from the path: for each group of like flows with TCP, and its buffer."""
    flows = {flow["name"]: flow for flow in explained["flows"]}
    rows = []
    for alike in explained["alike"]:
        flow = flows[alike["flows"][0]]
        if tcp := flow["tcp"]:
            full = _full_seconds(flow, explained["ports"])
            rtt = tcp["unloaded_rtt_seconds"]
            rows.append(
                {
                    "flow": together(alike["flows"]),
                    "bottleneck": visible(flow["bottleneck"]["at"]),
                    "Mbit/s": megabits(flow["bottleneck"]["bits_per_second"]),
                    "round trip ms": milliseconds(rtt),
                    "bandwidth × delay KiB": number(tcp["bandwidth_delay_bytes"] / SCALES["KiB"]),
                    "full buffer lasts ms": "–" if full is None else milliseconds(full),
                    "of a round trip": "–" if full is None else number(full / rtt),
                    "fair share Mbit/s": megabits(tcp["fair_share_bits_per_second"]),
                }
            )
    if rows:
        yield Table([(*row.values(),) for row in rows], "<<>>>>>>", (*rows[0],), "Derived numbers")


def _full_seconds(flow: Mapping[str, Any], ports: Sequence[Mapping[str, Any]]) -> float | None:
    """Time that the first buffer of the bottleneck takes to empty, where it has a size."""
    bottleneck, tcp = flow["bottleneck"], flow["tcp"]
    for port in ports:
        if (port["link"], port["node"]) in hops_of(flow) and port["link"] == bottleneck["at"]:
            size = port["queues"][0]["buffer"]["size"]
            packet = tcp["mss_bytes"] / tcp["payload_share"]
            unit = _CELL if port["unit"] == "cell" else packet
            return None if size is None else size * unit * 8.0 / bottleneck["bits_per_second"]
    return None


def words_of(explained: Mapping[str, Any]) -> str:
    """The path in words, for those who do not see its drawing."""
    paths = dict.fromkeys(" > ".join(flow["path"]) for flow in explained["flows"])
    return visible("The path: " + "; ".join([*paths][:8]))

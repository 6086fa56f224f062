"""ABR in `cellway explain`: links, shares, delays in cells, buffers, ceilings by factors."""

from collections.abc import Mapping, Sequence
from typing import Any

from cellway.cli.alike import folded
from cellway.cli.text import megabits, milliseconds, number, plain, titled
from cellway.text.units import SCALES

ALLOCATORS = {
    "none": "none",
    "efci": "EFCI",
    "relative_rate": "relative rate",
    "erica": "ERICA",
    "erica_plus": "ERICA+",
    "instcap": "INSTCAP",
    "effcap": "EFFCAP",
}

FACTORS = {
    "link_cell_bits_per_second": "Mbit/s of the link",
    "peak_cell_rate_bits_per_second": "Mbit/s of PCR",
    "target_utilisation": "target utilisation",
    "left_by_higher_classes": "left by higher classes",
    "payload_of_cell": "payload of a cell",
    "data_of_frame": "data of a frame",
    "without_rm_cells": "without RM cells",
}

LIMITS = {
    "source": "the mean rate of the source",
    "peak": "its peak rate",
    "minimum_rate": "its minimum rate",
}

Fact = tuple[str, str]


def links_with_abr(links: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table of the directions of links that ABR passes; no lines if there are none."""
    rows = [
        {
            "ABR on link": link["name"],
            "from": link["from"],
            "to": link["to"],
            "allocator": ALLOCATORS[abr["allocator"]],
            "target": plain(abr["target_utilisation"]),
            "higher classes Mbit/s": megabits(abr["higher_classes_bits_per_second"]),
            "ABR": megabits(abr["bits_per_second"]),
            "flows": str(abr["flows"]),
        }
        for link in links
        if (abr := link["abr"])
    ]
    return ["", *titled(folded(rows, "ABR on link", "from", "to"), align="<<<<")] if rows else []


def share_facts(share: dict[str, Any]) -> list[Fact]:
    """Max-min share of a flow beside the others of its class."""
    by = f"link {share['link']}" if share["link"] else LIMITS[share["limited_by"]]
    rates = (
        f"{megabits(share['bits_per_second'])} Mbit/s of cells, "
        f"{number(share['cells_per_second'])} cells/s"
    )
    return [("max-min share", f"{rates}, limited by {by}")]


def abr_facts(abr: dict[str, Any], propagation_rtt: float) -> list[Fact]:
    """Rates, delays, buffers and the ceiling of a flow on ABR."""
    facts = [
        ("ABR bottleneck", _bottleneck(abr["bottleneck"])),
        (
            "PCR, MCR, ICR",
            f"{_rates(abr, 'bits', 'Mbit/s')} Mbit/s; {_rates(abr, 'cells', 'cell/s')} cells/s",
        ),
        (
            "propagation there and back",
            f"{milliseconds(propagation_rtt)} ms, {number(abr['propagation_rtt_cells'])} cells",
        ),
        ("feedback delay", _feedback(abr)),
    ]
    if abr["window_cells"] is not None:
        alone, together = abr["source_buffer_cells"], abr["source_buffers_at_bottleneck_cells"]
        needed = f"{alone} cells to lose nothing; {together} for all sources with this bottleneck"
        facts.append(("source buffer, one window", needed))
    if abr["ceiling"]:
        facts.append(("ceiling by factors", _ceiling(abr["ceiling"])))
    return facts


def _bottleneck(bottleneck: dict[str, Any]) -> str:
    owner = (
        f"{bottleneck['switch']}, {ALLOCATORS[bottleneck['allocator']]}"
        if bottleneck["switch"]
        else "the source's host"
    )
    rates = [
        number(bottleneck["cells_per_millisecond"]),
        number(bottleneck["abr_cells_per_second"] / SCALES["kcell/s"]),
    ]
    return (
        f"{bottleneck['link']} of {owner}: {rates[0]} cells/ms, {rates[1]} of them for ABR; "
        f"{bottleneck['flows']} flows"
    )


def _rates(abr: dict[str, Any], counted: str, unit: str) -> str:
    rates = [abr[f"{name}_{counted}_per_second"] / SCALES[unit] for name in ("pcr", "mcr", "icr")]
    return ", ".join(number(rate) for rate in rates)


def _feedback(abr: dict[str, Any]) -> str:
    delay = abr["feedback_delay_seconds"]
    if delay is None:
        return "none: the source's own interface is the bottleneck"
    return f"{milliseconds(delay)} ms, {number(abr['feedback_delay_cells'])} cells"


def _ceiling(ceiling: dict[str, Any]) -> str:
    first, *others = ceiling["factors"]
    shown = [f"{megabits(first['value'])} {FACTORS[first['name']]}"]
    shown += [f"{factor['value']:.4g} {FACTORS[factor['name']]}" for factor in others]
    return f"{megabits(ceiling['bits_per_second'])} Mbit/s = {' × '.join(shown)}"

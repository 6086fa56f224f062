"""Results and explanations as plain text: aligned columns, never wrapped, the same on a terminal and in a file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cellway.run import Run

MOST_ROWS = 40
"""Longer tables are cut, with a line that says how."""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns separated by two spaces; those that hold numbers are aligned to the right."""
    columns = list(zip(heads, *rows, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    right = [all(_NUMBER.fullmatch(cell) for cell in column[1:]) for column in columns]
    lines = [
        "  ".join(
            cell.rjust(width) if aligned else cell.ljust(width)
            for cell, width, aligned in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in (heads, *rows)
    ]
    return "\n".join([lines[0], "─" * max(len(line) for line in lines), *lines[1:]])


_NUMBER = re.compile(r"(–|[-+±]? ?\d[\d.e+-]*( ?(%|[kMG]?bit/s|[mun]?s))?( ± \d[\d.]*)?( \(\d+\))?)?")


def in_order(names: Sequence[str]) -> list[str]:
    """Sorted so that ``src[2]`` comes before ``src[10]``."""
    return sorted(names, key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])


def rate_text(bits_per_second: float) -> str:
    """``1.02 Mbit/s``: three digits and a prefix."""
    for factor, unit in ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s")):
        if bits_per_second >= factor:
            return f"{bits_per_second / factor:.4g} {unit}"
    return f"{bits_per_second:.4g} bit/s"


def time_text(seconds: float | None) -> str:
    """``8.8 ms``, or a dash."""
    if seconds is None:
        return "–"
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= factor:
            return f"{seconds / factor:.4g} {unit}"
    return "0 s" if seconds == 0.0 else f"{seconds / 1e-9:.3g} ns"


def run_text(run: Run) -> str:
    """What a finished run found: flows, and the ports that did something."""
    summary = run.summary
    head = f"{summary['scenario']}: {summary['measured_s']:g} s measured, seed {summary['seed']}, one run"
    return "\n\n".join([head, _cut(_FLOW_HEADS, _flow_rows(run)), _cut(_PORT_HEADS, _port_rows(run))])


_FLOW_HEADS = ("flow", "throughput", "segments", "retransmitted", "timeouts", "fast retransmits", "rtt mean", "rtt max")
_PORT_HEADS = ("port", "max queue", "mean queue", "unit", "utilisation", "sent", "dropped", "by cause")


def _flow_rows(run: Run) -> list[tuple[str, ...]]:
    rows = []
    for name in in_order(list(run.flows)):
        flow = run.flows[name]
        counts = [flow[key] for key in ("segments_sent", "retransmitted_segments", "timeouts", "fast_retransmits")]
        rtt = flow["rtt"]
        rate = rate_text(flow["throughput_bits_per_second"])
        rows.append((name, rate, *map(str, counts), time_text(rtt["mean_s"]), time_text(rtt["max_s"])))
    return rows


def _port_rows(run: Run) -> list[tuple[str, ...]]:
    rows = []
    for name in in_order(list(run.ports)):
        port = run.ports[name]
        drops = {cause.replace("_", " "): count for cause, count in port["drops"].items() if count}
        rows.append(
            (
                name,
                str(port["max_queue"]),
                f"{port['mean_queue']:.2f}",
                port["unit"],
                f"{port['utilisation']:.4f}",
                str(port["sent"]),
                str(sum(drops.values())),
                ", ".join(f"{cause} {count}" for cause, count in drops.items()),
            )
        )
    return rows


def _cut(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    shown = table(heads, rows[:MOST_ROWS])
    hidden = len(rows) - MOST_ROWS
    return shown if hidden <= 0 else f"{shown}\n… and {hidden} more; --json has all of them"


def explanation_text(explained: Mapping[str, Any]) -> str:
    """What follows from a scenario before anything runs."""
    parts = [f"{explained['scenario']}: {explained['duration_seconds']:g} s"]
    parts += [_flow_text(flow) for flow in explained["flows"][:MOST_ROWS]]
    hidden = len(explained["flows"]) - MOST_ROWS
    parts += [f"… and {hidden} more flows; --json has all of them"] if hidden > 0 else []
    parts.append(_cut(_LINK_HEADS, [_link_row(link) for link in explained["links"]]))
    return "\n\n".join(parts)


_LINK_HEADS = ("link", "from", "to", "line", "cell", "payload", "cells/s", "delay", "flows", "fair share of each")


def _link_row(link: Mapping[str, Any]) -> tuple[str, ...]:
    rates = [link[f"{layer}_bits_per_second"] for layer in ("line", "cell", "payload")]
    share = link["fair_share_bits_per_second"]
    return (
        link["name"],
        link["from"],
        link["to"],
        *("–" if rate is None else rate_text(rate) for rate in rates),
        "–" if link["cells_per_second"] is None else f"{link['cells_per_second']:.0f}",
        time_text(link["delay_seconds"]),
        str(link["flows"]),
        "–" if share is None else rate_text(share),
    )


def _flow_text(flow: Mapping[str, Any]) -> str:
    head = f"flow {flow['name']}: {' → '.join(flow['path'])}"
    facts = flow["tcp"] or flow["raw"] or {}
    lines = [
        ("round trip, propagation", time_text(flow.get("propagation_rtt_seconds"))),
        *((_words(key), _fact(key, value)) for key, value in facts.items() if value is not None),
    ]
    width = max(len(name) for name, _ in lines)
    return "\n".join([head, *(f"  {name.ljust(width)}  {value}" for name, value in lines)])


def _words(key: str) -> str:
    for suffix in ("_bits_per_second", "_seconds", "_bytes", "_cells", "_segments"):
        if key.endswith(suffix):
            unit = suffix.strip("_") if suffix in ("_bytes", "_cells", "_segments") else ""
            stem = key.removesuffix(suffix).replace("_", " ")
            return f"{stem}, {unit}" if unit else stem
    return key.replace("_", " ")


def _fact(key: str, value: object) -> str:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return str(value).replace("_", " ")
    if key.endswith("_bits_per_second"):
        return rate_text(value)
    if key.endswith("_seconds"):
        return time_text(value)
    return f"{value:.6g}"


def schema_text(described: Mapping[str, Any]) -> str:
    """Every key with what it accepts, its default and its meaning, and the lines that `rate` knows by name."""
    parts = []
    for key in described["keys"]:
        needed = "required" if key["required"] else f"default {key['default']}" if "default" in key else "optional"
        lines = [f"{key['key']}  ({key['type']}, {needed})", f"    {key['meaning']}", f"    accepts {key['accepts']}"]
        lines += [f"      {variant['name']}: {variant['meaning']}" for variant in key.get("variants", ())]
        parts.append("\n".join(lines))
    presets = [
        (
            line["name"],
            rate_text(line["line_bits_per_second"]),
            rate_text(line["cell_bits_per_second"]),
            line["meaning"],
        )
        for line in described["lines"]
    ]
    parts.append(table(("rate", "line", "cell", "meaning"), presets))
    return "\n\n".join(parts)

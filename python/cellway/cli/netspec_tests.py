"""Text for the tests of a Netspec script: bytes that each host wrote or received, and the sums."""

from collections.abc import Mapping
from typing import Any

from cellway.cli.text import megabits, number, plain, table

_HEADER = ["test", "type", "peer", "blocks", "missed", "waiting", "bytes", "elapsed s", "Mbit/s"]


def tests(report: Mapping[str, Any]) -> list[str]:
    """Tables of the tests in `Workload.report`, block by block."""
    lines: list[str] = []
    for place, block in _with_tests(report, ""):
        lines += [*([""] if lines else []), place]
        rows = [_row(test) for test in block["tests"]]
        lines += table(_HEADER, [*rows, *_sums(block["sum"])], align="<<<")
    return lines


def _with_tests(block: Mapping[str, Any], outside: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Places of the blocks that have tests, each with its block."""
    place = f"{outside}{block['mode']} of line {block['line']}"
    head = f"{place}, from {plain(block['start_s'])} s"
    found = [(head, block)] if block["tests"] else []
    for inner in block["blocks"]:
        found += _with_tests(inner, f"{place}, ")
    return found


def _row(test: Mapping[str, Any]) -> list[str]:
    counts = [str(test.get(key, "")) for key in ("blocks", "missed", "waiting")]
    return [
        test["own"],
        f"{test['type']} {test['protocol']}",
        test["peer"],
        *counts,
        str(test["bytes"]),
        number(test["elapsed_s"]),
        megabits(test["bits_per_second"]),
    ]


def _sums(total: Mapping[str, Any]) -> list[list[str]]:
    counts = [str(total[key]) for key in ("blocks", "missed", "waiting")]
    written, received = total["bits_per_second"], total["delivered_bits_per_second"]
    return [
        ["all together", "written", "", *counts, str(total["bytes"]), "", megabits(written)],
        ["", "received", "", "", "", "", str(total["delivered_bytes"]), "", megabits(received)],
    ]

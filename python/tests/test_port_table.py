"""The table of ports of a run has columns for marks and redundant ACKs where a port has any."""

from typing import Any

import pytest

from cellway.cli.running import _ports

DROPS = {"overflow": 1, "partial_frame": 0, "early_frame": 2}
PORT: dict[str, Any] = {
    "unit": "packet",
    "mean_queue": 2.5,
    "max_queue": 9,
    "utilisation": 0.5,
    "sent": 100,
    "drops": DROPS,
}


@pytest.mark.parametrize(
    ("more", "head", "cells"),
    [
        ({}, "early", ["2", "2"]),
        ({"marked": 7}, "marked", ["2", "7", "2"]),
        ({"drops": DROPS | {"redundant_acks": 4}}, "redundant ACKs", ["2", "4", "2"]),
    ],
)
def test_a_column_is_there_if_a_port_has_its_number(
    more: dict[str, Any], head: str, cells: list[str]
) -> None:
    title, _, first, second = _ports({"a.line": PORT | more, "b.line": PORT})
    assert title.rstrip().endswith(head)
    assert first.split()[9:] + second.split()[9:] == cells

"""The estimate of a run's CPU time: what it counts, by hand and against what runs move."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import cellway
from cellway.study.cost import ABR_HOP, BURST_HOP, CELL_HOP, JUDGED_HOP, PACKET_HOP, RUN, Work, work

SCENARIOS = Path(__file__).parents[3] / "scenarios"
LINK_CELLS = 400_000.0
"""Cells per second of a link."""


def explained(delay: float, drop: str = "tail", classes: int = 1) -> dict[str, Any]:
    """Ten seconds of a TCP of 1000 bytes per segment, 4 Mbit/s: 500 segments per second.

    It crosses a link of packets and then one of cells, a segment as 22 cells and an ACK as 2.
    """
    tcp = {
        "expected_bits_per_second": 4e6,
        "mss_bytes": 1000,
        "cells_per_segment": 22,
        "cells_per_ack": 2,
    }
    return {
        "duration_seconds": 10.0,
        "links": [
            {"name": "lan", "from": "host", "delay_seconds": 0.0, "cells_per_second": None},
            {"name": "wan", "from": "edge", "delay_seconds": delay, "cells_per_second": LINK_CELLS},
        ],
        "ports": [{"link": "wan", "node": "edge", "drop": drop, "queues": [{}] * classes}],
        "flows": [
            {
                "raw": None,
                "abr": None,
                "tcp": tcp,
                "path": ["host", "edge", "far"],
                "hops": [{"link": "lan"}, {"link": "wan"}],
            }
        ],
    }


def test_a_frame_on_a_long_link_is_one_burst() -> None:
    assert work(explained(delay=5e-3)) == Work(cells=120_000, bursts=10_000, packets=10_000)


def test_a_short_link_divides_frames_into_bursts_of_its_lookahead() -> None:
    """In 25 us ten cells arrive, and one more is known: 11 of the 22; an ACK is one burst still."""
    assert work(explained(delay=25e-6)).bursts == pytest.approx(2 * 5000 + 5000)


@pytest.mark.parametrize(("drop", "classes"), [("epd", 1), ("tail", 2)])
def test_data_are_judged_where_a_port_has_a_policy_or_classes(drop: str, classes: int) -> None:
    assert work(explained(5e-3, drop, classes)).judged == 110_000


def test_raw_cells_come_one_by_one_and_a_node_handles_few_at_once() -> None:
    facts = explained(delay=5e-3)
    raw = {"raw": {"offered_cells_per_second": 32_000.0}, "tcp": None}
    facts["flows"] = [{**facts["flows"][0], **raw, "path": ["edge"], "hops": [{"link": "wan"}]}]
    assert work(facts) == Work(cells=320_000, bursts=10_000)


def test_cells_of_abr_connections_count_again() -> None:
    facts = explained(delay=5e-3)
    facts["flows"][0]["abr"] = {}
    assert work(facts).abr == work(facts).cells


def test_every_part_has_its_seconds() -> None:
    assert Work().seconds == RUN
    each = {
        "cells": CELL_HOP,
        "bursts": BURST_HOP,
        "packets": PACKET_HOP,
        "judged": JUDGED_HOP,
        "abr": ABR_HOP,
    }
    for part, seconds in each.items():
        assert Work(**{part: 1e9}).seconds == pytest.approx(RUN + 1e9 * seconds)
        assert seconds > 0.0


PACED: Mapping[str, Any] = {"flow.bulk.service.ubr.pace": "60 Mbit/s of payload"}
LOSSLESS: Mapping[str, Mapping[str, Any]] = {
    "rate-mismatch.toml": {**PACED, "run.duration": "4 s"},
    "gfr-access.toml": {},
    "constant-rate.toml": {},
}


@pytest.mark.parametrize("file", LOSSLESS)
def test_hops_are_those_of_a_run_that_loses_nothing(file: str) -> None:
    scenario = cellway.Scenario.load(SCENARIOS / file).with_sets([*LOSSLESS[file].items()])
    hops = cellway.run(scenario).summary["cell_hops"]
    assert work(scenario.explain()).hops == pytest.approx(hops, rel=0.05)

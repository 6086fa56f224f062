"""Runs made up for the tests of the store, without a simulator."""

import hashlib
from pathlib import Path

import numpy as np

from cellway import Series
from cellway.study.record import Record
from cellway.study.store import Store

VERSION = "0.4.0"


def key(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def record(number: int = 1, **changed: object) -> Record:
    values: dict[str, object] = {
        "key": key(number),
        "parameters": {"window": "64 KiB", "hosts": 3, "loss": 1e-7},
        "replication": 1,
        "seed": 2**63 - 1,
        "scenario_hash": key(-number),
        "status": "done",
        # 0.1 + 0.2 has no short decimal form; a count beyond 2⁵³ does not fit a float.
        "metrics": {"throughput": 0.1 + 0.2, "cells": 2**53 + 1, "rtt": None},
        "summary": '{"flows":{"bulk":{"µs":1.0}}}',
        "wall_seconds": 0.25,
        "cpu_seconds": 1 / 3,
        "model_version": VERSION,
        "host": "here",
        "warnings": ("first", 'the "second"'),
    }
    return Record(**(values | changed))  # type: ignore[arg-type]


def series(name: str = "s.right.queue", points: int = 1000, unit: str = "cell") -> Series:
    draw = np.random.default_rng(points)
    return Series(name, unit, np.cumsum(draw.random(points)), draw.standard_normal(points))


def stored(folder: Path, *numbers: int) -> None:
    """Makes a store of these runs, each with a series."""
    with Store.open(folder, VERSION) as store:
        for number in numbers:
            store.add(record(number), [series()])

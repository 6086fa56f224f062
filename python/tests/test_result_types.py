"""Types of results for editors and type checkers: those of the simulator, and in use."""

import subprocess
import sys
from pathlib import Path
from typing import assert_type

import pytest

import cellway
from common import ROOT, SMALL


def test_the_stub_is_that_of_the_simulator() -> None:
    made = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "result-types")],
        capture_output=True,
        text=True,
        check=True,
    )
    stub = Path(cellway.__file__).with_name("result_types.pyi")
    assert stub.read_text(encoding="utf-8") == made.stdout, "tools/result-types makes it again"


def test_numbers_have_their_types_and_other_keys_none() -> None:
    """mypy checks this, too: `make lint` fails if one of the wrong keys is no error to it."""
    scenario = cellway.Scenario.parse(SMALL)
    run = cellway.run(scenario)
    flow, explained = run.summary["flows"]["bulk"], scenario.explain()
    assert isinstance(assert_type(flow["throughput_bits_per_second"], float), float)
    assert isinstance(assert_type(run.flows["bulk"]["timeouts"], int), int)
    assert isinstance(assert_type(explained["duration_seconds"], float), float)
    with pytest.raises(KeyError):
        flow["throughput"]  # type: ignore[typeddict-item]
    with pytest.raises(KeyError):
        explained["flow"]  # type: ignore[typeddict-item]

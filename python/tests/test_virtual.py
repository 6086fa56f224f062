"""Measurements inside a kernel whose time is virtual. `CELLWAY_KERNEL` names one for the last."""

import os
import stat
from pathlib import Path

import pytest

from cellway import Capture, MeasurementError, Program, Scenario, ScenarioError, measure, run
from cellway.runs.virtual import require_kernel
from common import Command, refused

TEXT = """
run = { duration = "5 s", warm_up = "1 s", seed = 1 }
host = { a = {}, b = {} }
[link.wire]
between = ["a", "b"]
rate = "10 Mbit/s of line"
carries = "packets"
delay = "10 ms"
impairments.loss = 0.002
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { preset = "linux" }
[observe]
series = ["cwnd"]
"""
KERNEL = os.environ.get("CELLWAY_KERNEL", "")
with_kernel = pytest.mark.skipif(
    not KERNEL, reason="CELLWAY_KERNEL names no kernel; tools/build-uml builds one"
)


@pytest.fixture
def scenario() -> Scenario:
    return Scenario.parse(TEXT)


def program(file: Path, lines: str) -> Path:
    """A program of the shell in the place of a kernel."""
    file.write_text(f"#!/bin/sh\n{lines}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def test_a_file_that_is_no_kernel_with_virtual_time_is_refused(tmp_path: Path) -> None:
    expected = "; expected User-Mode Linux with time travel, as tools/build-uml builds it"
    plain = tmp_path / "plain"
    with pytest.raises(MeasurementError, match=f"plain: No such file or directory{expected}"):
        require_kernel(plain)
    plain.write_text("")
    with pytest.raises(MeasurementError, match="plain: Permission denied"):
        require_kernel(plain)
    with pytest.raises(MeasurementError, match="other: no kernel of User-Mode Linux"):
        require_kernel(program(tmp_path / "other", "echo options"))
    without = program(tmp_path / "without", "echo User Mode Linux v6.1")
    with pytest.raises(MeasurementError, match="without: built without UML_TIME_TRAVEL_SUPPORT"):
        require_kernel(without)


def test_a_kernel_that_ends_without_a_result_is_told(scenario: Scenario, tmp_path: Path) -> None:
    lines = """
    case $1 in --help) echo "User Mode Linux v6.1 time-travel=inf-cpu"; exit;; esac
    echo "Kernel panic - not syncing: no memory"
    echo trace
    """
    kernel = program(tmp_path / "linux", lines)
    with pytest.raises(MeasurementError, match="linux ended without a result: Kernel panic"):
        measure(scenario, kernel=kernel)


def test_programs_and_a_kernel_are_refused_together(
    scenario: Scenario, folder: Path, cellway: Command
) -> None:
    (folder / "path.toml").write_text(TEXT)
    said = refused(cellway, "measure", "path.toml", "--kernel", "linux", "--exec", "a", "sh")
    assert said == "--kernel linux: programs run in real time; expected no --exec\n"
    said = refused(cellway, "measure", "path.toml", "--kernel", "linux")
    assert said.startswith("linux: No such file or directory; expected User-Mode Linux")
    with pytest.raises(MeasurementError, match="programs run in real time"):
        measure(scenario, programs=[Program("a", ["true"])], kernel="linux")


@with_kernel
def test_equal_measurements_are_equal_to_the_octet(scenario: Scenario, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.pcapng", "other.pcapng")]
    one, other = (measure(scenario, kernel=KERNEL, pcap=Capture(file)) for file in files)
    assert one.summary_json == other.summary_json
    assert files[0].read_bytes() == files[1].read_bytes()
    assert one.series("bulk.cwnd").value.tolist() == other.series("bulk.cwnd").value.tolist()
    facts = [dict(run.measured or {}) for run in (one, other)]
    dates = [(fact.pop("date"), fact.pop("started_at_s")) for fact in facts]
    assert dates[0] != dates[1]
    assert facts[0] == facts[1]
    assert len(facts[0]["trace"]) == 16
    assert facts[0]["lateness"]["max_s"] < 1e-3
    assert facts[0]["marks"] == []
    simulated = run(scenario).flows["bulk"]["throughput_bits_per_second"]
    assert one.flows["bulk"]["throughput_bits_per_second"] == pytest.approx(simulated, rel=0.1)


@with_kernel
def test_another_seed_is_another_measurement(scenario: Scenario) -> None:
    traces = set()
    for seed in (1, 2):
        found = measure(scenario.with_set("run.seed", seed), kernel=KERNEL).measured
        traces.add((found or {})["trace"])
    assert len(traces) == 2


@with_kernel
def test_faults_inside_the_kernel_are_raised_here(scenario: Scenario) -> None:
    with pytest.raises(ScenarioError, match="nowhere"):
        measure(scenario, kernel=KERNEL, pcap=Capture("x.pcapng", at=["nowhere"]))
    early = measure(scenario, lambda at, _of: at > 2.0, kernel=KERNEL)
    assert (early.measured or {})["ended"]["fault"] is None

"""Measurements as far as they go without root: plans, saved facts, and the way of refusals."""

import json
import pickle
from pathlib import Path

import pytest

from cellway import CellwayError, MeasurementError, Run, Scenario, _core, run
from cellway.cli import measuring
from cellway.cli.ending import Ending
from cellway.cli.exits import BAD_INPUT, BadInputError
from cellway.cli.parameters import ExitError
from cellway.runs.capture import Capture
from cellway.runs.measured import differences
from cellway.runs.models import MEASURE
from cellway.runs.runs import run_of
from common import Command, refused, text_of

TEXT = """
run = { duration = "0.1 s", seed = 1 }
host = { a = {}, b = {} }
link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { recovery = "new_reno", timers = "fine", ack = "every_segment", handshake = true }
"""
FACTS = {
    "way": MEASURE,
    "kernel": "6.1.0",
    "lateness": dict.fromkeys(("p50_s", "p90_s", "p99_s", "p99.9_s", "max_s"), 1e-6)
    | {"packets": 7},
    "driver_cpu": 0.1,
    "wake_ups_per_packet": 1.3,
    "stolen": None,
    "lost_in_devices": 0,
    "unwritten": 0,
    "flows": {
        "bulk": {
            "congestion": "reno",
            "window_bytes": 65536,
            "offered_window_bytes": 65408,
            "other_window": 0.5,
        }
    },
    "marks": ["another window was offered"],
}


@pytest.fixture
def scenario() -> Scenario:
    return Scenario.parse(TEXT)


@pytest.fixture
def measured(scenario: Scenario) -> Run:
    """A simulated run in the place of a measured one."""
    return run_of(scenario, _core.run(scenario._core), FACTS)


def test_facts_are_saved_and_read_with_the_run(measured: Run, tmp_path: Path) -> None:
    measured.save(tmp_path / "run")
    assert Run.load(tmp_path / "run").measured == FACTS
    assert pickle.loads(pickle.dumps(measured)).measured == FACTS
    (tmp_path / "run" / "measured.json").write_text("{}")
    with pytest.raises(CellwayError, match="damaged"):
        Run.load(tmp_path / "run")


def test_a_simulated_run_takes_the_facts_away(
    scenario: Scenario, measured: Run, tmp_path: Path
) -> None:
    measured.save(tmp_path)
    simulated = run(scenario)
    assert simulated.measured is None
    simulated.save(tmp_path)
    assert not (tmp_path / "measured.json").exists()
    assert Run.load(tmp_path).measured is None


def test_keys_that_the_kernel_cannot_follow_are_named(scenario: Scenario) -> None:
    said = [line.split(":")[0] for line in differences(scenario)["bulk"]]
    repairs = ["recovery", "avoidance", "recovery", "full_ack"]
    assert said == [*repairs, "timers", "short_segments", "restart_after_idle", "timers", "timers"]
    kernel = scenario.with_sets([("flow.bulk.tcp", '{ preset = "linux" }')])
    assert differences(kernel) == {"bulk": []}
    older = scenario.with_sets([("flow.bulk.tcp.recovery", "reno")])
    with pytest.raises(MeasurementError, match=r"`flow.bulk.tcp.recovery`: Linux has no"):
        differences(older)


def test_what_the_kernel_has_not_is_refused(folder: Path, cellway: Command) -> None:
    (folder / "path.toml").write_text(TEXT)
    said = refused(cellway, "measure", "path.toml", "--set", "flow.bulk.tcp.recovery=tahoe")
    assert said.startswith("`flow.bulk.tcp.recovery`: Linux has no such rule; expected")


def test_tables_say_what_was_measured(
    measured: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(measuring, "measured_run", lambda *_, **__: measured)
    file = tmp_path / "path.toml"
    file.write_text(TEXT)
    measuring.measure(file, out=tmp_path / "out")
    said = capsys.readouterr().out
    assert "0.1 s by this machine's TCP, measured from 0 s" in said
    assert "note: not to be trusted: another window was offered" in said
    assert Run.load(tmp_path / "out").measured == FACTS


def test_a_capture_is_shown_at_a_layer(
    measured: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    layers = []

    def instead(*_: object, pcap: Capture, **__: object) -> Run:
        layers.append(pcap.layer)
        return measured

    monkeypatch.setattr(measuring, "measured_run", instead)
    file = tmp_path / "path.toml"
    file.write_text(TEXT)
    measuring.measure(file, pcap=tmp_path / "x.pcapng", pcap_as="erf")
    assert layers == ["erf"]
    with pytest.raises(BadInputError, match="--pcap-as erf: there is no --pcap; expected both"):
        measuring.measure(file, pcap_as="erf")


def test_flows_of_a_script_are_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def instead(scenario: Scenario, *_: object, **__: object) -> Run:
        return run_of(scenario, _core.run(scenario._core), FACTS)

    monkeypatch.setattr(measuring, "measured_run", instead)
    file, script = tmp_path / "path.toml", tmp_path / "burst.nspec"
    file.write_text(TEXT)
    script.write_text(text_of("burst.nspec"))
    measuring.measure(file, netspec=script)
    said = capsys.readouterr().out
    assert "by this machine's TCP" in said
    lines = [line.split() for line in said.splitlines()]
    # A block of 12 500 bytes in every 10 ms of 0.1 s.
    written = ["a:45000", "burst", "tcp", "b:45000", "10", "0", "0", "125000"]
    assert written in [line[:8] for line in lines]
    measuring.measure(file, netspec=script, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert list(found["flows"]) == ["a-b-45000"]
    assert found["netspec"]["sum"]["blocks"] == 10
    assert found["measured"] == FACTS


def test_a_script_and_programs_are_refused_together(folder: Path, cellway: Command) -> None:
    (folder / "path.toml").write_text(TEXT)
    (folder / "burst.nspec").write_text(text_of("burst.nspec"))
    script = ("--netspec", "burst.nspec")
    said = refused(cellway, "measure", "path.toml", *script, "--exec", "a", "sh")
    assert said.startswith("--netspec burst.nspec: flows of a script have traffic of their own")
    said = refused(cellway, "measure", "path.toml", "--netspec", "missing.nspec")
    assert said.startswith("--netspec missing.nspec: cannot be read")


def test_a_machine_that_cannot_measure_is_one_line(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> None:
        raise MeasurementError("/dev/net/tun: permission denied")

    monkeypatch.setattr(_core, "require_machine", refuse)
    asked = measuring.Asked(scenario, [], [], None, force=False, as_json=False)
    with pytest.raises(MeasurementError, match="permission denied"):
        asked.measure(Ending())
    assert capsys.readouterr().out == ""


def test_a_machine_that_cannot_measure_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs = [("TUN devices", "/dev/net/tun: permission denied", False)]
    monkeypatch.setattr(_core, "examine", lambda: needs)
    with pytest.raises(ExitError) as end:
        measuring.doctor()
    assert end.value.code == BAD_INPUT
    assert "/dev/net/tun: permission denied" in capsys.readouterr().out

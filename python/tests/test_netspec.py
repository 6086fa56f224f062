"""Netspec scripts: the command, the report of their tests, and runs that are saved."""

import json
import pickle
from pathlib import Path

import pytest

import cellway as package
from cellway import ScenarioError
from cellway.netspec import Workload
from common import ROOT, SMALL, Command, refused, text_of

SCENARIO = ROOT / "scenarios" / "acts-burst.toml"
SCRIPT = ROOT / "scenarios" / "acts-burst.nspec"

BURST = text_of("burst.nspec")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A source of 10 Mbit/s for half a second."""
    file = tmp_path / "burst.nspec"
    file.write_text(BURST)
    return file


def test_the_report_has_tests_and_sums(cellway: Command, small: Path, script: Path) -> None:
    result = cellway("run", small, "--netspec", script)
    assert (result.returncode, result.stderr) == (0, "")
    lines = [line.split() for line in result.stdout.splitlines()]
    # 50 blocks of 12 500 bytes. The last segment is acknowledged with the FIN, a round trip of 4 ms
    # after the last period.
    numbers = ["625000", "0.5040", "9.920"]
    assert ["a:45000", "burst", "tcp", "b:45000", "50", "0", "0", *numbers] in lines
    assert ["b:45000", "sink", "tcp", "a:45000", *numbers] in lines
    assert ["all", "together", "written", "50", "0", "0", "625000", "9.920"] in lines
    assert ["received", "625000", "9.920"] in lines


def test_json_has_the_report(cellway: Command, small: Path, script: Path) -> None:
    found = json.loads(cellway("run", small, "--netspec", script, "--json").stdout)
    assert list(found["flows"]) == ["a-b-45000"]
    assert found["netspec"]["sum"]["delivered_bytes"] == 625_000
    assert found["netspec"]["tests"][0]["flow"] == "a-b-45000"


def test_blocks_that_follow_each_other_add_up_without_their_rates() -> None:
    # Room for what a delayed first ACK holds back.
    scenario = package.Scenario.parse(SMALL).with_set("run.duration", "2 s")
    scenario = scenario.with_set("switch.s.buffer", {"per_vc": "20 kcell"})
    script = BURST.replace("131072", "1048576")
    workload = Workload.parse(scenario, f"serial {{ {script} {script} }}")
    report = workload.report(package.run(workload.scenario))
    first, second = report["blocks"]
    assert (first["start_s"], second["start_s"]) == (0.0, 0.5)
    assert report["sum"]["blocks"] == first["sum"]["blocks"] + second["sum"]["blocks"] == 100
    assert report["sum"]["bits_per_second"] == 0
    assert first["sum"]["bits_per_second"] == pytest.approx(8 * 625_000 / 0.504, rel=1e-3)


def test_a_run_that_is_saved_is_one_like_others(
    cellway: Command, small: Path, script: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "saved"
    result = cellway("run", small, "--netspec", script, "--out", saved)
    assert result.returncode == 0, result.stderr
    again = cellway("run", saved / "scenario.toml", "--json")
    assert json.loads(again.stdout)["flows"] == package.Run.load(saved).flows
    changed = cellway(
        "run", saved / "scenario.toml", "--set", 'flow.a-b-45000.tcp.window="1 KiB"', "--json"
    )
    blocks = json.loads(changed.stdout)["flows"]["a-b-45000"]["blocks"]
    assert blocks["missed"] > 0


def test_a_script_brings_its_own_flows(cellway: Command, tmp_path: Path, script: Path) -> None:
    hosts, _ = SMALL.split("[flow", 1)
    bare = tmp_path / "bare.toml"
    bare.write_text(hosts)
    found = json.loads(cellway("run", bare, "--netspec", script, "--json").stdout)
    assert list(found["flows"]) == ["a-b-45000"]
    assert found["netspec"]["sum"]["delivered_bytes"] == 625_000
    for command in ("explain", "validate"):
        assert cellway(command, bare, "--netspec", script).returncode == 0
        assert "the scenario has no flows" in refused(cellway, command, bare)
    with pytest.raises(ScenarioError, match="no flows"):
        package.Scenario.load(bare)
    scenario = package.Scenario.load(bare, awaits_flows=True).with_set("run.seed", 7)
    again = pickle.loads(pickle.dumps(scenario))
    assert [*package.run(Workload.load(again, script).scenario).flows] == ["a-b-45000"]


def test_faults_have_their_line(cellway: Command, small: Path, script: Path) -> None:
    script.write_text(BURST.replace("burst (", "burts ("))
    for command in ("run", "explain", "validate"):
        said = refused(cellway, command, small, "--netspec", script)
        assert said.startswith(f"{script}:3:16: unknown type `burts`; expected one of")


def test_files_that_are_no_scripts_are_refused(
    cellway: Command, small: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "missing.nspec"
    said = refused(cellway, "run", small, "--netspec", missing)
    assert said.startswith(f"--netspec {missing}: cannot be read")
    binary = tmp_path / "binary.nspec"
    binary.write_bytes(b"cluster {\n\xff")
    with pytest.raises(ScenarioError, match=r"binary\.nspec:2:1: this byte is not UTF-8"):
        Workload.load(package.Scenario.parse(SMALL), binary)
    long = tmp_path / "long.nspec"
    long.write_bytes(b"#" * ((1 << 20) + 1))
    with pytest.raises(ScenarioError, match="at most 1 MiB"):
        Workload.load(package.Scenario.parse(SMALL), long)


def test_the_shipped_script_is_explained(cellway: Command) -> None:
    facts = json.loads(cellway("explain", SCENARIO, "--netspec", SCRIPT, "--json").stdout)
    expected = [flow["tcp"]["expected_bits_per_second"] for flow in facts["flows"]]
    assert expected == [35e6] * 3
    assert cellway("validate", SCENARIO, "--netspec", SCRIPT).stdout == f"{SCENARIO}: fine\n"

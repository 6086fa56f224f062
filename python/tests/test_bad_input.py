"""Whatever is wrong: exit code 2, one line that says where and what would do, nothing written."""

import json
import os
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from cellway import Scenario
from cellway.errors import ScenarioError
from common import SMALL, Command, refused
from faults import Fault, faults, listed


@faults("scenario")
def test_a_faulty_scenario_is_refused_with_its_place(
    cellway: Command, folder: Path, fault: Fault
) -> None:
    (folder / "bad.toml").write_text(fault.put_into(SMALL))
    before = sorted(folder.iterdir())
    said = refused(cellway, "run", "bad.toml", "--out", "out")
    assert said.startswith("bad.toml:")
    fault.require(said.removeprefix("bad.toml:").rstrip("\n"))
    assert sorted(folder.iterdir()) == before


def test_the_place_is_that_of_the_fault(cellway: Command, folder: Path) -> None:
    (folder / "bad.toml").write_text('[run]\nduration = "1 s"\n  dureation = 3\n')
    assert refused(cellway, "validate", "bad.toml").startswith("bad.toml:3:3: unknown key")


@pytest.mark.parametrize("command", ["run", "explain", "validate", "plot"])
def test_files_that_cannot_be_scenarios(cellway: Command, folder: Path, command: str) -> None:
    latin = SMALL.replace("[host.a]", "# K\xf6ln\n[host.a]").encode("latin-1")
    (folder / "latin.toml").write_bytes(latin)
    with (folder / "sparse.toml").open("wb") as sparse:
        sparse.truncate(100 << 20)
    (folder / "nul.toml").write_bytes(b"[run]\x00")
    for name in ("latin.toml", "sparse.toml", "nul.toml"):
        assert re.match(rf"{name}:\d+:\d+: ", refused(cellway, command, name))


def test_a_large_file_is_named_as_such(cellway: Command, folder: Path) -> None:
    (folder / "large.toml").write_text(SMALL + "#" * (1 << 20))
    assert "1 MiB" in refused(cellway, "validate", "large.toml")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file(cellway: Command, small: Path) -> None:
    small.chmod(0)
    assert "permission denied" in refused(cellway, "run", small)


def test_validate_reports_every_file(cellway: Command, folder: Path, small: Path) -> None:
    (folder / "bad.toml").write_text(SMALL.replace("[run]", "[runn]"))
    result = cellway("validate", "bad.toml", small.name, "missing.toml")
    assert result.returncode == 2
    assert result.stdout == "small.toml: fine\n"
    bad, missing = result.stderr.splitlines()
    assert bad.startswith("bad.toml:1:2:")
    assert missing.startswith("missing.toml: no such file or folder; expected a scenario or")


EITHER = "a scenario or study file, or the folder of a study"


@pytest.mark.parametrize(("words", "expected"), listed("nothing_there"))
def test_what_is_not_there_has_no_place_and_is_said_with_what_is_accepted(
    cellway: Command, words: str, expected: str
) -> None:
    of = "here" if "here" in words else "nosuch"
    said = refused(cellway, *words.split(), "nosuch")
    assert said == f"{of}: no such file or folder; expected {expected}\n"


@pytest.mark.parametrize("command", ["run", "explain", "validate"])
def test_a_folder_that_has_no_study(cellway: Command, folder: Path, command: str) -> None:
    (folder / "here.toml").mkdir()
    said = refused(cellway, command, "here.toml")
    assert said.startswith("here.toml: cannot be read: is a directory")


@pytest.mark.parametrize(("setting", "words"), listed("sets"))
def test_a_wrong_set_is_named(
    cellway: Command, folder: Path, small: Path, setting: str, words: str
) -> None:
    before = sorted(folder.iterdir())
    said = refused(cellway, "run", small, "--set", "run.seed=2", "--set", setting, "--out", "out")
    assert said.startswith(f"--set {setting.partition('=')[0]}")
    assert words in said
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("command", [line for (line,) in listed("options")])
def test_a_wrong_option_is_one_line(
    cellway: Command, folder: Path, small: Path, command: str
) -> None:
    refused(cellway, *command.split())
    assert sorted(folder.iterdir()) == [small]


def test_every_fault_of_a_file_has_its_line_in_the_order_of_the_file(
    cellway: Command, folder: Path
) -> None:
    text = SMALL.replace('"256 cell"', '"-5 cell"').replace('"greedy"', '"gredy"')
    (folder / "bad.toml").write_text(text.replace("[host.b]", "[host.b]\ncores = 2"))
    result = cellway("validate", "bad.toml")
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    words = ["unknown key `cores`", "-5 cell", "`gredy`"]
    assert len(lines) == len(words)
    assert all(word in line for word, line in zip(words, lines, strict=True)), lines
    rows = [int(line.split(":")[1]) for line in lines]
    assert rows == sorted(rows)


def test_more_than_twenty_faults_are_counted(cellway: Command, folder: Path) -> None:
    (folder / "bad.toml").write_text("".join(f"k{at} = 1\n" for at in range(30)) + SMALL)
    lines = cellway("run", "bad.toml").stderr.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "bad.toml: and 10 more"


def test_an_exception_has_all_faults() -> None:
    with pytest.raises(ScenarioError) as raised:
        Scenario.parse(SMALL.replace('"256 cell"', "3").replace('"greedy"', "4"), "bad.toml")
    faults = raised.value.faults
    assert str(raised.value) == "\n".join(map(str, faults))
    assert [(one.origin, one.line > 0, one.column > 0) for one in faults] == [
        ("bad.toml", True, True)
    ] * 2
    assert pickle.loads(pickle.dumps(raised.value)).faults == faults


def test_every_fault_of_a_study_has_its_line(cellway: Command, folder: Path) -> None:
    (folder / "small.toml").write_text(SMALL)
    (folder / "bad.toml").write_text(
        '[study]\nscenario = "small.toml"\nreplications = 0\nseeds = 1\n'
        '[factor.window]\nkey = "flow.bulk.tcp.window"\nlevels = ["64 KiB", "12 kg"]\nlabel = 3\n'
        '[response.a]\nquantiy = "flows.bulk.timeouts"\n'
        '[response.b]\nseries = "s.right.queue"\nreduce = "quantil"\n'
    )
    result = cellway("validate", "bad.toml")
    assert result.returncode == 2
    places = [line.split(": ")[0] for line in result.stderr.splitlines()]
    assert places == [
        f"bad.toml:{place}" for place in ("3:16", "4:1", "7:21", "8:1", "10:1", "13:10")
    ]


def test_a_key_that_stands_twice_in_a_study_is_named_with_both_places(
    cellway: Command, folder: Path
) -> None:
    (folder / "bad.toml").write_text('[study]\nscenario = "x"\nseed = 1\n seed = 2\n')
    said = refused(cellway, "validate", "bad.toml")
    assert said.startswith("bad.toml:4:2: duplicate key `seed`, which stands at 3:1 already; ")


def test_validate_says_faults_and_notes_as_json(
    cellway: Command, folder: Path, small: Path
) -> None:
    (folder / "bad.toml").write_text('[run]\ndurasion = 1\nphase = "nine"\n')

    def faults(*files: str) -> list[dict[str, Any]]:
        result = cellway("validate", "--json", *files)
        assert (result.returncode, result.stderr) == (2, "")
        found = json.loads(result.stdout)
        assert found["notes"] == []
        return list(found["faults"])

    first, second, *_, last = faults("bad.toml", small.name, "missing.toml")
    assert (first["file"], first["line"], first["column"]) == ("bad.toml", 2, 1)
    assert first["message"].startswith("unknown key `durasion` in `run`; did you mean `duration`?")
    assert first["accepted"].startswith("one of `")
    assert (second["line"], second["column"]) == (3, 9)
    assert "expected" not in second["message"]
    nowhere = {"file": "missing.toml", "line": None, "column": None}
    assert last == {**nowhere, "message": "no such file or folder", "accepted": EITHER}
    named = '[run]\nduration = "abc"\n[host.a]\n[link.l]\nbetween = ["a; expected b", "a"]\n'
    (folder / "named.toml").write_text(named)
    by_line = {fault["line"]: fault for fault in faults("named.toml")}
    assert by_line[2]["accepted"].startswith("a number and a unit")
    assert "`a; expected b`" in by_line[5]["message"]
    (folder / "binary.toml").write_bytes(b"\xff")
    (binary,) = faults("binary.toml")
    assert binary["accepted"] == "a text file in UTF-8"
    (folder / "study.toml").write_text(
        f'[study]\nscenario = "{small.name}"\n[response.t]\n'
        'quantity = "flows.bulk.throughput_bits_per_second"\nunit = "cell"\n'
    )
    (unit,) = faults("study.toml")
    assert (unit["line"], unit["message"][:6]) == (5, "`unit`")
    assert unit["accepted"].startswith("one of bit/s")
    fine = cellway("validate", "--json", small.name)
    assert (fine.returncode, json.loads(fine.stdout)) == (0, {"faults": [], "notes": []})


def test_validate_prints_the_notes(cellway: Command, folder: Path) -> None:
    (folder / "odd.toml").write_text(SMALL.replace("[host.b]", "[host.b]\n[host.c]"))
    (folder / "study.toml").write_text(
        '[study]\nscenario = "odd.toml"\n[set]\n"run.duration" = "2 s"\n'
        '[factor.duration]\nkey = "run.duration"\nlevels = ["1 s", "3 s"]\n'
    )
    alone = cellway("validate", "odd.toml").stdout
    assert "\nnote: host c has no link" in alone
    of_study = cellway("validate", "study.toml").stdout
    assert "\nnote: `run.duration` of [set] has no effect where factor `duration` sets" in of_study
    assert "\nnote: host c has no link" in of_study

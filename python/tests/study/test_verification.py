"""Stored runs made again, and deposits that others can check."""

import json
import shutil
import sqlite3
import zipfile
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import cellway
from cellway._core import build_info
from cellway.errors import StudyError
from cellway.export.deposit import LIST, changed_in, deposit
from cellway.runs.models import MODEL_VERSION
from cellway.study.database import FILE
from cellway.study.record import digest_of
from cellway.study.rows import ALL
from cellway.study.verification import verify_run, verify_study
from common import Command, refused
from study.test_executors import study_of
from study.texts import BESIDE, lasting


def falsified(folder: Path) -> None:
    """Another number in the summary and among the responses of every run, with right checksums."""
    with sqlite3.connect(folder / FILE) as database:
        rows = database.execute(f"SELECT {', '.join(ALL)} FROM runs").fetchall()
        for row in rows:
            said = dict(zip(ALL, row, strict=True))
            said["summary"] = said["summary"].replace('"duration_s":0.02', '"duration_s":0.03')
            numbers = json.loads(said["metrics"])
            said["metrics"] = json.dumps(dict.fromkeys(numbers, 1.0))
            new = tuple(said.values())
            columns = ", ".join(f"{name} = ?" for name in (*ALL, "digest"))
            database.execute(
                f"UPDATE runs SET {columns} WHERE key = ?", (*new, digest_of(new), said["key"])
            )


def test_a_sample_of_the_same_model_is_equal(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    found = list(verify_study(tmp_path, 5))
    assert len(found) == 5
    assert {one.differs for one in found} == {""}
    assert {one.model for one in found} == {MODEL_VERSION}
    assert len(list(verify_study(tmp_path, 50))) == 12


def test_a_false_number_is_found_and_named(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    falsified(tmp_path)
    for one in verify_study(tmp_path, 4):
        assert not one.is_equal
        assert "throughput_bits_per_second was 1.0 and is " in one.differs


def test_another_version_of_the_same_edition_is_no_difference(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as database:
        for row in database.execute(f"SELECT {', '.join(ALL)} FROM runs").fetchall():
            said = dict(zip(ALL, row, strict=True))
            said["summary"] = said["summary"].replace('"version":"', '"version":"9.', 1)
            new = tuple(said.values())
            database.execute(
                "UPDATE runs SET summary = ?, digest = ? WHERE key = ?",
                (said["summary"], digest_of(new), said["key"]),
            )
    assert all(one.is_equal for one in verify_study(tmp_path))


def test_a_saved_run_is_made_again(tmp_path: Path) -> None:
    run = cellway.run(cellway.Scenario.parse(lasting("20 ms", BESIDE)))
    run.save(tmp_path / "run")
    assert verify_run(tmp_path / "run").is_equal
    false = run.summary_json.replace('"delivered_bytes":', '"delivered_bytes":1', 1)
    replace(run, summary_json=false).save(tmp_path / "run")
    found = verify_run(tmp_path / "run")
    assert "flows.bulk.delivered_bytes was 1" in found.differs


def test_results_of_another_tool_cannot_be_made_again(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    cellway.study.import_results(tmp_path / "a.csv", ["x"], ["y"], tmp_path / "out")
    with pytest.raises(StudyError, match="no simulated run to make again"):
        verify_study(tmp_path / "out")


def test_runs_of_a_changed_scenario_are_told_so(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(scenario.read_text().replace("duration = ", "# \nduration = ", 1))
    assert len(list(verify_study(tmp_path, 1))) == 1
    text = scenario.read_text()
    scenario.write_text(text.replace('"20 ms"', '"21 ms"', 1))
    assert text != scenario.read_text()
    with pytest.raises(StudyError, match="no stored run belongs to its study and its scenario"):
        verify_study(tmp_path, 1)


def unpacked(folder: Path) -> Path:
    study_of().run(folder / "mine")
    deposit(folder / "mine", folder / "mine.zip", authors=["A. Uthor"], licence="CC0-1.0")
    with zipfile.ZipFile(folder / "mine.zip") as archive:
        assert archive.namelist()[0] == LIST
        archive.extractall(folder / "there")
    return folder / "there"


def test_a_deposit_lists_files_versions_licence_citation_and_commands(tmp_path: Path) -> None:
    there = unpacked(tmp_path)
    graph = json.loads((there / LIST).read_text())["@graph"]
    entries = {one["@id"]: one for one in graph}
    assert entries[LIST]["conformsTo"]["@id"] == "https://w3id.org/ro/crate/1.1"
    root = entries["./"]
    assert root["license"]["@id"].endswith("/CC0-1.0")
    assert root["creditText"].startswith("A. Uthor, study, ")
    assert MODEL_VERSION in entries["#cellway"]["version"]
    assert entries["#polars"]["version"] == pl.__version__
    files = {str(f.relative_to(there)) for f in there.rglob("*") if f.is_file()}
    assert {one["@id"] for one in root["hasPart"]} == files - {LIST}
    figure = [one for one in graph if one.get("result") == {"@id": "figures/plot.png"}]
    assert figure[0]["description"] == "cellway plot results --out figures/plot.png --force"
    assert changed_in(there) == []


def test_the_readme_of_a_deposit_names_its_authors_and_no_place_to_load_from(
    tmp_path: Path,
) -> None:
    lines = (unpacked(tmp_path) / "README.txt").read_text().splitlines()
    assert "Authors of the data: A. Uthor" in lines
    assert f"Install cellway {build_info()['version']}, then in this folder" in lines
    assert not any("pip" in line or "://" in line for line in lines)
    deposit(tmp_path / "mine", tmp_path / "nameless.zip")
    with zipfile.ZipFile(tmp_path / "nameless.zip") as archive:
        assert b"Authors" not in archive.read("README.txt")


def test_the_study_in_a_deposit_goes_on(tmp_path: Path) -> None:
    there = unpacked(tmp_path)
    shutil.rmtree(tmp_path / "mine")
    results = cellway.load_results(there / "results")
    assert results.complete
    assert cellway.load_study(there / "results" / "study.toml").run(there / "results").complete


def test_a_changed_file_of_a_deposit_is_found(tmp_path: Path) -> None:
    there = unpacked(tmp_path)
    (there / "README.txt").write_text("else")
    (there / "results" / "runs.parquet").unlink()
    assert changed_in(there) == ["README.txt", "results/runs.parquet"]


def test_the_commands(folder: Path, cellway: Command) -> None:
    study_of().run(folder / "mine")
    done = cellway("verify", "mine", "--sample", "3")
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.endswith(f", model {MODEL_VERSION}: equal") for line in lines)
    assert last == f"3 of 3 runs equal, made again by model {MODEL_VERSION}"
    written = cellway("deposit", "mine", "--author", "A. Uthor")
    assert (written.returncode, written.stdout) == (0, "written to mine.zip: 12 runs\n")
    assert written.stderr == ""
    nameless = cellway("deposit", "mine")
    assert nameless.returncode == 0
    assert nameless.stderr == (
        "note: README.txt and ro-crate-metadata.json name no author; the same command with "
        "--author NAME writes one into both\n"
    )
    with zipfile.ZipFile(folder / "mine.zip") as archive:
        archive.extractall(folder / "there")
    assert cellway("verify", "there").returncode == 0
    (folder / "there" / "README.txt").write_text("else")
    changed = cellway("verify", "there")
    assert (changed.returncode, "README.txt: not as deposited" in changed.stdout) == (1, True)
    falsified(folder / "mine")
    wrong = cellway("verify", "mine", "--json")
    assert wrong.returncode == 1
    assert not any(one["equal"] for one in json.loads(wrong.stdout)["runs"])
    (folder / "other.zip").write_text("mine")
    assert "did not write it" in refused(cellway, "deposit", "mine", "--out", "other.zip")
    assert "no such folder" in refused(cellway, "verify", "nothing")


def test_a_file_that_was_added_to_a_deposit_is_found(tmp_path: Path) -> None:
    there = unpacked(tmp_path)
    (there / "results" / "series" / "more.parquet").write_text("else")
    assert changed_in(there) == ["results/series/more.parquet"]


def test_a_deposit_does_not_hold_an_earlier_one(tmp_path: Path) -> None:
    study_of().run(tmp_path)
    names = []
    for _ in range(2):
        deposit(tmp_path, tmp_path / "mine.zip")
        with zipfile.ZipFile(tmp_path / "mine.zip") as archive:
            names.append(archive.namelist())
    assert names[0] == names[1]


def test_a_deposit_of_another_tool_has_files_to_compare(folder: Path, cellway: Command) -> None:
    (folder / "a.csv").write_text("x,y\n1,2\n")
    cellway("import", "a.csv", "--factor", "x", "--response", "y")
    cellway("deposit", "out/a")
    with zipfile.ZipFile(folder / "out" / "a.zip") as archive:
        archive.extractall(folder / "there")
    assert "cellway study" not in (folder / "there" / "README.txt").read_text()
    done = cellway("verify", "there")
    assert (done.returncode, "no simulated run" in done.stderr) == (0, True)
    (folder / "there" / "results" / "table.csv").write_text("x,y\n1,3\n")
    changed = cellway("verify", "there")
    assert changed.returncode == 1
    assert changed.stdout.startswith("results/table.csv: not as deposited\n")

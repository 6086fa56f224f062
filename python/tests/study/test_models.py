"""Results of another model of the simulator: always read, and never mixed without saying so."""

import hashlib
import json
import pickle
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cellway import Run, Scenario, StoreError, Study, load_results, run
from cellway.runs.models import MODEL_VERSION, note_of
from cellway.study import Factor, compare
from cellway.study.store import Store
from common import Command, known
from study.texts import lasting

SHORT = lasting("20 ms")
THEIRS = "0-01234567"
MADE = f"made by model {THEIRS}; this is {MODEL_VERSION}"


def study(*windows: str) -> Study:
    factor = Factor.of("window", ["flow.bulk.tcp.window"], windows or ("16 KiB", "64 KiB"))
    return Study(Scenario.parse(SHORT), [factor], name="windows", replications=2, recorded=None)


def of_another_model(folder: Path, *, ours: int = 0, resolved: str = "") -> Path:
    """A copy of the study in `folder` by another model, but for the first runs.

    The other model adds `resolved` to every scenario.
    """
    copy = folder.with_name(f"{folder.name}-theirs")
    copy.mkdir()
    for name in ("study.toml", "scenario.toml", "cellway.json"):
        shutil.copy(folder / name, copy / name)
    with Store.read(folder) as store, Store.open(copy, THEIRS) as other:
        for number, key in enumerate(sorted(store.keys())):
            kept = known(store.get(key))
            hashed = hashlib.sha256((kept.scenario_hash + resolved).encode()).hexdigest()
            hashed = hashed if resolved else kept.scenario_hash
            named = hashlib.sha256(f"{hashed}\n{kept.seed}\n{THEIRS}".encode()).hexdigest()
            made = replace(kept, key=named, scenario_hash=hashed, model_version=THEIRS)
            other.add(kept if number < ours else made, [*store.series(key).values()])
    return copy


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study by this model."""
    folder = tmp_path_factory.mktemp("models") / "windows"
    study().run(folder)
    return folder


@pytest.fixture
def theirs(finished: Path, tmp_path: Path) -> Path:
    """The same by another model."""
    return of_another_model(shutil.copytree(finished, tmp_path / "windows"))


@pytest.mark.parametrize("resolved", ["", "link.left.colour = 7"])
def test_runs_of_another_model_are_loaded(finished: Path, tmp_path: Path, resolved: str) -> None:
    """Also if this cellway resolves their scenario otherwise."""
    copy = of_another_model(shutil.copytree(finished, tmp_path / "windows"), resolved=resolved)
    ours, found = load_results(finished), load_results(copy)
    assert found.complete
    assert found.models == (THEIRS,)
    for point in range(2):
        assert found.values("throughput", point) == ours.values("throughput", point)
    assert str(found).splitlines()[0] == f"note: {MADE}"
    assert "made by" not in str(ours)
    assert set(found.to_polars()["model_version"]) == {THEIRS}


def test_a_finished_study_of_another_model_is_shown(cellway: Command, theirs: Path) -> None:
    before = (theirs / "runs.sqlite").read_bytes()
    shown = cellway("study", theirs)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert f"note: {MADE}" in shown.stdout.splitlines()
    assert json.loads(cellway("study", theirs, "--json").stdout)["models"] == [THEIRS]
    assert (theirs / "runs.sqlite").read_bytes() == before


def test_no_runs_are_added_to_those_of_another_model(cellway: Command, theirs: Path) -> None:
    with pytest.raises(StoreError, match="to which none of this one") as refused:
        study("16 KiB", "64 KiB", "32 KiB").run(theirs)
    assert "remove" not in str(refused.value)
    text = (theirs / "study.toml").read_text()
    (theirs / "study.toml").write_text(text.replace("replications = 2", "replications = 3"))
    shown = cellway("study", theirs)
    assert shown.returncode == 2
    assert f"note: {MADE}" in shown.stdout
    assert "windows: 4 of 6 runs" in shown.stdout
    (line,) = (line for line in shown.stderr.splitlines() if not line.startswith("note: "))
    assert line.startswith(f"{theirs}: lacks runs; runs of this model, {MODEL_VERSION}, are not ")
    assert "remove" not in line


def test_a_study_of_another_model_is_plotted(cellway: Command, theirs: Path) -> None:
    drawn = cellway("plot", theirs)
    assert (drawn.returncode, drawn.stderr) == (0, f"note: {theirs}: {MADE}\n")
    assert (theirs / "plot.png").exists()


def test_studies_of_two_models_are_compared(cellway: Command, finished: Path, theirs: Path) -> None:
    said = f"note: the first is of model {MODEL_VERSION}, the second of model {THEIRS}"
    compared = cellway("compare", finished, theirs)
    assert (compared.returncode, compared.stderr) == (0, "")
    assert compared.stdout.splitlines()[1] == said
    assert f"note: both were {MADE}" in cellway("compare", theirs, theirs).stdout
    assert "note: " not in cellway("compare", finished, finished).stdout
    data = json.loads(cellway("compare", finished, theirs, "--json").stdout)
    assert data["models"] == [[MODEL_VERSION], [THEIRS]]
    (found, *_) = compare(load_results(finished), load_results(theirs))
    assert found.models == ((MODEL_VERSION,), (THEIRS,))
    assert {one.change.mean for one in found.differences} == {0.0}


def test_runs_of_two_models_in_a_folder_are_told(
    cellway: Command, finished: Path, tmp_path: Path
) -> None:
    copy = of_another_model(shutil.copytree(finished, tmp_path / "windows"), ours=1)
    assert load_results(copy).models == tuple(sorted((THEIRS, MODEL_VERSION)))
    shown = cellway("study", copy)
    assert shown.returncode == 0
    assert "note: made by several models, model " in shown.stdout


def test_a_saved_run_says_which_model_made_it(cellway: Command, tmp_path: Path) -> None:
    """It is plotted, pickled and saved again with that."""
    folder = run(Scenario.parse(SHORT)).save(tmp_path / "run")
    assert Run.load(folder).model == MODEL_VERSION
    marker = (folder / "cellway.json").read_text()
    (folder / "cellway.json").write_text(marker.replace(MODEL_VERSION, THEIRS))
    saved = Run.load(folder)
    assert saved.model == pickle.loads(pickle.dumps(saved)).model == THEIRS
    assert Run.load(saved.save(tmp_path / "again")).model == THEIRS
    assert cellway("plot", folder).stderr == f"note: {folder}: {MADE}\n"
    assert Run.load(folder).model == THEIRS


def test_a_model_that_is_not_known_is_not_this_one() -> None:
    assert note_of([MODEL_VERSION]) is None
    assert note_of([""]) == f"made by a model that is not known; this is {MODEL_VERSION}"

"""`cellway init`: what is shipped, for a user who has the wheel and nothing else."""

import json
from pathlib import Path

import pytest

from cellway.scenario.shipped import shipped
from common import SCENARIOS, Command, refused

SHIPPED = SCENARIOS[0].parent


def test_all_that_is_shipped_is_listed_with_what_it_is(cellway: Command) -> None:
    listed = cellway("init").stdout
    known = json.loads(cellway("init", "--json").stdout)
    files = {
        file.relative_to(SHIPPED).with_suffix("").as_posix() for file in SHIPPED.rglob("*.toml")
    }
    assert {one["name"] for one in known} == files
    for one in known:
        assert one["about"], one
        assert f"\n{one['name']} " in listed


@pytest.mark.parametrize("one", shipped(), ids=lambda one: one.name)
def test_what_is_written_is_as_in_the_source(tmp_path: Path, one: object) -> None:
    assert isinstance(one, type(shipped()[0]))
    for file in one.write(tmp_path):
        assert file.read_bytes() == (SHIPPED / file.relative_to(tmp_path)).read_bytes()


def test_a_scenario_is_written_and_runs(cellway: Command, folder: Path) -> None:
    written = cellway("init", "cellular")
    assert written.stdout == (
        "written to cellular.toml\nwritten to cellular.trace\n\nnow: cellway run cellular.toml\n"
    )
    done = cellway("run", "cellular.toml", "--set", "run.duration=1 s", "--set", "run.warm_up=0 s")
    assert done.returncode == 0, done
    assert sorted(file.name for file in folder.iterdir()) == ["cellular.toml", "cellular.trace"]


def test_a_study_comes_with_its_scenario(cellway: Command, folder: Path) -> None:
    written = cellway("init", "window", "--out", "mine")
    assert written.stdout.endswith("now: cellway study mine/studies/window.toml\n")
    assert (folder / "mine" / "rate-mismatch.toml").exists()
    assert cellway("explain", "mine/studies/window.toml").returncode == 0


def test_a_file_of_the_users_is_kept(cellway: Command, folder: Path) -> None:
    (folder / "rate-mismatch.toml").write_text("mine")
    said = "rate-mismatch.toml: the file exists, and cellway did not write it"
    assert said in refused(cellway, "init", "window")
    assert [file.name for file in folder.iterdir()] == ["rate-mismatch.toml"]
    assert cellway("init", "window", "--force").returncode == 0


def test_writing_again_changes_nothing(cellway: Command) -> None:
    first, second = cellway("init", "dsl"), cellway("init", "dsl")
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout)
    assert first.returncode == 0, second


def test_an_unknown_name_is_one_line(cellway: Command) -> None:
    said = refused(cellway, "init", "qqqq")
    assert said == "no scenario 'qqqq' is shipped (cellway init lists them)\n"


@pytest.mark.parametrize(
    ("name", "meant"),
    [("rate-mismach", "rate-mismatch"), ("windw", "window"), ("studies/windw", "studies/window")],
)
def test_a_name_that_is_misspelt_says_the_nearest_one_first(
    cellway: Command, name: str, meant: str
) -> None:
    said = refused(cellway, "init", name)
    assert said.startswith(f"no scenario '{name}' is shipped; did you mean {meant}")
    assert said.endswith("? (cellway init lists them)\n")


def test_a_paper_that_is_misspelt_says_the_nearest_one_first(cellway: Command) -> None:
    said = refused(cellway, "reproduce", "magic-1998")
    assert said.startswith("no paper 'magic-1998' in the catalogue; did you mean magic-1997? (it ")

"""Files that a scenario names where a list is expected: read once, kept with a frozen study."""

import json
from pathlib import Path

import pytest

from cellway import Run, Scenario, Study, load_results, load_study, run
from cellway.disk.folders import Marker
from cellway.disk.replacement import replace_together
from cellway.scenario import list_files
from cellway.scenario.list_files import LISTS, ListFiles, lists_json
from common import SMALL, Command, refused, text_of


def test_a_file_is_read_once_beside_the_scenario(tmp_path: Path) -> None:
    file = tmp_path / "delays.csv"
    file.write_text("0 s, 1 ms\n")
    files = ListFiles(tmp_path)
    assert files.read("delays.csv") == ("0 s, 1 ms\n", None)
    file.write_text("0 s, 2 ms\n")
    assert files.read("delays.csv") == ("0 s, 1 ms\n", None)
    assert files.texts == {"delays.csv": "0 s, 1 ms\n"}


def test_what_cannot_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_files, "LIST_LIMIT", 1 << 20)
    (tmp_path / "latin.csv").write_bytes(b"# d\xe9lai\n")
    (tmp_path / "long.csv").write_bytes(b"#" * ((1 << 20) + 1))
    files = ListFiles(tmp_path)
    assert files.read("none.csv") == (None, "no such file or directory")
    assert files.read("latin.csv") == (None, "it is not UTF-8")
    assert files.read("long.csv") == (None, "more than 1 MiB")
    assert files.read(".") == (None, "is a directory")
    assert files.read("\0")[0] is None
    assert files.texts == {}


def test_a_frozen_study_has_its_files(tmp_path: Path) -> None:
    texts = {"../elsewhere/delays.csv": "0 s, 1 ms\n"}
    replace_together(tmp_path, Marker("study", "leo"), {LISTS: lists_json(texts)})
    files = ListFiles(tmp_path)
    assert files.read("../elsewhere/delays.csv") == ("0 s, 1 ms\n", None)
    (tmp_path / LISTS).write_text("{}")
    assert ListFiles(tmp_path).read("../elsewhere/delays.csv")[0] is None


ONE_MEGABYTE = "# two transfers\ntime [s], data [kB]\n0, 400\n0.1, 600\n"


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """A scenario that names a file in a folder beside it."""
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "writes.csv").write_text(ONE_MEGABYTE)
    scenario = tmp_path / "web.toml"
    scenario.write_text(text_of("listed.toml"))
    return scenario


def acked(result: Run) -> int:
    return int(result.flows["web"]["acked_bytes"])


def test_a_run_takes_its_list_from_the_file(listed: Path, tmp_path: Path) -> None:
    result = run(Scenario.load(listed))
    assert acked(result) == 1_000_000
    (listed.parent / "lists" / "writes.csv").unlink()
    # What was read once stays, and what is saved stands alone.
    assert acked(run(result.scenario.with_set("run.seed", 2))) == 1_000_000
    saved = result.save(tmp_path / "out") / "scenario.toml"
    assert acked(run(Scenario.load(saved))) == 1_000_000
    assert 'writes = [["0 ps", "400 kB"], ["100 ms", "600 kB"]]' in saved.read_text()


def test_an_error_names_the_line_of_the_file(cellway: Command, listed: Path) -> None:
    lists = listed.parent / "lists"
    (lists / "writes.csv").write_text(ONE_MEGABYTE + "0.05, 1\n")
    said = refused(cellway, "run", listed)
    assert f"{lists}/writes.csv:5:1: " in said
    assert "50 ms stands after 100 ms" in said
    (lists / "writes.csv").unlink()
    said = refused(cellway, "run", listed)
    assert "`lists/writes.csv` cannot be read: no such file or directory" in said
    lines = listed.read_text().splitlines()
    line = next(at for at, line in enumerate(lines, 1) if "writes.csv" in line)
    assert f"web.toml:{line}:40: " in said


def test_a_set_names_a_file_beside_the_scenario(cellway: Command, listed: Path) -> None:
    (listed.parent / "lists" / "other.csv").write_text("1 ms, 7 kB\n")
    to = 'flow.web.traffic.schedule.writes={ file = "lists/other.csv" }'
    result = cellway("run", listed, "--json", "--set", to)
    assert json.loads(result.stdout)["flows"]["web"]["acked_bytes"] == 7_000


def test_a_frozen_study_is_resumed_without_the_files(listed: Path, tmp_path: Path) -> None:
    lists = listed.parent / "lists"
    (lists / "other.csv").write_text("1 ms, 7 kB\n")
    files = [{"file": f"lists/{name}.csv"} for name in ("writes", "other")]
    key = "flow.web.traffic.schedule.writes"
    responses = {"acked": "flows.web.acked_bytes"}
    study = Study(Scenario.load(listed), {key: files}, responses=responses, name="web")
    out = tmp_path / "study"
    study.run(out)
    for file in lists.iterdir():
        file.unlink()
    again = load_study(out / "study.toml")
    hashes = [condition.scenario_hash for condition in study.conditions()]
    assert [condition.scenario_hash for condition in again.conditions()] == hashes
    results = load_results(out)
    assert [results.values("acked", point) for point in (0, 1)] == [[1_000_000.0], [7_000.0]]
    marker = (out / "cellway.json").read_text()
    again.run(out)
    assert (out / "cellway.json").read_text() == marker


def test_the_contents_are_part_of_a_run(listed: Path) -> None:
    before = Scenario.load(listed)
    (listed.parent / "lists" / "writes.csv").write_text(ONE_MEGABYTE.replace("600", "601"))
    assert Scenario.load(listed) != before


RECORDED = 'file = "pass.csv", time_from = "first"'


def test_one_recording_has_delays_rates_and_gaps(tmp_path: Path) -> None:
    """Semicolons, epoch seconds, a column that does not count, and a number as tools print it."""
    (tmp_path / "pass.csv").write_text(text_of("pass.csv"))
    rates = 'columns = ["t_s", "rate"], units = ["s", "Mbit/s of line"]'
    gaps = 'columns = ["t_s", "gap"], units = ["s", ""]'
    lists = {
        f"capacity.steps.rates = {{ {RECORDED}, {rates} }}": '["500 ms", "9500 kbit/s of line"]',
        f"impairments.outages.when.listed = {{ {RECORDED}, {gaps} }}": '["300 ms", "50 ms"]',
    }
    for varying, expected in lists.items():
        (tmp_path / "sky.toml").write_text(
            text_of("traced.toml").replace("VARYING", varying).replace("RECORDED", RECORDED)
        )
        resolved = Scenario.load(tmp_path / "sky.toml").to_toml()
        assert '["0 ps", "20 ms"], ["300 ms", "21500 us"], ["500 ms", "30 ms"]' in resolved
        assert expected in resolved


def test_a_long_recording_is_read(tmp_path: Path) -> None:
    """Of more than the four mebibytes that were the most."""
    (tmp_path / "pass.csv").write_text("t,owd\n0.0,20\n" + f"# {'long ' * 1000}\n" * 900 + "1,30\n")
    delay = 'delay = { steps = { file = "pass.csv", units = ["s", "ms"] } }'
    (tmp_path / "sky.toml").write_text(SMALL.replace('delay = "1 ms"', delay, 1))
    resolved = Scenario.load(tmp_path / "sky.toml").to_toml()
    assert 'steps = [["0 ps", "20 ms"], ["1 s", "30 ms"]]' in resolved

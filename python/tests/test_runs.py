"""Runs through the library: arrays, pickling, saving, repeating."""

import copy
import csv
import pickle
from pathlib import Path

import numpy as np
import pytest

import cellway
from cellway import Run, Scenario
from cellway.disk.files import TEXT_LIMIT
from common import SMALL


@pytest.fixture(scope="module")
def run() -> Run:
    return cellway.run(Scenario.parse(SMALL, "small"))


def test_what_was_recorded(run: Run) -> None:
    at_sender = ["acked", "cwnd", "in_flight", "rtt", "ssthresh"]
    of_flow = sorted(f"bulk.{name}" for name in [*at_sender, "arrived", "one_way_delay"])
    assert run.series_names == (*of_flow, "s.left.queue", "s.right.queue")
    assert run.ports["s.right"]["drops"]["overflow"] > 0
    queue = run.series("s.right.queue")
    assert queue.unit == "cell"
    # Every 10 ms from 0 to 1 s, both included.
    assert len(queue) == 101
    assert queue.value.max() <= 256
    np.testing.assert_allclose(np.diff(queue.time), 0.01)


def test_series_are_read_only_views_of_one_memory(run: Run) -> None:
    first, again = run.series("bulk.cwnd"), run.series("bulk.cwnd")
    assert np.shares_memory(first.value, again.value)
    assert np.shares_memory(first.time, again.time)
    for array in (first.time, first.value):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_an_unknown_series_lists_those_there_are(run: Run) -> None:
    said = r"no series 'bulk\.window'; recorded: bulk\.acked, bulk\.arrived, bulk\.cwnd"
    with pytest.raises(KeyError, match=said):
        run.series("bulk.window")


def test_pickling_keeps_everything(run: Run) -> None:
    restored = pickle.loads(pickle.dumps(run))
    assert_same(restored, run)
    assert not restored.series("bulk.cwnd").value.flags.writeable
    scenario = pickle.loads(pickle.dumps(run.scenario))
    assert scenario == run.scenario
    assert scenario.origin == "small"
    assert cellway.run(scenario).summary_json == run.summary_json


def test_saving_and_loading_keeps_every_bit(run: Run, tmp_path: Path) -> None:
    assert run.save(tmp_path / "saved") == tmp_path / "saved"
    names = sorted(path.name for path in (tmp_path / "saved").iterdir())
    assert names == ["cellway.json", "scenario.toml", "series.npz", "summary.json"]
    loaded = Run.load(tmp_path / "saved")
    assert_same(loaded, run)
    assert not loaded.series("bulk.rtt").value.flags.writeable


def test_series_are_exported_to_every_bit(run: Run, tmp_path: Path) -> None:
    run.to_csv(tmp_path / "series.csv")
    with (tmp_path / "series.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(dict.fromkeys(row["series"] for row in rows)) == list(run.series_names)
    points = [row for row in rows if row["series"] == "bulk.cwnd"]
    cwnd = run.series("bulk.cwnd")
    assert {row["unit"] for row in points} == {cwnd.unit}
    assert [float(row["time_s"]) for row in points] == cwnd.time.tolist()
    assert [float(row["value"]) for row in points] == cwnd.value.tolist()


@pytest.mark.parametrize(
    ("name", "content"),
    [("summary.json", content) for content in (b"", b"{", b"[]", b"\xff", b'{"seed": 2}')]
    + [("series.npz", content) for content in (b"", b"PK\x03\x04", b"text")],
)
def test_a_damaged_run_is_refused(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    """JSON with another number was once shown as the run's."""
    run.save(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(cellway.CellwayError, match=rf"{name}: damaged, not as it was written"):
        Run.load(tmp_path)
    (tmp_path / "cellway.json").unlink()
    with pytest.raises(cellway.CellwayError, match="not a run that cellway saved"):
        Run.load(tmp_path)


def test_series_that_are_missing_are_missed(run: Run, tmp_path: Path) -> None:
    """A run whose series were removed would pass for one that recorded nothing."""
    run.save(tmp_path)
    (tmp_path / "series.npz").unlink()
    with pytest.raises(cellway.CellwayError, match=r"series\.npz: missing; run scenario\.toml"):
        Run.load(tmp_path)


def test_the_same_scenario_gives_the_same_bytes_and_another_seed_does_not() -> None:
    scenario = Scenario.parse(SMALL, "small")
    assert cellway.run(scenario).summary_json == cellway.run(scenario).summary_json
    other = cellway.run(scenario.with_set("run.seed", 2))
    assert other.summary["seed"] == 2
    assert other.flows != cellway.run(scenario).flows


def test_a_scenario_that_resolves_to_more_than_people_write_is_read_back(tmp_path: Path) -> None:
    path = SMALL.partition("[observe]")[0].replace('duration = "1 s"', 'duration = "1 ms"')
    many = Scenario.parse(path.replace("[flow.bulk]", "[flow.bulk]\ncount = 3200"))
    assert len(many.to_toml()) > TEXT_LIMIT
    saved = cellway.run(many).save(tmp_path / "run")
    assert Run.load(saved).scenario == many
    assert pickle.loads(pickle.dumps(many)) == many
    assert copy.copy(many).with_set("run.seed", 2) == many.with_set("run.seed", 2)
    written = saved / "scenario.toml"
    written.write_text(written.read_text() + "# by hand\n")
    with pytest.raises(cellway.ScenarioError, match="a scenario has at most 1 MiB"):
        Scenario.load(written)


def test_a_series_whose_name_no_archive_can_keep_is_refused_in_words(tmp_path: Path) -> None:
    name = "x" * 70_000
    run = cellway.run(Scenario.parse(SMALL.replace("[flow.bulk]", f"[flow.{name}]")))
    with pytest.raises(cellway.CellwayError, match="is longer than the 60000 bytes"):
        run.save(tmp_path / "run")
    assert list((tmp_path / "run").iterdir()) == []


def test_progress_is_reported_and_can_stop_the_run() -> None:
    class StopError(Exception):
        pass

    reported: list[tuple[float, float]] = []

    def stop(at: float, duration: float) -> None:
        reported.append((at, duration))
        raise StopError

    with pytest.raises(StopError):
        cellway.run(Scenario.parse(SMALL).with_set("run.duration", "100000 s"), stop)
    ((at, duration),) = reported
    assert 0.0 < at < duration == 100_000.0


def test_with_set_leaves_the_original_alone() -> None:
    scenario = Scenario.parse(SMALL)
    changed = scenario.with_sets(
        [("flow.bulk.tcp.timers", {"fine": {"granularity": "2 ms"}}), ("run.seed", 3)]
    )
    assert 'granularity = "2 ms"' in changed.to_toml()
    assert "granularity" not in scenario.to_toml()
    assert changed != scenario
    assert Scenario.parse(changed.to_toml()) == changed
    with pytest.raises(cellway.ScenarioError, match=r"^--set link\.x\.delay=1 ms"):
        scenario.with_set("link.x.delay", "1 ms")


def test_a_scenario_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"^mine:1:2: unknown key"):
        Scenario.parse("[runn]", "mine")


def assert_same(one: Run, other: Run) -> None:
    assert one.summary_json == other.summary_json
    assert one.scenario == other.scenario
    assert one.series_names == other.series_names
    for name in one.series_names:
        left, right = one.series(name), other.series(name)
        assert left.unit == right.unit
        np.testing.assert_array_equal(left.time, right.time, strict=True)
        np.testing.assert_array_equal(left.value, right.value, strict=True)

"""Thinned series: their means are those of all that was recorded, wherever they are read."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cellway
from cellway.plot.curves import columns, curve_of, exact
from cellway.runs.quantity import Quantity
from cellway.runs.runs import Run
from cellway.runs.series import Series
from cellway.statistics import batch_means, estimate, stretch_means
from cellway.study.responses import WORTH, Reduction
from cellway.study.series import read_series, write_series
from common import Command, refused, text_of
from shown import legend

QUEUE = "s.server.queue"
POISSON = text_of("poisson.toml")
PACKETS = text_of("packets.toml")
TAIL = text_of("tail.toml")


def run_of(text: str) -> Run:
    return cellway.run(cellway.Scenario.parse(text, "poisson"))


@pytest.fixture(scope="module")
def run() -> Run:
    return run_of(POISSON)


@pytest.fixture(scope="module")
def thinned(run: Run) -> Series:
    return run.series(QUEUE)


@pytest.fixture(scope="module")
def whole() -> Series:
    """The same run, every point of it."""
    scenario = cellway.Scenario.parse(POISSON, "poisson").with_set("observe.limit", 10_000_000)
    return cellway.run(scenario).series(QUEUE)


def test_means_of_a_thinned_queue_hold_the_exact_one() -> None:
    """M/D/1 at 0.9: 0.9 + 0.81 / 0.2 = 4.95. From peaks and last values it was 8.86."""
    scenario = cellway.Scenario.parse(POISSON, "poisson")
    runs = [cellway.run(scenario.with_set("run.seed", seed)) for seed in range(1, 11)]
    series = [run.series(QUEUE) for run in runs]
    assert all(one.thinned and len(one) <= 2000 for one in series)
    for run, one in zip(runs, series, strict=True):
        exact_mean = run.ports["s.server"]["mean_queue"]
        assert abs(one.time_mean(0.2, 2.0) - exact_mean) <= one.time_mean_error(0.2, 2.0) + 1e-9
        assert one.time_mean_error(0.2, 2.0) < 0.05
    found = estimate([one.time_mean(0.2, 2.0) for one in series], 0.99)
    assert found.half_width is not None
    assert found.half_width < 0.5
    assert abs(found.mean - 4.95) < found.half_width


def test_between_two_points_the_mean_is_that_of_all_points(thinned: Series, whole: Series) -> None:
    assert not whole.thinned
    assert whole.means is None
    for first, last in ((0, 1), (10, 11), (5, 400), (0, len(thinned) - 1)):
        ends = float(thinned.time[first]), float(thinned.time[last])
        assert thinned.time_mean(*ends) == pytest.approx(whole.time_mean(*ends), rel=1e-9)
        assert thinned.time_mean_error(*ends) == 0.0


def test_elsewhere_the_error_stays_within_its_bound(thinned: Series, whole: Series) -> None:
    """A window is off at its two ends alone, so that short ones are off most."""
    errors = []
    for first, length in np.random.default_rng(1).uniform((0.01, 0.0), (1.9, 0.1), (200, 2)):
        last = first + length
        error = abs(thinned.time_mean(first, last) - whole.time_mean(first, last))
        assert error <= thinned.time_mean_error(first, last) + 1e-9
        errors.append(error)
    assert max(errors) > 0.0


def test_extremes_are_kept(thinned: Series, whole: Series) -> None:
    assert thinned.value.max() == whole.value.max()
    assert set(thinned.time.tolist()) <= set(whole.time.tolist())


def test_what_is_handed_over_is_read_only_and_pickles(thinned: Series) -> None:
    for series in (thinned, pickle.loads(pickle.dumps(thinned))):
        assert series.means is not None
        assert not series.means.flags.writeable
        assert np.array_equal(series.means, thinned.held)
        assert series.note == f"thinned {thinned.thinned} times: peaks and means are kept"


def test_saved_runs_keep_the_means(run: Run, tmp_path: Path) -> None:
    run.save(tmp_path)
    loaded = Run.load(tmp_path)
    assert loaded.thinned == run.thinned == {QUEUE: run.series(QUEUE).thinned}
    assert np.array_equal(loaded.series(QUEUE).held, run.series(QUEUE).held)


def test_studies_keep_the_means(thinned: Series, tmp_path: Path) -> None:
    grid = Series("s.server.other", "cell", np.array([0.0, 1.0]), np.array([2.0, 3.0]), thinned=1)
    digest = write_series(tmp_path / "a.parquet", [thinned, grid], lambda: None)
    found = read_series(tmp_path / "a.parquet", {QUEUE: "cell", grid.name: "cell"}, digest)
    assert np.array_equal(found[QUEUE].held, thinned.held)
    assert (found[QUEUE].thinned, found[grid.name].thinned) == (thinned.thinned, 1)
    assert found[grid.name].means is None
    assert grid.note == "thinned once: one sample in 2 is kept"


def test_series_without_means_are_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    """Its peaks would pass for all that there was."""
    run.save(tmp_path)
    with np.load(tmp_path / "series.npz") as arrays:
        names = [name for name in arrays.files if not name.endswith((":mean", ":thinned"))]
        old = {name: arrays[name] for name in names}
    np.savez_compressed(tmp_path / "series.npz", allow_pickle=False, **old)
    (tmp_path / "cellway.json").unlink()
    with pytest.raises(cellway.CellwayError) as caught:
        Run.load(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}: not a run that cellway saved: ")


def test_a_study_averages_over_time(run: Run, thinned: Series) -> None:
    mean = thinned.time_mean(0.2)
    for how in ("time_mean", "mean"):
        asked = Reduction(QUEUE, how, start=0.2)
        reading = asked.read(thinned)
        given = dict(reading.numbers)
        assert 1.0 < (given.pop(f"{asked}{WORTH}") or 0.0) < len(thinned.time)
        assert given == {str(asked): mean}
        assert reading.warnings[0] == f"{asked}: the series was thinned: peaks and means are kept"
    batches = Reduction(QUEUE, "batch_means", start=0.2)
    numbers = batches.read(thinned).numbers
    count = int((thinned.time >= 0.2).sum()) // 6
    window = (0.2, float(thinned.time[-1]))
    expected = batch_means(stretch_means(thinned.time, thinned.held, count, window))
    assert numbers[str(batches)] == expected.estimate.mean == pytest.approx(mean, rel=0.05)
    assert Reduction(QUEUE, "max").read(thinned) == Reduction(QUEUE, "max").read(run.series(QUEUE))
    refused = Reduction(QUEUE, "quantile", quantile=0.5).read(thinned)
    assert list(refused.numbers.values()) == [None]
    assert "`observe.distributions` counts quantiles" in refused.warnings[-1]


def test_figures_have_the_mean_within_a_band(thinned: Series, whole: Series) -> None:
    edges = (float(thinned.time[0]), float(thinned.time[-1]))
    coarse, fine = (columns(curve_of(series), edges, 1) for series in (thinned, whole))
    assert coarse.mean[0] == pytest.approx(fine.mean[0], rel=1e-9)
    assert coarse.maximum[0] == fine.maximum[0]
    ends = float(thinned.time[40]), float(thinned.time[60])
    gaps = exact(curve_of(thinned), ends)
    for first, last, least, most in zip(
        gaps.edges, gaps.edges[1:], gaps.minimum, gaps.maximum, strict=False
    ):
        inside = whole.value[(whole.time >= first) & (whole.time < last)]
        assert least <= inside.min()
        assert inside.max() <= most


def test_people_are_reported(cellway: Command, folder: Path) -> None:
    (folder / "poisson.toml").write_text(POISSON)
    text = cellway("run", "poisson.toml", "--out", "kept").stdout
    assert "note: s.server.queue: thinned " in text
    assert "times: peaks and means are kept" in text
    found = legend(Run.load(folder / "kept").plot().axes[0])
    assert any(text.startswith("minimum to maximum") for text in found)


def test_distributions_reach_text_studies_and_figures(
    run: Run, cellway: Command, folder: Path
) -> None:
    port: Any = run.ports["s.server"]
    (folder / "poisson.toml").write_text(POISSON)
    lines = cellway("run", "poisson.toml", "--out", "kept").stdout.splitlines()
    assert any(line.startswith("s.server queue  cells") for line in lines)
    assert any(line.startswith("s.server delay  ms") for line in lines)
    queued = port["queue_distribution"]
    for path, number in (
        ("delay.p99", port["delay"]["p99"]),
        ("delay.p99.9", port["delay"]["p99.9"]),
        ("queue_distribution.p50", queued["p50"]),
        ("queue_distribution.above.20", queued["above"]["20"]),
    ):
        assert of_port(path, run) == number
    assert queued["mean"] == pytest.approx(port["mean_queue"], rel=1e-12)
    (folder / "tail.toml").write_text(TAIL)
    reported = cellway("study", "tail.toml", "--out", "study", "--json")
    assert reported.returncode == 0, reported.stderr
    (point,) = json.loads(reported.stdout)["points"]
    means = [found["mean"] for found in point["responses"].values()]
    assert means == [queued["above"]["20"], 0.0, port["delay"]["p99"] * 1e3]
    plotted = cellway("plot", "kept", "--distributions")
    assert (plotted.returncode, plotted.stdout) == (0, "written to kept/plot-distributions.png\n")
    refused(cellway, "plot", "kept", "--distributions", "--from", "1")
    queue, delay = run.plot_distributions().axes
    assert (queue.get_yscale(), delay.get_yscale()) == ("log", "log")
    tail = queue.get_lines()[0]
    assert float(np.asarray(tail.get_ydata())[20]) == queued["above"]["20"]


def test_a_tail_between_listed_numbers_is_refused_before_a_study_runs(
    cellway: Command, folder: Path
) -> None:
    (folder / "poisson.toml").write_text(POISSON)
    (folder / "tail.toml").write_text(TAIL.replace("above.1000", "above.1005"))
    said = refused(cellway, "study", "tail.toml", "--out", "study")
    assert said.startswith("tail.toml:6:12: response `above_1000`: ")
    assert said.endswith("; 1000 and 1100 can be asked for\n")
    assert not (folder / "study").exists()


def test_every_number_that_a_long_queue_lists_can_be_asked_for() -> None:
    """Twice the rate of the line: the queue grows through all steps."""
    crowded = POISSON.replace("90 Mbit/s", "200 Mbit/s").replace("2 s", "0.5 s", 1)
    found = run_of(crowded)
    above = found.ports["s.server"]["queue_distribution"]["above"]
    assert {"99", "100", "110", "1000", "1100", "10000", "11000"} <= set(above)
    asked = {number: of_port(f"queue_distribution.above.{number}", found) for number in above}
    assert asked == above


def of_port(path: str, run: Run) -> float:
    return Quantity(f"ports.s.server.{path}").of(run.summary)


def test_packets_have_a_one_way_delay(cellway: Command, folder: Path) -> None:
    (folder / "packets.toml").write_text(PACKETS)
    text = cellway("run", "packets.toml").stdout
    assert "bulk one-way delay  ms" in text
    found = run_of(PACKETS)
    assert found.flows["bulk"]["one_way_delay"]["min"] == pytest.approx(0.01 + 1500 * 8 / 10e6)
    assert len(found.plot_distributions().axes) == 1
    with pytest.raises(ValueError, match=r"no distribution was counted at port 's\.server'"):
        found.plot_distributions(["s.server"])

"""Figures of the queues of single VCs: over time, and over the regions of DFBA."""

from pathlib import Path

import numpy as np
import pytest

import cellway
from cellway.plot.curves import Curve
from cellway.plot.occupancy import plot_occupancy
from cellway.plot.ports import dfba_thresholds
from cellway.plot.regions import Track, plot_regions
from cellway.plot.vc_queues import ports_with_vcs, values_at, vc_queues, whole_queue
from cellway.runs.runs import Run
from cellway.scenario.scenario import SettableValue
from common import ROOT, Command, refused
from shown import legend, titles

SHIPPED = ROOT / "scenarios/gfr-dfba.toml"
TRUNK = "first.trunk"
CIRCUITS = ["mcr-20", "mcr-40", "mcr-60", "mcr-80", "mcr-100"]
SHORT: list[tuple[str, SettableValue]] = [("run.duration", "0.4 s"), ("run.warm_up", "0.1 s")]


@pytest.fixture(scope="module")
def shipped() -> Run:
    """Until the queue has stood at L a few times."""
    return shortened()


def shortened(*sets: tuple[str, SettableValue]) -> Run:
    return cellway.run(cellway.Scenario.load(SHIPPED).with_sets([*SHORT, *sets]))


def test_the_longest_queue_is_plotted_first_and_circuits_by_their_guarantee(shipped: Run) -> None:
    assert ports_with_vcs(shipped)[0] == TRUNK
    assert [vc.name for vc in vc_queues(shipped, TRUNK)] == CIRCUITS


def test_a_queue_holds_nothing_before_its_first_point() -> None:
    time, value = np.array([1.0, 2.0]), np.array([5.0, 3.0])
    held = values_at(Curve(time, value), np.array([0.5, 1.0, 1.9, 2.0, 9.0]))
    assert held.tolist() == [0.0, 5.0, 5.0, 3.0, 3.0]


def test_without_its_own_series_the_whole_is_the_sum(shipped: Run) -> None:
    alone = shortened(("observe.series", ["vc_queue"]))
    assert f"{TRUNK}.queue" not in alone.series_names
    found, expected = whole_queue(alone, TRUNK), whole_queue(shipped, TRUNK)
    assert np.array_equal(found.time, expected.time)
    assert np.array_equal(found.value, expected.value)


def test_occupancy_has_a_line_per_circuit_and_one_for_all(shipped: Run) -> None:
    figure = plot_occupancy(shipped, TRUNK)
    cells, times = figure.axes
    assert [cells.get_ylabel(), times.get_ylabel()] == ["cells", "ms"]
    reported = shipped.ports[TRUNK]
    expected = [f"all: mean {reported['mean_queue']:.4g},\nmaximum {reported['max_queue']}"]
    for name in CIRCUITS:
        rate = name.removeprefix("mcr-")
        expected.append(
            f"{name}, MCR {rate} kcell/s:\nmean {reported['vcs'][name]['mean_queue']:.4g}"
        )
    assert legend(cells)[:6] == expected
    assert [entry.partition(":")[0] for entry in legend(times)] == CIRCUITS
    plotted = [np.asarray(line.get_ydata(), dtype=np.float64) for line in cells.get_lines()[:6]]
    # Steps between samples, of all and of the five: the parts are the whole in the figure too.
    assert plotted[0] == pytest.approx(sum(plotted[1:]))
    assert plotted[0].max() == shipped.series(f"{TRUNK}.queue").value.max()


def test_the_lower_panel_is_the_upper_one_over_the_guarantees(shipped: Run) -> None:
    cells, times = plot_occupancy(shipped, TRUNK).axes
    for upper, lower, rate in zip(
        cells.get_lines()[1:6], times.get_lines(), (20, 40, 60, 80, 100), strict=False
    ):
        assert np.asarray(lower.get_ydata()) == pytest.approx(np.asarray(upper.get_ydata()) / rate)


def test_circuits_without_a_guarantee_have_no_times() -> None:
    """Selective Drop compares the VCs, so the summary has them; UBR promises nothing."""
    run = shortened(
        ("vc.*.service", "ubr"), ("switch.*.drop", {"selective_drop": {"threshold": 0.8}})
    )
    (cells,) = plot_occupancy(run, TRUNK).axes
    assert [entry.partition(":")[0] for entry in legend(cells)[1:6]] == sorted(CIRCUITS)
    with pytest.raises(ValueError, match="minimum cell rate"):
        plot_regions(run, TRUNK)


def test_what_was_merely_recorded_has_the_mean_of_its_samples() -> None:
    run = shortened(("vc.*.service", "ubr"), ("switch.*.drop", "tail"))
    assert "vcs" not in run.ports[TRUNK]
    means = {vc.name: vc.mean for vc in vc_queues(run, TRUNK)}
    series = run.series(f"{TRUNK}.mcr-20.vc_queue")
    sampled = series.value[(series.time >= 0.1) & (series.time < 0.4)]
    assert means["mcr-20"] == pytest.approx(sampled.mean())
    assert sum(means.values()) == pytest.approx(run.ports[TRUNK]["mean_queue"], rel=0.01)


def test_regions_are_between_the_thresholds_of_the_scenario(shipped: Run) -> None:
    """L and H are 0.5 and 0.8 of 6000 cells."""
    assert dfba_thresholds(shipped.scenario, TRUNK) == (3000.0, 4800.0)
    figure = plot_regions(shipped, TRUNK)
    panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
    names = [f"{name}, MCR {name.removeprefix('mcr-')} kcell/s" for name in CIRCUITS]
    assert [title for title in titles(figure) if title] == names
    for axes in panels:
        lines = {str(line.get_label()): np.asarray(line.get_xydata()) for line in axes.get_lines()}
        assert set(lines["L"][:, 0]) == {3000.0}
        assert set(lines["H"][:, 0]) == {4800.0}
        assert np.array_equal(lines["share"][:, 0], lines["share"][:, 1])
        words = [text.get_text().partition("\n") for text in axes.texts]
        assert [number for number, _, _ in words] == ["L", "H", "1", "2", "3", "4"]
        parts = [float(part.removesuffix(" %")) for _, _, part in words[2:]]
        assert sum(parts) == pytest.approx(100.0, abs=2.0)


def test_thresholds_may_be_cells() -> None:
    dfba: SettableValue = {"dfba": {"low": "2 kcell", "high": "2500 cell"}}
    scenario = cellway.Scenario.load(SHIPPED).with_set("switch.*.drop", dfba)
    assert dfba_thresholds(scenario, TRUNK) == (2000.0, 2500.0)


def test_regions_by_hand() -> None:
    """L = 10, H = 20: a frame at the share or a threshold is between them and within its share."""
    whole = np.array([9.0, 10.0, 10.0, 20.0, 21.0])
    own = np.array([30.0, 10.0, 10.5, 19.0, 1.0])
    assert Track(whole, own, (10.0, 20.0)).regions == [0.2, 0.2, 0.4, 0.2]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("switch.*.drop", "tail", "the drop policy of first is tail"),
        ("switch.*.buffer", {"shared": "6 kcell"}, "the buffer of first is shared"),
        ("observe.series", ["queue"], "no cells of single VCs were recorded at port 'first.trunk'"),
    ],
)
def test_what_has_no_regions_says_why(key: str, value: SettableValue, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        shortened((key, value)).plot_regions(TRUNK)


def test_beside_other_classes_the_queue_of_the_guaranteed_is_judged() -> None:
    """Without the queues of the classes there is no X."""
    trunk = ("vc.mcr-20.service", "vbr")
    run = shortened(trunk)
    assert set(run.ports[TRUNK]["classes"]) == {"vbr", "ubr"}
    assert len(plot_regions(run, TRUNK).axes) >= 4
    with pytest.raises(ValueError, match=r"several classes pass first\.trunk"):
        shortened(trunk, ("observe.series", ["vc_queue"])).plot_regions(TRUNK)


def test_plot_draws_the_longest_queue_or_the_one_that_is_named(
    cellway: Command, folder: Path
) -> None:
    short = ["--set", 'run.duration="0.2 s"', "--set", 'run.warm_up="0.05 s"']
    done = cellway("plot", SHIPPED, "--occupancy", "--regions", *short)
    assert done.stdout.splitlines() == [
        f"written to gfr-dfba-{TRUNK}-occupancy.png",
        f"written to gfr-dfba-{TRUNK}-regions.png",
    ]
    named = cellway(
        "plot", SHIPPED, "--occupancy", "--port", "second.down[1]", "--format", "svg", *short
    )
    assert named.stdout == "written to gfr-dfba-second.down[1]-occupancy.svg\n"
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (ROOT / "scenarios/shared-bottleneck.toml", 'with "vc_queue" records them'),
        (ROOT / "scenarios/studies/window.toml", "only a run has ports"),
    ],
    ids=["unrecorded", "study"],
)
def test_occupancy_that_cannot_be_plotted_is_one_line(
    cellway: Command, source: Path, words: str
) -> None:
    assert words in refused(cellway, "plot", source, "--occupancy")

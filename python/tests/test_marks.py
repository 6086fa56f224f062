"""When segments were lost and sent again and timers expired, in the figure of a run."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import cellway
from cellway.plot.marks import marks_of
from cellway.scenario.scenario import SettableValue
from common import ROOT, SMALL

RECORDED = ("observe.segments.from", "0 s")


def recorded(name: str, *sets: tuple[str, SettableValue]) -> cellway.Run:
    return cellway.run(
        cellway.Scenario.load(ROOT / f"scenarios/{name}.toml").with_sets([RECORDED, *sets])
    )


def of_marks(figure: Figure) -> Axes:
    """The panel of marks."""
    return next(one for one in figure.axes if one.get_title(loc="left").startswith("Segments lost"))


def legend(figure: Figure) -> list[str]:
    found = of_marks(figure).get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


@pytest.mark.parametrize("name", ["packet-router", "instcap", "fq-codel-router"])
def test_as_many_are_marked_as_were_counted(name: str) -> None:
    run = recorded(name, ("observe.limit", 200_000))
    warm_up = run.summary["warm_up_s"]
    for flow, counted in run.flows.items():
        marks = marks_of(run, flow)
        assert marks is not None
        assert int((marks.resent >= warm_up).sum()) == counted["retransmitted_segments"]
        assert marks.timeouts is not None
        assert int((marks.timeouts >= warm_up).sum()) == counted["timeouts"]


def test_a_timeout_is_followed_by_a_window_of_one_segment() -> None:
    """The window is recorded on its own, and not what timeouts are found by."""
    run = recorded("packet-router", ("observe.interval", "change"), ("observe.limit", 200_000))
    marks, window = marks_of(run, "download"), run.series("download.cwnd")
    assert marks is not None
    assert marks.timeouts is not None
    assert len(marks.timeouts) == 1
    held = window.value[window.time.searchsorted(marks.timeouts, side="right") - 1]
    assert held.tolist() == [1460.0]


def of_an_older_model(run: cellway.Run) -> cellway.Run:
    """The same run without what the core now records of timeouts."""
    units = {name: unit for name, unit in run._units.items() if "timeout" not in name}
    return replace(run, _units=units)


@pytest.mark.parametrize("name", ["packet-router", "instcap", "loss-episode"])
def test_timeouts_are_where_segments_are_sent_again_without_an_acknowledgement(name: str) -> None:
    """Recorded by the core, and found from what was sent and heard: the same instants."""
    run = recorded(name, ("observe.limit", 200_000))
    for flow in run.flows:
        found, inferred = marks_of(run, flow), marks_of(of_an_older_model(run), flow)
        assert found is not None
        assert inferred is not None
        assert found.timeouts is not None
        assert inferred.timeouts is not None
        assert np.array_equal(found.timeouts, inferred.timeouts)


def test_a_host_that_takes_time_does_not_hide_its_timeouts() -> None:
    """Its segments leave later than its timer expires, at instants at which others arrive."""
    run = recorded("rate-mismatch", ("run.duration", "3 s"))
    counted = run.flows["bulk"]["timeouts"]
    marks = marks_of(run, "bulk")
    assert counted > 0
    assert marks is not None
    assert marks.timeouts is not None
    assert marks.by_timeout is not None
    assert int((marks.timeouts >= run.summary["warm_up_s"]).sum()) == counted
    assert set(marks.by_timeout) <= set(marks.resent)
    assert len(marks.by_timeout) >= len(marks.timeouts)
    assert legend(run.plot())[-1] == f"timeout: {len(marks.timeouts)}"
    assert legend(of_an_older_model(run).plot())[-1] == "timeout: 0; of 1 flow not known"


def test_acknowledgements_beyond_the_limit_do_not_become_timeouts() -> None:
    run = recorded("packet-router", ("observe.limit", 1000))
    older, marks = marks_of(of_an_older_model(run), "download"), marks_of(run, "download")
    assert older is not None
    assert older.timeouts is None
    assert older.end is None
    assert marks is not None
    assert marks.timeouts is not None
    assert len(marks.timeouts) == 1


def test_the_legend_tells_why_segments_are_sent_again() -> None:
    run = recorded("loss-episode")
    marks = marks_of(run, "bulk")
    assert marks is not None
    assert marks.by_timeout is not None
    again, late = len(marks.resent), len(marks.by_timeout)
    assert 0 < late < again
    assert f"sent again: {again}, {late} of\nthem after timeouts" in legend(run.plot())


def test_timeouts_outlive_saving(tmp_path: Path) -> None:
    run = recorded("packet-router", ("observe.limit", 20_000))
    run.save(tmp_path / "run")
    saved = marks_of(cellway.Run.load(tmp_path / "run"), "download")
    marks = marks_of(run, "download")
    assert marks is not None
    assert saved is not None
    assert saved.timeouts is not None
    assert marks.timeouts is not None
    assert saved.timeouts.tolist() == marks.timeouts.tolist()


def test_the_last_panel_has_a_row_per_flow_and_counts_what_it_shows() -> None:
    run = recorded("fq-codel-router")
    axes = of_marks(run.plot())
    assert axes.get_title(loc="left") == "Segments lost and sent again, and timeouts"
    rates = {flow: one["throughput_bits_per_second"] for flow, one in run.flows.items()}
    fastest_first = sorted(rates, key=lambda flow: -rates[flow])
    assert [text.get_text() for text in axes.get_yticklabels()] == fastest_first
    every = [marks_of(run, flow) for flow in run.flows]
    late = sum(int((one.resent >= 5.0).sum()) for one in every if one is not None)
    assert f"sent again: {late}" in legend(run.plot(5.0))


def test_without_recorded_segments_there_are_no_marks() -> None:
    run = cellway.run(cellway.Scenario.parse(SMALL))
    assert marks_of(run, "bulk") is None
    assert not any("lost" in axes.get_title(loc="left") for axes in run.plot().axes)


def test_the_window_is_counted_in_segments_as_well() -> None:
    run = cellway.run(cellway.Scenario.parse(SMALL))
    figure = run.plot()
    axes = next(one for one in figure.axes if "window" in one.get_title(loc="left"))
    (right,) = axes.child_axes
    figure.canvas.draw()
    size = run.scenario.explain()["flows"][0]["tcp"]["mss_bytes"]
    assert right.get_ylabel() == f"segments of {size} B"
    assert np.allclose(right.get_ylim(), np.array(axes.get_ylim()) * 1024 / size)

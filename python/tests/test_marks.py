"""When segments were lost and sent again and timers expired, in the figure of a run."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import cellway
from cellway.plot.marks import Marks, marks_of
from cellway.scenario.scenario import SettableValue
from common import known
from shown import legend, panel, shipped_run, small_run, titles

RECORDED: tuple[str, SettableValue] = ("observe.segments.from", "0 s")


def of_marks(figure: Figure) -> Axes:
    return panel(figure, "Segments lost")


def of_flow(run: cellway.Run, flow: str) -> Marks:
    return known(marks_of(run, flow))


def timeouts(run: cellway.Run, flow: str) -> "np.typing.NDArray[np.float64]":
    return known(of_flow(run, flow).timeouts)


@pytest.mark.parametrize("name", ["packet-router", "instcap", "fq-codel-router"])
def test_as_many_are_marked_as_were_counted(name: str) -> None:
    run = shipped_run(name, RECORDED, ("observe.limit", 200_000))
    warm_up = run.summary["warm_up_s"]
    for flow, counted in run.flows.items():
        resent = of_flow(run, flow).resent
        assert int((resent >= warm_up).sum()) == counted["retransmitted_segments"]
        assert int((timeouts(run, flow) >= warm_up).sum()) == counted["timeouts"]


def test_a_timeout_is_followed_by_a_window_of_one_segment() -> None:
    """The window is recorded on its own, and not what timeouts are found by."""
    run = shipped_run(
        "packet-router", RECORDED, ("observe.interval", "change"), ("observe.limit", 200_000)
    )
    window = run.series("download.cwnd")
    after = window.time.searchsorted(timeouts(run, "download"), side="right") - 1
    assert window.value[after].tolist() == [1460.0]


def of_an_older_model(run: cellway.Run) -> cellway.Run:
    """The same run without what the core now records of timeouts."""
    units = {name: unit for name, unit in run._units.items() if "timeout" not in name}
    return replace(run, _units=units)


@pytest.mark.parametrize("name", ["packet-router", "instcap", "loss-episode"])
def test_timeouts_are_where_segments_are_sent_again_without_an_acknowledgement(name: str) -> None:
    """Recorded by the core, and found from what was sent and heard: the same instants."""
    run = shipped_run(name, RECORDED, ("observe.limit", 200_000))
    older = of_an_older_model(run)
    for flow in run.flows:
        assert np.array_equal(timeouts(run, flow), timeouts(older, flow))


def test_a_host_that_takes_time_does_not_hide_its_timeouts() -> None:
    """Its segments leave later than its timer expires, at instants at which others arrive."""
    run = shipped_run("rate-mismatch", RECORDED, ("run.duration", "3 s"))
    counted = run.flows["bulk"]["timeouts"]
    expired, again = timeouts(run, "bulk"), known(of_flow(run, "bulk").by_timeout)
    assert int((expired >= run.summary["warm_up_s"]).sum()) == counted > 0
    assert set(again) <= set(of_flow(run, "bulk").resent)
    assert len(again) >= len(expired)
    assert legend(of_marks(run.plot()))[-1] == f"timeout: {len(expired)}"
    assert legend(of_marks(of_an_older_model(run).plot()))[-1] == "timeout: 0; of 1 flow not known"


def test_acknowledgements_beyond_the_limit_do_not_become_timeouts() -> None:
    run = shipped_run("packet-router", RECORDED, ("observe.limit", 1000))
    older = of_flow(of_an_older_model(run), "download")
    assert (older.timeouts, older.end) == (None, None)
    assert len(timeouts(run, "download")) == 1


def test_the_legend_tells_why_segments_are_sent_again() -> None:
    run = shipped_run("loss-episode", RECORDED)
    marks = of_flow(run, "bulk")
    again, late = len(marks.resent), len(known(marks.by_timeout))
    assert 0 < late < again
    assert f"sent again: {again}, {late} of\nthem after timeouts" in legend(of_marks(run.plot()))


def test_timeouts_outlive_saving(tmp_path: Path) -> None:
    run = shipped_run("packet-router", RECORDED, ("observe.limit", 20_000))
    saved = cellway.Run.load(run.save(tmp_path / "run"))
    assert timeouts(saved, "download").tolist() == timeouts(run, "download").tolist()


def test_the_last_panel_has_a_row_per_flow_and_counts_what_it_shows() -> None:
    run = shipped_run("fq-codel-router", RECORDED)
    axes = of_marks(run.plot())
    assert axes.get_title(loc="left") == "Segments lost and sent again, and timeouts"
    rates = {flow: one["throughput_bits_per_second"] for flow, one in run.flows.items()}
    fastest_first = sorted(rates, key=lambda flow: -rates[flow])
    assert [text.get_text() for text in axes.get_yticklabels()] == fastest_first
    late = sum(int((of_flow(run, flow).resent >= 5.0).sum()) for flow in run.flows)
    assert f"sent again: {late}" in legend(of_marks(run.plot(5.0)))


def test_without_recorded_segments_there_are_no_marks() -> None:
    run = small_run()
    assert marks_of(run, "bulk") is None
    assert not any("lost" in title for title in titles(run.plot()))


def test_the_window_is_counted_in_segments_as_well() -> None:
    run = small_run()
    figure = run.plot()
    axes = panel(figure, "Congestion window")
    (right,) = axes.child_axes
    figure.canvas.draw()
    tcp = run.scenario.explain()["flows"][0]["tcp"]
    assert tcp
    size = tcp["mss_bytes"]
    assert right.get_ylabel() == f"segments of {size} B"
    assert np.allclose(right.get_ylim(), np.array(axes.get_ylim()) * 1024 / size)

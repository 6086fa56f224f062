"""Time-sequence diagrams: what is drawn, and what is asked of a run."""

from pathlib import Path

import pytest
from matplotlib.collections import LineCollection

from cellway import Scenario
from cellway import run as simulate
from cellway.plot.time_sequence import plot_time_sequence, plot_time_sequences
from cellway.runs.runs import Run
from common import ROOT, Command, refused
from shown import legend

SHIPPED = ROOT / "scenarios/loss-episode.toml"


@pytest.fixture(scope="module")
def episode() -> Run:
    return simulate(Scenario.load(SHIPPED).with_set("run.duration", "3.5 s"))


def test_every_lost_segment_has_its_place_and_is_sent_again(episode: Run) -> None:
    lost = episode.series("bulk.lost_on.far")
    assert len(lost) == 3
    resent = set(episode.series("bulk.resent").value.tolist())
    assert set(lost.value.tolist()) <= resent


def test_segments_are_bars_and_losses_are_named_by_their_link(episode: Run) -> None:
    figure = plot_time_sequence(episode, "bulk", 1.0, 3.0)
    (axes,) = figure.axes
    bars = {str(one.get_label()): one for one in axes.collections}
    sent = episode.series("bulk.sent")
    shown = ((sent.time >= 1.0) & (sent.time <= 3.0)).sum()
    drawn = bars["segment sent"]
    assert isinstance(drawn, LineCollection)
    assert len(drawn.get_segments()) == shown
    assert {"lost on link far", "acknowledged", "sent again"} <= set(legend(axes))


def test_a_saved_run_is_drawn_the_same(episode: Run, tmp_path: Path) -> None:
    again = Run.load(episode.save(tmp_path / "run"))
    first, second = (plot_time_sequence(one, "bulk", 1.0, 2.0) for one in (episode, again))
    assert first.axes[0].get_ylim() == second.axes[0].get_ylim()


def test_what_was_not_recorded_is_refused_with_what_was(episode: Run) -> None:
    with pytest.raises(ValueError, match=r"'call' were not recorded.*here bulk"):
        plot_time_sequence(episode, "call")
    with pytest.raises(ValueError, match=r"no segment of 'bulk' was sent from 0\.01 to"):
        plot_time_sequence(episode, "bulk", 0.01, 0.02)


def test_a_scenario_that_records_nothing_is_made_to(cellway: Command, tmp_path: Path) -> None:
    target = tmp_path / "wire.png"
    asked = ("--time-sequence", "download", "--from", "2.5", "--to", "3", "--out", str(target))
    source = str(ROOT / "scenarios/packet-router.toml")
    done = cellway("plot", source, *asked, "--set", "run.duration=3 s")
    assert done.returncode == 0, done.stderr
    assert target.is_file()
    short = ("--set", "run.duration=3 s")
    assert "upload" in refused(cellway, "plot", source, "--time-sequence", "upload", *short)


def test_several_runs_have_a_panel_each_on_one_time_axis(episode: Run) -> None:
    figure = plot_time_sequences({"reno": episode, "again": episode}, "bulk", 1.0, 3.0)
    upper, lower = figure.axes
    assert upper.get_title(loc="left").startswith("reno: loss-episode, seed 1")
    assert lower.get_title(loc="left").startswith("again: ")
    assert upper.get_xlim() == lower.get_xlim()
    assert upper.get_ylim() == lower.get_ylim()
    with pytest.raises(ValueError, match=r"^reno: the segments of 'call' were not recorded"):
        plot_time_sequences({"reno": episode, "again": episode}, "call")

"""Studies with more named levels than lines: a row per level, dots and intervals at the means."""

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.container import ErrorbarContainer

from cellway import Scenario, Study
from cellway.plot.studies import plot_study
from cellway.plot.study_lines import MAX_LINES
from cellway.runs.quantity import Quantity
from cellway.study import Factor, Response, Results
from common import SMALL

THRESHOLDS = [f"{cells} cell" for cells in range(40, 40 + 10 * (MAX_LINES + 1), 10)]
NAMES = [f"EPD at {cells}" for cells in THRESHOLDS]
WINDOWS = ["16 KiB", "32 KiB", "64 KiB"]
RATE = "flows.*.throughput_bits_per_second"


def results(names: int, windows: list[str]) -> Results:
    """So many thresholds with names, over windows; two replications of 100 ms."""
    drop = [{"epd": {"threshold": cells}} for cells in THRESHOLDS[:names]]
    base = Scenario.parse(SMALL.replace('duration = "1 s"', 'duration = "100 ms"'))
    return Study(
        base,
        [
            Factor.of("drop", ["switch.s.drop"], drop, NAMES[:names]),
            Factor.of("window", ["flow.bulk.tcp.window"], windows),
        ],
        responses=[
            Response("rate", Quantity(RATE, "sum"), "Mbit/s"),
            Response("kept", Quantity(RATE, "min_ratio", weights=(("bulk", 50e6),)), "%"),
        ],
        replications=2,
    ).run()


@pytest.fixture(scope="module")
def many() -> Results:
    return results(len(NAMES), WINDOWS)


def dots(axes: Axes) -> list[ErrorbarContainer]:
    return [one for one in axes.containers if isinstance(one, ErrorbarContainer)]


def test_every_mean_is_a_dot_in_the_row_of_its_level(many: Results) -> None:
    panels = plot_study(many).axes
    assert [label.get_text() for label in panels[0].get_yticklabels()] == NAMES
    for axes, name in zip(panels, ("rate", "kept"), strict=True):
        found = dots(axes)
        assert [one.get_label() for one in found] == [f"window = {window}" for window in WINDOWS]
        for number, container in enumerate(found):
            means = [many.estimate(name, row * len(WINDOWS) + number) for row in range(len(NAMES))]
            plotted = np.asarray(container.lines[0].get_xydata(), dtype=np.float64)
            assert plotted[:, 0].tolist() == [one.mean for one in means if one is not None]
            assert np.rint(plotted[:, 1]).tolist() == list(range(len(NAMES)))


def test_the_first_level_is_at_the_top_and_settings_go_from_light_to_dark(many: Results) -> None:
    axes = plot_study(many).axes[0]
    bottom, top = axes.get_ylim()
    assert bottom > top
    light = [sum(to_rgb(one.lines[0].get_color())) for one in dots(axes)]
    assert light == sorted(light, reverse=True)


def test_a_line_is_where_the_guarantee_is_just_kept(many: Results) -> None:
    """At a ratio of 1, which is 100 %; the other panel has none."""
    for axes, places in zip(plot_study(many).axes, ([], [100.0]), strict=True):
        lines = [np.asarray(line.get_xydata(), dtype=np.float64) for line in axes.get_lines()]
        assert [line[0, 0] for line in lines if line[:, 1].tolist() == [0.0, 1.0]] == places


@pytest.mark.parametrize(
    ("names", "windows"),
    [(MAX_LINES, WINDOWS), (MAX_LINES + 1, [f"{kib} KiB" for kib in range(16, 23)])],
)
def test_as_many_lines_as_there_are_colours_or_dots_too_many_for_a_row_are_lines_as_ever(
    names: int, windows: list[str]
) -> None:
    axes = plot_study(results(names, windows)).axes[0]
    assert axes.get_xlabel().removesuffix(" (log scale)") == "window [KiB]"
    assert len(dots(axes)) == names

"""What a study's figure shows: chosen responses and factors, scales, gaps, a legend beside data."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cellway import Scenario, Study, StudyError
from cellway.plot.repeated import bars
from cellway.plot.studies import plot_study, study_figures
from cellway.plot.study_choice import Choice
from cellway.runs.quantity import Quantity
from cellway.statistics import Estimate
from cellway.study import Factor, Response, Results
from common import SMALL, Command, refused
from shown import titles

WINDOWS = ["16 KiB", "32 KiB", "64 KiB", "128 KiB"]
DROPS = ["tail", {"epd": {"threshold": "100 cell"}}]
DELAYS = ["1 ms", "2 ms", "3 ms"]
RATE = "flows.*.throughput_bits_per_second"
RESPONSES = [
    Response("rate", Quantity(RATE, "sum"), "Mbit/s"),
    Response("limit", Quantity("flows.bulk.tcp.expected_bits_per_second"), "Mbit/s", True),
    Response("losses", Quantity("flows.bulk.retransmitted_segments")),
]


def results(*factors: Factor, responses: list[Response] = RESPONSES) -> Results:
    base = Scenario.parse(SMALL.replace('duration = "1 s"', 'duration = "150 ms"'))
    return Study(base, list(factors), responses=responses, replications=2).run()


WINDOW = Factor.of("window", ["flow.bulk.tcp.window"], WINDOWS)
DROP = Factor.of("drop", ["switch.s.drop"], DROPS, ["tail", "EPD"])
DELAY = Factor.of("delay", ["link.left.delay"], DELAYS)


@pytest.fixture(scope="module")
def many() -> Results:
    return results(WINDOW, DROP, DELAY)


@pytest.fixture(scope="module")
def one() -> Results:
    return results(WINDOW)


def named(figure: Figure) -> list[str]:
    """The words of the one legend, each on one line."""
    return [" ".join(text.get_text().split()) for text in figure.legends[0].get_texts()]


def test_only_the_responses_that_are_chosen(many: Results) -> None:
    assert titles(plot_study(many)) == ["rate [Mbit/s]", "losses"]
    assert titles(plot_study(many, ["losses"])) == ["losses"]
    # What `explain` gives joins a panel of its unit, and has one of its own alone.
    assert "limit" not in named(plot_study(many, ["rate"]))
    assert "limit" in named(plot_study(many, ["rate", "limit"]))
    assert titles(plot_study(many, ["limit"])) == ["limit [Mbit/s]"]


def test_a_chosen_factor_lies_along_the_axis_or_has_a_panel_for_each_level(many: Results) -> None:
    along = plot_study(many, ["rate"], across="drop").axes[0]
    assert [tick.get_text() for tick in along.get_xticklabels()] == ["tail", "EPD"]
    assert along.get_xlabel() == "drop"
    apart = plot_study(many, ["rate"], panels="delay")
    assert titles(apart) == [f"rate [Mbit/s], delay = {delay}" for delay in DELAYS]
    assert named(apart)[:2] == ["drop = tail", "drop = EPD"]
    # Marks of names stand beside each other, so that no interval hides another.
    places = [tuple(np.asarray(line.get_xdata()).tolist()) for line in along.lines]
    assert len(set(places)) > len(WINDOWS)


def test_levels_in_equal_ratios_have_a_logarithmic_axis_that_says_so(many: Results) -> None:
    windows = plot_study(many, ["rate"]).axes[0]
    assert (windows.get_xscale(), windows.get_xlabel()) == ("log", "window [KiB] (log scale)")
    delays = plot_study(many, ["rate"], across="delay").axes[0]
    assert (delays.get_xscale(), delays.get_xlabel()) == ("linear", "delay [ms]")


@pytest.mark.parametrize(
    ("log", "scales"),
    [
        ("none", ("linear", "linear")),
        ("x", ("log", "linear")),
        ("y", ("linear", "log")),
        ("xy", ("log", "log")),
    ],
)
def test_scales_are_those_asked_for(many: Results, log: str, scales: tuple[str, str]) -> None:
    panel = plot_study(many, ["rate"], log=log).axes[0]  # type: ignore[arg-type]
    assert (panel.get_xscale(), panel.get_yscale()) == scales
    assert panel.get_xlabel().endswith("(log scale)") == (scales[0] == "log")
    assert panel.get_title(loc="left").endswith("(log scale)") == (scales[1] == "log")


def test_a_logarithmic_axis_says_what_it_does_not_have(one: Results) -> None:
    assert min(found.mean for found in one.estimates("losses") if found) == 0.0
    assert "at the edge: 0 or less, which no log scale has" in named(
        plot_study(one, ["losses"], log="y")
    )
    still = results(Factor.of("window", ["flow.bulk.tcp.window"], WINDOWS[:2]))
    with pytest.raises(ValueError, match="losses is nowhere above 0; expected a linear axis"):
        plot_study(still, ["losses"], log="y")


def test_runs_that_failed_or_are_missing_have_a_mark(one: Results) -> None:
    broken = [replace(record, status="failed") for record in one.runs[0]]
    gaps = replace(one, runs=(tuple(broken), one.runs[1][:1], *one.runs[2:]), complete=False)
    figure = plot_study(gaps, ["rate"])
    marks = {str(line.get_marker()): line for line in figure.axes[0].lines}
    assert [float(np.asarray(marks[sign].get_xdata())[0]) for sign in "x+"] == [16.0, 32.0]
    # At the upper edge, where a curve at 0 hides nothing.
    assert [float(np.asarray(marks[sign].get_ydata())[0]) > 0.5 for sign in "x+"] == [True, True]
    assert {"at the edge: runs failed", "at the edge: runs are missing"} <= set(named(figure))
    assert "7 runs, 2 failed" in figure.get_suptitle()
    assert not any("edge" in words for words in named(plot_study(one, ["rate"])))


def inside(axes: Axes) -> list[bool]:
    low, high = axes.get_ylim()
    return [
        low <= float(y) <= high
        for line in axes.containers
        for y in np.asarray(line.lines[0].get_ydata())  # type: ignore[attr-defined]
    ]


def test_panels_of_one_axis_show_what_each_of_them_has(many: Results) -> None:
    """The first panel's range was once everybody's: points above it were cut off."""
    figure = plot_study(many, ["rate"], panels="delay", across="drop")
    assert all(all(inside(axes)) for axes in figure.axes)
    reverse = Factor.of("delay", ["link.left.delay"], ["30 ms", "1 ms"])
    rising = plot_study(results(WINDOW, reverse), ["rate"], panels="delay")
    assert all(all(inside(axes)) for axes in rising.axes)
    assert rising.axes[0].get_ylim() == rising.axes[1].get_ylim()


def test_zero_is_the_lower_end_of_what_cannot_be_below_it(one: Results) -> None:
    low, high = plot_study(one, ["losses"]).axes[0].get_ylim()
    assert -0.03 * high < low <= 0.0


def test_the_legend_is_below_all_panels(many: Results) -> None:
    figure = plot_study(many)
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    top = figure.legends[0].get_window_extent(renderer).y1
    bottoms = [axes.get_tightbbox(renderer).y0 for axes in figure.axes]  # type: ignore[union-attr]
    assert top <= min(bottoms)


def test_too_many_panels_are_a_figure_per_response() -> None:
    names = [f"EPD at {cells}" for cells in range(60, 66)]
    drops = [{"epd": {"threshold": f"{cells} cell"}} for cells in range(60, 66)]
    wide = results(WINDOW, Factor.of("drop", ["switch.s.drop"], drops, names), DELAY)
    found = study_figures(wide, Choice(panels="drop"))
    assert list(found) == ["rate", "losses"]
    assert [len(figure.axes) for figure in found.values()] == [6 + 2, 6 + 2]
    assert "limit" in named(found["rate"])
    assert list(study_figures(wide, Choice())) == [""]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (Choice(("nope",)), "--response nope: no response of this study; there are rate, limit"),
        (Choice(across="nope"), "--x nope: no factor of this study; there are window, drop"),
        (Choice(panels="nope"), "--panels nope: no factor of this study"),
        (Choice(across="drop", panels="drop"), "--panels drop: is along the axis"),
    ],
)
def test_what_a_study_does_not_have_is_refused(many: Results, choice: Choice, said: str) -> None:
    with pytest.raises(StudyError, match=said):
        study_figures(many, choice)


def test_the_command_names_its_figure_after_what_was_asked(
    window: Path, cellway: Command, folder: Path
) -> None:
    assert cellway("study", window, "--out", "w").returncode == 0
    asked = ["--response", "throughput", "--x", "drop", "--log", "y"]
    done = cellway("plot", "w", *asked)
    assert done.stdout == "written to w/plot-throughput-over-drop-log-y.png\n", done.stderr
    assert not (folder / "w" / "plot.png").exists()
    wrong = refused(cellway, "plot", "w", "--response", "nope")
    assert wrong == "--response nope: no response of this study; there are throughput\n"
    run = refused(cellway, "plot", "small.toml", "--x", "drop")
    assert run == "--x: small.toml is not a study; only a study has factors\n"
    # Refused before anything runs.
    assert "no factor" in refused(cellway, "plot", window, "--panels", "nope")


def test_levels_with_unlike_prefixes_are_numbers_on_one_axis() -> None:
    rates = [f"{rate} of line" for rate in ("128 kbit/s", "256 kbit/s", "512 kbit/s", "2 Mbit/s")]
    rate = Factor.of("rate", ["link.left.rate"], rates)
    assert (rate.kind, rate.unit) == ("number", "Mbit/s of line")
    assert rate.numbers == pytest.approx([0.128, 0.256, 0.512, 2.0])
    window = Factor.of("window", ["flow.bulk.tcp.window"], ["64 KiB", "96 kB", "1 MiB"])
    assert window.unit == "MiB"
    axes = plot_study(results(window)).axes[0]
    assert axes.get_xlabel() == "window [MiB] (log scale)"
    line = axes.get_lines()[0]
    assert list(np.asarray(line.get_xdata())) == pytest.approx([0.0625, 96e3 / 2**20, 1.0])


@pytest.mark.parametrize("levels", [["1 ms", "2 KiB"], ["1 Mbit/s of line", "2 kbit/s of cell"]])
def test_levels_of_two_kinds_remain_names(levels: list[str]) -> None:
    assert Factor.of("any", ["a"], levels).kind == "name"


def test_bars_of_what_has_no_sign_end_at_zero() -> None:
    wide = Estimate(mean=0.2, half_width=0.5, n=3)
    assert bars([wide], is_signed=False) == ([0.2], [0.5])
    assert bars([wide], is_signed=True) == ([0.5], [0.5])

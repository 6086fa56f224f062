"""Figures of the catalogue's page, from results made by hand and, over time, from short runs."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

from cellway.catalogue import Reproduction
from cellway.catalogue.figures import Curve, Curves, Groups, OverTime, Panel, Places
from cellway.catalogue.pages import figures
from cellway.catalogue.plots.conditions import plot_curves
from cellway.catalogue.plots.groups import plot_groups
from cellway.catalogue.plots.over_time import averaged, plot_over_time
from cellway.catalogue.plots.places import plot_places
from cellway.catalogue.plots.reproductions import plot_reproduction, span_of
from cellway.catalogue.plots.scatter import plot_scatter
from cellway.catalogue.plots.verdicts import short_labels
from cellway.cli.figure_files import is_figure, save_figure
from cellway.errors import CatalogueError
from cellway.runs.series import Series
from common import T, known
from reproduced import loaded, made

MAX_BYTES = 150_000
MAX_BYTES_OF_PAGES = 40_000
SHORTEN = Path(__file__).parents[2] / "tools" / "shorten-figures"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    return made(loaded(tmp_path_factory.mktemp("shelf")))


def beside(axes: Axes) -> list[str]:
    """The text at the right."""
    return [label.get_text() for label in axes.child_axes[0].get_yticklabels()]


def legend(figure: Figure) -> set[str]:
    """Names below the panels."""
    return {text.get_text() for text in figure.legends[0].get_texts()}


def ticks(axes: Axes, side: str) -> list[str]:
    labels = axes.get_xticklabels() if side == "x" else axes.get_yticklabels()
    return [label.get_text() for label in labels]


def asked(done: Reproduction, kind: type[T]) -> T:
    """The figure of this kind that the paper asks for."""
    return next(one for one in done.paper.figures if isinstance(one, kind))


def test_the_scatter_has_a_panel_per_unit_with_the_diagonal(done: Reproduction) -> None:
    rates, ratios = plot_scatter(done).axes
    assert "Mbit/s, 5 numbers" in rates.get_title(loc="left")
    assert "without unit, 1 number" in ratios.get_title(loc="left")
    diagonal = rates.get_lines()[0]
    assert np.array_equal(diagonal.get_xdata(), diagonal.get_ydata())
    assert rates.get_xlim() == rates.get_ylim()
    with pytest.raises(ValueError, match="nothing to draw"):
        plot_scatter(replace(done, results=()))


def test_numbers_that_span_decades_have_logarithmic_axes(done: Reproduction) -> None:
    wide = replace(done.results[0].number, simulated=0.1)
    results = (replace(done.results[0], number=wide), *done.results[1:])
    assert plot_scatter(replace(done, results=results)).axes[0].get_xscale() == "log"
    assert plot_scatter(done).axes[0].get_xscale() == "linear"


def test_groups_show_published_and_ours_entry_by_entry(done: Reproduction) -> None:
    figure = asked(done, Groups)
    (axes,) = plot_groups(figure, done).axes
    assert ticks(axes, "x") == ["8\n10\n10.05", "16\n20\n21", "24\n40\n50.15", "32\n80\n40.15"]
    assert axes.get_xlabel() == "window\n(below: published, ours)"
    assert axes.get_yscale() == "log"
    assert axes.get_ylabel() == "throughput in Mbit/s"
    published = next(line for line in axes.get_lines() if line.get_marker() == "o")
    assert np.asarray(published.get_ydata()).tolist() == [10.0, 20.0, 40.0, 80.0]
    with pytest.raises(ValueError, match="none of its rows"):
        plot_groups(figure, replace(done, results=()))


def test_curves_are_ours_over_a_condition_beside_a_formula(done: Reproduction) -> None:
    ours = Curve("ours", (8.0, 16.0), ("P-T1-R1", "P-T1-R2"))
    formula = Curve("formula", (8.0, 16.0), numbers=(9.0, 21.0))
    panel = Panel("all", "window", "log", (ours, formula))
    figure = Curves("F", "Over the window", (panel,), "rate")
    (axes,) = plot_curves(figure, done).axes
    assert (axes.get_xscale(), axes.get_xlabel(), axes.get_ylabel()) == ("log", "window", "rate")
    dashed = next(line for line in axes.get_lines() if line.get_linestyle() == "--")
    assert np.asarray(dashed.get_ydata()).tolist() == [9.0, 21.0]
    simulated = next(line for line in axes.get_lines() if line.get_marker() == "o")
    means = [known(one.ours).mean for one in done.results[:2]]
    assert np.asarray(simulated.get_ydata()).tolist() == means
    assert np.asarray(simulated.get_xdata()).tolist() == [8.0, 16.0]
    with pytest.raises(ValueError, match="figure F: none of its rows"):
        plot_curves(figure, replace(done, results=()))


def test_places_say_where_the_published_number_lies(done: Reproduction) -> None:
    figure = asked(done, Places)
    (axes,) = plot_places(figure, done).axes
    assert [line for text in axes.texts for line in text.get_text().split("\n")] == [
        "P-T1-R1 window of 8 KiB: throughput",
        "agrees: ours 10.05 ± 0.21; published 10, above 38 % of 4",
        "P-T1-R3 window of 24 KiB: throughput",
        "differs, because: ours 50.15 ± 0.21; published 40, above 0 % of 4",
        "P-T2-R2 cells lost",
        "ours 6.5 ± 2.1; nothing published",
    ]
    dots = next(line for line in axes.get_lines() if line.get_marker() == ".")
    assert np.asarray(dots.get_xdata()).tolist() == [9.9, 10.0, 10.1, 10.2]


def test_a_title_counts_verdicts_and_a_legend_names_bands_and_markers(done: Reproduction) -> None:
    by_verdict = [f"ours, 95 % interval: {one}" for one in ("undecided", "differs, because")]
    groups = plot_groups(asked(done, Groups), done)
    said = "(1 agrees; 1 undecided; 1 differs, because; 1 differs)"
    assert " ".join(groups.get_suptitle().split()) == f"P-F-G: By window {said}"
    assert {"published", "tolerance", *by_verdict} <= legend(groups)
    places = plot_places(asked(done, Places), done)
    assert places.get_suptitle() == "P-F-P: Where they lie (1 agrees; 1 differs, because)"
    assert legend(places) == {"a replication", "our mean", "published", "tolerance"}
    panel = Panel("all", "window", "log", (Curve("ours", (8.0, 16.0), ("P-T2-R2",) * 2),))
    curves = plot_curves(Curves("F", "Over the window", (panel,), "cells"), done)
    assert curves.get_suptitle() == "F: Over the window (not judged)"
    assert legend(curves) == {"95 % interval of our mean"}


def test_over_time_is_a_rate_of_what_was_acknowledged(done: Reproduction) -> None:
    figure = asked(done, OverTime)
    plotted = plot_over_time(figure)
    assert plotted.get_suptitle() == "P-F-O: Over time (one run for each curve)"
    (axes,) = plotted.axes
    paced, plain = (patch.get_data()[0] for patch in axes.patches if isinstance(patch, StepPatch))
    assert len(paced) == 10
    assert paced[5] == pytest.approx(19.0, abs=2.0)
    assert plain[5] == 0.0
    assert beside(axes) == ["published 19"]
    said = r"no series 'x.acked' has points; recorded are bulk\.acked"
    with pytest.raises(CatalogueError, match=said):
        plot_over_time(replace(figure, series="x.acked", lines=figure.lines[:1]))


def test_counters_become_rates_and_levels_time_means(done: Reproduction) -> None:
    figure = asked(done, OverTime)
    time = np.array([0.0, 0.1, 0.2])
    counted = Series("a.acked", "byte", time, np.array([0.0, 125e3, 375e3]))
    edges, rates = averaged([counted, counted], figure)
    assert edges == pytest.approx(time)
    assert rates == pytest.approx([20.0, 40.0])
    level = Series("a.queue", "cell", time, np.array([2.0, 4.0, 9.0]))
    assert averaged([level], replace(figure, unit="cell"))[1] == pytest.approx([2.0, 4.0])


def test_one_far_number_is_an_arrow_and_compresses_nothing(done: Reproduction) -> None:
    ours = replace(known(done.results[0].ours), mean=1000.0)
    far = replace(done.results[0], ours=ours)
    many = replace(done, results=(far, *(done.results[:5] * 20)), findings=())
    (axes,) = plot_reproduction(many).axes
    assert ticks(axes, "y")[0] == "P-T1-R1 window of 8 KiB: throughput"
    (arrow,) = (line for line in axes.get_lines() if line.get_marker() == ">")
    assert [text.get_text() for text in axes.texts if "%" in text.get_text()] == ["+9900.0 %"]
    # As far as the others reach: the axis is the one without it.
    (without,) = plot_reproduction(replace(many, results=many.results[1:])).axes
    assert axes.get_xlim() == without.get_xlim()
    assert float(np.asarray(arrow.get_xdata())[0]) < axes.get_xlim()[1]


@pytest.mark.parametrize(
    ("extents", "per_cent"),
    [
        ([], 5.0),
        ([1.0, 2.0], 5.0),
        ([10.0, 20.0, 30.0], 30.0),
        ([10.0, 10.0, 10.0, 12.0, 404.0], 12.0),
        ([10.0, 10.0, 10.0, 10.0, 30.0, 44.0], 44.0),
        ([500.0, 600.0, 700.0], 200.0),
    ],
)
def test_an_axis_covers_nearly_all_and_nothing_far_away(
    extents: list[float], per_cent: float
) -> None:
    assert span_of(extents).per_cent == per_cent


def test_labels_lose_the_words_that_all_have() -> None:
    assert short_labels(["circuit one, MCR", "circuit two, MCR"]) == ["one", "two"]
    assert short_labels(["alone"]) == ["alone"]
    assert short_labels(["same", "same"]) == ["same", "same"]


def shortened(*files: Path) -> None:
    """Rewrites the files as those of the pages are."""
    subprocess.run([sys.executable, str(SHORTEN), *map(str, files)], check=True)


def svg_of(figure: Figure, folder: Path) -> str:
    """The text of a figure as it stands on a page."""
    save_figure(figure, folder / "figure.svg", as_text=True)
    shortened(folder / "figure.svg")
    return (folder / "figure.svg").read_text()


def test_figures_are_small_equal_every_time_and_ours(done: Reproduction, tmp_path: Path) -> None:
    for name, plotted in figures(done).items():
        files = [tmp_path / f"{number}.svg" for number in (1, 2)]
        for file in files:
            save_figure(plotted(), file, as_text=True)
            assert file.stat().st_size < MAX_BYTES
        shortened(*files)
        first, second = (file.read_bytes() for file in files)
        assert first == second, name
        assert len(first) < MAX_BYTES_OF_PAGES
        assert is_figure(first)
        assert b"<text" in first
        shortened(files[0])
        assert files[0].read_bytes() == first


def test_a_number_in_a_text_keeps_its_digits(tmp_path: Path) -> None:
    """Coordinates are written in tenths of a point, labels as they are."""
    figure = Figure()
    figure.text(0.1, 0.1, "ours 0.0183 ± 0.0004")
    svg = svg_of(figure, tmp_path)
    assert "ours 0.0183 ± 0.0004" in svg
    assert not re.search(r"<[^>]*\d\.\d{3}", svg)


def bare() -> tuple[Figure, Axes]:
    """A figure whose data are points from its lower left corner."""
    figure = Figure(figsize=(2.0, 1.0), dpi=72)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), frameon=False, xlim=(0, 144), ylim=(0, 72))
    axes.set_axis_off()
    return figure, axes


def test_lines_and_marks_of_a_figure_stay_where_they_were(tmp_path: Path) -> None:
    figure, axes = bare()
    axes.plot([10.04, 20.0, 30.0, 30.0], [62.0, 52.0, 42.0, 12.0], color="#123456")
    axes.plot([40.0, 50.0], [22.0, 32.0], "o", color="#654321")
    svg = svg_of(figure, tmp_path)
    assert 'd="m100 100 200 200v300"' in svg
    assert 'd="m400 500 100-100"' in svg
    assert "marker:url(#" in svg


def test_a_line_on_the_edge_of_an_area_stays_above_it(tmp_path: Path) -> None:
    """It could be drawn with another of its style below, but half of it would be hidden."""
    figure, axes = bare()
    axes.plot([20, 20], [10, 60], color="#123456", zorder=0)
    axes.fill_betweenx([10, 60], 50, 90, color="#abcdef", linewidth=0, zorder=1)
    axes.plot([50, 50], [10, 60], color="#123456", zorder=2)
    _, below, area, above = re.findall(r'd="m([^"]*)"', svg_of(figure, tmp_path))
    assert (below[:3], area[-1], above[:3]) == ("200", "z", "500")


@pytest.mark.parametrize("beyond", [False, True])
def test_only_what_lies_beyond_the_axes_is_clipped(tmp_path: Path, beyond: bool) -> None:
    figure, axes = bare()
    axes.plot([10, 200 if beyond else 100], [20, 30])
    assert ("clip-path" in svg_of(figure, tmp_path)) == beyond


def test_every_letter_of_a_figure_stays_in_a_text_that_is_xml(tmp_path: Path) -> None:
    """A label of two lines is placed by a transform, so that its style ends with the font."""
    figure = Figure()
    axes = figure.subplots()
    axes.set_xticks([0.0, 1.0], labels=["two lines\nof a label", "a < b"])
    axes.set_title("one & another")
    image = ElementTree.fromstring(svg_of(figure, tmp_path))
    texts = [one.text for one in image.iter(f"{SVG}text")]
    assert {"two lines", "of a label", "a < b", "one & another"} <= set(texts)

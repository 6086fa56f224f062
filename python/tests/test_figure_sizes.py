"""Figures for a slide, a column and a page: nothing is cut, and colours stay those of the flows."""

import warnings
from pathlib import Path
from typing import Literal

import pytest
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from PIL import Image

from cellway import Run, Study, run
from cellway.cli.figure_files import figure_content, fit
from cellway.figures import SizeName, draw
from cellway.plot.sizes import SIZES
from common import SHIPPED, Command, refused, shipped
from shown import titles

WIDTHS = {"slide": 40 / 3, "column": 3.5, "page": 7.2}


@pytest.fixture(scope="module")
def finished() -> Run:
    keys = {"run.duration": "6 s", "run.warm_up": "1 s", "observe.segments.flows": ["near[*]"]}
    return run(shipped("access-queue", keys))


def sized(figure: Figure, size: SizeName) -> Figure:
    """The figure in the size, drawn; the layout must be possible."""
    fit(figure, size)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.draw_without_rendering()
    return figure


def _has_words(text: Text) -> bool:
    return text.get_visible() and text.get_text() != ""


def cut(figure: Figure) -> list[str]:
    """Legends, titles and labels that reach beyond the figure or lie over each other's panels."""
    figure.draw_without_rendering()
    paper = figure.bbox
    own = [axes.get_legend() for axes in figure.axes]
    legends = [*figure.legends, *(one for one in own if one is not None)]
    words = [one for axes in figure.axes for one in (axes.xaxis.label, axes.yaxis.label)]
    titles = [*words, *(one for one in figure.get_children() if isinstance(one, Text))]
    titles += [one for axes in figure.axes for one in axes.get_children() if isinstance(one, Text)]
    found = []
    for one in [*legends, *filter(_has_words, titles)]:
        box = one.get_window_extent()
        if box.width and not (
            box.x0 >= paper.x0 - 1
            and box.x1 <= paper.x1 + 1
            and box.y0 >= paper.y0 - 1
            and box.y1 <= paper.y1 + 1
        ):
            found.append(f"{one}: {box} beyond {paper}")
    return found


def overlapping(figure: Figure) -> list[tuple[int, int]]:
    """Legends that lie over another panel."""
    boxes = [axes.get_window_extent() for axes in figure.axes]
    return [
        (of, other)
        for of, axes in enumerate(figure.axes)
        if isinstance(legend := axes.get_legend(), Legend)
        for other, box in enumerate(boxes)
        if other != of and legend.get_window_extent().overlaps(box)
    ]


@pytest.mark.parametrize("size", SIZES)
def test_nothing_of_a_run_is_cut(finished: Run, size: SizeName) -> None:
    figure = sized(finished.plot(), size)
    assert figure.get_figwidth() == pytest.approx(WIDTHS[size])
    assert cut(figure) == []
    assert overlapping(figure) == []
    assert len([one for one in figure.axes if one.get_legend()]) >= 5
    assert all(one.get_window_extent().height > 0.4 * figure.dpi for one in figure.axes)
    # A legend beside its panel would take this width.
    wide = {"slide": 0.22, "column": 0.6, "page": 0.7}[size] * figure.bbox.width
    assert all(one.get_window_extent().width > wide for one in figure.axes)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_of_other_figures_is_cut(finished: Run, size: SizeName) -> None:
    other = run(
        shipped("access-queue", {"run.duration": "6 s", "run.warm_up": "1 s", "run.seed": 2})
    )
    figures = [
        finished.plot_distributions(),
        finished.plot_time_sequence("near[1]", 0.0, 2.0),
        draw("runs", {"a first run of two": finished, "another one": other}, 0.0, None),
    ]
    for figure in figures:
        assert cut(sized(figure, size)) == []
        assert overlapping(figure) == []


@pytest.mark.parametrize("size", SIZES)
def test_nothing_of_a_study_is_cut(size: SizeName) -> None:
    study = Study(
        shipped("rate-mismatch", {"run.duration": "2 s", "run.warm_up": "0 s"}),
        factors={"flow.bulk.tcp.window": ["32 KiB", "64 KiB"]},
    )
    assert cut(sized(study.run(workers=1).plot(), size)) == []


def test_a_flow_has_its_colour_in_every_size(finished: Run) -> None:
    def colours(figure: Figure) -> list[list[object]]:
        return [[line.get_color() for line in axes.lines] for axes in figure.axes]

    usual = colours(finished.plot())
    for size in SIZES:
        assert colours(sized(finished.plot(), size)) == usual


def test_fonts_of_a_pdf_are_true_type(finished: Run) -> None:
    for size in SIZES:
        content = figure_content(sized(finished.plot(), size), "pdf")
        assert b"/Type3" not in content
        assert b"/FontFile2" in content


def test_a_size_has_a_file_of_its_own(cellway: Command, folder: Path, finished: Run) -> None:
    finished.save(folder / "run")
    done = cellway("plot", folder / "run", "--size", "column")
    assert done.returncode == 0, done.stderr
    assert (folder / "run" / "plot-column.png").is_file()
    assert not (folder / "run" / "plot.png").exists()
    assert "slide" in refused(cellway, "plot", folder / "run", "--size", "poster")


@pytest.mark.parametrize(
    ("scenario", "port", "kind"),
    [("abr-vbr", "west.trunk", "port"), ("gfr-dfba", "first.trunk", "regions")],
)
def test_nothing_of_a_port_is_cut_in_a_column(
    scenario: str, port: str, kind: Literal["port", "regions"]
) -> None:
    figure = sized(draw(kind, run(shipped(scenario)), port, 0.0, None), "column")
    assert cut(figure) == []
    assert overlapping(figure) == []
    assert figure.get_figheight() <= 9.5


def test_only_figures_that_are_drawn_have_a_size(cellway: Command, folder: Path) -> None:
    scenario = SHIPPED / "rate-mismatch.toml"
    (folder / "windows.toml").write_text(
        f'[study]\nscenario = "{SHIPPED / "satellite.toml"}"\n[set]\n'
        '"switch.gateway.buffer" = "infinite"\n"switch.gateway.drop" = "tail"\n'
        '[factor.window]\nkey = "flow.transfer.tcp.window"\nlevels = ["16 KiB", "64 KiB"]\n'
    )
    drawn = ["theory", "windows.toml", "--plot", "theory.png", "--size", "column"]
    made = cellway(*drawn)
    assert made.returncode == 0, made.stderr
    with Image.open(folder / "theory.png") as picture:
        assert picture.width == 3.5 * 120
    assert "--plot FILE" in refused(cellway, "theory", "windows.toml", "--size", "column")
    assert "a study" in refused(cellway, "theory", scenario, "--size", "page")
    assert "--plots DIR" in refused(cellway, "reproduce", "magic-1997", "--size", "page")


def test_chosen_series_are_drawn_alone(finished: Run, cellway: Command, folder: Path) -> None:
    drawn = finished.plot(series=["cwnd"])
    assert titles(drawn) == ["Congestion window"]
    assert finished.only(["near*.cwnd"]).series_names == ("near[1].cwnd", "near[2].cwnd")
    (queue,) = titles(draw("runs", {"a": finished, "b": finished}, 0.0, None, ["line.queue"]))
    assert queue.startswith("Queue in front of router.line")
    finished.save(folder / "run")
    asked = ("plot", folder / "run", "--series", "line.queue", "--no-title")
    assert cellway(*asked).returncode == 0
    assert (folder / "run" / "plot-line.queue.png").is_file()
    assert "recorded: arrived.*" in refused(cellway, *asked[:3], "foo")
    assert "no --port" in refused(cellway, *asked, "--port", "router.line")


def test_a_figure_is_laid_out_once_and_for_a_known_size(finished: Run) -> None:
    figure = finished.plot()
    with pytest.raises(ValueError, match="no size 'big'; expected one of slide, column, page"):
        fit(figure, "big")  # type: ignore[arg-type]
    sized(figure, "column")
    with pytest.raises(ValueError, match="draw it again"):
        fit(figure, "page")

"""Figures as data: what each kind says, and what is refused."""

import pytest

from cellway.catalogue import load_paper
from cellway.catalogue.figures import Curve, Curves, Group, Groups, OverTime, Panel, Places
from cellway.errors import CatalogueError
from common import PAPER, Make, changed, joined, texts_of


def test_each_kind_of_figure(make: Make) -> None:
    folder = make()
    groups, places, over_time = load_paper(folder).figures
    assert groups == Groups(
        "F-T1", "Throughput", (Group("all", ("T1-R1", "T2-R1")),), "row", "throughput", "linear"
    )
    assert places == Places("F-P1", "Where the published number lies", ("T1-R1",), "linear")
    assert isinstance(over_time, OverTime)
    assert over_time.scenario == folder / "small.toml"
    assert (over_time.series, over_time.window, over_time.unit) == ("*.acked", "100 ms", "Mbit/s")
    assert [(line.label, line.published) for line in over_time.lines] == [
        ("8 KiB", 10.0),
        ("16 KiB", None),
    ]
    assert over_time.lines[0].sets == (("flow.bulk.tcp.window", "8 KiB"),)


def test_a_scale_may_be_logarithmic(make: Make) -> None:
    files = changed(PAPER, "figures.toml", 'y = "throughput"', 'y = "throughput"\nscale = "log"')
    first, *_ = load_paper(make(files)).figures
    assert isinstance(first, Groups)
    assert first.scale == "log"


def test_curves_have_rows_or_numbers_over_a_condition(make: Make) -> None:
    *_, curves = load_paper(make(joined(PAPER, texts_of("curves")))).figures
    lines = (Curve("ours", (8.0, 16.0), ("T1-R1", "T2-R1")), Curve("formula", (8.0,), (), (12.5,)))
    panel = Panel("all", "window", "log", lines)
    assert curves == Curves("F-C1", "Over the window", (panel,), "throughput")


def test_a_curve_may_be_a_formula_in_the_condition(make: Make) -> None:
    curves = texts_of("curves")
    formula = {
        name: text.replace("numbers = [12.5]", 'formula = "100 / x"')
        for name, text in curves.items()
    }
    *_, found = load_paper(make(joined(PAPER, formula))).figures
    assert isinstance(found, Curves)
    assert found.panels[0].lines[1] == Curve("formula", (8.0,), (), (12.5,))
    other = {
        name: text.replace("numbers = [12.5]", 'formula = "y"') for name, text in curves.items()
    }
    with pytest.raises(CatalogueError, match="x, the condition, is its only name"):
        load_paper(make(joined(PAPER, other)))

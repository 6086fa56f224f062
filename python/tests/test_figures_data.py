"""Figures as data: what each kind says, and what is refused."""

import pytest

from cellway.catalogue import load_paper
from cellway.catalogue.figures import Curve, Curves, Group, Groups, OverTime, Panel, Places
from common import PAPER, Make, changed, fault_ids, refusal


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


CURVES = """
[[figure]]
code = "F-C1"
title = "Over the window"
kind = "curves"
y = "throughput"
[[figure.panels]]
label = "all"
x = "window"
scale = "log"
[[figure.panels.lines]]
label = "ours"
at = [8, 16]
rows = ["T1-R1", "T2-R1"]
[[figure.panels.lines]]
label = "formula"
at = [8]
numbers = [12.5]
"""


def test_curves_have_rows_or_numbers_over_a_condition(make: Make) -> None:
    *_, curves = load_paper(make({**PAPER, "figures.toml": PAPER["figures.toml"] + CURVES})).figures
    lines = (Curve("ours", (8.0, 16.0), ("T1-R1", "T2-R1")), Curve("formula", (8.0,), (), (12.5,)))
    panel = Panel("all", "window", "log", lines)
    assert curves == Curves("F-C1", "Over the window", (panel,), "throughput")


CURVE_FAULTS = [
    ("at = [8]", "at = [8, 9]", "[8, 9]", "2 conditions for 1 numbers; one for each is expected"),
    ("at = [8, 16]", "at = [16, 8]", "[16, 8]", "`at` does not ascend"),
    ("at = [8, 16]", "at = [8, 8]", "[8, 8]", "`at` does not ascend"),
    ("numbers = [12.5]\n", "", "[[figure.panels.lines]]", "`rows` or `numbers`, one for each"),
    ('["T1-R1", "T2-R1"]\n[[', '["T1-R1", "T9"]\n[[', '"T9"]', "no row T9"),
]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"), CURVE_FAULTS, ids=fault_ids(CURVE_FAULTS)
)
def test_faulty_curves_are_refused_at_their_place(
    make: Make, old: str, new: str, place: str, words: str
) -> None:
    files = {**PAPER, "figures.toml": PAPER["figures.toml"] + CURVES}
    said, there = refusal(make(changed(files, "figures.toml", old, new)), "figures.toml")
    assert said.startswith(words)
    assert there.startswith(place)


FAULTS = [
    ('kind = "groups"', 'kind = "pie"', '"pie"',
     "`kind` is 'pie'; expected one of `groups`, `places`, `curves`"),
    ('kind = "groups"\n', "", "[[figure]]", "no `kind`; a text is needed"),
    ('["T1-R1", "T2-R1"]', '["T1-R1", "T9"]', '"T9"]', "no row T9"),
    ('["T1-R1", "T2-R1"]', "[]", "[] }", "`rows` is empty; a list of texts is expected"),
    ('rows = ["T1-R1"]', 'rows = ["C1"]', '"C1"]', "no row C1"),
    ('rows = ["T1-R1"]\n', "", '[[figure]]\ncode = "F-P1"', "no `rows`; a list of texts is needed"),
    ('x = "row"\n', "", '[[figure]]\ncode = "F-T1"', "no `x`; a text is needed"),
    ('y = "throughput"', 'y = "t"\nscale = "square"', '"square"',
     "`scale` is 'square'; expected one of `linear`"),
    ('code = "F-P1"', 'code = "F-T1"', '"F-T1"\ntitle = "Where',
     "two entries have the code F-T1; a code of"),
    ('code = "F-P1"', 'code = "T1-R1"', '"T1-R1"\ntitle',
     "two entries have the code T1-R1; a code of its"),
    ('code = "F-P1"', 'code = "../up"', '"../up"', "`code` is '../up', which "),
    ('"small.toml"', '"large.toml"', '"large.toml"', "'large.toml' is not in the paper's folder"),
    ("published = 10", 'published = "10"', '"10" }', "`published` is '10'; a number is expected"),
    ('unit = "Mbit/s"', 'unit = "furlong"', '"furlong"',
     "`unit` is 'furlong'; expected one of `1`, `%`, `bit/s`"),
    ('window = "100 ms"\n', "", '[[figure]]\ncode = "F-O1"', "no `window`; a text is needed"),
    ('{ label = "16 KiB"', '{ name = "16 KiB"', '{ name = "16', "no `label`; a text is needed"),
    ('window = "100 ms"', 'window = "1 s"\nscale = "log"', "scale =",
     "unknown key `scale`; expected one of `co"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "place", "words"), FAULTS, ids=fault_ids(FAULTS))
def test_faulty_figures_are_refused_at_their_place(
    make: Make, old: str, new: str, place: str, words: str
) -> None:
    said, there = refusal(make(changed(PAPER, "figures.toml", old, new)), "figures.toml")
    assert said.startswith(words)
    assert there.startswith(place)

"""What a paper leaves open: how each choice was made, and what is refused."""

import pytest

from cellway.catalogue import load_paper
from common import PAPER, Make, changed, fault_ids, refusal

FAULTS = [
    (
        'rows = ["T1-R1"]',
        'rows = ["T1-R2", "T9"]',
        '"T9"]',
        "no row T9; the rows are T1-R1, T1-R2, T2-R1, T2-R2",
    ),
    (
        'rows = ["T1-R1"]',
        'rows = ["T1-R1", "T1-R1"]',
        '"T1-R1"]',
        "row T1-R1 is listed twice; once is accepted",
    ),
    (
        'kind = "ours"',
        'kind = "theirs"',
        '"theirs"',
        "`kind` is 'theirs'; expected one of `drawn`, `fitted`, `ours`",
    ),
    ('kind = "ours"\n', "", '[[choice]]\nwhat = "buffer"', "no `kind`; a text is needed"),
    (
        'kind = "ours"',
        'kind = "ours"\ncombinations = 3',
        "combinations = 3",
        "`combinations` is for a fitted choice",
    ),
    ("combinations = 3", "combinations = 0", "0", "`combinations` is 0; at least 1 is accepted"),
    (
        "combinations = 3",
        'combinations = "many"',
        '"many"',
        "`combinations` is 'many'; a whole number is",
    ),
    ('value = "256*1 cells"', 'value = " "', '" "', "`value` is empty; a text is expected"),
    ('what = "start"', 'about = "start"', "[[choice]]", "no `what`; a text is needed"),
    (
        'reason = "tried"',
        'reason = "tried"\nseen = 1',
        "seen = ",
        "unknown key `seen`; expected one of `kind`, `combinations`",
    ),
]


@pytest.mark.parametrize(("old", "new", "place", "words"), FAULTS, ids=fault_ids(FAULTS))
def test_faulty_choices_are_refused_at_their_place(
    make: Make, old: str, new: str, place: str, words: str
) -> None:
    said, there = refusal(make(changed(PAPER, "choices.toml", old, new)), "choices.toml")
    assert said.startswith(words)
    assert there.startswith(place)


def test_choices_say_how_they_were_made(make: Make) -> None:
    kinds = [(choice.kind, choice.combinations) for choice in load_paper(make()).choices]
    assert kinds == [("ours", None), ("drawn", None), ("fitted", 3)]

"""A published number in two tables: the second row names the first, which counts."""

import pytest

from cellway.catalogue import load_paper
from common import PAPER, Files, Make, changed, refusal


def repeated(repeats: str, published: float) -> Files:
    """T2-R2, of which nothing was published, gets a published number and what it repeats."""
    entry = (
        f'repeats = "{repeats}"\npublished = {{ simulated = {published} }}\ncompare = "simulated"'
    )
    files = changed(PAPER, "published.toml", "replications = 4", f"replications = 4\n{entry}")
    return changed(files, "criteria.toml", 'rows = ["T1-R1"]', 'rows = ["T1-R1", "T2-R2"]')


def test_a_row_may_repeat_a_number_of_another(make: Make) -> None:
    assert load_paper(make(repeated("T1-R1", 17.5))).row("T2-R2").repeats == "T1-R1"


@pytest.mark.parametrize(
    ("repeats", "published", "words"),
    [
        ("T9", 17.5, "no row T9; the rows are T1-R1, T1-R2, T2-R1, T2-R2"),
        ("T1-D1", 19.0, "no row T1-D1; the rows are T1-R1, T1-R2, T2-R1, T2-R2"),
        ("T1-R1", 17.6, "T1-R1 has another published number than T2-R2"),
        ("T1-R2", 1.0, "T1-R2 has another published number than T2-R2"),
        ("T2-R2", 17.5, "T2-R2 repeats a number itself; the row that counts is expected"),
    ],
)
def test_what_cannot_be_repeated(make: Make, repeats: str, published: float, words: str) -> None:
    """The number of T1-R2 is the same, of cells; a row that repeats itself would never count."""
    said, there = refusal(make(repeated(repeats, published)))
    assert said == words
    assert there.startswith(f'"{repeats}"')


def test_a_number_that_was_not_published_cannot_be_repeated(make: Make) -> None:
    files = changed(PAPER, "published.toml", 'code = "T2-R1"', 'code = "T2-R1"\nrepeats = "T2-R2"')
    said, there = refusal(make(files))
    assert said == "T2-R2 has no published number that could be repeated"
    assert there.startswith('"T2-R2"')

"""The catalogue as Markdown: complete, repeatable, without accidental markup."""

from cellway.catalogue import Reproduction, load_paper, reproduce
from cellway.catalogue.markdown import markdown
from common import Make


def test_markdown_is_the_same_every_time_and_complete(small_done: Reproduction) -> None:
    text = markdown([small_done])
    assert text == markdown([small_done])
    assert text.endswith("\n")
    for words in (
        "## small-2001",
        "A small paper \\| with a bar",
        "| T1-R1 | paced | Mbit/s | **17.5** | 16.5 |",
        "- Tolerance 10 % (T1-R1): slow start takes part of the second.",
        "- T1-R2 differs, because the sender does not pace.",
        "- T2-R2: nothing was published.",
        "| buffer | 256\\*1 cells | not said |",
        "**window** — not said.",
        "2 *agrees*, 1 *undecided*, 2 *differs, because*, 2 *differs*",
        "- C1: of two tables.",
        "- C2 differs, because the window is larger than the buffer.",
        (
            "| C2 | nothing is lost \\| ever | 136 cell (2, all the same) | – | at most 0 cell | "
            "differs, be"
        ),
    ):
        assert words in text
    assert text.index("| T2-R2 |") < text.index("| C1 |") < text.rindex("| C3 |")


def test_one_run_per_row_is_said_not_to_be_the_stated_replications(make: Make) -> None:
    assert "Quick" in markdown([reproduce(load_paper(make()), "T1-R1", quick=True)])
